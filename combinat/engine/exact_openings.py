"""A round as those at the table see it: every set of exact first cards, and what follows from each.

Only points decide how a round goes on, so cards worth the same are seen as one.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from combinat.engine.distribution import falling, summed
from combinat.engine.opening import openings
from combinat.engine.walk import MOST_CARDS, Leaves, deal_on, nodes
from combinat.rules.deal_space import Course
from combinat.rules.round import Round
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import TableOfPlay


@dataclass(frozen=True, slots=True, order=True)
class CardsOnTable:
    """The cards on the table by points: each hand's first two, lowest first, and the Player's third."""

    player: tuple[int, int]
    banker: tuple[int, int]
    third: int | None = None


@lru_cache(maxsize=1)
def exact_openings(shoe: Shoe, table: TableOfPlay) -> tuple[tuple[CardsOnTable, Mapping[Course, int]], ...]:
    """Every set of first four cards, with the courses that follow and their ways.

    Added up over all of them, the ways are those of ``walk`` by points. The last shoe's are kept: a report asks twice.
    """
    return tuple(_exact_openings(shoe, table))


def _exact_openings(shoe: Shoe, table: TableOfPlay) -> Iterator[tuple[CardsOnTable, Mapping[Course, int]]]:
    drawn = min(shoe.size, MOST_CARDS)
    unseen = {cards: falling(shoe.size - cards, drawn - cards) for cards in (4, 5, 6)}
    dealt = openings(shoe, Round(table=table))
    by_points = summed(((opening.player, opening.banker), ways) for opening, ways in dealt.items())
    after_four = nodes(table)
    for (player, banker), ways in by_points.items():
        left = list(shoe.by_points)
        for points in (*player, *banker):
            left[points] -= 1
        leaves = Leaves()
        node = after_four[sum(player) % 10][sum(banker) % 10]
        deal_on(node, left, sum(left), ways, leaves)
        yield CardsOnTable(player, banker), leaves.courses(unseen)
