"""The clause trace: every clause that a rule book cites, with its uses, and the clauses without effect, with the reason."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from combinat.base.kinds import CLAUSE, TEXT
from combinat.base.relation import Field, Many, Relation
from combinat.render.blocks import Block, Cell, Column, Paragraph, table
from combinat.rules.book.find import document_clauses
from combinat.rules.document import Instead
from combinat.rules.game import Game
from combinat.rules.procedure import DealingErrors

_OF_DEALING_ERRORS = tuple(
    field.name for field in msgspec.structs.fields(DealingErrors) if field.name != "excludes"
)
CITING = ("clauses", "defined", "settled", "stood_clause", *_OF_DEALING_ERRORS)
"""The keys under which a rule book cites."""

_LISTS = {
    "bets": "bet",
    "layouts": "layout",
    "procedures": "procedure",
    "interpretations": "reading",
}
"""The names of the entries of lists."""

_SEPARATOR = re.compile(r"[,;] +(?=\d|Appendix)")
"""Between two clauses of one text; what follows another comma says more of the same clause."""


class Citation(NamedTuple):
    """A clause and the part of the rule book that cites it: ``bet``, with the bet's id if there are several."""

    clause: str
    what: str
    id: str = ""


def single_clauses(text: str) -> list[str]:
    """Return the clauses that a text names.

    >>> single_clauses("2.1.1, Appendix A"), single_clauses("1, Natural"), single_clauses("2.1.3; 3.3")
    (['2.1.1', 'Appendix A'], ['1, Natural'], ['2.1.3', '3.3'])
    """
    return _SEPARATOR.split(text)


def citations(game: Game) -> list[Citation]:
    """Return every clause that the game's rule book cites, with the citing part, in the order of the document."""
    cited = dict.fromkeys(_of_game(game))
    return sorted(cited, key=lambda citation: clause_order(citation.clause))


def _of_game(game: Game) -> Iterator[Citation]:
    for field in msgspec.structs.fields(game):
        if field.name in ("no_bearing", "followed", "document"):
            continue
        value = getattr(game, field.name)
        if field.name == "clauses":
            for name, text in msgspec.structs.asdict(value).items():
                yield from (
                    Citation(clause, name.replace("_", " ")) for clause in single_clauses(text) if clause
                )
        else:
            yield from _of_value(value, _LISTS.get(field.name, field.encode_name.replace("_", " ")))


def _of_value(value: Any, what: str, own_id: str = "") -> Iterator[Citation]:
    """Yield the clauses within a record or a list of records; those within another reading are left out."""
    if isinstance(value, tuple):
        for entry in value:
            yield from _of_value(entry, what, own_id or getattr(entry, "id", ""))
    elif isinstance(value, msgspec.Struct) and not isinstance(value, Instead):
        for name in value.__struct_fields__:
            inner = getattr(value, name)
            if name in CITING:
                named = msgspec.structs.astuple(inner) if isinstance(inner, msgspec.Struct) else inner
                texts = (named,) if isinstance(named, str) else named
                clauses = [clause for text in texts for clause in single_clauses(text) if clause]
                yield from (Citation(clause, what, own_id) for clause in clauses)
            else:
                yield from _of_value(inner, what, own_id)


def clause_order(clause: str) -> tuple[tuple[int, ...], str]:
    """Return the sort key of a clause: by its numbers, appendices last.

    >>> sorted(["Appendix A", "3.10", "3.9", "4.2.1b", "4.2.1a"], key=clause_order)
    ['3.9', '3.10', '4.2.1a', '4.2.1b', 'Appendix A']
    """
    numbered = re.match(r"[\d.]+", clause)
    numbers = tuple(int(part) for part in numbered[0].split(".") if part) if numbered else (99,)
    return numbers, clause


def clause_above(clause: str) -> str:
    """Return the clause of which a numbered or lettered clause is a part, or "" if there is none.

    >>> clause_above("4.2.1b"), clause_above("3.2.1"), clause_above("3.2"), clause_above("Appendix A")
    ('4.2.1', '3.2', '3', '')
    """
    lettered = re.fullmatch(r"(?a)([\d.]+)[a-z]", clause)
    if lettered:
        return lettered[1]
    return clause.rpartition(".")[0] if re.fullmatch(r"(?a)\d+(\.\d+)+", clause) else ""


class Covered(NamedTuple):
    """A clause that is not cited itself: a part of a cited clause, or the heading of its ``parts``."""

    clause: str
    part_of: str
    parts: tuple[str, ...]


def covered_clauses(game: Game, listed: Sequence[str]) -> list[Covered]:
    """Return the clauses of a document, as ``listed``, that its rule book does not name by themselves, with what covers them."""
    named = {citation.clause for citation in citations(game)}
    named |= {clause for entry in game.no_bearing for clause in entry.clauses}

    def whole(clause: str) -> str:
        above = clause_above(clause)
        return above if not above or above in named else whole(above)

    return [
        Covered(clause, whole(clause), tuple(part for part in listed if clause_above(part) == clause))
        for clause in listed
        if clause not in named
    ]


def clauses_in_use(game: Game) -> dict[str, dict[str, list[str]]]:
    """Return the citing parts of the rule book by clause, with the ids of parts of which there are several."""
    uses: dict[str, dict[str, list[str]]] = {}
    for citation in citations(game):
        ids = uses.setdefault(citation.clause, {}).setdefault(citation.what, [])
        ids += [citation.id] if citation.id else []
    return uses


_USES: Relation[tuple[str, list[str]]] = Relation(
    "uses of a clause",
    Field("what", "what", TEXT, "The kind of entry that cites the clause, such as bet.", lambda use: use[0]),
    Field("ids", "ids", Many(TEXT), "Which of them, where there are several.", lambda use: use[1]),
)

CLAUSE_USES: Relation[tuple[str, dict[str, list[str]]]] = Relation(
    "clauses in use",
    Field("clause", "clause", CLAUSE, "The clause.", lambda row: row[0]),
    Field("used_for", "used for", Many(_USES), "All that cites it.", lambda row: row[1].items()),
)

COVERED_CLAUSES: Relation[Covered] = Relation(
    "clauses covered",
    Field("clause", "clause", CLAUSE, "A clause that is not named by itself."),
    Field(
        *("part_of", "part of", CLAUSE, "The clause that it is a part of."),
        lambda one: one.part_of or None,
        may_be_none=True,
    ),
    Field("parts", "parts", Many(CLAUSE), "The clauses that it is the heading of."),
)


# ---------------------------------------------------------------- tables


def _use_in_words(what: str, ids: Sequence[str]) -> str:
    """Return the use of a clause: ``bet player-pair, banker-pair``."""
    return f"{what} {', '.join(ids)}" if ids else what


def trace_blocks(game: Game, used: Callable[[str, Sequence[str]], str] | None = None) -> Iterator[Block]:
    """Yield the clauses in use, those without effect on the mathematics, and headings and parts of a shipped document.

    ``used``: the words of a report for a use, by its kind and ids; a report joins clauses with the same uses.
    """
    column = Column("clause", CLAUSE)
    uses = [
        (clause, "; ".join((used or _use_in_words)(what, ids) for what, ids in by.items()))
        for clause, by in clauses_in_use(game).items()
    ]
    yield table(
        (column, Column("used for", name="used_for")), join_rows(uses) if used else uses, "Clauses in use"
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


def join_rows(rows: Iterable[tuple[Cell, ...]]) -> list[tuple[Cell, ...]]:
    """Return the rows; rows that differ only in their first cell are joined to the row above: ``Big Tiger, Small Tiger``."""
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
