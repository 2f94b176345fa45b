"""docs/terminal.md is executed: its commands print what it shows."""

import re
import shlex
from pathlib import Path

import pytest

from tests.conftest import Run

TEXT = (Path(__file__).parent.parent / "docs" / "terminal.md").read_text("utf-8")
CONSOLE = re.findall(r"^```console\n\$ combinat (.*?)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("command", "shown"), CONSOLE, ids=[command for command, _ in CONSOLE])
def test_a_command_prints_what_the_page_shows(run: Run, command: str, shown: str) -> None:
    assert len(CONSOLE) == TEXT.count("```console")
    ran = run(*shlex.split(command))
    assert ran.out + ran.err == shown
