"""docs/protect.md is executed: its commands print what it shows, and its file of counts can be used."""

import re
import shlex
from pathlib import Path

import pytest

from combinat.rules.count_file import parsed_counts
from tests.conftest import Run

PAGE = Path(__file__).parent.parent / "docs" / "protect.md"
TEXT = PAGE.read_text("utf-8")


def test_the_commands_print_what_the_page_shows(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = re.findall(r"^```console\n\$ combinat (.*?)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    assert len(commands) == TEXT.count("```console") == 2
    monkeypatch.chdir(tmp_path)
    for command, shown in commands:
        ran = run(*shlex.split(command))
        assert (ran.out, ran.code, ran.err) == (shown, 0, "")


def test_the_counts_of_the_page_can_be_read() -> None:
    (shown,) = re.findall(r"^```toml\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    (count,) = parsed_counts(shown.encode("utf-8"))
    assert (count.bet, str(count.index)) == ("tie", "7/2")


def test_every_option_that_says_what_is_dealt_is_on_the_page(run: Run) -> None:
    listed = set(re.findall(r"^\| `(--[a-z-]+)", TEXT, re.MULTILINE))
    assert listed <= set(re.findall(r"--[a-z-]+", run("protect", "--help").out))
    assert len(listed) == 8
