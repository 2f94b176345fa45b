"""The shape in which tables are wanted: how wide, which columns, in which order, with how many decimals.

It is asked for once, around whatever renders, since every table of a command takes the same one.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from itertools import groupby

import msgspec

from combinat.base.errors import CombinatError, near_matches, shortened
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
    carried,
    in_words,
)

WIDTH = 100
"""The columns that text fits where no terminal says how many there are."""

_ROUNDED = (Sort.DECIMAL, Sort.PERCENTAGE, Sort.ROOT)


class ShapeError(CombinatError):
    """A column or a table that what is shown does not have; ``thing``: which part of the shape asks for it.

    ``known``: the columns that there are.
    """

    def __init__(self, message: str, thing: str, known: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.thing = thing
        self.known = known


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """How tables are wanted; ``width``: of the lines; ``folded``: a table that is wider is folded, column by column.

    ``breaks_lines``: so is what is one line for programs, between its words: somebody looks at a terminal.
    ``one_table``: a stream of CSV holds one.
    ``part``: only the table of this number or name. ``sort``: by this column, with a minus before it downwards.
    """

    width: int = WIDTH
    folded: bool = False
    breaks_lines: bool = False
    places: int | None = None
    sort: str = ""
    only: tuple[str, ...] = ()
    part: str = ""
    one_table: bool = False


class Asked:
    """The shape in force, and the tables that a stream of one table had no room for."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.left_out: list[str] = []


_in_force: list[Asked] = []


@contextmanager
def shaping(shape: Shape) -> Iterator[Asked]:
    """Have everything rendered in this shape meanwhile; ``Shape()`` for what goes to a file of its own."""
    _in_force.append(Asked(shape))
    try:
        yield _in_force[-1]
    finally:
        _in_force.pop()


def shape_in_force() -> Shape:
    """The shape that is asked for; where none is, the plain one."""
    return _in_force[-1].shape if _in_force else Shape()


def shaped(blocks: Sequence[Block]) -> Sequence[Block]:
    """The blocks in the shape that is asked for."""
    shape = shape_in_force()
    if shape.part:
        blocks = [_part(blocks, shape.part)]
    if shape.only:
        _check_columns(blocks, shape.only, "only")
        blocks = [kept for block in blocks if (kept := _only(block, shape.only)) is not None]
    if shape.sort:
        _check_columns(blocks, [shape.sort.removeprefix("-")], "sort")
        blocks = [_each(block, shape) for block in blocks]
    elif shape.places is not None:
        blocks = [_each(block, shape) for block in blocks]
    return blocks


def one_table(blocks: Sequence[Block], main: str = "") -> list[Table]:
    """The tables of a stream of CSV; where it is to hold one, the shape hears of the others.

    It is the first table of this name, or of all.
    """
    named = tables_within(blocks)
    if not shape_in_force().one_table:
        return [table for _, table in named]
    chosen = next((number for number, (name, _) in enumerate(named) if main and name == main), 0)
    _in_force[-1].left_out = [
        f"{number} {name}".strip() for number, (name, _) in enumerate(named, 1) if number != chosen + 1
    ]
    return [table for _, table in named[chosen : chosen + 1]]


def tables_within(blocks: Sequence[Block], title: str = "") -> list[tuple[str, Table]]:
    """Every table with its name: its caption, else the title of the section that it stands in."""
    tables: list[tuple[str, Table]] = []
    for block in blocks:
        if isinstance(block, Table):
            tables.append((block.caption or title, block))
        elif isinstance(block, Section):
            tables += tables_within(block.blocks, block.title)
    return tables


def _exact(cell: Cell) -> Cell:
    return cell.value if isinstance(cell, Figure) else cell


def _part(blocks: Sequence[Block], wanted: str) -> Block:
    """The table of this number or name; else the section of this title that has no table, but words."""
    tables = tables_within(blocks)
    names = [name.lower() for name, _ in tables]
    if wanted.isascii() and wanted.isdigit() and 1 <= int(wanted[:6]) <= len(tables):
        return tables[int(wanted[:6]) - 1][1]
    holding = [number for number, name in enumerate(names) if wanted.lower() in name]
    if holding:
        return tables[holding[0]][1]
    sections = _wordy_sections(blocks)
    for section in sections:
        if wanted.lower() in section.title.lower():
            return section
    numbered = [f"{number} {name}".strip() for number, (name, _) in enumerate(tables, 1)]
    known = ", ".join(numbered + [section.title for section in sections]) or "none"
    raise ShapeError(f'no table "{shortened(wanted)}"; there is {known}', "part")


def _wordy_sections(blocks: Sequence[Block]) -> list[Section]:
    """The sections, innermost, in which there is no table."""
    wordy: list[Section] = []
    for block in blocks:
        if isinstance(block, Section):
            inner = _wordy_sections(block.blocks)
            wordy += inner if inner or tables_within([block]) else [block]
    return wordy


def _check_columns(blocks: Sequence[Block], wanted: Sequence[str], thing: str) -> None:
    """Refuse a column that no table has."""
    tables = [table for _, table in tables_within(blocks)]
    heads = list(dict.fromkeys(column.head for table in tables for column in table.columns))
    for word in wanted:
        if all(_place(table, word) is None for table in tables):
            near = "".join(f"; did you mean {one}?" for one in near_matches(word, heads))
            raise ShapeError(
                f'no column "{shortened(word)}"{near or "."} The columns are {", ".join(heads) or "none"}',
                thing,
                heads,
            )


def _place(table: Table, wanted: str) -> int | None:
    """The column of this name, whatever its capitals, also without its per cent sign; else the one that begins so."""
    word = _plain(wanted)
    heads = [_plain(column.head) for column in table.columns]
    if word in heads:
        return heads.index(word)
    beginning = [number for number, head in enumerate(heads) if head.startswith(word)]
    if len(beginning) > 1:  # a figure and its decimals: the figure
        beginning = [number for number in beginning if not heads[number].endswith(" decimal")]
    return beginning[0] if len(beginning) == 1 else None


def _plain(head: str) -> str:
    return " ".join(head.lower().replace("_", " ").replace("-", " ").split()).removesuffix(" %")


def _only(block: Block, wanted: Sequence[str]) -> Block | None:
    """The block with these columns alone, in this order; a table that has none of them is left out."""
    if isinstance(block, Section):
        inner = tuple(kept for one in block.blocks if (kept := _only(one, wanted)) is not None)
        return msgspec.structs.replace(block, blocks=inner)
    if not isinstance(block, Table):
        return block
    places = [place for word in wanted if (place := _place(block, word)) is not None]
    if not places:
        return None
    rows = tuple(Row(tuple(row.cells[place] for place in places), row.meaning) for row in block.rows)
    return msgspec.structs.replace(block, columns=tuple(block.columns[place] for place in places), rows=rows)


def _each(block: Block, shape: Shape) -> Block:
    """The block with its tables sorted and rounded as the shape says."""
    if isinstance(block, Section):
        return msgspec.structs.replace(block, blocks=tuple(_each(one, shape) for one in block.blocks))
    if not isinstance(block, Table):
        return block
    place = _place(block, shape.sort.removeprefix("-")) if shape.sort else None
    if place is not None:
        block = msgspec.structs.replace(
            block, rows=tuple(_sorted(carried(block), place, shape.sort.startswith("-")))
        )
    return block if shape.places is None else _rounded(block, shape.places)


def _sorted(table: Table, place: int, down: bool) -> Iterator[Row]:
    """The rows by a column; a total or the head of a group stays where it is, and rows stay in their group."""
    for is_plain, rows in groupby(
        table.rows, lambda row: row.meaning in (Meaning.PLAIN, Meaning.FAVOURS_PLAYER)
    ):
        if not is_plain:
            yield from rows
            continue
        column = table.columns[place]
        keyed = [(_key(row.cells[place], column), row) for row in rows]
        there = [(key, row) for key, row in keyed if key is not None]
        yield from (row for _, row in sorted(there, key=lambda one: one[0], reverse=down))
        yield from (row for key, row in keyed if key is None)


_Key = tuple[int, tuple[Fraction, ...], str]
"""By what a cell is sorted: figures before words; of several odds the highest first."""


def _key(cell: Cell, column: Column) -> _Key | None:
    """The cell's place in the order of what is shown; None: no figure is."""
    kind = cell.kind or column.kind if isinstance(cell, Figure) else column.kind
    value = _exact(cell)
    if value is None or (kind.sort is Sort.ONE_IN and not value):
        return None
    if isinstance(value, int | Fraction):
        return 0, (1 / Fraction(value) if kind.sort is Sort.ONE_IN else Fraction(value),), ""
    text = value if isinstance(value, str) else ""
    try:
        return 0, _nets(text) if kind.sort is Sort.ODDS else (Fraction(text),), ""
    except (ValueError, ZeroDivisionError):
        return 1, (), in_words(cell, column.kind).lower()


_NUMBER = r"(\d+(?:\.\d+)?)"
_ODDS = re.compile(rf"{_NUMBER}(?: to {_NUMBER})?(?: less {_NUMBER}%)?", re.ASCII)
_STAKE_AND_NO_MORE = {"push": Fraction(0), "lose": Fraction(-1)}


def _nets(odds: str) -> tuple[Fraction, ...]:
    """The profits of a unit by odds, the highest first; what is drawn together is to 1 where it does not say more.

    >>> [str(net) for net in _nets("4, 20, 100 to 1") + _nets("1 to 2, 1 to 1 less 5%") + _nets("push")]
    ['100', '20', '4', '19/20', '1/2', '0']
    """
    return tuple(sorted(map(_net, odds.split(", ")), reverse=True))


def _net(odds: str) -> Fraction:
    if odds in _STAKE_AND_NO_MORE:
        return _STAKE_AND_NO_MORE[odds]
    stated = _ODDS.fullmatch(odds)
    if stated is None:
        raise ValueError(odds)
    profit, stake, less = stated.groups()
    return Fraction(profit) / Fraction(stake or 1) * (1 - Fraction(less or 0) / 100)


def _rounded(table: Table, places: int) -> Table:
    def kind(of: Kind) -> Kind:
        return msgspec.structs.replace(of, places=places) if of.sort in _ROUNDED else of

    def cell(one: Cell) -> Cell:
        if isinstance(one, Figure) and one.kind is not None:
            return msgspec.structs.replace(one, kind=kind(one.kind))
        return one

    columns = tuple(msgspec.structs.replace(column, kind=kind(column.kind)) for column in table.columns)
    rows = tuple(Row(tuple(map(cell, row.cells)), row.meaning) for row in table.rows)
    return msgspec.structs.replace(table, columns=columns, rows=rows)
