"""The pair algorithm, written as a program that answers a question about a round.

The first two cards of each hand are taken as an unordered pair of points. The ways of a Player pair with a
Banker pair are a product of two rows. Of the openings with totals ``p`` and ``b``, let ``W`` be the ways, and
``held(v)`` the ways times the cards worth ``v`` among the four. With ``n`` the counts of the shoe:

- a card worth ``v`` follows in ``next(v) = n_v * W - held(v)`` ways. Given its total, ``v`` names the other card
  of a pair, so ``held(v)`` is the ways of one Player pair with all Banker pairs, and the other way round;
- cards worth ``v`` and ``w`` follow in ``n_v * next(w) - n_w * held(v) + both(v, w)`` ways, less ``next(v)`` where
  ``v = w``. ``both`` is the ways times the cards worth ``v`` times the cards worth ``w`` among the four: one card
  in each hand is the ways of two pairs; both in one hand are the ways of that pair.

Neither the order of the two cards nor which hand is which changes these ways, so one step serves up to four
courses. Matches of the first four cards are counted separately from courses: a program cannot count a column that
depends on both.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import combinations_with_replacement

from combinat.engine.arithmetic import Product, Row
from combinat.engine.opening_ways import EveryOpening, Pair, ways_of_matches
from combinat.engine.pairs import PAIRS_OF, pair_with
from combinat.engine.program import Columns, Program, Writer
from combinat.engine.walk import Node, nodes
from combinat.rules.deal_space import Course
from combinat.rules.outcome import FirstFour
from combinat.rules.table_of_play import Hand, TableOfPlay

Asking = dict[tuple[int, ...], list[Columns]]
"""The columns that count courses, by the points of their third cards, lowest first."""


def pair_program(
    table: TableOfPlay,
    columns: int,
    by_course: Sequence[Callable[[Course], Columns]],
    by_match: Callable[[FirstFour], Columns],
) -> Program:
    """Return the program that counts columns of rounds dealt by this Table of Play.

    ``by_course``: the columns that count a course, in one or more parts. ``by_match``: those that count a match of
    the first four cards, without the ranks of pairs.
    """
    writer = Writer()
    every = EveryOpening(writer)
    scratch: list[Row] = []
    for totals in combinations_with_replacement(range(10), 2):
        asking: Asking = {}
        for player, banker in {
            totals,
            totals[::-1],
        }:  # exchanging the hands changes nothing, so both are counted together
            for course in ends(nodes(table)[player][banker]):
                thirds = [
                    points for points in (course.player_third, course.banker_third) if points is not None
                ]
                if counting := [counted for part in by_course if (counted := part(course))]:
                    asking.setdefault(tuple(sorted(thirds)), []).extend(counting)
        PairBlock(writer, every, reused(writer, scratch), totals).write(asking)
    for match, ways in ways_of_matches(every).items():
        if counted := by_match(match):
            writer.write(writer.new(), [(ways, every.unseen[4])], [writer.sum_of(counted)])
    return writer.program(columns)


def ends(node: Node) -> Iterator[Course]:
    """Yield every course that a round can take from a node, except void ones."""
    if node.draws is None:
        yield node.course
    elif node.draws is Hand.BANKER:
        yield from node.last
    for after in node.after:
        yield from ends(after)


def reused(writer: Writer, rows: list[Row]) -> Iterator[Row]:
    """Yield these rows, then new ones, which are added to them."""
    yield from tuple(rows)
    while True:
        rows.append(writer.new())
        yield rows[-1]


class PairBlock:
    """The openings with the Point Totals of two hands' first two cards, and the courses that follow. Rows are written on first use."""

    def __init__(
        self, writer: Writer, every: EveryOpening, scratch: Iterator[Row], totals: tuple[int, int]
    ) -> None:
        self.writer, self.every, self.scratch, self.totals = writer, every, scratch, totals
        self._holding: dict[tuple[int, Pair], Row] = {}
        self._next: dict[int, Row] = {}
        self._minus_held: dict[int, Row] = {}

    def write(self, asking: Asking) -> None:
        """Count the courses and add them to their sums."""
        row = next(self.scratch)
        for thirds, columns in sorted(asking.items()) if asking and self.all != self.writer.zero else ():
            self.writer.write(row, self.ways(thirds), [self.writer.sum_of(counted) for counted in columns])

    def ways(self, thirds: tuple[int, ...]) -> list[Product]:
        """Return the ways of third cards worth these points, in one order, in sequences of six cards."""
        unseen = self.every.unseen[4 + len(thirds)]
        if len(thirds) < 2:
            return [(self.next(*thirds) if thirds else self.all, unseen)]
        first, second = thirds
        left = self.writer.plus(self.every.cards[first], -1) if first == second else self.every.cards[first]
        return [
            (left, self.next(second)),
            (self.every.cards[second], self.minus_held(first)),
            *self.both(first, second),
        ]

    @cached_property
    def all(self) -> Row:
        """Return the ways of all these openings."""
        return self._row(self.writer.total(self.holding(0, pair) for pair in PAIRS_OF[self.totals[0]]))

    def holding(self, hand: int, pair: Pair) -> Row:
        """Return the ways of the openings in which a hand (0: the Player's) holds this pair."""
        if (hand, pair) not in self._holding:
            others = PAIRS_OF[self.totals[1 - hand]]
            self._holding[hand, pair] = self._row([self.every.product(pair, other) for other in others])
        return self._holding[hand, pair]

    def minus_held(self, points: int) -> Row:
        """Return minus the ways times the cards worth this number of points among the four."""
        if points not in self._minus_held:
            pairs = [pair_with(points, total) for total in self.totals]
            self._minus_held[points] = self._row(
                [
                    (self.holding(hand, pair), self.writer.constant(-pair.count(points)))
                    for hand, pair in enumerate(pairs)
                ]
            )
        return self._minus_held[points]

    def next(self, points: int) -> Row:
        """Return the ways in which a card worth this number of points follows."""
        if points not in self._next:
            self._next[points] = self._row(
                [(self.every.cards[points], self.all), (self.minus_held(points), self.writer.one)]
            )
        return self._next[points]

    def both(self, first: int, second: int) -> Iterator[Product]:
        """Return the ways times the cards of one value times the cards of the other among the four."""
        pairs = [(pair_with(first, total), pair_with(second, total)) for total in self.totals]
        held = [(one.count(first), other.count(second)) for one, other in pairs]
        for hand in (0, 1):
            if pairs[hand][0] == pairs[hand][1]:
                factor = self.writer.constant(held[hand][0] * held[hand][1])
                yield self.holding(hand, pairs[hand][0]), factor
        across = [(held[0][0] * held[1][1], pairs[0][0], pairs[1][1])]
        across += [(held[0][1] * held[1][0], pairs[0][1], pairs[1][0])]
        if first == second:
            across = [(2 * across[0][0], *across[0][1:])]
        for factor, player, banker in across:
            ways, more = self.every.product(player, banker)
            yield self.writer.times(ways, factor), more

    def _row(self, products: Sequence[Product]) -> Row:
        return self.writer.write(next(self.scratch), products)
