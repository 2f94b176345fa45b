"""Insurance for a player who tracks the cards: the gain from selected offers, perfect play, and ceilings.

An offer arises after four cards or five, and the next two cards, or one, decide it: so its expected value is
that of two cards or one among those unseen. Given the cards on the table it is a martingale in the other
cards seen, like every expected value. So what one gains who takes an offer only where it favours him grows
with depth, from a fresh shoe on, where the cards on the table are all that is seen.

Its mean square, state by state, is that of two such samples from the cards unseen: it depends on how likely
they are to share cards, and three constants a state (two after the third card) give it at every depth. So
ceilings follow as for any other bet: in each state the mean of the larger of the value and 0 is half the mean
and half the root of the mean square at most, each weighed with the state's chance.

Where one card decides an offer, its value is a sum over the cards unseen, each of them lost, returned or won:
then the law of that sum gives perfect play exactly, at any depth.

All of it is per round dealt, for a unit on every offer taken; the document's limits on insurance are left
aside.

The expected net result of a unit is a small sum over the points of the cards to come, and its numerator a
whole number: over ``unit * M * (M - 1)`` after four cards, over ``unit * M`` after the third card, with ``M``
cards unseen.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from itertools import product
from math import comb, lcm, prod

import numpy as np
import numpy.typing as npt

from combinat.engine.arrays import Array, Ints
from combinat.engine.distribution import falling
from combinat.engine.walk import MOST_CARDS
from combinat.protection.betting import Betting, GainRange
from combinat.protection.ceiling import half_above, root_in_parts
from combinat.protection.compositions import multisets_of, places_of
from combinat.rules.deal_space import Course, deal_space, result
from combinat.rules.game import Game
from combinat.rules.insurance import InsuranceTable, Offer, Open, State
from combinat.rules.outcome import Result
from combinat.rules.round import Stage
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import TOTALS, Hand, TableOfPlay

Flags = npt.NDArray[np.bool_]

SMALL_NET = 2**15
"""The square of a net below this, times the square of 65,535 cards, the largest shoe, has less than 63 bits."""

MOST_VALUES = 3
"""The most different nets of an offer for which perfect play goes through the cards unseen: lost, returned, won."""

NO_THIRD = 10
"""In place of a third card's points: none was drawn."""


@dataclass(frozen=True, kw_only=True, eq=False)
class InsuranceValues:
    """The value of an insurance table, by both totals of the first four cards and by the points of the third card.

    ``is_open[player, banker, third]``: an offer is open; the third is ``NO_THIRD`` after four cards.
    ``nets[player, banker, third, next, after]``: the net result of a unit in parts of ``unit``, by the points
    of the next card and of the one after it, whether or not the round takes them.
    """

    stage: Stage
    unit: int
    is_open: Flags
    nets: Ints

    @classmethod
    def of(cls, game: Game, table: InsuranceTable) -> "InsuranceValues":
        """Return the values of a table of the game."""
        unit = lcm(*(offer.odds.net.denominator for offer in table.offers))
        is_open = np.zeros((10, 10, NO_THIRD + 1), dtype=np.bool_)
        nets = np.zeros((10, 10, NO_THIRD + 1, 10, 10), dtype=np.int64)
        thirds = (NO_THIRD,) if table.stage is Stage.FOUR_CARDS else TOTALS
        for player in TOTALS:
            for banker in TOTALS:
                for third in thirds:
                    start = Course(player, banker, None if third == NO_THIRD else third)
                    offer = _offer(game, table.side, table.stage, start)
                    if offer is None:
                        continue
                    is_open[player, banker, third] = True
                    results = _results(game.table_of_play, start)
                    net_of = {
                        ended: int(offer.net(table.side, ended) * unit) for ended in set(results.values())
                    }
                    for (first, second), ended in results.items():
                        nets[player, banker, third, first, second] = net_of[ended]
        return cls(stage=table.stage, unit=unit, is_open=is_open, nets=nets)

    def denominator(self, unseen: int) -> int:
        """The denominator, by the number of cards unseen before the round."""
        if self.stage is Stage.FOUR_CARDS:
            return self.unit * (unseen - 4) * (unseen - 5)
        return self.unit * (unseen - 5)

    def squared(self) -> "InsuranceValues":
        """Return the same with the squares of the nets, for the mean square of a unit; Python integers where they are large."""
        nets = self.nets.astype(object) if int(abs(self.nets).max(initial=0)) >= SMALL_NET else self.nets
        return replace(self, nets=nets**2)

    def numerators(self, player: Ints, banker: Ints, third: Ints, left: Ints) -> tuple[Flags, Ints]:
        """The open offers, and the value of a unit at each; 0 elsewhere.

        ``left``: the cards unseen by points, without any on the table at that moment.
        """
        column = third if self.stage is Stage.PLAYER_THIRD_CARD else np.full_like(third, NO_THIRD)
        is_open: Flags = self.is_open[player, banker, column]
        values = np.zeros(len(player), dtype=self.nets.dtype)
        rows = np.flatnonzero(is_open)
        nets, cards = self.nets[player[rows], banker[rows], column[rows]], left[rows]
        if self.stage is Stage.FOUR_CARDS:
            after_one = np.einsum("rij,rj->ri", nets, cards) - np.einsum("rii->ri", nets)
            values[rows] = (after_one * cards).sum(axis=1)
        else:
            values[rows] = (nets[:, :, 0] * cards).sum(axis=1)
        return is_open, values


def _offer(game: Game, side: Hand, stage: Stage, start: Course) -> Offer | None:
    """Return the offer for a hand with these cards on the table, or None if there is none or the cards are impossible."""
    table, terms = game.table_of_play, game.insurance_terms
    first_two = start._replace(player_third=None)
    if start.player_third is not None and first_two.next_hand(table) is not Hand.PLAYER:
        return None
    if terms is None or (terms.open is Open.CARD_TO_COME and start.next_hand(table) is None):
        return None
    return game.offers.get(State(side, stage, result(start).player_points, start.banker))


@lru_cache(maxsize=2048)
def _results(table: TableOfPlay, start: Course) -> dict[tuple[int, int], Result]:
    """Return the result by the points of the next two cards, whether or not the round takes them."""
    space = deal_space(table)
    return {
        (fifth, sixth): result(space.ending(start, (fifth, sixth)))
        for fifth, sixth in product(TOTALS, repeat=2)
    }


POINTS = 10
DEALT = {Stage.FOUR_CARDS: 4, Stage.PLAYER_THIRD_CARD: 5}
"""The number of cards on the table at a stage."""


@dataclass(frozen=True, kw_only=True)
class FavourableOffers:
    """Taking every offer of an insurance table that favours the player, a unit each, per round dealt.

    ``by_totals``, ``by_cards``: from the first round on, judged by both totals, or by the cards on the table.
    ``last_round``: by every card seen, in a round that begins with the fewest cards left behind the usual cut card.
    """

    by_totals: Betting
    by_cards: Betting
    last_round: Betting


@dataclass(frozen=True, slots=True)
class OfferGroup:
    """Moments of a table at which the same is offered and the same may follow: both totals, and the nets.

    ``nets[next, after]``: the net result of a unit, in parts, by the points of the next two cards.
    """

    player_points: int
    banker_points: int
    nets: Ints


@dataclass(frozen=True, kw_only=True, eq=False)
class InsurancePlay:
    """One insurance table on a shoe: every set of cards that can be on the table, and what is offered on them.

    ``held``: the cards of the shoe by points. ``orders``: in how many orders of every set of cards on the table each
    group of offers arises.
    """

    held: tuple[int, ...]
    values: InsuranceValues
    groups: list[OfferGroup]
    orders: Ints

    @property
    def size(self) -> int:
        """The number of cards in the shoe."""
        return sum(self.held)

    @property
    def dealt(self) -> int:
        """The number of cards on the table."""
        return DEALT[self.values.stage]

    @property
    def sets(self) -> Ints:
        """Every set of cards that can be on the table, by points."""
        return multisets_of(POINTS, self.dealt)

    def ways(self, left: Ints) -> Ints:
        """Return the ordered ways of every set of cards on the table, for every row of cards left by points.

        The ways of a set are those of the set without its last card, times the cards left of that card's
        kind.
        """
        products = np.ones((1, len(left)), dtype=np.int64)
        for cards in range(1, self.dealt + 1):
            sets = multisets_of(POINTS, cards)
            last = POINTS - 1 - np.argmax(sets[:, ::-1] > 0, axis=1)
            without = sets.copy()
            without[np.arange(len(sets)), last] -= 1
            gone = without[np.arange(len(sets)), last]
            more = np.maximum(left.T[last] - gone[:, None], 0)
            products = products[places_of(without, cards - 1)] * more
        ways: Ints = np.ascontiguousarray(products.T)
        return ways

    def totals(self, group: OfferGroup, unseen: Ints) -> Ints:
        """Return the net result of a unit over all orders of the next cards, by the cards unseen."""
        if self.dealt == DEALT[Stage.FOUR_CARDS]:
            totals: Ints = ((unseen @ group.nets.T - group.nets.diagonal()) * unseen).sum(axis=1)
            return totals
        by_one: Ints = unseen @ group.nets[:, 0]
        return by_one

    @property
    def decide(self) -> int:
        """The maximum number of cards that decide an offer."""
        return MOST_CARDS - self.dealt

    @cached_property
    def fresh(self) -> Ints:
        """The ordered ways of every set of cards on the table, group by group, from the whole shoe."""
        fresh: Ints = self.ways(np.array([self.held]))[0][:, None] * self.orders
        return fresh

    @cached_property
    def unseen(self) -> Ints:
        """The cards unseen with every set of cards on the table; none of a kind where the shoe has too few."""
        return np.maximum(np.array(self.held) - self.sets, 0)

    @property
    def offered(self) -> Fraction:
        """The probability of an offer in a round on the fresh shoe."""
        return Fraction(int(self.fresh.astype(object).sum()), falling(self.size, self.dealt))

    @cached_property
    def _whole(self) -> int:
        return falling(self.size, MOST_CARDS) * self.values.unit

    def by_cards(self, places: Sequence[int] | None = None) -> Betting:
        """On the fresh shoe: taking every offer, or those of some groups, if the cards on the table favour the player."""
        chance, gain = 0, 0
        for place in range(len(self.groups)) if places is None else places:
            values = self.totals(self.groups[place], self.unseen)
            good = np.flatnonzero(values > 0)
            ways = self.fresh[good, place].astype(object)
            chance += int(ways.sum())
            gain += int((ways * values[good]).sum())
        return Betting(
            chance=Fraction(chance, falling(self.size, self.dealt)), gain=Fraction(gain, self._whole)
        )

    def mean_gain(self, held: tuple[int, ...]) -> Fraction:
        """Return a round's expected value of a unit on every offer, with these cards in the shoe."""
        ways = self.ways(np.array([held]))[0].astype(object)
        unseen = np.maximum(np.array(held) - self.sets, 0)
        totals = np.stack([self.totals(group, unseen) for group in self.groups], axis=1)
        # There are at most 10**5 orders, so sums of small totals fit in 64 bits.
        exact = np.int64 if int(np.abs(totals).max()) < 2**45 else object
        total = int((ways * (self.orders.astype(exact) * totals).sum(axis=1)).sum())
        return Fraction(total, falling(sum(held), MOST_CARDS) * self.values.unit)

    def perfect(self, left: int) -> Betting:
        """Taking an offer only if it is favourable given every card seen, in a round that begins with this number of cards left.

        The sets of cards unseen are those of the compiled form, which has six cards at most.
        """
        few = left - self.dealt
        unseen = multisets_of(POINTS, few)
        ways = np.array([prod(map(comb, self.held, cards)) for cards in unseen.tolist()], dtype=object)
        dealt = self.ways(np.maximum(np.array(self.held) - unseen, 0)) @ self.orders
        chance, gain = 0, 0
        for place, group in enumerate(self.groups):
            values = self.totals(group, unseen)
            good = np.flatnonzero((values > 0) & (dealt[:, place] > 0))
            here = ways[good] * dealt[good, place]
            chance += int(here.sum())
            gain += int((here * values[good]).sum())
        every = comb(self.size, few) * falling(self.size - few, self.dealt)
        return Betting(
            chance=Fraction(chance, every),
            gain=Fraction(gain, every * self.values.unit * falling(few, self.decide)),
        )

    def perfect_range(self, left: int) -> GainRange:
        """Return bounds on the gain of perfect play in a round that begins with this number of cards left.

        Where one card decides an offer, its gain is exact. The other offers gain at least as much as on the fresh
        shoe by the cards on the table, and at most their ceiling.
        """
        unseen, others = left - self.dealt, []
        total = 0
        for place, offers in enumerate(self._decided_by_one):
            if offers is None:
                others.append(place)
            else:
                values, held = offers
                total += sum(ways * sum_above_0(values, cards, unseen) for cards, ways in held.items())
        every = falling(self.size, self.dealt) * comb(self.size - self.dealt, unseen)
        exact = Fraction(total, every * unseen * self.values.unit)
        if not others:
            return GainRange(exact, exact)
        return GainRange(exact + self.by_cards(others).gain, exact + self._ceiling(left, others))

    @cached_property
    def _decided_by_one(self) -> list[tuple[tuple[int, ...], dict[tuple[int, ...], int]] | None]:
        """The different nets of each group, and the ways of the numbers of unseen cards worth each; None: two cards decide."""
        found: list[tuple[tuple[int, ...], dict[tuple[int, ...], int]] | None] = []
        for place, group in enumerate(self.groups):
            nets = group.nets[:, 0]
            values = np.unique(nets)
            if (group.nets != group.nets[:, :1]).any() or len(values) > MOST_VALUES:
                found.append(None)
                continue
            held = Counter[tuple[int, ...]]()
            unseen = (self.unseen @ (nets[:, None] == values)).tolist()
            for cards, ways in zip(unseen, self.fresh[:, place].tolist(), strict=True):
                if ways:
                    held[tuple(cards)] += ways
            found.append((tuple(values.tolist()), held))
        return found

    def ceiling(self, left: int) -> Fraction:
        """Return the upper bound on any player's gain by insurance in a round that begins with this number of cards left."""
        return self._ceiling(left, range(len(self.groups)))

    def _ceiling(self, left: int, places: Sequence[int]) -> Fraction:
        """Return the upper bound on any player's gain by the offers of these groups."""
        every, others, unseen = falling(self.size, self.dealt), self.size - self.dealt, left - self.dealt
        parts = [
            comb(unseen, self.decide) * (falling(others, 2 * self.decide - shared) or 1)
            for shared in range(self.decide + 1)
        ]
        below = lcm(*parts)
        above = [
            comb(self.decide, shared) * comb(unseen - self.decide, self.decide - shared) * (below // part)
            for shared, part in enumerate(parts)
        ]
        whole = below * (self.decide * every * self.values.unit) ** 2
        mean, roots = Fraction(0), 0
        for place in places:
            ways, total, sums = self._constants[place]
            mean += Fraction(total, self._whole)
            roots += root_in_parts(ways * sum(map(int.__mul__, above, sums)), whole)
        return half_above(roots, mean)

    @cached_property
    def _constants(self) -> list[tuple[int, int, list[int]]]:
        return [self._constants_of(place) for place in range(len(self.groups))]

    def _constants_of(self, place: int) -> tuple[int, int, list[int]]:
        """Return the ways of a group, the net result of a unit over them, and the products of samples that share 0, 1, ... cards.

        The last are given ``decide`` times ``decide``-fold: a sample of two cards as the sum of its two
        orders.
        """
        group, some = self.groups[place], np.flatnonzero(self.fresh[:, place])
        ways, unseen = self.fresh[some, place].astype(object), self.unseen[some].astype(object)
        total = self.totals(group, self.unseen[some]).astype(object)
        if self.decide == 1:
            same = unseen @ group.nets[:, 0].astype(object) ** 2
            products: list[Array] = [total * total - same, same]
        else:
            nets = (group.nets + group.nets.T).astype(
                object
            )  # twice the net result of the two cards, in any order
            with_one = unseen @ nets - nets.diagonal()
            squares = unseen @ nets**2 - nets.diagonal() ** 2
            same = (unseen * squares).sum(axis=1)
            one = (unseen * (with_one * with_one - squares)).sum(axis=1)
            products = [4 * total * total - 4 * one - 2 * same, one, same]
        return (
            int(ways.sum()),
            int((ways * total).sum()),
            [int((ways * product).sum()) for product in products],
        )


def insurance_play(game: Game, table: InsuranceTable, shoe: Shoe) -> InsurancePlay:
    """Return an insurance table of a game on a shoe, its offers in groups."""
    values = InsuranceValues.of(game, table)
    sets, cells = _sequences(DEALT[table.stage])
    groups: dict[tuple[int, int, bytes], OfferGroup] = {}
    places: dict[tuple[int, int, bytes], int] = {}
    group_of = np.full(values.is_open.size, -1)
    for cell in np.flatnonzero(values.is_open).tolist():
        player, banker, third = np.unravel_index(cell, values.is_open.shape)
        nets = values.nets[player, banker, third]
        points = int(player) if third == NO_THIRD else int(player + third) % 10
        key = points, int(banker), nets.tobytes()
        places.setdefault(key, len(places))
        groups.setdefault(key, OfferGroup(points, int(banker), nets))
        group_of[cell] = places[key]
    offered = np.flatnonzero(group_of[cells] >= 0)
    codes = sets[offered] * len(groups) + group_of[cells[offered]]
    orders = np.bincount(
        codes, minlength=comb(POINTS + DEALT[table.stage] - 1, DEALT[table.stage]) * len(groups)
    )
    return InsurancePlay(
        held=shoe.by_points,
        values=values,
        groups=list(groups.values()),
        orders=orders.reshape(-1, len(groups)) if groups else orders,
    )


@lru_cache(maxsize=4096)
def sum_above_0(values: tuple[int, ...], held: tuple[int, ...], cards: int) -> int:
    """Return the sum of all totals above 0 of this number of cards; ``held``: how many cards are worth each value.

    >>> sum_above_0((-1, 2), (2, 1), 2)  # two sets of cards with a total of 1, one of -2
    2
    >>> sum_above_0((2,), (3,), 2)  # three sets with a total of 4
    12
    """
    splits, totals = _splits_above_0(values, cards)
    for few, number in zip(splits, held, strict=True):
        totals = totals * _combs(number, cards)[few]
    return int(totals.sum())


@cache
def _splits_above_0(values: tuple[int, ...], cards: int) -> tuple[Ints, Array]:
    """Return how many cards of each value, in all ways that have a total above 0; and the totals."""
    shape = (cards + 1,) * (len(values) - 1)
    few = np.indices(shape).reshape(len(shape), prod(shape))
    splits = np.concatenate([few, cards - few.sum(axis=0, keepdims=True)])
    totals = np.array(values) @ splits
    good = (splits[-1] >= 0) & (totals > 0)
    return splits[:, good], totals[good].astype(object)


@lru_cache(maxsize=1024)
def _combs(number: int, most: int) -> Array:
    return np.array([comb(number, few) for few in range(most + 1)], dtype=object)


@cache
def _sequences(cards: int) -> tuple[Ints, Ints]:
    """Return every sequence of this number of cards by points: the place of its set, and of its totals and third card."""
    points = np.indices((POINTS,) * cards).reshape(cards, -1)
    player, banker = (points[0] + points[1]) % 10, (points[2] + points[3]) % 10
    third = points[4] if cards > DEALT[Stage.FOUR_CARDS] else np.full_like(player, NO_THIRD)
    sets = np.stack([(points == value).sum(axis=0) for value in range(POINTS)], axis=1)
    return places_of(sets, cards), (player * 10 + banker) * (NO_THIRD + 1) + third
