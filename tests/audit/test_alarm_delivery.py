"""``crosscheck --follow --state``: an alarm is lost neither by an output that fails nor by a kill."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from combinat import follow
from tests.conftest import Run
from tests.documents import COMMISSION_2013
from tests.paths import ROOT

HEAD = f"# game: {COMMISSION_2013}\n# decks: 8\nround,player_cards,banker_cards,net:tie\n"
RIGHT, WRONG = "1,K 9,K 8,-1\n", "2,K 9,K 8,8\n"
ALARM = "line 5: wrong settlement: net:tie 8, due -1 by 4.1.2"
RUN = "import sys; from combinat.cli import main; sys.exit(main())"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a log that holds a fault."""
    monkeypatch.chdir(tmp_path)
    Path("log.csv").write_text(HEAD + RIGHT + WRONG, "utf-8")
    return tmp_path


def process(before: str, source: str, log: str, redirect: str = "") -> "subprocess.CompletedProcess[str]":
    """A look at a log in a process of its own. ``before``: Python that runs first."""
    line = f'"$0" -c "$1" crosscheck {source} --follow --every 0 --state state.json {redirect}'
    return subprocess.run(
        ["bash", "-c", line, sys.executable, f"{before}\n{RUN}"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        input=log,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("source", ["log.csv", "-"], ids=["file", "standard input"])
@pytest.mark.parametrize("redirect", ["> /dev/full", "| exec true", ">&-"], ids=["full", "gone", "closed"])
def test_an_alarm_that_could_not_be_printed_comes_at_the_next_start(
    here: Path, source: str, redirect: str
) -> None:
    pause = "import time; time.sleep(0.5)" if redirect.startswith("|") else ""
    first = process(pause, source, HEAD + RIGHT + WRONG, redirect)
    if not redirect.startswith("|"):
        assert first.returncode == 2
    again = process("", source, HEAD + RIGHT + (WRONG if redirect == ">&-" else "2,K 9,K 8,-1\n"))
    assert again.returncode == 1
    assert ALARM in again.stdout


@pytest.mark.parametrize(
    ("function", "is_printed"),
    [("combinat.cli.follow.say_line", False), ("combinat.audit.watch_state.write_state", True)],
    ids=["before it is printed", "before the state is written"],
)
def test_a_kill_loses_no_alarm(here: Path, function: str, is_printed: bool) -> None:
    module, _, name = function.rpartition(".")
    kill = f"import os, {module}; {module}.{name} = lambda *given: os.kill(os.getpid(), 9)"
    killed = process(kill, "log.csv", "")
    assert killed.returncode == -9
    assert (ALARM in killed.stdout) is is_printed
    again = process("", "log.csv", "")
    assert again.returncode == 1
    assert ALARM in again.stdout


def test_a_log_that_holds_faults_never_leaves_with_0(run: Run, here: Path) -> None:
    words = ("crosscheck", "log.csv", "--follow", "--every", "0", "--state", "state.json")
    assert [run(*words).code for _ in range(3)] == [1, 1, 1]
    with Path("log.csv").open("a") as log:
        log.write("3,K 9,K 8,-1\n")
    ran = run(*words)
    assert (ran.code, ALARM in ran.out, "wrong settlements 1" in ran.out) == (1, False, True)


def test_python_says_so_at_every_look(here: Path) -> None:
    first, second = (follow("log.csv", state="state.json") for _ in range(2))
    assert [look.has_alarmed for look in (first, second)] == [True, True]
    assert (first.faults, second.faults, second.alarms) == (1, 1, ())


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (("place", "bytes"), -5),
        (("place", "bytes"), 2**61),
        (("place", "bytes"), 2**70),
        (("place", "line"), 0),
        (("rounds",), -5),
        (("faults", "wrong"), -1),
        (("highest",), 1e999),
        (("undelivered",), [5]),
    ],
    ids=str,
)
def test_a_state_that_no_watch_writes_is_refused(
    run: Run, here: Path, key: tuple[str, ...], value: object
) -> None:
    words = ("crosscheck", "log.csv", "--follow", "--every", "0", "--state", "state.json")
    run(*words)
    state: dict[str, Any] = json.loads(Path("state.json").read_text())
    *outer, last = key
    inner = state
    for name in outer:
        inner = inner[name]
    inner[last] = value
    Path("state.json").write_text(json.dumps(state).replace("Infinity", "1e999"))
    ran = run(*words)
    assert (ran.code, ran.out) == (2, "")
