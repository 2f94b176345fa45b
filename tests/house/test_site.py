"""The site of the documentation: the pages that are made from the program, and what was built (``make docs``)."""

import datetime
import json
import re
import sys
import tomllib
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from jsonschema import Draft7Validator

import combinat
from combinat.base.errors import InputError
from combinat.cli.app import COMMANDS, imported
from combinat.report.schemas import TOML_TEXTS, rule_book_schema
from combinat.rules import bounds
from combinat.rules.document import RuleDocument
from combinat.rules.facts import ThirdSet, TotalPoints
from combinat.rules.odds import Odds, Published, Share
from combinat.rules.value_sets import PointSet, PointsOrNone
from tests.paths import ROOT, stored
from tests.rules.books import BOOKS as ANY_BOOKS

sys.path.append(str(ROOT / "docs" / "site"))

import commands_page
import doctests
import hook
import notebook_page
import python_page
import rule_book_page

# ---------------------------------------------------------------- the JSON Schema of rule books

SCHEMA = rule_book_schema()
CORPUS = sorted((ROOT / "tests" / "corpus" / "rulebooks").glob("*.toml"))
BOOKS = [
    *(ROOT / "tables").glob("*.toml"),
    *(ROOT / "docs" / "gallery").glob("*.toml"),
    *(path for path in (ROOT / "tests" / "books").glob("*.toml") if "schema = 1" in path.read_text("utf-8")),
    *(path for path in CORPUS if path.stem in ("good", "good-plain", "good-table")),
]


def faults(path: Path) -> list[str]:
    """What the schema refuses in a TOML file, where an editor would mark it."""

    def plain(value: Any) -> Any:
        return value.isoformat() if isinstance(value, datetime.date | datetime.time) else str(value)

    try:
        data = json.loads(json.dumps(tomllib.loads(path.read_text("utf-8")), default=plain))
    except ValueError as error:
        return [f"no TOML: {error}"]
    return [f"{fault.json_path}: {fault.message}" for fault in Draft7Validator(SCHEMA).iter_errors(data)]


def test_the_schema_is_one() -> None:
    Draft7Validator.check_schema(SCHEMA)


def test_every_rule_book_that_loads_fits_the_schema() -> None:
    assert len(BOOKS) >= 17
    wrong = {path.name: faults(path) for path in BOOKS if path.stem != "many-mistakes"}
    assert [name for name, refused in wrong.items() if refused] == []


def test_an_unknown_key_or_a_wrong_type_does_not() -> None:
    """Every file of the corpus that is refused for one, or for a key that is missing."""
    begins = re.compile(
        r"# .*(unknown key|: missing; give it (?!.*, or state|a date)|[;?] [wW]rite (a list|a table|one of \")|characters; write)"
    )
    refused = [path for path in CORPUS if begins.match(path.read_text("utf-8").split("\n")[0])]
    assert len(refused) > 50
    assert [path.name for path in refused if not faults(path)] == []


def test_books_of_every_build_fit_the_schema(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    for name, book in ANY_BOOKS.items():
        path.write_text(book.text, "utf-8")
        assert faults(path) == [], name


WORDS = [
    "0",
    "5",
    "9",
    "12",
    "0-5",
    "6-7",
    "7-6",
    "none",
    ",",
    "1.5",
    " to ",
    " less ",
    "5%",
    "%",
    "-",
    "push",
    "lose",
    " ",
]
"""Pieces of the small texts of a rule book, right and wrong."""


def test_what_the_loader_reads_as_a_text_of_its_own_the_schema_takes() -> None:
    """And what it takes beyond that is little: what only reckoning shows, such as a range from high to low."""
    random = Random(19)
    texts = ["".join(random.choices(WORDS, k=random.randint(1, 4))) for _ in range(1_500)] + [
        "3 to 2 less 4%"
    ]
    for kind in (Odds, Share, Published, PointSet, PointsOrNone, TotalPoints, ThirdSet):
        fits, reader = Draft7Validator(TOML_TEXTS[kind]), getattr(kind, "__metadata__", [kind])[0]
        read = [text for text in [*texts, *range(12)] if is_read(reader, text)]
        assert len(read) > 3
        assert [text for text in read if not fits.is_valid(text)] == [], kind
        beyond = [text for text in texts if fits.is_valid(text) and not is_read(reader, text)]
        assert len(beyond) < len(texts) // 10, kind


def is_read(kind: Any, written: object) -> bool:
    """Whether the loader takes it."""
    try:
        kind.parse(written)
    except InputError:
        return False
    return True


@pytest.mark.parametrize(
    ("written", "instead", "at"),
    [
        ('odds = "8 to 1"', 'odds = "8 for 1"', "odds"),
        ('odds = "8 to 1"', "odds = 8", "odds"),
        ('winner = "tie"', 'winer = "tie"', "pays"),
        ('winner = "tie"', 'winner = ["tie", "tie"]', "winner"),
        ("schema = 1", "schema = 2", "schema"),
        ('status = "draft"', 'status = "done"', "status"),
        ('status = "draft"', "", "$: 'operator' is a required"),
        ('id = "tie"', 'id = "The Tie"', "id"),
        ('id = "tie"', "", "'id' is a required"),
        ("pays = [", "decks = { least = 0, most = 8 }\npays = [", "decks"),
    ],
)  # fmt: skip
def test_what_an_editor_marks(tmp_path: Path, written: str, instead: str, at: str) -> None:
    book = 'schema = 1\nid = "g"\nname = "G"\nstatus = "draft"\n[[bets]]\nid = "tie"\npays = [{ winner = "tie", odds = "8 to 1" }]\n'
    path = stored(tmp_path, book, "g.toml")
    assert faults(path) == []
    path.write_text(book.replace(written, instead), "utf-8")
    assert at in " ".join(faults(path))


def records(kind: Any, known: dict[str, Any]) -> dict[str, Any]:
    """The tables within a table of the rule book, by name."""
    known[kind.__name__] = kind
    for field in msgspec.structs.fields(kind):
        for inner in re.findall(r"combinat\.rules\.[\w.]+\.(\w+)", str(field.type)):
            module = sys.modules[re.search(rf"(combinat\.rules\.[\w.]+)\.{inner}\b", str(field.type))[1]]  # type: ignore[index]
            one = getattr(module, inner)
            if isinstance(one, type) and issubclass(one, msgspec.Struct) and inner not in known:
                records(one, known)
    return known


def test_every_key_has_a_meaning_and_a_line_in_the_reference() -> None:
    tables = records(RuleDocument, {})
    keys = {
        name: {field.encode_name for field in msgspec.structs.fields(kind)} for name, kind in tables.items()
    }
    keys["RuleDocument"].add("base")
    drawn = {"RuleDocument": SCHEMA, **SCHEMA["$defs"]}
    assert {
        name: {key for key, value in drawn[name]["properties"].items() if value["description"]}
        for name in tables
    } == keys
    page = rule_book_page.rule_book_page()
    assert page.count("\n| `") == sum(map(len, keys.values()))
    assert f"at most {bounds.LISTS['bets']} |" in page
    assert '| `otherwise` | `"lose"`, `"push"` | no: `"lose"` |' in page
    assert "| `operator` | text, at most 100 characters | document |" in page


# ---------------------------------------------------------------- the other pages that are made


def test_the_reference_of_commands_has_every_command_and_option() -> None:
    page = commands_page.commands_page()
    sections = dict(re.findall(r"^## (\S+)\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL))
    assert list(sections) == list(COMMANDS)
    for name, section in sections.items():
        shown = [
            one for one in imported(name).params if not getattr(one, "hidden", False) and one.name != "help"
        ]
        assert section.count("\n| `") == len(shown), name
        assert [one.name for one in shown if not one.help] == [], name
        assert f"`{COMMANDS[name][1]}`" in section


def test_the_reference_of_the_library_has_every_public_name() -> None:
    listed = re.findall(r"^::: (\S+)\.(\w+)$", python_page.python_page(), re.MULTILINE)
    words = {name: home for home, named in python_page.GIVEN.items() for name in named}
    assert {name for _, name in listed} == {*dir(combinat), *words} - {"analyze", "__version__"}


def test_the_reference_has_what_signatures_call_what_is_given() -> None:
    sources = "".join(path.read_text("utf-8") for path in (ROOT / "combinat").rglob("*.py"))
    named = {name for names in python_page.GIVEN.values() for name in names}
    assert set(re.findall(r"\b[A-Z]\w*Given\b", sources)) == {
        name for name in named if name.endswith("Given")
    }


def test_examples_of_docstrings_are_code() -> None:
    assert doctests.fenced("So.\n\n>>> 1\n1\n\nAnd so.") == "So.\n\n```pycon\n>>> 1\n1\n```\n\nAnd so."


def test_a_notebook_is_a_page() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Title\n", "words"]},
        {
            "cell_type": "code",
            "source": ["1 + 1"],
            "outputs": [
                {"output_type": "stream", "text": ["said\n"]},
                {
                    "output_type": "execute_result",
                    "data": {"text/plain": ["2"], "text/html": ["<table>\n\n</table>"]},
                },
            ],
        },
    ]
    assert notebook_page.notebook_page(json.dumps({"cells": cells})) == (
        '# Title\nwords\n\n```python\n1 + 1\n```\n\n```text\nsaid\n```\n\n<div class="shown">\n<table>\n</table>\n</div>\n'
    )


def test_no_page_is_left_out_of_the_navigation() -> None:
    places = [
        "index.md",
        "new.md",
        "tutorials/filing.md",
        "notebooks/first.md",
        "commands.md",
        "changelog.md",
    ]
    assert hook.ordered(places) == [
        {"Home": "index.md"},
        {"Tutorials": [{"Filing an analysis": "tutorials/filing.md"}]},
        {"Guides": ["new.md"]},
        {"Notebooks": ["notebooks/first.md"]},
        {"Reference": [{"Commands and files": "commands.md"}]},
        {"For developers": [{"Changelog": "changelog.md"}]},
    ]


def test_links_of_a_page_of_the_root_lead_to_the_site() -> None:
    links = (
        "[a](docs/index.md#b), [c](README.md), [d](tests/x.py), [e](SECURITY.md#f), [g](https://example.org)"
    )
    led = "[a](index.md#b), [c](readme-page.md), d, [e](security.md#f), [g](https://example.org)"
    assert hook.of_the_root(links) == led
