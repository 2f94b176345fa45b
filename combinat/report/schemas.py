"""The JSON Schemas of every document that combinat writes, and of rule books.

The documents of commands are declared as ``Document``s. Those that are stored as records are drawn from the types of
their fields by msgspec; the docstring of a field is its description. ``make regenerate`` writes all of them:
``python -m combinat.report.schemas docs/schemas``.
"""

import ast
import inspect
import json
import pkgutil
import sys
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from types import UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec

from combinat import protection, report
from combinat.audit.follow import SCHEMA as WATCH_SCHEMA
from combinat.audit.follow import WatchState
from combinat.audit.reading.counts_file import CountsFile
from combinat.audit.verdict import FaultKind
from combinat.base.errors import CombinatError
from combinat.base.kinds import COUNT, FRACTION, NUMBER, ODDS, TEXT, Kind, Sort
from combinat.base.number import Root, Whole
from combinat.base.relation import RANKS, ByName, Document, Field, Many, Relation, schema_of
from combinat.certify.certificate import CertificateDocument
from combinat.certify.collection import Collection
from combinat.certify.dossier import Dossier
from combinat.montecarlo.counts import SCHEMA as COUNTS_SCHEMA
from combinat.montecarlo.tally import FIRST_CARDS
from combinat.report.rules.rule_book_data import BESIDE
from combinat.rules import bounds
from combinat.rules.bet import Bet, Case
from combinat.rules.book.inherit import is_citation
from combinat.rules.book.reader import keys_of
from combinat.rules.document import SCHEMA, Instead, Positions, RuleDocument
from combinat.rules.facts import FACTS, HandCards, Margins, RoundCards, ThirdSet, TotalPoints
from combinat.rules.house_rules import PRACTICES, Practice
from combinat.rules.odds import Odds, Published, Share
from combinat.rules.value_sets import NumberSet, PointSet, PointsOrNone, WordSet

Schema = dict[str, Any]
Texts = Mapping[Any, Schema]
"""The JSON form of the values of each of our types."""

_NULL = {"type": "null"}
DIALECT = "https://json-schema.org/draft/2020-12/schema"


# ---------------------------------------------------------------- records


def _found(kind: Any, records: dict[str, Any]) -> dict[str, Any]:
    """Return the records and sets of words within a type, by name, added to ``records``."""
    for inner in get_args(kind):
        _found(inner, records)
    if isinstance(kind, type) and kind.__module__.startswith("combinat") and kind.__name__ not in records:
        records[kind.__name__] = kind
        for hint in (*get_type_hints(kind).values(), *_figures(kind).values()):
            _found(hint, records)
    return records


def _figures(record: type) -> dict[str, Any]:
    """Return the types of a record's figures, which are computed by its properties."""
    worked = {name: inspect.getattr_static(record, name) for name in getattr(record, "FIGURES", ())}
    functions = {name: getattr(one, "fget", None) or one.func for name, one in worked.items()}
    return {name: get_type_hints(function)["return"] for name, function in functions.items()}


def _meanings(record: type) -> dict[str, str]:
    """Return the meanings of a record's fields: their docstrings. Facts and questions of practice are declared elsewhere."""
    facts = {fact.name: fact.about for fact in FACTS} if issubclass(record, Case) else {}
    elsewhere = _meanings(Practice) if issubclass(record, Instead) else facts
    (body,) = ast.parse(dedent(inspect.getsource(record))).body
    pairs = pairwise(body.body) if isinstance(body, ast.ClassDef) else ()
    return elsewhere | {
        ast.unparse(field.target): " ".join(ast.literal_eval(said.value).split())
        for field, said in pairs
        if isinstance(field, ast.AnnAssign) and isinstance(said, ast.Expr)
    }


def _drawn(
    kinds: tuple[Any, ...], texts: Texts, beside: Mapping[type, Relation[Any]], *, omits: bool
) -> tuple[list[Schema], dict[str, Schema]]:
    """Return the JSON Schemas of types, and by name those of the records within them.

    ``beside``: further keys of a record. ``omits``: whether keys without a value are left out.
    """
    records: dict[str, Any] = {}
    for kind in kinds:
        _found(kind, records)
    figures = [(name, *figure) for name, record in records.items() for figure in _figures(record).items()]
    schemas, defs = msgspec.json.schema_components(
        [*kinds, *(hint for _, _, hint in figures)],
        schema_hook=lambda kind: dict(texts.get(kind, {"type": "array"})),
        ref_template="#/$defs/{name}",
    )
    for name, definition in defs.items():
        definition["description"] = " ".join(definition["description"].split("\n\n")[0].split())
        if "properties" in definition:
            _close(definition, records[name], texts, omits=omits)
            added = beside[records[name]].schema() if records[name] in beside else {}
            definition["properties"] |= added.get("properties", {})
            definition["required"] = sorted({*definition["required"], *added.get("required", ())})
        else:
            definition["enum"] = list(map(str, records[name]))  # in the order of the declaration
            phrases = [getattr(word, "in_words", "") for word in records[name]]
            if all(phrases):
                words = [phrase() if callable(phrase) else phrase for phrase in phrases]
                definition["x-taplo"] = {"docs": {"enumValues": words}}
    for (name, figure, _), schema in zip(figures, schemas[len(kinds) :], strict=True):
        defs[name]["properties"][figure] = schema
        defs[name]["required"].append(figure)
    return list(schemas[: len(kinds)]), defs


def _close(definition: Schema, record: Any, texts: Texts, *, omits: bool) -> None:
    """Complete the schema of an object: its required keys, no additional ones, a description of each."""
    hints, says = get_type_hints(record, include_extras=True), _meanings(record)
    is_struct = issubclass(record, msgspec.Struct)
    if is_struct and record.__struct_config__.tag_field:
        hints[record.__struct_config__.tag_field] = str
    named = {field.encode_name: field.name for field in msgspec.structs.fields(record)} if is_struct else {}
    required = definition.get("required", [])
    for key, value in definition["properties"].items():
        name, default = named.get(key, key), value.get("default", msgspec.UNSET)
        if key not in required and default is not msgspec.UNSET and not (omits and default in (None, "")):
            required.append(key)
        if not isinstance(default, str) or not default:
            value.pop("default", None)
        if Whole in (hints[name], *get_args(hints[name])):
            value = schema_of(Many(COUNT) if get_args(hints[name]) else COUNT)
        if omits and _NULL in value.get("anyOf", ()):
            value = value["anyOf"][0]
        value = _set_of(hints[name], texts) or value
        row = value.get("items") or {}
        if _NULL in row.get("prefixItems", [{}])[-1].get("anyOf", ()):
            row["minItems"] -= 1  # the last value of a row may be left out
        definition["properties"][key] = value | ({"description": says[name]} if name in says else {})
    definition |= {"required": required, "additionalProperties": False}


def _set_of(hint: Any, texts: Texts) -> Schema | None:
    """Return the JSON Schema of a set of numbers or words of a rule book, or None for any other type."""
    if get_origin(hint) in (Union, UnionType):
        return next((found for one in get_args(hint) if (found := _set_of(one, texts))), None)
    inner = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    if get_origin(inner) is not WordSet:
        return texts.get(hint) or texts.get(inner) if get_origin(inner) is NumberSet else None
    word = {"enum": list(map(str, get_args(inner)[0]))}
    listed = {"type": "array", "items": word}
    alone = {"anyOf": [word, listed | {"minItems": 1, "uniqueItems": True}]}
    return alone if texts is TOML_TEXTS else listed


# ---------------------------------------------------------------- documents


class Stored(NamedTuple):
    """A document stored as records of these types, with a description of one sentence.

    ``beside`` and ``omits``: as for ``_drawn``. ``always``: keys that are never left out.
    """

    kinds: tuple[Any, ...]
    about: str
    beside: Mapping[type, Relation[Any]] = {}
    omits: bool = False
    always: tuple[str, ...] = ()


JSON_TEXTS: Texts = {
    Fraction: schema_of(FRACTION),
    Root: schema_of(Kind(Sort.ROOT)),
    Odds: schema_of(ODDS),
    Share: {"type": "string", "pattern": r"^[0-9]+(\.[0-9]+)?%$"},
    Published: schema_of(TEXT),
    NumberSet[int]: schema_of(Many(NUMBER)),
    NumberSet[int | None]: schema_of(Many(NUMBER, or_none=True)),
}

_FIRST_CARDS: Relation[Any] = Relation(
    "first cards",
    *(Field(str(slot), slot, ByName(NUMBER, names=RANKS), "Its cards, by rank.") for slot in FIRST_CARDS),
)
_COUNTS: Document[Any] = Document(
    COUNTS_SCHEMA,
    "The counts of a simulation: combinat simulate.",
    Field("cards", "cards", _FIRST_CARDS, "The ranks of each of the first four cards.", may_be_absent=True),
)
_WATCH: Document[Any] = Document(
    WATCH_SCHEMA,
    "The state of the watch over a growing log: combinat crosscheck.",
    Field("faults", "faults", ByName(NUMBER, names=FaultKind), "The number of faults, by kind."),
)

STORED = {
    "rules": Stored((RuleDocument,), "A rule book as data: combinat rules.", BESIDE, True, ("table_of_play",)),
    "analysis": Stored((Dossier,), "All that a report says, analysis.json: combinat report."),
    "collection": Stored((Collection,), "Reports that belong together, collection.json: combinat report."),
    "certificate": Stored(get_args(CertificateDocument), "The files of a folder by their hashes, signed or not: certificate.json."),
    "counts": Stored((CountsFile,), _COUNTS.about, {CountsFile: _COUNTS}, True),
    "watch": Stored((WatchState,), _WATCH.about, {WatchState: _WATCH}),
}  # fmt: skip


@cache
def documents() -> dict[str, list[Document[Any]]]:
    """Return every document that a module declares, by name."""
    found: dict[str, list[Document[Any]]] = {}
    for room in (protection, report):
        for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            for declared in vars(import_module(module.name)).values():
                if isinstance(declared, Document) and declared.name not in STORED:
                    same = found.setdefault(declared.name, [])
                    same += [declared] if declared not in same else []
    return dict(sorted(found.items()))


def relations() -> dict[str, Relation[Any]]:
    """Return every relation whose rows documents hold, by name."""
    found: dict[str, Relation[Any]] = {}
    waiting: list[Any] = [document for same in documents().values() for document in same]
    while waiting:
        relation = waiting.pop(0)
        if found.setdefault(relation.name, relation) is relation:
            inner = [getattr(field.kind, "of", field.kind) for field in relation.fields]
            waiting += [one for one in inner if isinstance(one, Relation)]
    return found


def document_schema(name: str) -> Schema:
    """Return the JSON Schema of a document."""
    if name in STORED:
        kinds, about, beside, omits, always = STORED[name]
        shapes, defs = _drawn(kinds, JSON_TEXTS, beside, omits=omits)
        defs[kinds[0].__name__]["required"] += always
    else:
        about, defs = documents()[name][0].about, {}
        shapes = [document.schema() for document in documents()[name]]
    return {
        "$schema": DIALECT,
        "$id": f"urn:combinat:schema:{name}",
        "title": name,
        "description": about,
        **(shapes[0] if len(shapes) == 1 else {"anyOf": shapes}),
        **({"$defs": defs} if defs else {}),
    }


# ---------------------------------------------------------------- rule books

RULE_BOOK = "rule-book"
ABOUT = "A rule book as TOML: a game, its bets and their odds. An editor completes its keys by it: #:schema rule-book.json."
BASE = "The rule book from which missing keys are inherited: a game's id, or a file beside this one."

_NUMBER = rf"[0-9]{{1,{bounds.DIGITS}}}(\.[0-9]{{1,{bounds.DIGITS}}})?"
_DIGIT = "[0-9](-[0-9])?"
_POINTS = f"{_DIGIT}(,{_DIGIT})*"
_THIRD = "0?[0-9](-0?[0-9])?"
_TWO_DIGITS = "[0-9]{1,2}(-[0-9]{1,2})?"


def _text(pattern: str, *examples: str) -> Schema:
    return {"type": "string", "pattern": f"^({pattern})$", "examples": list(examples)}


def _number_or(most: int, text: Schema) -> Schema:
    return {"anyOf": [{"type": "integer", "minimum": 0, "maximum": most}, text]}


TOML_TEXTS: Texts = {
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
}
"""The TOML form of the values of each of our types."""

_OPTIONAL: dict[type, tuple[str, ...]] = {
    RuleDocument: ("operator", "effective", "decks", "layouts", "clauses", "void", "bets"),
    Bet: ("name", "about", "layouts"),
}
"""The keys beside clauses that a draft, or a rule book on a base, may leave out."""


@cache
def rule_book_schema() -> Schema:
    """Return the JSON Schema of a rule book: for editors of TOML, and for the reference of its keys.

    It accepts every rule book that loads, and refuses unknown keys and values of another type.

    >>> sorted(rule_book_schema()["$defs"]["Decks"]["properties"])
    ['clause', 'least', 'most']
    """
    _, defs = _drawn((RuleDocument,), TOML_TEXTS, {}, omits=True)
    tables = {
        name: table for name, table in _found(RuleDocument, {}).items() if "properties" in defs.get(name, ())
    }
    for name, table in tables.items():
        keys = keys_of(table).items()
        defs[name]["required"] = [key for key, of in keys if of.required and not _is_optional(table, key)]
        for key, value in defs[name]["properties"].items():
            defs[name]["properties"][key] = _within_bounds(value, key, table)
    root = defs.pop("RuleDocument")
    root["properties"] |= {
        "schema": {"const": SCHEMA, "description": root["properties"]["schema"]["description"]},
        "time": root["properties"]["time"] | {"format": "time"},
        "base": {"type": "string", "minLength": 1, "maxLength": bounds.NAME, "description": BASE},
    }
    is_draft = {"required": ["status"], "properties": {"status": {"const": "draft"}}}
    return {
        **root,
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": f"urn:combinat:schema:{RULE_BOOK}",
        "title": RULE_BOOK,
        "description": ABOUT,
        "if": {"anyOf": [{"required": ["base"]}, is_draft]},
        "else": _required_keys(RuleDocument),
        "$defs": defs,
    }


def _within_bounds(value: Schema, key: str, table: type) -> Schema:
    """Return the schema of a key's value, with the limits of rule books."""
    if "enum" in value and key in PRACTICES:
        words = {"enumValues": list(PRACTICES[key].values())}
        return value | {"enum": list(PRACTICES[key]), "x-taplo": {"docs": words}}
    if value.get("type") == "array":
        most = {"maxItems": bounds.LISTS[key]} if key in bounds.LISTS else {}
        return value | most | {"items": _within_bounds(value["items"], key, table)}
    if value.get("type") == "integer":
        return value | {"minimum": 1, "maximum": bounds.POSITIONS if table is Positions else bounds.DECKS}
    if value.get("type") == "string" and not {"format", "examples"} & value.keys():
        return value | {"maxLength": bounds.LENGTHS.get(key, bounds.NAME)}
    if "$ref" in value and len(value) > 1:  # beside a reference nothing else may stand
        return value | {"allOf": [{"$ref": value.pop("$ref")}]}
    return value


def _is_optional(table: type, key: str) -> bool:
    """Return whether a draft, or a rule book on a base, may leave out a key that a document must have."""
    once = [of.shape.kind for of in keys_of(RuleDocument).values() if of.shape.sort == "table"]
    return table in once or is_citation(table, key) or key in _OPTIONAL.get(table, ())


def _required_keys(table: type[msgspec.Struct]) -> Schema:
    """Return the keys that a rule book must have, in this table and those within, if it states a document by itself."""
    required, inner = [], {}
    for key, of in keys_of(table).items():
        is_list = of.shape.sort == "list_entries"
        shape = of.shape.kind if is_list else of.shape
        if of.required and _is_optional(table, key):
            required.append(key)
        if shape.sort == "table" and (within := _required_keys(shape.kind)):
            inner[key] = {"items": within} if is_list else within
    return {**({"required": required} if required else {}), **({"properties": inner} if inner else {})}


# ---------------------------------------------------------------- files


def files() -> dict[str, bytes]:
    """All schemas as files, by name."""
    schemas = {name: document_schema(name) for name in (*STORED, *documents())} | {
        RULE_BOOK: rule_book_schema()
    }
    texts = {name: f"{json.dumps(one, indent=2)}\n" for name, one in schemas.items()}
    anchored = {name: text.replace(r"\\A", "^").replace(r"\\Z", "$") for name, text in texts.items()}
    return {f"{name}.json": text.encode("ascii") for name, text in anchored.items()}


def schema_paths() -> dict[str, Path]:
    """Return the JSON Schemas that come with combinat, by name: in an installed wheel, or in the pages of a checkout."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "schemas", package.parent / "docs" / "schemas"):
        if paths := {path.stem: path for path in sorted(folder.glob("*.json"))}:
            return paths
    raise CombinatError(f"no schemas found: neither {package} nor the checkout's docs/schemas/ has any")


if __name__ == "__main__":
    for name, content in files().items():
        (Path(sys.argv[1]) / name).write_bytes(content)
