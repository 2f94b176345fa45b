"""Whether stakes go with a signal: slopes, rank correlations, and permutations that respect the order in a shoe.

A player who knows nothing of the cards may stake by the clock, by a system or by mood, and the edge spreads as a shoe
is dealt. So the stakes of a shoe are kept as they came, round by round, and held against the edges of other shoes at
the same rounds: whole shoes change places, nothing else. What is left to explain is that stakes know these cards.
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
"""Ways in which shoes change places that are looked at at once."""

BLOCK = 400
"""Shoes that change places with each other: neighbours in the log."""

LEAST_SHOES = 8
"""Shoes of a log below which nothing is said by changing places."""

EQUAL = 1e-9
"""Sums that differ by this part of their size are equal: they were added in another order."""

SEED = 16


def orders(number: int, stream: tuple[int, int]) -> Places:
    """Permutations of so many shoes, a row each, the same on every machine; others in each stream."""
    bits = np.random.PCG64(np.random.SeedSequence(SEED, spawn_key=stream))
    keys = bits.random_raw(PERMUTATIONS * number).reshape(PERMUTATIONS, number)
    return np.argsort(keys, axis=1, kind="stable")


def blocks(shoes: int) -> list[Places]:
    """The shoes in blocks of about one size."""
    return np.array_split(np.arange(shoes), max(1, -(-shoes // BLOCK)))


def common_rounds(lengths: Sequence[int]) -> int:
    """The first rounds of shoes to look at, where shorter shoes are left out: so that the most rounds are looked at.

    >>> common_rounds([80, 82, 79, 3])
    79
    """
    longest_first = sorted(lengths, reverse=True)
    return max((length * (kept + 1), length) for kept, length in enumerate(longest_first))[1]


@dataclass(slots=True)
class Sum:
    """The sum of stakes times a signal: as it was, and for each way in which shoes change places."""

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
        """In how many ways as much or more comes of it when shoes change places."""
        return 0 if self.changed is None else int((self.changed >= self.seen - EQUAL * self.scale).sum())


def within(stakes: Reals, signal: Reals, groups: Places) -> Fraction | None:
    """The chance of as high a sum when stakes change places within their groups; None: there is nothing to change."""
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
    """What is staked more for each unit of the signal, by least squares."""
    if len(stakes) < 3:
        return None
    off = signal - signal.mean()
    spread = float(off @ off)
    more = stakes - stakes[0]  # so that stakes that never differ have a slope of nothing
    return rounded(float(off @ more) / spread) if spread > 0 else None


def rank_correlation(stakes: Reals, signal: Reals) -> Fraction | None:
    """Spearman's rank correlation; None: one of the two never differs."""
    if len(stakes) < 3 or stakes.min() == stakes.max() or signal.min() == signal.max():
        return None
    from scipy import stats

    first, second = (stats.rankdata(values) for values in (stakes, signal))
    return rounded(float(np.corrcoef(first, second)[0, 1]))


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
    """How many standard deviations that is; None where nothing varies."""
    return rounded(float(off) / float(np.sqrt(variance))) if variance > 0 else None
