"""Columns of numbers as rows of CSV, many at a time: whole numbers, and decimals given in units of their last place.

Every cell is a few words of four characters, looked up four digits at a time; blanks fill the words and are taken out
at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint32]

DIGITS = 4
"""The digits of a word."""


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
    words = [word for number, column in enumerate(columns) for word in _cells(column, "," if number else "")]
    words.append(np.full(len(columns[0].units), _word("\n")))
    return np.stack(words, axis=1).tobytes().translate(None, b" ").decode("ascii")


def _cells(column: NumberColumn, comma: str) -> list[Words]:
    """The words of a column from left to right: a comma and a sign, whole digits, a point, decimals."""
    size, scale = np.abs(column.units), 10**column.places
    sign = np.where(column.units < 0, _word(f"{comma}-"), _word(comma))
    if column.places:
        whole = size // scale
        words = [*_whole(whole, "."), *_decimals(size - whole * scale, column.places)]
    else:
        words = _whole(size, "")
    if column.is_missing is not None and column.is_missing.any():
        sign[column.is_missing] = _word(comma)
        for word in words:
            word[column.is_missing] = _word("")
    return [sign, *words]


def _whole(numbers: Ints, point: str) -> list[Words]:
    """The digits of whole numbers, with blanks in front, and a point after them."""
    words, lowest, after = list[Words](), "0", point
    most = int(numbers.max())
    while most >= 10 ** (digits := DIGITS - len(after)):
        higher = numbers // 10**digits
        group = numbers - higher * 10**digits
        filled, blank = _words(digits, "0", "", after), _words(digits, "", lowest, after)
        words.append(np.where(higher > 0, filled[group], blank[group]))
        numbers, most, lowest, after = higher, most // 10**digits, "", ""
    return [_words(digits, "", lowest, after)[numbers], *reversed(words)]


def _decimals(numbers: Ints, places: int) -> list[Words]:
    """So many digits, with zeros in front."""
    words = list[Words]()
    while places > DIGITS:
        higher = numbers // 10**DIGITS
        words.append(_words(DIGITS, "0", "", "")[numbers - higher * 10**DIGITS])
        numbers, places = higher, places - DIGITS
    return [_words(places, "0", "", "")[numbers], *reversed(words)]


def _word(text: str) -> np.uint32:
    """Up to four characters, with blanks in front."""
    return np.uint32(np.frombuffer(text.rjust(DIGITS).encode("ascii"), dtype=np.uint32)[0])


@cache
def _words(digits: int, fill: str, zero: str, after: str) -> Words:
    """The word of each number of so many digits.

    ``fill``: in front of the number. ``zero``: for 0 where nothing fills. ``after``: behind it.
    """
    texts = [str(number) if number else zero for number in range(10**digits)]
    filled = [(text.rjust(digits, fill) if fill else text) + after for text in texts]
    return np.frombuffer("".join(text.rjust(DIGITS) for text in filled).encode("ascii"), dtype=np.uint32)
