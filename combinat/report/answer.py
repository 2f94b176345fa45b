"""Answers as JSON: a record whose fields are the document's keys, written by their types.

Rows have a relation, which writes them: ``Annotated[tuple[BetAnalysis, ...], BETS]``. Fractions and whole numbers of any
size (``Whole``) are text; a field that is ``UNSET`` is left out. The JSON Schema of a document comes from the same types.
"""

import datetime
from collections.abc import Callable, Mapping
from enum import Enum
from fractions import Fraction
from functools import cache
from types import UnionType
from typing import Annotated, Any, ClassVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UNSET, UnsetType

from combinat.analysis.figure import Whole
from combinat.base.number import Root
from combinat.base.relation import Relation
from combinat.rules.cards import RANKS
from combinat.rules.shoe import Shoe


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """A JSON document; ``SCHEMA`` is its schema with its number, ``ABOUT`` says in a sentence what it holds."""

    SCHEMA: ClassVar[str] = ""
    ABOUT: ClassVar[str] = ""


class GameAnswer(Answer, frozen=True, kw_only=True):
    """A document about a game, with its provisos: odds tried, readings followed, and bets that stay after a tie."""

    game: str
    readings: tuple[str, ...] | UnsetType = UNSET
    pays: dict[str, tuple[str, ...]] | UnsetType = UNSET
    until_decided: tuple[str, ...] | UnsetType = UNSET
    of_one_round: tuple[str, ...] | UnsetType = UNSET


def answer_json(answer: Answer) -> dict[str, Any]:
    """The JSON document of an answer."""
    return {"schema": answer.SCHEMA, **_writer(type(answer))(answer)}


Writer = Callable[[Any], Any]

_TEXT = (str, Fraction, Whole, Root, datetime.date)


@cache
def _writer(hint: Any) -> Writer:
    """What writes the values of a type."""
    if hint in _TEXT or (isinstance(hint, type) and issubclass(hint, str | Enum)):
        return str
    if hint is Shoe:
        return shoe_json
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        relation = next((mark for mark in arguments[1:] if isinstance(mark, Relation)), None)
        return _writer(arguments[0]) if relation is None else _rows(arguments[0], relation)
    if origin in (tuple, list):
        each = _writer(arguments[0])
        return lambda values: [each(value) for value in values]
    if origin in (dict, Mapping):
        one = _writer(arguments[1])
        return lambda values: {str(key): one(value) for key, value in values.items()}
    if origin in (Union, UnionType):
        return _either(arguments)
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return _record(hint)
    return lambda value: value


def _rows(hint: Any, relation: Relation[Any]) -> Writer:
    """What writes records that have a relation: one of them, a list, or an object of them by name."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        inner = next(one for one in arguments if one not in (type(None), UnsetType))
        write = _rows(inner, relation)
        return lambda value: None if value is None else write(value)
    if origin in (tuple, list):
        return relation.json
    if origin in (dict, Mapping):
        return lambda values: {str(key): relation.object(value) for key, value in values.items()}
    return relation.object


def _either(hints: tuple[Any, ...]) -> Writer:
    kinds = [hint for hint in hints if hint not in (type(None), UnsetType)]
    if len(kinds) == 1:
        write = _writer(kinds[0])
        return lambda value: None if value is None else write(value)
    return lambda value: None if value is None else _writer(type(value))(value)


def _record(kind: type[msgspec.Struct]) -> Writer:
    hints = get_type_hints(kind, include_extras=True)
    writers = {
        field.encode_name: (field.name, _writer(hints[field.name])) for field in msgspec.structs.fields(kind)
    }

    def write(record: Any) -> dict[str, Any]:
        values = ((key, write, getattr(record, name)) for key, (name, write) in writers.items())
        return {key: write(value) for key, write, value in values if value is not UNSET}

    return write


def shoe_json(shoe: Shoe) -> dict[str, Any]:
    """The shoe as the contracts have it."""
    return {
        "size": shoe.size,
        "cards": {str(rank): count for rank, count in zip(RANKS, shoe.counts, strict=True)},
    }
