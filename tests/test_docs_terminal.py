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


def test_the_words_are_those_of_the_program(run: Run) -> None:
    """Every column of the odds and of insurance is in docs/words.md, or says what it is itself."""
    words = (Path(__file__).parent.parent / "docs" / "words.md").read_text("utf-8")
    plain = {"bet", "std dev", "P", "B", "fair", "favours"}
    for command in ("odds", "insurance"):
        lines = run(command, "commission-insurance-2013", "--part", "1", "--wide").out.splitlines()
        heads = set(re.split(r" {2,}", lines[0].strip()))
        missing = {
            head
            for head in heads - plain
            if f"`{head}`" not in words and f"`{head.removesuffix(' %')}" not in words
        }
        assert missing <= {"loses %"}
