"""The recursion: every way in which a round can go, counted.

``every_round`` is the definition. A round is a path; at each step the Table of Play says which hand
draws, and each rank left in the shoe may come, with weight equal to its number of cards. The
path ends when no hand draws, or, void, when a hand must draw and the shoe is empty.

``walk`` counts the same paths in groups, so that it is fast for any shoe:

- the first two cards of a hand are taken as an unordered pair (``opening.py``);
- after four cards only points matter, so cards worth the same are grouped;
- the Banker's third card is the last of any round, so its ten values are counted in one row.

Only the weights depend on the shoe.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache, partial

import msgspec

from combinat.engine.distribution import Courses, Distribution, falling, summed
from combinat.engine.opening import openings
from combinat.rules.cards import RANKS
from combinat.rules.deal_space import Course
from combinat.rules.outcome import FirstFour
from combinat.rules.round import Round
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import Hand, TableOfPlay

MOST_CARDS = 6
"""The most cards that a round takes."""


def every_round(shoe: Shoe, dealt: Round) -> Iterator[tuple[Round, int]]:
    """Yield every round that can follow from the cards dealt so far, with its number of card sequences."""
    if dealt.is_over or dealt.is_void(shoe):
        yield dealt, 1
        return
    for rank in RANKS:
        if shoe[rank]:
            for ended, ways in every_round(shoe.minus([rank]), dealt.with_card(rank)):
                yield ended, shoe[rank] * ways


NO_WAYS = [0] * 10


class Node:
    """A moment after the first four cards, by points: the hand that draws next, and the nodes that follow."""

    __slots__ = ("after", "course", "draws", "last")

    def __init__(self, player: int, banker: int, third: int | None, table: TableOfPlay) -> None:
        self.draws = table.next_after_four(player, banker, third)
        self.course = Course(player, banker, third, None, is_void=self.draws is not None)
        drawn = range(10) if self.draws is Hand.PLAYER else ()
        self.after = [Node(player, banker, points, table) for points in drawn]
        drawn = range(10) if self.draws is Hand.BANKER else ()
        self.last = [Course(player, banker, third, points) for points in drawn]


@lru_cache(maxsize=64)
def nodes(table: TableOfPlay) -> list[list[Node]]:
    """Return the moments after four cards, by the Player's and the Banker's total."""
    return [[Node(player, banker, None, table) for banker in range(10)] for player in range(10)]


class Leaves:
    """The ends of paths so far, with their ways: at a node, or with each Banker's third card there."""

    def __init__(self) -> None:
        self.ended: dict[Node, int] = {}
        self.last_card: dict[Node, list[int]] = {}

    def courses(self, unseen: dict[int, int]) -> dict[Course, int]:
        """Return the courses in sequences of full length.

        ``unseen``: the ways of the cards that were not dealt.
        """
        courses = {node.course: ways * unseen[node.course.cards] for node, ways in self.ended.items()}
        for node, row in self.last_card.items():
            full = unseen[node.course.cards + 1]
            courses |= {course: ways * full for course, ways in zip(node.last, row, strict=True) if ways}
        return courses


def deal_on(node: Node, left: list[int], size: int, ways: int, leaves: Leaves) -> None:
    """Count the ways in which a round continues from a node; ``left``: the shoe's cards by points."""
    if node.draws is None or size == 0:
        leaves.ended[node] = leaves.ended.get(node, 0) + ways
    elif node.draws is Hand.BANKER:
        row = leaves.last_card.get(node, NO_WAYS)
        leaves.last_card[node] = [count + ways * cards for count, cards in zip(row, left, strict=True)]
    else:
        for points in range(10):
            if cards := left[points]:
                left[points] = cards - 1
                deal_on(node.after[points], left, size - 1, ways * cards, leaves)
                left[points] = cards


def walk(shoe: Shoe, dealt: Round | None = None, *, pair_ranks: bool = False) -> Distribution:
    """Return the distribution of the outcomes of a round, from its start or from the cards dealt so far.

    ``shoe`` holds the cards that are left, without those on the table. The round has its Table of Play; the
    default is a new round by the common table. ``pair_ranks``: pairs of different ranks are counted
    separately.

    >>> walk(Shoe.of_decks(8)).sample_space
    4998398275503360
    """
    dealt = dealt or Round()
    on_table = len(dealt.player) + len(dealt.banker)
    drawn = min(shoe.size, MOST_CARDS - on_table)
    sample_space = falling(shoe.size, drawn)
    by_pair_rank = partial(
        courses_by_pair_rank, shoe, dealt
    )  # a partial, because the distribution is pickled
    if on_table + shoe.size < 4:
        return Distribution(
            sample_space=sample_space,
            courses={},
            unopened=summed(every_round(shoe, dealt)),
            by_pair_rank=by_pair_rank,
        )
    if dealt.is_over:
        first_four, course = dealt.outcome.first_four, Course.of(dealt)
        courses = {first_four if pair_ranks else first_four.without_ranks: {course: sample_space}}
        return Distribution(sample_space=sample_space, courses=courses, by_pair_rank=by_pair_rank)
    with_first_four = shoe.plus((*dealt.player[:2], *dealt.banker[:2])).by_points
    after_four = nodes(dealt.table)
    ended: dict[FirstFour, Leaves] = {}
    for (player, banker, first_four), ways in openings(shoe, dealt, pair_ranks=pair_ranks).items():
        left = list(with_first_four)
        for points in (*player, *banker):
            left[points] -= 1
        node = after_four[sum(player) % 10][sum(banker) % 10]
        if len(dealt.player) == 3:
            node = node.after[dealt.player[2].points]
        deal_on(node, left, sum(left), ways, ended.setdefault(first_four, Leaves()))
    unseen = {cards: falling(shoe.size + on_table - cards, drawn + on_table - cards) for cards in (4, 5, 6)}
    courses = {first_four: leaves.courses(unseen) for first_four, leaves in ended.items()}
    return Distribution(sample_space=sample_space, courses=courses, by_pair_rank=by_pair_rank)


def courses_by_pair_rank(shoe: Shoe, dealt: Round) -> Courses:
    """Return the ways of every course, by the ranks of pairs."""
    return walk(shoe, dealt, pair_ranks=True).courses


# ---------------------------------------------------------------- by the exact cards on the table


class CardsOnTable(msgspec.Struct, frozen=True, order=True):
    """The cards on the table by points: each hand's first two, lowest first, and the Player's third.

    Only points decide how a round continues, so cards worth the same are not distinguished.
    """

    player: tuple[int, int]
    banker: tuple[int, int]
    third: int | None = None


@lru_cache(maxsize=1)
def exact_openings(shoe: Shoe, table: TableOfPlay) -> tuple[tuple[CardsOnTable, Mapping[Course, int]], ...]:
    """Return every set of first four cards, with the courses that follow and their ways.

    Their sums are the ways of ``walk`` by points. The last result is cached, because a report needs it twice.
    """
    return tuple(_exact_openings(shoe, table))


def _exact_openings(shoe: Shoe, table: TableOfPlay) -> Iterator[tuple[CardsOnTable, Mapping[Course, int]]]:
    drawn = min(shoe.size, MOST_CARDS)
    unseen = {cards: falling(shoe.size - cards, drawn - cards) for cards in (4, 5, 6)}
    dealt = openings(shoe, Round(table=table))
    by_points = summed(((player, banker), ways) for (player, banker, _), ways in dealt.items())
    after_four = nodes(table)
    for (player, banker), ways in by_points.items():
        left = list(shoe.by_points)
        for points in (*player, *banker):
            left[points] -= 1
        leaves = Leaves()
        node = after_four[sum(player) % 10][sum(banker) % 10]
        deal_on(node, left, sum(left), ways, leaves)
        yield CardsOnTable(player, banker), leaves.courses(unseen)
