"""Statistical tests: the p-values of deviations from the exact results.

Only this part of the audit uses floats: scipy computes the probabilities of test statistics. The inputs,
counts and probabilities, are exact. The results are rounded to nine significant digits, and are fractions
from then on.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import ceil, comb, inf, sqrt

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
"""The power at which the smallest noticeable deviation is reported."""


Reals = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]

LEAST_SPREAD = Fraction(1, 10**6)
"""The least design effect: rounds of shoes that never differ would have none."""


def rounded(value: float) -> Fraction:
    """Return the value, rounded to nine significant digits.

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
    """Return the chi-square test of counts of mutually exclusive events, or None if there are too few trials.

    ``covariances``: of the counts. Default: multinomial, with the design effect ``spread`` for dependent
    rounds. Rare events are pooled.
    """
    means = reals([float(value) for value in expected])
    groups = pooled_cells(means)
    freedom = int(groups.max(initial=0))
    if freedom < 1:
        return None
    off = np.bincount(groups, reals(counts) - means)
    if covariances is None:
        statistic = float((off**2 / np.bincount(groups, means)).sum()) / float(spread)
    else:
        members = np.equal.outer(np.arange(freedom + 1), groups).astype(np.float64)
        within = members @ covariances @ members.T
        # one event is left out: the others determine it
        statistic = max(0.0, float(off[1:] @ np.linalg.solve(within[1:, 1:], off[1:])))
    chance = rounded(float(stats.chi2.sf(statistic, freedom)))
    return Score(statistic=rounded(statistic), freedom=freedom, chance=chance, is_squares=True)


def pooled_cells(expected: Reals) -> Places:
    """Return the group of each cell: frequent cells have their own, rare cells are in the last together."""
    is_rare = expected < LEAST_EXPECTED
    if is_rare.any() and not is_rare.all() and expected[is_rare].sum() < LEAST_EXPECTED:
        is_rare[np.where(is_rare, inf, expected).argmin()] = True
    return np.where(is_rare, np.count_nonzero(~is_rare), np.cumsum(~is_rare) - 1)


def design_effect(cells: Sequence[tuple[int, int, Fraction]], rounds: int, rounds_each: int) -> Fraction:
    """Return the design effect of dependent rounds: the variance ratio of their counts (Rao and Scott).

    ``cells``: for each cell its count, the sum over shoes of its squared counts, and its probability. The
    result is the mean ratio of variances over the cells that are tested alone, from the pairs of rounds of
    the same shoe and cell.
    """
    groups = pooled_cells(reals([float(chance * rounds) for _, _, chance in cells]))
    sizes = np.bincount(groups)[groups].tolist()
    alone = [cell for cell, size in zip(cells, sizes, strict=True) if size == 1]
    if not alone:
        return Fraction(1)
    share = sum((chance for _, _, chance in alone), Fraction(0))
    excess = sum(((squares - count) / chance for count, squares, chance in alone), Fraction(0))
    ratio = (len(alone) * rounds + excess - rounds * rounds_each * share) / (rounds * (len(alone) - share))
    return max(ratio, LEAST_SPREAD)


MANY = 1 / MOST_SKEW**2
"""The variance of a count from which on power takes its tail for normal."""


def count_score(count: int, trials: int, expected: Fraction, variance: float | Fraction) -> Score:
    """Return the two-sided test of a count by its exact mean and variance, in standard deviations.

    The distribution is binomial with this mean and (up to a whole number of trials) this variance. The test
    is exact if the probability is the same in every trial.
    """
    mean, spread = float(expected), float(variance)
    statistic = float(count - expected) / sqrt(spread) if spread > 0 else 0.0
    same = trials
    if mean > 0:
        same = min(trials, max(count, ceil(mean**2 / max(mean - spread, mean**2 / trials))))
    return _score(statistic, float(stats.binomtest(count, same, min(1.0, mean / same)).pvalue))


def normal(deviation: Fraction, variance: Fraction) -> Score:
    """Return the two-sided test of a sum against its exact variance."""
    statistic = in_deviations(deviation, variance)
    return _score(statistic, float(2 * stats.norm.sf(abs(statistic))))


def clustered(
    deviation: Fraction, variance: Fraction, independent: Fraction, shoes: int, most_spread: Fraction
) -> Score:
    """Return the two-sided test of a sum over shoes, by its sample variance over the shoes.

    ``independent``: the variance of the same number of independent rounds; ``most_spread``: the largest
    multiple of it that fair shoes can have. A sample variance above that limit, beyond chance, does not
    excuse a deviation.
    """
    most = float(independent * most_spread) * (1 + 4 * sqrt(2 / shoes))
    statistic = in_deviations(deviation, Fraction(min(float(variance), most)))
    freedom = max(1, shoes - 1)
    return _score(statistic, float(2 * stats.t.sf(abs(statistic), freedom)), freedom)


def most_spread(shoe_size: int, rounds: int) -> Fraction:
    """Return the largest ratio of the variance of counts over whole shoes to that of independent rounds.

    Two rounds of a shoe are two disjoint samples of six cards. The part of a statistic that depends on c
    cards at a time has the correlation ``(-1)**c * comb(6, c) / comb(size - 6, c)`` between them (Hoeffding's
    decomposition).

    >>> most_spread(416, 67), most_spread(13, 2), most_spread(13, 1)
    (Fraction(16967, 16769), Fraction(12, 7), Fraction(1, 1))
    """
    others = shoe_size - MOST_CARDS
    if rounds == 1 or others < MOST_CARDS:
        return Fraction(1)
    correlation = max(Fraction(comb(MOST_CARDS, c), comb(others, c)) for c in (2, 4, 6))
    return 1 + (rounds - 1) * correlation


def card_spread(shoe_size: int, rounds: int) -> Fraction:
    """Return the variance ratio of one card per round of a shoe, drawn without replacement.

    >>> card_spread(416, 67), card_spread(52, 1)
    (Fraction(349, 415), Fraction(1, 1))
    """
    return Fraction(shoe_size - rounds, shoe_size - 1)


def in_deviations(deviation: Fraction, variance: Fraction | float) -> float:
    """Return the deviation in standard deviations; 0 if the variance is 0."""
    return float(deviation) / sqrt(variance) if variance > 0 else 0.0


def holm(chances: Sequence[Fraction]) -> list[Fraction]:
    """Return the p-values, adjusted for their number by Holm's method: reject those at or below alpha.

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
    """Return the deviation of a mean that the tests detect with probability ``POWER``.

    ``error``: the variance of the mean. The level is the strictest level of Holm's method.
    """
    level = stats.norm.isf(float(alpha) / (2 * tests)) + stats.norm.isf(1 - float(POWER))
    return rounded(float(level * sqrt(error)))


# ---------------------------------------------------------------- exact values as floats


def ratios(numerators: npt.NDArray[np.generic], denominators: npt.NDArray[np.generic]) -> Reals:
    """Return fractions as floats, one row per numerator, each row over its denominator."""
    return numerators.astype(np.float64) / denominators.astype(np.float64)[:, None]


def reals(values: npt.ArrayLike) -> Reals:
    """Return exact values as floats."""
    return np.array(values).astype(np.float64)


# ---------------------------------------------------------------- power


@dataclass(frozen=True, slots=True)
class SumCurve:
    """A sum over trials: its shift by the fault and its variances in a trial. ``trials``: trials per round.

    ``least``: the fewest rounds with a normal tail. ``chances``: of a count, which is binomial: its
    probability in a trial by the rules and with the fault.
    """

    off: float
    right: float
    wrong: float
    trials: float = 1.0
    least: float = 0.0
    chances: tuple[float, float] | None = None

    @classmethod
    def of_count(cls, right: float, wrong: float, trials: float = 1.0) -> "SumCurve":
        """Return the curve of a count with these probabilities in a trial."""
        return cls(wrong - right, right * (1 - right), wrong * (1 - wrong), trials, chances=(right, wrong))

    def power(self, rounds: float, level: float) -> float:
        """Return the probability that this number of rounds with the fault fails the test."""
        number = rounds * self.trials if self.chances is None else int(rounds * self.trials)
        if rounds < self.least or self.right <= 0 or number <= 0:
            return 0.0
        if self.chances is None or number * self.right > float(MANY):
            return _beyond(number * self.off, sqrt(number * self.right), sqrt(number * self.wrong), level)
        right, wrong = (stats.binom(number, chance) for chance in self.chances)
        return float(wrong.cdf(right.ppf(level / 2) - 1) + wrong.sf(right.isf(level / 2)))

    def guess(self, level: float, target: float) -> float:
        """About how many rounds give this power."""
        if not self.off or self.right <= 0 or not self.trials:
            return inf
        ways = _critical(level / 2) * sqrt(self.right) + _critical(1 - target) * sqrt(max(0.0, self.wrong))
        return max(self.least, float((ways / self.off) ** 2 / self.trials))


@dataclass(frozen=True, slots=True)
class CellCurve:
    """Mutually exclusive cells together: their probabilities in a trial by the rules and with the fault."""

    right: Reals
    wrong: Reals
    trials: float = 1.0

    def power(self, rounds: float, level: float) -> float:
        """Return the probability that this number of faulty rounds fails the test, rare cells pooled."""
        number = rounds * self.trials
        groups = pooled_cells(self.right * number)
        freedom = int(groups.max(initial=0))
        if freedom < 1:
            return 0.0
        right, wrong = np.bincount(groups, self.right), np.bincount(groups, self.wrong)
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


Curve = SumCurve | CellCurve
"""The power of a test by the number of rounds: ``power`` of a number of rounds, ``guess`` of the rounds for a power."""


@cache
def _critical(chance: float) -> float:
    """Return the critical value of a normal tail of this probability, in standard deviations."""
    return float(stats.norm.isf(chance))


def _beyond(off: float, right: float, wrong: float, level: float) -> float:
    """Return the probability that a shifted normal sum is beyond the critical value, on either side."""
    most = _critical(level / 2) * right
    if wrong <= 0:
        return 1.0 if abs(off) > most else 0.0
    return float(stats.norm.sf((most - off) / wrong) + stats.norm.cdf((-most - off) / wrong))


def _noncentral(shift: float, freedom: int, level: float) -> float:
    return float(stats.ncx2.sf(stats.chi2.isf(level, freedom), freedom, max(shift, 1e-9)))
