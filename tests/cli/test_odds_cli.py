"""``combinat odds`` and ``combinat compare``: the JSON contract, the five formats, warnings, refusals."""

import csv
import decimal as reference
import io
import json
import re
import subprocess
import sys
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from combinat import Game, Shoe, analyze, load_game
from combinat.analysis import joint, readings
from combinat.engine.distribution import Distribution, falling
from combinat.engine.walk import walk
from combinat.render.number import decimal, one_in, percent, root
from combinat.rules.bet import Bet
from combinat.rules.rulebook import rule_book_paths
from tests.conftest import Ran, Run
from tests.csv_columns import twelve_decimals_of, without_decimals
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


WALKED, LOADED, ANALYSED = cache(walk), cache(load_game), cache(analyze)


@cache
def correlations_of(game: Game, bets: tuple[Bet, ...], distribution: int) -> tuple[joint.Correlation, ...]:
    return CORRELATIONS(game, bets, DISTRIBUTIONS[distribution])


@cache
def readings_of(game: Game, shoe: Shoe, distribution: int) -> tuple[readings.Reading, ...]:
    return READINGS(game, shoe, DISTRIBUTIONS[distribution])


CORRELATIONS, READINGS = joint.correlations, readings.readings
DISTRIBUTIONS: dict[int, Distribution] = {}


def number_of(distribution: Distribution) -> int:
    """A number to know a distribution by; it is kept, so that no other has the same."""
    DISTRIBUTIONS[id(distribution)] = distribution
    return id(distribution)


@pytest.fixture(autouse=True)
def analysed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A shoe is walked, a game read and analysed on it once for all the commands of this page."""
    monkeypatch.setattr("combinat.analysis.analysis.walk", WALKED)
    monkeypatch.setattr("combinat.cli.odds.load_game", LOADED)
    monkeypatch.setattr("combinat.cli.odds.analyze", ANALYSED)
    monkeypatch.setattr(
        "combinat.analysis.joint.correlations",
        lambda game, bets, distribution: correlations_of(game, tuple(bets), number_of(distribution)),
    )
    monkeypatch.setattr(
        "combinat.analysis.readings.readings",
        lambda game, shoe, distribution: readings_of(game, shoe, number_of(distribution)),
    )


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

    record: dict[str, Any] = json.loads(worked(run(*arguments, "--format", "json")), parse_float=refuse)
    return record


def bets_of(record: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {bet["id"]: bet for bet in record["bets"]}


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
    record = loaded(run, "odds", game_id, *shoe)
    assert list(record) == CONTRACT
    assert (record["schema"], record["game"]) == ("combinat/odds/1", game_id)
    cards = record["shoe"]["cards"]
    assert record["shoe"] == {"size": sum(cards.values()), "cards": cards}
    assert list(cards) == RANKS
    assert all(type(count) is int for count in cards.values())
    size = record["shoe"]["size"]
    assert record["sample_space"] == str(falling(size, min(size, 6)))
    assert [bet["id"] for bet in record["bets"]] == list(BETS[game_id])
    for bet in record["bets"]:
        assert bet.keys() >= BET_KEYS
        self_consistent(bet, falling(size, min(size, 6)))
        assert exact(bet["void"]) == exact(record["void"])


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
    largest = max((net for net, share in weighed if share and net > 0), default=None)
    assert bet["largest_payout"] is None if largest is None else exact(bet["largest_payout"]) == largest
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
    record = loaded(run, "odds", NONCOMMISSION_2025)
    assert record == loaded(run, "odds", NONCOMMISSION_2025, "--decks", "8")
    assert record["sample_space"] == "4998398275503360"
    assert record["void"] == "0"
    assert record["shoe"] == {"size": 416, "cards": dict.fromkeys(RANKS, 32)}


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
    bets = bets_of(loaded(run, "odds", NONCOMMISSION_2025, "--decks", "8"))
    for bet_id, ways in PUBLISHED.items():
        lines = {line["name"]: int(line["ways"]) for line in bets[bet_id]["outcomes"]}
        assert lines == ways, bet_id
    assert bets["player-pair"]["house_edge"] == "43/415"
    assert bets["player-pair"]["outcomes"][0]["probability"] == "31/415"
    assert bets["banker"]["outcomes"][0]["net"] == "1/2"
    assert [line["odds"] for line in bets["banker"]["outcomes"]] == ["1 to 2", "1 to 1", "push", None]


def test_the_published_edges_of_2013(run: Run) -> None:
    bets = bets_of(loaded(run, "odds", COMMISSION_2013))
    assert {bet_id: bet["expected_value"] for bet_id, bet in bets.items()} == {
        "banker": "-114753351728/10847218479825",
        "player": "-241149546272/19524993263685",
        "tie": "-103841353768/723147898655",
        "player-pair": "-43/415",
        "banker-pair": "-43/415",
    }


def test_five_cards_are_void_one_time_in_three(run: Run) -> None:
    record = loaded(run, "odds", NONCOMMISSION_2025, "--cards", "A=2 2=1 3=1 4=1")
    assert (record["sample_space"], record["void"]) == ("120", "1/3")
    for bet in record["bets"]:
        assert bet["void"] == "1/3"
        assert [(line["net"], line["ways"]) for line in bet["outcomes"] if line["name"] == "void"] == [
            ("0", "40")
        ]


@pytest.mark.parametrize(("cards", "sample_space"), [("A=0", "1"), ("K=1", "1"), ("A=2 K=1", "6")])
def test_fewer_than_four_cards_are_always_void(run: Run, cards: str, sample_space: str) -> None:
    record = loaded(run, "odds", COMMISSION_2013, "--cards", cards)
    assert (record["sample_space"], record["void"]) == (sample_space, "1")
    for bet in record["bets"]:
        assert (bet["expected_value"], bet["void"], bet["variance"]) == ("0", "1", "0")
        assert (bet["fair_odds"], bet["skewness"], bet["edge_per_resolved_bet"]) == (None, None, None)
        assert bet["largest_payout"] is None


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
    bets = bets_of(
        loaded(run, *arguments, "--pays", "tiger=13 to 1, 41 to 2", "--pays", "banker=0.5 to 1,0.95 to 1")
    )
    assert [line["net"] for line in bets["tiger"]["outcomes"]] == ["13", "41/2", "-1"]
    assert [line["net"] for line in bets["banker"]["outcomes"]] == ["1/2", "19/20", "0", "-1"]
    assert Fraction(bets["tiger"]["expected_value"]) == (
        Fraction(14 * 186173936904192 * 2 + 43 * 83058367551488, 2 * SAMPLE_SPACE) - 1
    )
    assert "13 to 1, 41 to 2" in worked(run(*arguments, "--pays", "tiger=13 to 1,41 to 2"))


TRIED = "Not the document's odds"
TRYING = ["--pays", "tiger=13 to 1,41 to 2", "--pays", "player=push"]


@pytest.mark.parametrize("mode", [[], ["--detail"], ["--decks", "7-8"], ["--joint", "--stake", "tie=1"]])
def test_odds_that_are_tried_are_named(run: Run, mode: list[str]) -> None:
    """Nobody who reads the page takes the figures for the document's."""
    arguments = ["odds", NONCOMMISSION_2025, *mode, "--bet", "tiger", "--bet", "tie"]
    said = "tiger at 13 to 1, 41 to 2; player at push"
    text = worked(run(*arguments, *TRYING)).splitlines()
    assert text.count(f"{TRIED}: {said}") == 1
    assert text.index(f"{TRIED}: {said}") < text.index(next(line for line in text if "-  -" in line))
    markdown = worked(run(*arguments, *TRYING, "--format", "markdown")).splitlines()
    assert markdown.count(f"- **{TRIED}:** {said}") == 1
    assert loaded(run, *arguments, *TRYING)["pays"] == {"tiger": ["13 to 1", "41 to 2"], "player": ["push"]}


@pytest.mark.parametrize("mode", [[], ["--detail"], ["--decks", "7-8"]])
def test_the_document_s_own_odds_are_not(run: Run, mode: list[str]) -> None:
    arguments = ["odds", NONCOMMISSION_2025, *mode, "--bet", "tiger"]
    assert "pays" not in loaded(run, *arguments)
    for form in FORMATS:
        assert TRIED not in worked(run(*arguments, "--format", form))


def test_the_odds_tried_are_said_whether_or_not_the_bet_is_shown(run: Run) -> None:
    record = loaded(run, "odds", NONCOMMISSION_2025, "--bet", "tie", "--pays", "big-tiger=45 to 1")
    assert list(record) == [*CONTRACT, "pays"]
    assert record["pays"] == {"big-tiger": ["45 to 1"]}
    assert record["bets"] == loaded(run, "odds", NONCOMMISSION_2025, "--bet", "tie")["bets"]


def test_a_bet_that_only_comes_back(run: Run) -> None:
    arguments = ["odds", NONCOMMISSION_2025, "--bet", "player", "--pays", "player=push"]
    bet = bets_of(loaded(run, *arguments))["player"]
    assert (bet["hit_frequency"], bet["largest_payout"], bet["fair_odds"]) == ("0", None, None)
    assert exact(bet["push"]) == Fraction(2230518282592256 + 475627426473216, SAMPLE_SPACE)
    (table,) = markdown_tables(worked(run(*arguments, "--format", "markdown")))
    assert table[1] == ["player", "push", "0.0000", "-", "54.1403", "45.8597", "0.4983"]
    ((header, row),) = csv_tables(worked(run(*arguments, "--format", "csv")))
    assert dict(zip(header, row, strict=True)).items() >= {"pays": "push", "fair_odds": ""}.items()
    detail = worked(run(*arguments, "--detail")).splitlines()
    assert {"Largest payout: none", "Fair odds: none", "Hit frequency: 0"} <= set(detail)


# ---------------------------------------------------------------- bets together, and other readings


def test_correlations_in_json(run: Run) -> None:
    record = loaded(run, "odds", COMMISSION_2013, "--joint")
    assert list(record) == [*CONTRACT, "joint"]
    variances = {bet["id"]: Fraction(bet["variance"]) for bet in record["bets"]}
    names = list(BETS[COMMISSION_2013])
    pairs = [[one, two] for number, one in enumerate(names) for two in names[number + 1 :]]
    assert [one["bets"] for one in record["joint"]] == pairs
    for one in record["joint"]:
        covariance = exact(one["covariance"])
        first, second = one["bets"]
        size = twelve_decimals(root_of(covariance**2 / (variances[first] * variances[second])))
        assert one["correlation"] == (f"-{size}" if covariance < 0 else size)
    assert record["joint"][0]["correlation"] == "-0.999968713939"  # Player and Banker


def test_correlations_of_the_bets_chosen(run: Run) -> None:
    record = loaded(run, "odds", NONCOMMISSION_2025, "--joint", "--bet", "tie", "--bet", "tiger")
    assert [one["bets"] for one in record["joint"]] == [["tie", "tiger"]]


def test_a_bet_that_never_varies_has_no_correlation(run: Run) -> None:
    record = loaded(run, "odds", COMMISSION_2013, "--joint", "--cards", "A=6")
    assert {one["correlation"] for one in record["joint"]} == {None}
    assert {one["covariance"] for one in record["joint"]} == {"0"}


def test_stakes_together_in_json(run: Run) -> None:
    record = loaded(run, "odds", NONCOMMISSION_2025, "--stake", "banker=100", "--stake", "big-tiger=10")
    assert list(record) == [*CONTRACT, "combination"]
    together = record["combination"]
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
    bets = bets_of(record)
    assert exact(together["mean"]) == mean
    assert mean == 100 * Fraction(bets["banker"]["expected_value"]) + 10 * Fraction(
        bets["big-tiger"]["expected_value"]
    )
    assert exact(together["variance"]) == variance
    assert exact(together["house_edge"]) == -mean / 110
    assert together["standard_deviation"] == twelve_decimals(root_of(variance))


def test_other_readings_in_json(run: Run) -> None:
    record = loaded(run, "odds", NONCOMMISSION_2025, "--interpretations")
    assert list(record) == [*CONTRACT, "interpretations"]
    readings = {entry["id"]: entry["effects"] for entry in record["interpretations"]}
    assert list(readings) == [
        "wu-dalang-must-win",
        "twin-by-rank",
        "tiger-pair-highest-only",
        "pair-by-rank",
        "unfinished-round-void",
        "char-siu-loses-on-a-tie",
        "natural-stops-the-banker",
        "available-bets-of-the-layout",
        "text-over-drawing-of-layout-o",
        "differential-of-the-table",
        "under-minimum-one-player",
        "minimum-for-each-player",
        "pro-rata-to-the-limit",
        "pro-rata-heavier-hand",
        "options-for-each-bet",
        "early-card-counts-at-once",
    ]
    bets = bets_of(record)
    for effects in readings.values():
        for effect in effects:
            assert effect.keys() == {"for", "figure", "read", "otherwise", "change"}
            if effect["figure"] == "expected value":
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
    record = loaded(
        run, "odds", COMMISSION_2024, "--joint", "--stake", "tie=1", "--interpretations", "--detail"
    )
    assert list(record) == [*CONTRACT, "joint", "combination", "interpretations"]


# ---------------------------------------------------------------- one column per number of decks


def test_a_range_of_decks_in_json(run: Run) -> None:
    record = loaded(run, "odds", NONCOMMISSION_2025, "--decks", "4-6", "--bet", "banker", "--bet", "tie")
    assert (record["schema"], record["game"]) == ("combinat/odds-by-decks/1", NONCOMMISSION_2025)
    assert [one["decks"] for one in record["decks"]] == [4, 5, 6]
    for one in record["decks"]:
        alone = loaded(
            run, "odds", NONCOMMISSION_2025, "--decks", str(one["decks"]), "--bet", "banker", "--bet", "tie"
        )
        assert {key: value for key, value in one.items() if key != "decks"} == alone
    assert [one["sample_space"] for one in record["decks"]] == [
        str(falling(52 * decks, 6)) for decks in (4, 5, 6)
    ]


def test_a_range_of_decks_in_csv(run: Run) -> None:
    """A line for each bet and number of decks, exact, with a decimal beside."""
    (table,) = csv_tables(worked(run("odds", COMMISSION_2013, "--decks", "4-8", "--format", "csv")))
    header, *rows = table
    assert header == ["bet", "decks", "house_edge", "house_edge_decimal"]
    assert [row[:2] for row in rows] == [
        [bet_id, str(decks)] for decks in range(4, 9) for bet_id in BETS[COMMISSION_2013]
    ]
    edges = {
        (bet["id"], str(one["decks"])): bet["house_edge"]
        for one in loaded(run, "odds", COMMISSION_2013, "--decks", "4-8")["decks"]
        for bet in one["bets"]
    }
    assert {(bet_id, decks): edge for bet_id, decks, edge, _ in rows} == edges
    assert [row[3] for row in rows] == [twelve_decimals_of(exact(row[2])) for row in rows]
    assert [row[2:] for row in rows[-5:]] == [
        ["241149546272/19524993263685", "0.012350813289"],
        ["114753351728/10847218479825", "0.010579057842"],
        ["103841353768/723147898655", "0.143596287787"],
        ["43/415", "0.103614457831"],
        ["43/415", "0.103614457831"],
    ]


def test_a_range_of_decks_in_a_table(run: Run) -> None:
    out = worked(run("odds", COMMISSION_2013, "--decks", "4-8", "--format", "markdown"))
    ((header, *rows),) = markdown_tables(out)
    assert header == ["house edge %", "4 decks", "5 decks", "6 decks", "7 decks", "8 decks"]
    assert [row[0] for row in rows] == list(BETS[COMMISSION_2013])
    assert [row[-1] for row in rows] == ["1.2351", "1.0579", "14.3596", "10.3614", "10.3614"]


def test_a_range_of_one_is_one_column(run: Run) -> None:
    arguments = ["odds", COMMISSION_2013, "--decks", "8-8", "--format"]
    (table,) = markdown_tables(worked(run(*arguments, "markdown")))
    assert table[:2] == [["house edge %", "8 decks"], ["player", "1.2351"]]
    assert worked(run(*arguments, "csv")).splitlines()[1] == (
        "player,8,241149546272/19524993263685,0.012350813289"
    )


ACROSS = 7


TWO = ["--bet", "tie", "--bet", "player-char-siu"]


@pytest.mark.parametrize(("decks", "columns"), [("4-10", [7]), ("1-8", [7, 1]), ("1-15", [7, 7, 1])])
def test_a_long_range_is_several_tables(run: Run, decks: str, columns: list[int]) -> None:
    ran = run("odds", NONCOMMISSION_2025, *TWO, "--decks", decks, "--format", "markdown")
    tables = markdown_tables(ran.out)
    assert [len(table[0]) - 1 for table in tables] == columns
    numbers = range(int(decks.partition("-")[0]), int(decks.partition("-")[2]) + 1)
    assert [name for table in tables for name in table[0][1:]] == [
        "1 deck" if number == 1 else f"{number} decks" for number in numbers
    ]
    by_decks = run("odds", NONCOMMISSION_2025, *TWO, "--decks", decks, "--format", "json")
    edges = {
        one["decks"]: [percent(Fraction(bet["house_edge"])) for bet in one["bets"]]
        for one in json.loads(by_decks.out)["decks"]
    }
    left = list(numbers)
    for table in tables:
        header, *rows = table
        assert header[0] == "house edge %"
        assert [row[0] for row in rows] == ["tie", "player-char-siu"]
        across, left = left[: len(header) - 1], left[len(header) - 1 :]
        assert [list(column) for column in zip(*(row[1:] for row in rows), strict=True)] == [
            edges[number] for number in across
        ]
    assert left == []


@pytest.mark.parametrize("form", FORMATS)
def test_as_many_decks_as_are_allowed(run: Run, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred columns, in tables that fit. How they lie does not hang on the counts: one shoe stands for all."""
    eight = ANALYSED(LOADED(NONCOMMISSION_2025), Shoe.of_decks(8))
    monkeypatch.setattr(
        "combinat.cli.odds.analyze", lambda _, shoe: msgspec.structs.replace(eight, shoe=shoe)
    )
    ran = run("odds", NONCOMMISSION_2025, *TWO, "--decks", "1-100", "--format", form)
    assert ran.code == 0
    assert ran.err.startswith("combinat: warning: ")
    assert ran.err.count("\n") == 1
    names = ["1 deck", *(f"{number} decks" for number in range(2, 101))]
    if form == "json":
        assert [one["decks"] for one in json.loads(ran.out)["decks"]] == list(range(1, 101))
    elif form == "csv":
        ((_, *rows),) = csv_tables(ran.out)
        assert [row[1] for row in rows[::2]] == [str(n) for n in range(1, 101)]
    elif form == "text":
        lines = ran.out.splitlines()
        assert max(map(len, lines)) <= WIDTH
        heads = [re.split(r" {2,}", line) for line in lines if line.startswith("house edge %")]
        assert [len(head) - 1 for head in heads] == [ACROSS] * 14 + [2]
        assert [name for head in heads for name in head[1:]] == names
    else:
        tables = (markdown_tables if form == "markdown" else latex_tables)(ran.out)
        assert [name for table in tables for name in table[0][1:]] == names
        assert max(len(table[0]) for table in tables) == 1 + ACROSS


# ---------------------------------------------------------------- games side by side


def test_compare_in_json(run: Run) -> None:
    record = loaded(run, "compare", COMMISSION_2013, NONCOMMISSION_2025)
    assert (record["schema"], record["games"]) == (
        "combinat/compare/1",
        [COMMISSION_2013, NONCOMMISSION_2025],
    )
    assert record["shoe"]["size"] == 416
    edges = {bet["id"]: bet["house_edge"] for bet in record["bets"]}
    assert edges.keys() == BETS[COMMISSION_2013].keys() | BETS[NONCOMMISSION_2025].keys()
    assert edges["player"] == ["241149546272/19524993263685"] * 2
    assert edges["banker"] == ["114753351728/10847218479825", "284694798368/19524993263685"]
    first = bets_of(loaded(run, "odds", COMMISSION_2013))
    second = bets_of(loaded(run, "odds", NONCOMMISSION_2025))
    for bet_id, found_edges in edges.items():
        assert found_edges == [
            game[bet_id]["house_edge"] if bet_id in game else None for game in (first, second)
        ]


def test_compare_in_csv_is_exact(run: Run) -> None:
    games = [COMMISSION_2013, NONCOMMISSION_2025, COMMISSION_2024]
    (table,) = csv_tables(worked(run("compare", *games, "--format", "csv")))
    header, *rows = without_decimals(table)
    assert header == ["bet", *games]
    record = loaded(run, "compare", *games)
    assert rows == [[bet["id"], *(edge or "" for edge in bet["house_edge"])] for bet in record["bets"]]
    lines = {row[0]: row[1:] for row in rows}
    assert lines["banker"][:2] == ["114753351728/10847218479825", "284694798368/19524993263685"]
    assert lines["player-pair"] == ["43/415"] * 3
    assert lines["tiger-tie"] == ["", "95255346503/309920527995", ""]


def test_compare_has_the_difference(run: Run) -> None:
    """With its sign; where the games agree it is an exact 0, and not a rounded one."""

    def compared(*games: str) -> dict[str, list[str]]:
        ((header, *rows),) = markdown_tables(worked(run("compare", *games, "--format", "markdown")))
        assert header == ["house edge %", "A", "B", "B - A"]
        return {row[0]: row[1:] for row in rows}

    lines = compared(COMMISSION_2013, NONCOMMISSION_2025)
    assert lines["banker"] == ["1.0579", "1.4581", "+0.4002"]
    assert lines["tie"] == ["14.3596", "14.3596", "0"]
    assert lines["wu-dalang"] == ["-", "25.5658", "-"]
    other_way = compared(NONCOMMISSION_2025, COMMISSION_2013)
    assert other_way["banker"] == ["1.4581", "1.0579", "-0.4002"]
    assert other_way["tie"] == ["14.3596", "14.3596", "0"]
    assert other_way["wu-dalang"] == ["25.5658", "-", "-"]


def test_what_people_compare_is_the_exact_rounded(run: Run) -> None:
    ((_, *rows),) = markdown_tables(worked(run("compare", *GAMES, "--format", "markdown")))
    expected = []
    for bet in loaded(run, "compare", *GAMES)["bets"]:
        edges = [None if edge is None else exact(edge) for edge in bet["house_edge"]]
        row = [bet["id"], *("-" if edge is None else percent(edge) for edge in edges)]
        for edge in edges[1:]:
            if edge is None or edges[0] is None:
                row.append("-")
            else:
                sign = "+" if edge > edges[0] else ""
                row.append("0" if edge == edges[0] else sign + percent(edge - edges[0]))
        expected.append(row)
    assert rows == expected


def test_a_difference_too_small_to_see_is_not_an_exact_0(run: Run, tmp_path: Path) -> None:
    mine = rule_book_paths()[COMMISSION_2013].read_text("utf-8")
    paths = []
    for odds in ("7.999999 to 1", "8.000001 to 1"):
        paths.append(tmp_path / f"tie-at-{odds[0]}.toml")
        other = mine.replace('"8 to 1"', f'"{odds}"', 1).replace(
            f'"{COMMISSION_2013}"', f'"{paths[-1].stem}"'
        )
        paths[-1].write_text(other, "utf-8")
    out = worked(run("compare", COMMISSION_2013, *map(str, paths), "--format", "markdown"))
    ((_, *rows),) = markdown_tables(out)
    lines = {row[0]: row[1:] for row in rows}
    assert lines["player"][3:] == ["0", "0"]
    assert lines["tie"][3:] == ["+0.0000", "0.0000"]


def test_compare_on_another_shoe(run: Run) -> None:
    shoe = ["--decks", "6", "--removed", "6 6 6"]
    record = loaded(run, "compare", COMMISSION_2024, NONCOMMISSION_2024, *shoe)
    assert (record["shoe"]["size"], record["shoe"]["cards"]["6"]) == (309, 21)
    edges = {bet["id"]: bet["house_edge"] for bet in record["bets"]}
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


# The document of 2025 has every bet of the others but one; the others have readings of their own.
FITS = [(NONCOMMISSION_2025, mode) for mode in MODES]
FITS += [(game_id, "interpretations") for game_id in GAMES if game_id != NONCOMMISSION_2025]


@pytest.mark.parametrize(("game_id", "mode"), FITS)
def test_text_fits_the_terminal(run: Run, game_id: str, mode: str) -> None:
    lines = worked(run("odds", game_id, *MODES[mode])).splitlines()
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
def test_the_formats_for_people_say_the_same(run: Run, mode: str) -> None:
    """The tables of Markdown and LaTeX are cell by cell the same, and text holds every cell."""
    forms = ("text", "markdown", "latex")
    out = {form: worked(run(*FORMAT_RUNS[mode], "--format", form)) for form in forms}
    markdown = markdown_tables(out["markdown"])
    assert markdown
    assert all(len(row) == len(table[0]) for table in markdown for row in table)
    assert all(len(table) > 1 for table in markdown)
    assert latex_tables(out["latex"]) == markdown
    assert out["markdown"].startswith("# ")
    assert "=====" not in out["markdown"]
    words = set(out["text"].split())
    assert {word for table in markdown for row in table for cell in row for word in cell.split()} <= words
    latex_follows_markdown(out["latex"], out["markdown"])


def latex_follows_markdown(latex: str, markdown: str) -> None:
    """Its headings are comments in their places: between two of them is the same as in Markdown."""
    headings = re.findall(r"^#+ (.+)$", markdown, re.MULTILINE)
    assert re.findall(r"^% (.+)$", latex, re.MULTILINE) == headings
    assert latex.startswith(f"% {headings[0]}\n\n")
    below = [len(latex_tables(part)) for part in re.split(r"^% .+$", latex, flags=re.MULTILINE)]
    assert below == [
        len(markdown_tables(part)) for part in re.split(r"^#+ .+$", markdown, flags=re.MULTILINE)
    ]
    outside = re.sub(r"\\begin\{tabular\}.*?\\end\{tabular\}", "", latex, flags=re.DOTALL)
    assert all(line.startswith("% ") for line in outside.splitlines() if line)


# what programs read: exact, and the same in JSON and CSV

PLAIN_COLUMNS = [
    *("bet", "pays", "hit_frequency", "push", "void", "expected_value"),
    *("house_edge_decimal", "variance", "standard_deviation", "skewness", "fair_odds"),
]
DETAIL_COLUMNS = [*("bet", "outcome", "odds", "net", "ways", "probability", "contribution")]
EFFECT_COLUMNS = ["entry", "for", "figure", "read", "otherwise", "change"]

Record = dict[str, str]


def records(table: list[list[str]], columns: list[str]) -> list[Record]:
    """The lines of a table, each by its columns, the decimals of exact ones left out."""
    header, *rows = without_decimals(table)
    assert header == columns
    assert rows
    return [dict(zip(header, row, strict=True)) for row in rows]


def as_told(value: str | None) -> str:
    """What JSON tells of a figure, as CSV does: nothing where there is none."""
    return value or ""


SHOES = {
    "8 decks": [],
    "depleted": ["--removed", "A A 10 K 9 9 9"],
    "five cards": ["--cards", "A=2 2=1 3=1 4=1"],
    "never finished": ["--cards", "A=2 K=1"],
}


@pytest.mark.parametrize("shoe", SHOES)
def test_the_plain_table_in_csv_is_exact(run: Run, shoe: str) -> None:
    arguments = ["odds", NONCOMMISSION_2025, *SHOES[shoe]]
    (table,) = csv_tables(worked(run(*arguments, "--format", "csv")))
    lines = records(table, PLAIN_COLUMNS)
    bets = loaded(run, *arguments)["bets"]
    for line, bet in zip(lines, bets, strict=True):
        assert line["bet"] == bet["id"]
        for column in ("hit_frequency", "push", "void", "expected_value", "variance"):
            assert line[column] == bet[column], (bet["id"], column)
        assert line["house_edge_decimal"] == twelve_decimals_of(exact(bet["house_edge"]))
        for column in ("standard_deviation", "skewness", "fair_odds"):
            assert line[column] == as_told(bet[column]), (bet["id"], column)
    # and what people are shown is this, rounded
    (shown,) = markdown_tables(worked(run(*arguments, "--format", "markdown")))
    assert shown[1:] == [
        [
            line["bet"],
            line["pays"],
            percent(exact(line["hit_frequency"])),
            one_in(exact(line["hit_frequency"])),
            percent(exact(line["push"]) + exact(line["void"])),
            percent(-exact(line["expected_value"])),
            root(exact(line["variance"]), 4),
        ]
        for line in lines
    ]


@pytest.mark.parametrize("shoe", SHOES)
def test_the_detail_in_csv_is_exact(run: Run, shoe: str) -> None:
    arguments = ["odds", NONCOMMISSION_2025, "--detail", *SHOES[shoe]]
    (table,) = csv_tables(worked(run(*arguments, "--format", "csv")))
    lines = records(table, DETAIL_COLUMNS)
    assert lines == [
        {
            "bet": bet["id"],
            "outcome": line["name"],
            "odds": as_told(line["odds"]),
            "net": line["net"],
            "ways": line["ways"],
            "probability": line["probability"],
            "contribution": line["contribution"],
        }
        for bet in loaded(run, *arguments)["bets"]
        for line in bet["outcomes"]
    ]
    shown = markdown_tables(worked(run(*arguments, "--format", "markdown")))
    assert [row for one in shown for row in one[1:-1]] == [
        [
            line["outcome"],
            line["odds"],
            line["ways"],
            percent(exact(line["probability"]), 6),
            one_in(exact(line["probability"])),
            percent(exact(line["contribution"]), 6),
        ]
        for line in lines
    ]


@pytest.mark.parametrize("game_id", [COMMISSION_2013, NONCOMMISSION_2025])
def test_the_other_readings_in_csv_are_exact(run: Run, game_id: str) -> None:
    arguments = ["odds", game_id, "--bet", "tie", "--interpretations"]
    (table,) = csv_tables(worked(run(*arguments, "--format", "csv")))
    lines = records(table, EFFECT_COLUMNS)
    assert lines == [
        {"entry": entry["id"], **{key: as_told(value) for key, value in effect.items()}}
        for entry in loaded(run, *arguments)["interpretations"]
        for effect in entry["effects"]
    ]
    for line in lines:
        assert exact(line["change"]) == exact(line["otherwise"]) - exact(line["read"])
    # people are shown those that change
    shown = markdown_tables(worked(run(*arguments, "--format", "markdown")))[1:]

    def as_shown(line: Record, column: str) -> str:
        value, figure = exact(line[column]), line["figure"]
        if figure in ("layouts that offer it", "insurance states open to it"):
            return str(value)
        return f"{percent(value)} %" if figure.startswith("expected value") else decimal(value, 4)

    assert [row for one in shown for row in one[1:]] == [
        [line["for"], line["figure"], *(as_shown(line, column) for column in ("read", "otherwise", "change"))]
        for line in lines
        if line["change"] != "0"
    ]


def test_correlations_and_stakes_in_csv(run: Run) -> None:
    """A matrix for people, a list of pairs for programs; one of the parts that are asked for a stream."""
    arguments = ["odds", COMMISSION_2013, "--joint", *MODES["stake"], "--interpretations"]
    pairs, together, readings = (
        csv_tables(worked(run(*arguments, "--format", "csv", "--part", part)))[0] for part in "123"
    )
    record = loaded(run, *arguments)
    assert records(pairs, ["bet", "other_bet", "covariance", "correlation"]) == [
        {
            "bet": one["bets"][0],
            "other_bet": one["bets"][1],
            "covariance": one["covariance"],
            "correlation": one["correlation"],
        }
        for one in record["joint"]
    ]
    assert len(pairs) == 1 + 10
    outcomes = record["combination"]["outcomes"]
    assert [
        (Fraction(line["net"]), line["ways"], line["probability"])
        for line in records(together, ["net", "ways", "probability"])
    ] == [(exact(line["net"]), line["ways"], line["probability"]) for line in outcomes]
    in_words = [["net", "ways", "probability %"]]
    in_words += [[*row[:2], percent(exact(row[2]), 6)] for row in together[1:]]
    assert in_words in markdown_tables(worked(run(*arguments, "--format", "markdown")))
    assert len(records(readings, EFFECT_COLUMNS)) > 10


def test_the_plain_table(run: Run) -> None:
    (table,) = markdown_tables(worked(run("odds", NONCOMMISSION_2025, "--format", "markdown")))
    header, *rows = table
    assert header == ["bet", "pays", "wins %", "one in", "returned %", "house edge %", "std dev"]
    lines = {row[0]: row[1:] for row in rows}
    assert list(lines) == list(BETS[NONCOMMISSION_2025])
    assert lines["banker"] == ["1 to 2, 1 to 1", "45.8597", "2.18", "9.5156", "1.4581", "0.9296"]
    assert lines["tiger-pair"] == ["4, 20, 100 to 1", "14.3817", "6.95", "0.0000", "16.1217", "2.9872"]
    assert lines["wu-dalang"] == ["150 to 1", "0.4929", "202.86", "0.0000", "25.5658", "10.5755"]


def test_void_rounds_count_as_returned(run: Run) -> None:
    """Five cards: no tie, and one round in three that cannot be finished."""
    arguments = ["odds", NONCOMMISSION_2025, "--cards", "A=2 2=1 3=1 4=1", "--format"]
    lines = {row[0]: row[1:] for row in markdown_tables(worked(run(*arguments, "markdown")))[0]}
    assert lines["player"] == ["1 to 1", "46.6667", "2.14", "33.3333", "-26.6667", "0.7717"]
    assert lines["tie"] == ["8 to 1", "0.0000", "-", "33.3333", "66.6667", "0.4714"]
    (table,) = csv_tables(worked(run(*arguments, "csv")))
    apart = {line["bet"]: (line["push"], line["void"]) for line in records(table, PLAIN_COLUMNS)}
    assert set(apart.values()) == {("0", "1/3")}


DECIDED = "player-pair", "tiger-pair", "small-tiger", "tie"


def decided_stand(folder: Path) -> str:
    """A rule book of one's own, in which bets that are decided stand in a void round."""
    text = rule_book_paths()[NONCOMMISSION_2025].read_text("utf-8")
    swapped = text.replace('\nbets = "returned"\n', '\nbets = "decided-stand"\n').replace(
        'instead.void_bets = "decided-stand"', 'instead.void_bets = "returned"'
    )
    path = folder / f"{NONCOMMISSION_2025}.toml"
    path.write_text(swapped, "utf-8")
    return str(path)


def test_void_rounds_in_which_decided_bets_stand(run: Run, tmp_path: Path) -> None:
    """Two Aces and two Kings, no fifth card: one time in three both hands have a pair."""
    game = decided_stand(tmp_path)
    arguments = ["odds", game, "--cards", "A=2 K=2", *(w for bet in DECIDED for w in ("--bet", bet))]
    stakes = ["--stake", "player-pair=10", "--stake", "tiger-pair=5", "--stake", "tie=50"]
    record = loaded(run, *arguments, "--joint", *stakes)
    assert record["void"] == "1"
    bets = bets_of(record)
    for bet in bets.values():
        assert (bet["void"], bet["push"]) == ("1", "0")
    met = {
        bet_id: {(line["name"], line["net"], line["ways"]) for line in bet["outcomes"] if line["ways"] != "0"}
        for bet_id, bet in bets.items()
    }
    assert met == {
        "player-pair": {("void, won", "11", "8"), ("void, lost", "-1", "16")},
        "tiger-pair": {("void, won", "20", "8"), ("void, lost", "-1", "16")},
        "small-tiger": {("void, lost", "-1", "24")},
        "tie": {("void", "0", "24")},
    }
    assert (bets["player-pair"]["expected_value"], bets["player-pair"]["variance"]) == ("3", "32")
    assert bets["player-pair"]["largest_payout"] == "11"
    covariances = {tuple(one["bets"]): (one["covariance"], one["correlation"]) for one in record["joint"]}
    assert covariances.pop(("player-pair", "tiger-pair")) == ("56", "1.000000000000")
    assert set(covariances.values()) == {("0", None)}
    together = record["combination"]
    assert [(line["net"], line["ways"]) for line in together["outcomes"]] == [("210", "8"), ("-15", "16")]
    assert (together["mean"], together["variance"]) == ("60", "11250")


def test_the_void_lines_of_the_detail(run: Run, tmp_path: Path) -> None:
    arguments = ["--cards", "A=2 K=2", "--bet", "player-pair", "--detail", "--format", "markdown"]
    read = worked(run("odds", NONCOMMISSION_2025, *arguments))
    assert ["void", "push", "24", "100.000000", "1.00", "0.000000"] in markdown_tables(read)[0]
    assert "- **Largest payout:** none\n" in read
    out = worked(run("odds", decided_stand(tmp_path), *arguments))
    table = markdown_tables(out)[0]
    assert ["void, won", "", "8", "33.333333", "3.00", "366.666667"] in table
    assert ["void, lost", "", "16", "66.666667", "1.50", "-66.666667"] in table
    assert "void" not in [row[0] for row in table]
    assert "- **Void:** 1 = 100.000000 %\n" in out
    assert "- **Push:** 0\n" in out
    assert "- **Largest payout:** 11 to 1\n" in out


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


@pytest.mark.parametrize(
    ("decks", "said", "form"),
    [
        ("1-4", "1, 2, 3 are", "text"),
        ("7-10", "9, 10 are", "csv"),
        ("3-9", "3, 9 are", "json"),
        ("8-9", "9 is", "text"),
        ("1-1", "1 is", "text"),
        ("9-11", "9, 10, 11 are", "text"),
    ],
)
def test_a_range_warns_of_what_is_outside_it(run: Run, decks: str, said: str, form: str) -> None:
    """In one line for all of them."""
    ran = run("odds", COMMISSION_2013, "--decks", decks, "--bet", "tie", "--format", form)
    assert ran.code == 0
    assert ran.out
    assert ran.err == (
        f"combinat: warning: {COMMISSION_2013} allows 4 to 8 decks (2.2.1); {said} analysed all the same\n"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--removed", "A Z"], "--removed: card "),
        (["--removed", "A " * 49], "--removed: cannot remove 49 of A: the shoe holds 48"),
        (["--bet", "big-tigr"], f"{NONCOMMISSION_2025} has no bet "),
        (["--layout", "Z"], f"{NONCOMMISSION_2025} has no layout "),
        (["--pays", "tie=nine"], "--pays tie: found "),
        (["--pays", "tiger=9 to 1"], "--pays tiger: the bet has 2 odds "),
        (["--stake", "tie=-1"], "--stake tie: amount: found "),
    ],
)
def test_nothing_is_warned_of_before_a_refusal(run: Run, arguments: list[str], message: str) -> None:
    """12 decks would be warned of; but nothing is analysed."""
    assert refused(run, "odds", NONCOMMISSION_2025, "--decks", "12", *arguments).startswith(message)


def test_nothing_is_warned_of_before_a_range_is_refused(run: Run) -> None:
    for arguments in (["--joint"], ["--detail"], ["--removed", "A"], ["--stake", "tie=1"]):
        assert refused(run, "odds", COMMISSION_2013, "--decks", "1-12", *arguments) == ALONE
    assert refused(run, "odds", COMMISSION_2013, "--decks", "1-12", "--bet", "tiger").startswith(
        f'{COMMISSION_2013} has no bet "tiger"'
    )
    assert refused(run, "compare", *GAMES, "--decks", "12", "--removed", "Z").startswith("--removed: card ")


def test_compare_warns_for_the_games_that_do_not_allow_the_shoe(run: Run) -> None:
    ran = run("compare", COMMISSION_2013, NONCOMMISSION_2025, "--decks", "10", "--format", "csv")
    assert ran.code == 0
    assert ran.err == (
        f"combinat: warning: {COMMISSION_2013} allows 4 to 8 decks (2.2.1); 10 is analysed all the same\n"
    )


# ---------------------------------------------------------------- refusals

CARDS = "write a rank, = and a whole number, such as A=31"
IT_HAS = f"It has: {', '.join(BETS[NONCOMMISSION_2025])}"
LAYOUTS = f"It has: {', '.join('ABCDEFGHIJKLMNOPQR')}"
AMOUNT = "write digits with at most one point, such as 100 or 12.50 (15 digits and 9 decimals at most)"
ODDS = 'write the profit to a stake, such as "50 to 1", "0.95 to 1", "3 to 2" or "1 to 1 less 5%", or "push" or "lose"'
WHOLE = "write a whole number of 1 or more, such as 8, up to 999999"
RANGE = (
    "write 1 or more decks, the fewest first, such as 4-10 or 4,6,8, at most 100 of them, up to 999999 decks"
)
ALONE = "--decks with a range goes with --bet, --layout, --pays, --reading and --format alone"
ALL_LEFT = "--cards says all that is left; it does not go with --decks or --removed"

REFUSALS: list[tuple[list[str], str]] = [
    (["--cards", "A=-1"], f'--cards: found "A=-1"; {CARDS}'),
    (["--cards", "A=31 2=1.5"], f'--cards: found "2=1.5"; {CARDS}'),
    (["--cards", "A=1e3"], f'--cards: found "A=1e3"; {CARDS}'),
    (["--cards", "A=x"], f'--cards: found "A=x"; {CARDS}'),
    (["--cards", "A="], f'--cards: found "A="; {CARDS}'),
    (["--cards", "A"], f'--cards: found "A"; {CARDS}'),
    (["--cards", "A=٣"], f'--cards: found "A=٣"; {CARDS}'),
    (["--cards", "1=4"], f'--cards: card "1" does not exist; write one of {" ".join(RANKS)}'),
    (["--cards", "A=1 a=2"], "--cards: A is given twice; write each rank once"),
    (["--cards", ""], '--cards: nothing given; write what is left, such as "A=31 2=32 K=32"'),
    (["--cards", "A=4", "--decks", "8"], ALL_LEFT),
    (["--cards", "A=4", "--removed", "A"], ALL_LEFT),
    (["--removed", "A B"], f'--removed: card "B" does not exist; write one of {" ".join(RANKS)}'),
    (["--removed", "A=3"], f'--removed: card "A=3" does not exist; write one of {" ".join(RANKS)}'),
    (["--removed", "A " * 33], "--removed: cannot remove 33 of A: the shoe holds 32"),
    (["--decks", "4", "--removed", "9 " * 17], "--removed: cannot remove 17 of 9: the shoe holds 16"),
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
    (["--decks", "5-105"], f'--decks: found "5-105"; {RANGE}'),
    (["--decks", "0-0"], f'--decks: found "0-0"; {RANGE}'),
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
    (["--layout", "Z"], f'{NONCOMMISSION_2025} has no layout "Z". {LAYOUTS}'),
    (["--layout", ""], f'{NONCOMMISSION_2025} has no layout "". {LAYOUTS}'),
    (["--layout", "", "--bet", "tie"], f'{NONCOMMISSION_2025} has no layout "". {LAYOUTS}'),
    (["--decks", "4-10", "--layout", ""], f'{NONCOMMISSION_2025} has no layout "". {LAYOUTS}'),
    (
        ["--layout", "P", "--bet", "tie", "--bet", "big-tiger"],
        "layout P does not offer big-tiger; it offers player, banker, tie, banker-big-7, banker-small-7, "
        "player-big-7, player-small-7, tiger-pair, tiger, wu-dalang",
    ),
    (["--pays", "big-tiger=fifty"], f'--pays big-tiger: found "fifty"; {ODDS}'),
    (["--pays", "big-tiger=50"], f'--pays big-tiger: found "50"; did you mean "50 to 1"? W{ODDS[1:]}'),
    (["--pays", "big-tiger=-5 to 1"], f'--pays big-tiger: found "-5 to 1"; {ODDS}'),
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
    (["--layout", "P", "--stake", "big-tiger=5"], "--stake big-tiger: layout P does not offer it"),
    (
        ["--layout", "A", "--stake", "tie=5", "--stake", "wu-dalang=5"],
        "--stake wu-dalang: layout A does not offer it",
    ),
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
    assert refused(run, "odds", NONCOMMISSION_2025, "--pays", f"tiger={odds}") == (
        f"--pays tiger: the bet has 2 odds (two cards (12 to 1), three cards (20 to 1)); found {count}; "
        "write one for each, separated by commas"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--bet", "big\ntiger"], f'{NONCOMMISSION_2025} has no bet "big tiger"'),
        (["--layout", "P\n"], f'{NONCOMMISSION_2025} has no layout "P "'),
        (["--pays", "tie=9\nto 1"], '--pays tie: found "9 to 1"; did you mean "9 to 1"?'),
        (["--pays", "tie\n"], '--pays: found "tie "; write BET=ODDS'),
        (["--stake", "tie=1\r\n2"], f'--stake tie: amount: found "1 2"; {AMOUNT}'),
        (["--decks", "8\n"], f'--decks: found "8 "; {WHOLE}'),
        (["--decks", "4\n-10"], f'--decks: found "4 -10"; {WHOLE}'),
        (["--cards", "A=1\u2028B=1"], '--cards: card "B" does not exist'),
    ],
)
def test_a_newline_in_an_argument_gives_one_line(run: Run, arguments: list[str], message: str) -> None:
    assert refused(run, "odds", NONCOMMISSION_2025, *arguments).startswith(message)


def test_a_newline_in_a_game_gives_one_line(run: Run) -> None:
    assert refused(run, "odds", "tiger\nbuffalo").startswith('no game "tiger buffalo"')
    assert refused(run, "compare", COMMISSION_2013, "tiger\nbuffalo").startswith('no game "tiger buffalo"')


def test_a_stake_on_a_bet_that_the_layout_offers(run: Run) -> None:
    arguments = ["odds", NONCOMMISSION_2025, "--layout", "p", "--bet", "tie"]
    record = loaded(run, *arguments, "--stake", "tiger=5")
    assert record["combination"]["stakes"] == {"tiger": "5"}
    assert [bet["id"] for bet in record["bets"]] == ["tie"]


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
        ([*GAMES, "--cards", "A=-1"], f'--cards: found "A=-1"; {CARDS}'),
        ([*GAMES, "--removed", "A " * 33], "--removed: cannot remove 33 of A: the shoe holds 32"),
    ],
)
def test_what_cannot_be_compared_is_said_in_one_line(run: Run, arguments: list[str], message: str) -> None:
    assert refused(run, "compare", *arguments) == message


# ---------------------------------------------------------------- what is not loaded

HEAVY = ("sympy", "scipy", "matplotlib", "numpy", "typst")

WATCH = f"""
import sys

class Watch:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {HEAVY!r}:
            print("asked for", name, file=sys.stderr)

sys.meta_path.insert(0, Watch())
"""

ODDS_COMMANDS = f"""
from combinat.cli import main
everything = "--bet tiger --detail --joint --stake tiger=5 --interpretations --format json"
for arguments in ("", everything):
    sys.argv = ["combinat", "odds", "{NONCOMMISSION_2025}", *arguments.split()]
    try:
        main()
    except SystemExit as leaving:
        print(leaving.code, file=sys.stderr)
print(sorted(set({HEAVY!r}) & set(sys.modules)), file=sys.stderr)
"""


def python(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)


def test_odds_loads_no_heavy_library() -> None:
    """Not even asked for, whether or not it is installed."""
    ran = python(WATCH + ODDS_COMMANDS)
    assert (ran.returncode, ran.stderr) == (0, "0\n0\n[]\n")
    assert ran.stdout.count("combinat/odds/1") == 1
    assert "Tiger" in ran.stdout


def test_the_watch_sees_every_heavy_library() -> None:
    asked = "\n".join(f"importlib.util.find_spec({library!r})" for library in HEAVY)
    watched = python(f"{WATCH}\nimport importlib.util\n{asked}\n")
    assert watched.stderr == "".join(f"asked for {library}\n" for library in HEAVY)
