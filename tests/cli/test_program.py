"""The program itself: its version, help, examples, completion, and the names of its options."""

import ast
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

import combinat
from combinat import __version__
from combinat.cli.app import COMMANDS, SECTIONS
from tests.conftest import Run
from tests.documents import COMMISSION_2013, COMMISSION_2024, GAMES, NONCOMMISSION_2025
from tests.programs import PROGRAM, process

EXAMPLES = {command: entry.example for command, entry in COMMANDS.items()}


def test_the_module_is_the_program(run: Run, tmp_path: Path) -> None:
    assert run("--version").output() == f"combinat {__version__}\n"
    for words, code in ((["--version"], 0), (["rules", "no-such-game"], 2)):
        ran = process([*PROGRAM, *words], tmp_path)
        assert ran == run(*words)
        assert ran.code == code


# ---------------------------------------------------------------- help


@pytest.mark.parametrize(("command", "example"), EXAMPLES.items())
def test_the_help_of_every_command_shows_an_example(run: Run, command: str, example: str) -> None:
    shown = " ".join(run(command, "--help").output().split())
    assert re.findall(r"Example: (.*)", shown)[0].split() == example.split()
    assert example.startswith(f"combinat {command}")


def test_the_help_of_the_program_lists_every_command(run: Run) -> None:
    shown = run("--help").output()
    lines = [line.split(maxsplit=1) for line in shown.splitlines()]
    for title, entries in SECTIONS.items():
        assert f"{title}:" in shown.splitlines()
        assert all([command, entry.line] in lines for command, entry in entries.items())
    assert run("games", "-h") == run("games", "--help") == run("help", "games")
    assert run("help") == run("--help")
    nothing = run()
    assert (nothing.code, nothing.err) == (2, "")
    assert "Usage: combinat" in nothing.out


@pytest.mark.parametrize(
    "command", ["games", "rules", "odds", "insurance", "round", "settle", "ruling", "exposure"]
)
def test_the_example_of_a_command_works(run: Run, command: str) -> None:
    """Where it needs no file of the user's own."""
    assert run(*shlex.split(EXAMPLES[command])[1:]).output()


# ---------------------------------------------------------------- completion


@pytest.mark.parametrize(
    ("shell", "line"),
    [
        ("bash", "complete -o default -F _combinat_completion combinat"),
        ("zsh", "compdef _combinat_completion combinat"),
        ("fish", "complete --command combinat"),
    ],
)
def test_the_completion_script_can_be_shown(
    run: Run, monkeypatch: pytest.MonkeyPatch, shell: str, line: str
) -> None:
    monkeypatch.setenv("_COMBINAT_COMPLETE", f"source_{shell}")
    ran = run()
    assert (ran.code, line in ran.out) == (0, True)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        *(
            (f"{command} tiger-buffalo-n", [game_id for game_id in GAMES if "buffalo-n" in game_id])
            for command in ("rules", "settle", "report")
        ),
        (f"odds {NONCOMMISSION_2025} --bet big-t", ["big-tiger"]),
        (f"odds {COMMISSION_2013} --stake player", ["player=", "player-pair="]),
        (f"formula {COMMISSION_2013} banker-", ["banker-pair"]),
        (f"settle {COMMISSION_2013} --layout A", ["A"]),
        (f"odds {COMMISSION_2013} --reading pair", ["pair-by-rank"]),
        (f"ruling {COMMISSION_2024} --incident foreign", ["foreign-card"]),
        (f"settle {COMMISSION_2024} --procedure foreign", ["foreign-card"]),
        (f"settle {COMMISSION_2013} --insure player@f", ["player@four-cards="]),
        (f"solve {NONCOMMISSION_2025} tiger --line th", ["three", "cards"]),
        ("crosscheck x.csv --game tiger-buffalo-c", [COMMISSION_2024]),
        ("odds no-such-game --bet t", []),
    ],
)
def test_a_word_is_completed(run: Run, monkeypatch: pytest.MonkeyPatch, line: str, words: list[str]) -> None:
    monkeypatch.setenv("_COMBINAT_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", f"combinat {line}")
    monkeypatch.setenv("COMP_CWORD", str(len(line.split())))
    ran = run()
    assert (ran.out.split(), ran.err) == (words, "")


# ---------------------------------------------------------------- the names of options

OPTION = re.compile(r"(?:^|\s)--[a-z][a-z-]*+(?!:)")
"""An option in a text; ``--ink: #1a1a1a`` of a style sheet is none."""


def named_options(source: str) -> Iterator[str]:
    """The strings of a module that name an option; docstrings may."""
    tree = ast.parse(source)
    docstrings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in docstrings:
            yield from [node.value] if OPTION.search(node.value) else []


def test_only_the_command_line_knows_the_names_of_options() -> None:
    """The checker is a program with options of its own, which a report shows; VERIFY.txt shows commands."""
    package = Path(combinat.__file__).parent
    library = [
        path
        for path in package.rglob("*.py")
        if path.parent.name != "cli"
        and path.name not in ("checker.py", "report_files.py")
        and path != package / "report" / "filing" / "verification.py"
    ]
    assert len(library) > 50
    assert [(path.name, text) for path in library for text in named_options(path.read_text("utf-8"))] == []


def test_an_option_in_a_text_is_noticed() -> None:
    module = '''"""--documented"""
def one(stem):
    """As --out says."""
    return f"{stem}: choose another --out", "--decks N", "a -- b", "a--b", "{ --ink: #000; }"
'''
    assert set(named_options(module)) == {": choose another --out", "--decks N"}
