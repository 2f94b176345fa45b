"""The JSON Schemas: every JSON output follows its own, and one that was changed does not."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from combinat.analysis.dossier import Dossier
from combinat.certify.analysis_file import analysis_bytes
from combinat.schemas.every import EVERY, files
from combinat.schemas.files import schema_paths
from tests.audit.made_up_players import PLAYERS, dealt, write_log
from tests.cli.every_command import ROOT, SHOWN, WRITING, lines, words, write_inputs
from tests.cli.test_faults import message_of
from tests.conftest import Ran, Run

FOLDER = ROOT / "docs" / "schemas"
GENERATED_ELSEWHERE = {"rule-book"}


@pytest.fixture(scope="module")
def validators() -> dict[str, Draft202012Validator]:
    return {name: Draft202012Validator(json.loads(path.read_text())) for name, path in schema_paths().items()}


def name_of(document: Any) -> str:
    """The name of the schema that a document says it follows; a certificate says nothing."""
    return str(document.get("schema", "combinat/certificate/")).split("/")[1]


@pytest.fixture
def follows(validators: dict[str, Draft202012Validator]) -> Any:
    def check(text: str | bytes) -> Any:
        document = json.loads(text)
        mistakes = [
            f"{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}"
            for error in validators[name_of(document)].iter_errors(document)
        ]
        assert mistakes == []
        return document

    return check


def test_the_files_are_drawn_from_the_types() -> None:
    """``make schemas`` writes them."""
    there = {path.name: path.read_bytes() for path in FOLDER.glob("*.json")}
    assert {name: there.get(name) for name in files()} == files()
    assert {Path(name).stem for name in there} - set(EVERY) <= GENERATED_ELSEWHERE


@pytest.mark.parametrize("name", EVERY)
def test_a_schema_is_closed_and_typed(name: str, validators: dict[str, Draft202012Validator]) -> None:
    schema = validators[name].schema
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


# ---------------------------------------------------------------- every output


def test_every_output_follows_its_schema(
    run: Run, small_report: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, follows: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    write_inputs(tmp_path)
    write_log(tmp_path / "staked.csv", dealt(2, seed=1), PLAYERS)
    for line in lines(WRITING):
        assert run(*words(line), "-q").code == 0, line
    seen: dict[str, list[Any]] = {}
    for line in lines(SHOWN):
        ran = run(*words(line, small_report=small_report), "-q", "--format", "json")
        assert ran.code in (0, 1, 2), line
        document = follows(ran.out)
        seen.setdefault(name_of(document), []).append(document)
    written = ["counts.json", "study/protect.json", "study/certificate.json"]
    for file in (*(tmp_path / name for name in written), *small_report.parent.rglob("*.json")):
        document = follows(file.read_bytes())
        seen.setdefault(name_of(document), []).append(document)
    assert set(EVERY) - set(seen) == {"protect-partial", "watch"}


def test_what_is_kept_of_a_run_follows_its_schema(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, follows: Any
) -> None:
    """The state of a watch, and a study that was stopped."""
    monkeypatch.chdir(tmp_path)
    simulated = next(line for line in lines(WRITING) if "faulty.csv" in line)
    run(*words(simulated))
    run(*words("crosscheck faulty.csv --game {small} --follow --every 0 --state state.json"))
    assert follows((tmp_path / "state.json").read_bytes())["gamblers"]
    study = next(line for line in lines(WRITING) if line.startswith("protect"))
    run(*words(study))
    whole = json.loads((tmp_path / "study" / "protect.json").read_text())
    del whole["results"]
    follows(json.dumps({**whole, "schema": "combinat/protect-partial/1"}))


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
def test_an_output_that_was_changed_fails(
    run: Run, line: str, validators: dict[str, Draft202012Validator]
) -> None:
    document = json.loads(run(*words(line), "-q", "--format", "json").out)
    validator = validators[name_of(document)]
    tried = 0
    for what, other in changed(document):
        tried += 1
        assert not validator.is_valid(other), what
    assert tried > 20
    for key in document:
        if key in validator.schema["$defs"][validator.schema["$ref"].split("/")[-1]]["required"]:
            assert not validator.is_valid({name: value for name, value in document.items() if name != key}), (
                key
            )


def test_an_analysis_that_was_changed_fails(
    small_dossier: Dossier, validators: dict[str, Draft202012Validator]
) -> None:
    document = json.loads(analysis_bytes(small_dossier))
    bet = {**document, "shoes": [{**document["shoes"][0], "insurance": [], "joint": [], "third_cards": []}]}
    few = {key: value[:1] if isinstance(value, list) else value for key, value in bet.items()}
    assert validators["analysis"].is_valid(few)
    assert not validators["analysis"].is_valid({**few, "more": 1})
    assert not validators["analysis"].is_valid(put(few, ("shoes", 0, "bets", 0, "house_edge"), "0.0129"))
    assert not validators["analysis"].is_valid(put(few, ("shoes", 0, "sample_space"), 14658134400))


# ---------------------------------------------------------------- the command


def test_the_command_lists_and_prints(run: Run) -> None:
    listed = run("schema", "--only", "schema", "--format", "csv").out.split()
    assert listed[1:] == list(schema_paths())
    assert run("schema", "odds").out == (FOLDER / "odds.json").read_text()


def said(ran: Ran) -> str:
    return message_of(ran).removeprefix("combinat: ")


def test_a_schema_that_is_none_is_refused_with_the_nearest(run: Run) -> None:
    assert said(run("schema", "ods")).startswith(
        'no schema "ods"; did you mean odds? The schemas are analysis,'
    )
    assert said(run("schema", "odds", "--format", "csv")) == (
        "--format: found csv; a schema is JSON: leave it out"
    )
