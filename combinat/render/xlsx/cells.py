"""The cells of a workbook: formulas with what they come to, counts as text, inputs."""

from fractions import Fraction
from typing import NamedTuple

from combinat.base.number import PLACES, root

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


def rounded_root(signed_square: Fraction | None) -> float | None:
    """The root of a value that is given by its square with its sign, as JSON and CSV round it; None: none."""
    if signed_square is None:
        return None
    return float(root(abs(signed_square), PLACES, negative=signed_square < 0))


def nearest_root(square: Fraction) -> float:
    """The number nearest to a square root.

    >>> nearest_root(Fraction(2))
    1.4142135623730951
    """
    return float(root(square, 30))


def high_part(cell: str, count: int) -> Live:
    """All but the last digits of a count, from the cell that has it as text."""
    return Live(f'=VALUE("0"&LEFT({cell},MAX(0,LEN({cell})-{LOW})))', count // 10**LOW)


def low_part(cell: str, count: int) -> Live:
    """The last digits of a count, from the cell that has it as text."""
    return Live(f"=VALUE(RIGHT({cell},{LOW}))", count % 10**LOW)


def count_cell(cell: str, count: int) -> Live:
    """A count, read in its two parts from the cell that has it as text."""
    high, low = high_part(cell, count), low_part(cell, count)
    return Live(f"{high.formula}*{10**LOW}+{low.formula[1:]}", float(count))


def letter_of(place: int) -> str:
    """The letters of a column.

    >>> letter_of(0), letter_of(25), letter_of(26), letter_of(701), letter_of(702)
    ('A', 'Z', 'AA', 'ZZ', 'AAA')
    """
    return (letter_of(place // 26 - 1) if place >= 26 else "") + chr(ord("A") + place % 26)


def cell_at(row: int, place: int) -> str:
    """The name of a cell, which stays the same wherever its formula is copied.

    >>> cell_at(5, 27)
    '$AB$5'
    """
    return f"${letter_of(place)}${row}"


def span(first: str, last: str) -> str:
    """The name of a range of cells."""
    return f"{first}:{last}"
