"""Games side by side, as people and programs read them."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import chain

from combinat.analysis.odds import Analysis
from combinat.base.kinds import COUNT, FRACTION, TEXT, percentage
from combinat.base.relation import Document, Field, Many, Relation
from combinat.render.blocks import Cell, Column, Figure, Paragraph, Section, Table, Terms, table
from combinat.report.analysis.odds import PERCENT, shoe_in_words
from combinat.report.game_fields import SHOE
from combinat.report.phrases import ROUNDING
from combinat.report.relation_tables import program_table

LETTERS = "ABCD"
"""The columns of the games."""


ComparedBet = tuple[str, tuple[Fraction | None, ...]]
"""The id of a bet, and its house edge in each game; None: the game does not have the bet."""


def compared(analyses: Sequence[Analysis]) -> list[ComparedBet]:
    """Return every bet that one of the games has."""
    edges = [{bet.id: bet.house_edge for bet in analysis.bets} for analysis in analyses]
    return [(bet, tuple(of_game.get(bet) for of_game in edges)) for bet in dict.fromkeys(chain(*edges))]


def comparison_document(analyses: Sequence[Analysis]) -> Section:
    """Return the house edge of each bet, and how it differs from the first game's."""
    letters = LETTERS[: len(analyses)]
    columns = (
        Column("house edge %"),
        *(Column(letter, PERCENT) for letter in letters),
        *(Column(f"{letter} - A", percentage(4, signed=True)) for letter in letters[1:]),
    )
    rows = [
        (bet, *edges, *(_difference(edges[0], edge) for edge in edges[1:]))
        for bet, edges in compared(analyses)
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


def _difference(first: Fraction | None, edge: Fraction | None) -> Cell:
    """By how much a house edge differs from the first game's; a plain 0 is exact, and not rounded."""
    if first is None or edge is None:
        return None
    return Figure(0, COUNT) if edge == first else edge - first


def comparison_csv(analyses: Sequence[Analysis]) -> Table:
    """Return the house edge of each bet, a line a bet, a column a game, named by its id."""
    games = [_edge_in(analysis.game.id, place) for place, analysis in enumerate(analyses)]
    return program_table(COMPARED.select("id").extended(*games), compared(analyses))


def _edge_in(game: str, place: int) -> Field[ComparedBet]:
    return Field(
        game, game, FRACTION, "Expected loss per unit staked in this game.", lambda row: row[1][place]
    )


COMPARED: Relation[ComparedBet] = Relation(
    "compared bets",
    Field("id", "bet", TEXT, "The bet's id.", lambda row: row[0]),
    Field(
        *("house_edge", "house edge %", Many(FRACTION, or_none=True)),
        "Expected loss per unit staked in each game; null where it is not offered.",
        lambda row: row[1],
    ),
)

COMPARISON: Document[Sequence[Analysis]] = Document(
    "combinat/compare/1",
    "House edges side by side: combinat odds with several games.",
    Field("games", "games", Many(TEXT), "The games' ids.", lambda row: [one.game.id for one in row]),
    Field("shoe", "shoe", SHOE, "The shoe of all of them.", lambda row: row[0].shoe),
    Field("bets", "bets", Many(COMPARED), "The bets of all of them.", compared),
)
