"""Statistics: how likely a difference from the exact results is by chance alone.

The one place of the audit where numbers are floats: probabilities of test statistics are computed by scipy. What
goes in, counts and exact probabilities, is exact; what comes out is rounded to nine significant digits, and
exact from there on.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import ceil, comb, fsum, inf, sqrt
from typing import Protocol

import numpy as np
import numpy.typing as npt
from scipy import optimize, stats

from combinat.audit.verdict import Score
from combinat.engine.walk import MOST_CARDS

DIGITS = 9
"""The significant digits of a statistic: as many as every machine and library agrees on."""

LEAST_EXPECTED = 10
"""Cells expected less often than this are judged together, as one."""

MOST_SKEW = Fraction(1, 50)
"""The skewness of a sum up to which its normal tail is relied on."""

POWER = Fraction(9, 10)
"""How surely the smallest deviation that is reported would have been noticed."""


Reals = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]

LEAST_SPREAD = Fraction(1, 10**6)
"""The least design effect: rounds of shoes that never differ would have none."""


def rounded(value: float) -> Fraction:
    """Return the value to nine significant digits.

    >>> rounded(2 / 3), rounded(-1e-20)
    (Fraction(666666667, 1000000000), Fraction(-1, 100000000000000000000))
    """
    return Fraction(f"{value:.{DIGITS - 1}e}")


def _score(statistic: float, chance: float, freedom: int | None = None) -> Score:
    return Score(statistic=rounded(statistic), freedom=freedom, chance=rounded(min(1.0, chance)))


def chi_square(
    counts: Sequence[int],
    expected: Sequence[Fraction],
    covariances: Reals | None = None,
    spread: Fraction = Fraction(1),
) -> Score | None:
    """Return the test of counts of events that exclude each other against their expected numbers, or None with too few trials.

    ``covariances``: of the counts; without them they are multinomial, with a design effect ``spread`` where rounds depend on
    each other. Rare events are pooled.
    """
    pooled = pooled_cells(expected)
    if len(pooled) < 2:
        return None
    off = [fsum(float(counts[cell] - expected[cell]) for cell in cells) for cells in pooled]
    if covariances is None:
        means = [fsum(float(expected[cell]) for cell in cells) for cells in pooled]
        squares = fsum(difference**2 / mean for difference, mean in zip(off, means, strict=True))
        statistic = squares / float(spread)
    else:
        matrix = np.zeros((len(pooled), len(expected)))
        for row, cells in enumerate(pooled):
            matrix[row, cells] = 1
        within = matrix @ covariances @ matrix.T
        # one event is left out: the others determine it
        statistic = max(0.0, float(np.array(off[1:]) @ np.linalg.solve(within[1:, 1:], off[1:])))
    freedom = len(pooled) - 1
    chance = rounded(float(stats.chi2.sf(statistic, freedom)))
    return Score(statistic=rounded(statistic), freedom=freedom, chance=chance, is_squares=True)


def pooled_cells(expected: Sequence[Fraction]) -> list[list[int]]:
    """Return the numbers of the cells in groups: each alone where enough is expected of it, the rare ones together."""
    is_rare = [value < LEAST_EXPECTED for value in expected]
    rare = [cell for cell, rarely in enumerate(is_rare) if rarely]
    groups = [[cell] for cell, rarely in enumerate(is_rare) if not rarely]
    if rare and groups and fsum(float(expected[cell]) for cell in rare) < LEAST_EXPECTED:
        smallest = min(groups, key=lambda group: expected[group[0]])
        groups.remove(smallest)
        rare += smallest
    return [*groups, rare] if rare else groups


def design_effect(cells: Sequence[tuple[int, int, Fraction]], rounds: int, rounds_each: int) -> Fraction:
    """By how much the counts of dependent rounds scatter more than those of independent ones (Rao and Scott).

    ``cells``: of each its count, the sum of the squares of its counts over shoes, and its chance. Over the cells that are
    judged alone: the mean of the ratios of variances, from the pairs of rounds of one shoe that fell into one cell.
    """
    groups = pooled_cells([chance * rounds for _, _, chance in cells])
    alone = [cells[group[0]] for group in groups if len(group) == 1]
    if not alone:
        return Fraction(1)
    share = sum((chance for _, _, chance in alone), Fraction(0))
    excess = sum(((squares - count) / chance for count, squares, chance in alone), Fraction(0))
    ratio = (len(alone) * rounds + excess - rounds * rounds_each * share) / (rounds * (len(alone) - share))
    return max(ratio, LEAST_SPREAD)


MANY = 1 / MOST_SKEW**2
"""The variance of a count from which on power takes its tail for normal."""


def count_score(count: int, trials: int, expected: Fraction, variance: float | Fraction) -> Score:
    """Return the two-sided test of a count by its exact mean and variance; the statistic is in standard deviations.

    The law is binomial with this mean and, but for a whole number of trials, this variance: exact if the chance is the
    same in every trial.
    """
    mean, spread = float(expected), float(variance)
    statistic = float(count - expected) / sqrt(spread) if spread > 0 else 0.0
    same = trials
    if mean > 0:
        same = min(trials, max(count, ceil(mean**2 / max(mean - spread, mean**2 / trials))))
    return _score(statistic, float(stats.binomtest(count, same, min(1.0, mean / same)).pvalue))


def normal(deviation: Fraction, variance: Fraction) -> Score:
    """Return the two-sided test of a sum against its exact variance."""
    statistic = _deviations(deviation, variance)
    return _score(statistic, float(2 * stats.norm.sf(abs(statistic))))


def clustered(
    deviation: Fraction, variance: Fraction, independent: Fraction, shoes: int, most_spread: Fraction
) -> Score:
    """Return the two-sided test of a sum over shoes against its variance over the shoes themselves.

    ``independent``: the variance of as many independent rounds; ``most_spread``: how many times that the rounds of
    right shoes can vary. A larger variance than that, but for chance, is no excuse.
    """
    most = float(independent * most_spread) * (1 + 4 * sqrt(2 / shoes))
    statistic = _deviations(deviation, Fraction(min(float(variance), most)))
    freedom = max(1, shoes - 1)
    return _score(statistic, float(2 * stats.t.sf(abs(statistic), freedom)), freedom)


def most_spread(shoe_size: int, rounds: int) -> Fraction:
    """Return the most by which counts over whole shoes vary more than those of independent rounds: a ratio of variances.

    Two rounds of a shoe are two disjoint samples of six cards. The part of a statistic that depends on c cards at a
    time has the correlation ``(-1)**c * comb(6, c) / comb(size - 6, c)`` between them (Hoeffding's decomposition).

    >>> most_spread(416, 67), most_spread(13, 2), most_spread(13, 1)
    (Fraction(16967, 16769), Fraction(12, 7), Fraction(1, 1))
    """
    others = shoe_size - MOST_CARDS
    if rounds == 1 or others < MOST_CARDS:
        return Fraction(1)
    correlation = max(Fraction(comb(MOST_CARDS, c), comb(others, c)) for c in (2, 4, 6))
    return 1 + (rounds - 1) * correlation


def card_spread(shoe_size: int, rounds: int) -> Fraction:
    """Return the ratio of variances of the ranks of one card of each round of a shoe: cards drawn without replacement.

    >>> card_spread(416, 67), card_spread(52, 1)
    (Fraction(349, 415), Fraction(1, 1))
    """
    return Fraction(shoe_size - rounds, shoe_size - 1)


def _deviations(deviation: Fraction, variance: Fraction) -> float:
    """Return how many standard deviations that is; 0 where there is nothing to vary."""
    return float(deviation) / sqrt(variance) if variance > 0 else 0.0


def holm(chances: Sequence[Fraction]) -> list[Fraction]:
    """Return the chances adjusted for their number by Holm's method: reject those at or below alpha.

    >>> [str(chance) for chance in holm([Fraction(1, 100), Fraction(4, 100), Fraction(3, 100)])]
    ['3/100', '3/50', '3/50']
    """
    order = sorted(range(len(chances)), key=lambda number: chances[number])
    adjusted, highest = [Fraction(0)] * len(chances), Fraction(0)
    for rank, number in enumerate(order):
        highest = max(highest, min(Fraction(1), (len(chances) - rank) * chances[number]))
        adjusted[number] = highest
    return adjusted


def smallest_deviation(error: Fraction, alpha: Fraction, tests: int) -> Fraction:
    """Return the deviation of a mean that would have been noticed with a probability of ``POWER``.

    ``error`` is the variance of the mean; the level is the one that Holm's method allows at its strictest.
    """
    level = stats.norm.isf(float(alpha) / (2 * tests)) + stats.norm.isf(1 - float(POWER))
    return rounded(float(level * sqrt(error)))


# ---------------------------------------------------------------- exact values as floats


def ratios(numerators: npt.NDArray[np.generic], denominators: npt.NDArray[np.generic]) -> Reals:
    """Fractions as numbers to correlate: a row each, over one denominator."""
    return numerators.astype(np.float64) / denominators.astype(np.float64)[:, None]


def reals(values: npt.ArrayLike) -> Reals:
    """Exact values as numbers to correlate."""
    return np.array(values).astype(np.float64)


def zeros(*shape: int) -> Reals:
    """Nothing staked yet."""
    return np.zeros(shape)


def deviations(off: Fraction, variance: float) -> Fraction | None:
    """Return the deviation in standard deviations, or None if nothing varies."""
    return rounded(float(off) / float(np.sqrt(variance))) if variance > 0 else None


# ---------------------------------------------------------------- power


class Curve(Protocol):
    """The power of a test by the number of rounds."""

    def power(self, rounds: float, level: float) -> float:
        """Return the probability that this number of rounds with the fault fails the test."""

    def guess(self, level: float, target: float) -> float:
        """About how many rounds give this power."""


@dataclass(frozen=True, slots=True)
class CountCurve:
    """A count: its chance in a trial by the rules and with the fault; ``trials``: how many a round has."""

    right: float
    wrong: float
    trials: float = 1.0

    def power(self, rounds: float, level: float) -> float:
        """Return the probability that this number of rounds with the fault fails the test."""
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
        ways = _critical(level / 2) * spreads[0] + _critical(1 - target) * spreads[1]
        return float((ways / (self.wrong - self.right)) ** 2 / self.trials)


@dataclass(frozen=True, slots=True)
class CellCurve:
    """Cells that exclude each other, all together: their chances in a trial by the rules and with the fault."""

    right: Reals
    wrong: Reals
    trials: float = 1.0

    def power(self, rounds: float, level: float) -> float:
        """Return the probability that this number of rounds with the fault fails the test; rare cells are pooled."""
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
        """Return the probability that this number of rounds with the fault fails the test; 0 below the fewest rounds."""
        if rounds < self.least or self.right <= 0:
            return 0.0
        return _beyond(rounds * self.off, sqrt(rounds * self.right), sqrt(rounds * self.wrong), level)

    def guess(self, level: float, target: float) -> float:
        """About how many rounds give this power."""
        if not self.off or self.right <= 0:
            return inf
        ways = _critical(level / 2) * sqrt(self.right) + _critical(1 - target) * sqrt(self.wrong)
        return max(self.least, float((ways / self.off) ** 2))


@cache
def _critical(chance: float) -> float:
    """Return the standard deviations beyond which a normal tail has this chance."""
    return float(stats.norm.isf(chance))


def _beyond(off: float, right: float, wrong: float, level: float) -> float:
    """Return the probability that a normal sum that is off lies beyond the critical value, on either side."""
    most = _critical(level / 2) * right
    if wrong <= 0:
        return 1.0 if abs(off) > most else 0.0
    return float(stats.norm.sf((most - off) / wrong) + stats.norm.cdf((-most - off) / wrong))


def _noncentral(shift: float, freedom: int, level: float) -> float:
    return float(stats.ncx2.sf(stats.chi2.isf(level, freedom), freedom, max(shift, 1e-9)))
