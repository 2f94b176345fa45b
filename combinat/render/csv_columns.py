"""The columns of a stream of CSV, which programs read: each figure exact, its decimals beside it, one way of naming.

A table that people read becomes one for programs here: ``house edge %`` is ``house_edge``, a fraction, and
``house_edge_decimal``; an empty cell that means the one above it says so. A declared column has the name of its
field, as in JSON; any other has its head.
"""

from collections.abc import Sequence
from fractions import Fraction

import msgspec

from combinat.base.kinds import FRACTION, Sort, decimal
from combinat.base.number import PLACES
from combinat.render.blocks import Block, Cell, Column, Figure, Row, Table, carried, each_table

DECIMAL, SQUARED, PERCENT = "_decimal", "_squared", "_percent"


def for_programs(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Return the blocks with the tables in them as programs read them."""
    return each_table(blocks, lambda table: _table(carried(table)))


def column_name(head: str) -> str:
    """Return a head as a program names it.

    >>> column_name("house edge %"), column_name("Player's first two"), column_name("player-pair")
    ('house_edge', 'players_first_two', 'player-pair')
    """
    return "_".join(head.removesuffix("%").replace("'", "").lower().split())


def _table(table: Table) -> Table:
    columns: list[Column] = []
    places: list[tuple[int, bool]] = []  # the column of the table, and whether its exact value is taken
    names = [column.name or column_name(column.head) for column in table.columns]
    exact = {name for name, column in zip(names, table.columns, strict=True) if column.kind == FRACTION}
    for number, (name, column) in enumerate(zip(names, table.columns, strict=True)):
        sort = None if column.kind.is_estimate else column.kind.sort
        is_share = sort is Sort.PERCENTAGE
        is_rounded = is_share or (sort is Sort.DECIMAL and not name.endswith(DECIMAL))
        if is_share and (name in exact or (not name and exact)):
            continue  # the same figure stands there exactly
        if (is_share and names.count(name) > 1) or (not is_rounded and column.kind != FRACTION):
            unit = PERCENT if column.kind.sort is Sort.PERCENTAGE else ""
            columns.append(Column(f"{name}{unit}", column.kind))
            places.append((number, False))
            continue
        columns.append(Column(name or "share", FRACTION))
        places.append((number, True))
        if f"{name}{DECIMAL}" not in names and not name.endswith(SQUARED):
            columns.append(Column(f"{name or 'share'}{DECIMAL}", decimal(PLACES, up=column.kind.up)))
            places.append((number, True))
    rows = tuple(
        Row(
            tuple(
                _exact(row.cells[number], column) if is_exact else row.cells[number]
                for (number, is_exact), column in zip(places, columns, strict=True)
            ),
            row.meaning,
        )
        for row in table.rows
    )
    return msgspec.structs.replace(table, columns=tuple(columns), rows=rows)


def _exact(cell: Cell, column: Column) -> Cell:
    """Return the figure as this column shows it; words in the place of one stand in the exact column alone."""
    value = cell.value if isinstance(cell, Figure) else cell
    if value is None or (isinstance(value, int | Fraction) and not isinstance(value, bool)):
        return value
    return cell if column.kind == FRACTION else None
