"""Statistics: how likely a difference from the exact results is by chance alone.

The one place of the audit where numbers are floats: probabilities of test statistics are computed by scipy. What
goes in, counts and exact probabilities, is exact; what comes out is rounded to nine significant digits, and
exact from there on.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm, lgamma, log, log1p, sqrt

import numpy as np
import numpy.typing as npt
from scipy import optimize, special, stats

from combinat.analysis.verdict import Score

DIGITS = 9
"""The significant digits of a statistic: as many as every machine and library agrees on."""

LEAST_EXPECTED = 10
"""Cells expected less often than this are judged together, as one."""

MOST_SKEW = Fraction(1, 50)
"""The skewness of a sum up to which its normal tail is relied on."""

POWER = Fraction(9, 10)
"""How surely the smallest deviation that is reported would have been noticed."""


LEAST_SPREAD = Fraction(1, 10**6)
"""The least design effect: rounds of shoes that never differ would have none."""


def rounded(value: float) -> Fraction:
    """The value to nine significant digits.

    >>> rounded(2 / 3), rounded(-1e-20)
    (Fraction(666666667, 1000000000), Fraction(-1, 100000000000000000000))
    """
    return Fraction(f"{value:.{DIGITS - 1}e}")


def _score(statistic: float, chance: float, freedom: int | None = None) -> Score:
    return Score(statistic=rounded(statistic), freedom=freedom, chance=rounded(min(1.0, chance)))


def g_test(
    counts: Sequence[int], probabilities: Sequence[Fraction], rounds: int, spread: Fraction = Fraction(1)
) -> Score | None:
    """The likelihood-ratio test of counts against exact probabilities; None: too few rounds for it.

    Rare cells are pooled by what is expected, never by what was observed. Williams' correction makes up
    for cells of moderate size; ``spread`` is the design effect of rounds that depend on each other.
    """
    pooled = pooled_cells(probabilities, Fraction(LEAST_EXPECTED, rounds))
    if len(pooled) < 2:
        return None
    observed = np.array([sum(counts[cell] for cell in cells) for cells in pooled], dtype=np.float64)
    chances = [_total([probabilities[cell] for cell in cells]) for cells in pooled]
    expected = np.array([float(chance) for chance in chances]) * rounds
    freedom = len(pooled) - 1
    statistic = float(stats.power_divergence(observed, expected, lambda_="log-likelihood").statistic)
    williams = 1 + (float(np.sum(rounds / expected)) - 1) / (6 * rounds * freedom)
    corrected = max(0.0, statistic / (williams * float(spread)))
    return _score(corrected, float(stats.chi2.sf(corrected, freedom)), freedom)


def _total(chances: Sequence[Fraction]) -> Fraction:
    """The sum of chances; those of one shoe have one denominator, so that it is found once."""
    if len(chances) == 1:
        return chances[0]
    whole = lcm(*(chance.denominator for chance in chances))
    return Fraction(sum(chance.numerator * (whole // chance.denominator) for chance in chances), whole)


def pooled_cells(expected: Sequence[Fraction], least: Fraction = Fraction(LEAST_EXPECTED)) -> list[list[int]]:
    """The numbers of the cells in groups: each alone where enough is expected of it, the rare ones together."""
    top, bottom = least.numerator, least.denominator
    is_rare = [value.numerator * bottom < top * value.denominator for value in expected]
    rare = [cell for cell, rarely in enumerate(is_rare) if rarely]
    groups = [[cell] for cell, rarely in enumerate(is_rare) if not rarely]
    if rare and _total([expected[cell] for cell in rare]) < least and groups:
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
) -> Fraction:
    """By how much the counts of dependent rounds scatter more than those of independent ones (Rao and Scott).

    Over the cells that are judged alone: the mean of the ratios of variances, from the pairs of rounds of
    one shoe that fell into one cell.
    """
    alone = [
        group[0] for group in pooled_cells([chance * rounds for chance in probabilities]) if len(group) == 1
    ]
    if not alone:
        return Fraction(1)
    share = sum((probabilities[cell] for cell in alone), Fraction(0))
    excess = sum(((squares[cell] - counts[cell]) / probabilities[cell] for cell in alone), Fraction(0))
    ratio = (len(alone) * rounds + excess - rounds_squared * share) / (rounds * (len(alone) - share))
    return max(ratio, LEAST_SPREAD)


def quadratic(
    counts: Sequence[int], expected: Sequence[Fraction], covariances: npt.NDArray[np.float64]
) -> Score | None:
    """The test of counts against what was expected of each, by the covariances of their sums.

    None: too few rounds for it. Rare cells are pooled, and one cell is left out: the others tell it.
    """
    pooled = pooled_cells(expected)
    if len(pooled) < 2:
        return None
    matrix = np.zeros((len(pooled), len(expected)))
    for row, cells in enumerate(pooled):
        matrix[row, cells] = 1
    off = matrix @ np.array([float(count - mean) for count, mean in zip(counts, expected, strict=True)])
    spread = matrix @ covariances @ matrix.T
    statistic = float(off[1:] @ np.linalg.solve(spread[1:, 1:], off[1:]))
    freedom = len(pooled) - 1
    return _score(max(0.0, statistic), float(stats.chi2.sf(statistic, freedom)), freedom)


MANY = 1 / MOST_SKEW**2
"""The variance of a count from which on its tail is taken for normal."""


def counted(count: int, rounds: int, expected: Fraction, variance: float) -> Score:
    """The test of a count whose chance differs from round to round: by its variance, or exactly where it is rare.

    With a chance that differs, a count scatters less than a binomial one of the same mean: that is on the safe side.
    """
    if variance >= MANY:
        return normal(count - expected, Fraction(variance))
    return binomial(count, rounds, min(Fraction(1), expected / rounds))


def saddlepoint(nets: Sequence[Fraction], chances: Sequence[Fraction], rounds: int, total: Fraction) -> Score:
    """The two-sided test of the sum of so many net results, by the saddlepoint of its law (Lugannani and Rice).

    It holds far out in a skewed tail, where a normal one does not. The sum is a lattice variable: half a step is
    taken off its deviation, as for a binomial tail.
    """
    held = [(net, chance) for net, chance in zip(nets, chances, strict=True) if chance]
    step = _step([net for net, _ in held])
    mean = sum((net * chance for net, chance in held), Fraction(0))
    variance = sum((net**2 * chance for net, chance in held), Fraction(0)) - mean**2
    off = total - rounds * mean
    z = _deviations(off, rounds * variance)
    inner = abs(off) - step / 2
    if variance <= 0 or inner <= 0:
        return _score(z, 1.0)
    sign = 1 if off > 0 else -1
    values = np.array([float(sign * (net - mean) - inner / rounds) for net, _ in held])
    weights = np.array([float(chance) for _, chance in held])
    if values.max() <= 0:  # nothing lies farther out: every round came to the outermost net result
        return _score(z, 2 * float(weights[values.argmax()]) ** rounds)

    def tilted(t: float) -> tuple[float, float, float]:
        """The logarithm of the tilted whole, and the tilted mean and variance."""
        shifted = weights * np.exp(t * values)
        whole = float(shifted.sum())
        first = float(shifted @ values) / whole
        return float(np.log(whole)), first, float(shifted @ values**2) / whole - first**2

    most = FARTHEST / float(np.abs(values).max())
    if tilted(most)[1] <= 0:
        return _score(z, 0.0)
    t = float(optimize.brentq(lambda at: tilted(at)[1], 0.0, most))
    log_whole, _, second = tilted(t)
    root = sqrt(max(0.0, -2 * rounds * log_whole))
    if root < CENTRAL:
        return _score(z, 1.0)
    shift = 2 * float(np.sinh(t * float(step) / 2)) / float(step) * sqrt(rounds * second)
    tail = float(stats.norm.sf(root) + stats.norm.pdf(root) * (1 / shift - 1 / root))
    return _score(z, 2 * min(0.5, max(tail, 0.0)))


def _step(nets: Sequence[Fraction]) -> Fraction:
    """The step of the lattice on which sums of these net results lie."""
    part = lcm(*(net.denominator for net in nets))
    return Fraction(gcd(*(int((net - nets[0]) * part) for net in nets)) or 1, part)


CENTRAL = 0.01
"""So near to the mean every law is alike, and the saddlepoint is a quotient of zeros."""

FARTHEST = 600.0
"""How far a law is tilted: e to that power is still a number."""


def binomial(count: int, rounds: int, probability: Fraction) -> Score:
    """The exact two-sided binomial test; the statistic is the deviation in standard deviations."""
    chance = _as_likely(count, rounds, float(probability))
    spread = probability * (1 - probability) * rounds
    return _score(_deviations(count - rounds * probability, spread), chance)


ALIKE = 1 + 1e-7
"""How much likelier a count may be than another and still be taken for as likely: they are rounded."""


def _as_likely(count: int, rounds: int, chance: float) -> float:
    """The chance of all counts that are no likelier than this one."""
    if not 0 < chance < 1:
        return float(count == rounds * chance)
    odds = log(chance) - log1p(-chance)
    here = _log_ways(rounds, count) + count * odds + log(ALIKE)
    mode = min(rounds, int((rounds + 1) * chance))
    if _log_ways(rounds, mode) + mode * odds <= here:
        return 1.0
    near, far = mode, rounds + 1 if count < mode else -1  # on the other side of the mode
    while abs(far - near) > 1:
        middle = (near + far) // 2
        if _log_ways(rounds, middle) + middle * odds <= here:
            far = middle
        else:
            near = middle
    low, high = (count, far) if count < mode else (far, count)
    below = float(special.bdtr(low, rounds, chance)) if low >= 0 else 0.0
    above = float(special.bdtrc(high - 1, rounds, chance)) if high <= rounds else 0.0
    return min(1.0, below + above)


def _log_ways(rounds: int, count: int) -> float:
    """The logarithm of the number of ways to choose so many, but for a term of the rounds alone."""
    return -lgamma(count + 1) - lgamma(rounds - count + 1)


def normal(deviation: Fraction, variance: Fraction) -> Score:
    """The two-sided test of a sum against its exact variance."""
    statistic = _deviations(deviation, variance)
    return _score(statistic, float(2 * stats.norm.sf(abs(statistic))))


def clustered(deviation: Fraction, variance: Fraction, independent: Fraction, shoes: int) -> Score:
    """The two-sided test of a sum over shoes against its variance as the shoes themselves show it.

    True shoes scatter as independent rounds do, but for chance; what scatters far more is no excuse.
    """
    most = float(independent) * (1 + 4 * sqrt(2 / shoes))
    statistic = _deviations(deviation, Fraction(min(float(variance), most)))
    freedom = max(1, shoes - 1)
    return _score(statistic, float(2 * stats.t.sf(abs(statistic), freedom)), freedom)


def _deviations(deviation: Fraction, variance: Fraction) -> float:
    """How many standard deviations that is; 0 where there is nothing to vary."""
    return float(deviation) / sqrt(variance) if variance > 0 else 0.0


def holm(chances: Sequence[Fraction]) -> list[Fraction]:
    """The chances adjusted for their number by Holm's method: reject those at or below alpha.

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
    """The deviation of a mean that would have been noticed with a probability of ``POWER``.

    ``error`` is the variance of the mean; the level is the one that Holm's method allows at its strictest.
    """
    level = stats.norm.isf(float(alpha) / (2 * tests)) + stats.norm.isf(1 - float(POWER))
    return rounded(float(level * sqrt(error)))
