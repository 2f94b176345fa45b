"""Whether stakes go with a signal: slopes, rank correlations, and permutations that respect the order in a shoe.

A player who knows nothing of the cards may stake by the clock, by a system or by mood, and the edge spreads as a shoe
is dealt. So the stakes of a shoe are kept in their order and compared with the edges of other shoes at
the same rounds: only whole shoes are permuted. An association that remains means that stakes depend on these cards.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from combinat.audit.judging.statistics import rounded

Reals = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]

PERMUTATIONS = 9_999
"""Permutations of shoes in one pass."""

BLOCK = 400
"""Shoes that are permuted with each other: neighbours in the log."""

LEAST_SHOES = 8
"""The fewest shoes of a log for a permutation test."""

EQUAL = 1e-9
"""Sums that differ by this part of their size are equal: they were added in another order."""

SEED = 16


def orders(number: int, stream: tuple[int, int]) -> Places:
    """Permutations of ``number`` shoes, a row each: the same on every machine, different in each stream."""
    bits = np.random.PCG64(np.random.SeedSequence(SEED, spawn_key=stream))
    keys = bits.random_raw(PERMUTATIONS * number).reshape(PERMUTATIONS, number)
    return np.argsort(keys, axis=1, kind="stable")


def blocks(shoes: int) -> list[Places]:
    """The shoes in blocks of about one size."""
    return np.array_split(np.arange(shoes), max(1, -(-shoes // BLOCK)))


def common_rounds(lengths: Sequence[int]) -> int:
    """The number of first rounds to compare: shorter shoes are left out, so that the most rounds count.

    >>> common_rounds([80, 82, 79, 3])
    79
    """
    longest_first = sorted(lengths, reverse=True)
    return max((length * (kept + 1), length) for kept, length in enumerate(longest_first))[1]


@dataclass(slots=True)
class Sum:
    """The sum of stakes times a signal: as observed, and for each permutation of the shoes."""

    seen: float = 0.0
    scale: float = 0.0
    changed: Reals | None = None

    def add(self, products: Reals, places: Places, order: Places) -> None:
        """Add a block: ``products[i, j]`` of the stakes in the i-th shoe of a player and the signal of the j-th of the block.

        ``places``: which shoes of the block those of the player are.
        """
        rows = np.arange(len(places))
        self.seen += float(products[rows, places].sum())
        self.scale += float(np.abs(products).max(axis=1).sum())
        changed = np.zeros(len(order))
        for row, place in enumerate(places.tolist()):
            changed += products[row, order[:, place]]
        self.changed = changed if self.changed is None else self.changed + changed

    def plus(self, other: "Sum") -> "Sum":
        """Both sums together."""
        if self.changed is None or other.changed is None:
            return self if other.changed is None else other
        return Sum(self.seen + other.seen, self.scale + other.scale, self.changed + other.changed)

    @property
    def as_much(self) -> int:
        """The number of permutations with as large a sum."""
        return 0 if self.changed is None else int((self.changed >= self.seen - EQUAL * self.scale).sum())


def within(stakes: Reals, signal: Reals, groups: Places) -> Fraction | None:
    """The p-value of the sum when stakes are permuted within their groups, or None if nothing can be permuted.

    ``scipy.stats.permutation_test`` permutes all observations, not those of each group.
    """
    if len(stakes) < 2 or len(np.unique(groups)) == len(groups):
        return None
    bits = np.random.PCG64(np.random.SeedSequence(SEED, spawn_key=(0,)))
    home = np.argsort(groups, kind="stable")
    seen, scale, as_much = float(stakes @ signal), float(np.abs(stakes) @ np.abs(signal)), 0
    for _ in range(PERMUTATIONS):
        order = np.lexsort((bits.random_raw(len(stakes)), groups))
        as_much += float(stakes[order] @ signal[home]) >= seen - EQUAL * scale
    return Fraction(1 + as_much, 1 + PERMUTATIONS)


def slope(stakes: Reals, signal: Reals) -> Fraction | None:
    """The increase of the stake for each unit of the signal, by least squares; None if the signal is constant."""
    if len(stakes) < 3 or signal.min() == signal.max():
        return None
    from scipy import stats

    more = stakes - stakes[0]  # constant stakes have a slope of exactly 0
    return rounded(float(stats.linregress(signal, more).slope))


def rank_correlation(stakes: Reals, signal: Reals) -> Fraction | None:
    """Spearman's rank correlation; None if either is constant."""
    if len(stakes) < 3 or stakes.min() == stakes.max() or signal.min() == signal.max():
        return None
    from scipy import stats

    return rounded(float(stats.spearmanr(stakes, signal).statistic))


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
    """The deviation in standard deviations, or None if nothing varies."""
    return rounded(float(off) / float(np.sqrt(variance))) if variance > 0 else None
