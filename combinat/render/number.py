"""Exact numbers as decimals: rounded once, half to even, here and nowhere else."""

from fractions import Fraction
from math import isqrt

PLACES = 12
"""The decimals of an irrational figure in JSON and CSV."""


def exact(value: Fraction | None) -> str | None:
    """A fraction as JSON has it, in lowest terms; None where there is none."""
    return None if value is None else str(value)


def decimal(value: Fraction, places: int) -> str:
    """The value with so many decimals, rounded half to even.

    >>> decimal(Fraction(1, 8), 2), decimal(Fraction(-3, 8), 2), decimal(Fraction(-1, 1000), 2)
    ('0.12', '-0.38', '0.00')
    """
    return _placed(round(abs(value) * 10**places), places, negative=value < 0)


def percent(value: Fraction, places: int = 4) -> str:
    """The value in per cent.

    >>> percent(Fraction(43, 415))
    '10.3614'
    """
    return decimal(value * 100, places)


def root(square: Fraction, places: int, *, negative: bool = False) -> str:
    """The square root of a value with so many decimals, correctly rounded.

    >>> root(Fraction(2), 6), root(Fraction(1, 4), 0), root(Fraction(9, 4), 0)
    ('1.414214', '0', '2')
    """
    scaled = square * 10 ** (2 * places)
    whole = isqrt(scaled.numerator // scaled.denominator)
    half = Fraction(2 * whole + 1, 2) ** 2
    up = scaled > half or (scaled == half and whole % 2 == 1)
    return _placed(whole + up, places, negative=negative)


def one_in(probability: Fraction) -> str:
    """How rare something is: one in so many; a dash for what never happens.

    >>> one_in(Fraction(31, 415))
    '13.39'
    """
    return decimal(1 / probability, 2) if probability else "-"


def _placed(units: int, places: int, *, negative: bool) -> str:
    digits = str(units).rjust(places + 1, "0")
    sign = "-" if negative and units else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"
