"""The power of tests against a fault, by the number of rounds: computed by scipy from exact chances, in floats."""

from dataclasses import dataclass
from functools import cache
from math import inf, sqrt
from typing import Protocol

import numpy as np
import numpy.typing as npt
from scipy import optimize, stats

from combinat.audit.judging.statistics import LEAST_EXPECTED, MANY

Reals = npt.NDArray[np.float64]


class Curve(Protocol):
    """The power of a test by the number of rounds."""

    def power(self, rounds: float, level: float) -> float:
        """The probability that so many rounds with the fault fail the test."""

    def guess(self, level: float, target: float) -> float:
        """About how many rounds give this power."""


@dataclass(frozen=True, slots=True)
class CountCurve:
    """A count: its chance in a trial by the rules and with the fault; ``trials``: how many a round has."""

    right: float
    wrong: float
    trials: float = 1.0

    def power(self, rounds: float, level: float) -> float:
        """The probability that so many rounds with the fault fail the test."""
        number = int(rounds * self.trials)
        if not 0 < self.right < 1 or number < 1:
            return 0.0
        spread = number * self.right * (1 - self.right)
        if spread > float(MANY):
            off = number * (self.wrong - self.right)
            return _beyond(off, sqrt(spread), sqrt(number * self.wrong * (1 - self.wrong)), level)
        low, high = (
            stats.binom.ppf(level / 2, number, self.right),
            stats.binom.isf(level / 2, number, self.right),
        )
        return float(stats.binom.cdf(low - 1, number, self.wrong) + stats.binom.sf(high, number, self.wrong))

    def guess(self, level: float, target: float) -> float:
        """About how many rounds give this power."""
        if self.wrong == self.right or not 0 < self.right < 1 or not self.trials:
            return inf
        spreads = [sqrt(max(0.0, chance * (1 - chance))) for chance in (self.right, self.wrong)]
        ways = _deviations(level / 2) * spreads[0] + _deviations(1 - target) * spreads[1]
        return float((ways / (self.wrong - self.right)) ** 2 / self.trials)


@dataclass(frozen=True, slots=True)
class CellCurve:
    """Cells that exclude each other, all together: their chances in a trial by the rules and with the fault."""

    right: Reals
    wrong: Reals
    trials: float = 1.0

    def power(self, rounds: float, level: float) -> float:
        """The probability that so many rounds with the fault fail the test; rare cells are pooled."""
        number = rounds * self.trials
        rare = self.right * number < LEAST_EXPECTED
        right, wrong = self.right[~rare], self.wrong[~rare]
        if rare.any():
            right = np.append(right, self.right[rare].sum())
            wrong = np.append(wrong, self.wrong[rare].sum())
        if len(right) < 2:
            return 0.0
        freedom = len(right) - 1
        return _noncentral(number * float(((wrong - right) ** 2 / right).sum()), freedom, level)

    def guess(self, level: float, target: float) -> float:
        """About how many rounds give this power."""
        each = float(((self.wrong - self.right) ** 2 / self.right).sum()) * self.trials
        if each <= 0 or len(self.right) < 2:
            return inf
        freedom, most = len(self.right) - 1, 1.0
        while _noncentral(most, freedom, level) < target:
            most *= 2
        shift = optimize.brentq(lambda shift: _noncentral(shift, freedom, level) - target, 0.0, most)
        return float(shift) / each


@dataclass(frozen=True, slots=True)
class MeanCurve:
    """A mean: how far the fault moves it, its variances; ``least``: the fewest rounds with a normal tail."""

    off: float
    right: float
    wrong: float
    least: float

    def power(self, rounds: float, level: float) -> float:
        """The probability that so many rounds with the fault fail the test; 0 below the fewest rounds."""
        if rounds < self.least or self.right <= 0:
            return 0.0
        return _beyond(rounds * self.off, sqrt(rounds * self.right), sqrt(rounds * self.wrong), level)

    def guess(self, level: float, target: float) -> float:
        """About how many rounds give this power."""
        if not self.off or self.right <= 0:
            return inf
        ways = _deviations(level / 2) * sqrt(self.right) + _deviations(1 - target) * sqrt(self.wrong)
        return max(self.least, float((ways / self.off) ** 2))


@cache
def _deviations(chance: float) -> float:
    """The standard deviations beyond which a normal tail has this chance."""
    return float(stats.norm.isf(chance))


def _beyond(off: float, right: float, wrong: float, level: float) -> float:
    """The probability that a normal sum that is off lies beyond the critical value, on either side."""
    most = _deviations(level / 2) * right
    if wrong <= 0:
        return 1.0 if abs(off) > most else 0.0
    return float(stats.norm.sf((most - off) / wrong) + stats.norm.cdf((-most - off) / wrong))


def _noncentral(shift: float, freedom: int, level: float) -> float:
    return float(stats.ncx2.sf(stats.chi2.isf(level, freedom), freedom, max(shift, 1e-9)))
