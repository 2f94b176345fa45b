"""Statistics: how likely a difference from the exact results is by chance alone.

The one place of the simulator's side where numbers are floats: probabilities of test statistics are
transcendental. What goes in, counts and exact probabilities, is exact.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

import numpy as np
from scipy import stats

LEAST_EXPECTED = 10
"""Cells expected less often than this are judged together, as one."""

MOST_SKEW = Fraction(1, 50)
"""The skewness of a sum up to which its normal tail is relied on."""

POWER = Fraction(9, 10)
"""How surely the smallest deviation that is reported would have been noticed."""


@dataclass(frozen=True, slots=True)
class Score:
    """A test statistic, its degrees of freedom where it has any, and its probability by chance alone."""

    statistic: float
    freedom: int | None
    chance: float


def g_test(
    counts: Sequence[int], probabilities: Sequence[Fraction], rounds: int, spread: float = 1.0
) -> Score | None:
    """The likelihood-ratio test of counts against exact probabilities; None: too few rounds for it.

    Rare cells are pooled by what is expected, never by what was observed. Williams' correction makes up
    for cells of moderate size; ``spread`` is the design effect of rounds that depend on each other.
    """
    pooled = pooled_cells([chance * rounds for chance in probabilities])
    if len(pooled) < 2:
        return None
    found = np.array([sum(counts[cell] for cell in cells) for cells in pooled], dtype=np.float64)
    chances = [sum((probabilities[cell] for cell in cells), Fraction(0)) for cells in pooled]
    expected = np.array([float(chance) for chance in chances]) * rounds
    freedom = len(pooled) - 1
    statistic = float(stats.power_divergence(found, expected, lambda_="log-likelihood").statistic)
    williams = 1 + (float(np.sum(rounds / expected)) - 1) / (6 * rounds * freedom)
    corrected = max(0.0, statistic / (williams * spread))
    return Score(corrected, freedom, float(stats.chi2.sf(corrected, freedom)))


def pooled_cells(expected: Sequence[Fraction]) -> list[list[int]]:
    """The numbers of the cells in groups: each alone where enough is expected of it, the rare ones together."""
    rare = [cell for cell, value in enumerate(expected) if value < LEAST_EXPECTED]
    groups = [[cell] for cell, value in enumerate(expected) if value >= LEAST_EXPECTED]
    if rare and sum((expected[cell] for cell in rare), Fraction(0)) < LEAST_EXPECTED and groups:
        smallest = min(groups, key=lambda group: expected[group[0]])
        groups.remove(smallest)
        rare += smallest
    return [*groups, rare] if rare else groups


def design_effect(
    counts: Sequence[int],
    squares: Sequence[int],
    probabilities: Sequence[Fraction],
    rounds: int,
    rounds_squared: int,
) -> float:
    """By how much the counts of dependent rounds scatter more than those of independent ones (Rao and Scott).

    Over the cells that are judged alone: the mean of the ratios of variances, from the pairs of rounds of
    one shoe that fell into one cell.
    """
    alone = [group[0] for group in pooled_cells([one * rounds for one in probabilities]) if len(group) == 1]
    if not alone:
        return 1.0
    share = sum((probabilities[cell] for cell in alone), Fraction(0))
    excess = sum(((squares[cell] - counts[cell]) / probabilities[cell] for cell in alone), Fraction(0))
    found = (len(alone) * rounds + excess - rounds_squared * share) / (rounds * (len(alone) - share))
    return max(float(found), 1e-6)


def binomial(count: int, rounds: int, probability: Fraction) -> Score:
    """The exact two-sided binomial test; the statistic is the deviation in standard deviations."""
    chance = float(stats.binomtest(count, rounds, float(probability)).pvalue)
    spread = probability * (1 - probability) * rounds
    return Score(_deviations(count - rounds * probability, spread), None, min(1.0, chance))


def normal(deviation: Fraction, variance: Fraction) -> Score:
    """The two-sided test of a sum against its exact variance."""
    statistic = _deviations(deviation, variance)
    return Score(statistic, None, float(2 * stats.norm.sf(abs(statistic))))


def excess(count: int, most: Fraction, variance: Fraction) -> Score:
    """The one-sided test of a count against the most that is expected of it."""
    statistic = _deviations(count - most, variance)
    return Score(statistic, None, float(stats.norm.sf(statistic)))


def clustered(deviation: Fraction, variance: Fraction, independent: Fraction, shoes: int) -> Score:
    """The two-sided test of a sum over shoes against its variance as the shoes themselves show it.

    True shoes scatter as independent rounds do, but for chance; what scatters far more is no excuse.
    """
    most = float(independent) * (1 + 4 * sqrt(2 / shoes))
    statistic = _deviations(deviation, Fraction(min(float(variance), most)))
    freedom = max(1, shoes - 1)
    return Score(statistic, freedom, float(2 * stats.t.sf(abs(statistic), freedom)))


def _deviations(deviation: Fraction, variance: Fraction) -> float:
    """How many standard deviations that is; 0 where there is nothing to vary."""
    return float(deviation) / sqrt(variance) if variance > 0 else 0.0


def holm(chances: Sequence[float]) -> list[float]:
    """The chances adjusted for their number by Holm's method: reject those at or below alpha.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(chances)), key=lambda number: chances[number])
    adjusted, highest = [0.0] * len(chances), 0.0
    for rank, number in enumerate(order):
        highest = max(highest, min(1.0, (len(chances) - rank) * chances[number]))
        adjusted[number] = highest
    return adjusted


def smallest_deviation(error: Fraction, alpha: Fraction, tests: int) -> float:
    """The deviation of a mean that would have been noticed with a probability of ``POWER``.

    ``error`` is the variance of the mean; the level is the one that Holm's method allows at its strictest.
    """
    level = stats.norm.isf(float(alpha) / (2 * tests)) + stats.norm.isf(1 - float(POWER))
    return float(level * sqrt(error))
