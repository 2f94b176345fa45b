"""The compiled form: the recursion's paths, grouped by the multiset of cards they use.

The paths of a round depend on the Table of Play and not on the shoe. Any count is ``sum over m of a[m] * prod falling(n_v, m_v)``
over the multisets ``m`` of 4, 5 and 6 cards, with small whole numbers ``a``: compiled once, a batch of
shoes is one matrix product. The terms of 4 and 5 cards are multiplied by the ways of the cards not dealt,
so that everything counts sequences of six; a shoe must have six cards or more.

Exactness. A float64 product of whole numbers is exact while every partial sum stays below 2**53. The
bounds are computed for each batch: a partial sum of ``a[m] * ways[m]`` is at most the largest value that is
counted times ``falling(N, k)``. Where that is too much, the ways are split into high and low bits, as often
as needed, so that both products stay below; where even the ways of one multiset could reach 2**53, or the
total 2**63, Python integers take over.

What was tried, on blocks of shoes of the largest game: looking up each multiset's parent row (about 35
microseconds a shoe for the basis alone) lost to contiguous prefixes (about 10); int64 products, which numpy
does not hand to BLAS, took ten times as long as the split float64 ones; six-card multisets alone (5,005
instead of 7,722) save nothing, since all of them need the split, and those of 4 and 5 cards rarely do.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from combinat.engine.distribution import Course, falling
from combinat.engine.multisets import Array, Ints, fill_basis, levels, rows_for
from combinat.engine.opening import EVERY_TWO, first_four_of
from combinat.engine.walk import MOST_CARDS, Node, nodes
from combinat.rules.cards import RANKS
from combinat.rules.outcome import FirstFour
from combinat.rules.table_of_play import Hand, TableOfPlay

EXACT = 2**53
"""Below this every whole number is a float64."""

BLOCK = 128
"""How many shoes are worked on at once: as many as keep a block's basis in the processor's cache."""


class Route(NamedTuple):
    """What its level tells of a path: its course, and how its first four cards match; None: not told."""

    course: Course | None
    first_four: FirstFour | None


class Paths(NamedTuple):
    """Every path of a round with so many cards: the multiset it uses, its route, in how many orders."""

    multiset: Ints
    route: Ints
    orders: Ints


@dataclass(frozen=True)
class Compiled:
    """The paths of a round at one level: by points (10 kinds of card) or by rank (13)."""

    kinds: int
    routes: Sequence[Route]
    paths: dict[int, Paths]


Opened = dict[tuple[Course, FirstFour | None], dict[int, int]]
"""Rounds of four cards: their course so far and their matches, each with its multisets and their orders."""


@lru_cache(maxsize=16)
def by_points(table: TableOfPlay) -> Compiled:
    """Every path by points: for what the result alone decides, and for insurance."""
    opened: Opened = {}
    for (p1, p2), (b1, b2) in product(product(range(10), repeat=2), repeat=2):
        codes = opened.setdefault((Course((p1 + p2) % 10, (b1 + b2) % 10), None), {})
        code = 7**p1 + 7**p2 + 7**b1 + 7**b2
        codes[code] = codes.get(code, 0) + 1
    return _compiled(10, opened, [[7**points] for points in range(10)], table)


@lru_cache(maxsize=16)
def by_rank(table: TableOfPlay, pair_ranks: bool = False) -> Compiled:
    """Every path by rank: for what looks at both the result and the first four cards.

    ``pair_ranks``: the ranks of pairs are told apart.
    """
    cards = [
        [7**number for number, rank in enumerate(RANKS) if rank.points == points] for points in range(10)
    ]
    return _compiled(len(RANKS), _opened_by_rank(pair_ranks), cards, table)


@cache
def by_first_four(pair_ranks: bool = False) -> Compiled:
    """The first four cards by rank: for what they alone decide."""
    opened = [
        (Route(None, first_four), code, orders)
        for (_, first_four), codes in _opened_by_rank(pair_ranks).items()
        for code, orders in codes.items()
    ]
    return _gathered(len(RANKS), {4: opened})


def _opened_by_rank(pair_ranks: bool) -> Opened:
    """The first four cards by rank."""
    opened: Opened = {}
    for player, banker in product(EVERY_TWO, repeat=2):
        course = Course(sum(player.points) % 10, sum(banker.points) % 10)
        code = sum(7**number for number in (player.first, player.second, banker.first, banker.second))
        orders = (1 + (player.first != player.second)) * (1 + (banker.first != banker.second))
        codes = opened.setdefault((course, first_four_of(player.match, banker.match, pair_ranks)), {})
        codes[code] = codes.get(code, 0) + orders
    return opened


def _compiled(kinds: int, opened: Opened, cards: list[list[int]], table: TableOfPlay) -> Compiled:
    """The paths that follow these openings; ``cards``: the codes of the cards worth each number of points."""
    paths: dict[int, list[tuple[Route, int, int]]] = {4: [], 5: [], 6: []}
    after_four = nodes(table)
    for (opening, first_four), codes in opened.items():
        for course in ends(after_four[opening.player][opening.banker]):
            thirds = [
                cards[points] for points in (course.player_third, course.banker_third) if points is not None
            ]
            route = Route(course, first_four)
            for drawn in product(*thirds):
                more = sum(drawn)
                paths[course.cards] += [(route, code + more, orders) for code, orders in codes.items()]
    return _gathered(kinds, paths)


def ends(node: Node) -> Iterator[Course]:
    """Every course that a round can take from a node, none of them void."""
    if node.draws is None:
        yield node.course
    elif node.draws is Hand.BANKER:
        yield from node.last
    for after in node.after:
        yield from ends(after)


def _gathered(kinds: int, paths: dict[int, list[tuple[Route, int, int]]]) -> Compiled:
    """The paths as arrays, by their number of cards; each multiset by its place in ``levels``."""
    routes = list(dict.fromkeys(route for listed in paths.values() for route, _, _ in listed))
    number = {route: place for place, route in enumerate(routes)}
    arrays = {}
    for cards, listed in paths.items():
        codes = levels(kinds, cards)[-1].codes
        order = np.argsort(codes)
        wanted = np.array([code for _, code, _ in listed], dtype=np.int64)
        arrays[cards] = Paths(
            multiset=order[np.searchsorted(codes, wanted, sorter=order)],
            route=np.array([number[route] for route, _, _ in listed], dtype=np.int64),
            orders=np.array([orders for _, _, orders in listed], dtype=np.int64),
        )
    return Compiled(kinds, routes, arrays)


@dataclass(frozen=True)
class Polynomial:
    """Some counts of a round as polynomials in the counts of a shoe: a row of coefficients for each.

    ``largest``: the largest value, in size, that any path adds to a count.
    """

    kinds: int
    coefficients: dict[int, Array]
    largest: int

    @classmethod
    def of(cls, compiled: Compiled, values: Sequence[Callable[[Route], int]]) -> "Polynomial":
        """For each of these values of a path, its sum over all paths."""
        table = np.array([[value(route) for route in compiled.routes] for value in values], dtype=object)
        largest = max(1, *map(abs, table.flat))
        # There are at most 13**6 orders: with small values float64 holds every sum of them.
        dtype = np.float64 if largest * 13**MOST_CARDS < EXACT else object
        coefficients = {}
        for cards, (multiset, route, orders) in compiled.paths.items():
            rows = np.zeros((len(values), len(levels(compiled.kinds, cards)[-1].codes)), dtype=dtype)
            for row, of_route in zip(rows, table.astype(dtype), strict=True):
                np.add.at(row, multiset, of_route[route] * orders)
            coefficients[cards] = rows
        return cls(compiled.kinds, coefficients, largest)

    def totals(self, counts: Ints) -> Array:
        """The counts of every shoe (a row each), in sequences of six cards; int64, or Python integers.

        ``counts`` has a row a shoe and a column a kind; each shoe has six cards or more.
        """
        most = int(counts.sum(axis=1).max(initial=MOST_CARDS))
        whole = np.int64 if self.largest * falling(most, MOST_CARDS) < 2**63 else object
        small = int(counts.max(initial=0)) ** MOST_CARDS < EXACT and self.dtype != object
        kind = np.float64 if small else object
        rows = rows_for(self.kinds, max(self.coefficients), BLOCK, kind)
        scratch = np.empty_like(rows[-1])
        totals: Array = np.empty((len(counts), self.columns), dtype=whole)
        for start in range(0, len(counts), BLOCK):
            block = counts[start : start + BLOCK]
            padded = np.zeros((self.kinds, BLOCK), dtype=kind)
            padded[:, : len(block)] = block.T
            fill_basis(padded, rows)
            size = padded.sum(axis=0).astype(np.int64).astype(whole)
            total: Array = np.zeros((self.columns, BLOCK), dtype=whole)
            for cards, coefficients in self.coefficients.items():
                bound = self.largest * falling(most, cards)
                ways = exact_product(coefficients, rows[cards - 1], bound, whole, scratch, self.bits[cards])
                for drawn in range(cards, MOST_CARDS):
                    ways *= size - drawn
                total += ways
            totals[start : start + BLOCK] = total.T[: len(block)]
        return totals

    @cached_property
    def bits(self) -> dict[int, int]:
        """How many low bits of the ways can be multiplied with the coefficients at once."""
        return {cards: low_bits(coefficients) for cards, coefficients in self.coefficients.items()}

    @property
    def dtype(self) -> Any:
        """float64, or Python integers for values too large for it."""
        return next(iter(self.coefficients.values())).dtype

    @property
    def columns(self) -> int:
        """How many counts there are."""
        return len(next(iter(self.coefficients.values())))


def low_bits(coefficients: Array) -> int:
    """The most bits that numbers may have for any sum of them times these coefficients to be exact."""
    room = EXACT // (int(np.abs(coefficients).sum(axis=1).max(initial=1)) + 1)
    return max(0, room.bit_length() - 1)


def exact_product(
    coefficients: Array, ways: Array, bound: int, whole: type, scratch: Array, bits: int | None = None
) -> Array:
    """The matrix product, exactly, as whole numbers; ``bound``: no partial sum of it is larger.

    ``ways`` is used up; ``scratch`` is room for as many numbers; ``bits``: what ``low_bits`` said.
    """
    if ways.dtype == object:
        integers = (
            coefficients if coefficients.dtype == object else coefficients.astype(np.int64).astype(object)
        )
        exact: Array = (integers @ ways).astype(whole)
        return exact
    bits = low_bits(coefficients) if bits is None else bits
    total: Array = np.zeros((len(coefficients), ways.shape[1]), dtype=whole)
    shift, other = 0, scratch[: len(ways)]
    while bound >= EXACT:
        np.multiply(ways, 2.0**-bits, out=other)
        np.floor(other, out=other)
        other *= 2.0**bits
        ways -= other  # the low bits stay, the high bits go to the next turn
        total += _whole(coefficients @ ways, whole) * (1 << shift)
        other *= 2.0**-bits
        ways, other = other, ways
        bound, shift = (bound >> bits) + 1, shift + bits
    total += _whole(coefficients @ ways, whole) * (1 << shift)
    return total


def _whole(values: Array, whole: type) -> Array:
    return values.astype(np.int64).astype(whole)
