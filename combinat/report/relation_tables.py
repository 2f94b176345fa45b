"""Tables of a relation's rows: for people a view of them, for programs every field, exact."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from combinat.base.kinds import Kind, Sort, telling
from combinat.base.number import Root
from combinat.base.relation import Field, Relation, in_a_row
from combinat.render.blocks import Cell, Column, Figure, Meaning, Row, Table, table

Record = TypeVar("Record")


def view_table(
    relation: Relation[Record],
    records: Iterable[Record],
    view: str = "terminal",
    caption: str = "",
    *,
    anchor: str = "",
    meaning: Callable[[Record], Meaning] = lambda record: Meaning.PLAIN,
    total: Sequence[Cell] = (),
) -> Table:
    """Return the rows of a view as people read them; ``total``: the cells of a last row."""
    fields, shown = relation.view(view), fine_cells if view == "report" else cells
    rows = [Row(shown(fields, record), meaning(record)) for record in records]
    last = [Row(tuple(total), Meaning.TOTAL)] if total else []
    return table(columns(fields), [*rows, *last], caption, anchor=anchor)


def columns(fields: Iterable[Field[Any]]) -> tuple[Column, ...]:
    """Return the columns of a table that people read."""
    return tuple(
        Column(field.head, field.figure or Kind(Sort.TEXT), is_spare=field.is_spare, name=field.name)
        for field in fields
    )


def cells(fields: Iterable[Field[Record]], record: Record) -> tuple[Cell, ...]:
    """Return the cells of a record in these columns."""
    return tuple(_cell(in_a_row(field.of(record), field.kind), "yes", "no") for field in fields)


def fine_cells(fields: Iterable[Field[Record]], record: Record) -> tuple[Cell, ...]:
    """Return the same in a report, where a figure that is not 0 has the decimals to show it."""
    listed = list(fields)
    return tuple(_fine(cell, field.figure) for cell, field in zip(cells(listed, record), listed, strict=True))


def _fine(cell: Cell, kind: Kind | None) -> Cell:
    if kind is None or kind.sort not in (Sort.PERCENTAGE, Sort.DECIMAL) or not isinstance(cell, Fraction):
        return cell
    return Figure(cell, telling(kind, cell))


def _cell(value: Any, yes: str, no: str) -> Cell:
    if isinstance(value, Root):
        return value.square
    if isinstance(value, bool):
        return yes if value else no
    cell: Cell = value
    return cell


def program_table(relation: Relation[Record], records: Iterable[Record]) -> Table:
    """Return the rows as programs read them: a column for each field, named as in JSON."""
    fields = relation.columns
    heads = [Column(field.name, field.figure or Kind(Sort.TEXT), name=field.name) for field in fields]
    rows = [
        [_cell(in_a_row(field.of(record), field.kind), "true", "false") for field in fields]
        for record in records
    ]
    return table(heads, rows)
