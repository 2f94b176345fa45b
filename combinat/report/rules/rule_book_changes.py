"""Two rule books side by side, as people and programs read it: what changed, where, and what it does to the edge."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from combinat.analysis.rule_book_changes import BookPart, ChangeEffect, Done, RuleBookChange
from combinat.base.kinds import CLAUSE, COUNT, FRACTION, TEXT, Kind, Sort, decimal, percentage
from combinat.base.number import exact
from combinat.base.relation import Document, Field, Many, Relation
from combinat.render.blocks import Block, Cell, Column, Figure, Paragraph, Section, Table, Terms, table
from combinat.report.analysis.odds import PERCENT, decks_in_words
from combinat.report.phrases import ROUNDING
from combinat.report.provisos import proviso_terms
from combinat.report.relation_tables import program_table
from combinat.rules.game import Game

TITLES = {
    BookPart.DOCUMENT: "Document",
    BookPart.DECKS: "Decks",
    BookPart.LAYOUTS: "Layouts",
    BookPart.BETS: "Bets and their odds",
    BookPart.OFFERED_ON: "Layouts that offer a bet",
    BookPart.TABLE_OF_PLAY: "Table of Play",
    BookPart.VOID: "Void rounds",
    BookPart.INSURANCE: "Insurance states",
    BookPart.INSURANCE_TERMS: "Terms and limits of insurance",
    BookPart.PROCEDURES: "Procedures",
    BookPart.PRACTICE: "Practice",
    BookPart.READINGS: "Readings",
    BookPart.OTHER: "Other rules",
    BookPart.NO_BEARING: "Clauses without bearing on the mathematics",
    BookPart.CLAUSES: "Clauses that moved",
}
WITH_EDGES = (BookPart.BETS, BookPart.INSURANCE)
"""The parts whose things have a house edge."""

WITH_EFFECTS = (BookPart.DECKS, BookPart.READINGS)
"""The parts whose things may move several figures."""

MOST_EFFECTS = 2
"""The most figures listed for one change; JSON has all."""

NONE = "none"
"""The text of a cell without an effect or a clause."""

SIGNED = percentage(4, signed=True)
NUMBER = decimal(2, signed=True)


def changes_document(before: Game, after: Game, changes: Sequence[RuleBookChange], decks: int) -> Section:
    """Return a section for every part in which something differs, with a count of what does."""
    counted: list[Block] = [
        Terms({"A": f"{before.id} ({before.name})", "B": f"{after.id} ({after.name})"}),
        *proviso_terms(after),
        Paragraph(
            f"From A to B, each with its clause; a dash: the rule book states nothing. House edges with {decks_in_words(decks)}."
        ),
    ]
    if not changes:
        counted.append(Paragraph("The two rule books state the same."))
    sections = [
        Section(f"{TITLES[part]} ({len(of_part)})", (*_explained(part), _part(part, of_part)))
        for part in BookPart
        if (of_part := [change for change in changes if change.part is part])
    ]
    return Section("What changed", (*counted, *sections, Paragraph(ROUNDING)))


def _explained(part: BookPart) -> tuple[Paragraph, ...]:
    said = {
        BookPart.DECKS: "The effect is on the house edges of B, with the decks of A and with its own.",
        BookPart.READINGS: "The effect is what the other reading would change, first in A, then in B.",
    }.get(part)
    return (Paragraph(said),) if said else ()


def _part(part: BookPart, changes: Sequence[RuleBookChange]) -> Table:
    columns = [Column("item", name="what"), Column("A"), Column("B")]
    if part in WITH_EDGES:
        columns += [Column("edge A %", PERCENT), Column("edge B %", PERCENT), Column("effect", SIGNED)]
    elif part in WITH_EFFECTS:
        columns.append(Column("effect"))
    return table(columns, [_row(part, change) for change in changes])


def _row(part: BookPart, change: RuleBookChange) -> tuple[Cell, ...]:
    words = (
        change.id,
        _stated(change.part, change.before, change.clauses[0]),
        _stated(change.part, change.after, change.clauses[1]),
    )
    if part in WITH_EFFECTS:
        return *words, _effects(change.effects)
    if part not in WITH_EDGES:
        return words
    effect: Cell = Figure(change.effect, COUNT) if change.effect == 0 else change.effect
    return *words, *change.house_edges, effect


def _effects(effects: Sequence[ChangeEffect]) -> Cell:
    """Return the first few figures that change, and the number of all."""
    if not effects:
        return NONE
    words: list[str | Figure] = []
    for effect in effects[:MOST_EFFECTS]:
        words.append(f"{'; ' if words else ''}{effect.subject} ")
        if effect.change is None:
            words.append(NONE)
        elif effect.is_edge:
            words += ["house edge ", Figure(effect.change, SIGNED, after=" %")]
        else:
            words += [f"({effect.measure}) ", Figure(effect.change, NUMBER)]
    if len(effects) > MOST_EFFECTS:
        words.append(f"; {len(effects)} figures in all")
    return tuple(words)


def _stated(part: BookPart, words: str, clause: str) -> Cell:
    """Return a statement of a rule book with its clause, or None; for a clause that moved, only its number."""
    if not words:
        return None
    if part in (BookPart.CLAUSES, BookPart.NO_BEARING) or not clause or clause == words:
        return Figure(words, CLAUSE)
    return f"{words} (", Figure(clause, CLAUSE), ")"


def _effect(change: RuleBookChange) -> str:
    """Return the effect on the house edge; ``several``: see ``effects``; ``none``: none can be computed."""
    return exact(change.effect) or ("several" if change.effects else NONE)


EFFECTS: Relation[ChangeEffect] = Relation(
    "effects of a change",
    Field("of", "of", TEXT, "The rule book whose figure it is."),
    Field("for", "for", TEXT, "The bet or the insurance state.", lambda effect: effect.subject),
    Field("measure", "figure", TEXT, "Which figure it is."),
    Field("first", "first", FRACTION, "Before.", may_be_none=True),
    Field("second", "second", FRACTION, "After.", may_be_none=True),
    Field("change", "change", FRACTION, "The difference.", may_be_none=True),
)

CHANGES: Relation[RuleBookChange] = Relation(
    "changes",
    Field("part", "part", TEXT, "The part of the rule book.", words=BookPart),
    Field("id", "item", TEXT, "The item that changed."),
    Field("change", "change", TEXT, "How it changed.", lambda change: change.done, words=Done),
    Field("before", "A", TEXT, "What the first states.", lambda change: change.before or None, may_be_none=True),
    Field("clause_before", "clause A", CLAUSE, "Its clause.", lambda change: (change.clauses[0] or NONE) if change.before else None, may_be_none=True),
    Field("after", "B", TEXT, "What the second states.", lambda change: change.after or None, may_be_none=True),
    Field("clause_after", "clause B", CLAUSE, "Its clause.", lambda change: (change.clauses[1] or NONE) if change.after else None, may_be_none=True),
    Field("house_edge_before", "house edge A %", PERCENT, "House edge by the first.", lambda change: change.house_edges[0], may_be_none=True),
    Field("house_edge_after", "house edge B %", PERCENT, "House edge by the second.", lambda change: change.house_edges[1], may_be_none=True),
    Field("effect", "effect", TEXT, "The effect on the house edge; several: see effects; none: none can be computed.", _effect),
    Field("effects", "effects", Many(EFFECTS), "Effects on several figures."),
)  # fmt: skip
"""Differences between two rule books, a row each."""


class GamesCompared(NamedTuple):
    """Two rule books, in what they differ, and the decks of the house edges."""

    before: Game
    after: Game
    changes: Sequence[RuleBookChange]
    decks: int


DIFF: Document[GamesCompared] = Document(
    "combinat/diff/1",
    "What changed between two rule books: combinat diff.",
    Field("before", "A", TEXT, "The first rule book.", lambda row: row.before.id),
    Field("after", "B", TEXT, "The second rule book.", lambda row: row.after.id),
    Field("decks", "decks", Kind(Sort.NUMBER), "The decks of the house edges."),
    Field("changes", "changes", Many(CHANGES), "Every change."),
)


def changes_csv(changes: Sequence[RuleBookChange]) -> Table:
    """Return every change in one table, exact."""
    return program_table(CHANGES, changes)


def changes_json(before: Game, after: Game, changes: Sequence[RuleBookChange], decks: int) -> dict[str, Any]:
    """Return the changes as a document."""
    return DIFF.object(GamesCompared(before, after, changes, decks))
