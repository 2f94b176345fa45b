"""The pair algorithm for one shoe, in plain integers: the same distribution as ``walk``, in less time.

It is the algorithm of ``pair_program``. Results and courses come from sums over all pairs, and matches of the first
four cards are closed forms; most bets need no more. ``walk`` counts results and matches jointly.

Two cards worth the same are a pair by rank, or they are two different tens or pictures.
"""

from collections.abc import Iterator
from functools import cached_property, partial
from itertools import combinations_with_replacement
from operator import add

from combinat.engine.arithmetic import ShoeArithmetic
from combinat.engine.distribution import Courses, Distribution, falling
from combinat.engine.opening_ways import EveryOpening, Pair, ways_of_matches
from combinat.engine.walk import MOST_CARDS, Node, courses_by_pair_rank, nodes, walk
from combinat.rules.deal_space import Course
from combinat.rules.outcome import FirstFour, Result
from combinat.rules.round import Round
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import Hand, TableOfPlay

PAIRS: tuple[Pair, ...] = tuple(combinations_with_replacement(range(10), 2))
PAIRS_OF = tuple(tuple(pair for pair in PAIRS if sum(pair) % 10 == total) for total in range(10))


def pair_with(points: int, total: int) -> Pair:
    """Return the pair of this total that holds a card worth this number of points.

    >>> pair_with(9, 2)
    (3, 9)
    """
    other = (total - points) % 10
    return (points, other) if points <= other else (other, points)


# Below, a negative index ``total - points`` counts from the end of a list of ten, which takes it modulo 10.

OTHERS = [[(total - points) % 10 for points in range(10)] for total in range(10)]
"""By total: the points of the other card of a pair, by those of the one."""

EQUAL = [[points for points in range(10) if 2 * points % 10 == total] for total in range(10)]
"""By total: the points of two equal cards."""


class Openings:
    """Openings by pairs of points, and the cards that can follow: the fifth, and the sixth after each fifth.

    ``left``: the cards of the shoe by points. ``ways[v][w]``: of the openings that hold a card of each
    points, one in each hand. They are counted once for each such card: an opening of four cards is in four
    places, and one whose hand has two equal cards is in a place twice.
    """

    def __init__(self, left: list[int], ways: list[list[int]], totals: tuple[int, int]) -> None:
        self.left, self.ways, self.totals = left, ways, totals
        self.all = sum(map(sum, ways)) // 4
        self._rows: dict[int, list[int]] = {}

    @cached_property
    def by_banker(self) -> list[tuple[int, ...]]:
        """``ways`` with the hands exchanged."""
        return list(zip(*self.ways, strict=True))

    @cached_property
    def holding(self) -> list[list[int]]:
        """The ways of the openings in which a hand, the Player's first, holds a card of each point value."""
        return [[sum(row) // 2 for row in rows] for rows in (self.ways, self.by_banker)]

    @cached_property
    def held(self) -> list[int]:
        """The ways times the cards of each point value among the four."""
        return list(map(add, *self.holding))

    @cached_property
    def next(self) -> list[int]:
        """The ways of every fifth card."""
        return [cards * self.all - gone for cards, gone in zip(self.left, self.held, strict=True)]

    def row(self, fifth: int) -> list[int]:
        """Return the ways of every sixth card after this fifth card."""
        if fifth not in self._rows:
            self._rows[fifth] = self._row(fifth)
        return self._rows[fifth]

    def _row(self, fifth: int) -> list[int]:
        """Compute ``row``: cards in both hands give the ways of two pairs, cards in one hand of one pair."""
        cards, gone = self.left[fifth], self.held[fifth]
        row = [
            cards * follows - left * gone + one + other
            for follows, left, one, other in zip(
                self.next, self.left, self.ways[fifth], self.by_banker[fifth], strict=True
            )
        ]
        for total, holding in zip(self.totals, self.holding, strict=True):
            row[fifth] += holding[fifth]
            row[total - fifth] += holding[fifth]
        row[fifth] -= self.next[fifth]
        return row


class PairCounts:
    """A shoe of six cards or more, by pairs of points."""

    def __init__(self, shoe: Shoe) -> None:
        self.left, self.size = list(shoe.by_points), shoe.size
        self.unseen = {cards: falling(self.size - cards, MOST_CARDS - cards) for cards in (4, 5, 6)}

    @cached_property
    def ways(self) -> dict[Pair, dict[int, list[int]]]:
        """The ways by a pair in one hand and the total of the other, for every card that the other may hold.

        Only for totals of the other hand that are not lower than the pair's; the rest follows by exchanging
        the hands.
        """
        ways = {}
        for low, high in PAIRS:
            left = list(self.left)
            left[low] -= 1
            left[high] -= 1
            four_times = 4 * self.left[low] * (left[high] + 1)
            rows = {
                total: [
                    four_times * cards * left[other] for cards, other in zip(left, OTHERS[total], strict=True)
                ]
                for total in range((low + high) % 10, 10)
            }
            for total, row in rows.items():
                for points in EQUAL[total]:
                    row[points] -= four_times * left[points]
            ways[low, high] = rows
        return ways

    def openings(self, low: int, high: int) -> Openings:
        """Return the openings with these totals, the lower first.

        They are the same if the hands are exchanged.
        """
        rows = [self.ways[pair_with(points, low)][high] for points in range(10)]
        return Openings(self.left, rows, (low, high))


def add_courses(courses: dict[Course, int], node: Node, openings: Openings, unseen: dict[int, int]) -> None:
    """Add the courses that follow a node, with their ways in sequences of six cards."""
    if node.draws is None:
        courses[node.course] = unseen[4] * openings.all
    elif node.draws is Hand.BANKER:
        courses.update(zip(node.last, [unseen[5] * ways for ways in openings.next], strict=True))
    for points, after in enumerate(node.after):
        if after.draws is None:
            courses[after.course] = unseen[5] * openings.next[points]
        else:
            courses.update(zip(after.last, openings.row(points), strict=True))


Ended = dict[tuple[int, int], list[list[int]]]
"""By the cards of the hands: the ways of their Point Totals, the Player's first."""


def add_results(
    ended: Ended, table: TableOfPlay, totals: tuple[int, int], openings: Openings, unseen: dict[int, int]
) -> None:
    """Add the ways in which rounds that begin with these totals end, in sequences of six cards."""
    player, banker = totals
    match table.next_after_four(player, banker):
        case None:
            ended[2, 2][player][banker] += unseen[4] * openings.all
        case Hand.BANKER:
            _add_last(ended[2, 3][player], banker, [unseen[5] * ways for ways in openings.next])
        case Hand.PLAYER:
            for third in range(10):
                total = (player + third) % 10
                if table.next_after_four(player, banker, third) is None:
                    ended[3, 2][total][banker] += unseen[5] * openings.next[third]
                else:
                    _add_last(ended[3, 3][total], banker, openings.row(third))


def _add_last(ends: list[int], banker: int, ways: list[int]) -> None:
    """Add the ways of a last card to the total of the Banker Hand that it gives."""
    first = 10 - banker  # the card that makes the total 0
    ends[:] = map(add, ends, ways[first:] + ways[:first])


class PairDistribution(Distribution):
    """The distribution of a new round, from a shoe of six cards or more, counted on demand."""

    def __init__(self, shoe: Shoe, table: TableOfPlay) -> None:
        super().__init__(
            sample_space=falling(shoe.size, MOST_CARDS),
            courses={},
            by_pair_rank=partial(courses_by_pair_rank, shoe, Round(table=table)),
        )
        self._shoe, self._table, self._pairs = shoe, table, PairCounts(shoe)

    @cached_property
    def courses(self) -> Courses:
        """The ways of every course, by how the first four cards match."""
        return walk(self._shoe, Round(table=self._table)).courses

    @cached_property
    def by_points(self) -> dict[Course, int]:
        """The ways of every course, regardless of the matches of the first four cards."""
        courses: dict[Course, int] = {}
        after_four = nodes(self._table)
        for low, high, openings in self._openings():
            for player, banker in {(low, high), (high, low)}:
                add_courses(courses, after_four[player][banker], openings, self._pairs.unseen)
        return {course: ways for course, ways in courses.items() if ways}

    @cached_property
    def results(self) -> dict[Result, int]:
        """The ways of every result."""
        ended = {cards: [[0] * 10 for _ in range(10)] for cards in ((2, 2), (2, 3), (3, 2), (3, 3))}
        for low, high, openings in self._openings():
            for player, banker in {(low, high), (high, low)}:
                add_results(ended, self._table, (player, banker), openings, self._pairs.unseen)
        return {
            Result(player, banker, *cards): ways
            for cards, rows in ended.items()
            for player, row in enumerate(rows)
            for banker, ways in enumerate(row)
            if ways
        }

    def _openings(self) -> Iterator[tuple[int, int, Openings]]:
        """All openings by two totals, which are the same if the hands are exchanged."""
        for low, high in PAIRS:
            yield low, high, self._pairs.openings(low, high)

    @cached_property
    def first_fours(self) -> dict[FirstFour, int]:
        """The ways of every match of the first four cards."""
        unseen, every = self._pairs.unseen[4], EveryOpening(ShoeArithmetic(self._shoe.counts))
        return {match: unseen * ways for match, ways in ways_of_matches(every).items() if ways}

    @cached_property
    def void(self) -> int:
        """0: there are enough cards."""
        return 0


def pair_distribution(shoe: Shoe, table: TableOfPlay) -> Distribution:
    """Return the distribution of the outcomes of a round, from its start.

    A shoe of fewer cards than a round can take is counted by ``walk``.

    >>> from combinat.rules.table_of_play import TABLE_OF_PLAY
    >>> pair_distribution(Shoe.of_decks(8), TABLE_OF_PLAY).sample_space
    4998398275503360
    """
    if shoe.size < MOST_CARDS:
        return walk(shoe, Round(table=table))
    return PairDistribution(shoe, table)
