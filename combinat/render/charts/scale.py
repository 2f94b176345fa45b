"""Scales: a stretch of values with a few round ones marked, computed in fractions.

A tick is a whole multiple of 1, 2, 2.5 or 5 times a power of ten, and its label is that value in full:
no two ticks look alike, and no machine's rounding moves one.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import count

from combinat.base.number import decimal

STEPS = (Fraction(1), Fraction(2), Fraction(5, 2), Fraction(5))


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """The values from ``low`` to ``high``, marked at every multiple of ``step``."""

    low: Fraction
    high: Fraction
    step: Fraction

    @property
    def ticks(self) -> tuple[Fraction, ...]:
        """The marked values, ascending."""
        first, last = -(-self.low // self.step), self.high // self.step
        return tuple(times * self.step for times in range(first, last + 1))

    @property
    def labels(self) -> tuple[str, ...]:
        """The marked values as decimals, all with as many places as the step needs."""
        places = next(places for places in count() if (self.step * 10**places).denominator == 1)
        return tuple(decimal(tick, places) for tick in self.ticks)

    def part(self, value: Fraction) -> Fraction:
        """Where a value lies: 0 at the low end, 1 at the high one."""
        return (value - self.low) / (self.high - self.low)


def scale(values: Iterable[Fraction], *, margin: Fraction, most: int = 5) -> Scale:
    """Return the scale that holds the values with a margin (a share of their span), with at most this many ticks.

    >>> scale([Fraction(10561, 10000), Fraction(10579, 10000)], margin=Fraction(0)).labels
    ('1.0565', '1.0570', '1.0575')
    """
    known = sorted(values) or [Fraction(0)]
    low, high = known[0], known[-1]
    room = (high - low) * margin if low < high else abs(low) / 10 or Fraction(1)
    low, high = low - room, high + room
    return next(
        marked
        for step in _steps((high - low) / (most + 1))
        if len((marked := Scale(low=low, high=high, step=step)).ticks) <= most
    )


def _steps(least: Fraction) -> Iterator[Fraction]:
    """Yield the round steps that are larger than this, ascending.

    >>> from itertools import islice
    >>> [str(step) for step in islice(_steps(Fraction(21, 1000)), 4)]
    ['1/40', '1/20', '1/10', '1/5']
    """
    power = Fraction(10) ** (len(str(least.numerator)) - len(str(least.denominator)) - 1)
    while True:
        yield from (step * power for step in STEPS if step * power > least)
        power *= 10
