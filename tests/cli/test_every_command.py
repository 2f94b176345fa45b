"""What holds of every command in a terminal: it fits 80 columns, has no colours, and says one thing once."""

import io
import re
import sys
from pathlib import Path

import pytest

from combinat.cli.app import COMMANDS
from tests.audit.made_up_players import PLAYERS, dealt, write_log
from tests.cli.every_command import SHOWN, WRITING, lines, words, write_inputs
from tests.cli.test_faults import message_of
from tests.conftest import Ran, Run
from tests.documents import COMMISSION_2013

WIDTH = 80
FIGURE = re.compile(r"[+-]?\d[\d,]*(?:\.\d+|/\d+)")
COPIED = ("next: ", "check it: ", "chart: ")
"""Lines that are copied whole."""

FOLDED = {"odds", "compare", "insurance", "removal", "table", "ruling", "count"}
"""Commands with tables that 80 columns have no room for."""


def test_every_command_is_tried() -> None:
    tried = {line.split()[0] for line in (*lines(SHOWN), *lines(WRITING))}
    assert tried == set(COMMANDS) - {"report"}  # which takes longer, and is tried by tests/test_report.py


class Terminal(io.StringIO):
    """Standard output that somebody looks at."""

    def isatty(self) -> bool:
        """It is one."""
        return True


def test_every_command_fits_80_columns(
    run: Run, small_report: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No line is longer, no figure is lost or torn, and there is no escape sequence among them."""
    monkeypatch.chdir(tmp_path)
    write_inputs(tmp_path)
    write_log(tmp_path / "staked.csv", dealt(2, seed=1), PLAYERS)
    for line in (*lines(WRITING), *lines(SHOWN)):
        asked = words(line, small_report=small_report)
        shown = seen_in_a_terminal(run, monkeypatch, *asked)
        long = [row for row in shown.out.splitlines() if len(row) > WIDTH and not row.startswith(COPIED)]
        assert long == [], line
        assert shown.out or line in lines(WRITING), line
        assert "\x1b" not in shown.out, line
        if asked[0] in FOLDED:
            wide = run(*asked, "-q", "--wide", columns="1000")
            assert set(FIGURE.findall(wide.out)) == set(FIGURE.findall(shown.out)), line


def seen_in_a_terminal(run: Run, monkeypatch: pytest.MonkeyPatch, *asked: str) -> Ran:
    screen = Terminal()
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", screen)
        ran = run(*asked, "-q", columns=str(WIDTH))
    return Ran(ran.code, screen.getvalue(), ran.err)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_fits_80_columns(run: Run, command: str) -> None:
    shown = run(command, "--help").out
    assert [row for row in shown.splitlines() if len(row) > WIDTH] == []
    assert {"-q, --quiet", "--debug"} <= set(re.findall(r"-q, --quiet|--debug", shown))


def test_every_command_that_prints_a_table_has_the_options_of_tables(run: Run) -> None:
    for command in {line.split()[0] for line in lines(SHOWN)}:
        shown = run(command, "--help").out
        for option in ("--format", "--only", "--sort", "--places", "--part", "--wide", "--out"):
            assert f"{option} " in shown, (command, option)
        assert "text|markdown|csv|json|latex" in shown, command


# ---------------------------------------------------------------- colours, and who looks


@pytest.mark.parametrize("term", ["dumb", "xterm-256color"])
@pytest.mark.parametrize("no_color", [None, "1"])
def test_nothing_that_is_printed_has_colours(
    run: Run, monkeypatch: pytest.MonkeyPatch, term: str, no_color: str | None
) -> None:
    """Neither in a terminal nor in a pipe, neither results nor mistakes; where nobody looks there is no progress."""
    monkeypatch.setenv("TERM", term)
    monkeypatch.setenv("FORCE_COLOR", "1")
    if no_color:
        monkeypatch.setenv("NO_COLOR", no_color)
    asked = ("odds", COMMISSION_2013, "--decks", "3")
    shown, piped = seen_in_a_terminal(run, monkeypatch, *asked), run(*asked)
    assert "\x1b" not in shown.out + shown.err + piped.out + piped.err
    assert "\x1b" not in run("odds", COMMISSION_2013, "--bet", "tye").err


def test_progress_has_no_colours_where_none_are_wanted(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bar that moves, and nothing of it in colour; with -q there is none."""
    colours = re.compile(r"\x1b\[(?!0?m)[\d;]+m")
    asked = ("simulate", COMMISSION_2013, "--rounds", "2000", "--out", str(tmp_path / "sim.json"))

    def told(*more: str) -> str:
        screen = Terminal()
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stderr", screen)
            assert run(*more, *asked).code == 0
        return screen.getvalue()

    monkeypatch.setenv("NO_COLOR", "1")
    assert not colours.search(told())
    assert told("-q") == ""


# ---------------------------------------------------------------- quiet, before and after


def test_quiet_may_stand_before_the_command_and_after_it(run: Run) -> None:
    asked = ("odds", COMMISSION_2013, "--decks", "3")
    loud = run(*asked)
    assert message_of(Ran(2, "", loud.err)).startswith("warning: ")
    for said in (("-q", *asked), ("--quiet", *asked), (*asked, "-q"), ("-q", *asked, "-q")):
        quiet = run(*said)
        assert (quiet.code, quiet.out, quiet.err) == (0, loud.out, "")
    assert run(*asked).err == loud.err
    assert message_of(run("-q", "odds", COMMISSION_2013, "--bet", "tye")).startswith(COMMISSION_2013)


# ---------------------------------------------------------------- what the environment says


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        (
            "COMBINAT_GAME",
            "comission-2013",
            'COMBINAT_GAME: no game "comission-2013"; did you mean commission-',
        ),
        (
            "COMBINAT_GAME",
            "tiger",
            'COMBINAT_GAME: game "tiger" could be tiger-buffalo-commission-plus-2024, ',
        ),
        ("COMBINAT_GAME", "nowhere.toml", "COMBINAT_GAME: nowhere.toml: "),
        ("COMBINAT_DECKS", "4-8", 'COMBINAT_DECKS: found "4-8"; write a whole number of 1 or more'),
        ("COMBINAT_DECKS", "0", 'COMBINAT_DECKS: found "0"; write a whole number of 1 or more'),
    ],
)
def test_a_wrong_value_of_the_environment_is_said_by_its_name(
    run: Run, monkeypatch: pytest.MonkeyPatch, name: str, value: str, said: str
) -> None:
    monkeypatch.setenv("COMBINAT_GAME", COMMISSION_2013)
    monkeypatch.setenv(name, value)
    assert message_of(run("odds")).startswith(said)
    if name == "COMBINAT_GAME":  # where one is written, the environment is not looked at
        assert run("odds", COMMISSION_2013).code == 0
        assert message_of(run("odds", "nope")).startswith('no game "nope"')


# ---------------------------------------------------------------- the nearest that there is


@pytest.mark.parametrize(
    ("asked", "near"),
    [
        ("odd comm", "did you mean odds?"),
        ("odds comission-2013", "did you mean commission-insurance-2013?"),
        ("odds comm --bet tye", "did you mean tie?"),
        ("odds comm --bett tie", "did you mean --bet?"),
        ("odds comm --only bet,hose-edge", "did you mean house edge %?"),
        ("odds comm --sort stddev", "did you mean std dev?"),
        ("odds comm --format jsn", "did you mean json?"),
        ("odds comm --reading pair-by-rnk", "did you mean pair-by-rank?"),
        ("insurance comm --hand plyer", "did you mean player?"),
        ("ruling comm --incident squeze", "did you mean squeeze?"),
        (
            "settle comm --player 'K 6' --banker '2 3 9' --insure player@fourcards=3",
            "did you mean player@four-cards?",
        ),
        ("report comm --formats htm", "did you mean html?"),
        ("schema insurnce", "did you mean insurance?"),
    ],
)
def test_a_mistake_is_one_line_with_the_nearest(run: Run, asked: str, near: str) -> None:
    assert near in message_of(run(*words(asked)))
