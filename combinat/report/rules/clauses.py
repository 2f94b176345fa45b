"""The clause trace: every clause that the rule book uses, with its uses; and those without effect, with the reason."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from combinat.base.kinds import CLAUSE
from combinat.render.blocks import Block, Cell, Column, Paragraph, table
from combinat.report.rules.citations import Covered, clause_order, clauses_in_use, covered_clauses
from combinat.rules.book.find import document_clauses
from combinat.rules.game import Game


def _used(what: str, ids: Sequence[str]) -> str:
    """Return the use of a clause: ``bet player-pair, banker-pair``."""
    return f"{what} {', '.join(ids)}" if ids else what


def trace_blocks(game: Game, used: Callable[[str, Sequence[str]], str] | None = None) -> Iterator[Block]:
    """Yield the clauses in use, those without effect on the mathematics, and headings and parts of a shipped document.

    ``used``: a report's words for a use, from its sort and its ids; the report joins clauses with the same uses.
    """
    column = Column("clause", CLAUSE)
    uses = [
        (clause, "; ".join((used or _used)(what, ids) for what, ids in by.items()))
        for clause, by in clauses_in_use(game).items()
    ]
    yield table(
        (column, Column("used for", name="used_for")), folded(uses) if used else uses, "Clauses in use"
    )
    reasons = {clause: entry.why for entry in game.no_bearing for clause in entry.clauses}
    if reasons:
        rows = [(clause, reasons[clause]) for clause in sorted(reasons, key=clause_order)]
        yield table((column, Column("why")), rows, "Clauses without effect on the mathematics")
    else:
        yield Paragraph("The rule book lists no clause without effect on the mathematics.")
    if covered := covered_clauses(game, document_clauses(game.id)):
        parts = [(one.clause, _covered_by(one)) for one in covered]
        caption = "Headings and parts that the trace does not list separately"
        yield table((column, Column("covered by", name="covered_by")), parts, caption)


def folded(rows: Iterable[tuple[Cell, ...]]) -> list[tuple[Cell, ...]]:
    """Return the rows; a row that repeats all but the first cell of the row above is joined to it: ``Big Tiger, Small Tiger``."""
    made: list[tuple[Cell, ...]] = []
    for row in rows:
        if made and made[-1][1:] == row[1:]:
            made[-1] = (f"{made[-1][0]}, {row[0]}", *row[1:])
        else:
            made.append(row)
    return made


def _covered_by(one: Covered) -> str:
    if one.part_of:
        return f"{one.part_of}, of which it is a part"
    return f"its parts {', '.join(one.parts)}" if one.parts else "nothing"
