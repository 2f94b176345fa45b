"""The cells of the workbook: formulas with what they come to, figures to the digits that Excel keeps."""

from fractions import Fraction
from typing import NamedTuple

from combinat.render.number import decimal, root

DIGITS = 15
"""The significant digits that Excel keeps."""

LOW = 8
"""How many digits of a count its low part has."""


class Live(NamedTuple):
    """A formula, and what it comes to: what a viewer shows that does not recalculate."""

    formula: str
    value: float | str | bool


class Styled(NamedTuple):
    """A cell in another style than its column's."""

    cell: "str | float | Fraction | Live"
    style: str


Cell = str | float | Fraction | Live | Styled | None


class Figure(NamedTuple):
    """A figure: the nearest double-precision number, the exact value as Excel keeps it, and in full."""

    nearest: float
    digits: float
    exact: str

    @classmethod
    def of(cls, value: Fraction) -> "Figure":
        """A rational figure."""
        return cls(float(value), float(significant(value)), str(value))

    @classmethod
    def root(cls, variance: Fraction) -> "Figure":
        """A standard deviation."""
        return cls(
            float(root(variance, 2 * DIGITS)), float(significant_root(variance)), "root of the variance"
        )


def significant(value: Fraction) -> str:
    """The value with the digits that Excel keeps, rounded half to even.

    >>> significant(Fraction(1, 3)), significant(Fraction(-200000, 3))
    ('0.333333333333333', '-66666.6666666667')
    """
    return decimal(value, _places(_power(abs(value)))) if value else "0"


def significant_root(square: Fraction) -> str:
    """The square root of a value with the digits that Excel keeps, correctly rounded.

    >>> significant_root(Fraction(2)), significant_root(Fraction(200))
    ('1.41421356237310', '14.1421356237310')
    """
    return root(square, _places(_power(square) // 2)) if square else "0"


def _power(value: Fraction) -> int:
    """The power of ten of the first digit of a positive value."""
    power = len(str(value.numerator)) - len(str(value.denominator))
    return power if value >= Fraction(10) ** power else power - 1


def _places(power: int) -> int:
    return max(0, DIGITS - 1 - power)


def fraction(text: str | None) -> Fraction | None:
    """The value that JSON has; None where there is none."""
    return None if text is None else Fraction(text)


def count_cell(cell: str, ways: int) -> Live:
    """A count, read from its text in two parts."""
    high = f'VALUE("0"&LEFT({cell},MAX(0,LEN({cell})-{LOW})))'
    return Live(f"={high}*{10**LOW}+VALUE(RIGHT({cell},{LOW}))", float(ways))


def traced(formula: str, figure: Figure, row: int, letter: str) -> list[Live | float]:
    """A formula for a cell, for the next one the exact value as Excel keeps it, and then the check."""
    cell, beside = f"{letter}{row}", f"{chr(ord(letter) + 1)}{row}"
    check = Live(f"=ABS({cell}-{beside})<=1E-14*ABS({beside})", True)
    return [Live(formula, figure.nearest), figure.digits, check]


def letter_of(place: int) -> str:
    """The letters of a column.

    >>> letter_of(0), letter_of(25), letter_of(26)
    ('A', 'Z', 'AA')
    """
    return (letter_of(place // 26 - 1) if place >= 26 else "") + chr(ord("A") + place % 26)
