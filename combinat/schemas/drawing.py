"""A JSON Schema from a type: every object closed, every exact number a text of its pattern.

What a document holds is stated by a type: a ``TypedDict``, whose keys are those of the object; or a record of our
own, whose fields (and what it lists in ``FIGURES``) are. Each becomes an entry of ``$defs`` under its own name.
"""

import dataclasses
import datetime
import inspect
from collections.abc import Callable, Mapping
from enum import StrEnum
from fractions import Fraction
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NewType,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import msgspec

from combinat.base.number import Root, Whole
from combinat.rules.examples import Published
from combinat.rules.odds import Odds
from combinat.rules.odds import Share as ShareText
from combinat.rules.value_sets import NumberSet, WordSet
from combinat.schemas.texts import Date, Exact, Integer, Named, OddsText, Rounded, Share, Words

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"

_PLAIN: dict[Any, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    float: {"type": "number"},
    NoneType: {"type": "null"},
}

_WRITTEN: dict[Any, Any] = {
    Fraction: Exact,
    Whole: Integer,
    Root: Rounded,
    Odds: OddsText,
    ShareText: Share,
    Published: Words,
    datetime.date: Date,
    datetime.time: Words,
}
"""What stands in JSON for a type of ours."""


@dataclasses.dataclass(frozen=True, slots=True)
class Drawn:
    """How records of our own are written: what stands for a type, and which fields may be left out.

    ``says_nothing``: whether a field that says nothing (None, an empty text) is left out, as ``rules`` does.
    ``besides``: what stands in an object beside its fields.
    """

    instead: Mapping[Any, Any] = dataclasses.field(default_factory=dict)
    says_nothing: bool = False
    besides: Callable[[type], Mapping[str, Any]] = lambda record: {}


class _Draft:
    """A schema while it is drawn, and the definitions that it has so far."""

    def __init__(self, drawn: Drawn) -> None:
        self.drawn = drawn
        self.defs: dict[str, Schema] = {}
        self.drawing: dict[str, Any] = {}

    def of(self, kind: Any) -> Schema:
        kind = self.drawn.instead.get(kind, kind) if _is_hashable(kind) else kind
        if kind in _PLAIN:
            return dict(_PLAIN[kind])
        if (written := _written(kind)) is not None:
            return self.of(written)
        origin, given = get_origin(kind), get_args(kind)
        if origin is Annotated:
            return self._annotated(*given)
        if origin in (Union, UnionType):
            return self._one_of([one for one in given if one is not msgspec.UnsetType])
        if origin is Literal:
            return {"enum": list(given)} if len(given) > 1 else {"const": given[0]}
        if origin in (tuple, list, NumberSet, WordSet):
            return self._listed(given)
        if origin in (dict, Mapping):
            return self._by_name(*given)
        if isinstance(kind, NewType):
            return self.of(kind.__supertype__)
        if isinstance(kind, type) and issubclass(kind, StrEnum):
            return {"enum": [str(one) for one in kind]}
        return self._object(kind)

    def _annotated(self, kind: Any, *marks: Any) -> Schema:
        named = next((mark for mark in marks if isinstance(mark, Named)), None)
        if named is not None:
            self.defs[named.name] = {
                "type": "string",
                "description": named.about,
                "pattern": named.pattern,
            }
            return {"$ref": f"#/$defs/{named.name}"}
        schema = self.of(kind)
        for mark in marks:
            if isinstance(mark, msgspec.Meta):
                schema |= _bounded(mark, is_list="items" in schema)
        return schema

    def _one_of(self, kinds: list[Any]) -> Schema:
        if len(kinds) == 1:
            return self.of(kinds[0])
        return {"anyOf": [self.of(one) for one in kinds]}

    def _listed(self, given: tuple[Any, ...]) -> Schema:
        if len(given) == 1 or given[-1] is Ellipsis:
            return {"type": "array", "items": self.of(given[0])}
        is_optional = NoneType in get_args(given[-1])  # the last item may be left out
        return {
            "type": "array",
            "prefixItems": [self.of(one) for one in given],
            "items": False,
            "minItems": len(given) - is_optional,
        }

    def _by_name(self, key: Any, value: Any) -> Schema:
        schema: Schema = {"type": "object", "additionalProperties": self.of(value)}
        return schema if key is str else schema | {"propertyNames": self.of(key)}

    def _object(self, kind: Any) -> Schema:
        name = kind.__name__.strip("_")
        if self.drawing.setdefault(name, kind) is not kind:
            raise TypeError(f"two records are called {name}: {self.drawing[name]} and {kind}")
        if name not in self.defs:
            self.defs[name] = {}
            keys = self._keys(kind)
            said = " ".join((kind.__doc__ or "").split("\n\n")[0].split())
            self.defs[name] = {
                "type": "object",
                **({"description": said} if said and not said.startswith(f"{kind.__name__}(") else {}),
                "properties": {key: self.of(value) for key, (value, _) in keys.items()},
                "required": [key for key, (_, is_needed) in keys.items() if is_needed],
                "additionalProperties": False,
            }
        return {"$ref": f"#/$defs/{name}"}

    def _keys(self, kind: Any) -> dict[str, tuple[Any, bool]]:
        """The keys of an object, each with the type of its value and whether it is always there."""
        hints = get_type_hints(kind, include_extras=True)
        if is_typeddict(kind):
            return {key: (_inner(hint), key in kind.__required_keys__) for key, hint in hints.items()}
        keys = {name: (hints[field], needed) for name, field, needed in self._fields(kind, hints)}
        if self.drawn.says_nothing:
            keys = {name: (_said(hint), needed) for name, (hint, needed) in keys.items()}
        figures = {name: (_returned(kind, name), True) for name in getattr(kind, "FIGURES", ())}
        besides = {
            name: (_inner(value), get_origin(value) is not NotRequired)
            for name, value in self.drawn.besides(kind).items()
        }
        return keys | figures | besides

    def _fields(self, kind: Any, hints: Mapping[str, Any]) -> list[tuple[str, str, bool]]:
        """The fields of a record of ours: as JSON names them, as we do, and whether they are always there."""
        if dataclasses.is_dataclass(kind):
            return [(field.name, field.name, True) for field in dataclasses.fields(kind)]
        if not (isinstance(kind, type) and issubclass(kind, msgspec.Struct)):
            raise TypeError(f"{kind!r} has no shape")
        return [
            (field.encode_name, field.name, not self._may_be_absent(field, hints[field.name]))
            for field in msgspec.structs.fields(kind)
        ]

    def _may_be_absent(self, field: msgspec.structs.FieldInfo, hint: Any) -> bool:
        if field.default is msgspec.UNSET or msgspec.UnsetType in get_args(hint):
            return True
        return self.drawn.says_nothing and (NoneType in get_args(hint) or field.default == "")


def schema(kind: Any, name: str, about: str, drawn: Drawn | None = None, states: str = "") -> Schema:
    """The JSON Schema of a document of this type. ``states``: the schema that it states, if its type names none."""
    draft = _Draft(drawn or Drawn())
    root = draft.of(kind)
    if states:
        draft.defs[kind.__name__]["properties"]["schema"] = {"const": states}
    return {
        "$schema": DIALECT,
        "$id": f"urn:combinat:schema:{name}",
        "title": name,
        "description": about,
        **root,
        "$defs": dict(sorted(draft.defs.items())),
    }


def _written(kind: Any) -> Any:
    return _WRITTEN.get(kind) if _is_hashable(kind) else None


def _is_hashable(kind: Any) -> bool:
    return type(kind).__hash__ is not None


def _inner(hint: Any) -> Any:
    """The type of a key that may be absent."""
    return get_args(hint)[0] if get_origin(hint) is NotRequired else hint


def _said(hint: Any) -> Any:
    """The type of a value that says something."""
    kinds = [one for one in get_args(hint) if one is not NoneType]
    return Union[tuple(kinds)] if get_origin(hint) in (Union, UnionType) else hint  # noqa: UP007  (of a tuple)


def _returned(kind: Any, figure: str) -> Any:
    """The type of a figure, which a property of the record works out."""
    worked = inspect.getattr_static(kind, figure)
    function = getattr(worked, "fget", None) or worked.func
    hint = get_type_hints(function, include_extras=True)["return"]
    if hint is Whole or Whole in get_args(hint):  # the fields alone are text where they are of any size
        return int | None if NoneType in get_args(hint) else int
    return hint


def _bounded(mark: msgspec.Meta, *, is_list: bool) -> Schema:
    bounds = {
        "minimum": mark.ge,
        "maximum": mark.le,
        "pattern": None if mark.pattern is None else mark.pattern.replace(r"\A", "^").replace(r"\Z", "$"),
        "minItems" if is_list else "minLength": mark.min_length,
        "maxItems" if is_list else "maxLength": mark.max_length,
    }
    return {name: bound for name, bound in bounds.items() if bound is not None}
