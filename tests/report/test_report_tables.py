"""The CSV tables of a report: exact columns in lowest terms, decimals rounded once, nothing left out.

Every cell is derived again by the second reader; here stands what it does not ask.
"""

import csv
import json
import re
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from combinat.analysis.dossier import Dossier
from combinat.analysis.figure import Whole
from combinat.certify.analysis_file import analysis_bytes
from combinat.render.kinds import FRACTION, Sort
from combinat.report.tables import tables, tables_files
from combinat.rules.book.load import RuleBook, parsed_rule_book
from tests import computed
from tests.paths import TESTS
from tests.report.second_reader import compared_tables

GOOD = TESTS / "corpus" / "rulebooks" / "good.toml"
DECKS = (1, 8, 10)
"""Where counts have the fewest digits, the reference, and where they have the most."""

HOSTILE = {
    'name = "Small Baccarat"': 'name = "=1+1 <b>Small</b> | Baccarat"',
    'name = "Lucky Six"': 'name = "@Lucky, \\"Six\\" _x0041_"',
    'name = "tie"': 'name = "=tie"',
    'question = "Must': 'question = "=1+1; must',
    'operator = "House"': 'operator = "+House & Söhne"',
    'clauses = ["1.2"]': 'clauses = ["=1.2", "<1.3>"]',
    'defined = "1.2"\nsettled = "4.2"': 'defined = "1.2"\nsettled = "@4.2"',
    'banker_points = "0-5", odds = "4 to 1"': 'banker_points = "0-5", odds = "9 to 1"',
}
"""What a stranger may write; and odds that favour the player."""


@cache
def small_book() -> RuleBook:
    """A small rule book whose texts are markup and formulas: two bets, and insurance at both stages."""
    text = GOOD.read_text("utf-8")
    for plain, hostile in HOSTILE.items():
        assert text.count(plain) == 1
        text = text.replace(plain, hostile)
    return parsed_rule_book(text.encode(), GOOD)


@cache
def small_dossier() -> Dossier:
    return computed.dossier_of(small_book(), DECKS)


def without_insurance(whole: Dossier) -> Dossier:
    shoes = tuple(replace(shoe, insurance=(), third_cards=()) for shoe in whole.shoes)
    examples = tuple(replace(example, insurance=()) for example in whole.examples)
    whole = replace(whole, examples=examples)
    return replace(whole, shoes=shoes, not_offered=(), ranges=(), insured=(), insurance_tables=())


def as_analysis(whole: Dossier) -> Any:
    """The dossier as ``analysis.json`` has it, read without combinat's reader."""
    return json.loads(analysis_bytes(whole))


def stems(whole: Dossier) -> dict[str, bytes]:
    return {Path(name).stem: content for name, content in tables_files(whole).items()}


def records(whole: Dossier, stem: str) -> list[dict[str, str]]:
    return list(csv.DictReader(stems(whole)[stem].decode().splitlines()))


def test_every_cell_is_what_the_analysis_says() -> None:
    analysis = as_analysis(small_dossier())
    cells = sum(len(table.columns) * len(table.rows) for table in tables(small_dossier()).values())
    assert compared_tables(stems(small_dossier()), analysis) == cells == 9_064


def test_every_record_has_its_row() -> None:
    whole = small_dossier()
    rows = {stem: len(table.rows) for stem, table in tables(whole).items()}
    assert rows == {
        "bets": 2 * 3,
        "outcomes": (3 + 2) * 3,
        "joint": 1 * 3,
        "insurance": 14 * 3,
        "insurance-by-third-card": sum(len(shoe.third_cards) for shoe in whole.shoes),
        "insurance-not-offered": len(whole.not_offered),
        "insurance-ranges": 14,
        "insurance-habits": 6,
        "interpretations": 1,
        "examples": 2 * len(whole.examples),
        "examples-insurance": sum(len(example.insurance) for example in whole.examples),
        "combination": len(whole.combination.outcomes),
        "protection": 2,
        "counts": (2 + 2) * 4,
        "insurance-protection": 2,
        "ceilings": (2 + 2) * 5,
        "shoe-ceilings": (2 + 2) * 5,
        "cut-cards": (2 + 2) * 3,
        "removal": 2 * 13,
        "formulas": 3 + 2 + 14 * 2,
        "operations": 2 * 4,
        "identities": 5 * 3,
    }


def test_a_table_without_rows_is_left_out() -> None:
    """A game without insurance has no table about it."""
    whole = without_insurance(small_dossier())
    assert set(tables(small_dossier())) - set(tables(whole)) == {
        *("insurance", "insurance-by-third-card", "insurance-not-offered", "insurance-ranges"),
        *("insurance-habits", "examples-insurance"),
    }
    assert "interpretations" not in tables(replace(whole, readings=()))


def test_columns_are_named_once_and_an_exact_one_stands_before_its_decimal() -> None:
    for table in tables(small_dossier()).values():
        heads = [column.head for column in table.columns]
        assert len(set(heads)) == len(heads)
        assert all(re.fullmatch(r"[a-z]+(_[a-z]+)*", head) for head in heads)
        for place, column in enumerate(table.columns):
            if column.kind.sort in (Sort.DECIMAL, Sort.ROOT):
                assert column.kind.places == 12
                assert column.head.endswith("_decimal")
            if column.kind == FRACTION and column.head != "odds":
                assert heads[place + 1] == f"{column.head}_decimal"
                assert all(row.cells[place] is row.cells[place + 1] for row in table.rows)


def test_the_ways_of_a_bet_add_up_to_every_card_sequence() -> None:
    ways: dict[tuple[str, str], int] = {}
    for row in records(small_dossier(), "outcomes"):
        key = row["decks"], row["bet"]
        ways[key] = ways.get(key, 0) + int(row["ways"])
    spaces = {"1": 14_658_134_400, "8": 4_998_398_275_503_360, "10": 19_206_486_926_827_200}
    assert ways == {(decks, bet): spaces[decks] for decks in spaces for bet in ("player", "lucky-six")}


def test_third_cards_make_up_their_state() -> None:
    keys = ("decks", "side", "stage", "player_points", "banker_points")
    states = {tuple(row[key] for key in keys): row for row in records(small_dossier(), "insurance")}
    for figure in ("wins", "pushes", "loses"):
        made: dict[tuple[str, ...], Fraction] = {}
        for row in records(small_dossier(), "insurance-by-third-card"):
            state = tuple(row[key] for key in keys)
            made[state] = made.get(state, Fraction(0)) + Fraction(row["probability"]) * Fraction(row[figure])
        assert len(made) == 7 * 3
        for state, share in made.items():
            assert share == Fraction(states[state]["probability"]) * Fraction(states[state][figure])


def test_a_row_of_coefficients_gives_the_expected_value() -> None:
    (formula,) = [
        row
        for row in records(small_dossier(), "formulas")
        if (row["of"], row["figure"]) == ("lucky-six", "expected value")
    ]
    values = {
        row["decks"]: row["expected_value"]
        for row in records(small_dossier(), "bets")
        if row["bet"] == "lucky-six"
    }
    assert set(values) == {"1", "8", "10"}
    for decks, value in values.items():
        top, bottom = (
            sum(int(part) * int(decks) ** power for power, part in enumerate(formula[side].split()))
            for side in ("numerator", "denominator")
        )
        assert Fraction(top, bottom) == Fraction(value)


def never_winning(whole: Dossier) -> Dossier:
    """The dossier as if the first bet could not win nor vary, and the first insurance state not arise."""

    def bare(shoe: Any) -> Any:
        bet, state, pair = shoe.bets[0], shoe.insurance[0], shoe.joint[0]
        lines = tuple(
            msgspec.structs.replace(line, ways=Whole(0), probability=Fraction(0))
            if line.net
            else msgspec.structs.replace(line, ways=shoe.sample_space, probability=Fraction(1))
            for line in bet.outcomes
        )
        nothing = msgspec.structs.replace(state, ways=Whole(0), won=Whole(0), lost=Whole(0))
        return replace(
            shoe,
            bets=(msgspec.structs.replace(bet, outcomes=lines), *shoe.bets[1:]),
            insurance=(nothing, *shoe.insurance[1:]),
            joint=(replace(pair, covariance=Fraction(0), variances=(Fraction(0), pair.variances[1])),),
        )

    return replace(whole, shoes=tuple(map(bare, whole.shoes)))


def test_a_figure_that_does_not_exist_is_an_empty_cell() -> None:
    whole = never_winning(small_dossier())
    bet, state = records(whole, "bets")[0], records(whole, "insurance")[0]
    absent = ("fair_odds", "fair_odds_decimal", "largest_payout", "edge_per_resolved_bet", "skewness_decimal")
    assert {bet[head] for head in absent} == {""}
    assert {state[head] for head in ("wins", "wins_decimal", "expected_value", "variance", "fair_odds")} == {
        ""
    }
    assert records(whole, "joint")[0]["correlation_decimal"] == ""
    assert compared_tables(stems(whole), as_analysis(whole))


def test_files_are_text_that_ends_in_one_newline_and_holds_no_formula() -> None:
    files = tables_files(small_dossier())
    assert list(files) == [f"tables/{stem}.csv" for stem in tables(small_dossier())]
    number = re.compile(r"-\d+(/\d+|\.\d+)?( -?\d+)*")
    for content in files.values():
        assert content.endswith(b"\n")
        assert not content.endswith(b"\n\n")
        assert b"\r" not in content
        for row in csv.reader(content.decode().splitlines()):
            assert not [cell for cell in row if cell[:1] in "=+-@" and cell and not number.fullmatch(cell)]
    names = {row["name"] for row in records(small_dossier(), "bets")}
    assert names == {"Player", '\'@Lucky, "Six" _x0041_'}
    assert "'=tie" in {row["outcome"] for row in records(small_dossier(), "outcomes")}
