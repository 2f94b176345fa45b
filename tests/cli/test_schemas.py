"""The JSON Schemas: drawn from the types, closed, and broken by a changed document. ``tests/approved`` follows them."""

import copy
import json
import shlex
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from combinat.certify.analysis_file import analysis_bytes
from combinat.certify.dossier import Dossier
from combinat.report.schemas import files
from tests.cli import schema_keys
from tests.conftest import SMALL_BOOK, Run
from tests.json_documents import schema_name, validators
from tests.paths import ROOT

FOLDER = ROOT / "docs" / "schemas"
NAMES = sorted(path.stem for path in FOLDER.glob("*.json"))


def test_the_files_are_drawn_from_the_types() -> None:
    """``make regenerate`` writes them."""
    assert {path.name: path.read_bytes() for path in FOLDER.glob("*.json")} == files()


@pytest.mark.parametrize("name", [name for name in NAMES if name != "rule-book"])
def test_a_schema_is_closed_and_typed(name: str) -> None:
    schema = validators()[name].schema
    Draft202012Validator.check_schema(schema)
    for part in parts(schema):
        if "properties" in part:
            assert part["additionalProperties"] is False
            assert set(part["required"]) <= set(part["properties"])
        if part.get("type") == "object":
            assert "additionalProperties" in part
        if part.get("type") == "array":
            assert "items" in part
    assert "float" not in json.dumps(schema)


def parts(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        yield schema
        for key, inner in schema.items():
            for one in inner.values() if key in ("properties", "$defs") else [inner]:
                yield from parts(one)
    elif isinstance(schema, list):
        for inner in schema:
            yield from parts(inner)


# ---------------------------------------------------------------- an output that was changed


def changed(document: Any) -> Iterator[tuple[str, Any]]:
    """The document with a key too many, each key left out, and each value of another sort, one at a time."""
    for place, value in leaves(document, ()):
        if isinstance(value, dict):
            yield f"{place} has more", put(document, place, {**value, "more": 1})
        if isinstance(value, str) and value[:1].isdigit() and "/" in value:
            yield f"{place} is a decimal", put(document, place, "0.25")
            yield f"{place} is a number", put(document, place, 0.25)
            yield f"{place} is not in lowest terms", put(document, place, "01/2")
        elif isinstance(value, int) and not isinstance(value, bool):
            yield f"{place} is text", put(document, place, "x")
        elif isinstance(value, bool):
            yield f"{place} is a word", put(document, place, "yes")


def leaves(value: Any, place: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Any]]:
    yield place, value
    inner = (
        value.items() if isinstance(value, dict) else enumerate(value[:1]) if isinstance(value, list) else ()
    )
    for key, one in inner:
        yield from leaves(one, (*place, key))


def required(schema: dict[str, Any]) -> list[str]:
    """The keys that a document must have."""
    named = schema.get("$ref", "").split("/")[-1]
    keys: list[str] = (schema["$defs"][named] if named else schema)["required"]
    return keys


def put(document: Any, place: tuple[Any, ...], value: Any) -> Any:
    if not place:
        return value
    other = copy.deepcopy(document)
    inner = other
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    return other


@pytest.mark.parametrize(
    "line",
    [
        "odds {small} --decks 1 --joint --stake six=3",
        "insurance {small} --decks 1 --range",
        "exposure {small} --decks 1 --stake six=100",
        "perfect {small} --decks 1 --left 7 --bet six",
        "count {small} six --tags best --left 10 --decks 1",
    ],
)
def test_an_output_that_was_changed_fails(run: Run, line: str) -> None:
    document = json.loads(run("-q", *shlex.split(line.format(small=SMALL_BOOK)), "--format", "json").out)
    validator = validators()[schema_name(document)]
    tried = 0
    for what, other in changed(document):
        tried += 1
        assert not validator.is_valid(other), what
    assert tried > 20
    for key in document:
        if key in required(validator.schema):
            assert not validator.is_valid({name: value for name, value in document.items() if name != key}), (
                key
            )


def test_an_analysis_that_was_changed_fails(small_dossier: Dossier) -> None:
    document = json.loads(analysis_bytes(small_dossier))
    bet = {**document, "shoes": [{**document["shoes"][0], "insurance": [], "joint": []}]}
    few = {key: value[:1] if isinstance(value, list) else value for key, value in bet.items()}
    assert validators()["analysis"].is_valid(few)
    assert not validators()["analysis"].is_valid({**few, "more": 1})
    assert not validators()["analysis"].is_valid(put(few, ("shoes", 0, "bets", 0, "house_edge"), "0.0129"))
    assert not validators()["analysis"].is_valid(put(few, ("shoes", 0, "sample_space"), 14658134400))


# ---------------------------------------------------------------- a key that was removed


def lost(listed: dict[str, list[str]], present: dict[str, list[str]]) -> list[str]:
    """The keys that a document had under the same schema number and has no longer."""
    return [
        f"{name}: {key}"
        for name, own in present.items()
        for key in sorted(set(listed.get(name, ())) - set(own))
    ]


def test_a_document_keeps_its_keys_or_gets_a_new_number() -> None:
    """``make regenerate`` adds new keys and numbers to the list; what other programs read may not disappear."""
    listed = json.loads(schema_keys.LISTED.read_text("utf-8"))
    assert lost(listed, schema_keys.keys()) == []
    assert {
        name: own for name, own in schema_keys.keys().items() if set(own) - set(listed.get(name, ()))
    } == {}


def test_a_removed_or_renamed_key_is_seen() -> None:
    present = schema_keys.keys()
    assert {"bets[].outcomes[].net", "shoe.cards"} <= set(present["combinat/odds/1"])
    renamed = [key.replace("house_edge", "edge") for key in present["combinat/odds/1"]]
    assert "combinat/odds/1: bets[].house_edge" in lost(present, {**present, "combinat/odds/1": renamed})
    assert lost(present, {**present, "combinat/odds/2": renamed}) == []
