"""A small spreadsheet: the formulas of a workbook, parsed and worked out anew by other hands than a library's.

It reads numbers as Excel does: ``VALUE`` keeps 15 digits of a text, arithmetic is in double precision, a branch that
is not taken is not worked out. So a formula that lost digits of a count, or that is not well formed, is seen.
"""

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import prod, sqrt
from typing import Any

from tests.report.second_reader import SheetCell

TOKEN = re.compile(
    r"""\s*(?:(?P<text>"[^"]*")|(?:'(?P<sheet>[^']+)'!)?(?P<first>\$?[A-Z]{1,3}\$?\d+)(?::(?P<last>\$?[A-Z]{1,3}\$?\d+))?"""
    r"""|(?P<name>(?:_xlfn\.)?[A-Z]+)(?=\()|(?P<truth>TRUE|FALSE)|(?P<number>\d+(?:\.\d+)?(?:E-?\d+)?)"""
    r"""|(?P<sign><=|>=|<>|[-+*/^&=<>(),]))"""
)
LEVELS: tuple[dict[str, Callable[[Any, Any], Any]], ...] = (
    {
        "=": operator.eq,
        "<>": operator.ne,
        "<": operator.lt,
        ">": operator.gt,
        "<=": operator.le,
        ">=": operator.ge,
    },
    {"&": lambda left, right: f"{in_text(left)}{in_text(right)}"},
    {"+": operator.add, "-": operator.sub},
    {"*": operator.mul, "/": operator.truediv},
    {"^": operator.pow},
)
"""What binds, the loosest first."""

Work = Callable[["Spreadsheet"], Any]
ERRORS = (ValueError, ZeroDivisionError)


def in_text(value: Any) -> str:
    """A value as it stands in a text: whole numbers without a point."""
    return f"{value:.0f}" if isinstance(value, float) and value.is_integer() else str(value)


def tokens(formula: str) -> list[re.Match[str]]:
    """The formula in parts; one that is not well formed is refused."""
    parts, at = [], 0
    while at < len(formula):
        part = TOKEN.match(formula, at)
        assert part, f"{formula} at {formula[at:]}"
        parts.append(part)
        at = part.end()
    return parts


class Parser:
    """A formula, parsed."""

    def __init__(self, formula: str, sheet: str) -> None:
        self.parts, self.sheet, self.at = tokens(formula), sheet, 0

    def whole(self) -> Work:
        """What works the formula out."""
        work = self.level(0)
        assert self.at == len(self.parts)
        return work

    def sign(self, *signs: str) -> str | None:
        """The next sign, if it is one of these."""
        if self.at < len(self.parts) and (sign := self.parts[self.at]["sign"]) in signs:
            self.at += 1
            return sign
        return None

    def level(self, number: int) -> Work:
        """An expression of what binds at a level or tighter."""
        if number == len(LEVELS):
            return self.single()
        work = self.level(number + 1)
        while sign := self.sign(*LEVELS[number]):
            work = self.joined(LEVELS[number][sign], work, self.level(number + 1))
        return work

    @staticmethod
    def joined(how: Callable[[Any, Any], Any], left: Work, right: Work) -> Work:
        """Two expressions and the sign between them."""
        return lambda book: how(left(book), right(book))

    def single(self) -> Work:
        """A value, a cell, a function or what stands in brackets."""
        if self.sign("-"):
            work = self.single()
            return lambda book: -work(book)
        if self.sign("("):
            inside = self.level(0)
            assert self.sign(")")
            return inside
        part = self.parts[self.at]
        self.at += 1
        if part["first"]:
            sheet, first = part["sheet"] or self.sheet, part["first"].replace("$", "")
            if part["last"]:
                last = part["last"].replace("$", "")
                return lambda book: book.span(sheet, first, last)
            return lambda book: book.cell(sheet, first)
        if part["name"]:
            return self.function(part["name"].removeprefix("_xlfn."))
        known: Any = part["text"][1:-1] if part["text"] else None
        if known is None:
            known = part["truth"] == "TRUE" if part["truth"] else float(part["number"])
        return lambda book: known

    def function(self, name: str) -> Work:
        """A function of what stands in its brackets."""
        assert self.sign("(")
        given = [self.level(0)]
        while self.sign(","):
            given.append(self.level(0))
        assert self.sign(")")
        if name == "IF":
            condition, yes, no = given
            return lambda book: yes(book) if condition(book) else no(book)
        if name == "IFERROR":
            return lambda book: _or_else(book, *given)
        made = FUNCTIONS[name]
        return lambda book: made(*(work(book) for work in given))


def _or_else(book: "Spreadsheet", work: Work, otherwise: Work) -> Any:
    try:
        return work(book)
    except ERRORS:
        return otherwise(book)


parsed = cache(lambda formula, sheet: Parser(formula, sheet).whole())


def place_of(place: str) -> tuple[int, int]:
    """Row and column of a cell, both from 1."""
    letters, row = re.fullmatch(r"([A-Z]+)(\d+)", place).groups()  # type: ignore[union-attr]
    column = 0
    for letter in letters:
        column = 26 * column + ord(letter) - ord("A") + 1
    return int(row), column


class Spreadsheet:
    """A workbook whose formulas are worked out anew; ``others``: cells that hold something else, by sheet and place."""

    def __init__(
        self,
        sheets: Mapping[str, Mapping[tuple[int, int], SheetCell]],
        others: Mapping[tuple[str, str], str | float] | None = None,
    ) -> None:
        self.sheets = sheets
        self.known: dict[tuple[str, tuple[int, int]], Any] = {
            (sheet, place_of(place)): value for (sheet, place), value in (others or {}).items()
        }

    def cell(self, sheet: str, place: str) -> Any:
        """What a cell comes to; 0 where it is empty."""
        return self.value(sheet, place_of(place))

    def value(self, sheet: str, place: tuple[int, int]) -> Any:
        """What the cell of a row and a column comes to."""
        if (sheet, place) not in self.known:
            cell = self.sheets[sheet].get(place, SheetCell(0.0))
            self.known[sheet, place] = parsed(cell.formula, sheet)(self) if cell.formula else cell.value
        return self.known[sheet, place]

    def span(self, sheet: str, first: str, last: str) -> list[Any]:
        """What the cells of a range come to, row by row."""
        (top, left), (bottom, right) = place_of(first), place_of(last)
        return [
            self.value(sheet, (row, column))
            for row in range(top, bottom + 1)
            for column in range(left, right + 1)
        ]


def _meets(value: Any, criterion: Any) -> bool:
    if criterion == ">0":
        return isinstance(value, float) and value > 0
    return type(value) is type(criterion) and bool(value == criterion)


def value_of(text: str) -> float:
    """A number as Excel reads it: digits after the fifteenth are lost."""
    sign, digits = re.fullmatch(r"(-?)0*([0-9]*)", text).groups() if text else ("", "")  # type: ignore[union-attr]
    if not text.strip("-"):
        raise ValueError(text)
    kept = digits[:15] + "0" * (len(digits) - 15) if len(digits) > 15 else digits or "0"
    return float(f"{sign}{kept}")


def _position(part: str, text: str) -> float:
    return float(text.index(part) + 1)


def _flat(values: Sequence[Any]) -> list[Any]:
    return [inner for value in values for inner in (value if isinstance(value, list) else [value])]


def _numbers(*values: Any) -> list[float]:
    return [value for value in _flat(values) if isinstance(value, float)]


FUNCTIONS: dict[str, Any] = {
    "ABS": abs,
    "AND": lambda *values: all(_flat(values)),
    "CHOOSE": lambda which, *values: values[int(which) - 1],
    "COUNTIF": lambda cells, wanted: float(sum(_meets(cell, wanted) for cell in cells)),
    "FIND": _position,
    "INDEX": lambda cells, row, column: cells[int(column) - 1],
    "INT": lambda number: float(number // 1),
    "ISNUMBER": lambda value: isinstance(value, float),
    "LEFT": lambda text, count: text[: int(count)],
    "LEN": lambda text: float(len(text)),
    "MATCH": lambda value, cells, kind: float(cells.index(value) + 1),
    "MAX": lambda *values: max(_numbers(*values)),
    "MID": lambda text, start, count: text[int(start) - 1 : int(start) - 1 + int(count)],
    "MIN": lambda *values: min(_numbers(*values)),
    "MOD": operator.mod,
    "NOT": operator.not_,
    "NUMBERVALUE": lambda text, point, comma: float(text),
    "RIGHT": lambda text, count: text[-int(count) :],
    "SQRT": sqrt,
    "SUM": lambda *values: sum(_numbers(*values)),
    "SUMIF": lambda cells, wanted, summed: sum(
        number for cell, number in zip(cells, summed, strict=True) if _meets(cell, wanted)
    ),
    "SUMPRODUCT": lambda *columns: sum(prod(line) for line in zip(*columns, strict=True)),
    "VALUE": value_of,
}
