"""CSV, for programs: tables with columns by their names, each figure exact, its decimals beside it; and many numbers at a time."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from msgspec.structs import replace

from combinat.base.kinds import FRACTION, Sort, decimal, root
from combinat.base.number import PLACES
from combinat.render.blocks import Cell, Column, Figure, Row, Table, fill_down, in_words
from combinat.render.escape import for_csv, visible

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

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
        for row in fill_down(table).rows
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


# ---------------------------------------------------------------- many numbers at a time


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NumberColumn:
    """Numbers in units of their last decimal place; ``is_missing``: the rows in which the cell is empty."""

    units: "npt.NDArray[np.int64]"
    places: int = 0
    is_missing: "npt.NDArray[np.bool_] | None" = None


def number_rows(columns: Sequence[NumberColumn]) -> str:
    r"""Return the rows of a CSV file.

    >>> import numpy as np
    >>> number_rows([NumberColumn(units=np.array([7, -12])), NumberColumn(units=np.array([-5, 1234]), places=2)])
    '7,-0.05\n-12,12.34\n'
    """
    import polars as pl  # only batches of shoes need it

    named = {str(number): column for number, column in enumerate(columns)}
    frame = pl.DataFrame([pl.Series(name, column.units) for name, column in named.items()])
    shown = []
    for name, column in named.items():
        cells = pl.col(name)
        if column.places:
            cells = cells.cast(pl.Decimal(38, 0)) * pl.lit(Decimal(1).scaleb(-column.places))
        if column.is_missing is not None:
            cells = pl.when(pl.Series(~column.is_missing)).then(cells).alias(name)
        shown.append(cells)
    return frame.select(shown).write_csv(include_header=False)
