"""What a verdict says beside yes and no: faults by cause and row by row, groups, a shoe to look at, JUnit, and the docs."""

import csv
import io
import json
import math
import random
import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat import Shoe, analyze, load_game
from combinat.analysis.verdict import FaultKind, FaultRow, ShownRound, Verdict, Word
from combinat.audit import causes, grouping, groups
from combinat.audit import rows as log_rows
from combinat.audit.causes import Causes, cell_cause, ranges
from combinat.audit.grouping import parse_groupings
from combinat.audit.log_map import KEYS, PLACES, LogMap, read_map
from combinat.audit.notation import Notation
from combinat.audit.verdict import verdict
from combinat.engine.distribution import result
from combinat.errors import HandLogError, RoundError
from combinat.render.pictures import Tone
from combinat.report.roads import DOWN, big_road
from combinat.report.verdict_junit import verdict_junit
from combinat.rules.cards import RANKS, Rank, format_cards
from combinat.rules.money import format_money
from combinat.rules.outcome import Outcome
from combinat.rules.round import Round
from combinat.rules.table_of_play import STOOD
from tests.conftest import Run
from tests.documents import COMMISSION_2013
from tests.paths import ROOT

GAME = load_game(COMMISSION_2013)
DOCS = ROOT / "docs"
PAGE = (DOCS / "audit.md").read_text("utf-8")


@dataclass(frozen=True)
class Dealt:
    """A round, the shoe it is of, and the cards left before it."""

    shoe: int
    cards: Round
    left: tuple[int, ...]


def dealt(seed: int, shoes: int, most: int = 20, decks: int = 8) -> list[Dealt]:
    """Rounds from the tops of shuffled shoes."""
    chance, rounds = random.Random(seed), list[Dealt]()
    for shoe in range(1, shoes + 1):
        cards = [rank for rank in RANKS for _ in range(4 * decks)]
        chance.shuffle(cards)
        for _ in range(most):
            if len(cards) < 20:
                break
            left, one = Counter(cards), GAME.round()
            while not one.is_over:
                one = one.with_card(cards.pop())
            rounds.append(Dealt(shoe, one, tuple(left[rank] for rank in RANKS)))
    return rounds


def net(one: Round, bet: str) -> Fraction:
    return GAME.bet(bet).net(one.outcome)


def written(tmp_path: Path, lines: Sequence[str], head: str = "# decks: 8\n") -> Path:
    path = tmp_path / "log.csv"
    path.write_text(f"# game: {COMMISSION_2013}\n{head}" + "\n".join(lines) + "\n", "utf-8")
    return path


# ---------------------------------------------------------------- causes


def test_a_cause_says_what_the_table_of_play_says_of_every_cell() -> None:
    """Second opinion: the refusal that a finished round of such cards gets."""
    cards = {0: Rank.KING, **{points: RANKS[points - 1] for points in range(1, 10)}}
    met = 0
    for player, banker, *thirds in product(range(10), range(10), range(11), range(11)):
        hands = [
            [Rank.KING, cards[total]] + ([] if third == STOOD else [cards[third]])
            for total, third in zip((player, banker), thirds, strict=True)
        ]
        try:
            GAME.finished_round(*hands)
        except RoundError as error:
            met += 1
            cause, message = cell_cause(GAME, player, banker, *thirds), str(error)
            said = f"{cause.before}{'' if cause.total is None else cause.total}{cause.after}"
            assert message.startswith(f"{said.partition(' ')[0]} Hand")
            assert message.endswith(f"({cause.clause})")
            assert ("drew" in said) == ("is against the Table of Play" in message)
            assert ("natural" in said) == ("natural" in message)
            if cause.total is not None:
                assert f"{said.partition(' ')[0]} has {cause.total}" in message
            third = re.search(r"third card is worth (\d)", message)
            worth = {"ten": 0, "ace": 1}
            against = re.search(r" against an? (\w+)", said)
            assert (against and worth.get(against[1], int(against[1]) if against[1].isdigit() else -1)) == (
                int(third[1]) if third else None
            )
    assert met == 8_706


@given(st.sets(st.integers(0, 9), min_size=1))
def test_ranges_name_every_total_once(totals: set[int]) -> None:
    named = [
        total
        for run in re.split(r", | and ", ranges(totals))
        for ends in [list(map(int, run.split(" to ")))]
        for total in range(ends[0], ends[-1] + 1)
    ]
    assert named == sorted(totals)


def test_more_causes_than_are_told_apart_are_counted_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(causes, "MOST_CAUSES", 2)
    many = Causes()
    for number in range(5):
        many.add(FaultKind.DECLARED, f"cause {number}", 10 - number, 100 - number)
    assert [(one.message, one.rows, one.first_line) for one in many.record()] == [
        ("other causes", 8 + 7 + 6, 96),
        ("cause 0", 10, 100),
        ("cause 1", 9, 99),
    ]


HEADER = "round,player_cards,banker_cards,winner,net:tie,stake:banker,payout:banker"
ROWS = [
    "1,K 9,K 8,player,-1,10,0",
    "2,K 5 K,K 3,player,-1,,",  # Banker 3 stands against a ten
    "3,K 5 Q,10 2,player,-1,,",  # Banker 2 stands against a ten
    "4,K 9,K 8,banker,-1,10,0",  # declared otherwise
    "5,K 9,K 8,player,8,10,19.5",  # a tie paid, a lost bet won
    "6,K 9,K 8,player,-1,20,39",
    '7,K 9,"=cmd|x",player,-1,10,0',  # no cards
    "8,X 9,K 8,player,-1,10,0",
    "9,K 9,K 8,player,-1,10,ten",
    "10,K 7 A,K 8,player,-1,10,0",  # the Player Hand draws after a natural
    "11,K 9 9 9 9,K 8,player,-1,10,0",
    "12,K 8,K 9,banker,-1,100,",  # not settled
]


def listed(path: Path) -> tuple[Verdict, list[FaultRow]]:
    faults: list[FaultRow] = []
    judged = verdict(path, settlement_only=True, sink=faults.extend)
    return judged, faults


def test_faults_are_counted_by_cause_worst_first(tmp_path: Path) -> None:
    judged, _ = listed(written(tmp_path, [HEADER, *ROWS]))
    assert judged.replay is not None
    assert [(str(one.kind), one.message, one.rows, one.first_line, one.clause) for one in judged.replay.causes] == [
        ("impossible", "Banker 2 to 3 stood against a ten", 2, 5, "3.7"),
        ("settlement", "banker: paid 0.95 to 1, to be lost", 2, 8, "4.1.2"),
        ("declared", "winner: not what the cards say", 1, 7, ""),
        ("settlement", "tie: paid 8 to 1, to be lost", 1, 8, "4.1.2"),
        ("unreadable", judged.replay.causes[4].message, 1, 10, ""),
        ("unreadable", judged.replay.causes[5].message, 1, 11, ""),
        ("unreadable", judged.replay.causes[6].message, 1, 12, ""),
        ("impossible", "Player drew after a natural", 1, 13, "3.7"),
        ("impossible", "Player Hand: found 5 cards; a finished hand has two or three", 1, 14, ""),
        ("settlement", "banker: not settled, due 0.95 to 1", 1, 15, "4.1.2"),
    ]  # fmt: skip
    assert not any("cmd" in one.message or '"X"' in one.message for one in judged.replay.causes)


def test_every_fault_is_handed_on_and_counted_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many more than are shown, in one batch or in many."""
    rows = [
        f"{100 * turn + int(row.split(',')[0])},{row.partition(',')[2]}" for turn in range(30) for row in ROWS
    ]
    path = written(tmp_path, [HEADER, *rows])
    judged, faults = listed(path)
    replay = judged.replay
    assert replay is not None
    by_kind = Counter(fault.kind for fault in faults)
    assert by_kind == {
        FaultKind.UNREADABLE: replay.unreadable,
        FaultKind.IMPOSSIBLE: replay.impossible,
        FaultKind.DECLARED: replay.misdeclared,
        FaultKind.SETTLEMENT: replay.wrong,
    }
    assert min(by_kind.values()) == 30
    counted: Counter[FaultKind] = Counter()
    for cause in replay.causes:
        counted[cause.kind] += cause.rows
    assert counted == by_kind
    assert [fault.line for fault in faults] == sorted(fault.line for fault in faults)
    wrong = [(one.line, one.paid, one.due, one.clause) for one in faults if one.kind is FaultKind.SETTLEMENT]
    assert wrong[:4] == [(8, "8", "-1", "4.1.2"), (8, "19.5", "0", "4.1.2"), (9, "39", "0", "4.1.2"),
                         (15, "nothing", "195", "4.1.2")]  # fmt: skip
    monkeypatch.setattr(log_rows, "BATCH_BYTES", 1_000)
    assert listed(path) == (judged, faults)
    assert verdict(path, settlement_only=True) == judged


def test_the_file_of_faults(tmp_path: Path, run: Run) -> None:
    """Every fault a line, no cell a formula; the message in full, the place of the row beside it."""
    path, out = written(tmp_path, [HEADER, *ROWS]), tmp_path / "faults.csv"
    ran = run("crosscheck", str(path), "--settlement-only", "--faults", str(out))
    assert ran.code == 1
    table = list(csv.reader(io.StringIO(out.read_text("utf-8"), newline="")))
    assert table[0] == ["line", "table", "shoe", "round", "kind", "message", "paid", "due", "clause"]
    _, faults = listed(path)
    assert len(table) == 1 + len(faults)
    assert [(row[0], row[3], row[4]) for row in table[1:]] == [
        (str(fault.line), fault.round, str(fault.kind)) for fault in faults
    ]
    assert next(row[6:] for row in table if row[4] == "settlement") == ["8", "-1", "4.1.2"]
    assert not any(cell.startswith(("=", "+", "@")) for row in table for cell in row)


def test_a_file_of_faults_is_written_whole_or_not_at_all(tmp_path: Path, run: Run) -> None:
    path, out = written(tmp_path, [HEADER, *ROWS]), tmp_path / "faults.csv"
    out.write_text("what was there\n")
    twice = [*ROWS, *(f"{number},K 9,K 8,player,-1,10,0" for number in range(20, 40))]
    bad = written(tmp_path, ["round,player_cards", *twice])
    assert run("crosscheck", str(bad), "--faults", str(out)).code == 2
    assert out.read_text() == "what was there\n"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["faults.csv", "log.csv"]
    for place, why in (
        (path, "is the file to judge"),
        (tmp_path / "faults.txt", "ends in .csv"),
        (tmp_path, "ends in .csv"),
        (path / "faults.csv", "cannot be written"),
    ):
        ran = run("crosscheck", str(path), "--faults", str(place))
        assert (ran.code, ran.out) == (2, "")
        assert why in ran.err


def test_most_rows_that_fail_alike_are_said_once(tmp_path: Path, run: Run) -> None:
    rows = [f"{number},K 5 K,K 3" for number in range(1, 31)]
    ran = run("crosscheck", str(written(tmp_path, ["round,player_cards,banker_cards", *rows])))
    assert ran.code == 1
    assert ran.out.count("a third card is missing") == 1
    assert ran.out.splitlines()[-1] == (
        "Verdict: does not agree: 30 impossible deals, all of them alike (Banker 3 stood against a ten)"
    )


# ---------------------------------------------------------------- groups


def staked_log(
    tmp_path: Path, rounds: Sequence[Dealt], shoes: bool
) -> tuple[Path, list[dict[str, Fraction]]]:
    """A log with stakes on three bets that follow nothing but chance, and those stakes."""
    chance, stakes = random.Random(5), []
    bets = ("player", "tie", "banker-pair")
    columns = ",".join(f"stake:{bet},payout:{bet}" for bet in bets)
    lines = [f"round,{'shoe,' if shoes else ''}player_cards,banker_cards,dealer,time,{columns}"]
    for number, one in enumerate(rounds, 1):
        placed = {bet: Fraction(chance.choice([0, 5, 10, 250]), 2) for bet in bets}
        stakes.append(placed)
        money = ",".join(
            f"{format_money(stake)},{format_money(stake * (1 + net(one.cards, bet)))}" if stake else ","
            for bet, stake in placed.items()
        )
        hands = f"{format_cards(one.cards.player)},{format_cards(one.cards.banker)}"
        shoe = f"{one.shoe}," if shoes else ""
        lines.append(f"{number},{shoe}{hands},{dealer(number)},2025-08-{1 + number % 2:02}T20:15:00,{money}")
    return written(tmp_path, lines), stakes


def dealer(number: int) -> str:
    return "ann" if number % 3 else "bob"


@pytest.mark.parametrize("shoes", [False, True])
def test_the_hold_of_a_group_is_that_of_its_stakes(
    tmp_path: Path, shoes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Second opinion: each round analysed by itself; variances from all outcomes of a fresh shoe."""
    rounds = dealt(2, 2, 12)
    path, stakes = staked_log(tmp_path, rounds, shoes)
    monkeypatch.setattr(groups, "MOST_SKEW", Fraction(10**6))
    judged = verdict(path, settlement_only=True, groupings=parse_groupings("dealer,day,dealer+day"))
    assert judged.replay is not None
    by_dealer, by_day, by_both = judged.replay.groupings
    assert [one.by for one in judged.replay.groupings] == ["dealer", "day", "dealer + day"]
    assert [(one.name, one.rounds) for one in by_day.groups] == [("2025-08-01", 12), ("2025-08-02", 12)]
    assert [one.name for one in by_both.groups] == [
        f"{name} / 2025-08-0{day}" for name in ("ann", "bob") for day in (1, 2)
    ]
    fresh = analyze(GAME, Shoe.of_decks(8))
    for group in by_dealer.groups:
        mine = [number for number in range(len(rounds)) if dealer(number + 1) == group.name]
        staked = sum((sum(stakes[number].values()) for number in mine), Fraction(0))
        won = expected = Fraction(0)
        variance = 0.0
        for number in mine:
            left = analyze(GAME, Shoe(rounds[number].left)) if shoes else fresh
            for bet, stake in stakes[number].items():
                won -= stake * net(rounds[number].cards, bet)
                expected -= stake * left.bet(bet).expected_value
            variance += spread(stakes[number])
        assert (group.rounds, group.faults, group.staked) == (len(mine), 0, staked)
        assert group.hold == won / staked
        assert group.exact is not None
        assert abs(group.exact - expected / staked) < Fraction(1, 10**9)
        score = group.score
        assert score is not None
        assert abs(float(score.statistic) - float(won - expected) / math.sqrt(variance)) < 1e-6


@cache
def together(*bets: str) -> dict[tuple[Fraction, ...], Fraction]:
    """The chance of each combination of net results on a fresh shoe."""
    analysis = analyze(GAME, Shoe.of_decks(8))
    chances: dict[tuple[Fraction, ...], Fraction] = {}
    for first_four, courses in analysis.distribution.courses.items():
        for course, ways in courses.items():
            nets = tuple(GAME.bet(bet).net(Outcome(result(course), first_four)) for bet in bets)
            chances[nets] = chances.get(nets, Fraction(0)) + Fraction(ways, analysis.sample_space)
    return chances


def spread(stakes: dict[str, Fraction]) -> float:
    """The variance of what stakes come to together in a round of a fresh shoe."""
    chances = together(*stakes)
    totals = {
        nets: sum(stake * net for stake, net in zip(stakes.values(), nets, strict=True)) for nets in chances
    }
    mean = sum((chance * totals[nets] for nets, chance in chances.items()), Fraction(0))
    return float(sum((chance * totals[nets] ** 2 for nets, chance in chances.items()), Fraction(0)) - mean**2)


def test_a_group_whose_stakes_know_the_result_is_seen(tmp_path: Path, run: Run) -> None:
    """One bets after the cards are known, others do not; a right log of as many rounds has no such group."""
    chance, lines = random.Random(8), ["round,player_cards,banker_cards,player,bet,stake,payout"]
    for number, one in enumerate(dealt(4, 40, 25), 1):
        hands = f"{format_cards(one.cards.player)},{format_cards(one.cards.banker)}"
        won = net(one.cards, "player")
        for who in ("anna", "boris", "carl"):
            if who != "carl" or won > 0 or chance.random() < 0.5:
                lines.append(f"{number},{hands},{who},player,10,{format_money(10 * (1 + won))}")
    path = written(tmp_path, lines)
    judged = verdict(path, groupings=parse_groupings("player"))
    assert judged.replay is not None
    assert judged.word is Word.DISAGREES
    assert judged.reasons[0] == "player carl: off beyond chance"
    chances = {one.name: (one.rounds, one.adjusted_chance) for one in judged.replay.groupings[0].groups}
    assert chances["anna"] == chances["boris"] == (1000, Fraction(1))
    assert chances["carl"][1] is not None
    assert chances["carl"][1] < Fraction(1, 1000)
    (case,) = ElementTree.fromstring(verdict_junit(judged)).findall(".//*[@name='holds of groups']")
    assert case[0].attrib == {"message": "1 of 3 tests failed"}
    assert (case[0].text or "").startswith("player carl, hold: adjusted p ")
    said = json.loads(run("crosscheck", str(path), "--by", "player", "--format", "json").out)
    assert [one["name"] for one in said["replay"]["groupings"][0]["groups"]] == ["anna", "boris", "carl"]
    assert {test["kind"] for test in said["tests"]} > {"group", "outcome"}
    assert verdict(path).word is not Word.DISAGREES


def test_rounds_of_several_rows_count_once_in_each_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a batch ends within a round."""
    lines = ["round,player_cards,banker_cards,player,bet,stake,payout"]
    for number, one in enumerate(dealt(6, 2, 20), 1):
        hands = f"{format_cards(one.cards.player)},{format_cards(one.cards.banker)}"
        for who, bet in (("anna", "player"), ("anna", "tie"), ("boris", "tie")):
            lines.append(f"{number},{hands},{who},{bet},10,{format_money(10 * (1 + net(one.cards, bet)))}")
    path = written(tmp_path, lines)
    whole = verdict(path, settlement_only=True, groupings=parse_groupings("player"))
    assert whole.replay is not None
    assert [(one.name, one.rounds, one.staked) for one in whole.replay.groupings[0].groups] == [
        ("anna", 40, Fraction(800)),
        ("boris", 40, Fraction(400)),
    ]
    monkeypatch.setattr(log_rows, "BATCH_BYTES", 500)
    again = verdict(path, settlement_only=True, groupings=parse_groupings("player"))
    assert again.replay is not None
    assert [(one.name, one.rounds, one.hold, one.exact) for one in again.replay.groupings[0].groups] == [
        (one.name, one.rounds, one.hold, one.exact) for one in whole.replay.groupings[0].groups
    ]


def test_the_deviations_of_right_groups_scatter_as_they_should(tmp_path: Path) -> None:
    """Two hundred tables of a right dealer: a mean near 0 and a variance near 1."""
    lines = ["round,player_cards,banker_cards,table,net:player"]
    for number, one in enumerate(dealt(9, 60, 60), 1):
        hands = f"{format_cards(one.cards.player)},{format_cards(one.cards.banker)}"
        lines.append(f"{number},{hands},t{number % 200},{format_money(net(one.cards, 'player'))}")
    judged = verdict(written(tmp_path, lines), settlement_only=True, groupings=parse_groupings("table"))
    assert judged.replay is not None
    scores = [one.score for one in judged.replay.groupings[0].groups]
    values = [float(score.statistic) for score in scores if score is not None]
    assert len(values) == 200
    mean = sum(values) / 200
    variance = sum((value - mean) ** 2 for value in values) / 199
    assert abs(mean) < 0.25
    assert 0.7 < variance < 1.35


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
    import polars

    frame = polars.DataFrame({"at": [stamp]}, schema={"at": polars.String})
    carried = grouping.carried(frame, [grouping.By("day", "at", True)])
    assert carried["by:day"].to_list() == [day]


@pytest.mark.parametrize(
    ("by", "message"),
    [
        ("pit", 'by: there is no column "pit"; found "round", "player_cards", "banker_cards", "dealer"'),
        ("day", "by: no column is a time stamp"),
        ("", 'by: found ""; write names of columns, such as table,day or dealer+day'),
        ("dealer,dealer", "write each name once"),
        ("dealer+player_cards", 'by: "player_cards" is known after the cards only, and groups by it differ'),
        (",".join(map(str, range(11))), "at most 10 ways"),
        ("round", "by round: more than 3 groups; is every row one of its own?"),
    ],
)
def test_what_cannot_be_told_apart_is_refused(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, by: str, message: str
) -> None:
    monkeypatch.setattr(groups, "MOST_GROUPS", 3)
    rows = [f"{number},K 9,K 8,ann" for number in range(1, 6)]
    path = written(tmp_path, ["round,player_cards,banker_cards,dealer", *rows])
    ran = run("crosscheck", str(path), "--settlement-only", f"--by={by}")
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


def test_what_has_no_rows_has_no_faults_groups_or_shoes(tmp_path: Path, run: Run) -> None:
    counts = tmp_path / "sim.json"
    assert run("simulate", COMMISSION_2013, "--rounds", "100", "--out", str(counts)).code == 0
    plate = tmp_path / "beads.txt"
    plate.write_text("PBBTP" * 20)
    single = written(tmp_path, ["round,player_cards,banker_cards", "1,K 9,K 8"])
    for words, message in (
        ((str(counts), "--by", "table"), "a counts file has no rows to list, to tell apart or to show"),
        ((str(counts), "--faults", str(tmp_path / "f.csv")), "a counts file has no rows"),
        ((str(plate), "--game", COMMISSION_2013, "--decks", "8", "--by", "table"), "by: there is no column"),
        ((str(plate), "--game", COMMISSION_2013, "--decks", "8", "--shoe-shown", "1"), "the log has no cards"),
        ((str(single), "--shoe-shown", "1"), "rounds are from no shoe that could be shown"),
    ):  # fmt: skip
        ran = run("crosscheck", *words)
        assert (ran.code, ran.out) == (2, "")
        assert message in ran.err
    assert not (tmp_path / "f.csv").exists()


# ---------------------------------------------------------------- a shoe to look at


def rounds_won(text: str) -> list[ShownRound]:
    """Rounds by their winners: P, B, T, and ? for one that cannot be told."""
    winners = {"P": "player", "B": "banker", "T": "tie", "?": None}
    return [
        ShownRound(line=number, name=str(number), cards="", winner=winners[letter], player_pair=False,
                   banker_pair=False, is_faulty=False, edges=None)
        for number, letter in enumerate(text, 1)
    ]  # fmt: skip


def places(text: str) -> list[tuple[int, int, str, str]]:
    letters = {Tone.ONE: "P", Tone.OTHER: "B"}
    return [(bead.column, bead.row, letters[bead.tone], bead.label) for bead in big_road(rounds_won(text))]


def test_the_big_road_of_some_rounds() -> None:
    assert places("TTPPTBT?B") == [(0, 0, "P", "2"), (0, 1, "P", "1"), (1, 0, "B", "1"), (1, 1, "B", "")]
    tail = [(0, row, "P", "") for row in range(6)] + [(1, 5, "P", ""), (2, 5, "P", "")]
    assert places("P" * 8) == tail
    below = [(1, row, "B", "") for row in range(5)] + [(2, 4, "B", "")]
    assert places("P" * 8 + "B" * 6) == tail + below
    assert places("P" * 8 + "B" * 6 + "P" * 5)[14:] == [
        *((2, row, "P", "") for row in range(4)),
        (3, 3, "P", ""),
    ]


@given(st.text("PBT?", max_size=200))
def test_the_big_road_has_a_place_for_every_win(text: str) -> None:
    beads = places(text)
    won = re.sub("[T?]", "", text)
    assert [letter for _, _, letter, _ in beads] == list(won)
    assert len({bead[:2] for bead in beads}) == len(beads)
    assert all(0 <= row < DOWN and column >= 0 for column, row, *_ in beads)
    assert sum(int(label or 0) for *_, label in beads) == (text.count("T") if won else 0)
    runs = len(re.findall("P+|B+", won))
    starts = [bead[0] for number, bead in enumerate(beads) if not number or beads[number - 1][2] != bead[2]]
    assert len(starts) == runs
    assert starts == sorted(set(starts))


def shoe_log(tmp_path: Path) -> tuple[Path, list[Dealt]]:
    rounds = dealt(3, 3, 20)
    lines = ["round,shoe,player_cards,banker_cards,net:tie"]
    for number, one in enumerate(rounds, 1):
        wrong = one.shoe == 2 and number % 40 == 0
        hands = f"{format_cards(one.cards.player)},{format_cards(one.cards.banker)}"
        lines.append(f"{number},{one.shoe},{hands},{7 if wrong else format_money(net(one.cards, 'tie'))}")
    return written(tmp_path, lines, "# decks: 8\n# cut-card: 14\n"), rounds


def test_a_shoe_is_shown_with_its_exact_edges(tmp_path: Path, run: Run) -> None:
    path, rounds = shoe_log(tmp_path)
    said = json.loads(run("crosscheck", str(path), "--format", "json").out)["replay"]["shoe"]
    mine = [one for one in rounds if one.shoe == 2]
    assert (said["shoe"], said["all_rounds"], len(said["rounds"])) == ("2", len(mine), len(mine))
    assert [one["faulty"] for one in said["rounds"]].count(True) == 1
    for number in (0, 10, len(mine) - 1):
        analysis = analyze(GAME, Shoe(mine[number].left))
        assert said["rounds"][number]["house_edges"] == {
            bet.id: str(-analysis.bet(bet.id).expected_value) for bet in GAME.bets
        }
        assert said["rounds"][number]["winner"] == str(mine[number].cards.outcome.result.winner)
    for wanted, shown in (("3", "3"), (":1", "1")):
        chosen = run("crosscheck", str(path), "--shoe-shown", wanted, "--format", "json")
        assert json.loads(chosen.out)["replay"]["shoe"]["shoe"] == shown
    for wanted in ("4", "T1:2", "two"):
        ran = run("crosscheck", str(path), "--shoe-shown", wanted)
        assert (ran.code, ran.out) == (2, "")
        assert f'there is no shoe "{wanted}" to show' in ran.err


def test_the_first_shoe_is_shown_where_none_has_a_fault(tmp_path: Path) -> None:
    path, _ = shoe_log(tmp_path)
    path.write_text(path.read_text().replace(",7\n", ",\n"))
    judged = verdict(path)
    assert judged.replay is not None
    assert judged.replay.shown_shoe is not None
    assert judged.replay.shown_shoe.shoe == "1"
    assert not any(one.is_faulty for one in judged.replay.shown_shoe.rounds)


def test_the_html_verdict_has_the_shoe_for_a_phone(tmp_path: Path, run: Run) -> None:
    """No picture is wider than a phone's screen, and no letter smaller than one can read there."""
    path, _ = shoe_log(tmp_path)
    assert run("crosscheck", str(path), "--report", str(tmp_path / "v.html")).code == 1
    page = (tmp_path / "v.html").read_text("utf-8")
    pictures = re.findall(r"<svg .*?</svg>", page, re.DOTALL)
    titles = [re.search("<title>(.*?)</title>", picture) for picture in pictures]
    assert [title and title[1] for title in titles] == [
        "Shoe 2: bead plate", "Shoe 2: big road", "Shoe 2: house edges",
    ]  # fmt: skip
    for picture in pictures:
        root = ElementTree.fromstring(picture)
        assert int(root.attrib["width"]) <= 369
        sizes = [int(one.attrib["font-size"]) for one in root.iter() if "font-size" in one.attrib]
        assert min(sizes) >= 10
    assert page.count('<figure class="narrow"') == 3
    assert "<svg" not in run("crosscheck", str(path), "--format", "markdown").out


def test_a_hostile_log_is_harmless_in_every_output(tmp_path: Path, run: Run) -> None:
    trap = "<script>alert(1)</script>&\u202e"
    tables = (trap, trap, "=1+1", trap)
    rows = [
        f"{number},1,{table},K 9,K 8,{trap},{8 if number in (2, 3) else -1}"
        for number, table in enumerate(tables, 1)
    ]
    path = written(tmp_path, ["round,shoe,table,player_cards,banker_cards,dealer,net:tie", *rows])
    outs = [tmp_path / name for name in ("v.html", "f.csv", "j.xml")]
    options = [
        word
        for pair in zip(("--report", "--faults", "--junit"), map(str, outs), strict=True)
        for word in pair
    ]
    assert run("crosscheck", str(path), "--by", "dealer", *options).code == 1
    for out in outs[::2]:
        text = out.read_text("utf-8")
        assert "<script" not in text
        assert "\u202e" not in text
    assert "\u202e" not in outs[1].read_text("utf-8")
    assert [row[1] for row in csv.reader(io.StringIO(outs[1].read_text("utf-8")))][2] == "'=1+1"
    ElementTree.parse(outs[2])


# ---------------------------------------------------------------- JUnit


def junit(judged: Verdict) -> tuple[dict[str, str], list[tuple[str, str, str]]]:
    root = ElementTree.fromstring(verdict_junit(judged))
    (suite,) = root
    cases = [
        (case.attrib["classname"], case.attrib["name"], case[0].tag if len(case) else "")
        for case in suite.iter("testcase")
    ]
    assert root.attrib == {name: suite.attrib[name] for name in root.attrib}
    assert int(root.attrib["tests"]) == len(cases)
    assert int(root.attrib["failures"]) == sum(tag == "failure" for *_, tag in cases)
    assert int(root.attrib["errors"]) == sum(tag == "error" for *_, tag in cases)
    return root.attrib, cases


def test_junit_has_a_case_for_every_cause_contradiction_and_family(tmp_path: Path, run: Run) -> None:
    path = written(tmp_path, [HEADER, *ROWS])
    judged = verdict(path)
    _, cases = junit(judged)
    assert judged.replay is not None
    assert judged.judgement is not None
    failed = [name for group, name, tag in cases if group.startswith("combinat.rows.") and tag]
    assert len(failed) == len(judged.replay.causes)
    assert sum(group == "combinat.tests" for group, *_ in cases) == len(judged.judgement.families)
    assert ("combinat.verdict", "verdict", "failure") in cases
    out = tmp_path / "j.xml"
    assert run("crosscheck", str(path), "--junit", str(out)).code == 1
    assert out.read_text("utf-8") == verdict_junit(judged)


def test_junit_says_error_where_nothing_could_be_judged_and_nothing_where_all_is_right(
    tmp_path: Path,
) -> None:
    header = "round,player_cards,banker_cards,net:tie"
    counts, cases = junit(verdict(written(tmp_path, [header, "1,K 9,X,-1"]), settlement_only=True))
    assert (counts["failures"], counts["errors"]) == ("0", "2")
    assert cases[0] == ("combinat.verdict", "verdict", "error")
    counts, cases = junit(verdict(written(tmp_path, [header, "1,K 9,K 8,-1"]), settlement_only=True))
    assert (counts["tests"], counts["failures"], counts["errors"]) == ("6", "0", "0")
    fewer, _ = junit(verdict(written(tmp_path, [header, "1,K 9,K 8,-1"])))
    assert (fewer["failures"], fewer["errors"]) == ("0", "1")


def test_a_round_that_is_given_again_is_a_verdict_and_no_row_that_cannot_be_read(tmp_path: Path) -> None:
    log = ["round,player_cards,banker_cards,net:tie", "1,K 9,K 8,-1", "1,K 9,K 8,-1", "2,K 9,K 8,-1"]
    judged = verdict(written(tmp_path, log), settlement_only=True)
    assert (judged.word, judged.word.exit_code) == (Word.DISAGREES, 1)
    assert "1 row with a round that was given before" in judged.sentence
    counts, cases = junit(judged)
    assert (counts["failures"], counts["errors"]) == ("2", "0")
    assert ("combinat.rows.repeated", "failure") in [(group, kind) for group, _, kind in cases]


# ---------------------------------------------------------------- the documentation


def suited(hand: Sequence[Rank]) -> str:
    return " ".join(f"{card}{'SHDC'[number]}" for number, card in enumerate(hand))


def numbers(hand: Sequence[Rank]) -> list[int]:
    return [*(RANKS.index(card) + 1 for card in hand), 0][:3]


def one_row_a_round(wrong: bool) -> str:
    lines = ["Hand No,Shoe No,Time,Dealer,Player Hand,Banker Hand,Result"]
    for number, one in enumerate(dealt(21, 2, 20), 1):
        result_of = str(one.cards.outcome.result.winner).capitalize()
        said = "Tie" if wrong and number == 5 and result_of != "Tie" else result_of
        hands = f"{suited(one.cards.player)},{suited(one.cards.banker)}"
        lines.append(f"{number},{one.shoe},2025-08-0{one.shoe} 20:00:00,ann,{hands},{said}")
    return "\n".join(lines) + "\n"


def card_columns(wrong: bool) -> str:
    lines = ["tbl,hand,p1,p2,p3,b1,b2,b3,ptot,btot"]
    tables = [dealt(seed, 2, 10) for seed in (22, 23)]
    for number, pair in enumerate(zip(*tables, strict=True)):
        for name, one in zip(("T1", "T2"), pair, strict=True):
            points = one.cards.outcome.result
            total = (points.player_points + (wrong and number == 4)) % 10
            cells = [*numbers(one.cards.player), *numbers(one.cards.banker), total, points.banker_points]
            lines.append(",".join(map(str, [name, number % 10 + 1, *cells])))
    return "\n".join(lines) + "\n"


def euros(amount: Fraction) -> str:
    return f"{float(amount):,.2f}".translate(str.maketrans(",.", ".,")) + " EUR"


def wagers(wrong: bool) -> str:
    lines = ["GameId;Placed;Login;BetType;Stake;Profit;PlayerCards;BankerCards"]
    chance = random.Random(24)
    for number, one in enumerate(dealt(24, 2, 10), 1):
        hands = f"{'-'.join(one.cards.player)};{'-'.join(one.cards.banker)}"
        for who in ("anna", "boris"):
            bet, stake = chance.choice(["Banker", "Tie", "player"]), Fraction(chance.randint(1, 300_000), 100)
            profit = stake * net(one.cards, bet.lower())
            profit = Fraction(profit * 100 // 1, 100) if profit > 0 else profit
            profit += Fraction(wrong and number == 7, 100)
            lines.append(
                f"G-{number:04};2025-08-08T20:{number % 60:02}:05;{who};{bet};{euros(stake)};{euros(profit)};{hands}"
            )
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("name", "log", "by", "rows"),
    [
        ("one-row-a-round", one_row_a_round, "day", 40),
        ("card-columns", card_columns, "table", 40),
        ("wagers", wagers, "player", 40),
    ],
)
def test_a_map_of_the_docs_reads_logs_of_its_layout(
    tmp_path: Path, run: Run, name: str, log: Callable[[bool], str], by: str, rows: int
) -> None:
    """A right log is right to its last row, a fault in it is found, and it is converted."""
    path, map_file = tmp_path / "their.csv", DOCS / "maps" / f"{name}.toml"
    options = [str(path), "--map", str(map_file), "--settlement-only", "--by", by]
    path.write_text(log(False), "utf-8")
    right = verdict(path, log_map=read_map(map_file), groupings=parse_groupings(by))
    assert right.replay is not None
    assert (right.replay.rows, right.replay.holds, len(right.replay.groupings[0].groups)) == (rows, True, 2)
    assert right.word is Word.UNJUDGED  # too few to agree, and nothing found
    native = tmp_path / "native.csv"
    assert run("convert", str(path), "--map", str(map_file), "--out", str(native)).code == 0
    stated = read_map(map_file)
    again = verdict(native, log_map=LogMap(unit=stated.unit, rounding=stated.rounding))
    assert again.replay is not None
    assert (again.replay.rows, again.replay.holds, again.rounds) == (rows, True, right.rounds)
    path.write_text(log(True), "utf-8")
    assert run("crosscheck", *options).code == 1


def test_the_page_says_every_key_notation_and_column() -> None:
    for word in (*KEYS, *PLACES, *Notation, "stake:BET", "payout:BET", "profit:BET", "net:BET"):
        assert f"`{word}`" in PAGE, word
    assert sorted(path.name for path in (DOCS / "maps").glob("*.toml")) == sorted(
        re.findall(r"\[[a-z-]+\.toml\]\(maps/(.*?)\)", PAGE)
    )


def test_a_refusal_of_the_library_knows_no_option() -> None:
    with pytest.raises(HandLogError, match=r"^by: "):
        parse_groupings("a,,b")
