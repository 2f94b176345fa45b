"""What the pages name is there: every path, every name in a file. And what is there, the pages of formats name."""

import ast
import json
import re
from functools import cache
from pathlib import Path

from combinat.certify.certificate import Predicate
from tests.house.pages import FENCED, PAGES
from tests.paths import ROOT

TOP = "combinat|tests|tables|docs|proof|output"
NAMED = re.compile(rf"`((?:{TOP})/[\w./-]*)`(?:\s+\(((?:`\w+`(?:,\s+)?)+)\))?")
"""A path of the checkout, and after it in brackets the names that it defines: ``path`` (``one``, ``other``)."""

STANDS_FOR = re.compile(r"/\d+\Z|/[A-Z]+\.\w+\Z|\Atables/.*\.csv\Z")
"""No path of ours: a schema (``combinat/odds/1``), a name that stands for any (``tables/ID.toml``), a table of a report."""


def named(text: str) -> list[tuple[str, list[str]]]:
    """Every path that a page names, outside of its examples, each with the names that it is said to have."""
    return [
        (path, re.findall(r"\w+", names))
        for path, names in NAMED.findall(FENCED.sub("", text))
        if not STANDS_FOR.search(path)
    ]


@cache
def defined(path: Path) -> set[str]:
    """What a Python file defines, at its top or in a class."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return names


def missing(text: str) -> list[str]:
    """What a page names and is not there."""
    absent = []
    for path, names in named(text):
        if not (ROOT / path).exists():
            absent.append(path)
        elif names:
            absent += [f"{path} ({name})" for name in names if name not in defined(ROOT / path)]
    return absent


def test_every_path_and_name_of_a_page_is_there() -> None:
    absent = {page.name: missing(page.read_text("utf-8")) for page in PAGES}
    assert {name: paths for name, paths in absent.items() if paths} == {}


def test_what_is_not_there_would_be_noticed() -> None:
    text = (
        "`combinat/engine/walk.py` (`walk`,\n`run`) and `combinat/motor.py`\n```text\n`docs/none.md`\n```\n"
    )
    assert missing(text) == ["combinat/engine/walk.py (run)", "combinat/motor.py"]


def test_the_pages_for_developers_name_every_room_and_many_files() -> None:
    paths = {path for path, _ in named((ROOT / "docs" / "house.md").read_text("utf-8"))}
    rooms = {path for path in (ROOT / "combinat").iterdir() if (path / "__init__.py").exists()}
    assert {f"combinat/{room.name}/" for room in rooms} <= paths
    assert len(paths) > 60


def test_the_parts_of_the_checker_are_those_of_the_page() -> None:
    source = (ROOT / "combinat" / "certify" / "checker.py").read_text("utf-8")
    parts = re.findall(r"^# -{20,} (.*)$", source, re.MULTILINE)
    page = (ROOT / "docs" / "reports.md").read_text("utf-8")
    table = page.partition("| part | what to look at |\n|---|---|\n")[2].partition("\n\n")[0]
    assert re.findall(r"^\| ([^|]*) \|", table, re.MULTILINE) == parts


FORMATS = "\n".join((ROOT / "docs" / name).read_text("utf-8") for name in ("reports.md", "commands.md"))


def first_column(heading: str) -> set[str]:
    """The words in the first column of the table of a section of the pages on files."""
    _, _, section = FORMATS.partition(f"\n## {heading}\n")
    rows = re.findall(r"^\| (`[^|]*) \|", section.partition("\n## ")[0], re.MULTILINE)
    return {word for row in rows for word in re.findall(r"`([^`]+)`", row)}


def test_the_formats_have_every_key_of_an_analysis_and_of_a_certificate() -> None:
    analysis = ROOT / "output" / "commission-insurance-2013" / "analysis.json"
    assert first_column("`analysis.json`") == set(json.loads(analysis.read_text("ascii")))
    assert first_column("`certificate.json`") == set(Predicate.__struct_fields__)


def test_the_formats_have_every_schema() -> None:
    sources = [*(ROOT / "combinat").rglob("*.py"), *(ROOT / "combinat").rglob("*.js")]
    schemas = {
        schema
        for path in sources
        for schema in re.findall(r'["`](combinat/[a-z-]+/\d+)["`]', path.read_text("utf-8"))
    }
    assert len(schemas) > 25
    assert first_column("JSON documents") == schemas
