"""How the program starts: what each command loads, and that the list of commands says what they say."""

import inspect
import subprocess
import sys
from importlib import import_module

import pytest

from combinat.cli.app import COMMANDS
from combinat.cli.summaries import summary
from tests.conftest import Run
from tests.documents import NONCOMMISSION_2025


@pytest.mark.parametrize("command", COMMANDS)
def test_the_list_says_of_a_command_what_its_help_says(run: Run, command: str) -> None:
    place, _ = COMMANDS[command]
    module, _, function = place.partition(":")
    written = inspect.getdoc(getattr(import_module(f"combinat.cli.{module}"), function)) or ""
    said = " ".join(written.split("\n\n")[0].split())
    assert summary(place) == said
    assert said.endswith(".")
    assert said in " ".join(run(command, "--help").out.split())
    assert f" {command} {said} " in f" {' '.join(run('--help').out.split())} ".replace(
        "NAME- public", "NAME-public"
    )


def loaded(*arguments: str) -> set[str]:
    """The modules that the program has loaded when it is done with a command."""
    program = (
        "import sys\n"
        f"sys.argv = {['combinat', *arguments]!r}\n"
        "from combinat.cli import main\n"
        "try:\n"
        "    main()\n"
        "except SystemExit as leaving:\n"
        "    assert leaving.code == 0, leaving.code\n"
        "print(*sys.modules, file=sys.stderr)\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout != "") == (0, True), ran.stderr
    return set(ran.stderr.split())


ELSEWHERE = {"numpy", "sympy", "scipy", "rich", "polars", "numba", "typst", "cryptography", "matplotlib"}
"""Libraries that no table of odds needs."""


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["odds", "--help"]])
def test_a_word_about_the_program_loads_no_other_library(arguments: list[str]) -> None:
    modules = loaded(*arguments)
    assert "typer" in modules
    assert not (ELSEWHERE - {"typer"}) & modules
    if arguments[0] == "--help":
        commands = {f"combinat.cli.{place.partition(':')[0]}" for place, _ in COMMANDS.values()}
        assert not commands & modules


@pytest.mark.parametrize("arguments", [["games"], ["odds", NONCOMMISSION_2025]])
def test_games_and_odds_load_no_heavy_library(arguments: list[str]) -> None:
    assert not ELSEWHERE & loaded(*arguments)
