"""``combinat odds`` and ``combinat compare``: the JSON contract, the five formats, the refusals."""

import csv
import decimal as reference
import io
import json
import re
import subprocess
import sys
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from combinat.engine.distribution import falling
from combinat.engine.walk import walk
from combinat.report.number import percent
from tests.conftest import Ran, Run
from tests.documents import (
    BETS,
    COMMISSION_2013,
    COMMISSION_2024,
    GAMES,
    NONCOMMISSION_2024,
    NONCOMMISSION_2025,
)

WIDTH = 100
RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
FORMATS = ("text", "markdown", "csv", "json", "latex")
SAMPLE_SPACE = 4998398275503360

MODES = {
    "plain": [],
    "detail": ["--detail"],
    "joint": ["--joint"],
    "stake": ["--stake", "banker=100", "--stake", "tie=12.50", "--stake", "player-pair=5"],
    "interpretations": ["--interpretations"],
    "depleted": ["--removed", "A A 10 K 9 9 9", "--detail"],
    "decks": ["--decks", "4-10"],
}


WALKED = cache(walk)


@pytest.fixture(autouse=True)
def walked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A shoe is walked once for all the commands of this page."""
    monkeypatch.setattr("combinat.analysis.analysis.walk", WALKED, raising=False)


def worked(ran: Ran) -> str:
    """What a command printed that had nothing to complain of."""
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith("\n")
    assert not ran.out.endswith("\n\n")
    return ran.out


def loaded(run: Run, *arguments: str) -> dict[str, Any]:
    """The JSON that a command prints; no number in it is a float."""

    def refuse(text: str) -> None:
        raise AssertionError(f"the float {text} in JSON")

    found: dict[str, Any] = json.loads(worked(run(*arguments, "--format", "json")), parse_float=refuse)
    return found


def bets_of(found: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {bet["id"]: bet for bet in found["bets"]}


def refused(run: Run, *arguments: str) -> str:
    """The one message of a command that could not be carried out."""
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert "Traceback" not in ran.err
    message, newline, rest = ran.err.partition("\n")
    assert (newline, rest) == ("\n", "")
    assert message.startswith("combinat: ")
    return message.removeprefix("combinat: ")


# ---------------------------------------------------------------- the contract

CONTRACT = ["schema", "game", "shoe", "sample_space", "void", "bets"]
BET_KEYS = {
    "id",
    "name",
    "outcomes",
    "expected_value",
    "house_edge",
    "return_to_player",
    "variance",
    "hit_frequency",
    "push",
    "void",
    "edge_per_resolved_bet",
    "standard_deviation",
    "third_central_moment",
    "skewness",
    "largest_payout",
    "fair_odds",
}
OUTCOME_KEYS = {"name", "odds", "net", "ways", "probability", "contribution"}
FRACTION = re.compile(r"-?(0|[1-9]\d*)(/[1-9]\d*)?")


def exact(text: object) -> Fraction:
    """An exact number of the contract: text, in lowest terms, an integer without a slash."""
    assert isinstance(text, str)
    assert FRACTION.fullmatch(text), text
    value = Fraction(text)
    assert text == str(value)
    return value


@pytest.mark.parametrize(
    "shoe", [[], ["--decks", "4"], ["--removed", "K K 9"], ["--cards", "A=2 2=1 3=1 4=1"]]
)
@pytest.mark.parametrize("game_id", [COMMISSION_2013, NONCOMMISSION_2025])
def test_the_json_contract(run: Run, game_id: str, shoe: list[str]) -> None:
    found = loaded(run, "odds", game_id, *shoe)
    assert list(found) == CONTRACT
    assert (found["schema"], found["game"]) == ("combinat/odds/1", game_id)
    cards = found["shoe"]["cards"]
    assert found["shoe"] == {"size": sum(cards.values()), "cards": cards}
    assert list(cards) == RANKS
    assert all(type(count) is int for count in cards.values())
    size = found["shoe"]["size"]
    assert found["sample_space"] == str(falling(size, min(size, 6)))
    assert [bet["id"] for bet in found["bets"]] == list(BETS[game_id])
    for bet in found["bets"]:
        assert bet.keys() >= BET_KEYS
        self_consistent(bet, falling(size, min(size, 6)))
        assert exact(bet["void"]) == exact(found["void"])


def self_consistent(bet: dict[str, Any], sample_space: int) -> None:
    """The figures of a bet are those of its outcomes."""
    lines = bet["outcomes"]
    nets = [exact(line["net"]) for line in lines]
    probabilities = [exact(line["probability"]) for line in lines]
    assert all(line.keys() >= OUTCOME_KEYS for line in lines)
    assert all(re.fullmatch(r"0|[1-9]\d*", line["ways"]) for line in lines)
    assert sum(int(line["ways"]) for line in lines) == sample_space
    assert probabilities == [Fraction(int(line["ways"]), sample_space) for line in lines]
    weighed = list(zip(nets, probabilities, strict=True))
    assert [exact(line["contribution"]) for line in lines] == [net * share for net, share in weighed]
    mean = sum(net * share for net, share in weighed)
    won = sum(share for net, share in weighed if net > 0)
    lost = sum(share for net, share in weighed if net == -1)
    variance = sum(((net - mean) ** 2 * share for net, share in weighed), Fraction(0))
    assert exact(bet["expected_value"]) == mean
    assert exact(bet["house_edge"]) == -mean
    assert exact(bet["return_to_player"]) == 1 + mean
    assert exact(bet["variance"]) == variance
    assert exact(bet["third_central_moment"]) == sum((net - mean) ** 3 * share for net, share in weighed)
    assert exact(bet["hit_frequency"]) == won
    assert exact(bet["push"]) + exact(bet["void"]) == sum(share for net, share in weighed if net == 0)
    assert exact(bet["edge_per_resolved_bet"]) == -mean / (won + lost)
    assert exact(bet["largest_payout"]) == max(net for net, share in weighed if share)
    assert bet["fair_odds"] is None if not won else exact(bet["fair_odds"]) == lost / won
    assert bet["standard_deviation"] == twelve_decimals(root_of(variance))


PRECISE = reference.Context(prec=120, rounding=reference.ROUND_HALF_EVEN)


def root_of(value: Fraction) -> reference.Decimal:
    quotient = PRECISE.divide(reference.Decimal(value.numerator), reference.Decimal(value.denominator))
    return PRECISE.sqrt(quotient)


def twelve_decimals(value: reference.Decimal) -> str:
    return f"{PRECISE.quantize(value, reference.Decimal('1e-12')):f}"


def test_the_skewness_is_a_decimal_correctly_rounded(run: Run) -> None:
    """The third central moment over the cube of the standard deviation, its sign kept."""
    two = ["--bet", "player", "--bet", "player-pair"]
    signs = set()
    for shoe in (["--decks", "8"], ["--cards", "A=2 2=1 3=1 4=1"]):
        for bet in loaded(run, "odds", NONCOMMISSION_2025, *two, *shoe)["bets"]:
            third, variance = exact(bet["third_central_moment"]), exact(bet["variance"])
            size = twelve_decimals(root_of(third**2 / variance**3))
            assert bet["skewness"] == (f"-{size}" if third < 0 else size)
            signs.add(third < 0)
    assert signs == {True, False}


def test_8_decks_when_nothing_is_said(run: Run) -> None:
    found = loaded(run, "odds", NONCOMMISSION_2025)
    assert found == loaded(run, "odds", NONCOMMISSION_2025, "--decks", "8")
    assert found["sample_space"] == "4998398275503360"
    assert found["void"] == "0"
    assert found["shoe"] == {"size": 416, "cards": dict.fromkeys(RANKS, 32)}


# Ordered six-card sequences at 8 decks (wizardofodds.com, casinoexploit.com): by line of the pay table
PUBLISHED = {
    "player": {"Player wins": 2230518282592256, "tie": 475627426473216, "loses": 2292252566437888},
    "tie": {"wins": 475627426473216, "loses": SAMPLE_SPACE - 475627426473216},
    "tiger-tie": {"wins": 96170001308416, "loses": SAMPLE_SPACE - 96170001308416},
    "small-tiger": {"wins": 186173936904192, "loses": SAMPLE_SPACE - 186173936904192},
    "big-tiger": {"wins": 83058367551488, "loses": SAMPLE_SPACE - 83058367551488},
    "wu-dalang": {"wins": 24639193538560, "loses": SAMPLE_SPACE - 24639193538560},
    "banker": {
        "Banker wins with 6": 269232304455680,
        "Banker wins otherwise": 2292252566437888 - 269232304455680,
        "tie": 475627426473216,
        "loses": 2230518282592256,
    },
    "tiger": {
        "two cards": 186173936904192,
        "three cards": 83058367551488,
        "loses": SAMPLE_SPACE - 269232304455680,
    },
    "tiger-buffalo": {
        "wins": 269232304455680 + 312658895192064,
        "loses": SAMPLE_SPACE - 269232304455680 - 312658895192064,
    },
}


def test_the_published_ways(run: Run) -> None:
    found = bets_of(loaded(run, "odds", NONCOMMISSION_2025, "--decks", "8"))
    for bet_id, ways in PUBLISHED.items():
        lines = {line["name"]: int(line["ways"]) for line in found[bet_id]["outcomes"]}
        assert lines == ways, bet_id
    assert found["player-pair"]["house_edge"] == "43/415"
    assert found["player-pair"]["outcomes"][0]["probability"] == "31/415"
    assert found["banker"]["outcomes"][0]["net"] == "1/2"
    assert [line["odds"] for line in found["banker"]["outcomes"]] == ["1 to 2", "1 to 1", "push", None]


def test_the_published_edges_of_2013(run: Run) -> None:
    found = bets_of(loaded(run, "odds", COMMISSION_2013))
    assert {bet_id: bet["expected_value"] for bet_id, bet in found.items()} == {
        "banker": "-114753351728/10847218479825",
        "player": "-241149546272/19524993263685",
        "tie": "-103841353768/723147898655",
        "player-pair": "-43/415",
        "banker-pair": "-43/415",
    }


def test_five_cards_are_void_one_time_in_three(run: Run) -> None:
    found = loaded(run, "odds", NONCOMMISSION_2025, "--cards", "A=2 2=1 3=1 4=1")
    assert (found["sample_space"], found["void"]) == ("120", "1/3")
    for bet in found["bets"]:
        assert bet["void"] == "1/3"
        assert [(line["net"], line["ways"]) for line in bet["outcomes"] if line["name"] == "void"] == [
            ("0", "40")
        ]


@pytest.mark.parametrize(("cards", "sample_space"), [("A=0", "1"), ("K=1", "1"), ("A=2 K=1", "6")])
def test_fewer_than_four_cards_are_always_void(run: Run, cards: str, sample_space: str) -> None:
    found = loaded(run, "odds", COMMISSION_2013, "--cards", cards)
    assert (found["sample_space"], found["void"]) == (sample_space, "1")
    for bet in found["bets"]:
        assert (bet["expected_value"], bet["void"], bet["variance"]) == ("0", "1", "0")
        assert (bet["fair_odds"], bet["skewness"], bet["edge_per_resolved_bet"]) == (None, None, None)


def test_the_shoe_options_agree(run: Run) -> None:
    by_removal = loaded(run, "odds", COMMISSION_2013, "--removed", "A, a 10 k")
    counts = " ".join(f"{rank}={ {'A': 30, '10': 31, 'K': 31}.get(rank, 32) }" for rank in RANKS)
    assert by_removal == loaded(run, "odds", COMMISSION_2013, "--cards", counts)
    assert by_removal["shoe"]["size"] == 412
    assert by_removal["void"] == "0"
    assert loaded(run, "odds", COMMISSION_2013, "--decks", "6", "--removed", "A")["shoe"]["cards"]["A"] == 23


def test_a_bet_or_a_layout_alone(run: Run) -> None:
    every = bets_of(loaded(run, "odds", NONCOMMISSION_2025))
    two = loaded(run, "odds", NONCOMMISSION_2025, "--bet", "tiger", "--bet", "tie", "--bet", "tie")
    assert [bet["id"] for bet in two["bets"]] == ["tie", "tiger"]
    assert two["bets"] == [every["tie"], every["tiger"]]
    for layout in ("P", "p"):
        on_layout = loaded(run, "odds", NONCOMMISSION_2025, "--layout", layout)
        assert [bet["id"] for bet in on_layout["bets"]] == [
            bet_id for bet_id, (_, layouts, _) in BETS[NONCOMMISSION_2025].items() if "P" in layouts
        ]
        assert on_layout["bets"] == [every[bet["id"]] for bet in on_layout["bets"]]


# ---------------------------------------------------------------- other odds


def test_other_odds_change_the_expected_value(run: Run) -> None:
    bet = ["--bet", "big-tiger", "--bet", "tie"]
    before = bets_of(loaded(run, "odds", NONCOMMISSION_2025, *bet))
    after = bets_of(loaded(run, "odds", NONCOMMISSION_2025, *bet, "--pays", "big-tiger=45 to 1"))
    assert after["tie"] == before["tie"]
    change = Fraction(after["big-tiger"]["expected_value"]) - Fraction(before["big-tiger"]["expected_value"])
    assert change == -5 * Fraction(83058367551488, SAMPLE_SPACE)
    assert after["big-tiger"]["outcomes"][0]["odds"] == "45 to 1"
    assert after["big-tiger"]["hit_frequency"] == before["big-tiger"]["hit_frequency"]


def test_other_odds_line_by_line(run: Run) -> None:
    arguments = ["odds", NONCOMMISSION_2025, "--bet", "tiger", "--bet", "banker"]
    found = bets_of(
        loaded(run, *arguments, "--pays", "tiger=13 to 1, 41 to 2", "--pays", "banker=0.5 to 1,0.95 to 1")
    )
    assert [line["net"] for line in found["tiger"]["outcomes"]] == ["13", "41/2", "-1"]
    assert [line["net"] for line in found["banker"]["outcomes"]] == ["1/2", "19/20", "0", "-1"]
    assert Fraction(found["tiger"]["expected_value"]) == (
        Fraction(14 * 186173936904192 * 2 + 43 * 83058367551488, 2 * SAMPLE_SPACE) - 1
    )
    assert "13 to 1, 41 to 2" in worked(run(*arguments, "--pays", "tiger=13 to 1,41 to 2"))


# ---------------------------------------------------------------- bets together, and other readings


def test_correlations_in_json(run: Run) -> None:
    found = loaded(run, "odds", COMMISSION_2013, "--joint")
    assert list(found) == [*CONTRACT, "joint"]
    variances = {bet["id"]: Fraction(bet["variance"]) for bet in found["bets"]}
    names = list(BETS[COMMISSION_2013])
    pairs = [[one, two] for number, one in enumerate(names) for two in names[number + 1 :]]
    assert [one["bets"] for one in found["joint"]] == pairs
    for one in found["joint"]:
        covariance = exact(one["covariance"])
        first, second = one["bets"]
        size = twelve_decimals(root_of(covariance**2 / (variances[first] * variances[second])))
        assert one["correlation"] == (f"-{size}" if covariance < 0 else size)
    assert found["joint"][0]["correlation"] == "-0.999968713939"  # Player and Banker


def test_correlations_of_the_bets_chosen(run: Run) -> None:
    found = loaded(run, "odds", NONCOMMISSION_2025, "--joint", "--bet", "tie", "--bet", "tiger")
    assert [one["bets"] for one in found["joint"]] == [["tie", "tiger"]]


def test_a_bet_that_never_varies_has_no_correlation(run: Run) -> None:
    found = loaded(run, "odds", COMMISSION_2013, "--joint", "--cards", "A=6")
    assert {one["correlation"] for one in found["joint"]} == {None}
    assert {one["covariance"] for one in found["joint"]} == {"0"}


def test_stakes_together_in_json(run: Run) -> None:
    found = loaded(run, "odds", NONCOMMISSION_2025, "--stake", "banker=100", "--stake", "big-tiger=10")
    assert list(found) == [*CONTRACT, "combination"]
    together = found["combination"]
    assert (together["stakes"], together["staked"]) == ({"banker": "100", "big-tiger": "10"}, "110")
    assert {line["net"]: int(line["ways"]) for line in together["outcomes"]} == {
        "550": 83058367551488,  # a three-card 6: half of 100, and 500
        "90": 2292252566437888 - 269232304455680,
        "40": 186173936904192,
        "-10": 475627426473216,
        "-110": 2230518282592256,
    }
    weighed = [(exact(line["net"]), exact(line["probability"])) for line in together["outcomes"]]
    mean = sum(net * share for net, share in weighed)
    variance = sum(((net - mean) ** 2 * share for net, share in weighed), Fraction(0))
    bets = bets_of(found)
    assert exact(together["mean"]) == mean
    assert mean == 100 * Fraction(bets["banker"]["expected_value"]) + 10 * Fraction(
        bets["big-tiger"]["expected_value"]
    )
    assert exact(together["variance"]) == variance
    assert exact(together["house_edge"]) == -mean / 110
    assert together["standard_deviation"] == twelve_decimals(root_of(variance))


def test_other_readings_in_json(run: Run) -> None:
    found = loaded(run, "odds", NONCOMMISSION_2025, "--interpretations")
    assert list(found) == [*CONTRACT, "interpretations"]
    readings = {entry["id"]: entry["effects"] for entry in found["interpretations"]}
    assert list(readings) == [
        "wu-dalang-must-win",
        "twin-by-rank",
        "tiger-pair-highest-only",
        "pair-by-rank",
        "unfinished-round-void",
    ]
    bets = bets_of(found)
    for effects in readings.values():
        for effect in effects:
            assert effect.keys() == {"for", "figure", "read", "otherwise", "change"}
            assert effect["read"] == bets[effect["for"]]["expected_value"]
            assert exact(effect["otherwise"]) - exact(effect["read"]) == exact(effect["change"])
    (wu_dalang,) = readings["wu-dalang-must-win"]
    assert (wu_dalang["for"], wu_dalang["figure"]) == ("wu-dalang", "expected value")
    assert percent(Fraction(wu_dalang["otherwise"])) == "1025.3620"
    assert {effect["change"] for effect in readings["unfinished-round-void"]} == {"0"}


def test_other_readings_in_text_name_what_changes(run: Run) -> None:
    out = worked(run("odds", NONCOMMISSION_2025, "--bet", "wu-dalang", "--interpretations"))
    assert re.search(
        r"^wu-dalang +expected value +-25\.5658 % +1025\.3620 % +1050\.9278 %$", out, re.MULTILINE
    )
    assert out.count("On this shoe the other reading changes nothing.") == 1


def test_everything_at_once(run: Run) -> None:
    found = loaded(
        run, "odds", COMMISSION_2024, "--joint", "--stake", "tie=1", "--interpretations", "--detail"
    )
    assert list(found) == [*CONTRACT, "joint", "combination", "interpretations"]


# ---------------------------------------------------------------- one column per number of decks


def test_a_range_of_decks_in_json(run: Run) -> None:
    found = loaded(run, "odds", NONCOMMISSION_2025, "--decks", "4-6", "--bet", "banker", "--bet", "tie")
    assert (found["schema"], found["game"]) == ("combinat/odds-by-decks/1", NONCOMMISSION_2025)
    assert [one["decks"] for one in found["decks"]] == [4, 5, 6]
    for one in found["decks"]:
        alone = loaded(
            run, "odds", NONCOMMISSION_2025, "--decks", str(one["decks"]), "--bet", "banker", "--bet", "tie"
        )
        assert {key: value for key, value in one.items() if key != "decks"} == alone
    assert [one["sample_space"] for one in found["decks"]] == [
        str(falling(52 * decks, 6)) for decks in (4, 5, 6)
    ]


def test_a_range_of_decks_in_csv(run: Run) -> None:
    out = worked(run("odds", COMMISSION_2013, "--decks", "4-8", "--format", "csv"))
    header, *rows = csv.reader(io.StringIO(out))
    assert header == ["house edge %", "4 decks", "5 decks", "6 decks", "7 decks", "8 decks"]
    assert [row[0] for row in rows] == list(BETS[COMMISSION_2013])
    assert [row[-1] for row in rows] == ["1.2351", "1.0579", "14.3596", "10.3614", "10.3614"]


def test_a_range_of_one_is_one_column(run: Run) -> None:
    out = worked(run("odds", COMMISSION_2013, "--decks", "8-8", "--format", "csv"))
    assert out.splitlines()[:2] == ["house edge %,8 decks", "player,1.2351"]


# ---------------------------------------------------------------- games side by side


def test_compare_in_json(run: Run) -> None:
    found = loaded(run, "compare", COMMISSION_2013, NONCOMMISSION_2025)
    assert (found["schema"], found["games"]) == (
        "combinat/compare/1",
        [COMMISSION_2013, NONCOMMISSION_2025],
    )
    assert found["shoe"]["size"] == 416
    edges = {bet["id"]: bet["house_edge"] for bet in found["bets"]}
    assert edges.keys() == BETS[COMMISSION_2013].keys() | BETS[NONCOMMISSION_2025].keys()
    assert edges["player"] == ["241149546272/19524993263685"] * 2
    assert edges["banker"] == ["114753351728/10847218479825", "284694798368/19524993263685"]
    first = bets_of(loaded(run, "odds", COMMISSION_2013))
    second = bets_of(loaded(run, "odds", NONCOMMISSION_2025))
    for bet_id, found_edges in edges.items():
        assert found_edges == [
            game[bet_id]["house_edge"] if bet_id in game else None for game in (first, second)
        ]


def test_compare_in_csv_has_the_difference(run: Run) -> None:
    out = worked(run("compare", COMMISSION_2013, NONCOMMISSION_2025, "--format", "csv"))
    header, *rows = csv.reader(io.StringIO(out))
    assert header == ["house edge %", "A", "B", "B - A"]
    lines = {row[0]: row[1:] for row in rows}
    assert lines["banker"] == ["1.0579", "1.4581", "0.4002"]
    assert lines["tie"] == ["14.3596", "14.3596", "0.0000"]
    assert lines["wu-dalang"] == ["-", "25.5658", "-"]


def test_compare_on_another_shoe(run: Run) -> None:
    shoe = ["--decks", "6", "--removed", "6 6 6"]
    found = loaded(run, "compare", COMMISSION_2024, NONCOMMISSION_2024, *shoe)
    assert (found["shoe"]["size"], found["shoe"]["cards"]["6"]) == (309, 21)
    edges = {bet["id"]: bet["house_edge"] for bet in found["bets"]}
    alone = bets_of(loaded(run, "odds", NONCOMMISSION_2024, *shoe))
    assert {bet_id: edge[1] for bet_id, edge in edges.items()} == {
        bet_id: bet["house_edge"] for bet_id, bet in alone.items()
    }


def test_compare_four_games_in_text(run: Run) -> None:
    out = worked(run("compare", *GAMES))
    assert [
        f"{letter}: {game_id}" in out.splitlines() for letter, game_id in zip("ABCD", GAMES, strict=True)
    ] == ([True] * 4)
    assert re.search(r"^house edge % +A +B +C +D +B - A +C - A +D - A$", out, re.MULTILINE)
    assert max(map(len, out.splitlines())) <= WIDTH


# ---------------------------------------------------------------- the formats


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("game_id", GAMES)
def test_text_fits_the_terminal(run: Run, game_id: str, mode: str) -> None:
    decks = ["--decks", "4-8"] if mode == "decks" and game_id == COMMISSION_2013 else MODES[mode]
    lines = worked(run("odds", game_id, *decks)).splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert all(line == line.rstrip() for line in lines)
    assert lines[1] == "=" * len(lines[0])
    assert lines[-1] == "Computed in whole numbers and fractions; decimals are rounded once, half to even."
    first_words = {line.split()[0] for line in lines if line}
    if mode != "detail" and mode != "depleted":
        assert BETS[game_id].keys() <= first_words  # no id of a bet is broken


def cells(line: str, separator: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split(separator)]


def csv_tables(out: str) -> list[list[list[str]]]:
    return [list(csv.reader(io.StringIO(block))) for block in out.strip().split("\n\n")]


def markdown_tables(out: str) -> list[list[list[str]]]:
    tables: list[list[list[str]]] = []
    previous = ""
    for line in out.splitlines():
        if line.startswith("|"):
            if not previous.startswith("|"):
                tables.append([])
            if not re.fullmatch(r"[|:-]+", line):
                tables[-1].append(cells(line, "|"))
        previous = line
    return tables


def latex_tables(out: str) -> list[list[list[str]]]:
    bodies = re.findall(r"\\begin\{tabular\}\{[lrc]+\}\n(.*?)\\end\{tabular\}", out, re.DOTALL)
    tables = []
    for body in bodies:
        rows = [line.removesuffix(r"\\") for line in body.splitlines() if line.endswith(r"\\")]
        assert not re.search(r"(?<!\\)[%_#$]", body)  # what LaTeX would take for its own
        tables.append([[cell.replace("\\", "") for cell in cells(row, "&")] for row in rows])
    return tables


FORMAT_RUNS = {
    **{mode: ["odds", COMMISSION_2024, *arguments] for mode, arguments in MODES.items()},
    "joint": ["odds", COMMISSION_2013, "--joint"],
    "interpretations": ["odds", COMMISSION_2013, "--interpretations"],
    "decks": ["odds", NONCOMMISSION_2025, "--decks", "4-6"],
    "compare": ["compare", COMMISSION_2013, COMMISSION_2024],
}


@pytest.mark.parametrize("mode", FORMAT_RUNS)
def test_the_five_formats_say_the_same(run: Run, mode: str) -> None:
    """The tables of Markdown, CSV and LaTeX are cell by cell the same, and text holds every cell."""
    out = {form: worked(run(*FORMAT_RUNS[mode], "--format", form)) for form in FORMATS}
    json.loads(out["json"])
    markdown = markdown_tables(out["markdown"])
    assert markdown
    assert all(len(row) == len(table[0]) for table in markdown for row in table)
    assert all(len(table) > 1 for table in markdown)
    assert latex_tables(out["latex"]) == markdown
    comma = csv_tables(out["csv"])
    if mode == "joint":  # a matrix for people, a list of pairs for programs
        assert comma[0] == markdown[0]
        assert comma[1][0] == ["bet", "other bet", "covariance", "correlation"]
        assert len(comma[1]) == 1 + 10
    else:
        assert comma == markdown
    assert out["markdown"].startswith("# ")
    assert "=====" not in out["markdown"]
    words = set(out["text"].split())
    assert {word for table in markdown for row in table for cell in row for word in cell.split()} <= words


def test_the_plain_table(run: Run) -> None:
    header, *rows = csv_tables(worked(run("odds", NONCOMMISSION_2025, "--format", "csv")))[0]
    assert header == ["bet", "pays", "wins %", "one in", "returned %", "house edge %", "std dev"]
    lines = {row[0]: row[1:] for row in rows}
    assert list(lines) == list(BETS[NONCOMMISSION_2025])
    assert lines["banker"] == ["1 to 2, 1 to 1", "45.8597", "2.18", "9.5156", "1.4581", "0.9296"]
    assert lines["tiger-pair"] == ["4, 20, 100 to 1", "14.3817", "6.95", "0.0000", "16.1217", "2.9872"]
    assert lines["wu-dalang"] == ["150 to 1", "0.4929", "202.86", "0.0000", "25.5658", "10.5755"]


def test_void_rounds_count_as_returned(run: Run) -> None:
    """Five cards: no tie, and one round in three that cannot be finished."""
    out = worked(run("odds", NONCOMMISSION_2025, "--cards", "A=2 2=1 3=1 4=1", "--format", "csv"))
    lines = {row[0]: row[1:] for row in csv_tables(out)[0]}
    assert lines["player"] == ["1 to 1", "46.6667", "2.14", "33.3333", "-26.6667", "0.7717"]
    assert lines["tie"] == ["8 to 1", "0.0000", "-", "33.3333", "66.6667", "0.4714"]


def test_the_head_says_which_shoe(run: Run) -> None:
    bet = ["--bet", "tie"]
    fresh = worked(run("odds", NONCOMMISSION_2025, *bet)).splitlines()
    assert fresh[:6] == [
        "Tiger Buffalo (Non-Commission Baccarat)",
        "=======================================",
        "",
        "Shoe: 8 decks, 416 cards",
        "Card sequences: 4998398275503360",
        "Void rounds: none",
    ]
    depleted = worked(run("odds", NONCOMMISSION_2025, *bet, "--cards", "A=2 2=1 3=1 4=1")).splitlines()
    assert depleted[3:6] == [
        "Shoe: 5 cards (A=2 2=1 3=1 4=1 5=0 6=0 7=0 8=0 9=0 10=0 J=0 Q=0 K=0)",
        "Card sequences: 120",
        "Void rounds: 1/3 = 33.333333 %",
    ]


def test_the_detail_of_a_bet(run: Run) -> None:
    out = worked(run("odds", NONCOMMISSION_2025, "--bet", "tiger", "--detail", "--format", "markdown"))
    assert "## Tiger (tiger)\n" in out
    (table,) = markdown_tables(out)
    assert table == [
        ["outcome", "odds", "ways", "probability %", "one in", "to return %"],
        ["two cards", "12 to 1", "186173936904192", "3.724672", "26.85", "44.696063"],
        ["three cards", "20 to 1", "83058367551488", "1.661700", "60.18", "33.233993"],
        ["loses", "", "4729165971047680", "94.613628", "1.06", "-94.613628"],
        ["total", "", "4998398275503360", "100.000000", "", "-16.683572"],
    ]
    assert re.findall(r"^- \*\*(.+?):\*\* (.+)$", out, re.MULTILINE)[3:] == [
        ("Expected value", "-47209656769/282970916865 = -0.166835720"),
        ("House edge", "16.683572 %"),
        ("Return to player", "83.316428 %"),
        ("Hit frequency", "210337737856/3904998652737 = 5.386372 %"),
        ("Push", "0"),
        ("Void", "0"),
        ("Edge per resolved bet", "16.683572 %"),
        ("Variance", "12.928628"),
        ("Standard deviation", "3.595640"),
        ("Skewness", "4.363134"),
        ("Largest payout", "20 to 1"),
        ("Fair odds", "17.565373 to 1"),
    ]


def test_the_correlations_are_a_symmetric_matrix(run: Run) -> None:
    out = worked(run("odds", NONCOMMISSION_2025, "--joint", "--layout", "P", "--format", "markdown"))
    _, *parts = markdown_tables(out)
    assert [part[0][1:] for part in parts] == [[str(number) for number in range(1, 9)], ["9", "10"]]
    names = [row[0] for row in parts[0][1:]]
    assert names == [row[0] for row in parts[1][1:]]
    assert names[0] == "1 player"
    assert names[-1] == "10 wu-dalang"
    matrix = [[*left[1:], *right[1:]] for left, right in zip(parts[0][1:], parts[1][1:], strict=True)]
    assert [matrix[number][number] for number in range(10)] == ["1"] * 10
    assert matrix == [list(column) for column in zip(*matrix, strict=True)]
    assert matrix[0][1] == "-0.99306"


# ---------------------------------------------------------------- warnings


@pytest.mark.parametrize("decks", ["1", "3", "9", "12"])
def test_decks_that_the_document_does_not_allow_are_warned_of(run: Run, decks: str) -> None:
    ran = run("odds", COMMISSION_2013, "--decks", decks, "--bet", "tie", "--format", "json")
    assert ran.code == 0
    assert ran.err == (
        f"combinat: warning: {COMMISSION_2013} allows 4 to 8 decks (2.2.1); {decks} is analysed all the same\n"
    )
    assert json.loads(ran.out)["shoe"]["size"] == 52 * int(decks)


@pytest.mark.parametrize(
    "shoe",
    [["--decks", "4"], ["--decks", "8"], ["--decks", "4-8"], ["--cards", "A=9 K=9"], ["--removed", "A"]],
)
def test_other_shoes_are_not_warned_of(run: Run, shoe: list[str]) -> None:
    worked(run("odds", COMMISSION_2013, "--bet", "tie", *shoe))


def test_a_range_warns_of_what_is_outside_it(run: Run) -> None:
    ran = run("odds", COMMISSION_2013, "--decks", "7-10", "--bet", "tie", "--format", "csv")
    assert ran.code == 0
    assert ran.out.startswith("house edge %,7 decks,8 decks,9 decks,10 decks\ntie,")
    assert set(re.findall(r"\b\d+\b", ran.err)) >= {"9", "10"}
    assert all(line.startswith("combinat: warning: ") for line in ran.err.splitlines())


def test_compare_warns_for_the_games_that_do_not_allow_the_shoe(run: Run) -> None:
    ran = run("compare", COMMISSION_2013, NONCOMMISSION_2025, "--decks", "10", "--format", "csv")
    assert ran.code == 0
    assert ran.err == (
        f"combinat: warning: {COMMISSION_2013} allows 4 to 8 decks (2.2.1); 10 is analysed all the same\n"
    )


# ---------------------------------------------------------------- refusals

CARDS = "write a rank, = and a whole number, such as A=31"
IT_HAS = f"It has: {', '.join(BETS[NONCOMMISSION_2025])}"
AMOUNT = "write digits with at most one point, such as 100 or 12.50 (15 digits and 9 decimals at most)"
ODDS = 'write the profit to a stake, such as "50 to 1", "0.95 to 1" or "3 to 2", or "push"'
WHOLE = "write a whole number of 1 or more, such as 8"
RANGE = "write the fewest first, such as 4-10, at most 100 of them"
ALONE = "--decks with a range goes with --bet, --layout, --pays and --format alone"
ALL_LEFT = "--cards says all that is left; it does not go with --decks or --removed"

REFUSALS: list[tuple[list[str], str]] = [
    (["--cards", "A=-1"], f'cards: found "A=-1"; {CARDS}'),
    (["--cards", "A=31 2=1.5"], f'cards: found "2=1.5"; {CARDS}'),
    (["--cards", "A=1e3"], f'cards: found "A=1e3"; {CARDS}'),
    (["--cards", "A=x"], f'cards: found "A=x"; {CARDS}'),
    (["--cards", "A="], f'cards: found "A="; {CARDS}'),
    (["--cards", "A"], f'cards: found "A"; {CARDS}'),
    (["--cards", "A=٣"], f'cards: found "A=٣"; {CARDS}'),
    (["--cards", "1=4"], f'cards: card "1" does not exist; write one of {" ".join(RANKS)}'),
    (["--cards", "A=1 a=2"], "cards: A is given twice; write each rank once"),
    (["--cards", ""], 'cards: nothing given; write what is left, such as "A=31 2=32 K=32"'),
    (["--cards", "A=4", "--decks", "8"], ALL_LEFT),
    (["--cards", "A=4", "--removed", "A"], ALL_LEFT),
    (["--removed", "A B"], f'card "B" does not exist; write one of {" ".join(RANKS)}'),
    (["--removed", "A=3"], f'card "A=3" does not exist; write one of {" ".join(RANKS)}'),
    (["--removed", "A " * 33], "cannot remove 33 of A: the shoe holds 32"),
    (["--decks", "4", "--removed", "9 " * 17], "cannot remove 17 of 9: the shoe holds 16"),
    (["--decks", "0"], f'--decks: found "0"; {WHOLE}'),
    (["--decks", "-1"], f'--decks: found "-1"; {WHOLE}'),
    (["--decks", "1.5"], f'--decks: found "1.5"; {WHOLE}'),
    (["--decks", "8 decks"], f'--decks: found "8 decks"; {WHOLE}'),
    (["--decks", "eight"], f'--decks: found "eight"; {WHOLE}'),
    (["--decks", ""], f'--decks: found ""; {WHOLE}'),
    (["--decks", "4-"], f'--decks: found "4-"; {WHOLE}'),
    (["--decks", "10-4"], f'--decks: found "10-4"; {RANGE}'),
    (["--decks", "0-4"], f'--decks: found "0-4"; {RANGE}'),
    (["--decks", "1-101"], f'--decks: found "1-101"; {RANGE}'),
    (["--decks", "4-10", "--removed", "A"], ALONE),
    (["--decks", "4-10", "--cards", "A=4"], ALONE),
    (["--decks", "4-10", "--detail"], ALONE),
    (["--decks", "4-10", "--joint"], ALONE),
    (["--decks", "4-10", "--stake", "tie=1"], ALONE),
    (["--decks", "4-10", "--interpretations"], ALONE),
    (
        ["--bet", "big-tigr"],
        f'{NONCOMMISSION_2025} has no bet "big-tigr"; did you mean big-tiger? {IT_HAS}',
    ),
    (["--bet", "zzz"], f'{NONCOMMISSION_2025} has no bet "zzz". {IT_HAS}'),
    (["--bet", ""], f'{NONCOMMISSION_2025} has no bet "". {IT_HAS}'),
    (
        ["--layout", "Z"],
        f'{NONCOMMISSION_2025} has no layout "Z". It has: A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R',
    ),
    (
        ["--layout", "P", "--bet", "tie", "--bet", "big-tiger"],
        "layout P does not offer big-tiger; it offers player, banker, tie, banker-big-7, banker-small-7, "
        "player-big-7, player-small-7, tiger-pair, tiger, wu-dalang",
    ),
    (["--pays", "big-tiger=fifty"], f'--pays big-tiger: found "fifty"; {ODDS}'),
    (["--pays", "big-tiger=50"], f'--pays big-tiger: found "50"; {ODDS}'),
    (["--pays", "big-tiger=-5 to 1"], f'--pays big-tiger: found "-5 to 1"; {ODDS}'),
    (["--pays", "big-tiger=0 to 1"], f'--pays big-tiger: found "0 to 1"; {ODDS}'),
    (["--pays", "big-tiger=1e3 to 1"], f'--pays big-tiger: found "1e3 to 1"; {ODDS}'),
    (["--pays", "tiger=13 to 1,"], f'--pays tiger: found ""; {ODDS}'),
    (["--pays", "big-tiger=45 to 1", "--pays", "big-tiger=46 to 1"], '--pays: "big-tiger" is given twice; write it once'),
    (
        ["--pays", "tigress=45 to 1"],
        f'{NONCOMMISSION_2025} has no bet "tigress"; did you mean tiger? {IT_HAS}',
    ),
    (["--stake", "banker=0"], "--stake banker: the stake must be more than 0"),
    (["--stake", "banker=0.00"], "--stake banker: the stake must be more than 0"),
    (["--stake", "banker=-5"], f'--stake banker: amount: found "-5"; {AMOUNT}'),
    (["--stake", "banker=1e3"], f'--stake banker: amount: found "1e3"; {AMOUNT}'),
    (["--stake", "banker=1,000"], f'--stake banker: amount: found "1,000"; {AMOUNT}'),
    (["--stake", "banker=1", "--stake", "banker=2"], '--stake: "banker" is given twice; write it once'),
    (["--stake", "bankr=1"], f'{NONCOMMISSION_2025} has no bet "bankr"; did you mean banker? {IT_HAS}'),
]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "message"), REFUSALS, ids=[" ".join(arguments)[:40] for arguments, _ in REFUSALS]
)
def test_what_cannot_be_analysed_is_said_in_one_line(run: Run, arguments: list[str], message: str) -> None:
    assert refused(run, "odds", NONCOMMISSION_2025, *arguments) == message


@pytest.mark.parametrize("form", FORMATS)
def test_a_refusal_is_the_same_in_every_format(run: Run, form: str) -> None:
    assert refused(run, "odds", COMMISSION_2013, "--decks", "0", "--format", form) == (
        f'--decks: found "0"; {WHOLE}'
    )


@pytest.mark.parametrize(("count", "odds"), [(1, "13 to 1"), (3, "13 to 1,20 to 1,30 to 1")])
def test_a_wrong_number_of_odds_is_refused_with_the_lines_that_pay(run: Run, count: int, odds: str) -> None:
    message = refused(run, "odds", NONCOMMISSION_2025, "--pays", f"tiger={odds}")
    assert message.endswith(
        f"tiger: found {count} odds; the bet has 2 that pay: two cards (12 to 1), three cards (20 to 1); "
        "write one for each, separated by commas"
    )


@pytest.mark.parametrize("option", ["--pays", "--stake"])
@pytest.mark.parametrize("word", ["tie", "tie=", "=9 to 1", "", "tie:9"])
def test_a_word_without_a_name_and_a_value_is_refused(run: Run, option: str, word: str) -> None:
    assert refused(run, "odds", NONCOMMISSION_2025, option, word).startswith(
        f'{option}: found "{word}"; write '
    )


def test_a_game_that_does_not_exist_is_refused(run: Run) -> None:
    message = refused(run, "odds", "tiger-buffalo-noncommission-2026")
    assert message.startswith('no game "tiger-buffalo-noncommission-2026"; did you mean tiger-buffalo-')


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([COMMISSION_2013], "compare takes two to four games; found 1"),
        ([*GAMES, COMMISSION_2013], "compare takes two to four games; found 5"),
        ([*GAMES, "--decks", "4-10"], f'--decks: found "4-10"; {WHOLE}'),
        ([*GAMES, "--decks", "0"], f'--decks: found "0"; {WHOLE}'),
        ([*GAMES, "--cards", "A=1", "--decks", "8"], ALL_LEFT),
        ([*GAMES, "--cards", "A=-1"], f'cards: found "A=-1"; {CARDS}'),
        ([*GAMES, "--removed", "A " * 33], "cannot remove 33 of A: the shoe holds 32"),
    ],
)
def test_what_cannot_be_compared_is_said_in_one_line(run: Run, arguments: list[str], message: str) -> None:
    assert refused(run, "compare", *arguments) == message


# ---------------------------------------------------------------- what is not loaded

HEAVY = ("sympy", "scipy", "matplotlib", "numpy")

WATCH = f"""
import sys

class Watch:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {HEAVY!r}:
            print("asked for", name, file=sys.stderr)

sys.meta_path.insert(0, Watch())
"""

ODDS_COMMAND = f"""
from combinat.cli import main
sys.argv = ["combinat", "odds", "{NONCOMMISSION_2025}", *sys.argv[1:]]
try:
    main()
finally:
    print(sorted(set({HEAVY!r}) & set(sys.modules)), file=sys.stderr)
"""


def python(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        [
            "--bet",
            "tiger",
            "--detail",
            "--joint",
            "--stake",
            "tiger=5",
            "--interpretations",
            "--format",
            "json",
        ],
    ],
)
def test_odds_loads_no_heavy_library(arguments: list[str]) -> None:
    """Not even asked for, whether or not it is installed."""
    ran = python(WATCH + ODDS_COMMAND, *arguments)
    assert (ran.returncode, ran.stderr) == (0, "[]\n")
    assert "Tiger" in ran.stdout


@pytest.mark.parametrize("library", HEAVY)
def test_the_watch_sees_a_heavy_library(library: str) -> None:
    watched = python(f"{WATCH}\ntry:\n    import {library}\nexcept ImportError:\n    pass\n")
    assert f"asked for {library}\n" in watched.stderr
