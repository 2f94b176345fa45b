"""``crosscheck --follow``: a log that grows, watched by evidence that may be looked at any time; no alarm is lost."""

import json
import os
import signal
import subprocess
import sys
import time
from fractions import Fraction
from math import log, prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from combinat import Shoe
from combinat.audit.evidence import Gambler, RunningEvidence
from combinat.audit.judging.sequence import LogTable
from combinat.audit.judging.terms import LogTerms
from combinat.audit.reading.source import Incoming
from combinat.montecarlo.cell import Deals, Indices, winners_of
from combinat.montecarlo.simulation import Simulation
from tests.audit.logs import GAME, GIVEN, written
from tests.conftest import Ran, Run
from tests.dealing import (
    chosen_rows,
    log_text,
    rounds_of_their_own,
    shoe_log_text,
    whole_shoes,
)
from tests.documents import COMMISSION_2013
from tests.games import EIGHT
from tests.programs import process

LEVEL = log(1000)

# ---------------------------------------------------------------- the evidence


def test_a_gambler_with_chances_that_never_change_is_a_dirichlet_mixture() -> None:
    """What he holds is the exact chance of the events under the mixture, over that under the stated chances."""
    chances = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]
    events = [0, 2, 2, 1, 2, 0, 2]
    prior = np.array([float(12 * chance) for chance in chances])
    rows = np.broadcast_to(np.array([float(chance) for chance in chances]), (len(events), 3))
    holds = float(Gambler.new("", 12, 3).winnings(prior, rows, np.array(events)).sum())
    mixture = [
        (events[:number].count(event) + 12 * chances[event]) / (12 + number)
        for number, event in enumerate(events)
    ]
    assert holds == pytest.approx(log(prod(mixture) / prod(chances[event] for event in events)), rel=1e-12)


@pytest.mark.parametrize("next_chances", [[0.7, 0.2, 0.1], [0.0, 0.5, 0.5]])
def test_every_bet_is_fair(next_chances: list[float]) -> None:
    """Over all that can happen next, what a gambler holds is in the mean what he held: exactly 1 times it."""
    chances = np.array([[0.5, 0.3, 0.2], [0.1, 0.6, 0.3], [0.2, 0.2, 0.6], next_chances])
    prior, new = np.array([3.0, 2.0, 1.0]), Gambler.new
    logs = [new("", 6, 3).winnings(prior, chances, np.array([2, 2, 0, event]))[-1] for event in range(3)]
    factors = np.exp(logs)
    assert np.dot(factors, next_chances) == pytest.approx(1, rel=1e-12)


def fresh(seed: int, count: int, shoe: Shoe = EIGHT) -> tuple[Deals, Indices]:
    batch = Simulation(game=GAME, shoe=shoe, rounds=count, seed=seed).batch(0)
    return batch.dealt, batch.cells


def first_alarm(dealt: Deals, of_cells: Indices) -> int | None:
    """When the evidence meets the level, against rounds that are said to come from eight decks each."""
    left = np.broadcast_to(np.array(EIGHT.counts), (len(of_cells), 13))
    return RunningEvidence(LogTerms(GAME, EIGHT)).add(LogTable.new(), left, dealt, of_cells, LEVEL)


@pytest.mark.parametrize(
    ("fault", "most"),
    [("nines missing", 2_500), ("rows twice", 2_500), ("ties alone", 100), ("card again", 3_000)],
)
def test_faults_raise_an_alarm(fault: str, most: int) -> None:
    """Within so many rounds, at a level of 0.001: eight nines gone, one row of fifty twice, the first card before."""
    dealt, of_cells = fresh(2, 6_000, Shoe((*[32] * 8, 24, *[32] * 4)) if fault == "nines missing" else EIGHT)
    rows = np.arange(6_000)
    if fault == "rows twice":
        rows = np.repeat(rows, 1 + np.array(chosen_rows(1, 6_000, 0.02)).astype(int))
    elif fault == "ties alone":
        rows = np.flatnonzero(winners_of(of_cells) == 2)
    dealt, of_cells = dealt.take(rows), of_cells[rows]
    if fault == "card again":  # what the hands then draw is no matter here: ranks alone are looked at
        first = dealt.player[0].copy()
        copied = 1 + np.flatnonzero(chosen_rows(1, 5_999, 0.05))
        first[copied] = dealt.player[0][copied - 1]
        dealt = Deals(np.vstack([first, dealt.cards[1:]]))
    assert (first_alarm(dealt, of_cells) or most) < most


# ---------------------------------------------------------------- the command

HEADER = "round,player_cards,banker_cards,net:tie"
RIGHT, WRONG = "1,K 9,K 8,-1", "2,K 9,K 8,8"
ALARM = "line 5: wrong settlement: net:tie 8, due -1 by 4.1.2"
LOOK = ("crosscheck", "log.csv", "--follow", "--every", "0")
KEPT = (*LOOK, "--state", "state.json")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a log that holds a fault."""
    monkeypatch.chdir(tmp_path)
    return written(tmp_path, [HEADER, RIGHT, WRONG]).parent


def followed(run: Run, text: str, *words: str) -> Ran:
    """A look at a log with this text."""
    Path("log.csv").write_text(text, "utf-8")
    return run(*LOOK, *words)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("whole", [False, True])
def test_a_right_log_in_parts_ends_as_the_whole_does(run: Run, whole: bool) -> None:
    """The state of a watch that was stopped, also within a line, is that of one that never was: to the last bit."""
    text = shoe_log_text(whole_shoes(5, 6)) if whole else log_text(rounds_of_their_own(6, 300))
    lines = text.splitlines(keepends=True)
    for end in (9, 200, len(lines)):
        part = "".join(lines[:end]) + (lines[end][:7] if end < len(lines) else "")
        out = followed(run, part, "--state", "state.json").output()
        assert f"no alarm in {end - (4 if whole else 3)} rounds" in out
    followed(run, text, "--state", "other.json").output()
    assert json.loads(Path("state.json").read_text()) == json.loads(Path("other.json").read_text())


@pytest.mark.usefixtures("here")
def test_json_lines_are_followed_as_lines_of_csv_are(run: Run) -> None:
    """The same evidence of the same rounds, in parts; a line that is no object, and a wrong one, under their numbers."""
    rows = rounds_of_their_own(8, 40)
    objects = [
        json.dumps({"round": number, "player": player.split(), "banker": banker}) + "\n"
        for number, (player, banker) in enumerate(rows, 1)
    ]
    more = (*GIVEN, "--state", "state.json")
    for end in (7, 40):
        out = followed(run, "".join(objects[:end]) + objects[0][:10], *more).output()
        assert f"no alarm in {end} rounds" in out
    before = json.loads(Path("state.json").read_text())["gamblers"]
    ran = followed(run, "".join(objects) + '{\n{"round": 41, "player": "K 9 A", "banker": "K 8"}\n', *more)
    assert (ran.code, "line 41: unreadable row" in ran.err) == (1, True)
    assert ran.out.startswith("log.csv, line 42: impossible deal")
    followed(run, log_text(rows), "--state", "csv.json").output()
    assert before == json.loads(Path("csv.json").read_text())["gamblers"]


@pytest.mark.usefixtures("here")
def test_what_the_rules_contradict_is_an_alarm_at_once_and_an_unreadable_row_is_none(run: Run) -> None:
    rows = rounds_of_their_own(7, 5)
    for bad in (("K 9 A", "K 8"), ("K 9", "K 2 2")):
        ran = followed(run, log_text([*rows, bad]))
        assert (ran.code, ran.out.count("\n")) == (1, 1)
        assert ran.out.startswith("log.csv, line 9: impossible deal: ")
    ran = followed(run, log_text([("K 9", "K 8"), ("K X", "K 8")]))
    assert (ran.code, "log.csv, line 5: unreadable row: Player Hand: " in ran.err) == (2, True)


@pytest.mark.usefixtures("here")
def test_a_log_that_holds_faults_never_leaves_with_0(run: Run) -> None:
    """A fault is told once, and remembered at every start; evidence beyond chance is told again."""
    assert [run(*KEPT).code for _ in range(3)] == [1, 1, 1]
    with Path("log.csv").open("a") as growing:
        growing.write("3,K 9,K 8,-1\n")
    ran = run(*KEPT)
    assert (ran.code, ALARM in ran.out, "wrong settlement 1" in ran.out) == (1, False, True)
    ran = followed(run, log_text([("K 9", "9 K")] * 40), "--state", "other.json")
    again = run(*LOOK, "--state", "other.json")
    assert [(one.code, "off beyond chance" in one.out) for one in (ran, again)] == [(1, True)] * 2


@pytest.mark.usefixtures("here")
def test_a_foreign_log_goes_on_with_its_numbers(run: Run) -> None:
    """Tables are told apart and rounds numbered as if the log had been read at once."""
    rows = enumerate(rounds_of_their_own(9, 60))
    lines = [f"T{number % 3},{number // 3},{player},{banker}\n" for number, (player, banker) in rows]
    for end in (30, 60):
        text = "table,hand,player_hand,banker_hand\n" + "".join(lines[:end])
        out = followed(run, text, *GIVEN, "--state", "state.json").output()
        assert f"no alarm in {end} rounds" in out
    numbering = json.loads(Path("state.json").read_text())["numbering"]
    assert {name: counter["round"] for name, counter in numbering.items()} == {"T0": 20, "T1": 20, "T2": 20}


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("content", [b"PAR1....", b"\x1f\x8b\x08\n\n"], ids=["Parquet", "gzip"])
def test_what_cannot_grow_by_lines_is_refused(run: Run, content: bytes) -> None:
    Path("log.csv").write_bytes(content)
    assert "can be followed" in run(*LOOK, *GIVEN).refusal()


# ---------------------------------------------------------------- the state


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--alpha", "0.01"),
        ("--game", "tiger-buffalo-noncommission-2025"),
        ("--decks", "6"),
        ("log", "another"),
    ],
)
def test_a_state_of_something_else_is_refused(run: Run, option: str, value: str) -> None:
    text = "round,player_cards,banker_cards\n1,K 9,K 8\n"
    common = {"--game": COMMISSION_2013, "--decks": "8", "--state": "state.json", "--alpha": "0.001"}
    followed(run, text, *(word for pair in common.items() for word in pair)).output()
    if option == "log":
        text = text.replace("K 9", "K 8")
    else:
        common[option] = value
    followed(run, text, *(word for pair in common.items() for word in pair)).refusal()


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("gamblers", []),
        ("tables", {"": {"used": [1]}}),
        ("highest", "x"),
        ("highest", 1e999),
        ("more", 1),
        ("place.bytes", -5),
        ("place.bytes", 2**61),
        ("place.bytes", 2**70),
        ("place.line", 0),
        ("rounds", -5),
        ("faults.settlement", -1),
        ("undelivered", [5]),
    ],
)
def test_a_state_that_no_watch_writes_is_refused(run: Run, key: str, value: object) -> None:
    run(*KEPT)
    state: dict[str, Any] = json.loads(Path("state.json").read_text())
    *outer, last = key.split(".")
    inner = state[outer[0]] if outer else state
    inner[last] = value
    Path("state.json").write_text(json.dumps(state).replace("Infinity", "1e999"))
    run(*KEPT).refusal()


# ---------------------------------------------------------------- processes

RUN = "import sys; from combinat.cli import main; sys.exit(main())"


def look(before: str, source: str, text: str, redirect: str = "") -> Ran:
    """A look at a log in a process of its own. ``before``: Python that runs first."""
    line = f'"$0" -c "$1" crosscheck {source} --follow --every 0 --state state.json {redirect}'
    return process(["bash", "-c", line, sys.executable, f"{before}\n{RUN}"], given=text)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("source", "redirect"),
    [("log.csv", "> /dev/full"), ("-", "| exec true")],
    ids=["full", "gone"],
)
@pytest.mark.full
def test_an_alarm_that_could_not_be_printed_comes_at_the_next_start(source: str, redirect: str) -> None:
    text = Path("log.csv").read_text()
    is_piped = redirect.startswith("|")
    first = look("import time; time.sleep(0.5)" if is_piped else "", source, text, redirect)
    assert is_piped or first.code == 2
    again = look("", source, text.replace(",8\n", ",-1\n"))
    assert (again.code, ALARM in again.out) == (1, True)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("module", "name", "is_printed"),
    [
        ("combinat.cli.follow", "say_line", False),
        ("combinat.audit.follow", "write_state", True),
    ],
    ids=["before it is printed", "before the state is written"],
)
@pytest.mark.full
def test_a_kill_loses_no_alarm(module: str, name: str, is_printed: bool) -> None:
    kill = f"import os, {module}; {module}.{name} = lambda *given: os.kill(os.getpid(), 9)"
    killed = look(kill, "log.csv", "")
    assert (killed.code, ALARM in killed.out) == (-9, is_printed)
    again = look("", "log.csv", "")
    assert (again.code, ALARM in again.out) == (1, True)


def test_lines_come_as_they_are_written() -> None:
    reading, writing = os.pipe()
    feed = Incoming(reading)
    os.write(writing, b"one\ntw")
    assert feed.more() == b"one\n"
    os.write(writing, b"o\nthree")
    assert feed.more() == b"two\n"
    os.close(writing)
    assert (feed.more(), feed.has_ended, feed.more()) == (b"three\n", True, b"")
    os.close(reading)


@pytest.mark.usefixtures("signals_are_heard", "here")
@pytest.mark.full
def test_ctrl_c_keeps_the_state() -> None:
    Path("log.csv").write_text(log_text(rounds_of_their_own(1, 40)), "utf-8")
    words = ["-m", "combinat", "crosscheck", "log.csv", "--follow", "--every", "1", "--state", "state.json"]
    watch = subprocess.Popen([sys.executable, *words])
    try:
        deadline = time.monotonic() + 120
        while not Path("state.json").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        watch.send_signal(signal.SIGINT)
        assert watch.wait(60) == 130
    finally:
        watch.kill()
    assert json.loads(Path("state.json").read_text())["rounds"] == 40
    assert sorted(path.name for path in Path().iterdir()) == ["log.csv", "state.json"]
