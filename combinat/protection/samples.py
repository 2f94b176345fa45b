"""Bets as functions of the few cards that decide them, and how much two such samples have in common.

A round is decided by six cards of the shoe, a bet on pairs by four. Averaged over the orders of the cards,
the net result of a bet is a function of a set of ``k`` cards, and its expected value with some cards left is
the mean over the sets of ``k`` among them. So the mean of its square is that of two such sets, and depends
only on how likely they are to share ``i`` cards: ``k + 1`` constants a bet give it at every depth.

The constants come from the sums ``U(A)`` over all sets that hold given cards ``A``: two sets that share ``i``
cards are met in the square of ``U(A)`` once for each ``A`` of ``j`` cards among the ``i``, so that the sum of
the squares over all ``A`` of ``j`` cards is the sum over ``i`` of ``C(i, j)`` times the sum over the pairs
that share ``i``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from math import comb, factorial, lcm
from operator import mul

import msgspec
import numpy as np

from combinat.analysis.evaluate import evaluate
from combinat.engine.arrays import Array, Ints
from combinat.engine.walk import MOST_CARDS
from combinat.protection.compositions import multisets_of, places_of
from combinat.protection.inputs import Tags
from combinat.protection.pairs import looks_at_pairs_alone, weights
from combinat.rules.bet import Bet
from combinat.rules.cards import RANKS
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

AS_TENS = [rank.points for rank in RANKS]
IS_TEN_OR_LESS = np.array([number < 10 for number in range(len(RANKS))], dtype=np.int64)
"""From counts by points to counts by rank: all that is worth nothing stands as tens."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Sample:
    """Bets over all sets of ``cards`` cards: ``totals[set, bet]``, over all orders, in parts of ``unit``.

    ``held``: how many cards of each kind the shoe has; the kinds are points, or ranks for bets that need
    them.
    """

    bets: tuple[str, ...]
    unit: int
    cards: int
    held: tuple[int, ...]
    totals: Array

    @property
    def size(self) -> int:
        """The number of cards in the shoe."""
        return sum(self.held)

    @property
    def is_by_rank(self) -> bool:
        """Whether each rank is a kind of card; else each number of points is."""
        return len(self.held) == len(RANKS)

    def by_kind(self, tags: Tags) -> list[int] | None:
        """Return the tags by kind of card, or None if cards of one kind have different tags."""
        if self.is_by_rank:
            return list(tags)
        by_points = dict(zip((rank.points for rank in RANKS), tags, strict=True))
        is_same = all(by_points[rank.points] == tag for rank, tag in zip(RANKS, tags, strict=True))
        return [by_points[points] for points in range(len(self.held))] if is_same else None

    @cached_property
    def sums(self) -> list[Array]:
        """For 0, 1, ... cards: of every multiset of that number, the sum over the sets that hold such cards."""
        kinds = len(self.held)
        sums: list[Array] = [self.totals.astype(object)]
        for few in range(self.cards - 1, -1, -1):
            multisets = multisets_of(kinds, few)
            total = np.zeros((len(multisets), len(self.bets)), dtype=object)
            for kind, held in enumerate(self.held):
                more = np.maximum(held - multisets[:, kind], 0).astype(object)
                total += more[:, None] * sums[0][_with_one_more(kinds, few, kind)]
            sums.insert(0, total // (self.cards - few))
        return sums

    @cached_property
    def shared(self) -> list[list[int]]:
        """For 0, 1, ... cards: what all pairs of sets that share that number sum to, bet by bet."""
        squares = [list(self.ways(few) @ (sums * sums)) for few, sums in enumerate(self.sums)]
        return [
            [
                sum((-1) ** (few - i) * comb(few, i) * squares[few][bet] for few in range(i, self.cards + 1))
                for bet in range(len(self.bets))
            ]
            for i in range(self.cards + 1)
        ]

    def ways(self, few: int) -> Array:
        """Return in how many ways the shoe has each multiset of this number of cards."""
        return _ways(self.held, few)

    def mean(self, bet: str) -> Fraction:
        """Return the expected value of the bet on the whole shoe."""
        return Fraction(
            int(self.sums[0][0, self.bets.index(bet)]), comb(self.size, self.cards) * self._orders
        )

    def mean_square(self, bet: str, left: int) -> Fraction:
        """Return the mean of the square of the bet's expected value with this number of cards left."""
        return Fraction(*self.square_over(bet, left))

    def square_over(self, bet: str, left: int) -> tuple[int, int]:
        """Return the mean of the square as a numerator and a denominator, not in lowest terms."""
        above = sum(map(mul, _second_sets(left, self.cards), self._weighted[bet]))
        return above, self._square_parts * comb(left, self.cards)

    @cached_property
    def _pairs(self) -> list[int]:
        """For 0, 1, ... cards: in how many ways a second set shares that number with the first; 1 where it cannot."""
        return [ways or 1 for ways in _second_sets(self.size, self.cards)]

    @cached_property
    def _parts(self) -> int:
        return lcm(*self._pairs)

    @cached_property
    def _square_parts(self) -> int:
        return self._parts * comb(self.size, self.cards) * self._orders**2

    @cached_property
    def _weighted(self) -> dict[str, list[int]]:
        """By bet: the mean over sets that share 0, 1, ... cards, in parts."""
        return {
            bet: [
                int(shared[place]) * (self._parts // pairs)
                for pairs, shared in zip(self._pairs, self.shared, strict=True)
            ]
            for place, bet in enumerate(self.bets)
        }

    def variance(self, bet: str, left: int) -> Fraction:
        """Return the variance of the bet's expected value with this number of cards left."""
        return self.mean_square(bet, left) - self.mean(bet) ** 2

    def effects(self, bet: str) -> list[Fraction]:
        """Return how much a card of each kind raises the bet's expected value when it is among the sample's cards."""
        whole = comb(self.size - 1, self.cards - 1) * self._orders
        sums = self.sums[1][:, self.bets.index(bet)]
        return [Fraction(int(total), whole) - self.mean(bet) for total in sums]

    def removal_effects(self, bet: str) -> tuple[Fraction, ...]:
        """Return the change of the bet's expected value when a card leaves the shoe, by rank."""
        by_kind = [-effect * self.cards / (self.size - self.cards) for effect in self.effects(bet)]
        return tuple(by_kind) if self.is_by_rank else tuple(by_kind[rank.points] for rank in RANKS)

    def first_order(self, bet: str, left: int) -> Fraction:
        """Return the most of that variance that a sum of one number for each card gone can explain.

        The best such sum takes the effects. With ``s`` the mean of their squares, its covariance with the
        expected value is ``k s (T - n) / (T - k)`` and its variance ``n s (T - n) / (T - 1)``, for ``n`` of
        ``T`` cards left.
        """
        k, size = self.cards, self.size
        squares = sum(
            (held * effect**2 for held, effect in zip(self.held, self.effects(bet), strict=True)), Fraction(0)
        )
        return k**2 * squares / size * (size - left) * (size - 1) / ((size - k) ** 2 * left)

    @property
    def _orders(self) -> int:
        return factorial(self.cards) * self.unit


@lru_cache(maxsize=4096)
def _second_sets(left: int, cards: int) -> list[int]:
    """Return the number of sets among the cards left that share 0, 1, ... cards with a given set."""
    return [comb(left - cards, cards - shared) for shared in range(cards + 1)]


@lru_cache(maxsize=16)
def _ways(held: tuple[int, ...], few: int) -> Array:
    """Return the ways of every multiset of this number of cards; every bet of a sample needs the same."""
    ways: Array = np.ones(comb(len(held) + few - 1, few), dtype=object)
    for kind, number in enumerate(held):
        of_kind = np.array([comb(number, cards) for cards in range(few + 1)], dtype=object)
        ways *= of_kind[multisets_of(len(held), few)[:, kind]]
    return ways


@cache
def _with_one_more(kinds: int, cards: int, kind: int) -> Ints:
    """Of every multiset of this number of cards, the place of the one with one more of a kind."""
    more = multisets_of(kinds, cards).copy()
    more[:, kind] += 1
    return places_of(more, cards + 1)


def samples(game: Game, shoe: Shoe) -> dict[str, Sample]:
    """Return the sample of every bet of a game, by the bet's id."""
    by_points = [bet for bet in game.bets if not bet.needs_ranks]
    by_pairs = [bet for bet in game.bets if looks_at_pairs_alone(bet)]
    joint = [bet for bet in game.bets if bet not in by_points and bet not in by_pairs]
    made = [
        *([_of_six(game, by_points, shoe.by_points)] if by_points else []),
        *([_of_four(by_pairs, shoe)] if by_pairs else []),
        *([_of_six(game, joint, shoe.counts)] if joint else []),
    ]
    return {bet: sample for sample in made for bet in sample.bets}


def sample_by_rank(game: Game, shoe: Shoe) -> Sample:
    """Return the sample of all bets that points decide, by rank."""
    return _of_six(game, [bet for bet in game.bets if not bet.needs_ranks], shoe.counts)


def _of_six(game: Game, bets: Sequence[Bet], held: tuple[int, ...]) -> Sample:
    """Return the sample of bets on six cards, by points or by rank; each set of six cards is a shoe of one round."""
    multisets = multisets_of(len(held), MOST_CARDS)
    counts = multisets if len(held) == len(RANKS) else multisets[:, AS_TENS] * IS_TEN_OR_LESS
    evaluation = evaluate(msgspec.structs.replace(game, bets=tuple(bets), insurance=()), counts)
    return Sample(
        bets=tuple(bet.id for bet in bets),
        unit=evaluation.unit,
        cards=MOST_CARDS,
        held=held,
        totals=evaluation.numerators,
    )


def _of_four(bets: Sequence[Bet], shoe: Shoe) -> Sample:
    """Return the sample of bets on pairs: four cards by rank."""
    unit = lcm(*(pay.odds.net.denominator for bet in bets for pay in bet.pays))
    multisets = multisets_of(len(RANKS), 4).tolist()
    pairs = [sum(number * (number - 1) for number in cards) for cards in multisets]
    columns = []
    for bet in bets:
        of_bet = weights(bet)
        rest = [of_bet.of_rank(few) for few in range(5)]
        columns.append(
            [
                of_bet.total(4, few, sum(rest[number] for number in cards)) * (unit // of_bet.unit)
                for few, cards in zip(pairs, multisets, strict=True)
            ]
        )
    return Sample(
        bets=tuple(bet.id for bet in bets),
        unit=unit,
        cards=4,
        held=shoe.counts,
        totals=np.array(columns, dtype=object).T,
    )
