"""The JSON Schema of rule books: for editors that complete TOML, and for the reference of its keys.

It is drawn from the records that the loader reads, so it knows the same tables, keys and types, with the bounds of
``bounds.py``. What holds a rule book together (lines that overlap, offers that never arise) only the loader knows: the
schema accepts every rule book that loads, and refuses unknown keys and values of another type.
"""

import datetime
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec

from combinat.rules import bounds
from combinat.rules.bet import Bet
from combinat.rules.document import SCHEMA, Decks, Interpretation, Positions, RuleDocument
from combinat.rules.examples import Published
from combinat.rules.facts import HandCards, Margins, RoundCards, ThirdSet, TotalPoints
from combinat.rules.house_rules import PRACTICES
from combinat.rules.odds import Odds, Share
from combinat.rules.procedure import Procedure
from combinat.rules.value_sets import PointSet, PointsOrNone
from combinat.schemas.meanings import MEANINGS

Schema = dict[str, Any]

TITLE = "rule-book"
ABOUT = "A rule book as TOML: a game, its bets and their odds. An editor completes its keys by it: #:schema rule-book.json."

_NUMBER = rf"[0-9]{{1,{bounds.DIGITS}}}(\.[0-9]{{1,{bounds.DIGITS}}})?"
_DIGIT = "[0-9](-[0-9])?"
_POINTS = f"{_DIGIT}(,{_DIGIT})*"
_THIRD = "0?[0-9](-0?[0-9])?"
_TWO_DIGITS = "[0-9]{1,2}(-[0-9]{1,2})?"


def _text(pattern: str, *examples: str) -> Schema:
    return {"type": "string", "pattern": f"^({pattern})$", "examples": list(examples)}


def _number_or(most: int, text: Schema) -> Schema:
    return {"anyOf": [{"type": "integer", "minimum": 0, "maximum": most}, text]}


TEXTS: dict[Any, Schema] = {
    Odds: _text(f"push|lose|{_NUMBER} to {_NUMBER}( less {_NUMBER}%)?", "50 to 1", "0.95 to 1", "push"),
    Share: _text(f"{_NUMBER}%", "25%"),
    Published: _text(f"-?{_NUMBER}%?", "7.611%", "-0.0761"),
    PointSet: _number_or(9, _text(_POINTS, "0-5", "1-5,7-9")),
    PointsOrNone: _number_or(9, _text(f"none|{_POINTS}", "0-5", "none")),
    **dict.fromkeys(
        (HandCards, RoundCards, Margins, TotalPoints),
        _number_or(99, _text(f"{_TWO_DIGITS}(,{_TWO_DIGITS})*", "4-9", "4,6-9")),
    ),
    ThirdSet: _number_or(9, _text(f"(none|{_THIRD})(,(none|{_THIRD}))*", "0-5", "none", "0-5,none")),
    datetime.date: {"type": "string", "format": "date"},
    datetime.time: {"type": "string", "format": "time"},
    bool: {"type": "boolean"},
}
"""The values of each type that a rule book writes as a text of its own; a date is a date of TOML."""

_RANGES: dict[tuple[type, str], int] = {
    (Decks, "least"): bounds.DECKS,
    (Decks, "most"): bounds.DECKS,
    (Positions, "least"): bounds.POSITIONS,
    (Positions, "most"): bounds.POSITIONS,
}
"""The most of a whole number, from 1 on, by its key."""

_NAMED = (RuleDocument, Bet, Procedure, Interpretation)
"""The tables whose ids are lower-case words joined by hyphens."""

_OF_A_DOCUMENT = {
    "RuleDocument": ("operator", "effective", "stated", "decks", "layouts", "clauses", "void", "bets"),
    "Bet": ("name", "about", "defined", "settled", "layouts"),
    "Layout": ("clause",),
    "Limit": ("clause",),
    "InsuranceTable": ("settled",),
    "Procedure": ("clauses",),
    "Interpretation": ("clauses",),
    "NoBearing": ("clauses",),
}
"""What a draft, or a rule book on a base, may leave out of a table or of an entry of a list; of all else nothing."""


@cache
def rule_book_schema() -> Schema:
    """The JSON Schema of a rule book.

    >>> sorted(rule_book_schema()["$defs"]["Decks"]["properties"])
    ['clause', 'least', 'most']
    """
    definitions: dict[str, Schema] = {}
    root = _table(RuleDocument, definitions)
    root["properties"]["base"] = {
        "type": "string",
        "minLength": 1,
        "maxLength": bounds.NAME,
        "description": MEANINGS["RuleDocument"]["base"],
    }
    root["properties"] = {key: root["properties"][key] for key in MEANINGS["RuleDocument"]}
    is_draft = {"required": ["status"], "properties": {"status": {"const": "draft"}}}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": f"urn:combinat:schema:{TITLE}",
        "title": TITLE,
        "description": ABOUT,
        **{key: value for key, value in root.items() if key != "description"},
        "if": {"anyOf": [{"required": ["base"]}, is_draft]},
        "else": _needed(RuleDocument),
        "$defs": dict(sorted(definitions.items())),
    }


def _table(kind: Any, definitions: dict[str, Schema]) -> Schema:
    """A table of the rule book; the tables in it go among the definitions."""
    words = MEANINGS[kind.__name__]
    properties = {}
    for field in msgspec.structs.fields(kind):
        key = field.encode_name
        value = _value(field.type, key, definitions)
        if most := _RANGES.get((kind, key)):
            value = {"type": "integer", "minimum": 1, "maximum": most}
        if key == "id" and kind in _NAMED:
            value["pattern"] = "^[a-z0-9]+(-[a-z0-9]+)*$"
        properties[key] = _described(value, words[key]) | _default(field)
    if kind is RuleDocument:
        properties["schema"] = {"const": SCHEMA, "description": words["schema"]}
    required = [key for key in _required(kind) if key not in _may_be_left_out(kind)]
    return {
        "type": "object",
        "description": (kind.__doc__ or "").split("\n")[0],
        "properties": properties,
        **({"required": required} if required else {}),
        "additionalProperties": False,
    }


def _described(value: Schema, words: str) -> Schema:
    """A value with what it says; beside a reference to a table nothing else may stand."""
    return {"allOf": [value], "description": words} if "$ref" in value else {**value, "description": words}


def _default(field: Any) -> Schema:
    """The value that stands where the key is left out, where it is a word."""
    return {"default": str(field.default)} if isinstance(field.default, str) and field.default else {}


def _value(annotated: Any, key: str, definitions: dict[str, Schema]) -> Schema:
    """The values that a key may have."""
    kind, least = _plain(annotated)
    if get_origin(kind) is tuple:
        items = _value(get_args(kind)[0], key, definitions)
        most = {"maxItems": bounds.LISTS[key]} if key in bounds.LISTS else {}
        return {"type": "array", "items": items, **({"minItems": least} if least else {}), **most}
    if kind in TEXTS:
        return dict(TEXTS[kind])
    if get_origin(kind) is Annotated:
        word = {"enum": [word.value for word in get_args(get_args(kind)[0])[0]]}
        return {"anyOf": [word, {"type": "array", "items": word, "minItems": 1, "uniqueItems": True}]}
    if get_origin(kind) is Literal:
        docs = {"enumValues": list(PRACTICES[key].values())}
        return {"enum": list(get_args(kind)), "x-taplo": {"docs": docs}}
    if issubclass(kind, StrEnum):
        return {"enum": [word.value for word in kind], **_in_words(kind)}
    if issubclass(kind, msgspec.Struct):
        if kind.__name__ not in definitions:
            definitions[kind.__name__] = {}  # a table that holds itself would otherwise never end
            definitions[kind.__name__] = _table(kind, definitions)
        return {"$ref": f"#/$defs/{kind.__name__}"}
    if kind is int:
        return {"type": "integer", "minimum": 1, "maximum": bounds.DECKS}
    assert kind is str
    length = {"maxLength": bounds.LENGTHS.get(key, bounds.NAME)}
    return {"type": "string", **({"minLength": least} if least else {}), **length}


def _in_words(kind: type[StrEnum]) -> Schema:
    """What each of some words means, where they say it themselves, as an editor of TOML shows it."""
    said = [getattr(word, "in_words", None) for word in kind]
    words = [one() if callable(one) else one for one in said]
    return {"x-taplo": {"docs": {"enumValues": words}}} if all(words) else {}


def _plain(annotated: Any) -> tuple[Any, int]:
    """A type without its ``| None``, and the least length that is asked of it."""
    if get_origin(annotated) in (Union, UnionType):
        return _plain(next(part for part in get_args(annotated) if part is not NoneType))
    if get_origin(annotated) is Annotated and isinstance(annotated.__metadata__[0], msgspec.Meta):
        return get_args(annotated)[0], annotated.__metadata__[0].min_length or 0
    return annotated, 0


def _required(kind: Any) -> list[str]:
    return [field.encode_name for field in msgspec.structs.fields(kind) if field.required]


def _may_be_left_out(kind: Any) -> tuple[str, ...]:
    """What not every rule book has in such a table: of the tables that a game has once, all is taken over key by key."""
    once = {_plain(field.type)[0] for field in msgspec.structs.fields(RuleDocument)}
    return tuple(_required(kind)) if kind in once else _OF_A_DOCUMENT.get(kind.__name__, ())


def _needed(kind: Any) -> Schema:
    """What a rule book that states a document, all by itself, must have besides: in each table, and in those within."""
    inner: dict[str, Schema] = {}
    for field in msgspec.structs.fields(kind):
        of_key, is_list = _plain(field.type)[0], False
        if get_origin(of_key) is tuple:
            of_key, is_list = _plain(get_args(of_key)[0])[0], True
        if isinstance(of_key, type) and issubclass(of_key, msgspec.Struct) and (within := _needed(of_key)):
            inner[field.encode_name] = {"items": within} if is_list else within
    left_out = [key for key in _required(kind) if key in _may_be_left_out(kind)]
    return {**({"required": left_out} if left_out else {}), **({"properties": inner} if inner else {})}


def rule_book_schema_text() -> str:
    """The JSON Schema as its file has it."""
    import json  # only some programs need it

    return json.dumps(rule_book_schema(), indent=2) + "\n"
