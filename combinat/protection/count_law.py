"""The exact law of a linear count: the probability of every running count at a depth, and a bet's value there.

A counter adds the tag of every card seen, so the running count tells the sum of the tags of those left. Cards
of one tag are alike to him. Of all ways to leave ``n`` cards with a given sum, those in which given cards
decide the round are the ways to leave ``n - k`` of the others: with ``G`` cards of each tag and ``M`` of them
among the ``k``, the coefficient of ``x**(n-k) y**sum`` in the product of ``(1 + x y**tag)**(G - M)`` over the
tags.

All these products have the factors ``(1 + x y**tag)**(G - k)`` in common. They are multiplied out once, in rows
of lanes: a row for each power of ``x``, a lane for each sum. What is left of each product is small, and is added
up over all ``M``, each with the net result of the bet, before the two are multiplied.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, zip_longest
from math import comb, factorial, gcd
from typing import NamedTuple

import numpy as np

from combinat.base.errors import InputError
from combinat.engine.arrays import Array
from combinat.protection.betting import NOTHING, Betting
from combinat.protection.compositions import multisets_of
from combinat.protection.lanes import Lanes
from combinat.protection.samples import Sample
from combinat.rules.bounds import COUNT_LANES

DECK = 52

Rows = list[int]
"""A polynomial in two variables: for each power of the first, a row of lanes."""


RECURRENT_TAGS = 6
"""The most tags whose rows follow from the rows before; of more, each row would need too many."""


class TagGroup(NamedTuple):
    """The cards of one tag: its place among the lanes, how many there are, how many can decide a round."""

    tag: int
    place: int
    cards: int
    drawn: int


@dataclass(frozen=True, slots=True)
class Running:
    """A running count at a depth: its ways out of ``every``, and the bet's net over them in parts of ``whole``."""

    running: int
    ways: int
    net: int
    every: int
    whole: int

    @property
    def probability(self) -> Fraction:
        """The probability of the running count."""
        return Fraction(self.ways, self.every)

    @property
    def expected_value(self) -> Fraction:
        """The expected value of the bet at this running count."""
        return Fraction(self.net, self.ways * self.whole)


@dataclass(frozen=True, kw_only=True)
class CountAt(Betting):
    """Betting by a count with this number of cards left: from one running count up, from another down.

    None: that side of the mean is not bet. ``unseen``: the cards that the counter has not seen when the bet
    is made, those left; for insurance without the cards on the table.
    """

    FIGURES = ("true_count_up", "true_count_down")

    left: int
    unseen: int
    bets_up: int | None
    bets_down: int | None

    @cached_property
    def true_count_up(self) -> Fraction | None:
        """The running count from which it bets upwards, divided by the decks unseen."""
        return true_count(self.bets_up, self.unseen)

    @cached_property
    def true_count_down(self) -> Fraction | None:
        """The running count from which it bets downwards, divided by the decks unseen."""
        return true_count(self.bets_down, self.unseen)


def true_count(running: int | None, unseen: int) -> Fraction | None:
    """Return a running count divided by the decks unseen."""
    return None if running is None else Fraction(running * DECK, unseen)


SLIGHT = Fraction(1, 100)
"""A side is ignored if it gains less than this share of the other side's gain."""


@dataclass(frozen=True, kw_only=True)
class Depth:
    """A count in a round that begins with this number of cards left: every running count, the lowest first.

    ``unseen``: the cards that the counter has not seen when the bet is made, those left; for insurance without
    the cards on the table.
    """

    left: int
    unseen: int
    counts: tuple[Running, ...]

    @cached_property
    def mean(self) -> Fraction:
        """The mean running count: 0 where the tags are balanced and the bet is always on offer."""
        ways = sum(count.ways for count in self.counts)
        return Fraction(sum(count.running * count.ways for count in self.counts), ways or 1)

    @cached_property
    def _middle(self) -> int:
        """The lowest running count that is not below the mean."""
        return -(-self.mean.numerator // self.mean.denominator)

    @cached_property
    def first_favourable(self) -> int | None:
        """The lowest running count, from the mean on, at which the bet favours the player, or None."""
        good = (count.running for count in self.counts if count.net > 0 and count.running >= self._middle)
        return next(good, None)

    @cached_property
    def first_favourable_below(self) -> int | None:
        """The highest running count below the mean at which the bet favours the player, or None."""
        below = reversed(self.counts)
        good = (count.running for count in below if count.net > 0 and count.running < self._middle)
        return next(good, None)

    @cached_property
    def sides(self) -> CountAt:
        """Betting from the first favourable count on, above the mean and below it, wherever that gains."""
        least, most = self.first_favourable, self.first_favourable_below
        above = NOTHING if least is None else self.from_running(least)
        below = NOTHING if most is None else self._betting(lambda count: count.running <= most)
        up = above.gain > 0 and above.gain >= SLIGHT * below.gain
        down = below.gain > 0 and below.gain >= SLIGHT * above.gain
        return CountAt(
            left=self.left,
            unseen=self.unseen,
            bets_up=least if up else None,
            bets_down=most if down else None,
            chance=above.chance * up + below.chance * down,
            gain=above.gain * up + below.gain * down,
        )

    @property
    def favourable(self) -> Betting:
        """Betting at every running count that favours the player: the largest gain of the count."""
        return self._betting(lambda count: count.net > 0)

    def from_running(self, least: int) -> Betting:
        """Betting at this running count and above."""
        return self._betting(lambda count: count.running >= least)

    def from_index(self, index: Fraction) -> Betting:
        """Betting at this true count and above: the running count divided by the decks unseen."""
        return self._betting(lambda count: count.running * DECK >= index * self.unseen)

    def _betting(self, bets: Callable[[Running], bool]) -> Betting:
        made = [count for count in self.counts if bets(count)]
        if not made:
            return NOTHING
        every, whole = made[0].every, made[0].whole
        return Betting(
            chance=Fraction(sum(count.ways for count in made), every),
            gain=Fraction(sum(count.net for count in made), every * whole),
        )


Hands = Mapping[tuple[tuple[int, int], ...], int]
"""Given cards by tag: how many of them are gone and how many are left, with a number for each case."""

ByPlace = dict[int, list[tuple[int, int]]]
"""A polynomial of few terms: for each lane, the powers of the first variable with their coefficients."""


class TagRows:
    """The ways to leave some cards of a shoe, by the sum of their tags, with a few given cards.

    ``held``: how many cards there are of each tag. ``given``: the most cards that are given. ``bound``:
    no coefficient is larger.
    """

    def __init__(self, held: Mapping[int, int], given: int, most: int, bound: int) -> None:
        self.total = sum(tag * cards for tag, cards in held.items())
        self.low = min(held)
        self.step = gcd(*(tag - self.low for tag in held)) or 1
        self.groups = [
            TagGroup(tag, self._place(tag), cards, min(given, cards)) for tag, cards in held.items()
        ]
        if max(group.place for group in self.groups) * most > COUNT_LANES:
            raise InputError(
                f"tags from {self.low} to {max(held)} make more than {COUNT_LANES} different sums of {most} cards; "
                "write smaller tags or fewer cards left"
            )
        self.lanes = Lanes.up_to(2 * bound)
        self.common = self._common(most)

    def _place(self, tag: int) -> int:
        return (tag - self.low) // self.step

    def running(self, left: int, place: int) -> int:
        """Return the running count where the cards left have this place."""
        return self.total - (self.low * left + self.step * place)

    def _common(self, most: int) -> Rows:
        """Return the common factors: for each number of cards left, their sums.

        With ``F`` the product of ``(1 + x y**tag)**cards`` over the tags, ``P`` that of ``1 + x y**tag``, and ``Q``
        that of ``F'/F`` and ``P``: ``P F' = Q F`` gives each row from the few before it. Tags beyond the most frequent
        are added card by card.
        """
        groups = sorted(self.groups, key=lambda group: group.drawn - group.cards)
        few = groups[:RECURRENT_TAGS]
        factors = [self._factors(few, number) for number in range(1, len(few) + 1)]
        rows = [1]
        for left in range(1, most + 1):
            total = 0
            for before, by_place in zip(range(left - 1, -1, -1), factors, strict=False):
                for place, (cards, ways) in by_place.items():
                    total += self.lanes.shifted(rows[before] * (cards - before * ways), place)
            rows.append(total // left)
        for group in groups[RECURRENT_TAGS:]:
            self._add_cards(rows, group.place, group.cards - group.drawn)
        return rows

    def _factors(self, groups: Sequence[TagGroup], number: int) -> dict[int, tuple[int, int]]:
        """Return, by the sum of the tags of this number of groups: how many cards they have, and how many such sets there are."""
        factors: dict[int, tuple[int, int]] = {}
        for some in combinations(groups, number):
            place = sum(group.place for group in some)
            cards, ways = factors.get(place, (0, 0))
            factors[place] = cards + sum(group.cards - group.drawn for group in some), ways + 1
        return factors

    def _add_cards(self, rows: Rows, place: int, cards: int) -> None:
        """Add cards of one tag, each left or not, card by card."""
        for _ in range(cards):
            for left in range(len(rows) - 1, 0, -1):
                if rows[left - 1]:
                    rows[left] += self.lanes.shifted(rows[left - 1], place)

    def ways(self) -> Rows:
        """Return the ways to leave cards, by their number, with a lane for each sum."""
        rows = list(self.common)
        for group in self.groups:
            self._add_cards(rows, group.place, group.drawn)
        return rows

    def by_place(self, hands: Hands) -> ByPlace:
        """Return the polynomial that is multiplied by the common factors: the cards of every hand, times its number."""
        products: dict[tuple[tuple[int, int], ...], Rows] = {
            hand: [number] for hand, number in hands.items() if number
        }
        for group in reversed(self.groups):
            shorter: dict[tuple[tuple[int, int], ...], Rows] = {}
            for (*key, (gone, left)), rows in products.items():
                filled = self._with_cards(rows, group.place, group.drawn - gone - left)
                moved = [0] * left + [self.lanes.shifted(row, group.place * left) for row in filled]
                before = shorter.setdefault(tuple(key), [])
                shorter[tuple(key)] = [a + b for a, b in zip_longest(before, moved, fillvalue=0)]
            products = shorter
        by_place: ByPlace = {}
        for cards, row in enumerate(products.get((), [])):
            for place, number in self.lanes.signed(row):
                by_place.setdefault(place, []).append((cards, number))
        return by_place

    def _with_cards(self, rows: Rows, place: int, cards: int) -> Rows:
        """Return the rows with more cards of one tag, each left or not."""
        filled = [0] * (len(rows) + cards)
        for few in range(cards + 1):
            ways = comb(cards, few)
            for power, row in enumerate(rows):
                filled[power + few] += self.lanes.shifted(row * ways, place * few)
        return filled

    def depth(self, left: int, unseen: int, ways: int, nets: int, every: int, whole: int) -> Depth:
        """Return the running counts with these cards unseen, from a row of ways and one of nets."""
        net_at = dict(self.lanes.signed(nets))
        counts = [
            Running(self.running(unseen, place), number, net_at.get(place, 0), every, whole)
            for place, number in self.lanes.counts(ways)
        ]
        return Depth(left=left, unseen=unseen, counts=tuple(reversed(counts)))

    def row(self, hands: ByPlace, left: int) -> int:
        """Return the coefficients for a number of cards left, a lane for each sum."""
        rows = (
            (place, sum(self.common[left - cards] * number for cards, number in some if cards <= left))
            for place, some in hands.items()
        )
        return sum(self.lanes.shifted(row, place) for place, row in rows)


class CountLaw:
    """The law of one count of one bet, ready for every depth of up to ``most`` cards left.

    ``tags``: by kind of card of the sample.
    """

    def __init__(self, sample: Sample, bet: str, tags: Sequence[int], most: int) -> None:
        self.sample = sample
        held = Counter[int]()
        for tag, cards in zip(tags, sample.held, strict=True):
            held.update({tag: cards} if cards else {})
        totals = sample.totals[:, sample.bets.index(bet)].astype(object)
        largest = max(1, *map(abs, totals))
        rounds = max(
            comb(sample.size, left) * comb(left, sample.cards) for left in range(sample.cards, most + 1)
        )
        self.by_tag = TagRows(held, sample.cards, most, largest * rounds)
        self.ways = self.by_tag.ways()
        self.nets = self.by_tag.by_place(self._hands(tags, totals))

    def _hands(self, tags: Sequence[int], totals: Array) -> Hands:
        """Return the cards of a round by tag, all of them among those left, each with the net result of the bet."""
        multisets = multisets_of(len(tags), self.sample.cards)
        by_group = np.stack(
            [multisets[:, [tag == group.tag for tag in tags]].sum(axis=1) for group in self.by_tag.groups],
            axis=1,
        )
        keys, group_of = np.unique(by_group, axis=0, return_inverse=True)
        sums: list[int] = [0] * len(keys)
        totals = self.sample.ways(self.sample.cards) * totals
        for group, total in zip(group_of.ravel().tolist(), totals.tolist(), strict=True):
            sums[group] += total
        hands = [tuple((0, cards) for cards in drawn) for drawn in keys.tolist()]
        return dict(zip(hands, sums, strict=True))

    def depth(self, left: int) -> Depth:
        """Return the law with this number of cards left."""
        ways, nets = self.ways[left], self.by_tag.row(self.nets, left)
        k, every = self.sample.cards, comb(self.sample.size, left)
        whole = comb(left, k) * factorial(k) * self.sample.unit
        return self.by_tag.depth(left, left, ways, nets, every, whole)
