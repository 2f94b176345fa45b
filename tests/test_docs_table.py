"""The page on tables is executed: its commands print what it shows, and its file is the file beside it."""

import re
import shlex
from pathlib import Path

import pytest

from tests.conftest import Run

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "table.md").read_text("utf-8")
CONSOLE = re.findall(r"^```console\n\$ combinat (.*?)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
MENTIONED = re.findall(r"^```\ncombinat (.*?)\n```$", TEXT, re.MULTILINE)


def test_the_page_shows_commands() -> None:
    assert len(CONSOLE) == TEXT.count("```console") == 4
    assert len(MENTIONED) == 2


@pytest.mark.parametrize(("command", "shown"), CONSOLE, ids=[command for command, _ in CONSOLE])
def test_a_command_prints_what_the_page_shows(
    run: Run, monkeypatch: pytest.MonkeyPatch, command: str, shown: str
) -> None:
    monkeypatch.chdir(ROOT)
    command, _, from_line = command.partition(" | sed -n ")
    ran = run(*shlex.split(command))
    assert ran.out[ran.out.index(from_line.removeprefix("'/").removesuffix("/,$p'")) :] == shown
    assert (ran.code, ran.err) == (0, "")


@pytest.mark.parametrize("command", MENTIONED)
def test_a_command_that_the_page_mentions_works(
    run: Run, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(ROOT)
    ran = run(*shlex.split(command))
    assert (ran.code, ran.err) == (0, "")


def test_the_file_that_the_page_shows_is_the_one_beside_it() -> None:
    assert re.findall(r"^```toml\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL) == [
        (ROOT / "docs" / "table.toml").read_text("utf-8")
    ]
