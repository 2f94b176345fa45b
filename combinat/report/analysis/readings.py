"""The interpretation register with the effect of every other reading."""

from collections.abc import Callable, Sequence
from fractions import Fraction

from combinat.analysis.bets import FigureSubject
from combinat.analysis.readings import READING_EFFECTS, Difference, Measure, Reading
from combinat.base.kinds import COUNT, FRACTION, TEXT, decimal, percentage, with_enough_decimals
from combinat.render.blocks import (
    Block,
    Column,
    Figure,
    Paragraph,
    Part,
    Section,
    Table,
    Terms,
    section,
    table,
)
from combinat.report.provisos import ONE_ROUND, staying_in_words
from combinat.report.relation_tables import program_table
from combinat.report.rules.clauses import join_rows
from combinat.report.rules.rulebook import entry_terms, entry_title
from combinat.rules.document import Interpretation
from combinat.rules.game import Game

PERCENT = percentage(4)


FOLLOWED = "This analysis follows the other reading. Below, otherwise means the reading of the rule book."


def readings_section(readings: Sequence[Reading], game: Game) -> tuple[Section, Table]:
    """Return the register with the effect of every other reading, for people and for programs."""
    effects = [(reading, difference) for reading in readings for difference in reading.differences]
    shown = section("Interpretations", (_entry(reading, game) for reading in readings))
    return shown, program_table(READING_EFFECTS, effects)


def _entry(reading: Reading, game: Game) -> Section:
    """Return an entry of the register, with the effect of its other reading."""
    entry = game.interpretation(reading.entry)
    return section(
        entry_title(entry),
        entry_terms(entry),
        FOLLOWED if entry.id in game.provisos.readings else None,
        changes_blocks(entry, reading.differences, str),
    )


def changes_blocks(
    entry: Interpretation,
    differences: Sequence[Difference],
    name: Callable[[FigureSubject], str],
    caption: str = "",
) -> tuple[Block, ...]:
    """Return a row for each figure that the other reading changes, or the reason why it changes no figure.

    An expected value is in per cent, a stake in units of the original bet. ``name``: the name of a subject.
    """
    changed = [one for one in differences if one.change != 0]
    if not changed:
        return (Paragraph(nothing_changes(entry)),)
    named = len({one.measure for one in changed}) > 1 or changed[0].measure not in OF_VALUE
    values = [value for one in changed for value in _values(one) if value is not None]
    kind = decimal(4) if named else with_enough_decimals(percentage(3, signed=True), *values)
    columns = (
        Column("bet or insurance", name="of"),
        *((Column("figure"),) if named else ()),
        *(Column(f"{head}{'' if named else ' %'}", kind) for head in ("as read", "otherwise", "change")),
    )
    rows = [
        (
            name(one.subject),
            *((one.measure.in_words,) if named else ()),
            *(effect_figure(one.measure, value) if named else value for value in _values(one)),
        )
        for one in changed
    ]
    what = "as read and otherwise" if named else "expected value as read and otherwise"
    return (table(columns, join_rows(rows), f"{caption}: {what}" if caption else what.capitalize()),)


def _values(difference: Difference) -> tuple[Fraction | None, ...]:
    return difference.read, difference.otherwise, difference.change


OF_VALUE = (Measure.EXPECTED_VALUE, Measure.UNTIL_DECIDED)
"""The figures that are in per cent of a stake."""


def effect_figure(measure: Measure, value: Fraction | None) -> Figure:
    """Return a figure before or after another reading."""
    if value is None:
        return Figure("none", TEXT)
    if measure in OF_VALUE:
        return Figure(value, with_enough_decimals(percentage(2, signed=True), value), after=" %")
    return Figure(value, FRACTION if measure in (Measure.LAYOUTS, Measure.STATES_OPEN) else decimal(4))


def nothing_changes(entry: Interpretation) -> str:
    """Return the reason why the other reading changes no figure."""
    if entry.instead.practices:
        return "The other reading changes no figure of a round; settlements, rulings and tables follow it."
    if entry.instead.insurance_limits:
        return "The other reading has an effect only if the table maximum is the binding limit."
    return "The other reading changes no figure on this shoe."


def one_round_terms(readings: Sequence[Reading], decks: int, game: Game) -> tuple[Terms, ...]:
    """Return the term on bets that may stay for a report, with the value of each until it is decided."""
    names = {bet.id: bet.name for bet in game.bets}
    said = staying_in_words(game, ONE_ROUND, names)
    worth = {
        difference.subject.bet: difference.read
        for reading in readings
        for difference in reading.differences
        if difference.measure is Measure.UNTIL_DECIDED and difference.read is not None
    }
    known = [(names[bet], worth[bet]) for bet in ONE_ROUND.of(game) or () if bet in worth]
    words: list[Part] = [said]
    if known:
        words += [". Until decided, each round from a shoe of ", Figure(decks, COUNT), " decks,"]
        for number, (name, value) in enumerate(known):
            words += [
                f"{' and' if number else ''} {name} has a house edge of ",
                Figure(-value, PERCENT),
                " %",
            ]
        words.append(".")
    return (Terms({ONE_ROUND.head.capitalize(): tuple(words)}),) if said else ()
