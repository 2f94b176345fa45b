"""How the program starts: what each command loads, and that the list of commands says what they say.

``make bench`` measures a start as a ratio to ``import typer``.
"""

import tomllib
from pathlib import Path

import pytest

from combinat import __version__, load_game
from combinat.base.errors import RuleBookError
from combinat.cli.app import COMMANDS
from combinat.rules.book.find import rule_book_paths
from combinat.rules.book.listing import summary
from tests.conftest import SMALL_BOOK, Run
from tests.documents import COMMISSION_2013, GAMES, NONCOMMISSION_2025
from tests.paths import ROOT, stored
from tests.programs import python

WATCHED = """
import sys
sys.addaudithook(lambda event, words: event == "open" and str(words[0]).endswith(".toml") and opened.add(str(words[0])))
opened = set()
sys.argv = ["combinat", *sys.argv[1:]]
from tests.paths import stored
from combinat.cli import main
try:
    main()
except SystemExit as leaving:
    assert leaving.code == 0, leaving.code
print(len(opened), *sys.modules, file=sys.stderr)
"""


def started(*arguments: str) -> tuple[int, set[str]]:
    """How many rule books a command has read, and the modules it has loaded, when it is done."""
    ran = python("-c", WATCHED, *arguments)
    assert (ran.code, ran.out != "") == (0, True), ran.err
    books, *modules = ran.err.split()
    return int(books), set(modules)


HEAVY = {"numpy", "sympy", "scipy", "rich", "polars", "numba", "typst", "cryptography", "matplotlib"}
"""Libraries that no list and no table of odds needs."""

SLOW = {
    "tabulate",
    "typing_extensions",
    "importlib.metadata",
    "tempfile",
    "json",
    "html",
    "csv",
    "unicodedata",
}
"""Smaller ones, each of which takes as long to load as a game takes to count, or a good part of it."""


@pytest.mark.parametrize("arguments", [["--version"], ["--help"]])
def test_a_word_about_the_program_loads_no_command_and_no_library(arguments: list[str]) -> None:
    books, modules = started(*arguments)
    assert (books, "typer" in modules) == (0, True)
    assert not (HEAVY | SLOW | {"msgspec", "fractions", "tomllib"}) & modules
    commands = {f"combinat.cli.{place.partition(':')[0]}" for place, *_ in COMMANDS.values()}
    assert not commands & modules


def test_the_help_of_a_command_loads_no_heavy_library() -> None:
    books, modules = started("odds", "--help")
    assert books == 0
    assert not (HEAVY | SLOW) & modules


CHECKS = {"combinat.rules.book.consistency", "hashlib"}
"""What checks a rule book, and the library's way to a hash; a shipped rule book was checked beforehand."""


@pytest.mark.parametrize(
    "line",
    [
        ["odds", NONCOMMISSION_2025],
        ["odds", "tiger-buffalo-noncommission-2"],
        ["insurance", COMMISSION_2013],
        ["round", COMMISSION_2013, "--player", "5 K", "--banker", "K 6"],
        ["settle", COMMISSION_2013, "--player", "K 6", "--banker", "2 3 9", "--stake", "player=100"],
        ["rules", NONCOMMISSION_2025],
    ],
    ids=lambda line: line[0],
)
def test_everyday_commands_load_one_rule_book_and_no_heavy_library(line: list[str]) -> None:
    books, modules = started(*line)
    assert books == 1
    assert not (HEAVY | SLOW | CHECKS | {"dataclasses"}) & modules


def test_all_that_odds_can_show_loads_no_heavy_library() -> None:
    extra = ["--detail", "--joint", "--stake", "tiger=5", "--interpretations", "--format", "json"]
    assert not HEAVY & started("odds", NONCOMMISSION_2025, "--bet", "tiger", *extra)[1]


def test_a_rule_book_of_ones_own_is_read_and_checked() -> None:
    _, modules = started("--quiet", "odds", str(SMALL_BOOK))
    assert "combinat.rules.book.consistency" in modules


def test_the_list_of_games_reads_each_rule_book_once_and_builds_no_game() -> None:
    books, modules = started("games")
    assert books == len(GAMES)
    assert not (HEAVY | SLOW | CHECKS | {"combinat.rules.game", "combinat.rules.book.reader"}) & modules


def test_the_list_of_games_is_what_the_rule_books_say(run: Run) -> None:
    """Though it checks none of them."""
    for listing in map(summary, rule_book_paths().values()):
        game = load_game(listing.id)
        assert tuple(listing) == (
            *(game.id, game.name, game.version or None, game.in_force, game.decks.least, game.decks.most),
            *(len(game.layouts), len(game.bets)),
            game.insurance_terms.name if game.insurance_terms else "none",
        )


@pytest.mark.parametrize("text", ["id = ", "id = 3", "schema = 1", 'id = "x"\neffective = 1\ndecks = 3'])
def test_a_file_among_the_rule_books_that_is_none(tmp_path: Path, text: str) -> None:
    path = stored(tmp_path, text, "broken.toml")
    with pytest.raises(RuleBookError, match=r"broken\.toml"):
        summary(path)


# ---------------------------------------------------------------- the end of the process

ENDING = """
import atexit, sys, threading
from combinat.cli import program
{before}
sys.argv = ["combinat", *sys.argv[1:]]
program()
"""


@pytest.mark.parametrize(
    ("before", "more"),
    [
        ("", ""),
        ("atexit.register(lambda: print('at the end'))", "at the end\n"),
        (
            "threading.Thread(target=lambda: (threading.main_thread().join(), print('a thread'))).start()",
            "a thread\n",
        ),
    ],
    ids=["nothing else", "somebody is called at the end", "a thread runs"],
)
@pytest.mark.parametrize(("argument", "code"), [("--version", 0), ("no-such-command", 2)])
def test_the_process_ends_at_once_and_loses_nothing(before: str, more: str, argument: str, code: int) -> None:
    ran = python("-c", ENDING.format(before=before), argument)
    assert ran.code == code
    assert ran.out == (f"combinat {__version__}\n" if code == 0 else "") + more
    assert ran.err.count("\n") == (code != 0)


def test_the_console_script_ends_so() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert project["project"]["scripts"] == {"combinat": "combinat.cli:program"}
