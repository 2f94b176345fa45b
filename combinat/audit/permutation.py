"""The association of stakes with a signal: slopes, rank correlations, and permutations of whole shoes.

A player without knowledge of the cards may stake by the clock, by a system or by mood, and the edge spreads
as a shoe is dealt. The stakes of a shoe therefore keep their order and are compared with the edges of other
shoes at the same rounds: only whole shoes are permuted. An association that remains shows that the stakes
depend on the cards.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from combinat.audit.judging.statistics import Places, Reals, rounded
from combinat.audit.stakes import ALL, PlayerStakes, Stakes

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
    """Return the shoes in blocks of about one size."""
    return np.array_split(np.arange(shoes), max(1, -(-shoes // BLOCK)))


def common_rounds(lengths: Sequence[int]) -> int:
    """Return the number of first rounds to compare that keeps the most rounds; shorter shoes are excluded.

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
    changed: Reals = field(default_factory=lambda: np.zeros(PERMUTATIONS))

    def add(self, products: Reals, places: Places, order: Places) -> None:
        """Add a block of products of a player's stakes (rows: shoes) and the signal (columns: shoes of the block).

        ``places``: the indices of the player's shoes in the block.
        """
        rows = np.arange(len(places))
        self.seen += float(products[rows, places].sum())
        self.scale += float(np.abs(products).max(axis=1).sum())
        for row, place in enumerate(places.tolist()):
            self.changed += products[row, order[:, place]]

    @property
    def as_much(self) -> int:
        """The number of permutations whose sum is at least the observed sum."""
        return int((self.changed >= self.seen - EQUAL * self.scale).sum())


def within(stakes: Reals, signal: Reals, groups: Places) -> Fraction | None:
    """Return the p-value of the sum under permutations within groups, or None if nothing can be permuted.

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
    """Return the least-squares slope of the stake on the signal, or None if the signal is constant."""
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


# ---------------------------------------------------------------- whole shoes


MOST_TURNS = 20
"""The most rounds of further permutations."""


class Signal(NamedTuple):
    """The signal to compare stakes on a bet, or on all bets, with: the edge, or a set of tags by number."""

    bet: str
    tags: int | None = None


@dataclass(slots=True)
class Tried:
    """The number of permutations tried, and of those that reached the observed sum."""

    as_much: int = 0
    ways: int = 0

    @property
    def chance(self) -> Fraction:
        """The p-value; the observed order counts as one permutation."""
        return Fraction(1 + self.as_much, 1 + self.ways)


Trials = dict[str, dict[Signal, Tried]]


def chances(
    stakes: Stakes, tags_of: dict[str, tuple[int, ...]], alpha: Fraction
) -> dict[str, dict[Signal, Fraction]]:
    """Return the p-value of each signal for every player; empty if there are too few shoes."""
    tried: Trials = {name: {} for name in stakes.players}
    if len(stakes.paths) < LEAST_SHOES:
        return {name: {} for name in tried}
    _turn(stakes, tags_of, tried, list(stakes.players), 0)
    number = sum(len(of_player) for of_player in tried.values())
    turns = min(MOST_TURNS, int(2 * number / alpha) // PERMUTATIONS + 1)
    for turn in range(1, turns):
        names = [
            name for name, of_player in tried.items() if any(not one.as_much for one in of_player.values())
        ]
        if names:
            _turn(stakes, tags_of, tried, names, turn)
    return {name: {signal: one.chance for signal, one in mine.items()} for name, mine in tried.items()}


def _turn(
    stakes: Stakes, tags_of: dict[str, tuple[int, ...]], tried: Trials, names: Sequence[str], turn: int
) -> None:
    """Try further permutations for the sums that no permutation has reached yet."""
    sums: dict[str, dict[Signal, Sum]] = {name: {} for name in names}
    for number, block in enumerate(blocks(len(stakes.paths))):
        _add_block(stakes, tags_of, sums, block, (turn, number))
    for name, of_player in sums.items():
        for signal, one in (*of_player.items(), *_sum_over_bets(of_player)):
            known = tried[name].setdefault(signal, Tried())
            if not known.as_much:
                known.as_much += one.as_much
                known.ways += PERMUTATIONS


def _sum_over_bets(sums: dict[Signal, Sum]) -> Iterable[tuple[Signal, Sum]]:
    """Yield the edges of all bets together, if there are several."""
    edges = [one for signal, one in sums.items() if signal.tags is None]
    if len(edges) > 1:
        changed = np.sum([one.changed for one in edges], axis=0)
        yield Signal(ALL), Sum(sum(one.seen for one in edges), sum(one.scale for one in edges), changed)


def _add_block(
    stakes: Stakes,
    tags_of: dict[str, tuple[int, ...]],
    sums: dict[str, dict[Signal, Sum]],
    block: Places,
    stream: tuple[int, int],
) -> None:
    """Add the shoes of a block: their signals, and the stakes of all players present.

    Whether a late round is dealt depends on the cards of its shoe. So shoes are compared only over rounds
    that all of them have.
    """
    rounds = common_rounds([len(stakes.paths[shoe].edges) for shoe in block.tolist()])
    kept = [shoe for shoe in block.tolist() if len(stakes.paths[shoe].edges) >= rounds]
    edges = np.stack([stakes.paths[shoe].edges[:rounds] for shoe in kept])
    counts = np.stack([stakes.paths[shoe].counts[:rounds] for shoe in kept])
    order = orders(len(kept), stream)
    for name, mine in sums.items():
        player = stakes.players[name]
        places = [place for place, shoe in enumerate(kept) if shoe in player.courses]
        if not places:
            continue
        here = np.stack([player.courses[kept[place]].stakes[:rounds] for place in places])
        for column, bet in _placed(stakes, player):
            staked, at = here[:, :, column], np.array(places)
            mine.setdefault(Signal(bet), Sum()).add(staked @ edges[:, :, column].T, at, order)
            for tags in tags_of[bet]:
                mine.setdefault(Signal(bet, tags), Sum()).add(staked @ counts[:, :, tags].T, at, order)


def _placed(stakes: Stakes, player: PlayerStakes) -> list[tuple[int, str]]:
    """Return the bets on which a player staked anything, with their columns."""
    return [(column, bet) for column, bet in enumerate(stakes.bets) if bet in player.sums]
