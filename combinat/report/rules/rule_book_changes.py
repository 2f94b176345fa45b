"""The documents of a comparison of two rule books: each change, its clauses, and its effect on the edge."""

from collections.abc import Sequence

from combinat.analysis.rule_book_changes import BookPart, ChangeEffect, Done, RuleBookChange, RuleBookDiff
from combinat.base.kinds import CLAUSE, COUNT, FRACTION, NUMBER, TEXT, decimal, percentage
from combinat.base.number import exact
from combinat.base.relation import Document, Field, Many, Relation
from combinat.render.blocks import Cell, Figure, Section, section
from combinat.report.analysis.odds import PERCENT, decks_in_words
from combinat.report.phrases import ROUNDING
from combinat.report.provisos import provisos_in_words
from combinat.report.relation_tables import view_table

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
MOST_EFFECTS = 2
"""The most figures listed for one change; JSON has all."""

NONE = "none"
"""The text of a cell without an effect or a clause."""

SIGNED = percentage(4, signed=True)
OTHER = decimal(2, signed=True)


def changes_document(answer: RuleBookDiff) -> Section:
    """Return a section for every part that differs, with the number of its differences."""
    before, after = answer.before, answer.after
    by_part = {part: [change for change in answer.changes if change.part is part] for part in BookPart}
    return section(
        "What changed",
        {"A": f"{before.id} ({before.name})", "B": f"{after.id} ({after.name})"},
        provisos_in_words(after),
        "From A to B, each with its clause; a dash: the rule book states nothing. House edges with "
        f"{decks_in_words(answer.decks)}.",
        None if answer.changes else "The two rule books state the same.",
        (
            section(
                f"{TITLES[part]} ({len(changes)})",
                EXPLAINED.get(part),
                view_table(CHANGES, changes, VIEWS.get(part, "stated")),
            )
            for part, changes in by_part.items()
            if changes
        ),
        ROUNDING,
    )


EXPLAINED = {
    BookPart.DECKS: "The effect is on the house edges of B, with the decks of A and with its own.",
    BookPart.READINGS: "The effect is what the other reading would change, first in A, then in B.",
}

VIEWS = {
    **dict.fromkeys((BookPart.BETS, BookPart.INSURANCE), "edges"),  # what has a house edge
    **dict.fromkeys((BookPart.DECKS, BookPart.READINGS), "effects"),  # what may move several figures
}
"""The views of the parts that have figures."""


def _effects(effects: Sequence[ChangeEffect]) -> Cell:
    """Return the first few figures that change, and their total number."""
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
            words += [f"({effect.measure}) ", Figure(effect.change, OTHER)]
    if len(effects) > MOST_EFFECTS:
        words.append(f"; {len(effects)} figures in all")
    return tuple(words)


def _statement_cell(change: RuleBookChange, place: int) -> Cell:
    """Return a statement of a rule book with its clause, or None; for a clause that moved, only its number."""
    words, clause = (change.before, change.after)[place], change.clauses[place]
    if not words:
        return None
    if change.part in (BookPart.CLAUSES, BookPart.NO_BEARING) or not clause or clause == words:
        return Figure(words, CLAUSE)
    return f"{words} (", Figure(clause, CLAUSE), ")"


EFFECTS: Relation[ChangeEffect] = Relation(
    "effects of a change",
    Field("of", "of", TEXT, "The rule book whose figure it is."),
    Field("for", "for", TEXT, "The bet or the insurance state.", lambda effect: effect.subject),
    Field("measure", "figure", TEXT, "Which figure it is."),
    Field("first", "first", FRACTION, "Before.", may_be_none=True),
    Field("second", "second", FRACTION, "After.", may_be_none=True),
    Field("change", "change", FRACTION, "The difference.", may_be_none=True),
)

ALL = "stated edges effects"

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
    Field("effect", "effect", TEXT, "The effect on the house edge; several: see effects; none: none can be computed.", lambda change: exact(change.effect) or ("several" if change.effects else NONE)),
    Field("effects", "effects", Many(EFFECTS), "Effects on several figures."),
    Field("what", "item", TEXT, "", lambda change: change.id, views=ALL, for_people=True),
    Field("a", "A", TEXT, "", lambda change: _statement_cell(change, 0), views=ALL, for_people=True),
    Field("b", "B", TEXT, "", lambda change: _statement_cell(change, 1), views=ALL, for_people=True),
    Field("edge_a", "edge A %", PERCENT, "", lambda change: change.house_edges[0], views="edges", for_people=True),
    Field("edge_b", "edge B %", PERCENT, "", lambda change: change.house_edges[1], views="edges", for_people=True),
    Field("change_of_edge", "effect", SIGNED, "", lambda change: Figure(0, COUNT) if change.effect == 0 else change.effect, views="edges", for_people=True),
    Field("effects_in_words", "effect", TEXT, "", lambda change: _effects(change.effects), views="effects", for_people=True),
)  # fmt: skip
"""Differences between two rule books, a row each."""


DIFF: Document[RuleBookDiff] = Document(
    "combinat/diff/1",
    "What changed between two rule books: combinat diff.",
    Field("before", "A", TEXT, "The first rule book.", lambda answer: answer.before.id),
    Field("after", "B", TEXT, "The second rule book.", lambda answer: answer.after.id),
    Field("decks", "decks", NUMBER, "The decks of the house edges."),
    Field("changes", "changes", Many(CHANGES), "Every change."),
)
