"""The CSV tables of a report: exact columns in lowest terms, decimals rounded once, nothing left out."""

import csv
import re
from copy import deepcopy
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import msgspec
import pytest

from combinat import Game, load_game
from combinat.render.document import Table
from combinat.render.number import PLACES
from combinat.report import exact
from combinat.report.tables import report_tables, write_tables
from tests.documents import COMMISSION_2013, NONCOMMISSION_2025

DECKS = {COMMISSION_2013: (4, 8), NONCOMMISSION_2025: (10,)}
"""A game with insurance and one without, the latter where counts have the most digits."""

INSURANCE = {"insurance", "insurance-by-third-card"}
EVERYWHERE = {"bets", "outcomes", "joint", "interpretations", "removal", "formulas"}


BETS = {"banker", "player-pair", "tiger-pair", "wu-dalang"}
"""The bets of the game without insurance that are looked at: of its twenty, those unlike the rest."""


@cache
def game_of(game: str) -> Game:
    whole = load_game(game)
    if game == COMMISSION_2013:
        return whole
    return msgspec.structs.replace(whole, bets=tuple(bet for bet in whole.bets if bet.id in BETS))


@cache
def analysis_of(game: str) -> dict[str, Any]:
    """The analysis of a game as ``analysis.json`` has it, without the closed forms of insurance states."""
    with mock.patch.object(exact, "state_formulas", return_value=()):
        return exact.analysis_json(game_of(game), "0123456789abcdef" * 4, DECKS[game])


@cache
def tables_of(game: str) -> dict[str, Table]:
    return report_tables(analysis_of(game))


def records(table: Table) -> list[dict[str, str]]:
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def record(table: Table, **wanted: str) -> dict[str, str]:
    """The one row with these cells."""
    (found,) = [one for one in records(table) if wanted.items() <= one.items()]
    return found


@pytest.mark.parametrize("game", DECKS)
def test_a_game_without_insurance_lacks_its_tables(game: str) -> None:
    assert set(tables_of(game)) == EVERYWHERE | (INSURANCE if game == COMMISSION_2013 else set())


def test_every_bet_outcome_and_state_has_its_row() -> None:
    rows = {stem: len(table.rows) for stem, table in tables_of(COMMISSION_2013).items()}
    assert rows == {
        "bets": 5 * 2,
        "outcomes": (3 + 3 + 2 + 2 + 2) * 2,
        "joint": 10 * 2,
        "insurance": 73 * 2,
        "insurance-by-third-card": 197 * 2,
        "interpretations": 52,
        "removal": 5 * 13,
        "formulas": 12,
    }


@pytest.mark.parametrize("game", DECKS)
def test_columns_are_named_once_in_small_letters(game: str) -> None:
    for table in tables_of(game).values():
        assert len(set(table.columns)) == len(table.columns)
        assert all(re.fullmatch(r"[a-z]+(_[a-z]+)*", column) for column in table.columns)


@pytest.mark.parametrize("game", DECKS)
def test_a_decimal_is_its_exact_neighbour_rounded_half_to_even(game: str) -> None:
    """Rounded again by another road: long division with 200 digits, then one quantization."""
    many, compared = Context(prec=200), 0
    for table in tables_of(game).values():
        named = {column: place for place, column in enumerate(table.columns)}
        for column, place in named.items():
            if f"{column}_decimal" not in named:
                continue
            assert named[f"{column}_decimal"] == place + 1
            for row in table.rows:
                value = Fraction(row[place])
                assert str(value) == row[place]
                divided = many.divide(Decimal(value.numerator), Decimal(value.denominator))
                unit = Decimal(1).scaleb(-PLACES)
                rounded = divided.quantize(unit, rounding=ROUND_HALF_EVEN, context=many)
                assert Decimal(row[place + 1]) == rounded
                assert len(row[place + 1].partition(".")[2]) == PLACES
                compared += 1
    assert compared > 200


def test_published_figures_stand_in_their_rows() -> None:
    """A pair wins 31 times in 415 with 8 decks and pays 11 to 1: an edge of 43/415."""
    tables = tables_of(COMMISSION_2013)
    pair = record(tables["bets"], decks="8", bet="player-pair")
    assert (pair["house_edge"], pair["house_edge_decimal"]) == ("43/415", "0.103614457831")
    assert pair["standard_deviation_decimal"] == "3.154856488941"
    won = record(tables["outcomes"], decks="8", bet="banker", outcome="Banker wins")
    assert (won["odds"], won["net"], won["ways"]) == ("0.95 to 1", "19/20", "2292252566437888")


@pytest.mark.parametrize(
    ("game", "decks", "space"),
    [
        (COMMISSION_2013, "4", 75_297_571_090_560),
        (COMMISSION_2013, "8", 4_998_398_275_503_360),
        (NONCOMMISSION_2025, "10", 19_206_486_926_827_200),
    ],
)
def test_the_ways_of_a_bet_add_up_to_every_card_sequence(game: str, decks: str, space: int) -> None:
    ways: dict[str, int] = {}
    for row in records(tables_of(game)["outcomes"]):
        if row["decks"] == decks:
            assert row["sample_space"] == str(space)
            ways[row["bet"]] = ways.get(row["bet"], 0) + int(row["ways"])
    assert set(ways) == {bet.id for bet in game_of(game).bets}
    assert set(ways.values()) == {space}


def test_third_cards_make_up_their_state() -> None:
    tables = tables_of(COMMISSION_2013)
    keys = ("decks", "side", "stage", "player_points", "banker_points")
    states = {tuple(row[key] for key in keys): row for row in records(tables["insurance"])}
    for figure in ("wins", "pushes", "loses"):
        made: dict[tuple[str, ...], Fraction] = {}
        for row in records(tables["insurance-by-third-card"]):
            state = tuple(row[key] for key in keys)
            made[state] = made.get(state, Fraction(0)) + Fraction(row["probability"]) * Fraction(row[figure])
        assert len(made) > 50
        for state, found in made.items():
            row = states[state]
            assert found == Fraction(row["probability"]) * Fraction(row[figure])


def test_a_row_of_coefficients_gives_the_expected_value() -> None:
    tables = tables_of(COMMISSION_2013)
    formula = record(tables["formulas"], of="banker", figure="expected value")
    for decks in DECKS[COMMISSION_2013]:
        top, bottom = (
            sum(int(part) * decks**power for power, part in enumerate(formula[side].split()))
            for side in ("numerator", "denominator")
        )
        value = record(tables["bets"], decks=str(decks), bet="banker")["expected_value"]
        assert Fraction(top, bottom) == Fraction(value)


def test_a_figure_that_does_not_exist_is_an_empty_cell() -> None:
    analysis = deepcopy(analysis_of(COMMISSION_2013))
    analysis["decks"][0]["bets"][0].update(fair_odds=None, skewness=None)
    row = records(report_tables(analysis)["bets"])[0]
    assert (row["fair_odds"], row["fair_odds_decimal"], row["skewness_decimal"]) == ("", "", "")


@pytest.mark.parametrize("game", DECKS)
def test_what_is_written_reads_back(game: str, tmp_path: Path) -> None:
    tables = tables_of(game)
    paths = write_tables(analysis_of(game), tmp_path)
    assert [path.relative_to(tmp_path).as_posix() for path in paths] == [
        f"tables/{stem}.csv" for stem in tables
    ]
    assert sorted((tmp_path / "tables").iterdir()) == sorted(paths)
    for path in paths:
        written = path.read_bytes()
        assert written.isascii()
        assert written.endswith(b"\n")
        assert not written.endswith(b"\n\n")
        head, *rows = csv.reader(written.decode().splitlines())
        assert head == list(tables[path.stem].columns)
        assert rows == [list(row) for row in tables[path.stem].rows]
