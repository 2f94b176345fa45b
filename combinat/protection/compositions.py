"""Every composition of this number of cards left of a shoe, with its number of ways, in blocks.

A shoe of ``n_r`` cards of each rank leaves ``k_r`` of each in ``prod C(n_r, k_r)`` ways. Cards that are alike
for a bet are one kind: by points the tens and pictures are.

The kinds are split into two halves. A block is some first halves with every second half that fills them up,
so that the ways of a composition, which may have hundreds of bits, are never multiplied out one by one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from math import comb

import numpy as np

from combinat.engine.arrays import Array, Ints
from combinat.rules.cards import RANKS
from combinat.rules.shoe import Shoe

BLOCK = 65_536
"""About how many compositions are gone through at once."""

TENS = [number for number, rank in enumerate(RANKS) if rank.points == 0]
OTHERS = [number for number, rank in enumerate(RANKS) if rank.points]


@dataclass(frozen=True, slots=True)
class CompositionPart:
    """Some cards of some kinds: how many of each rank, and in how many ways a shoe has them."""

    cards: int
    counts: tuple[int, ...]
    ways: int


Kind = list[CompositionPart]
"""The ways to have 0, 1, 2 and more cards of one kind."""


@dataclass(frozen=True, slots=True)
class CompositionBlock:
    """First halves, each with every second half: their counts, and the ways of either."""

    firsts: Ints
    first_ways: list[int]
    seconds: Ints
    second_ways: list[int]

    @property
    def counts(self) -> Ints:
        """The compositions as shoes, a row each: the first half's number counts slowest."""
        counts: Ints = (self.firsts[:, None, :] + self.seconds[None, :, :]).reshape(-1, len(RANKS))
        return counts


def kinds_by_points(shoe: Shoe, left: int) -> list[Kind]:
    """Return the kinds of cards for a bet that looks at points: all the tens and pictures stand as tens."""
    kinds = [_one_rank(number, shoe.counts[number], left, shoe.size - left) for number in OTHERS]
    return [*kinds, _one_rank(TENS[0], sum(shoe.counts[number] for number in TENS), left, shoe.size - left)]


def kinds_by_rank(shoe: Shoe, left: int) -> list[Kind]:
    """Return the kinds of cards for a bet that looks at ranks: each rank is one."""
    return [_one_rank(number, cards, left, shoe.size - left) for number, cards in enumerate(shoe.counts)]


def _one_rank(number: int, cards: int, left: int, gone: int) -> Kind:
    fewest = max(0, cards - gone)
    return [
        CompositionPart(few, _counts({number: few}), comb(cards, few))
        for few in range(fewest, min(cards, left) + 1)
    ]


def _counts(cards: dict[int, int]) -> tuple[int, ...]:
    return tuple(cards.get(number, 0) for number in range(len(RANKS)))


def compositions(kinds: Sequence[Kind], left: int) -> int:
    """Return how many compositions of this number of cards there are."""
    numbers = [1] + [0] * left
    for kind in kinds:
        longer = [0] * (left + 1)
        for part in kind:
            for cards in range(left - part.cards + 1):
                longer[cards + part.cards] += numbers[cards]
        numbers = longer
    return numbers[left]


def blocks(kinds: Sequence[Kind], left: int) -> Iterator[CompositionBlock]:
    """All compositions of this number of cards."""
    middle = len(kinds) // 2
    firsts, seconds = (
        _halves(some, left, sum(map(_most, others)))
        for some, others in ((kinds[:middle], kinds[middle:]), (kinds[middle:], kinds[:middle]))
    )
    for cards, halves in firsts.items():
        others = seconds.get(left - cards, [])
        if not others:
            continue
        at_once = max(1, BLOCK // len(others))
        second_counts, second_ways = _array(others), [half.ways for half in others]
        for start in range(0, len(halves), at_once):
            some = halves[start : start + at_once]
            yield CompositionBlock(_array(some), [half.ways for half in some], second_counts, second_ways)


def _most(kind: Kind) -> int:
    """Return the most cards there are of a kind."""
    return max(part.cards for part in kind)


def _halves(kinds: Sequence[Kind], left: int, to_come: int) -> dict[int, list[CompositionPart]]:
    """Return every part of these kinds, by its number of cards: up to this number, and enough for what is yet to come.

    ``to_come``: the most cards that the other half can add. So where few cards are gone, few parts are looked
    at.
    """
    parts = [CompositionPart(0, (0,) * len(RANKS), 1)]
    to_come += sum(map(_most, kinds))
    for kind in kinds:
        to_come -= _most(kind)
        parts = [
            CompositionPart(
                part.cards + more.cards,
                tuple(map(int.__add__, part.counts, more.counts)),
                part.ways * more.ways,
            )
            for part in parts
            for more in kind
            if left - to_come <= part.cards + more.cards <= left
        ]
    by_cards: dict[int, list[CompositionPart]] = {}
    for part in parts:
        by_cards.setdefault(part.cards, []).append(part)
    return by_cards


def _array(parts: Sequence[CompositionPart]) -> Ints:
    return np.array([part.counts for part in parts], dtype=np.int64)


def weighted_sums(block: CompositionBlock, values: Array) -> list[int]:
    """Return the sum over a block of a composition's ways times its value, exactly, for every column of values.

    The second halves' ways are cut into digits so short that int64 holds every sum of them times values.
    """
    rows = values.reshape(len(block.first_ways), len(block.second_ways), values.shape[1])
    bits = 62 - _bits(values) - len(block.second_ways).bit_length()
    if values.dtype == object or bits < 8:
        inner = np.einsum("s,psv->pv", np.array(block.second_ways, dtype=object), rows.astype(object))
        return [int(total) for total in np.array(block.first_ways, dtype=object) @ inner]
    digits = -(-max(block.second_ways).bit_length() // bits)
    mask = (1 << bits) - 1
    ways = np.array(
        [[way >> bits * place & mask for way in block.second_ways] for place in range(digits)], dtype=np.int64
    )
    products = np.matmul(ways, rows).astype(object)
    shifts = np.array([1 << bits * place for place in range(digits)], dtype=object)
    inner = np.einsum("d,pdv->pv", shifts, products)
    return [int(total) for total in np.array(block.first_ways, dtype=object) @ inner]


def _bits(values: Array) -> int:
    """Return the bits of the largest value, in size."""
    return max(abs(int(values.max(initial=0))), abs(int(values.min(initial=0)))).bit_length()


@cache
def multisets_of(kinds: int, cards: int) -> Ints:
    """Return every multiset of this number of cards, a row each.

    >>> multisets_of(2, 2).tolist()
    [[2, 0], [1, 1], [0, 2]]
    """
    drawn = list(combinations_with_replacement(range(kinds), cards))
    rows = np.zeros((len(drawn), kinds), dtype=np.int64)
    for place in range(cards):
        rows[np.arange(len(drawn)), [one[place] for one in drawn]] += 1
    return rows


def places_of(multisets: Ints, cards: int) -> Ints:
    """Return the row of each of these multisets among all of this number of cards.

    >>> places_of(np.array([[0, 2], [1, 1]]), 2).tolist()
    [2, 1]
    """
    kinds = multisets.shape[1]
    # Read as digits, the rows fall from the first to the last.
    digits = -((cards + 1) ** np.arange(kinds - 1, -1, -1))
    places: Ints = np.searchsorted(multisets_of(kinds, cards) @ digits, multisets @ digits)
    return places
