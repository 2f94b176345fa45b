"""The interpretation register: ranked by what the other reading would change, with its status; the whole in an annex."""

from collections.abc import Sequence

from combinat.analysis.readings import Difference, Reading
from combinat.base.kinds import Kind, decimal, percentage, telling
from combinat.certify.dossier import Dossier
from combinat.certify.filing import Issue, ReadingStatus
from combinat.render.blocks import (
    Block,
    Cell,
    Column,
    Paragraph,
    Part,
    Reference,
    Section,
    Table,
    Terms,
    annex,
    chapter,
    table,
)
from combinat.report.analysis.readings import nothing_changes
from combinat.report.dates import date_in_words
from combinat.report.filing.names import decks_figure, folded, subject_named
from combinat.report.filing.severity import OF_VALUE, effect, effect_figure, numbers, ranked, worst_case
from combinat.report.identity import language_of
from combinat.rules.document import Interpretation
from combinat.rules.game import Game


def status_named(issue: Issue, entry: str) -> str:
    """Whether somebody confirmed a reading: by whom and when, as the filing says."""
    state = issue.filing.reading(entry) if issue.filing else None
    if state is None or state.status is ReadingStatus.OPEN:
        return "open"
    on = date_in_words(state.on, language_of(issue)) if state.on else ""
    return f"confirmed by {state.by}, {on}"


def register_chapter(dossier: Dossier, game: Game, issue: Issue) -> Section:
    """One row an entry, with its worst case."""
    if not dossier.readings:
        return chapter(
            "Interpretation register",
            (Paragraph("The register is empty: no clause is ambiguous."),),
            anchor="register",
        )
    followed = (
        f" This report follows the other reading of {', '.join(_titles(dossier, game.provisos.readings))}: there the change is that of "
        "going back to the reading of the rule book."
        if game.provisos.readings
        else ""
    )
    intro: tuple[Part, ...] = (
        "Each ambiguous clause, the reading taken, and the figure that the other reading changes most with ",
        *decks_figure(dossier.reference_decks),
        f"; the largest effect on an expected value comes first.{followed} All changes are in ",
        Reference("whole-register"),
        ".",
    )
    columns = (
        *(Column("no."), Column("question, and the clauses it is about"), Column("reading taken")),
        *(Column("worst case, read otherwise"), Column("status")),
    )
    of_value: list[tuple[Cell, ...]] = []
    others: list[tuple[Cell, ...]] = []
    for number, reading in enumerate(ranked(dossier), start=1):
        row = _row(reading, game.interpretation(reading.entry), game, issue, number)
        worst = worst_case(reading)
        (of_value if worst is not None and worst.measure in OF_VALUE else others).append(row)
    captions = {
        "Readings on which an expected value depends, the largest effect first": of_value,
        "Readings on which no expected value depends": others,
    }
    tables = [table(columns, rows, caption) for caption, rows in captions.items() if rows]
    return chapter("Interpretation register", (Paragraph(intro), *tables), anchor="register")


def _titles(dossier: Dossier, entries: Sequence[str]) -> list[str]:
    return [f"no. {numbers(dossier)[entry]}" for entry in entries]


def _row(reading: Reading, entry: Interpretation, game: Game, issue: Issue, number: int) -> tuple[Cell, ...]:
    return (
        *(str(number), f"{entry.question} ({', '.join(entry.clauses)})", entry.reading),
        *(_worst(reading, entry, game), status_named(issue, entry.id)),
    )


def _worst(reading: Reading, entry: Interpretation, game: Game) -> tuple[Part, ...]:
    return effect(reading, game) or (nothing_changes(entry),)


def register_annex(dossier: Dossier, game: Game, issue: Issue) -> Section:
    """Every entry with all that its other reading changes."""
    blocks: list[Block] = [
        Paragraph(
            (
                "The numbers are those of ",
                Reference("register"),
                ". An expected value is in per cent of the stake, a stake in units of the original bet.",
            )
            if dossier.readings
            else "The register is empty."
        )
    ]
    for number, reading in enumerate(ranked(dossier), start=1):
        entry = game.interpretation(reading.entry)
        terms = Terms(
            {
                "Question": entry.question,
                "Reading taken": entry.reading,
                "Otherwise": entry.otherwise,
                "Status": status_named(issue, entry.id),
            }
        )
        blocks.append(
            Section(
                f"No. {number}: {entry.id} ({'; '.join(entry.clauses)})",
                (terms, *_changes(reading, entry, game, number)),
            )
        )
    return annex("The whole register", blocks, anchor="whole-register")


def _changes(reading: Reading, entry: Interpretation, game: Game, number: int) -> tuple[Block, ...]:
    changed = [one for one in reading.differences if one.change != 0]
    if not changed:
        return (Paragraph(nothing_changes(entry)),)
    measures = {one.measure for one in changed}
    kind = _kind(changed) if measures <= set(OF_VALUE) else decimal(4)
    named = len(measures) > 1 or not measures <= set(OF_VALUE)
    columns = (
        Column("of"),
        *((Column("figure"),) if named else ()),
        *(Column(f"{head}{'' if named else ' %'}", kind) for head in ("as read", "otherwise", "change")),
    )
    rows = [
        (
            subject_named(one.subject, game),
            *((one.measure.in_words,) if named else ()),
            *(
                effect_figure(one.measure, value) if named else value
                for value in (one.read, one.otherwise, one.change)
            ),
        )
        for one in changed
    ]
    what = "expected value " if not named else ""
    made: Table = table(columns, folded(rows), f"No. {number}: {what}as read and otherwise")
    return (made,)


def _kind(changed: Sequence[Difference]) -> Kind:
    values = [
        value for one in changed for value in (one.read, one.otherwise, one.change) if value is not None
    ]
    return telling(percentage(3, signed=True), *values)
