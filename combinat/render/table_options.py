"""Options of printed tables: width, columns, order of rows, decimals. They hold for everything that a command prints."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from itertools import groupby

import msgspec
from msgspec.structs import replace

from combinat.base.errors import InputError, near_matches, shortened
from combinat.base.kinds import Kind, Sort
from combinat.render.blocks import (
    Block,
    Cell,
    Column,
    Figure,
    Meaning,
    Row,
    Section,
    Table,
    each_table,
    fill_down,
    in_words,
)

WIDTH = 100
"""The width of text without a terminal."""

_ROUNDED = (Sort.DECIMAL, Sort.PERCENTAGE, Sort.ROOT)


class TableOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The layout of printed tables.

    ``is_terminal``: a table that is too wide has its heads wrapped and drops its spare columns.
    ``breaks_lines``: a long line of text is broken between words; in a file or a pipe it stays one line.
    ``sort``: a column, after a minus in descending order.
    ``one_table``: CSV has one table. ``is_styled``: headings are bold and rows that matter are red, as a terminal shows them.
    """

    width: int = WIDTH
    is_terminal: bool = False
    breaks_lines: bool = False
    places: int | None = None
    sort: str = ""
    columns: tuple[str, ...] = ()
    one_table: bool = False
    is_styled: bool = False


_in_force: list[tuple[TableOptions, list[str]]] = []
"""The options in force, the innermost last, each with the names of the tables that CSV has left out."""


@contextmanager
def printing_tables(options: TableOptions) -> Iterator[list[str]]:
    """Apply these options to everything rendered within; gives the names of the tables that CSV leaves out."""
    left_out: list[str] = []
    _in_force.append((options, left_out))
    try:
        yield left_out
    finally:
        _in_force.pop()


def table_options() -> TableOptions:
    """Return the options in force; without any, the defaults."""
    return _in_force[-1][0] if _in_force else TableOptions()


def with_options(blocks: Sequence[Block]) -> Sequence[Block]:
    """Return the blocks with the options in force applied to their tables."""
    options = table_options()
    if options.columns:
        blocks = with_columns(blocks, options.columns)
    if options.sort:
        blocks = sorted_by(blocks, options.sort)
    places = options.places
    return blocks if places is None else each_table(blocks, lambda table: _rounded(table, places))


def csv_tables(blocks: Sequence[Block], main: str = "") -> list[Table]:
    """Return the tables of a CSV stream; if it has one table only, that named ``main``, else the first."""
    named = named_tables(blocks)
    if not table_options().one_table:
        return [table for _, table in named]
    chosen = next((number for number, (name, _) in enumerate(named) if main and name == main), 0)
    _in_force[-1][1][:] = [
        f"{number} {name}".strip() for number, (name, _) in enumerate(named, 1) if number != chosen + 1
    ]
    return [table for _, table in named[chosen : chosen + 1]]


def named_tables(blocks: Sequence[Block], title: str = "") -> list[tuple[str, Table]]:
    """Return every table with its name: its caption, else the title of its section."""
    tables: list[tuple[str, Table]] = []
    for block in blocks:
        if isinstance(block, Table):
            tables.append((block.caption or title, block))
        elif isinstance(block, Section):
            tables += named_tables(block.blocks, block.title)
    return tables


# ---------------------------------------------------------------- columns


def with_columns(blocks: Sequence[Block], names: Sequence[str]) -> tuple[Block, ...]:
    """Return the blocks with only these columns, in this order; tables without any of them are omitted."""
    for name in names:
        _check_column(blocks, name, "columns")

    def chosen(table: Table) -> Table | None:
        places = [place for name in names if (place := _column(table, name)) is not None]
        rows = tuple(Row(tuple(row.cells[place] for place in places), row.meaning) for row in table.rows)
        columns = tuple(replace(table.columns[place], is_spare=False) for place in places)
        return replace(table, columns=columns, rows=rows) if places else None

    return each_table(blocks, chosen)


def _check_column(blocks: Sequence[Block], name: str, option: str) -> None:
    """Refuse a column that no table has."""
    tables = [table for _, table in named_tables(blocks)]
    if any(_column(table, name) is not None for table in tables):
        return
    heads = list(dict.fromkeys(column.head for table in tables for column in table.columns))
    near = "".join(f"; did you mean {one}?" for one in near_matches(name, heads))
    known = ", ".join(heads) or "none"
    raise InputError(f'no column "{shortened(name)}"{near or "."} The columns are {known}', parameter=option)


def _column(table: Table, name: str) -> int | None:
    """Return the place of the column of this name: capitals, underscores and the per cent sign do not matter."""
    heads = [_plain(column.head) for column in table.columns]
    return heads.index(_plain(name)) if _plain(name) in heads else None


def _plain(head: str) -> str:
    return " ".join(head.lower().replace("_", " ").replace("-", " ").split()).removesuffix(" %")


# ---------------------------------------------------------------- order and decimals


def sorted_by(blocks: Sequence[Block], name: str) -> tuple[Block, ...]:
    """Return the blocks with rows sorted by a column, in descending order after a minus."""
    column, down = name.removeprefix("-"), name.startswith("-")
    _check_column(blocks, column, "sort")

    def in_order(table: Table) -> Table:
        place = _column(table, column)
        return table if place is None else replace(table, rows=tuple(_sorted(fill_down(table), place, down)))

    return each_table(blocks, in_order)


def _sorted(table: Table, place: int, down: bool) -> Iterator[Row]:
    """Yield the rows sorted by a column; a total keeps its place, and no row crosses it."""
    fixed = (Meaning.TOTAL, Meaning.TO_SIGN)
    for is_plain, rows in groupby(table.rows, lambda row: row.meaning not in fixed):
        if not is_plain:
            yield from rows
            continue
        keyed = [(_key(row.cells[place], table.columns[place]), row) for row in rows]
        there = [(key, row) for key, row in keyed if key is not None]
        yield from (row for _, row in sorted(there, key=lambda one: one[0], reverse=down))
        yield from (row for key, row in keyed if key is None)


_NUMBER = r"(?a)(\d+(?:\.\d+)?)"
_Key = tuple[int, Fraction, tuple[str | Fraction, ...]]
"""Numbers before words; words in natural order, with 8 before 50."""


def _key(cell: Cell, column: Column) -> _Key | None:
    """Return the sort key of a cell as it is shown, or None if it shows no figure."""
    kind = cell.kind or column.kind if isinstance(cell, Figure) else column.kind
    value = cell.value if isinstance(cell, Figure) else cell
    if value is None or (kind.sort is Sort.ONE_IN and not value):
        return None
    if isinstance(value, int | Fraction):
        return 0, 1 / Fraction(value) if kind.sort is Sort.ONE_IN else Fraction(value), ()
    parts = re.split(_NUMBER, in_words(cell, column.kind).lower())
    natural = tuple(Fraction(part) if place % 2 else part for place, part in enumerate(parts))
    return 1, Fraction(0), natural


def _rounded(table: Table, places: int) -> Table:
    def kind(of: Kind) -> Kind:
        return replace(of, places=places) if of.sort in _ROUNDED else of

    def cell(one: Cell) -> Cell:
        return replace(one, kind=kind(one.kind)) if isinstance(one, Figure) and one.kind is not None else one

    columns = tuple(replace(column, kind=kind(column.kind)) for column in table.columns)
    rows = tuple(Row(tuple(map(cell, row.cells)), row.meaning) for row in table.rows)
    return replace(table, columns=columns, rows=rows)
