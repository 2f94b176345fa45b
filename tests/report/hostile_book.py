"""A small rule book whose texts are markup and formulas, its dossier, and dossiers that lack something."""

import csv
import json
import tomllib
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from combinat.base.number import Whole
from combinat.certify.analysis_file import analysis_bytes
from combinat.certify.dossier import Dossier
from combinat.report.tables import tables_files
from combinat.report.workbook import workbook
from combinat.rules.book.load import parsed_game
from combinat.rules.game import Game
from tests import computed
from tests.paths import GOOD_BOOK

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
"""Texts that a stranger may write; and odds that favour the player."""


@cache
def small_game() -> Game:
    """The rule book: two bets, and insurance at both stages."""
    text = GOOD_BOOK.read_text("utf-8")
    for plain, hostile in HOSTILE.items():
        assert text.count(plain) == 1
        text = text.replace(plain, hostile)
    return parsed_game(text.encode(), GOOD_BOOK)


@cache
def small_dossier() -> Dossier:
    """Its dossier."""
    return computed.dossier_of(small_game(), DECKS)


def without_insurance(whole: Dossier) -> Dossier:
    """The dossier of a game that offers none."""
    shoes = tuple(replace(shoe, insurance=()) for shoe in whole.shoes)
    examples = tuple(replace(example, insurance=()) for example in whole.examples)
    return replace(
        whole,
        examples=examples,
        shoes=shoes,
        not_offered=(),
        third_cards=(),
        ranges=(),
        insured=(),
    )


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


@cache
def small_workbook() -> bytes:
    """Its workbook."""
    return workbook(small_dossier(), small_game())


@cache
def rule_book() -> dict[str, Any]:
    """The rule book, read without combinat's reader."""
    return tomllib.loads(small_game().content.decode())


def as_analysis(whole: Dossier) -> Any:
    """The dossier as ``analysis.json`` has it, read without combinat's reader."""
    return json.loads(analysis_bytes(whole))


def stems(whole: Dossier) -> dict[str, bytes]:
    """The CSV files of a report, by the names of the tables."""
    return {Path(name).stem: content for name, content in tables_files(whole).items()}


def records(whole: Dossier, stem: str) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    return list(csv.DictReader(stems(whole)[stem].decode().splitlines()))
