"""The page on the workbook: its commands print what it shows, and its sheets are those that there are."""

import re
import shlex
from pathlib import Path

import pytest

from combinat.errors import CombinatError
from combinat.report.workbook.words import CONTENTS
from tests.conftest import Run

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "workbook.md").read_text("utf-8")


def test_the_sheets_are_those_of_the_workbook() -> None:
    assert re.findall(r"^\| ([A-Z]\w+) \|", TEXT, re.MULTILINE) == list(CONTENTS)


def test_the_command_prints_what_the_page_shows(run: Run) -> None:
    ((command, shown),) = re.findall(
        r"^```console\n\$ combinat (.*?) \| sed .*?\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL
    )
    ran = run(*shlex.split(command))
    assert (ran.code, ran.out.endswith(shown), "house edge %  std dev\n" in shown) == (0, True, True)


def test_the_report_that_it_mentions_is_written(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read and accepted as far as the work itself, which is another test's."""
    (command,) = re.findall(r"^```\ncombinat (.*?)\n```$", TEXT, re.MULTILINE)

    def begin(*_: object) -> None:
        raise CombinatError("work was begun")

    monkeypatch.setattr("combinat.cli.report.dossier", begin)
    ran = run(*shlex.split(command))
    assert (ran.code, ran.err) == (2, "combinat: work was begun\n")
