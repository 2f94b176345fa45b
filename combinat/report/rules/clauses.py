"""The clause trace: every clause that the rule book uses, with where; and those without bearing, with why."""

from collections.abc import Sequence
from typing import Any

from combinat.base.kinds import CLAUSE
from combinat.render.blocks import Block, Column, Paragraph, Section, Table, table
from combinat.report.rules.citations import Covered, clause_order, clauses_in_use, covered_clauses
from combinat.rules.book.find import document_clauses
from combinat.rules.game import Game

TITLE = "Clause trace"


def trace_blocks(game: Game) -> tuple[Block, ...]:
    """The clauses in use, those without bearing on the mathematics, and of a shipped game the headings and parts."""
    without: tuple[Block, ...] = (
        (Paragraph("Clauses without bearing on the mathematics:"), no_bearing_table(game))
        if game.no_bearing
        else (Paragraph("The rule book names no clause as having no bearing on the mathematics."),)
    )
    return (
        Paragraph("Clauses that the rule book uses, and for what:"),
        in_use_table(game),
        *without,
        *covered_blocks(game),
    )


def in_use_table(game: Game) -> Table:
    """A line for every clause that the rule book uses."""
    rows = [
        (clause, "; ".join(_used(what, ids) for what, ids in by.items()))
        for clause, by in clauses_in_use(game).items()
    ]
    return table((Column("clause", CLAUSE), Column("used for")), rows)


def _used(what: str, ids: Sequence[str]) -> str:
    """What a clause is used for: ``bet player-pair, banker-pair``."""
    return f"{what} {', '.join(ids)}" if ids else what


def no_bearing_table(game: Game) -> Table:
    """A line for every clause that no figure depends on, in the order of the document."""
    reasons = {clause: entry.why for entry in game.no_bearing for clause in entry.clauses}
    rows = [(clause, reasons[clause]) for clause in sorted(reasons, key=clause_order)]
    return table((Column("clause", CLAUSE), Column("why it has no bearing")), rows)


def covered_blocks(game: Game) -> tuple[Section, ...]:
    """Of a shipped game, the clauses of its document that are not named by themselves; nothing of another."""
    covered = covered_clauses(game, document_clauses(game.id))
    return (covered_section(covered),) if covered else ()


def covered_section(covered: Sequence[Covered]) -> Section:
    """A line for every clause that is not named by itself: what it is a part of, or the heading of."""
    return Section(
        "Headings and parts",
        (
            Paragraph("Clauses that the trace does not name by themselves, and where it has them:"),
            covered_table(covered),
        ),
    )


def covered_table(covered: Sequence[Covered], caption: str = "") -> Table:
    """A line for every clause that is not named by itself."""
    rows = [(one.clause, _covered_by(one)) for one in covered]
    return table((Column("clause", CLAUSE), Column("covered by")), rows, caption)


def _covered_by(one: Covered) -> str:
    if one.part_of:
        return f"{one.part_of}, of which it is a part"
    return f"its parts {', '.join(one.parts)}" if one.parts else "nothing"


def covered_json(covered: Sequence[Covered]) -> list[dict[str, Any]]:
    """The clauses that are not named by themselves, for the key ``clauses_covered``."""
    return [
        {"clause": one.clause, "part_of": one.part_of or None, "parts": list(one.parts)} for one in covered
    ]


def trace_json(game: Game) -> list[dict[str, Any]]:
    """The clauses in use, for the key ``clauses_in_use``."""
    return [
        {"clause": clause, "used_for": [{"what": what, "ids": ids} for what, ids in by.items()]}
        for clause, by in clauses_in_use(game).items()
    ]
