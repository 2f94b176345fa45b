"""The documents of odds found for a target."""

from fractions import Fraction
from operator import attrgetter
from typing import Any

from combinat.analysis.bets import BETS
from combinat.analysis.solve import CHOSEN_LINES, CHOSEN_ODDS, SOLVED_LINES, HitSolution, Solution
from combinat.base.kinds import FRACTION, TEXT
from combinat.base.relation import Document, Either, Field, Many, Relation
from combinat.render.blocks import Figure, Section, Table, Words, section
from combinat.report.analysis.odds import FINE, exact_and_decimal, shoe_in_words
from combinat.report.phrases import ROUNDING
from combinat.report.provisos import GAME, SHOE
from combinat.report.relation_tables import program_table, view_table


def solution_document(solution: Solution | HitSolution) -> Section:
    """Return the odds at which a bet has exactly the target edge, and payable odds near them.

    For a hit frequency: the choices of lines to pay with which a bet wins about as often as the target.
    """
    title, shoe = f"{solution.game.name}: {solution.now.name}", shoe_in_words(solution.shoe)
    edge = Figure(solution.now.house_edge, FINE, after=" %")
    if isinstance(solution, HitSolution):
        hit = Figure(solution.now.hit_frequency, FINE, after=" %")
        said: dict[str, Words | None] = {
            "Shoe": shoe,
            "Wanted": ("a hit frequency of ", Figure(solution.wanted, FINE, after=" %")),
            "Now": ("wins ", hit, " of rounds, a house edge of ", edge),
        }
        choices = view_table(CHOSEN_LINES, solution.choices)
        return section(title, said, choices, f"{OF_A_LINE}{_of_lines_back(solution)} {ROUNDING}")
    factor = solution.factor if len(solution.lines) > 1 else None
    said = {
        "Shoe": shoe,
        "Wanted": ("a house edge of ", Figure(-solution.wanted, FINE, after=" %")),
        "Now": (solution.now.pays, ", a house edge of ", edge),
        "Factor on all odds": None if factor is None else exact_and_decimal(factor, 9),
    }
    lines, payable = view_table(SOLVED_LINES, solution.lines), view_table(CHOSEN_ODDS, solution.payable)
    return section(title, said, lines, payable, f"{SEARCH} {ROUNDING}")


def solution_csv(solution: Solution | HitSolution) -> Table:
    """Return a row for every choice of odds (exact and payable), or of the lines to pay."""
    if isinstance(solution, HitSolution):
        return program_table(CHOSEN_LINES, solution.choices)
    return program_table(CHOSEN_ODDS, solution.records())


SEARCH = (
    "Payable odds: the nearest to the house edge wanted, then pay tables whose shape is nearer to that of the "
    "exact odds. Largest change: of one line, against its exact odds."
)


def _of_lines_back(solution: HitSolution) -> str:
    """Return a sentence about lines that are now returned and are paid in a choice, or "" if there are none."""
    lifted = [name for name in solution.back_now if any(name in choice.paying for choice in solution.choices)]
    if not lifted:
        return ""
    return (
        f" A line that returns the stake now ({', '.join(lifted)}) pays 1 to 1 in a choice in which it pays."
    )


OF_A_LINE = "Odds do not change how often a line occurs. The hit frequency of a bet depends on which lines pay and which return the stake."


def _common(of: str) -> list[Field[Any]]:
    """Return the keys of both documents; ``of``: the target figure."""
    sign = -1 if of == "house_edge" else 1
    wanted: Relation[Fraction] = Relation(
        "wanted", Field(of, of, FRACTION, "The figure wanted.", lambda value: sign * value)
    )
    return [
        *GAME.part(attrgetter("game")),
        Field("shoe", "shoe", SHOE, "The shoe."),
        Field("bet", "bet", TEXT, "The bet's id.", lambda solution: solution.now.id),
        Field("now", "now", BETS.select("house_edge", "hit_frequency"), "The bet as the document has it."),
        Field("wanted", "wanted", wanted, "The figure wanted."),
    ]


ABOUT = "Odds for a wanted edge: combinat solve."

SOLVED_EDGE: Document[Solution] = Document(
    "combinat/solve/1",
    ABOUT,
    *_common("house_edge"),
    Field("factor", "factor", FRACTION, "By what all lines are multiplied.", may_be_none=True),
    Field("lines", "lines", Many(SOLVED_LINES), "The lines that were solved for."),
    Field("payable", "payable", Many(CHOSEN_ODDS), "Odds near those that can be paid."),
)

SOLVED_HIT: Document[HitSolution] = Document(
    "combinat/solve/1",
    ABOUT,
    *_common("hit_frequency"),
    Field(
        "back_now",
        "back now",
        Many(TEXT),
        "The lines that return the stake now; in a choice in which they pay, they pay 1 to 1.",
    ),
    Field("choices", "choices", Many(CHOSEN_LINES), "Which lines pay, and which come back."),
)

SOLVED = Either({Solution: SOLVED_EDGE, HitSolution: SOLVED_HIT})
"""The answer of ``solve`` as a document."""
