"""A log by groups, a shoe to look at, and the logs of the documentation's maps."""

import json
import math
import random
import re
import xml.etree.ElementTree as ElementTree
from fractions import Fraction
from functools import cache
from pathlib import Path

import polars
import pytest

from combinat import FileError, Shoe, Verdict, analyze, crosscheck
from combinat.audit.judging import groups
from combinat.audit.reading import rounds
from combinat.audit.reading import rows as log_rows
from combinat.audit.verdict import LogGroup, ShoeTrace, Word
from combinat.base.money import format_money
from combinat.rules.deal_space import result
from combinat.rules.outcome import Outcome
from tests.audit.logs import GAME, HEAD, hands, net, replay_of, shoe_rounds, written
from tests.conftest import Run
from tests.paths import CORPUS, ROOT

MAPS = ROOT / "docs" / "maps"


def grouped(path: Path, by: str, settlement_only: bool = True) -> tuple[Verdict, list[tuple[LogGroup, ...]]]:
    judged = crosscheck(path, settlement_only=settlement_only, by=by)
    return judged, [one.groups for one in replay_of(judged).groupings]


# ---------------------------------------------------------------- groups

BETS = ("player", "tie", "banker-pair")


def dealer(number: int) -> str:
    return "ann" if number % 3 else "bob"


@pytest.mark.parametrize("shoes", [False, True])
def test_the_hold_of_a_group_is_that_of_its_stakes(
    tmp_path: Path, shoes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Second opinion: each round analysed by itself; variances from all outcomes of a fresh shoe."""
    monkeypatch.setattr(groups, "MOST_SKEW", Fraction(10**6))
    rounds, chance = shoe_rounds(2, 2, 12), random.Random(5)
    stakes = [{bet: Fraction(chance.choice([0, 5, 10, 250]), 2) for bet in BETS} for _ in rounds]
    columns = ",".join(f"stake:{bet},payout:{bet}" for bet in BETS)
    lines = [f"round,{'shoe,' * shoes}player_cards,banker_cards,dealer,time,{columns}"]
    for number, (one, placed) in enumerate(zip(rounds, stakes, strict=True), 1):
        money = ",".join(
            f"{format_money(stake)},{format_money(stake * (1 + net(one.cards, bet)))}" if stake else ","
            for bet, stake in placed.items()
        )
        shoe, day = f"{one.shoe}," * shoes, 1 + number % 2
        lines.append(f"{number},{shoe}{hands(one.cards)},{dealer(number)},2025-08-0{day}T20:15:00,{money}")
    _, (by_dealer, by_day, by_both) = grouped(written(tmp_path, lines), "dealer,day,dealer+day")
    assert [(one.name, one.rounds) for one in by_day] == [("2025-08-01", 12), ("2025-08-02", 12)]
    names = [f"{name} / 2025-08-0{day}" for name in ("ann", "bob") for day in (1, 2)]
    assert [one.name for one in by_both] == names
    for group in by_dealer:
        mine = [number for number in range(len(rounds)) if dealer(number + 1) == group.name]
        staked = sum((sum(stakes[number].values()) for number in mine), Fraction(0))
        won = expected = Fraction(0)
        for number in mine:
            left = analyze(GAME, Shoe(rounds[number].left) if shoes else Shoe.of_decks(8))
            for bet, stake in stakes[number].items():
                won -= stake * net(rounds[number].cards, bet)
                expected -= stake * left.bet(bet).expected_value
        assert (group.rounds, group.faults, group.staked, group.hold) == (len(mine), 0, staked, won / staked)
        assert group.exact is not None
        assert abs(group.exact - expected / staked) < Fraction(1, 10**9)
        spread = math.sqrt(sum(variance(stakes[number]) for number in mine))
        assert group.test is not None
        assert abs(float(group.test.score.statistic) - float(won - expected) / spread) < (
            0.02 if shoes else 1e-6
        )


@cache
def together() -> dict[tuple[Fraction, ...], Fraction]:
    """The chance of each combination of net results on a fresh shoe."""
    analysis = analyze(GAME, Shoe.of_decks(8))
    chances: dict[tuple[Fraction, ...], Fraction] = {}
    for first_four, courses in analysis.distribution.courses.items():
        for course, ways in courses.items():
            nets = tuple(GAME.bet(bet).net(Outcome(result(course), first_four)) for bet in BETS)
            chances[nets] = chances.get(nets, Fraction(0)) + Fraction(ways, analysis.sample_space)
    return chances


def variance(stakes: dict[str, Fraction]) -> float:
    """The variance of what stakes come to together in a round of a fresh shoe."""
    totals = [
        (chance, sum(stake * one for stake, one in zip(stakes.values(), nets, strict=True)))
        for nets, chance in together().items()
    ]
    mean = sum((chance * total for chance, total in totals), Fraction(0))
    return float(sum((chance * (total - mean) ** 2 for chance, total in totals), Fraction(0)))


def test_a_group_whose_stakes_know_the_result_is_seen(tmp_path: Path) -> None:
    """One bets after the cards are known, others do not; without groups nothing is against the log."""
    chance, lines = random.Random(8), ["round,player_cards,banker_cards,player,bet,stake,payout"]
    for number, one in enumerate(shoe_rounds(4, 24, 25), 1):
        won = net(one.cards, "player")
        for who in ("anna", "boris", "carl"):
            if who != "carl" or won > 0 or chance.random() < 0.5:
                lines.append(f"{number},{hands(one.cards)},{who},player,10,{format_money(10 * (1 + won))}")
    path = written(tmp_path, lines)
    judged, (by_player,) = grouped(path, "player", settlement_only=False)
    assert (judged.word, judged.reasons[0].split(":")[0]) == (Word.DISAGREES, "player carl")
    told = {one.name: (one.rounds, one.test and one.test.adjusted_chance) for one in by_player}
    assert told["anna"] == told["boris"] == (600, Fraction(1))
    assert (told["carl"][1] or 1) < Fraction(1, 1000)
    assert crosscheck(path).word is not Word.DISAGREES


def test_rounds_of_several_rows_count_once_in_each_group(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a batch ends within a round."""
    path = CORPUS / "map_logs" / "three-wagers-a-round.csv"
    _, (whole,) = grouped(path, "player")
    assert [(one.name, one.rounds, one.staked) for one in whole] == [
        ("anna", 10, Fraction(200)),
        ("boris", 10, Fraction(100)),
    ]
    monkeypatch.setattr(log_rows, "BATCH_BYTES", 500)
    assert grouped(path, "player")[1] == [whole]


@pytest.mark.parametrize(
    ("stamp", "day"),
    [
        ("2025-08-08 20:14:05", "2025-08-08"),
        ("2025-08-08T20:14:05+08:00", "2025-08-08"),
        ("08.08.2025 20:14", "08.08.2025"),
        ("20250808", "20250808"),
        ("1754683200", "2025-08-08"),
        ("1754683200.25", "2025-08-08"),
        ("1754683200123", "2025-08-08"),
        ("", ""),
    ],
)
def test_the_day_of_a_time_stamp(stamp: str, day: str) -> None:
    frame = polars.DataFrame({"at": [stamp]}, schema={"at": polars.String})
    assert rounds.group_columns(frame, [rounds.By("day", "at", True)])["by:day"].to_list() == [day]


def test_a_group_of_its_own_for_every_row_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(groups, "MOST_GROUPS", 3)
    path = written(tmp_path, ["round,player_cards,banker_cards", *(f"{n},K 9,K 8" for n in range(5))])
    with pytest.raises(FileError, match="more than 3 groups"):
        grouped(path, "round")


# ---------------------------------------------------------------- a shoe to look at


@pytest.fixture
def shoe_log(tmp_path: Path) -> Path:
    """Three shoes, with a wrong settlement in the second."""
    lines = ["round,shoe,player_cards,banker_cards,net:tie"]
    for number, one in enumerate(shoe_rounds(3, 3, 6), 1):
        tie = 7 if number == 12 else format_money(net(one.cards, "tie"))
        lines.append(f"{number},{one.shoe},{hands(one.cards)},{tie}")
    return written(tmp_path, lines, HEAD + "# cut-card: 14\n")


def shown(path: Path, shoe: str | None = None) -> ShoeTrace:
    trace = replay_of(crosscheck(path, shoe_shown=shoe)).shoe_trace
    assert trace is not None
    return trace


def test_a_shoe_is_shown_with_its_exact_edges(shoe_log: Path, run: Run) -> None:
    """That with a fault, else the first, or one that is asked for."""
    told = json.loads(run("crosscheck", str(shoe_log), "--format", "json").out)["replay"]["shoe"]
    mine = [one for one in shoe_rounds(3, 3, 6) if one.shoe == 2]
    assert (told["shoe"], told["all_rounds"], len(told["rounds"])) == ("2", len(mine), len(mine))
    assert [number for number, one in enumerate(told["rounds"]) if one["faulty"]] == [5]
    for number in (0, 5):
        analysis = analyze(GAME, Shoe(mine[number].left))
        edges = {bet.id: str(-analysis.bet(bet.id).expected_value) for bet in GAME.bets}
        assert told["rounds"][number]["house_edges"] == edges
        assert told["rounds"][number]["winner"] == str(mine[number].cards.outcome.result.winner)
    assert [shown(shoe_log, wanted).shoe for wanted in ("3", ":1")] == ["3", "1"]
    for wanted in ("4", "T1:2", "two"):
        with pytest.raises(FileError, match="there is no shoe"):
            shown(shoe_log, wanted)
    shoe_log.write_text(shoe_log.read_text().replace(",7\n", ",\n"))
    assert (shown(shoe_log).shoe, any(one.is_faulty for one in shown(shoe_log).rounds)) == ("1", False)


def test_the_html_verdict_has_the_shoe_for_a_phone(shoe_log: Path, tmp_path: Path) -> None:
    """The picture is no wider than a phone's screen, and no letter smaller than one can read there."""
    crosscheck(shoe_log, report=tmp_path / "v.html")
    page = (tmp_path / "v.html").read_text("utf-8")
    pictures = [ElementTree.fromstring(text) for text in re.findall(r"<svg .*?</svg>", page, re.DOTALL)]
    assert len(pictures) == page.count('<figure class="narrow"') == 1
    for picture in pictures:
        assert int(picture.attrib["width"]) <= 369
        assert min(int(one.attrib["font-size"]) for one in picture.iter() if "font-size" in one.attrib) >= 10


# ---------------------------------------------------------------- the documentation's maps


@pytest.mark.parametrize(
    ("name", "by", "right", "wrong"),
    [
        ("one-row-a-round", "day", "2S KH 4D,Banker", "2S KH 4D,Tie"),
        ("card-columns", "table", "12,12,0,7,1,0,0,8", "12,12,0,7,1,0,1,8"),
        ("wagers", "player", "-2.328,93 EUR", "-2.328,92 EUR"),
    ],
)
def test_a_map_of_the_docs_reads_logs_of_its_layout(
    tmp_path: Path, run: Run, name: str, by: str, right: str, wrong: str
) -> None:
    """A right log is right to its last row, a fault in it is found, and it is converted."""
    path, map_file, own = CORPUS / "map_logs" / f"{name}.csv", MAPS / f"{name}.toml", tmp_path / "own.csv"
    judged = crosscheck(path, log_map=map_file, by=by)
    replay = replay_of(judged)
    assert (replay.rows, replay.holds, len(replay.groupings[0].groups)) == (40, True, 2)
    assert judged.word is Word.UNJUDGED  # too few to agree
    assert run("convert", str(path), "--map", str(map_file), "--out", str(own)).code == 0
    chips = re.findall(r'^(unit|rounding) = "(.*)"$', map_file.read_text("utf-8"), re.MULTILINE)
    again = crosscheck(own, log_map=dict(chips))
    assert (replay_of(again).rows, replay_of(again).holds, again.rounds) == (40, True, judged.rounds)
    text = path.read_text("utf-8")
    assert text.count(right) == 1
    faulty = written(tmp_path, text.replace(right, wrong).splitlines(), head="")
    assert crosscheck(faulty, log_map=map_file, settlement_only=True).word is Word.DISAGREES
