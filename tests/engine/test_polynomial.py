"""The compiled form: its multisets, its paths against the walk, and both sides of every bound."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement
from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from threadpoolctl import threadpool_limits

from combinat import Shoe
from combinat.engine import polynomial
from combinat.engine.distribution import falling, result
from combinat.engine.multisets import Array, Ints, fill_basis, levels, rows_for
from combinat.engine.polynomial import (
    EXACT,
    Compiled,
    Polynomial,
    Route,
    by_first_four,
    exact_product,
)
from combinat.engine.walk import walk
from combinat.rules.bet import possible_first_fours, possible_results
from combinat.rules.table_of_play import TABLE_OF_PLAY
from tests.engine.test_engine import depleted_shoes, small_shoes


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    """The products are small: BLAS's own threads would only wait for each other."""
    with threadpool_limits(1, "blas"):
        yield


def by_points() -> Compiled:
    """Every path of the common table, by points."""
    return polynomial.by_points(TABLE_OF_PLAY)


def by_rank() -> Compiled:
    """Every path of the common table, by rank."""
    return polynomial.by_rank(TABLE_OF_PLAY)


LEVELS: list[Callable[[], Compiled]] = [by_points, by_rank, by_first_four]
INT64_ENDS = 2**63

FRESH = Shoe.of_decks(8)
ODD = Shoe((31, 29, 27, 25, 23, 21, 19, 31, 29, 27, 25, 23, 21))
MISSING = Shoe.parse("A=7 2=1 4=3 6=5 7=11 10=2 Q=9")
SIX = Shoe.parse("3=2 5=1 8=1 K=2")


def every_one(route: Route) -> int:
    return 1


def as_rows(compiled: Compiled, shoes: Sequence[Shoe]) -> Ints:
    """The counts of the shoes, as the level wants them: by points or by rank."""
    rows = [shoe.by_points if compiled.kinds == 10 else shoe.counts for shoe in shoes]
    return np.array(rows, dtype=np.int64)


def integers(counts: Array) -> Any:
    """An array as lists of Python integers: a float among them is a fault, whatever its value."""
    values = counts.ravel().tolist()
    assert {type(value) for value in values} <= {int}
    return counts.tolist()


# ---------------------------------------------------------------- multisets

SIZES = {10: [10, 55, 220, 715, 2002, 5005], 13: [13, 91, 455, 1820, 6188, 18564]}


def digits(code: int, kinds: int) -> tuple[int, ...]:
    """How many cards of each kind a multiset has, from its code."""
    return tuple(code // 7**kind % 7 for kind in range(kinds))


@pytest.mark.parametrize("kinds", SIZES)
def test_there_are_so_many_multisets_of_each_size(kinds: int) -> None:
    assert [len(level.codes) for level in levels(kinds, 6)] == SIZES[kinds]
    assert [len(level.before) for level in levels(kinds, 6)] == SIZES[kinds]


@pytest.mark.parametrize("kinds", SIZES)
def test_every_multiset_is_listed_once(kinds: int) -> None:
    for size, level in enumerate(levels(kinds, 6), start=1):
        expected = {
            sum(7**kind for kind in chosen) for chosen in combinations_with_replacement(range(kinds), size)
        }
        codes = level.codes.tolist()
        assert len(codes) == len(set(codes))
        assert set(codes) == expected


def test_fewer_sizes_are_the_first_of_more() -> None:
    for few, many in zip(levels(10, 4), levels(10, 6), strict=False):
        assert few.codes.tolist() == many.codes.tolist()


def basis(counts: Sequence[Sequence[int]], dtype: type, rows: list[Array] | None = None) -> list[Array]:
    """The basis of these shoes, a column each."""
    kinds = len(counts[0])
    rows = rows or rows_for(kinds, 6, len(counts), dtype)
    fill_basis(np.array(counts, dtype=dtype).T.copy(), rows)
    return rows


@pytest.mark.parametrize("kinds", SIZES)
@pytest.mark.parametrize(("dtype", "most"), [(np.float64, 456), (object, 10**9)])
def test_the_basis_is_the_product_of_falling_counts(kinds: int, dtype: type, most: int) -> None:
    """In float64 up to 456 cards of a kind, in Python integers whatever the count."""
    chosen = random.Random(f"{kinds} {most}")
    shoes = [[most] * kinds, [chosen.randint(0, most) if number % 2 else 3 for number in range(kinds)]]
    for size, (level, rows) in enumerate(zip(levels(kinds, 6), basis(shoes, dtype), strict=True), start=1):
        held = [digits(code, kinds) for code in level.codes.tolist()]
        assert all(sum(drawn) == size for drawn in held)
        for column, shoe in enumerate(shoes):
            expected = [
                prod(falling(shoe[kind], count) for kind, count in enumerate(drawn) if count)
                for drawn in held
            ]
            values = rows[:, column].tolist()
            assert {type(value) for value in values} == {float if dtype is np.float64 else int}
            assert list(map(int, values)) == expected


def test_room_that_was_used_before_leaves_nothing_behind() -> None:
    first, second = [[9] * 10, [8] * 10], [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [3] + [0] * 9]
    used = basis(second, np.float64, basis(first, np.float64))
    for again, fresh in zip(used, basis(second, np.float64), strict=True):
        assert again.tolist() == fresh.tolist()


# ---------------------------------------------------------------- paths


@pytest.mark.parametrize("level", LEVELS)
def test_the_paths_are_all_the_card_orders_there_are(level: Callable[[], Compiled]) -> None:
    """Each path stands for its orders, times every card that could lie where it dealt none."""
    compiled = level()
    orders = {cards: int(paths.orders.sum()) for cards, paths in compiled.paths.items()}
    assert sum(count * compiled.kinds ** (6 - cards) for cards, count in orders.items()) == compiled.kinds**6


@pytest.mark.parametrize(
    ("level", "sizes"), [(by_points, [4, 5, 6]), (by_rank, [4, 5, 6]), (by_first_four, [4])]
)
def test_the_sizes_of_the_paths(level: Callable[[], Compiled], sizes: list[int]) -> None:
    assert sorted(level().paths) == sizes


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    "shoe", [FRESH, ODD, MISSING, SIX, Shoe.of_decks(1), Shoe((0,) * 12 + (6,))], ids=str
)
def test_every_sequence_of_six_cards_is_counted_once(level: Callable[[], Compiled], shoe: Shoe) -> None:
    counted = Polynomial.of(level(), [every_one])
    assert integers(counted.totals(as_rows(level(), [shoe]))) == [[falling(shoe.size, 6)]]


def test_a_route_tells_what_its_level_knows() -> None:
    assert all(route.course and route.first_four is None for route in by_points().routes)
    assert all(route.course and route.first_four for route in by_rank().routes)
    assert all(route.course is None and route.first_four for route in by_first_four().routes)
    for level in LEVELS:
        assert len(level().routes) == len(set(level().routes))
    assert {route.first_four for route in by_first_four().routes} == possible_first_fours()


# ---------------------------------------------------------------- the walk

RESULTS = sorted(possible_results(TABLE_OF_PLAY))
FIRST_FOURS = sorted(possible_first_fours())


@cache
def weights(level: Callable[[], Compiled]) -> dict[Route, list[int]]:
    """Weights for each route, drawn once: counts that differ anywhere differ in their weighted sums."""
    chosen = random.Random(6)
    return {route: [chosen.randint(-999, 999) for _ in range(12)] for route in level().routes}


def weight(route: Route, number: int) -> int:
    return weights(by_points if route.first_four is None else by_rank)[route][number]


def counted_by(compiled: Compiled, values: Sequence[Callable[[Route], int]], shoe: Shoe) -> list[int]:
    """The sums of these values over all paths of one shoe."""
    totals: list[list[int]] = integers(Polynomial.of(compiled, values).totals(as_rows(compiled, [shoe])))
    return totals[0]


@cache
def result_counts() -> Polynomial:
    """A column for every result."""
    return Polynomial.of(
        by_points(),
        [
            lambda route, ended=ended: int(route.course is not None and result(route.course) == ended)  # type: ignore[misc]
            for ended in RESULTS
        ],
    )


@cache
def joint_counts() -> Polynomial:
    """Weighted sums over courses and matches jointly, then a column for every match."""
    return Polynomial.of(
        by_rank(),
        [
            *(lambda route, number=number: weight(route, number) for number in range(4)),
            *(lambda route, match=match: int(route.first_four == match) for match in FIRST_FOURS),
        ],
    )


@cache
def first_four_counts() -> Polynomial:
    """A column for every match."""
    return Polynomial.of(
        by_first_four(),
        [lambda route, match=match: int(route.first_four == match) for match in FIRST_FOURS],  # type: ignore[misc]
    )


def agree_with_the_walk(shoes: Sequence[Shoe]) -> None:
    """Every count of every one of these shoes, as one batch."""
    by_rank_rows, by_points_rows = as_rows(by_rank(), shoes), as_rows(by_points(), shoes)
    results = integers(result_counts().totals(by_points_rows))
    matches = integers(first_four_counts().totals(by_rank_rows))
    joint = integers(joint_counts().totals(by_rank_rows))
    for number, shoe in enumerate(shoes):
        distribution = walk(shoe)
        assert results[number] == [distribution.results.get(ended, 0) for ended in RESULTS], shoe
        assert matches[number] == [distribution.first_fours.get(match, 0) for match in FIRST_FOURS], shoe
        weighted = [
            sum(
                weight(Route(course, first_four), place) * ways
                for first_four, courses in distribution.courses.items()
                for course, ways in courses.items()
            )
            for place in range(4)
        ]
        assert joint[number] == weighted + matches[number], shoe


def test_fresh_shoes_are_counted_as_the_walk_counts_them() -> None:
    agree_with_the_walk([Shoe.of_decks(decks) for decks in (1, 4, 8)])


@settings(max_examples=2, deadline=None)
@given(st.lists(depleted_shoes(), min_size=3, max_size=3))
@example([ODD, MISSING])
def test_depleted_shoes_are_counted_as_the_walk_counts_them(shoes: list[Shoe]) -> None:
    agree_with_the_walk(shoes)


@settings(max_examples=3, deadline=None)
@given(st.lists(small_shoes(least=6, most=10), min_size=8, max_size=8))
@example([SIX, Shoe((6,) + (0,) * 12)])
def test_tiny_shoes_are_counted_as_the_walk_counts_them(shoes: list[Shoe]) -> None:
    agree_with_the_walk(shoes)


def few_ranks() -> st.SearchStrategy[Shoe]:
    """Shoes of one to four ranks, as many cards of each."""
    held = st.sets(st.integers(0, 12), min_size=1, max_size=4)
    return st.builds(
        lambda held, count: Shoe(tuple(count if number in held else 0 for number in range(13))),
        held,
        st.integers(6, 32),
    )


@settings(max_examples=2, deadline=None)
@given(st.lists(few_ranks(), min_size=8, max_size=8))
def test_shoes_of_few_ranks_are_counted_as_the_walk_counts_them(shoes: list[Shoe]) -> None:
    agree_with_the_walk(shoes)


def test_each_course_has_its_own_count() -> None:
    courses = walk(ODD).by_points
    chosen = random.Random(0).sample(list(by_points().routes), 60)
    values = [lambda route, its=its: int(route == its) for its in chosen]
    assert counted_by(by_points(), values, ODD) == [
        courses.get(route.course, 0) for route in chosen if route.course
    ]


def test_the_shoes_of_a_batch_keep_their_places() -> None:
    """More shoes than a block holds, and a last block that is not full."""
    chosen = random.Random(64)
    shoes = [Shoe(tuple(chosen.randint(1, 32) for _ in range(13))) for _ in range(2 * polynomial.BLOCK + 3)]
    together = integers(result_counts().totals(as_rows(by_points(), shoes)))
    assert len({tuple(row) for row in together}) == len(shoes)
    for number in (0, 1, polynomial.BLOCK - 1, polynomial.BLOCK, 2 * polynomial.BLOCK, len(shoes) - 1):
        assert [together[number]] == integers(result_counts().totals(as_rows(by_points(), [shoes[number]])))
    last = walk(shoes[-1]).results
    assert together[-1] == [last.get(ended, 0) for ended in RESULTS]


def test_no_shoes_have_no_counts() -> None:
    totals = result_counts().totals(np.zeros((0, 10), dtype=np.int64))
    assert totals.shape == (0, len(RESULTS))
    assert totals.dtype == np.int64


def test_the_largest_value_is_the_largest_in_size() -> None:
    assert Polynomial.of(by_points(), [lambda route: -7, lambda route: 3]).largest == 7
    assert Polynomial.of(by_points(), [every_one] * 3).columns == 3


# ---------------------------------------------------------------- the exact product


class Turns:
    """How often a product was taken: once, and once more for each split."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.number = 0
        whole = polynomial._whole

        def counted(values: Array, kind: type) -> Array:
            self.number += 1
            return whole(values, kind)

        monkeypatch.setattr(polynomial, "_whole", counted)


def matrices(chosen: random.Random, terms: int, most_coefficient: int, most_ways: int) -> tuple[Any, Any]:
    """Some coefficients of either sign, and some ways, near the most that they may be."""
    coefficients = [
        [
            chosen.choice((-1, 1)) * (most_coefficient - chosen.randint(0, most_coefficient // 9))
            for _ in range(terms)
        ]
        for _ in range(5)
    ]
    coefficients.append([abs(value) for value in coefficients[0]])  # all of one sign: it reaches the bound
    ways = [[most_ways - chosen.randint(0, most_ways // 9) for _ in range(7)] for _ in range(terms)]
    return coefficients, ways


def multiplied(coefficients: Any, ways: Any) -> list[list[int]]:
    """The product in Python integers."""
    return [
        [
            sum(value * row[column] for value, row in zip(line, ways, strict=True))
            for column in range(len(ways[0]))
        ]
        for line in coefficients
    ]


def largest_sum(coefficients: Any, ways: Any) -> int:
    """The most that any partial sum of the product can come to."""
    absolute = [[abs(value) for value in line] for line in coefficients]
    return max(max(line) for line in multiplied(absolute, ways))


def product_of(coefficients: Any, ways: Any, bound: int, whole: type) -> Array:
    left, right = np.array(coefficients, dtype=np.float64), np.array(ways, dtype=np.float64)
    return exact_product(left, right, bound, whole, np.empty((len(ways) + 3, len(ways[0]))))


# terms, largest coefficient, largest ways, splits
SPLITS = [
    (40, 50, 2**40, 0),
    (40, 50, 2**53 - 1, 1),
    (40, 2**24, 2**53 - 1, 2),
    (40, 2**31, 2**53 - 1, 3),
    (3000, 2**30, 2**53 - 1, 4),
]


@pytest.mark.parametrize(("terms", "coefficient", "most", "splits"), SPLITS)
def test_the_product_is_exact_however_often_it_is_split(
    monkeypatch: pytest.MonkeyPatch, terms: int, coefficient: int, most: int, splits: int
) -> None:
    turns = Turns(monkeypatch)
    coefficients, ways = matrices(random.Random(splits), terms, coefficient, most)
    product = product_of(coefficients, ways, largest_sum(coefficients, ways), object)
    assert integers(product) == multiplied(coefficients, ways)
    assert turns.number == splits + 1


@pytest.mark.parametrize(("terms", "coefficient", "most", "splits"), SPLITS[1:])
def test_without_its_splits_the_product_is_wrong(
    terms: int, coefficient: int, most: int, splits: int
) -> None:
    """The bound is what protects: told that no sum is large, the same call goes wrong."""
    coefficients, ways = matrices(random.Random(splits), terms, coefficient, most)
    left, right = np.array(coefficients, dtype=np.float64), np.array(ways, dtype=np.float64)
    plain = [[int(value) for value in line] for line in (left @ right).tolist()]
    assert plain != multiplied(coefficients, ways)


@pytest.mark.parametrize("whole", [np.int64, object])
@pytest.mark.parametrize(("bound", "splits"), [(EXACT - 1, 0), (EXACT, 1)])
def test_a_product_is_split_from_2_to_the_53(
    monkeypatch: pytest.MonkeyPatch, whole: type, bound: int, splits: int
) -> None:
    """The sum is the bound itself, so that both sides of it are the closest there are."""
    turns = Turns(monkeypatch)
    ways = [[bound // 3], [bound - 3 * (bound // 3)]]
    product = product_of([[3, 1], [-3, -1]], ways, bound, whole)
    assert product.dtype == whole
    assert integers(product) == [[bound], [-bound]]
    assert turns.number == splits + 1


@settings(max_examples=30, deadline=None)
@given(
    st.integers(0, 2**31),
    st.integers(1, 30),
    st.integers(1, 2**32),
    st.integers(1, EXACT - 1),
    st.integers(0, 2**20),
)
def test_a_bound_that_is_larger_than_needed_changes_nothing(
    seed: int, terms: int, coefficient: int, most: int, slack: int
) -> None:
    coefficients, ways = matrices(random.Random(seed), terms, coefficient, most)
    bound = largest_sum(coefficients, ways)
    expected = multiplied(coefficients, ways)
    assert integers(product_of(coefficients, ways, bound, object)) == expected
    assert integers(product_of(coefficients, ways, bound * (1 + slack), object)) == expected


def test_int64_holds_a_product_up_to_its_own_end() -> None:
    last = INT64_ENDS - 1
    ways = [[last // 2**11], [last % 2**11]]
    product = product_of([[2**11, 1], [-(2**11), -1]], ways, last, np.int64)
    assert product.dtype == np.int64
    assert integers(product) == [[last], [-last]]


def test_python_integers_are_multiplied_as_they_are() -> None:
    coefficients, ways = matrices(random.Random(0), 20, 2**20, 2**200)
    product = exact_product(
        np.array(coefficients, dtype=np.float64),
        np.array(ways, dtype=object),
        largest_sum(coefficients, ways),
        object,
        np.empty((20, 7), dtype=object),
    )
    assert integers(product) == multiplied(coefficients, ways)


# ---------------------------------------------------------------- both sides of every bound


@pytest.fixture
def kinds_used(monkeypatch: pytest.MonkeyPatch) -> list[type]:
    """In which type each batch's basis was held."""
    used: list[type] = []

    def recorded(kinds: int, most: int, shoes: int, dtype: Any) -> list[Array]:
        used.append(dtype)
        return rows_for(kinds, most, shoes, dtype)

    monkeypatch.setattr(polynomial, "rows_for", recorded)
    return used


def spread(size: int, kinds: int, most: int | None = None) -> list[int]:
    """So many cards over the kinds: evenly, or with so many of the first kind."""
    first = [most] if most is not None else []
    rest = kinds - len(first)
    each, over = divmod(size - sum(first), rest)
    return first + [each + (number < over) for number in range(rest)]


LAST_LARGEST = (INT64_ENDS - 1) // falling(415, 6)
LAST_SIZE = 1450
"""The most cards whose sequences of six an int64 can number."""


def test_where_int64_ends() -> None:
    assert falling(LAST_SIZE, 6) < INT64_ENDS <= falling(LAST_SIZE + 1, 6)
    assert LAST_LARGEST * falling(415, 6) < INT64_ENDS <= (LAST_LARGEST + 1) * falling(415, 6)


@cache
def of_value(level: Callable[[], Compiled], value: int) -> Polynomial:
    """A value that every path has, with both signs, beside nothing."""
    return Polynomial.of(level(), [lambda route: value, lambda route: -value, lambda route: 0])


def exactly(level: Callable[[], Compiled], value: int, counts: Sequence[int]) -> tuple[Any, int]:
    """The type and the total of a value that every path has; both signs are tried."""
    totals = of_value(level, value).totals(np.array([counts], dtype=np.int64))
    (row,) = integers(totals)
    assert row[1:] == [-row[0], 0]
    return totals.dtype, row[0]


@pytest.mark.parametrize("level", LEVELS)
def test_int64_is_used_up_to_the_largest_value_that_fits(level: Callable[[], Compiled]) -> None:
    counts = spread(415, level().kinds)
    assert exactly(level, LAST_LARGEST, counts) == (np.int64, LAST_LARGEST * falling(415, 6))


@pytest.mark.parametrize("level", LEVELS)
def test_python_integers_are_used_from_the_first_value_that_does_not_fit(
    level: Callable[[], Compiled],
) -> None:
    counts = spread(415, level().kinds)
    assert exactly(level, LAST_LARGEST + 1, counts) == (object, (LAST_LARGEST + 1) * falling(415, 6))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("size", "whole"), [(LAST_SIZE, np.int64), (LAST_SIZE + 1, object)])
def test_the_size_of_the_shoe_decides_too(level: Callable[[], Compiled], size: int, whole: type) -> None:
    assert exactly(level, 1, spread(size, level().kinds)) == (whole, falling(size, 6))


def test_the_largest_shoe_of_a_batch_decides_for_all_of_it() -> None:
    counted = Polynomial.of(by_points(), [every_one])
    rows = np.array([spread(LAST_SIZE + 1, 10), spread(6, 10)], dtype=np.int64)
    totals = counted.totals(rows)
    assert totals.dtype == object
    assert integers(totals) == [[falling(LAST_SIZE + 1, 6)], [720]]


def test_where_float64_ends() -> None:
    assert 456**6 < EXACT <= 457**6


@pytest.mark.parametrize(
    ("level", "most", "kind"),
    [
        *((level, 456, np.float64) for level in LEVELS),
        *((level, 457, object) for level in (by_points, by_first_four)),
    ],
)
@pytest.mark.parametrize("size", [700, 3000])
def test_the_basis_is_held_in_float64_up_to_456_cards_of_a_kind(
    kinds_used: list[type], level: Callable[[], Compiled], most: int, kind: type, size: int
) -> None:
    counts = spread(size, level().kinds, most)
    assert max(counts) == most
    whole = np.int64 if size <= LAST_SIZE else object
    assert exactly(level, 1, counts) == (whole, falling(size, 6))
    assert kinds_used == [kind]


@pytest.mark.parametrize("most", [455, 456, 457])
def test_six_kinds_at_the_end_of_float64_are_counted_as_the_walk_counts_them(most: int) -> None:
    """The ways of six different cards are the largest that a basis holds: 456**6."""
    shoe = Shoe.parse(f"A={most} 2={most - 1} 3={most} 4={most - 1} 6={most} 9={most - 1}")
    values = [lambda route, number=number: weight(route, number) for number in range(4)]
    courses = walk(shoe).by_points
    assert counted_by(by_points(), values, shoe) == [
        sum(weight(Route(course, None), number) * ways for course, ways in courses.items())
        for number in range(4)
    ]


LAST_VALUE = (EXACT - 1) // 13**6
"""The largest value whose coefficients are sure to be float64s: there are at most 13**6 orders."""


@pytest.mark.parametrize(
    ("level", "value", "kind"),
    [
        *((level, LAST_VALUE, np.float64) for level in LEVELS),
        *((level, LAST_VALUE + 1, object) for level in (by_points, by_first_four)),
    ],
)
@pytest.mark.parametrize("size", [30, 416])
def test_coefficients_are_float64_up_to_the_largest_value_that_fits(
    level: Callable[[], Compiled], value: int, kind: type, size: int
) -> None:
    counted = of_value(level, value)
    assert counted.largest == value
    assert {coefficients.dtype for coefficients in counted.coefficients.values()} == {np.dtype(kind)}
    whole = np.int64 if value * falling(size, 6) < INT64_ENDS else object
    assert exactly(level, value, spread(size, level().kinds)) == (whole, value * falling(size, 6))


def test_values_beyond_any_machine_integer_are_counted() -> None:
    value = 10**30 + 1
    assert exactly(by_points, value, spread(416, 10)) == (object, value * falling(416, 6))


def test_a_plain_float_product_would_miscount_a_shoe_that_the_code_counts() -> None:
    """Odd counts and positive values, so that the sums pass 2**53 and end in odd digits."""
    values = [lambda route, number=number: abs(weight(route, number)) for number in range(12)]
    counted = Polynomial.of(by_points(), values)
    row = as_rows(by_points(), [ODD])
    rows = basis(row.tolist(), np.float64)
    plain = [0] * len(values)
    for cards, coefficients in counted.coefficients.items():
        ways = (coefficients @ rows[cards - 1])[:, 0].tolist()
        unseen = falling(ODD.size - cards, 6 - cards)
        plain = [total + int(part) * unseen for total, part in zip(plain, ways, strict=True)]
    courses = walk(ODD).by_points
    exact = [
        sum(abs(weight(Route(course, None), number)) * ways for course, ways in courses.items())
        for number in range(12)
    ]
    assert integers(counted.totals(row)) == [exact]
    assert plain != exact


def test_the_counts_of_a_shoe_are_those_of_the_shoes_one_card_smaller() -> None:
    """The sum over r of n_r * ways(shoe - r) is (N - 6) * ways(shoe), for every column."""
    held = [rank for rank in range(13) if ODD.counts[rank]]
    smaller = [Shoe(tuple(n - (rank == at) for at, n in enumerate(ODD.counts))) for rank in held]
    after = integers(joint_counts().totals(as_rows(by_rank(), smaller)))
    (before,) = integers(joint_counts().totals(as_rows(by_rank(), [ODD])))
    total: Counter[int] = Counter()
    for rank, row in zip(held, after, strict=True):
        for column, ways in enumerate(row):
            total[column] += ODD.counts[rank] * ways
    assert [total[column] for column in range(len(before))] == [(ODD.size - 6) * ways for ways in before]
