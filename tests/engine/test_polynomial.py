"""The compiled form: every count that the walk gives, and exact products on both sides of every bound."""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from threadpoolctl import threadpool_limits

from combinat import Shoe, analyze, load_game
from combinat.base.errors import CombinatError
from combinat.certify.identities import Law, identities
from combinat.engine import polynomial
from combinat.engine.distribution import falling
from combinat.engine.multisets import Array
from combinat.engine.polynomial import EXACT, Compiled, Polynomial, Route, by_first_four, exact_product
from combinat.engine.walk import walk
from combinat.rules.table_of_play import TABLE_OF_PLAY
from tests.documents import COMMISSION_2013
from tests.oracle.shoes import depleted_shoes, small_shoes


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


Level = Callable[[], Compiled]
LEVELS: list[Level] = [by_points, by_rank, by_first_four]
ODD = Shoe((31, 29, 27, 25, 23, 21, 19, 31, 29, 27, 25, 23, 21))
SIX = Shoe.parse("3=2 5=1 8=1 K=2")


def totals(counted: Polynomial, level: Level, shoes: Sequence[Shoe]) -> Array:
    rows = [shoe.by_points if level().kinds == 10 else shoe.counts for shoe in shoes]
    return counted.totals(np.array(rows, dtype=np.int64))


def integers(counts: Array) -> Any:
    """An array as lists of Python integers: a float among them is a fault, whatever its value."""
    assert {type(value) for value in counts.ravel().tolist()} <= {int}
    return counts.tolist()


# ---------------------------------------------------------------- the walk


@cache
def weights(level: Level) -> dict[Route, list[int]]:
    """Random weights of each route: counts that differ anywhere differ in their weighted sums."""
    chosen = random.Random(6)
    return {route: [chosen.randint(-999, 999) for _ in range(4)] for route in level().routes}


@cache
def weighted(level: Level) -> Polynomial:
    """Four weighted sums over all routes of a level."""
    columns = range(4)
    return Polynomial.of(level(), [lambda route, at=at: weights(level)[route][at] for at in columns])  # type: ignore[misc]


def walked(shoe: Shoe, level: Level) -> dict[Route, int]:
    distribution = walk(shoe)
    if level is by_points:
        return {Route(course, None): ways for course, ways in distribution.by_points.items()}
    if level is by_first_four:
        return {Route(None, match): ways for match, ways in distribution.first_fours.items()}
    courses = distribution.courses.items()
    return {Route(course, match): ways for match, listed in courses for course, ways in listed.items()}


def agree_with_the_walk(shoes: Sequence[Shoe], levels: Sequence[Level] = LEVELS) -> None:
    for level in levels:
        counted = integers(totals(weighted(level), level, shoes))
        for number, shoe in enumerate(shoes):
            ways = walked(shoe, level)
            assert sum(ways.values()) == falling(shoe.size, 6)
            expected = [sum(weights(level)[route][at] * n for route, n in ways.items()) for at in range(4)]
            assert counted[number] == expected, shoe


def test_fresh_shoes_and_the_end_of_float64() -> None:
    """456**6 is the last product of six counts below 2**53."""
    ends = [Shoe.parse(f"A={n} 2={n - 1} 3={n} 4={n - 1} 6={n} 9={n - 1}") for n in (455, 456, 457)]
    for shoe in (Shoe.of_decks(1), Shoe.of_decks(8), ODD, *ends):
        agree_with_the_walk([shoe], LEVELS if shoe is ODD else [by_points])


@settings(max_examples=50, deadline=None)
@given(small_shoes(least=6, most=10))
@example(SIX)
def test_small_shoes(shoe: Shoe) -> None:
    agree_with_the_walk([shoe], [by_points, by_first_four])


@settings(max_examples=2, deadline=None)
@given(st.lists(depleted_shoes(), min_size=3, max_size=3))
def test_depleted_shoes(shoes: list[Shoe]) -> None:
    agree_with_the_walk(shoes)


def test_a_wrong_count_of_the_compiled_form_fails_the_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    """With one wrong count there is no dossier."""
    analyses = {1: analyze(load_game(COMMISSION_2013), Shoe.of_decks(1), by_recursion=True)}
    assert Law.COMPILED_FORM in {identity.law for identity in identities(analyses)}
    right = Polynomial.totals
    monkeypatch.setattr(Polynomial, "totals", lambda self, counts: right(self, counts) + 1)
    with pytest.raises(CombinatError):
        identities(analyses)


# ---------------------------------------------------------------- exact products


def matrices(chosen: random.Random, terms: int, most_coefficient: int, most_ways: int) -> tuple[Any, Any]:
    """Some coefficients of either sign, and some ways, near the most that they may be."""

    def near(most: int) -> int:
        return most - chosen.randint(0, most // 9)

    coefficients = [[chosen.choice((-1, 1)) * near(most_coefficient) for _ in range(terms)] for _ in range(5)]
    coefficients.append([abs(value) for value in coefficients[0]])  # all of one sign: it reaches the bound
    return coefficients, [[near(most_ways) for _ in range(7)] for _ in range(terms)]


def multiplied(coefficients: Any, ways: Any) -> list[list[int]]:
    """The product in Python integers."""
    columns = list(zip(*ways, strict=True))
    return [[sum(map(int.__mul__, line, column)) for column in columns] for line in coefficients]


def largest_sum(coefficients: Any, ways: Any) -> int:
    """The most that any partial sum of the product can come to."""
    return max(map(max, multiplied([list(map(abs, line)) for line in coefficients], ways)))


def product_of(coefficients: Any, ways: Any, bound: int, whole: type) -> Array:
    left, right = np.array(coefficients, dtype=np.float64), np.array(ways, dtype=np.float64)
    return exact_product(left, right, bound, whole, np.empty((len(ways) + 3, len(ways[0]))))


@pytest.mark.parametrize(
    ("terms", "coefficient", "most"),
    [(40, 50, 2**53 - 1), (40, 2**24, 2**53 - 1), (40, 2**31, 2**53 - 1), (3000, 2**30, 2**53 - 1)],
)
def test_a_product_over_2_to_the_53_is_exact(terms: int, coefficient: int, most: int) -> None:
    coefficients, ways = matrices(random.Random(terms), terms, coefficient, most)
    exact = multiplied(coefficients, ways)
    assert integers(product_of(coefficients, ways, largest_sum(coefficients, ways), object)) == exact
    plain = np.array(coefficients, dtype=np.float64) @ np.array(ways, dtype=np.float64)
    assert [list(map(int, line)) for line in plain.tolist()] != exact  # the splits are needed


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**31), st.integers(1, 30), st.integers(1, 2**32), st.integers(1, EXACT - 1))
def test_any_product_is_exact(seed: int, terms: int, coefficient: int, most: int) -> None:
    coefficients, ways = matrices(random.Random(seed), terms, coefficient, most)
    bound = largest_sum(coefficients, ways)
    for larger in (bound, 1000 * bound):
        assert integers(product_of(coefficients, ways, larger, object)) == multiplied(coefficients, ways)


@pytest.mark.parametrize("bound", [EXACT - 1, EXACT, 2**63 - 1])
def test_a_product_at_each_bound(bound: int) -> None:
    """The sum is the bound itself."""
    ways = [[bound // 2**11], [bound % 2**11]]
    product = product_of([[2**11, 1], [-(2**11), -1]], ways, bound, np.int64)
    assert product.dtype == np.int64
    assert integers(product) == [[bound], [-bound]]


def spread(size: int, kinds: int) -> list[int]:
    """So many cards, spread evenly over the kinds."""
    each, over = divmod(size, kinds)
    return [each + (number < over) for number in range(kinds)]


LARGEST = (2**63 - 1) // falling(415, 6)


@pytest.mark.parametrize(
    ("level", "value", "size", "dtype"),
    [
        *((level, LARGEST, 415, np.int64) for level in LEVELS),
        *((level, LARGEST + 1, 415, object) for level in LEVELS),
        *((level, 1, 1450, np.int64) for level in LEVELS),
        *((level, 1, 1451, object) for level in LEVELS),
        (by_points, 10**30 + 1, 416, object),
    ],
)
def test_int64_holds_what_fits_and_python_integers_the_rest(
    level: Level, value: int, size: int, dtype: type
) -> None:
    counted = Polynomial.of(level(), [lambda route: value, lambda route: -value, lambda route: 0])
    rows = counted.totals(np.array([spread(size, level().kinds)], dtype=np.int64))
    assert rows.dtype == dtype
    assert integers(rows) == [[value * falling(size, 6), -value * falling(size, 6), 0]]
