"""The interpretation register, with the status of each entry: ranked by the effect of the other reading, and complete in an annex."""

from collections.abc import Mapping
from fractions import Fraction

from combinat.analysis.readings import Difference, Reading
from combinat.base.dates import date_in_words
from combinat.certify.dossier import Dossier
from combinat.certify.filing import Issue, ReadingStatus
from combinat.render.blocks import (
    Cell,
    Column,
    Paragraph,
    Part,
    Reference,
    Section,
    annex,
    chapter,
    section,
    table,
)
from combinat.report.analysis.odds import decks_in_words
from combinat.report.analysis.readings import OF_VALUE, changes_blocks, effect_figure, nothing_changes
from combinat.report.filing.front_matter import language_of
from combinat.report.phrases import subject_named
from combinat.report.rules.rulebook import entry_title
from combinat.rules.game import Game

# ---------------------------------------------------------------- severity


def by_severity(dossier: Dossier) -> list[Reading]:
    """Return the entries in order: by the change of an expected value, the largest first; then those that change another figure; then the others."""
    return sorted(dossier.readings, key=_rank)


def _rank(reading: Reading) -> tuple[int, Fraction]:
    worst = worst_case(reading)
    if worst is None:
        return 2, Fraction(0)
    return (0 if worst.measure in OF_VALUE else 1), -_size(worst)


def worst_case(reading: Reading) -> Difference | None:
    """Return the largest change by the other reading, of an expected value if possible, or None if no figure changes."""
    changed = [one for one in reading.differences if one.change or one.read != one.otherwise]
    return max(changed, key=lambda one: (one.measure in OF_VALUE, _size(one)), default=None)


def _size(difference: Difference) -> Fraction:
    return abs(difference.change) if difference.change is not None else Fraction(0)


def numbers(dossier: Dossier) -> Mapping[str, str]:
    """Return the rank of every entry, by its id."""
    return {reading.entry: str(place) for place, reading in enumerate(by_severity(dossier), start=1)}


def effect(reading: Reading, game: Game) -> tuple[Part, ...]:
    """Return the largest effect of the other reading in a phrase, empty if it changes no figure."""
    worst = worst_case(reading)
    if worst is None:
        return ()
    return (
        f"{subject_named(worst.subject, game)}: {worst.measure.in_words} from ",
        effect_figure(worst.measure, worst.read),
        " to ",
        effect_figure(worst.measure, worst.otherwise),
    )


# ---------------------------------------------------------------- the chapter and the annex


def status_named(issue: Issue, entry: str) -> str:
    """Return the status of a reading from the filing: open, or confirmed by whom and when."""
    state = issue.filing.reading(entry) if issue.filing else None
    if state is None or state.status is ReadingStatus.OPEN:
        return "open"
    on = date_in_words(state.on, language_of(issue)) if state.on else ""
    return f"confirmed by {state.by}, {on}"


def register_chapter(dossier: Dossier, game: Game, issue: Issue) -> Section:
    """Return the register with a row for each entry and its worst case."""
    if not dossier.readings:
        return chapter(
            "Interpretation register", "The register is empty: no clause is ambiguous.", anchor="register"
        )
    numbered = ", ".join(f"no. {numbers(dossier)[entry]}" for entry in game.provisos.readings)
    followed = (
        f" This report follows the other reading of {numbered}; for these entries, the change is the effect of returning to "
        "the reading of the rule book."
        if numbered
        else ""
    )
    intro: tuple[Part, ...] = (
        "Each ambiguous clause, the reading taken, and the figure that the other reading changes most. The shoe has "
        f"{decks_in_words(dossier.reference_decks)}; the largest effect on an expected value comes first.{followed} For all changes see ",
        Reference("whole-register"),
        ".",
    )
    columns = (
        *(Column("no."), Column("question and clauses"), Column("reading taken")),
        *(Column("largest effect of the other reading"), Column("status")),
    )
    of_value: list[tuple[Cell, ...]] = []
    others: list[tuple[Cell, ...]] = []
    for number, reading in enumerate(by_severity(dossier), start=1):
        entry, worst = game.interpretation(reading.entry), worst_case(reading)
        rows = of_value if worst is not None and worst.measure in OF_VALUE else others
        rows.append(
            (
                *(str(number), f"{entry.question} ({', '.join(entry.clauses)})", entry.reading),
                effect(reading, game) or (nothing_changes(entry),),
                status_named(issue, entry.id),
            )
        )
    captions = {
        "Readings that affect an expected value, the largest effect first": of_value,
        "Readings that affect no expected value": others,
    }
    tables = [table(columns, rows, caption) for caption, rows in captions.items() if rows]
    return chapter("Interpretation register", Paragraph(intro), tables, anchor="register")


def register_annex(dossier: Dossier, game: Game, issue: Issue) -> Section:
    """Return every entry with all changes by its other reading."""
    intro = Paragraph(
        (
            "The numbers are those of ",
            Reference("register"),
            ". Expected values are in per cent of the stake, stakes in units of the original bet.",
        )
    )
    entries = (
        _entry(reading, f"No. {number}", game, issue)
        for number, reading in enumerate(by_severity(dossier), start=1)
    )
    return annex(
        "The whole register",
        intro if dossier.readings else "The register is empty.",
        entries,
        anchor="whole-register",
    )


def _entry(reading: Reading, number: str, game: Game, issue: Issue) -> Section:
    """Return an entry with all changes by its other reading."""
    entry = game.interpretation(reading.entry)
    return section(
        f"{number}: {entry_title(entry)}",
        {
            "Question": entry.question,
            "Reading taken": entry.reading,
            "Otherwise": entry.otherwise,
            "Status": status_named(issue, entry.id),
        },
        changes_blocks(entry, reading.differences, lambda subject: subject_named(subject, game), number),
    )
