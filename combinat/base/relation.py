"""A figure is declared once: its key, its head, its kind and its meaning. Rows, JSON, schema and tables come from it.

A record's module declares the relation of its rows beside the record:

>>> from fractions import Fraction
>>> from combinat.base.kinds import TEXT, percentage
>>> EDGES: Relation[tuple[str, Fraction]] = Relation(
...     "edges",
...     Field("id", "bet", TEXT, "The bet's id.", lambda row: row[0]),
...     Field("house_edge", "house edge %", percentage(), "Expected loss per unit staked.", lambda row: row[1]),
... )
>>> EDGES.rows([("tie", Fraction(1, 7))])
[{'id': 'tie', 'house_edge': Fraction(1, 7)}]
>>> EDGES.json([("tie", Fraction(1, 7))]), EDGES.table([("tie", Fraction(1, 7))])
([{'id': 'tie', 'house_edge': '1/7'}], [['bet', 'house edge %'], ['tie', '14.2857']])
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from operator import attrgetter
from typing import Any, Generic, TypeVar

from combinat.base.kinds import Kind, Sort, shown
from combinat.base.number import Root

Exact = str | int | bool | Fraction | Root | None
"""A value in a row: never a float."""

Row = TypeVar("Row")
Other = TypeVar("Other")


class Field(Generic[Row]):
    """A column of a relation: of a table, of CSV, of a frame, and a key of JSON.

    ``of``: its value in a row; left out, the attribute of this name. ``is_figure``: it follows from the fields of the
    record, and is stated with them in ``analysis.json``. ``may_be_none``: a row may have no such figure.
    """

    __slots__ = ("about", "head", "is_figure", "kind", "may_be_none", "name", "of")

    def __init__(
        self,
        name: str,
        head: str,
        kind: Kind,
        about: str,
        of: "Callable[[Row], Exact] | None" = None,
        *,
        is_figure: bool = False,
        may_be_none: bool = False,
    ) -> None:
        self.name, self.head, self.kind, self.about = name, head, kind, about
        self.of: Callable[[Row], Exact] = of or attrgetter(name)
        self.is_figure, self.may_be_none = is_figure, may_be_none


class Relation(Generic[Row]):
    """The fields of rows of one kind; ``views``: those that people see in some place, by its name."""

    __slots__ = ("fields", "name", "views")

    def __init__(self, name: str, *fields: Field[Row], **views: Sequence[str]) -> None:
        self.name, self.fields, self.views = name, fields, views

    @property
    def figures(self) -> tuple[str, ...]:
        """The fields that follow from others, in their order."""
        return tuple(field.name for field in self.fields if field.is_figure)

    def field(self, name: str, record_of: "Callable[[Other], Row]") -> Field[Other]:
        """The field of this name for other rows, each of which holds a record of this relation."""
        one = next(field for field in self.fields if field.name == name)
        return Field(
            *(one.name, one.head, one.kind, one.about),
            lambda row: one.of(record_of(row)),
            may_be_none=one.may_be_none,
        )

    def rows(self, records: Iterable[Row]) -> "list[dict[str, Exact]]":
        """The rows with exact values, for programs."""
        return [{field.name: field.of(record) for field in self.fields} for record in records]

    def json(self, records: Iterable[Row]) -> list[dict[str, str | int | bool | None]]:
        """The rows as JSON has them: counts, fractions and roots as text."""
        return [
            {field.name: as_json(field.of(record), field.kind) for field in self.fields} for record in records
        ]

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of a row."""
        properties = {
            field.name: {**_type(field), **_pattern(field.kind), "description": field.about}
            for field in self.fields
        }
        return {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }

    def table(self, records: Iterable[Row], view: str = "") -> list[list[str]]:
        """The rows of a view as people read them, its heads first; without a view every field."""
        named = {field.name: field for field in self.fields}
        fields = [named[name] for name in self.views[view]] if view else self.fields
        rows = [[_shown(field.of(record), field.kind) for field in fields] for record in records]
        return [[field.head for field in fields], *rows]


def as_json(value: Exact, kind: Kind) -> str | int | bool | None:
    """A value as JSON has it: exact numbers are text, whatever their size."""
    if value is None or isinstance(value, bool):
        return value
    return value if isinstance(value, int) and kind.sort is Sort.NUMBER else str(value)


def _shown(value: Exact, kind: Kind) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return shown(value.square if isinstance(value, Root) else value, kind)


_PATTERNS = {
    Sort.COUNT: r"^-?\d+$",
    Sort.ROOT: r"^-?\d+\.\d+$",
    **dict.fromkeys((Sort.FRACTION, Sort.DECIMAL, Sort.PERCENTAGE, Sort.ONE_IN), r"^-?\d+(/\d+)?$"),
}


def _type(field: Field[Any]) -> dict[str, Any]:
    name = {Sort.NUMBER: "integer", Sort.FLAG: "boolean"}.get(field.kind.sort, "string")
    return {"type": [name, "null"] if field.may_be_none else name}


def _pattern(kind: Kind) -> dict[str, str]:
    return {"pattern": _PATTERNS[kind.sort]} if kind.sort in _PATTERNS else {}
