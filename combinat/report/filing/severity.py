"""Ambiguous clauses by severity: which other interpretation changes which figure most."""

from collections.abc import Mapping
from fractions import Fraction

from combinat.analysis.readings import Difference, Measure, Reading
from combinat.base.kinds import FRACTION, TEXT, decimal, percentage, telling
from combinat.certify.dossier import Dossier
from combinat.render.blocks import Figure, Part
from combinat.report.filing.names import subject_named
from combinat.rules.game import Game

OF_VALUE = (Measure.EXPECTED_VALUE, Measure.UNTIL_DECIDED)
"""The figures that are in per cent of a stake."""

COUNTED = (Measure.LAYOUTS, Measure.STATES_OPEN)


def ranked(dossier: Dossier) -> list[Reading]:
    """The entries: those that change an expected value most first, then those that change another figure, then the others."""
    return sorted(dossier.readings, key=_rank)


def _rank(reading: Reading) -> tuple[int, Fraction]:
    worst = worst_case(reading)
    if worst is None:
        return 2, Fraction(0)
    return (0 if worst.measure in OF_VALUE else 1), -_size(worst)


def worst_case(reading: Reading) -> Difference | None:
    """The figure that the other reading changes most, an expected value before any other; None if it changes none."""
    changed = [one for one in reading.differences if one.change or one.read != one.otherwise]
    return max(changed, key=lambda one: (one.measure in OF_VALUE, _size(one)), default=None)


def _size(difference: Difference) -> Fraction:
    return abs(difference.change) if difference.change is not None else Fraction(0)


def numbers(dossier: Dossier) -> Mapping[str, str]:
    """The number of every entry, by its id: its place in the ranking."""
    return {reading.entry: str(place) for place, reading in enumerate(ranked(dossier), start=1)}


def effect(reading: Reading, game: Game) -> tuple[Part, ...]:
    """The largest effect of the other reading in a phrase; empty if it changes no figure."""
    worst = worst_case(reading)
    if worst is None:
        return ()
    return (
        f"{subject_named(worst.subject, game)}: {worst.measure.in_words} from ",
        effect_figure(worst.measure, worst.read),
        " to ",
        effect_figure(worst.measure, worst.otherwise),
    )


def effect_figure(measure: Measure, value: Fraction | None) -> Figure:
    """A figure before or after another reading."""
    if value is None:
        return Figure("none", TEXT)
    if measure in OF_VALUE:
        return Figure(value, telling(percentage(2, signed=True), value), after=" %")
    return Figure(value, FRACTION if measure in COUNTED else decimal(4))
