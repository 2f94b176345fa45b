"""Two rule books side by side, as people and programs read it: what changed, where, and what it does to the edge."""

from collections.abc import Sequence
from typing import Any

from combinat.analysis.rule_book_changes import Change, Part
from combinat.render.blocks import Block, Cell, Column, Figure, Paragraph, Section, Table, Terms, table
from combinat.render.kinds import CLAUSE, COUNT, FRACTION, percentage
from combinat.render.number import exact
from combinat.report.odds import PERCENT, decks_in_words
from combinat.report.phrases import ROUNDING
from combinat.rules.game import Game

TITLES = {
    Part.DOCUMENT: "Document",
    Part.DECKS: "Decks",
    Part.LAYOUTS: "Layouts",
    Part.BETS: "Bets and their odds",
    Part.OFFERED_ON: "Layouts that offer a bet",
    Part.TABLE_OF_PLAY: "Table of Play",
    Part.VOID: "Void rounds",
    Part.INSURANCE: "Insurance states",
    Part.INSURANCE_TERMS: "Terms and limits of insurance",
    Part.PROCEDURES: "Procedures",
    Part.INCIDENTS: "Incidents",
    Part.PRACTICE: "Practice",
    Part.READINGS: "Readings",
    Part.OTHER: "Other rules",
    Part.NO_BEARING: "Clauses without bearing on the mathematics",
    Part.CLAUSES: "Clauses that moved",
}
WITH_EDGES = (Part.BETS, Part.INSURANCE)
"""The parts whose things have a house edge."""

SIGNED = percentage(4, signed=True)


def changes_document(before: Game, after: Game, changes: Sequence[Change], decks: int) -> Section:
    """A section for every part in which something differs, with a count of what does."""
    counted: list[Block] = [
        Terms({"A": f"{before.id} ({before.name})", "B": f"{after.id} ({after.name})"}),
        Paragraph(
            f"From A to B, each with its clause; a dash where one states nothing. House edges with {decks_in_words(decks)}."
        ),
    ]
    if not changes:
        counted.append(Paragraph("The two rule books state the same."))
    sections = [
        Section(f"{TITLES[part]} ({len(of_part)})", (_part(part, of_part),))
        for part in Part
        if (of_part := [change for change in changes if change.part is part])
    ]
    return Section("What changed", (*counted, *sections, Paragraph(ROUNDING)))


def _part(part: Part, changes: Sequence[Change]) -> Table:
    columns = [Column("what"), Column("A"), Column("B")]
    if part in WITH_EDGES:
        columns += [Column("edge A %", PERCENT), Column("edge B %", PERCENT), Column("effect", SIGNED)]
    return table(columns, [_row(part, change) for change in changes])


def _row(part: Part, change: Change) -> tuple[Cell, ...]:
    words = (
        change.id,
        _stated(change.part, change.before, change.clauses[0]),
        _stated(change.part, change.after, change.clauses[1]),
    )
    if part not in WITH_EDGES:
        return words
    effect: Cell = Figure(change.effect, COUNT) if change.effect == 0 else change.effect
    return *words, *change.house_edges, effect


def _stated(part: Part, words: str, clause: str) -> Cell:
    """What a rule book states and where; None: nothing. Of a clause that moved the number is all there is to say."""
    if not words:
        return None
    if part in (Part.CLAUSES, Part.NO_BEARING) or not clause:
        return Figure(words, CLAUSE)
    return f"{words} (", Figure(clause, CLAUSE), ")"


def changes_csv(changes: Sequence[Change]) -> Table:
    """Every change in one table, exact."""
    names = ("part", "id", "change", "before", "clause_before", "after", "clause_after")
    figures = ("house_edge_before", "house_edge_after", "effect")
    columns = [*(Column(name) for name in names), *(Column(name, FRACTION) for name in figures)]
    rows = [
        (
            *(change.part, change.id, change.done, change.before, change.clauses[0]),
            *(change.after, change.clauses[1], *change.house_edges, change.effect),
        )
        for change in changes
    ]
    return table(columns, rows)


def changes_json(before: Game, after: Game, changes: Sequence[Change], decks: int) -> dict[str, Any]:
    """The changes under the schema ``combinat/diff/1``."""
    return {
        "schema": "combinat/diff/1",
        "before": before.id,
        "after": after.id,
        "decks": decks,
        "changes": [
            {
                "part": change.part,
                "id": change.id,
                "change": change.done,
                "before": change.before or None,
                "after": change.after or None,
                "clause_before": change.clauses[0] or None,
                "clause_after": change.clauses[1] or None,
                "house_edge_before": exact(change.house_edges[0]),
                "house_edge_after": exact(change.house_edges[1]),
                "effect": exact(change.effect),
            }
            for change in changes
        ],
    }
