"""Every wrong command line of ``tests/refusals.toml`` gets its message. The wording of a message is asserted there alone."""

import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import SMALL_BOOK, VOCABULARY, Run
from tests.documents import COMMISSION_2013, NONCOMMISSION_2024, NONCOMMISSION_2025
from tests.paths import ROOT, TESTS

PLACES = {
    "small": SMALL_BOOK,
    "vocabulary": VOCABULARY,
    "mistakes": SMALL_BOOK.with_name("many-mistakes.toml"),
    "insured": COMMISSION_2013,
    "tiger": NONCOMMISSION_2025,
    "plus": NONCOMMISSION_2024,
    "docs": ROOT / "docs",
}

SUBJECTS: dict[str, list[dict[str, Any]]] = tomllib.loads((TESTS / "refusals.toml").read_text("utf-8"))
REFUSALS = [
    pytest.param(entry, id=f"{subject}: {entry['argv']}")
    for subject, entries in SUBJECTS.items()
    for entry in entries
]


@pytest.mark.parametrize("entry", REFUSALS)
def test_a_wrong_command_line_gets_its_message(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entry: dict[str, Any]
) -> None:
    assert entry.keys() <= {"argv", "says", "files", "environment"}
    monkeypatch.chdir(tmp_path)
    files = {name: text.encode("utf-8") for name, text in entry.get("files", {}).items()}
    for name, content in files.items():
        Path(name).write_bytes(content)
    for name, value in entry.get("environment", {}).items():
        monkeypatch.setenv(name, value)
    assert run(*shlex.split(entry["argv"].format(**PLACES))).refusal() == entry["says"]
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == files
