"""Exact numbers as decimals: rounded once, half to even, here and nowhere else."""

import re
from fractions import Fraction
from functools import total_ordering
from math import ceil, gcd, isqrt
from operator import index
from typing import TYPE_CHECKING, NewType

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]

Whole = NewType("Whole", int)
"""An integer of any size: ways, coefficients. In JSON it is text."""

PLACES = 12
"""The decimals of an irrational figure in JSON and CSV."""


def integer(number: object) -> int | None:
    """Return the number as an int, or None for bools, floats, arrays and anything else that is not an integer.

    >>> integer(8), integer(True), integer(8.0)
    (8, None, None)
    """
    if isinstance(number, bool):
        return None
    try:
        return index(number)  # type: ignore[arg-type]  # what has no index is no integer, nor is an array of several
    except TypeError:
        return None


def exact(value: Fraction | None) -> str | None:
    """Return a fraction in lowest terms, as JSON holds it, or None for None."""
    return None if value is None else str(value)


def json_number(value: Fraction) -> float:
    """Return a figure of a few decimal digits as a JSON number with exactly those digits.

    >>> json_number(Fraction(141129042, 10**9))
    0.141129042
    """
    return float(value)


def decimal(value: Fraction, places: int, *, up: bool = False) -> str:
    """Return the value with this number of decimals, rounded half to even; ``up``: rounded up, for upper bounds.

    >>> decimal(Fraction(1, 8), 2), decimal(Fraction(-3, 8), 2), decimal(Fraction(-1, 1000), 2)
    ('0.12', '-0.38', '0.00')
    >>> decimal(Fraction(121, 1000), 2, up=True), decimal(Fraction(-129, 1000), 2, up=True)
    ('0.13', '-0.12')
    """
    if up:
        units = ceil(value * 10**places)
        return _placed(abs(units), places, negative=units < 0)
    return _placed(round(abs(value) * 10**places), places, negative=value < 0)


def decimal_units(tops: "Ints", bottoms: "Ints", places: int) -> "Ints | None":
    """Return int64 quotients in units of the last decimal, rounded half to even, or None beyond int64.

    A float estimate of a number below 2**50 is off by less than 1. The remainder, ``tops * 10**places - units
    * bottoms``, is small, and therefore exact in arithmetic modulo 2**64; it corrects the estimate.

    >>> import numpy as np
    >>> decimal_units(np.array([1, -3, 5]), np.array([8, 8, 8]), 2).tolist()
    [12, -38, 62]
    """
    import numpy as np

    scale = 10**places
    if places > MOST_UNITS or int(bottoms.max(initial=1)) >= 2**60:
        return None
    estimates = tops / bottoms * scale
    if float(np.abs(estimates).max(initial=0)) >= 2**50:
        return None
    units: Ints = np.rint(estimates).astype(np.int64)
    with np.errstate(over="ignore"):
        twice_over = 2 * (tops * scale - units * bottoms) + bottoms
    is_above = twice_over >= 2 * bottoms
    units += is_above
    units -= twice_over < 0
    is_tie = (twice_over == 0) | (is_above & (twice_over == 2 * bottoms))
    units -= is_tie & (units & 1 == 1)  # an exact half rounds to the even neighbour
    return units


MOST_UNITS = 15
"""The most decimals for which a float estimate is near enough."""


def fraction_and_decimal(top: int, bottom: int, places: int) -> tuple[str, str]:
    """Return a quotient in lowest terms and as a decimal, as ``exact`` and ``decimal`` do; fast, for millions.

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
    """Return the square root of a value with this number of decimals, correctly rounded.

    >>> root(Fraction(2), 6), root(Fraction(1, 4), 0), root(Fraction(9, 4), 0)
    ('1.414214', '0', '2')
    """
    scaled = square * 10 ** (2 * places)
    whole = isqrt(scaled.numerator // scaled.denominator)
    half = Fraction(2 * whole + 1, 2) ** 2
    up = scaled > half or (scaled == half and whole % 2 == 1)
    return _placed(whole + up, places, negative=negative)


@total_ordering
class Root:
    """An exact signed square root, such as a standard deviation or a skewness, stored as its signed square.

    It multiplies and divides exactly, compares exactly, and rounds once: ``float`` to the nearest float, ``str`` to 12
    decimals, ``format`` to the number in its format.

    >>> deviation = Root(Fraction(9, 4))
    >>> deviation * 2, float(deviation), str(deviation), f"{deviation:.3f}"
    (Root(9), 1.5, '1.500000000000', '1.500')
    >>> Root(Fraction(2)) < Fraction(3, 2) < Root(Fraction(3)), (Root(Fraction(2)) * Root(Fraction(8))) == 4
    (True, True)
    """

    __slots__ = ("square",)

    def __init__(self, square: Fraction | int) -> None:
        self.square = square if isinstance(square, Fraction) else Fraction(square)
        """The square, with the sign of the root."""

    def __mul__(self, other: object) -> "Root":
        factor = _signed_square(other)
        return NotImplemented if factor is None else Root(self.square * factor)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> "Root":
        divisor = _signed_square(other)
        return NotImplemented if divisor is None else Root(self.square / divisor)

    def __neg__(self) -> "Root":
        return Root(-self.square)

    def __abs__(self) -> "Root":
        return Root(abs(self.square))

    def __bool__(self) -> bool:
        return bool(self.square)

    def __eq__(self, other: object) -> bool:
        return self.square == _signed_square(other)

    def __lt__(self, other: object) -> bool:
        square = _signed_square(other)
        return NotImplemented if square is None else self.square < square

    def __hash__(self) -> int:
        """The hash of the number itself if the root is rational, since equal values have equal hashes."""
        top, bottom = (isqrt(part) for part in abs(self.square).as_integer_ratio())
        rational = Fraction(top if self.square >= 0 else -top, bottom)
        return hash(rational) if rational * abs(rational) == self.square else hash(("root", self.square))

    def __float__(self) -> float:
        return float(Fraction(root(abs(self.square), self._float_places, negative=self.square < 0)))

    @property
    def _float_places(self) -> int:
        """The decimals that show 40 digits, more than a float has, even of the smallest roots."""
        top, bottom = abs(self.square).as_integer_ratio()
        return 40 + max(0, len(str(bottom)) - len(str(top)))

    def __str__(self) -> str:
        return root(abs(self.square), PLACES, negative=self.square < 0)

    def __format__(self, written: str) -> str:
        if found := re.fullmatch(r"\.(\d{1,3})f", written):
            return root(abs(self.square), int(found[1]), negative=self.square < 0)
        return format(str(self), written)

    def __repr__(self) -> str:
        return f"Root({self.square})"


def _signed_square(value: object) -> Fraction | None:
    if isinstance(value, Root):
        return value.square
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        number = Fraction(value)
        return number * abs(number)
    return None


def one_in(probability: Fraction) -> str:
    """Return how rare an event is, one in N; a dash for probability 0.

    >>> one_in(Fraction(31, 415))
    '13.39'
    """
    return decimal(1 / probability, 2) if probability else "-"


def chance(value: Fraction) -> str:
    """Return a p-value: four decimals, or two digits and a power of ten.

    >>> chance(Fraction(1, 3)), chance(Fraction(1, 30000)), chance(Fraction(0))
    ('0.3333', '3.3e-05', '0')
    """
    if value >= Fraction(1, 1000):
        return decimal(value, 4)
    if value < Fraction(1, 10**300):
        return "0"
    power = len(str(value.denominator // value.numerator))
    while round(value * 10 ** (power + 1)) >= 100:  # values from 9.95 on round to the next power
        power -= 1
    while round(value * 10 ** (power + 1)) < 10:
        power += 1
    digits = str(round(value * 10 ** (power + 1)))
    return f"{digits[0]}.{digits[1]}e-{power:02}"


def grouped(text: str) -> str:
    """Return a written number with the digits before its point in groups of three.

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
