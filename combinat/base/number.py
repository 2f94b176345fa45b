"""Exact numbers as decimals: rounded once, half to even, here and nowhere else."""

import re
from fractions import Fraction
from math import ceil, gcd, isqrt

PLACES = 12
"""The decimals of an irrational figure in JSON and CSV."""


def exact(value: Fraction | None) -> str | None:
    """A fraction as JSON has it, in lowest terms; None where there is none."""
    return None if value is None else str(value)


def json_number(value: Fraction) -> float:
    """A figure of a few decimal digits as a JSON number, which shows those digits and no others.

    >>> json_number(Fraction(141129042, 10**9))
    0.141129042
    """
    return float(value)


def decimal(value: Fraction, places: int, *, up: bool = False) -> str:
    """The value with so many decimals, rounded half to even; or ``up``, as a bound is.

    >>> decimal(Fraction(1, 8), 2), decimal(Fraction(-3, 8), 2), decimal(Fraction(-1, 1000), 2)
    ('0.12', '-0.38', '0.00')
    >>> decimal(Fraction(121, 1000), 2, up=True), decimal(Fraction(-129, 1000), 2, up=True)
    ('0.13', '-0.12')
    """
    if up:
        units = ceil(value * 10**places)
        return _placed(abs(units), places, negative=units < 0)
    return _placed(round(abs(value) * 10**places), places, negative=value < 0)


def fraction_and_decimal(top: int, bottom: int, places: int) -> tuple[str, str]:
    """A quotient in lowest terms, and with so many decimals: as ``exact`` and ``decimal`` write it, for millions.

    >>> fraction_and_decimal(-6, 16, 2), fraction_and_decimal(4, 2, 1)
    (('-3/8', '-0.38'), ('2', '2.0'))
    """
    common = gcd(top, bottom)
    whole, part = top // common, bottom // common
    units, rest = divmod(abs(whole) * 10**places, part)
    units += 2 * rest > part or (2 * rest == part and units & 1)
    written = f"{whole}/{part}" if part > 1 else str(whole)
    return written, _placed(units, places, negative=top < 0)


def percent(value: Fraction, places: int = 4, *, up: bool = False) -> str:
    """The value in per cent.

    >>> percent(Fraction(43, 415))
    '10.3614'
    """
    return decimal(value * 100, places, up=up)


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


def money(amount: Fraction) -> str:
    """The amount as an exact decimal; as a fraction where no decimal is exact.

    >>> money(Fraction(25, 2)), money(Fraction(-10, 3)), money(Fraction(100))
    ('12.5', '-10/3', '100')
    """
    rest, places = amount.denominator, 0
    for prime in (2, 5):
        power = 0
        while rest % prime == 0:
            rest, power = rest // prime, power + 1
        places = max(places, power)
    if rest != 1:
        return str(amount)
    return _placed(abs(amount.numerator) * 10**places // amount.denominator, places, negative=amount < 0)


def chance(value: Fraction) -> str:
    """A probability by chance alone: four decimals, or two digits and a power of ten.

    >>> chance(Fraction(1, 3)), chance(Fraction(1, 30000)), chance(Fraction(0))
    ('0.3333', '3.3e-05', '0')
    """
    if value >= Fraction(1, 1000):
        return decimal(value, 4)
    if value < Fraction(1, 10**300):
        return "0"
    power = len(str(value.denominator // value.numerator))
    while round(value * 10 ** (power + 1)) >= 100:  # from 9.95 on the first digit is the next power's
        power -= 1
    while round(value * 10 ** (power + 1)) < 10:
        power += 1
    digits = str(round(value * 10 ** (power + 1)))
    return f"{digits[0]}.{digits[1]}e-{power:02}"


def grouped(text: str) -> str:
    """A written number with the digits before its point in threes.

    >>> grouped("-1234567/415"), grouped("1024.123456"), grouped("999"), grouped("0.00012")
    ('-1,234,567/415', '1,024.123456', '999', '0.00012')
    """
    return re.sub(r"(?a)(?<![\d.])\d{4,}", lambda digits: _in_threes(digits[0]), text)


def _in_threes(digits: str) -> str:
    first = len(digits) % 3 or 3
    return ",".join((digits[:first], *(digits[at : at + 3] for at in range(first, len(digits), 3))))


def _placed(units: int, places: int, *, negative: bool) -> str:
    digits = str(units).rjust(places + 1, "0")
    sign = "-" if negative and units else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"
