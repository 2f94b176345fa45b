"""Decimals in reports: rounded once, half to even, as the standard library's decimal module has them."""

import decimal as reference
import math
import re
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from combinat.base.money import format_money
from combinat.base.number import Root, chance, decimal, exact, one_in, percent, root

PRECISE = reference.Context(prec=200, rounding=reference.ROUND_HALF_EVEN)
"""Far more digits than any value below needs, so that only the last rounding counts."""

values = st.builds(Fraction, st.integers(-(10**18), 10**18), st.integers(1, 10**12))
squares = values.map(abs)
places = st.integers(0, 15)


def quotient(value: Fraction) -> reference.Decimal:
    return PRECISE.divide(reference.Decimal(value.numerator), reference.Decimal(value.denominator))


def rounded(value: reference.Decimal, digits: int) -> str:
    """The value with so many decimals, by the standard library; zero has no sign."""
    nearest = PRECISE.quantize(value, reference.Decimal(1).scaleb(-digits))
    return f"{abs(nearest) if nearest.is_zero() else nearest:f}"


# ---------------------------------------------------------------- decimal and percent


@given(values, places)
@example(Fraction(-1, 1000), 2)
@example(Fraction(-999, 1000), 2)
@example(Fraction(12345678901234567890), 1)
@example(Fraction(0), 0)
def test_a_decimal_is_rounded_as_the_standard_library_does(value: Fraction, digits: int) -> None:
    assert decimal(value, digits) == rounded(quotient(value), digits)
    assert percent(value, digits) == rounded(quotient(value * 100), digits)


@given(st.integers(-(10**12), 10**12), places, st.integers(1, 10**9))
def test_a_tie_goes_to_the_even_digit_and_a_hair_off_it_to_the_nearer(
    units: int, digits: int, part: int
) -> None:
    """A tie is half a unit of the last place more than a whole number of them."""
    tie, hair = Fraction(2 * units + 1, 2 * 10**digits), Fraction(1, 10**30 * part)
    assert Fraction(decimal(tie, digits)) == Fraction(units + units % 2, 10**digits)
    assert Fraction(decimal(tie - hair, digits)) == Fraction(units, 10**digits)
    assert Fraction(decimal(tie + hair, digits)) == Fraction(units + 1, 10**digits)


@given(places)
def test_nothing_is_never_less_than_nothing(digits: int) -> None:
    """What rounds to zero from below is 0.00, never -0.00."""
    nought = f"{0:.{digits}f}"
    for value in (Fraction(0), Fraction(-1, 2 * 10**digits), Fraction(-1, 10 ** (digits + 9))):
        assert decimal(value, digits) == nought
        assert percent(value / 100, digits) == nought
    assert root(Fraction(0), digits, negative=True) == nought
    assert root(Fraction(1, 10 ** (2 * digits + 3)), digits, negative=True) == nought


# ---------------------------------------------------------------- root


@given(squares, places)
def test_a_root_is_rounded_as_the_standard_library_does(square: Fraction, digits: int) -> None:
    assert root(square, digits) == rounded(PRECISE.sqrt(quotient(square)), digits)


@given(values, places)
def test_the_root_of_a_square_is_the_decimal_of_its_size(value: Fraction, digits: int) -> None:
    assert root(value**2, digits) == decimal(abs(value), digits)
    assert root(value**2, digits, negative=value < 0) == decimal(value, digits)


@given(st.integers(0, 10**12), places)
def test_a_root_at_a_tie_goes_to_the_even_digit_and_a_hair_off_it_to_the_nearer(
    units: int, digits: int
) -> None:
    square, hair = Fraction(2 * units + 1, 2 * 10**digits) ** 2, Fraction(1, 10**60)
    assert Fraction(root(square, digits)) == Fraction(units + units % 2, 10**digits)
    assert Fraction(root(square - hair, digits)) == Fraction(units, 10**digits)
    assert Fraction(root(square + hair, digits)) == Fraction(units + 1, 10**digits)


# ---------------------------------------------------------------- one in, and exact


@given(st.builds(Fraction, st.integers(1, 10**12), st.integers(1, 10**12)))
@example(Fraction(8, 9))  # ties: 1.125 and 3.015
@example(Fraction(200, 603))
def test_one_in_is_the_reciprocal_with_two_decimals(probability: Fraction) -> None:
    assert one_in(probability) == rounded(quotient(1 / probability), 2)


@given(values)
def test_an_exact_value_is_read_as_it_is_written(value: Fraction) -> None:
    text = exact(value)
    assert text is not None
    assert Fraction(text) == value
    assert ("/" in text) == (value.denominator != 1)


def test_what_there_is_not_stays_none() -> None:
    assert exact(None) is None
    assert (exact(Fraction(-86, 830)), exact(Fraction(8, 2))) == ("-43/415", "4")


# ---------------------------------------------------------------- money, and what chance alone would do


@given(st.integers(-(10**15), 10**15), st.integers(0, 9))
def test_money_is_an_exact_decimal_without_idle_zeros(units: int, digits: int) -> None:
    amount = Fraction(units, 10**digits)
    shown = format_money(amount)
    assert Fraction(shown) == amount
    assert "/" not in shown
    assert not re.search(r"\.\d*0$", shown)


@given(values)
def test_money_that_no_decimal_states_is_a_fraction(amount: Fraction) -> None:
    assert Fraction(format_money(amount)) == amount


@given(st.builds(Fraction, st.integers(1, 10**6), st.integers(10**6, 10**30)))
@example(Fraction(995, 10**7))
@example(Fraction(9949999, 10**12))
@example(Fraction(1, 1000))
def test_a_chance_has_four_decimals_or_two_digits(value: Fraction) -> None:
    if value >= Fraction(1, 1000):
        assert chance(value) == rounded(quotient(value), 4)
    else:
        digits, power = f"{reference.Context(2).create_decimal(quotient(value)):.1e}".split("e-")
        assert chance(value) == f"{digits}e-{int(power):02}"


def test_what_chance_cannot_do() -> None:
    assert (chance(Fraction(0)), chance(Fraction(1, 10**301)), chance(Fraction(1))) == ("0", "0", "1.0000")


# ---------------------------------------------------------------- exact roots


@given(st.fractions(-(10**6), 10**6), st.fractions(-(10**6), 10**6))
def test_roots_compare_and_multiply_as_their_values_do(one: Fraction, other: Fraction) -> None:
    first, second = Root(one * abs(one)), Root(other * abs(other))
    assert (first < second, first == second, first >= second) == (one < other, one == other, one >= other)
    assert (first < other, first == other, first >= other) == (one < other, one == other, one >= other)
    assert first * second == first * other == one * other
    assert hash(first) == hash(one)
    assert not other or first / second == first / other == one / other
    assert (float(first), bool(first)) == (float(one), bool(one))
    assert abs(first) == abs(one)
    assert -first == -one


def test_a_root_is_no_text_and_no_flag() -> None:
    assert Root(2) != "1.414213562373"
    assert Root(1) != True  # noqa: E712
    with pytest.raises(TypeError):
        Root(2) * "2"
    with pytest.raises(TypeError):
        _ = Root(2) < "2"


@pytest.mark.parametrize("square", [Fraction(2), Fraction(1, 10**300), Fraction(10**40 + 1, 3)])
def test_a_root_as_a_float_is_the_nearest(square: Fraction) -> None:
    near = float(Root(square))
    below, above = Fraction(math.nextafter(near, 0)), Fraction(math.nextafter(near, math.inf))
    assert ((below + Fraction(near)) / 2) ** 2 <= square <= ((above + Fraction(near)) / 2) ** 2
