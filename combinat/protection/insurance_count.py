"""The exact law of a linear count of insurance, and the effects of removal from which its tags follow.

The counter has seen the cards on the table too when an offer arises, so that the running count tells the sum
of the tags of the cards unseen. All states of a table are played by one count. Of all ways to leave the
unseen cards with a given sum, those in which given cards lie on the table and the next two, or one, decide
the offer follow from the cards of each tag among the two kinds: the cards on the table are gone, those that
decide are left.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb, factorial, prod

import numpy as np

from combinat.engine.arrays import Array, Ints
from combinat.engine.distribution import falling
from combinat.engine.walk import MOST_CARDS
from combinat.protection.count_law import Depth, TagRows
from combinat.protection.inputs import Tags
from combinat.protection.insurance_play import InsurancePlay
from combinat.rules.cards import RANKS
from combinat.rules.shoe import Shoe


def removal_effects(play: InsurancePlay) -> tuple[Fraction, ...]:
    """Return the change of a round's expected value, with a unit on every offer, when a card leaves the shoe, by rank."""
    before = play.mean_gain(play.held)
    by_points = []
    for points in range(len(play.held)):
        held = list(play.held)
        held[points] -= 1
        by_points.append(play.mean_gain(tuple(held)) - before)
    return tuple(by_points[rank.points] for rank in RANKS)


@dataclass(frozen=True, slots=True)
class TaggedKind:
    """Cards of the same points and the same tag, and how many the shoe has."""

    points: int
    tag: int
    held: int


class InsuranceLaw:
    """The law of one count of one insurance table, ready for rounds that begin with up to ``most`` cards left."""

    def __init__(self, play: InsurancePlay, shoe: Shoe, tags: Tags, most: int) -> None:
        self.play, self.kinds = play, _kinds(shoe, tags)
        held = Counter[int]()
        for kind in self.kinds:
            held[kind.tag] += kind.held
        largest = max(1, *(int(np.abs(group.nets).max()) for group in play.groups))
        unseen = most - play.dealt
        deals = max(comb(play.size - MOST_CARDS, few - play.decide) for few in range(play.decide, unseen + 1))
        chances = max(comb(play.size - play.dealt, few) for few in range(unseen + 1))
        bound = max(
            largest * falling(play.size, MOST_CARDS) * deals, falling(play.size, play.dealt) * chances
        )
        self.by_tag = TagRows(held, MOST_CARDS, unseen, bound)
        offers, nets = self._hands()
        self.offers, self.nets = self.by_tag.by_place(offers), self.by_tag.by_place(nets)

    def _hands(self) -> tuple[dict[tuple[tuple[int, int], ...], int], ...]:
        """Return the deals with an offer by the tags of the cards on the table; its nets also by those that decide."""
        per_set = self.play.orders.sum(axis=1).tolist()
        of_groups = np.stack([group.nets for group in self.play.groups])
        # There are at most 10**5 orders, so sums of small nets fit in 64 bits.
        exact = np.int64 if int(np.abs(of_groups).max()) < 2**40 else object
        nets = np.tensordot(self.play.orders.astype(exact), of_groups.astype(exact), 1)
        offers: Counter[tuple[tuple[int, int], ...]] = Counter()
        results: Counter[tuple[tuple[int, int], ...]] = Counter()
        for place in np.flatnonzero(per_set).tolist():
            for cards, ways in self._by_kind(self.play.sets[place]):
                gone = self._by_tag(cards)
                offers[tuple((number, 0) for number in gone)] += ways * per_set[place]
                for left, total in self._deciding(cards, nets[place]).items():
                    results[tuple(zip(gone, left, strict=True))] += ways * total
        return dict(offers), dict(results)

    def _by_kind(self, by_points: Ints) -> Iterator[tuple[tuple[int, ...], int]]:
        """Yield the cards on the table kind by kind, with the ways of each order of their points."""
        begun: list[tuple[tuple[int, ...], int, list[int]]] = [((), 1, by_points.tolist())]
        last = {kind.points: number for number, kind in enumerate(self.kinds)}
        for number, kind in enumerate(self.kinds):
            longer = []
            for cards, ways, to_come in begun:
                most = to_come[kind.points]
                for few in range(most if last[kind.points] == number else 0, most + 1):
                    left = [*to_come[: kind.points], most - few, *to_come[kind.points + 1 :]]
                    longer.append(((*cards, few), ways * comb(kind.held, few), left))
            begun = longer
        same_points = prod(map(factorial, by_points.tolist()))
        yield from ((cards, ways * same_points) for cards, ways, _ in begun if ways)

    def _by_tag(self, cards: tuple[int, ...]) -> tuple[int, ...]:
        by_tag = Counter[int]()
        for kind, number in zip(self.kinds, cards, strict=True):
            by_tag[kind.tag] += number
        return tuple(by_tag[group.tag] for group in self.by_tag.groups)

    def _deciding(self, cards: tuple[int, ...], nets: Array) -> dict[tuple[int, ...], int]:
        """Return the net result of a unit over all orders of the cards that decide, by their tags."""
        places = {group.tag: place for place, group in enumerate(self.by_tag.groups)}
        unseen = [kind.held - number for kind, number in zip(self.kinds, cards, strict=True)]
        totals: Counter[tuple[int, ...]] = Counter()
        for one, first in enumerate(self.kinds):
            left = [0] * len(places)
            left[places[first.tag]] += 1
            if self.play.decide == 1:
                totals[tuple(left)] += unseen[one] * int(nets[first.points, 0])
                continue
            for two, second in enumerate(self.kinds):
                ways = unseen[one] * (unseen[two] - (one == two))
                both = left.copy()
                both[places[second.tag]] += 1
                totals[tuple(both)] += ways * int(nets[first.points, second.points])
        return totals

    def depth(self, left: int) -> Depth:
        """Return the distribution of the offers in a round that begins with this number of cards left, by the cards unseen."""
        play, unseen = self.play, left - self.play.dealt
        offers, nets = self.by_tag.row(self.offers, unseen), self.by_tag.row(self.nets, unseen)
        every = falling(play.size, play.dealt) * comb(play.size - play.dealt, unseen)
        whole = falling(unseen, play.decide) * play.values.unit
        # A net is over all orders of the cards that decide and all ways to leave the others.
        return self.by_tag.depth(left, unseen, offers, nets, every, whole)


def _kinds(shoe: Shoe, tags: Tags) -> list[TaggedKind]:
    held = Counter[tuple[int, int]]()
    for rank, tag, cards in zip(RANKS, tags, shoe.counts, strict=True):
        held[rank.points, tag] += cards
    return [TaggedKind(points, tag, cards) for (points, tag), cards in held.items()]
