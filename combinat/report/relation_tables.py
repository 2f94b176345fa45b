"""Tables of a relation's rows: a view for people, and every field with exact values for programs."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any, TypeVar

from combinat.base.kinds import TEXT, Kind, Sort, with_enough_decimals
from combinat.base.number import Root
from combinat.base.relation import Field, Relation, in_a_row
from combinat.render.blocks import Cell, Column, Figure, Meaning, Row, Table, table

Record = TypeVar("Record")
Item = TypeVar("Item")

DECKS_ACROSS = 7
"""Numbers of decks side by side: those that the documents allow."""


def across(items: Sequence[Item], most: int = DECKS_ACROSS) -> Iterator[Sequence[Item]]:
    """Yield the items in groups of at most this many, the columns of one table."""
    for start in range(0, len(items), most):
        yield items[start : start + most]


def in_parts(name: str, items: Sequence[Item], most: int) -> Iterator[tuple[str, tuple[Item, ...]]]:
    """Yield the items in groups of at most this many, each with the name of its picture."""
    parts = list(across(items, most))
    for number, part in enumerate(parts, start=1):
        yield (f"{name}-{number}" if len(parts) > 1 else name), tuple(part)


def view_table(
    relation: Relation[Record],
    records: Iterable[Record],
    view: str = "terminal",
    caption: str = "",
    *,
    anchor: str = "",
    heads: Mapping[str, str] = MappingProxyType({}),
    meaning: Callable[[Record], Meaning] = lambda record: Meaning.PLAIN,
    total: Sequence[Cell] = (),
) -> Table:
    """Return the rows of a view as a table for people.

    ``heads``: heads that depend on the document, by field. ``total``: the cells of a last row.
    """
    fields = relation.view(view)
    rows = [Row(cells(fields, record, fine=view == "report"), meaning(record)) for record in records]
    last = [Row(tuple(total), Meaning.TOTAL)] if total else []
    return table(columns(fields, heads), [*rows, *last], caption, anchor=anchor)


def columns(
    fields: Iterable[Field[Any]], heads: Mapping[str, str] = MappingProxyType({})
) -> tuple[Column, ...]:
    """Return the columns of a table for people."""
    return tuple(
        Column(
            *(heads.get(field.name, field.head), field.figure or TEXT),
            is_spare=field.is_spare,
            name=field.name,
        )
        for field in fields
    )


def cells(fields: Iterable[Field[Record]], record: Record, *, fine: bool = False) -> tuple[Cell, ...]:
    """Return the cells of a record in these columns.

    ``fine``: as in a report, where a figure that is not 0 has the decimals to show it.
    """
    return tuple(
        _cell(in_a_row(field.of(record), field.kind), field.figure if fine else None) for field in fields
    )


def _cell(value: Any, fine: Kind | None = None, words: Sequence[str] = ("no", "yes")) -> Cell:
    if isinstance(value, Root):
        return value.square
    if isinstance(value, bool):
        return words[value]
    if fine and fine.sort in (Sort.PERCENTAGE, Sort.DECIMAL) and isinstance(value, Fraction):
        return Figure(value, with_enough_decimals(fine, value))
    cell: Cell = value
    return cell


def program_table(relation: Relation[Record], records: Iterable[Record]) -> Table:
    """Return the rows as a table for programs: a column for each field, named as in JSON."""
    fields = relation.columns
    heads = [Column(field.name, field.figure or TEXT, name=field.name) for field in fields]
    rows = [
        [_cell(in_a_row(field.of(record), field.kind), words=("false", "true")) for field in fields]
        for record in records
    ]
    return table(heads, rows)
