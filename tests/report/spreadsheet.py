"""A small spreadsheet: the formulas of a workbook, parsed and worked out anew by other hands than a library's.

It reads numbers as Excel does: ``VALUE`` keeps 15 digits of a text, arithmetic is in double precision, a branch that
is not taken is not worked out. So a formula that lost digits of a count, or that is not well formed, is seen.
"""

import ast
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import prod, sqrt
from typing import Any

from tests.report.second_reader import SheetCell, place_of

TOKEN = re.compile(
    r"""\s*(?:(?P<text>"[^"]*")|(?:'(?P<sheet>[^']+)'!)?(?P<first>\$?[A-Z]{1,3}\$?\d+)(?::(?P<last>\$?[A-Z]{1,3}\$?\d+))?"""
    r"""|(?P<name>(?:_xlfn\.)?[A-Z]+)(?=\()|(?P<truth>TRUE|FALSE)|(?P<number>\d+(?:\.\d+)?(?:E-?\d+)?)"""
    r"""|(?P<sign><=|>=|<>|[-+*/^&=<>(),]))"""
)
Formula = Callable[["Spreadsheet"], Any]
ERRORS = (ValueError, ZeroDivisionError)
SIGNS = {"=": "==", "<>": "!=", "^": "**"}


class Text(str):
    """A text of a cell or a formula, which ``&`` joins with what follows; whole numbers without a point."""

    __slots__ = ()

    def __and__(self, other: object) -> "Text":
        """Append a value."""
        return Text(f"{self}{in_text(other)}")

    def __rand__(self, other: object) -> "Text":
        """Prepend a value."""
        return Text(f"{in_text(other)}{self}")


def in_text(value: object) -> str:
    """A value within a text: whole numbers without a point."""
    return f"{value:.0f}" if isinstance(value, float) and value.is_integer() else str(value)


def in_python(formula: str, sheet: str) -> str:
    """A formula as an expression of Python, whose operators bind alike; a malformed one is refused."""
    words, at = [], 0
    while at < len(formula):
        part = TOKEN.match(formula, at)
        assert part, f"{formula} at {formula[at:]}"
        words.append(_word(part, sheet))
        at = part.end()
    return " ".join(words)


def _word(part: re.Match[str], sheet: str) -> str:
    if part["text"]:
        return f"Text({part['text']!r}[1:-1])"
    if part["first"]:
        places = [part[end].replace("$", "") for end in ("first", "last") if part[end]]
        return f"book.{'span' if part['last'] else 'cell'}{(part['sheet'] or sheet, *places)}"
    if part["number"]:
        return str(float(part["number"]))
    return SIGNS.get(part["sign"], part["sign"]) or (part["name"] or part["truth"].title()).removeprefix(
        "_xlfn."
    )


class Lazily(ast.NodeTransformer):
    """Work out only the branch of an IF that is taken, and an IFERROR's second value only where it is needed."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Make a branch of IF, a function without parameters of what IFERROR is given."""
        self.generic_visit(node)
        if ast.unparse(node.func) == "IF":
            condition, yes, no = node.args
            return ast.IfExp(condition, yes, no)
        if ast.unparse(node.func) == "IFERROR":
            none = ast.parse("lambda: 0", mode="eval").body
            assert isinstance(none, ast.Lambda)
            node.args = [ast.Lambda(none.args, given) for given in node.args]
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """Refuse a chain of comparisons, which Python reads otherwise than Excel."""
        assert len(node.ops) == 1
        return self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        """Refuse the negative of a power, which Python reads otherwise than Excel."""
        assert not (isinstance(node.operand, ast.BinOp) and isinstance(node.operand.op, ast.Pow))
        return self.generic_visit(node)


@cache
def parsed(formula: str, sheet: str) -> Formula:
    """The function that works a formula out."""
    tree = Lazily().visit(ast.parse(f"lambda book: {in_python(formula, sheet)}", mode="eval"))
    made: Formula = eval(
        compile(ast.fix_missing_locations(tree), formula, "eval"), {**FUNCTIONS, "Text": Text}
    )
    return made


def _or_else(value: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
    try:
        return value()
    except ERRORS:
        return otherwise()


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
            value = parsed(cell.formula, sheet)(self) if cell.formula else cell.value
            self.known[sheet, place] = Text(value) if isinstance(value, str) else value
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
    "IFERROR": _or_else,
    "INDEX": lambda cells, row, column: cells[int(column) - 1],
    "INT": lambda number: float(number // 1),
    "ISNUMBER": lambda value: isinstance(value, float),
    "LEFT": lambda text, count: Text(text[: int(count)]),
    "LEN": lambda text: float(len(text)),
    "MATCH": lambda value, cells, kind: float(cells.index(value) + 1),
    "MAX": lambda *values: max(_numbers(*values)),
    "MID": lambda text, start, count: Text(text[int(start) - 1 : int(start) - 1 + int(count)]),
    "MIN": lambda *values: min(_numbers(*values)),
    "MOD": operator.mod,
    "NOT": operator.not_,
    "NUMBERVALUE": lambda text, point, comma: float(text),
    "RIGHT": lambda text, count: Text(text[-int(count) :]),
    "SQRT": sqrt,
    "SUM": lambda *values: sum(_numbers(*values)),
    "SUMIF": lambda cells, wanted, summed: sum(
        number for cell, number in zip(cells, summed, strict=True) if _meets(cell, wanted)
    ),
    "SUMPRODUCT": lambda *columns: sum(prod(line) for line in zip(*columns, strict=True)),
    "VALUE": value_of,
}
