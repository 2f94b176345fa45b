"""Games side by side, as people and programs read them."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from combinat.analysis.analysis import Analysis
from combinat.analysis.comparison import compared
from combinat.base.kinds import COUNT, FRACTION, percentage
from combinat.base.number import exact
from combinat.render.blocks import Cell, Column, Figure, Paragraph, Section, Table, Terms, table
from combinat.report.answer import shoe_json
from combinat.report.odds import PERCENT, shoe_in_words
from combinat.report.phrases import ROUNDING

LETTERS = "ABCD"
"""The columns of the games."""


def comparison_document(analyses: Sequence[Analysis]) -> Section:
    """The house edge of each bet, and how it differs from the first game's."""
    letters = LETTERS[: len(analyses)]
    columns = (
        Column("house edge %"),
        *(Column(letter, PERCENT) for letter in letters),
        *(Column(f"{letter} - A", percentage(4, signed=True)) for letter in letters[1:]),
    )
    rows = [
        (bet.bet, *bet.house_edges, *(_difference(change) for change in bet.differences))
        for bet in compared(analyses)
    ]
    return Section(
        "Bets side by side",
        (
            Terms({letter: analysis.game.id for letter, analysis in zip(letters, analyses, strict=True)}),
            Paragraph(f"Shoe: {shoe_in_words(analyses[0].shoe)}."),
            table(columns, rows),
            Paragraph(ROUNDING),
        ),
    )


def _difference(change: Fraction | None) -> Cell:
    """A difference with its sign; a plain 0 is exact, and not rounded."""
    return Figure(change, COUNT) if change == 0 else change


def comparison_csv(analyses: Sequence[Analysis]) -> Table:
    """The house edge of each bet, a line a bet, a column a game, named by its id."""
    columns = (Column("bet"), *(Column(analysis.game.id, FRACTION) for analysis in analyses))
    return table(columns, [(bet.bet, *bet.house_edges) for bet in compared(analyses)])


def comparison_json(analyses: Sequence[Analysis]) -> dict[str, Any]:
    """The comparison under the schema ``combinat/compare/1``."""
    return {
        "schema": "combinat/compare/1",
        "games": [analysis.game.id for analysis in analyses],
        "shoe": shoe_json(analyses[0].shoe),
        "bets": [
            {"id": bet.bet, "house_edge": [exact(edge) for edge in bet.house_edges]}
            for bet in compared(analyses)
        ],
    }
