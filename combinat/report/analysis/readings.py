"""The interpretation register with the effect of every other reading."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from combinat.analysis.bets import staying_bets
from combinat.analysis.readings import READING_EFFECTS, Difference, Measure, Reading
from combinat.base.kinds import COUNT, FRACTION, decimal, percentage
from combinat.render.blocks import Block, Cell, Column, Figure, Paragraph, Section, Table, table
from combinat.report.provisos import OF_ONE_ROUND, leaving
from combinat.report.relation_tables import program_table
from combinat.report.rules.rulebook import entry_terms, entry_title
from combinat.rules.document import Interpretation
from combinat.rules.game import Game

PERCENT = percentage(4)


def register_blocks(readings: Sequence[Reading], game: Game) -> tuple[Section, ...]:
    """A section for every entry of the register, with the effect of its other reading."""
    return tuple(
        _entry(
            game.interpretation(reading.entry), reading.differences, reading.entry in game.provisos.readings
        )
        for reading in readings
    )


def _entry(entry: Interpretation, differences: Sequence[Difference], followed: bool) -> Section:
    changed = [difference for difference in differences if difference.change != 0]
    said: list[Block] = [_changes(changed)] if changed else [Paragraph(nothing_changes(entry))]
    if followed:
        said.insert(
            0, Paragraph("Followed here is the other reading; below, otherwise is that of the rule book.")
        )
    return Section(entry_title(entry), (entry_terms(entry), *said))


def nothing_changes(entry: Interpretation) -> str:
    """Why there is no figure that the other reading changes."""
    if entry.instead.practices:
        return "It changes no figure of a round by itself; settlements, rulings and tables follow it."
    if entry.instead.insurance_limits:
        return "No effect unless the table maximum is the binding limit."
    return "On this shoe the other reading changes nothing."


def _changes(differences: Sequence[Difference]) -> Table:
    """A line for each figure: an expected value in per cent, a stake in units of the original bet."""
    names = ("as read", "otherwise", "change")
    columns = (Column("for"), Column("figure"), *(Column(name, decimal(4)) for name in names))
    rows = [
        (
            str(difference.subject),
            difference.measure.in_words,
            *(_shown(difference.measure, value) for value in _values(difference)),
        )
        for difference in differences
    ]
    return table(columns, rows)


def _values(difference: Difference) -> tuple[Fraction | None, ...]:
    return difference.read, difference.otherwise, difference.change


def _shown(measure: Measure, value: Fraction | None) -> Cell:
    if value is None:
        return value
    if measure in (Measure.EXPECTED_VALUE, Measure.UNTIL_DECIDED):
        return Figure(value, PERCENT, after=" %")
    return Figure(value, FRACTION) if measure in (Measure.LAYOUTS, Measure.STATES_OPEN) else value


def one_round_blocks(readings: Sequence[Reading], decks: int, game: Game) -> tuple[Paragraph, ...]:
    """Which bets of a report have figures of one round though they may stay, and what each is worth until it is decided; nothing where none may."""
    staying = {bet.id: bet.name for bet in staying_bets(game)}
    if not staying:
        return ()
    worth = {
        difference.subject.bet: difference.read
        for reading in readings
        for difference in reading.differences
        if difference.measure is Measure.UNTIL_DECIDED and difference.read is not None
    }
    words: list[str | Figure] = [
        f"{OF_ONE_ROUND}: the figures of {_listed(staying.values())}. {leaving(game).capitalize()}, counted as returned "
        "in them, leaves the stake on the layout, where it plays again."
    ]
    known = [(name, worth[bet]) for bet, name in staying.items() if bet in worth]
    if known:
        words += [
            " Until it is won or lost, each round from a shoe of ",
            Figure(decks, COUNT),
            " decks,",
        ]
        for number, (name, value) in enumerate(known):
            words += [
                f"{' and' if number else ''} {name} has a house edge of ",
                Figure(-value, PERCENT),
                " %",
            ]
        words.append(".")
    return (Paragraph(tuple(words)),)


def _listed(names: Iterable[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def readings_section(readings: Sequence[Reading], game: Game) -> tuple[Section, Table]:
    """The effect of every other reading, as people and as programs read it."""
    effects = [(reading, difference) for reading in readings for difference in reading.differences]
    shown = Section("Interpretations", register_blocks(readings, game))
    return shown, program_table(READING_EFFECTS, effects)
