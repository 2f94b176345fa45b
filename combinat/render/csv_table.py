"""A table as CSV, for programs: columns by their names, each figure exact, its decimals beside it."""

import csv
import io
from fractions import Fraction

from msgspec.structs import replace

from combinat.base.kinds import FRACTION, Sort, decimal, root
from combinat.base.number import PLACES
from combinat.render.blocks import Cell, Column, Figure, Row, Table, carried, in_words
from combinat.render.escape import for_csv, visible

RATIONAL = (Sort.FRACTION, Sort.DECIMAL, Sort.PERCENTAGE, Sort.ONE_IN, Sort.MONEY)
"""The sorts of exact figures: a column of one becomes two."""


def for_programs(table: Table) -> Table:
    """Return the table with the columns of a program, each written name once; carried cells are filled in.

    A figure in per cent that is itself rounded stays in per cent, and its column says so.
    """
    places: list[int] = []
    columns: list[Column] = []
    names: set[str] = set()
    for place, column in enumerate(table.columns):
        kind, name = column.kind, column.name or column.head
        if column.name and name in names:
            continue
        names.add(name)
        if kind.sort in RATIONAL and not kind.is_estimate:
            columns += [Column(name, FRACTION), Column(f"{name}_decimal", decimal(PLACES, up=kind.up))]
            places += [place, place]
        else:
            unit = "_percent" if kind.sort is Sort.PERCENTAGE else ""
            columns.append(Column(f"{name}{unit}", root(PLACES) if kind.sort is Sort.ROOT else kind))
            places.append(place)
    rows = tuple(
        Row(
            tuple(_exact(row.cells[place], column) for place, column in zip(places, columns, strict=True)),
            row.meaning,
        )
        for row in carried(table).rows
    )
    return replace(table, columns=tuple(columns), rows=rows)


def _exact(cell: Cell, column: Column) -> Cell:
    """Return the figure as its column shows it; words in the place of one stay out of the decimals."""
    if column.kind.is_estimate or column.kind.sort not in (Sort.FRACTION, Sort.DECIMAL):
        return cell
    value = cell.value if isinstance(cell, Figure) else cell
    if value is None or (isinstance(value, int | Fraction) and not isinstance(value, bool)):
        return value
    return cell if column.kind == FRACTION else None


def csv_table(table: Table) -> str:
    """Return the table as CSV. A figure that does not exist is an empty cell; words cannot be taken for formulas."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow([for_csv(column.head) for column in table.columns])
    for row in table.rows:
        writer.writerow([_text(cell, column) for cell, column in zip(row.cells, table.columns, strict=True)])
    return written.getvalue().rstrip("\n")


def _text(cell: Cell, column: Column) -> str:
    if cell is None or (isinstance(cell, Figure) and cell.value is None):
        return ""
    text = in_words(cell, column.kind)
    kind = cell.kind or column.kind if isinstance(cell, Figure) else column.kind
    return visible(text) if kind.is_number else for_csv(text)
