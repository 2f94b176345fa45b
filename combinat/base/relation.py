"""A figure is declared once: its key, its head, its kind and its meaning. Rows, JSON, schema and tables come from it.

A record's module declares the relation of its rows beside the record:

>>> from fractions import Fraction
>>> from combinat.base.kinds import TEXT, percentage
>>> EDGES: Relation[tuple[str, Fraction]] = Relation(
...     "edges",
...     Field("id", "bet", TEXT, "The bet's id.", lambda row: row[0], views="terminal"),
...     Field("house_edge", "house edge %", percentage(), "Expected loss per unit staked.", lambda row: row[1]),
... )
>>> EDGES.rows([("tie", Fraction(1, 7))])
[{'id': 'tie', 'house_edge': Fraction(1, 7)}]
>>> EDGES.json([("tie", Fraction(1, 7))]), [field.head for field in EDGES.view("terminal")]
([{'id': 'tie', 'house_edge': '1/7'}], ['bet'])
"""

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from fractions import Fraction
from operator import attrgetter
from typing import Any, Generic, TypeVar, Union

from combinat.base.kinds import TEXT, Kind, Sort
from combinat.base.number import Root, json_number

Exact = str | int | bool | Fraction | Root | None
"""A value in a row: never a float."""

ABSENT: Any = object()
"""The value of a key that is left out."""

Row = TypeVar("Row")
Parent = TypeVar("Parent")


class Many:
    """The kind of a field that holds a list: of figures of one kind, or of records with a relation."""

    __slots__ = ("of", "or_none")

    def __init__(self, of: "Shape", *, or_none: bool = False) -> None:
        self.of, self.or_none = of, or_none
        """``or_none``: some of them may be missing."""

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of one of them."""
        one = schema_of(self.of)
        return {"anyOf": [one, {"type": "null"}]} if self.or_none else one


class Later:
    """A kind that is imported on first use; ``imported``: a function that imports and returns it."""

    __slots__ = ("imported",)

    def __init__(self, imported: "Callable[[], Shape]") -> None:
        self.imported = imported


class Either:
    """The kind of a field that holds a record of one of several classes, each with its relation."""

    __slots__ = ("relations",)

    def __init__(self, relations: "Mapping[type, Relation[Any]]") -> None:
        self.relations = relations


class ByName(Many):
    """The kind of a field that holds an object whose keys are names, such as the ids of bets; ``names``: all of them."""

    __slots__ = ("names",)

    def __init__(self, of: "Shape", *, or_none: bool = False, names: Iterable[str] = ()) -> None:
        super().__init__(of, or_none=or_none)
        self.names = tuple(map(str, names))


Shape = Union[Kind, "Relation[Any]", Many, Either]
"""The type of a field: a figure, an object with a relation, or several of them."""


class Field(Generic[Row]):
    """A column of a relation: of a table, of CSV, of a frame, and a key of JSON.

    ``of``: its value in a row; left out, the attribute of this name. ``views``: the tables for people that show it, by
    name. ``is_figure``: it follows from the fields of the record, and is stated with them in ``analysis.json``.
    ``may_be_none``: a row may have no such figure. ``may_be_absent``: the key is left out, if the value is ``ABSENT``, or
    None where it may not be.
    ``for_people``: it repeats other fields in words, and is shown in tables alone. ``is_spare``: a terminal
    without room leaves it out. ``words``: all that it can be.
    """

    __slots__ = (
        *(
            "_kind",
            "about",
            "for_people",
            "head",
            "is_figure",
            "is_spare",
            "may_be_absent",
            "may_be_none",
            "name",
        ),
        *("of", "views", "words"),
    )

    def __init__(
        self,
        name: str,
        head: str,
        kind: "Shape | Later",
        about: str,
        of: "Callable[[Row], Any] | None" = None,
        *,
        views: str = "",
        is_figure: bool = False,
        may_be_none: bool = False,
        may_be_absent: bool = False,
        for_people: bool = False,
        is_spare: bool = False,
        words: Iterable[str] = (),
    ) -> None:
        self.name, self.head, self.about = name, head, about
        self._kind: Shape | Later = kind
        self.of: Callable[[Row], Any] = of or attrgetter(name)
        self.views, self.is_figure, self.for_people = tuple(views.split()), is_figure, for_people
        self.may_be_none, self.may_be_absent = may_be_none, may_be_absent
        self.is_spare, self.words = is_spare, tuple(map(str, words))

    @property
    def kind(self) -> "Shape":
        """The kind of its values; a ``Later`` kind is imported now."""
        if isinstance(self._kind, Later):
            self._kind = self._kind.imported()
        return self._kind

    @property
    def figure(self) -> Kind | None:
        """The kind of its figure, or None for lists and objects, which only JSON holds."""
        return self.kind if isinstance(self.kind, Kind) else None

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of its values."""
        inner = schema_of(self.kind) if not self.words else {"enum": list(self.words)}
        said = {"description": self.about}
        if not self.may_be_none:
            return {**said, **inner}
        return {**said, "anyOf": [inner, {"type": "null"}]}


class Relation(Generic[Row]):
    """The fields of rows of one kind."""

    __slots__ = ("fields", "name")

    def __init__(self, name: str, *fields: Field[Row]) -> None:
        self.name, self.fields = name, fields

    @property
    def figures(self) -> tuple[str, ...]:
        """The fields derived from others, in their order."""
        return tuple(field.name for field in self.fields if field.is_figure)

    @property
    def keys(self) -> tuple[Field[Row], ...]:
        """The fields that programs read."""
        return tuple(field for field in self.fields if not field.for_people)

    @property
    def columns(self) -> tuple[Field[Row], ...]:
        """The fields that a table of rows for programs can hold: figures and lists of them."""
        return tuple(
            field for field in self.keys if field.figure or isinstance(getattr(field.kind, "of", None), Kind)
        )

    def view(self, name: str) -> tuple[Field[Row], ...]:
        """Return the fields that a table for people shows, by the name of the view."""
        return tuple(field for field in self.fields if name in field.views)

    def select(self, *names: str) -> "Relation[Row]":
        """Return the relation with only these fields, in this order."""
        named = {field.name: field for field in self.fields}
        return Relation(self.name, *(named[name] for name in names))

    def extended(self, *fields: Field[Row]) -> "Relation[Row]":
        """Return the relation with more fields, after its own."""
        return Relation(self.name, *self.fields, *fields)

    def part(self, of: "Callable[[Parent], Row]", *names: str, **renamed: str) -> "list[Field[Parent]]":
        """Return the fields of a record that is a part of another: some or all, renamed on request."""
        fields = self.select(*names).fields if names else self.fields
        return [_moved(field, of, renamed.get(field.name, field.name)) for field in fields]

    def under(self, *first: "Field[Parent]", **renamed: str) -> "Relation[tuple[Parent, Row]]":
        """Return the relation of pairs of a record and its row: these fields, then those of the row."""
        parents: list[Field[tuple[Parent, Row]]] = Relation(self.name, *first).part(lambda pair: pair[0])
        return Relation(self.name, *parents, *self.part(lambda pair: pair[1], **renamed))

    def rows(self, records: Iterable[Row]) -> "list[dict[str, Exact]]":
        """Return the rows with exact values, for programs."""
        fields = self.columns
        return [
            {field.name: in_a_row(field.of(record), field.kind) for field in fields} for record in records
        ]

    def object(self, record: Row) -> dict[str, Any]:
        """Return a record as a JSON object: counts, fractions and roots as text."""
        values = ((field, field.of(record)) for field in self.keys)
        return {
            field.name: as_json(value, field.kind)
            for field, value in values
            if value is not ABSENT and (value is not None or field.may_be_none or not field.may_be_absent)
        }

    def json(self, records: Iterable[Row]) -> list[dict[str, Any]]:
        """Return the rows as JSON objects."""
        return [self.object(record) for record in records]

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of a row."""
        return {
            "type": "object",
            "properties": {field.name: field.schema() for field in self.keys},
            "required": [field.name for field in self.keys if not field.may_be_absent],
            "additionalProperties": False,
        }


class Document(Relation[Row]):
    """A JSON document of a record: its schema, a sentence on its content, and its keys."""

    __slots__ = ("about", "schema_name")

    def __init__(self, schema: str, about: str, *fields: Field[Row]) -> None:
        self.schema_name, self.about = schema, about
        stated: Field[Row] = Field(
            *("schema", "schema", Kind(Sort.TEXT), "The form of the document.", lambda record: schema),
            words=(schema,),
        )
        super().__init__(schema.split("/")[1], stated, *fields)


def _moved(field: Field[Any], part: Callable[[Any], Any], name: str) -> Field[Any]:
    """Return the field of a part of a record."""
    moved = copy(field)
    moved.name, inner = name, field.of
    moved.of = lambda record: inner(part(record))
    return moved


def in_a_row(value: Any, kind: Shape) -> Any:
    """Return a value for a row.

    A list becomes text, with commas between phrases and spaces between figures.
    """
    if not isinstance(value, list | tuple) or kind == TEXT:  # a phrase
        return value
    inner = kind.of if isinstance(kind, Many) else kind
    between = ", " if isinstance(inner, Kind) and inner.sort in (Sort.TEXT, Sort.ODDS) else " "
    return between.join(map(str, value))


def as_json(value: Any, kind: "Shape") -> Any:
    """Return a value as JSON: exact numbers of any size are text."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(kind, Relation):
        return kind.object(value)
    if isinstance(kind, Either):
        return kind.relations[type(value)].object(value)
    if isinstance(kind, ByName):
        return {str(name): as_json(one, kind.of) for name, one in value.items()}
    if isinstance(kind, Many):
        return [as_json(one, kind.of) for one in value]
    if kind.sort is Sort.CARDS:
        return [str(card) for card in value]
    if kind.is_estimate:
        return json_number(value)
    return value if kind.sort is Sort.NUMBER else str(value)


_WHOLE = "0|-?[1-9][0-9]*"
_EXACT = rf"^({_WHOLE}|-?[1-9][0-9]*/([2-9]|[1-9][0-9]+))$"
RANKS = ("A", *map(str, range(2, 11)), "J", "Q", "K")

_SCHEMAS: dict[Sort, dict[str, Any]] = {
    Sort.NUMBER: {"type": "integer"},
    Sort.FLAG: {"type": "boolean"},
    Sort.COUNT: {"type": "string", "pattern": rf"^({_WHOLE})$"},
    Sort.ROOT: {"type": "string", "pattern": r"^-?[0-9]+\.[0-9]+$"},
    Sort.CARDS: {"type": "array", "items": {"enum": list(RANKS)}},
    Sort.HASH: {"type": "string", "pattern": "^[0-9a-f]{64}$"},
    Sort.ODDS: {
        "type": "string",
        "pattern": r"^(push|lose|[0-9]+(\.[0-9]+)? to [0-9]+(\.[0-9]+)?( less [0-9]+(\.[0-9]+)?%)?)$",
    },
    **{
        sort: {"type": "string", "pattern": _EXACT}
        for sort in (Sort.FRACTION, Sort.DECIMAL, Sort.PERCENTAGE, Sort.ONE_IN, Sort.MONEY, Sort.CHANCE)
    },
}


def schema_of(kind: "Shape") -> dict[str, Any]:
    """Return the JSON Schema of a value of this kind."""
    if isinstance(kind, Relation):
        return kind.schema()
    if isinstance(kind, Either):
        return {"anyOf": [one.schema() for one in kind.relations.values()]}
    if isinstance(kind, ByName):
        names = {"propertyNames": {"enum": list(kind.names)}} if kind.names else {}
        return {"type": "object", "additionalProperties": kind.schema(), **names}
    if isinstance(kind, Many):
        return {"type": "array", "items": kind.schema()}
    return {"type": "number"} if kind.is_estimate else dict(_SCHEMAS.get(kind.sort, {"type": "string"}))
