"""The JSON Schemas: drawn from the types, closed, and broken by a changed document. ``tests/approved`` follows them."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from combinat.certify.analysis_file import analysis_bytes
from combinat.certify.dossier import Dossier
from combinat.report.schemas import files
from tests.cli import schema_keys
from tests.conftest import SMALL_BOOK, Run
from tests.json_documents import mistakes, validators
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
    # of chance alone: roots and tails of distributions have no exact value
    inexact = any("number" in (kind, *(kind or ())) for part in parts(schema) for kind in [part.get("type")])
    assert inexact == (name in ("crosscheck", "power", "review", "watch"))


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


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("house_edge", value) for value in ("0.25", 0.25, "01/2", "2/4x", None)),
        *(("more", 1), ("name", 3), ("outcomes", {}), ("expected_value", True)),
    ],
)
def test_an_output_that_was_changed_fails(run: Run, key: str, value: object) -> None:
    document = run("odds", str(SMALL_BOOK), "--decks", "1", "--format", "json").document()
    assert mistakes(document) == []
    document["bets"][0][key] = value
    assert mistakes(document) != []


def test_a_key_that_is_missing_is_seen(run: Run, small_dossier: Dossier) -> None:
    printed = run("odds", str(SMALL_BOOK), "--decks", "1", "--format", "json").document()
    for document in (printed, json.loads(analysis_bytes(small_dossier))):
        for key in {*document} - {"schema", "followed"}:
            assert mistakes({name: value for name, value in document.items() if name != key}), key


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
