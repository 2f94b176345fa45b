"""Columns of numbers as rows of CSV, many at a time: whole numbers, and decimals given in units of their last place.

Every cell has its place in a matrix of characters, as wide as the widest of its column; the blanks are taken out at once.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Characters = npt.NDArray[np.uint8]

BLANK, COMMA, MINUS, POINT, NEW_LINE, ZERO = b" ,-.\n0"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NumberColumn:
    """Numbers in units of so many decimals; ``is_missing``: the rows in which the cell is empty."""

    units: Ints
    places: int = 0
    is_missing: npt.NDArray[np.bool_] | None = None


def number_rows(columns: Sequence[NumberColumn]) -> str:
    r"""The rows of a CSV file.

    >>> number_rows([NumberColumn(units=np.array([7, -12])), NumberColumn(units=np.array([-5, 1234]), places=2)])
    '7,-0.05\n-12,12.34\n'
    """
    if not columns or not len(columns[0].units):
        return ""
    # A row of this matrix is one place of every cell of a column: it is written at once, and turned in the end.
    comma = np.full(len(columns[0].units), COMMA, dtype=np.uint8)
    places = [place for column in columns for place in (*_cells(column), comma)]
    places[-1] = np.full_like(comma, NEW_LINE)
    return np.stack(places, axis=1).tobytes().translate(None, b" ").decode("ascii")


def _cells(column: NumberColumn) -> Iterator[Characters]:
    """The places of a column from left to right: a sign, digits with blanks in front, a point."""
    size, places = np.abs(column.units), column.places
    digits = max(len(str(int(size.max()))), places + 1)
    written = list(_digits(size, digits))
    for number in range(places + 1, digits):
        written[number][size < 10**number] = BLANK
    if places:
        written.insert(places, np.full(len(size), POINT, dtype=np.uint8))
    if column.units.min() < 0:
        written.append(np.where(column.units < 0, np.uint8(MINUS), np.uint8(BLANK)))
    if column.is_missing is not None and column.is_missing.any():
        for place in written:
            place[column.is_missing] = BLANK
    return reversed(written)


def _digits(size: Ints, digits: int) -> Iterator[Characters]:
    """So many digits, the last one first: nine at a time, since 32 bits are divided faster than 64."""
    for first in range(0, digits, 9):
        higher = size // 10**9
        left, size = (size - 10**9 * higher).astype(np.uint32), higher
        for _ in range(min(9, digits - first)):
            rest = left // np.uint32(10)
            yield (left - rest * np.uint32(10)).astype(np.uint8) + np.uint8(ZERO)
            left = rest
