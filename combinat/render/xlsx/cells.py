"""The cells of a workbook: formulas with what they come to, exact values to the digits that Excel keeps."""

from fractions import Fraction
from typing import NamedTuple

from combinat.render.number import PLACES, decimal, root

DIGITS = 15
"""The significant digits that Excel keeps."""

LOW = 8
"""How many digits of a count its low part has."""

Number = int | float | Fraction


class Live(NamedTuple):
    """A formula, and what it comes to: what a viewer shows that does not recalculate."""

    formula: str
    value: Number | str | bool


class Styled(NamedTuple):
    """A cell in another style than its column's."""

    cell: "str | Number | Live"
    style: str


SheetCell = str | Number | Live | Styled | None
"""What stands in a cell of a sheet. A text stays a text, whatever it looks like; None: nothing."""


class Traced(NamedTuple):
    """An exact value beside a formula: the nearest number, the digits that Excel keeps, and in full."""

    nearest: float
    digits: float
    exact: str

    @classmethod
    def of(cls, value: Fraction) -> "Traced":
        """A rational value."""
        return cls(float(value), float(significant(value)), str(value))

    @classmethod
    def root_of(cls, square: Fraction, in_words: str) -> "Traced":
        """A square root; what it is the root of stands for the value in full."""
        return cls(float(root(square, 2 * DIGITS)), float(significant_root(square)), in_words)


def rounded_root(signed_square: Fraction | None) -> float | None:
    """The root of a value that is given by its square with its sign, as JSON and CSV round it; None: none."""
    if signed_square is None:
        return None
    return float(root(abs(signed_square), PLACES, negative=signed_square < 0))


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


def is_held_whole(count: int) -> bool:
    """Whether a double-precision number holds all of a count.

    >>> is_held_whole(2**53), is_held_whole(2**53 + 1)
    (True, False)
    """
    return int(float(count)) == count


def count_cell(cell: str, count: int) -> Live:
    """A count, read in two parts from the cell that has it as text."""
    high = f'VALUE("0"&LEFT({cell},MAX(0,LEN({cell})-{LOW})))'
    return Live(f"={high}*{10**LOW}+VALUE(RIGHT({cell},{LOW}))", float(count))


def traced(formula: str, value: Traced, row: int, letter: str) -> list[Live | float]:
    """A formula for a cell, for the next one the exact value as Excel keeps it, and then the check."""
    cell, beside = f"{letter}{row}", f"{chr(ord(letter) + 1)}{row}"
    check = Live(f"=ABS({cell}-{beside})<=1E-14*ABS({beside})", True)
    return [Live(formula, value.nearest), value.digits, check]


def letter_of(place: int) -> str:
    """The letters of a column.

    >>> letter_of(0), letter_of(25), letter_of(26)
    ('A', 'Z', 'AA')
    """
    return (letter_of(place // 26 - 1) if place >= 26 else "") + chr(ord("A") + place % 26)
