"""The README is executed: its commands print what it shows, its Python says what it says."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

from tests.conftest import Run

README = Path(__file__).parent.parent / "README.md"
TEXT = README.read_text("utf-8")
CONSOLE = re.findall(r"^```console\n\$ combinat (.*?)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def test_the_readme_shows_commands() -> None:
    assert len(CONSOLE) == TEXT.count("```console") == 5


@pytest.mark.parametrize(("command", "shown"), CONSOLE, ids=[command for command, _ in CONSOLE])
def test_a_command_prints_what_the_readme_shows(run: Run, command: str, shown: str) -> None:
    ran = run(*shlex.split(command))
    assert ran.out == shown
    assert (ran.code, ran.err) == (0, "")


def test_the_python_of_the_readme_holds() -> None:
    tests = doctest.DocTestParser().get_doctest(TEXT, {}, README.name, str(README), 0)
    assert len(tests.examples) == 5
    ran = doctest.DocTestRunner().run(tests)
    assert (ran.failed, ran.attempted) == (0, 5)


def test_the_hand_log_of_the_readme_is_what_simulate_writes(run: Run, tmp_path: Path) -> None:
    shown = re.findall(r"^```csv\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    command = re.search(r"`combinat (simulate [^`]*?--out) log.csv`", TEXT)
    assert command is not None
    run(*shlex.split(command[1]), str(tmp_path / "log.csv"))
    assert [(tmp_path / "log.csv").read_text("utf-8")] == shown
    assert run("crosscheck", str(tmp_path / "log.csv"), "--settlement-only").code == 0


def test_the_counts_of_the_readme_can_be_judged(run: Run, tmp_path: Path) -> None:
    (shown,) = re.findall(r"^```json\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    (tmp_path / "counts.json").write_text(shown, "utf-8")
    assert run("crosscheck", str(tmp_path / "counts.json")).code == 0


def test_every_command_is_in_the_readme() -> None:
    from combinat.cli.app import COMMANDS

    listed = set(re.findall(r"^\| `combinat (\w+)", TEXT, re.MULTILINE))
    assert listed == set(COMMANDS)
