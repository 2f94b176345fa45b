"""Batches of shoes of six cards or a few more: the outcomes of their rounds, results and matches jointly.

A shoe of six cards is one round, dealt in one of 720 orders. The first four cards go to Player, Banker,
Player, Banker, and the order within a hand does not matter: 180 orders remain, each with weight four. All
shoes are dealt in the same order at once; its outcome is looked up, by ranks for the match of the first four
cards and by points for the result.

The sum ``T`` over all sequences of six cards of a larger shoe is the sum over its sets of six. Each set is in
``N - 6`` of the shoes left when one of the ``N`` cards is removed, so ``(N - 6) T`` is the sum of ``T`` over
those shoes. Shoes of a batch share many of these smaller shoes; each is counted once.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations, product
from typing import Generic, TypeVar

import numpy as np

from combinat.engine.arrays import Ints
from combinat.engine.walk import MOST_CARDS, Node, nodes
from combinat.rules.cards import RANKS
from combinat.rules.deal_space import Course, result, result_with_thirds
from combinat.rules.outcome import FirstFour, Outcome, Result
from combinat.rules.table_of_play import TableOfPlay

Record = TypeVar("Record", bound=Hashable)

ALIKE = 4
"""The number of orders of six cards that differ only in the order of a hand's first two cards."""

FEW_CARDS = 10
"""The most cards for which shoes are counted by those with a card less: of more cards there are too many shoes."""

POINTS = np.array([rank.points for rank in RANKS])


@dataclass(frozen=True, eq=False)
class Numbered(Generic[Record]):
    """Distinct records, and an array of their numbers: ``records[numbers[key]]`` is the record of a key."""

    records: tuple[Record, ...]
    numbers: Ints

    @classmethod
    def of(cls, records: Iterable[Record], shape: tuple[int, ...]) -> "Numbered[Record]":
        """Number the records of all keys, in the order of the keys."""
        number_of: dict[Record, int] = {}
        numbers = [number_of.setdefault(record, len(number_of)) for record in records]
        return cls(tuple(number_of), np.array(numbers, dtype=np.int64).reshape(shape))


@lru_cache(maxsize=2)
def matches(pair_ranks: bool) -> Numbered[FirstFour]:
    """Return the matches of the first four cards, by the ranks of the Player's two and the Banker's two."""
    fours = product(RANKS, repeat=4)
    matched = (FirstFour.of(four[:2], four[2:], by_rank=pair_ranks) for four in fours)
    return Numbered.of(matched, (len(RANKS),) * 4)


@lru_cache(maxsize=16)
def results(table: TableOfPlay, thirds: bool) -> Numbered[Result]:
    """Return the results of rounds, by the totals of both hands' two cards and the points of two more."""
    after_four, result_of = nodes(table), result_with_thirds if thirds else result
    courses = (
        ended(after_four[player][banker], more) for player, banker, *more in product(range(10), repeat=4)
    )
    return Numbered.of(map(result_of, courses), (10,) * 4)


def ended(node: Node, more: Sequence[int]) -> Course:
    """Return the course that a round takes from a node, given the points of the next cards."""
    if node.after:
        return ended(node.after[more[0]], more[1:])
    return node.last[more[0]] if node.last else node.course


def orders() -> Iterator[tuple[int, ...]]:
    """Return the positions of the Player's two, the Banker's two, the fifth and the sixth card."""
    places = set(range(MOST_CARDS))
    for player in combinations(sorted(places), 2):
        for banker in combinations(sorted(places.difference(player)), 2):
            for more in permutations(sorted(places.difference(player, banker))):
                yield (*player, *banker, *more)


def few_card_ways(shoes: Ints, size: int, of_six: Callable[[Ints], Ints]) -> Ints:
    """Return the ways in shoes that all have ``size`` cards, computed from shoes of six."""
    if size == MOST_CARDS:
        return of_six(shoes)
    row, rank = np.nonzero(shoes)
    smaller = shoes[row]
    smaller[np.arange(len(row)), rank] -= 1
    codes = smaller @ size ** np.arange(len(RANKS), dtype=np.int64)  # each count is a digit in base ``size``
    _, first, place = np.unique(codes, return_index=True, return_inverse=True)
    below = few_card_ways(smaller[first], size - 1, of_six)
    ways = np.zeros((len(shoes), below.shape[1]), dtype=np.int64)
    np.add.at(ways, row, below[place] * shoes[row, rank][:, None])
    return ways // (size - MOST_CARDS)


def six_card_ways(
    table: TableOfPlay,
    shoes: Ints,
    columns: Sequence[Callable[[Outcome], bool]],
    *,
    thirds: bool,
    pair_ranks: bool,
) -> Ints:
    """Return the orders, of all 720, whose outcome each column counts: an array of shoes by columns.

    ``thirds``, ``pair_ranks``: whether outcomes have third cards and the ranks of pairs.
    """
    ranks = np.repeat(np.tile(np.arange(len(RANKS)), len(shoes)), shoes.ravel()).reshape(-1, MOST_CARDS).T
    points = POINTS[ranks]
    match, ends = matches(pair_ranks), results(table, thirds)

    def outcomes(order: tuple[int, ...]) -> Ints:
        """Return the number of the outcome of each shoe in this order."""
        p1, p2, b1, b2, fifth, sixth = order
        player, banker = (points[p1] + points[p2]) % 10, (points[b1] + points[b2]) % 10
        matched = match.numbers[ranks[p1], ranks[p2], ranks[b1], ranks[b2]]
        numbers: Ints = (
            matched * len(ends.records) + ends.numbers[player, banker, points[fifth], points[sixth]]
        )
        return numbers

    arises = np.zeros(len(match.records) * len(ends.records), dtype=bool)
    for order in orders():
        arises[outcomes(order)] = True
    counted = np.zeros((len(columns), len(arises)), dtype=np.int64)
    for number in np.flatnonzero(arises).tolist():
        matched, end = divmod(number, len(ends.records))
        outcome = Outcome(ends.records[end], match.records[matched])
        counted[:, number] = [column(outcome) for column in columns]
    ways = np.zeros((len(columns), len(shoes)), dtype=np.int64)
    for order in orders():
        ways += counted[:, outcomes(order)]
    return ways.T * ALIKE
