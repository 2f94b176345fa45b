"""``crosscheck --follow``: a log that grows, watched by evidence that may be looked at any time."""

import json
import os
import signal
import subprocess
import sys
import time
from fractions import Fraction
from math import log, prod
from pathlib import Path

import numpy as np
import pytest

from combinat import Shoe, load_game
from combinat.audit.evidence import STRENGTHS, Evidence, Gambler
from combinat.audit.feed import Incoming
from combinat.audit.replay import _winners
from combinat.audit.serial import Last
from combinat.simulate.cell import Indices, Six, cells, chosen
from combinat.simulate.simulation import Simulation
from tests.conftest import Ran, Run
from tests.dealing import (
    EIGHT,
    Row,
    chosen_rows,
    log_text,
    rounds_of_their_own,
    shoe_batch,
    shoe_log_text,
    whole_shoes,
)
from tests.documents import COMMISSION_2013

GAME = load_game(COMMISSION_2013)
LEVEL = log(1000)


def written(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


def once(run: Run, log_file: Path, *words: str) -> Ran:
    """A look at what is there."""
    return run("crosscheck", str(log_file), "--follow", "--every", "0", *words)


# ---------------------------------------------------------------- the evidence


def test_a_gambler_with_chances_that_never_change_is_a_dirichlet_mixture() -> None:
    """What he holds is the exact chance of the events under the mixture, over that under the stated chances."""
    chances = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]
    events = [0, 2, 2, 1, 2, 0, 2]
    gambler = Gambler(np.array([float(12 * chance) for chance in chances]))
    rows = np.broadcast_to(np.array([float(chance) for chance in chances]), (len(events), 3))
    holds = float(gambler.winnings(rows, np.array(events)).sum())
    seen, mixture = [Fraction(0)] * 3, Fraction(1)
    for number, event in enumerate(events):
        mixture *= (seen[event] + 12 * chances[event]) / (12 + number)
        seen[event] += 1
    assert holds == pytest.approx(log(mixture / prod(chances[event] for event in events)), rel=1e-12)


def test_every_bet_is_fair() -> None:
    """Over all that can happen next, what a gambler holds is in the mean what he held: exactly 1 times it."""
    chances = np.array([[0.5, 0.3, 0.2], [0.1, 0.6, 0.3], [0.2, 0.2, 0.6]])
    for next_chances in ([0.7, 0.2, 0.1], [0.0, 0.5, 0.5]):
        factors = []
        for event in range(3):
            gambler = Gambler(np.array([3.0, 2.0, 1.0]))
            happened = np.array([2, 2, 0, event])
            logs = gambler.winnings(np.vstack([chances, next_chances]), happened)
            factors.append(float(np.exp(logs[-1])))
        assert np.dot(factors, next_chances) == pytest.approx(1, rel=1e-12)


def fresh(seed: int, count: int, shoe: Shoe = EIGHT) -> tuple[Six, Indices]:
    batch = Simulation(game=GAME, shoe=shoe, rounds=count, seed=seed).batch(0)
    return batch.dealt, batch.cells


def evidence_of(dealt: Six, of_cells: Indices) -> tuple[Evidence, int | None]:
    """The evidence against rounds that are said to come from eight decks each; and when it met the level."""
    evidence = Evidence(GAME, EIGHT, whole_shoes=False)
    left = np.broadcast_to(np.array(EIGHT.counts), (len(of_cells), 13))
    return evidence, evidence.add(Last(), left, dealt, of_cells, LEVEL)


def left_before(seed: int, shoes: int, shoe: Shoe, cut: int) -> tuple[np.ndarray, Six, Indices]:
    """Rounds of whole shoes, counted card by card."""
    batch = shoe_batch(seed, shoes, shoe, cut, burn=shoe.size > 60)
    assert batch.shoes is not None
    left, rows, last = list(shoe.counts), [], -1
    cards = np.stack([*batch.dealt.player, *batch.dealt.banker], axis=1).tolist()
    for number, six in zip(batch.shoes.tolist(), cards, strict=True):
        if number != last:
            left, last = list(shoe.counts), number
        rows.append(left.copy())
        for card in six:
            if card < 13:
                left[card] -= 1
    return np.array(rows), batch.dealt, batch.cells


def test_right_rounds_raise_no_alarm() -> None:
    evidence, met = evidence_of(*fresh(1, 6_000))
    assert (met, evidence.rounds) == (None, 6_000)
    assert evidence.highest < LEVEL


FAULTS = ["eight nines missing", "one row of fifty twice", "ties alone", "the first card of the round before"]


@pytest.mark.parametrize(("fault", "most"), list(zip(FAULTS, [2_500, 2_500, 100, 3_000], strict=True)))
def test_faults_raise_an_alarm(fault: str, most: int) -> None:
    """Within so many rounds, at a level of 0.001."""
    dealt, of_cells = fresh(2, 6_000)
    if fault == FAULTS[0]:
        counts = list(EIGHT.counts)
        counts[8] -= 8
        dealt, of_cells = fresh(2, 6_000, Shoe(tuple(counts)))
    elif fault == FAULTS[1]:
        times = 1 + np.array(chosen_rows(1, 6_000, 0.02)).astype(int)
        rows = np.repeat(np.arange(6_000), times)
        dealt, of_cells = chosen(dealt, rows), of_cells[rows]
    elif fault == FAULTS[2]:
        rows = np.flatnonzero(_winners(of_cells) == 2)
        dealt, of_cells = chosen(dealt, rows), of_cells[rows]
    else:  # what the hands then draw is no matter here: ranks alone are looked at
        first = dealt.player[0].copy()
        copied = 1 + np.flatnonzero(chosen_rows(1, 5_999, 0.05))
        first[copied] = dealt.player[0][copied - 1]
        dealt = Six((first, *dealt.player[1:]), dealt.banker)
    _, met = evidence_of(dealt, of_cells)
    assert met is not None
    assert met < most


def test_whole_shoes_are_judged_by_the_cards_left() -> None:
    """A dealer who deals every round from a fresh deck shows in a log of whole shoes of one deck."""
    one = Shoe.of_decks(1)
    left, dealt, of_cells = left_before(3, 100, one, 14)
    evidence = Evidence(GAME, one, whole_shoes=True)
    assert evidence.add(Last(), left, dealt, of_cells, LEVEL) is None
    otherwise = Evidence(GAME, one, whole_shoes=False)
    same = np.broadcast_to(np.array(one.counts), left.shape)
    otherwise.add(Last(), same, dealt, of_cells, LEVEL)
    assert otherwise.logarithm != pytest.approx(evidence.logarithm)


@pytest.mark.parametrize("whole", [False, True])
def test_parts_come_to_the_same_as_the_whole(whole: bool) -> None:
    """To the last bit, however a log is cut."""
    left, dealt, of_cells = left_before(4, 60, EIGHT, 300)
    cut = 700
    together, parts = (Evidence(GAME, EIGHT, whole_shoes=whole) for _ in range(2))
    together.add(Last(), left, dealt, of_cells, LEVEL)
    last, numbers = Last(), np.arange(len(of_cells))
    for some in (numbers[:1], numbers[1:cut], numbers[cut:]):
        parts.add(last, left[some], chosen(dealt, some), of_cells[some], LEVEL)
    assert len(of_cells) > cut
    for name, gambler in together.gamblers.items():
        assert (parts.gamblers[name].holds, parts.gamblers[name].seen.tolist()) == (
            gambler.holds,
            gambler.seen.tolist(),
        )
        assert parts.gamblers[name].expected.tolist() == gambler.expected.tolist()


# ---------------------------------------------------------------- the command


def test_a_right_log_in_parts_ends_as_the_whole_does(run: Run, tmp_path: Path) -> None:
    """The state of a watch that was stopped twice is that of one that never was."""
    text = shoe_log_text(whole_shoes(5, 6))
    lines = text.splitlines(keepends=True)
    log_file, state = tmp_path / "log.csv", tmp_path / "state.json"
    for end in (9, 200, len(lines)):
        written(log_file, "".join(lines[:end]))
        ran = once(run, log_file, "--state", str(state))
        assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"{log_file}: no alarm in {len(lines) - 4} rounds")
    once(run, log_file, "--state", str(tmp_path / "other.json"))
    assert json.loads(state.read_text()) == json.loads((tmp_path / "other.json").read_text())


def test_json_lines_are_followed_as_lines_of_csv_are(run: Run, tmp_path: Path) -> None:
    """The same evidence of the same rounds, in parts; a line that is no object, and a wrong one, under their numbers."""
    rows = rounds_of_their_own(8, 40)
    objects = [json.dumps({"round": n, "player": p.split(), "banker": b}) for n, (p, b) in enumerate(rows, 1)]
    log_file, state, csv_state = tmp_path / "log.jsonl", tmp_path / "state.json", tmp_path / "csv.json"
    said = ("--game", COMMISSION_2013, "--decks", "8", "--state")
    for end in (7, 40):
        written(log_file, "".join(f"{line}\n" for line in objects[:end]) + objects[0][:10])
        assert once(run, log_file, *said, str(state)).out.startswith(f"{log_file}: no alarm in {end} rounds")
    once(run, written(tmp_path / "log.csv", log_text(rows)), "--state", str(csv_state))
    gamblers = [json.loads(file.read_text())["gamblers"] for file in (state, csv_state)]
    assert gamblers[0] == gamblers[1]
    wrong = json.dumps({"round": 41, "player": "K 9 A", "banker": "K 8"})
    written(log_file, "".join(f"{line}\n" for line in [*objects, "{", wrong]))
    ran = once(run, log_file, *said, str(state))
    assert (ran.code, ran.err) == (
        1,
        f"combinat: warning: {log_file}, line 41: unreadable row: not readable as JSON\n",
    )
    assert ran.out.startswith(f"{log_file}, line 42: impossible deal: Player Hand")


def test_a_line_that_is_being_written_is_left_for_the_next_look(run: Run, tmp_path: Path) -> None:
    text = log_text(rounds_of_their_own(6, 20))
    log_file = written(tmp_path / "log.csv", text[:-3])
    state = tmp_path / "state.json"
    assert "no alarm in 19 rounds" in once(run, log_file, "--state", str(state)).out
    written(log_file, text)
    assert "no alarm in 20 rounds" in once(run, log_file, "--state", str(state)).out


BAD: dict[str, tuple[Row, str]] = {
    "impossible": (("K 9 A", "K 8"), "impossible deal: Player Hand: the third card A is against the Table"),
    "over": (("K 9", "K 2 2"), "impossible deal: "),
}


@pytest.mark.parametrize("kind", BAD)
def test_what_the_rules_contradict_is_an_alarm_at_once(run: Run, tmp_path: Path, kind: str) -> None:
    row, said = BAD[kind]
    rows = rounds_of_their_own(7, 5)
    log_file = written(tmp_path / "log.csv", log_text([*rows, row]))
    ran = once(run, log_file)
    assert ran.code == 1
    assert ran.out.startswith(f"{log_file}, line 9: {said}")
    assert ran.out.count("\n") == 1


def test_a_wrong_settlement_is_an_alarm_once(run: Run, tmp_path: Path) -> None:
    """It is told, and the watch goes on from there when it is started again."""
    head = f"# game: {COMMISSION_2013}\n# decks: 8\nround,player_cards,banker_cards,net:tie\n"
    log_file, state = tmp_path / "log.csv", tmp_path / "state.json"
    written(log_file, head + "1,K 9,K 8,-1\n2,K 9,K 8,8\n3,K 9,K 8,-1\n")
    ran = once(run, log_file, "--state", str(state))
    assert ran.code == 1
    assert f"{log_file}, line 5: wrong settlement: net:tie 8, due -1 by 4.1.2" in ran.out
    again = once(run, log_file, "--state", str(state))
    said = f"{log_file}: no new alarm; faults found before: wrong settlements 1\n"
    assert (again.code, again.out) == (1, said)


def test_evidence_is_an_alarm_that_stays(run: Run, tmp_path: Path) -> None:
    ties = [row for row in rounds_of_their_own(8, 1_500) if row[0].split() == row[1].split()[::-1]]
    rows = ties or [("K 9", "9 K")]
    log_file, state = tmp_path / "log.csv", tmp_path / "state.json"
    written(log_file, log_text(rows * 40))
    ran = once(run, log_file, "--state", str(state))
    assert ran.code == 1
    assert "off beyond chance in " in ran.out
    assert "1000 to 1, which a right log ever does with a chance of 0.001 at the most" in ran.out
    again = once(run, log_file, "--state", str(state))
    assert (again.code, "off beyond chance" in again.out) == (1, True)


def test_unreadable_rows_are_told_and_not_condemned(run: Run, tmp_path: Path) -> None:
    log_file = written(tmp_path / "log.csv", log_text([("K 9", "K 8"), ("K X", "K 8")]))
    ran = once(run, log_file)
    assert ran.code == 2
    assert f"{log_file}, line 5: unreadable row: Player Hand: " in ran.err
    assert "1 rows could not be read" in ran.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--alpha", "0.01"], "alpha: the state is of 1/1000, and this is 1/100"),
        (["--game", "tiger-buffalo-noncommission-2025"], "game: the state is of commission-insurance-2013"),
        (["--decks", "6"], "shoe: the state is of "),
    ],
)
def test_a_state_of_something_else_is_refused(run: Run, tmp_path: Path, words: list[str], said: str) -> None:
    text = "round,player_cards,banker_cards\n1,K 9,K 8\n"
    log_file, state = written(tmp_path / "log.csv", text), tmp_path / "state.json"
    common = {"--game": COMMISSION_2013, "--decks": "8", "--state": str(state)}
    assert once(run, log_file, *(word for pair in common.items() for word in pair)).code == 0
    common[words[0]] = words[1]
    ran = once(run, log_file, *(word for pair in common.items() for word in pair))
    assert ran.code == 2
    assert ran.err.startswith(f"combinat: --state: {state}: {said}")
    assert "begin again with another state" in ran.err


def test_a_state_of_another_file_is_refused(run: Run, tmp_path: Path) -> None:
    log_file, state = tmp_path / "log.csv", tmp_path / "state.json"
    written(log_file, log_text(rounds_of_their_own(1, 30)))
    assert once(run, log_file, "--state", str(state)).code == 0
    written(log_file, log_text(rounds_of_their_own(2, 60)))
    ran = once(run, log_file, "--state", str(state))
    assert (ran.code, ran.out) == (2, "")
    assert "not the file that the state is of" in ran.err


@pytest.mark.parametrize(
    "text", ["", "{}", "[1]", '{"schema": "combinat/watch/1"}', "\x00", '{"schema": "combinat/watch/9"}']
)
def test_what_is_no_state_is_refused(run: Run, tmp_path: Path, text: str) -> None:
    log_file = written(tmp_path / "log.csv", log_text(rounds_of_their_own(1, 3)))
    state = written(tmp_path / "state.json", text)
    ran = once(run, log_file, "--state", str(state))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"combinat: --state: {state}: no state of a watch")
    assert state.read_text() == text


@pytest.mark.parametrize(
    ("key", "value"), [("gamblers", []), ("tables", {"": {"used": [1]}}), ("highest", "x"), ("more", 1)]
)
def test_a_state_that_was_changed_is_refused(run: Run, tmp_path: Path, key: str, value: object) -> None:
    log_file, state = tmp_path / "log.csv", tmp_path / "state.json"
    written(log_file, log_text(rounds_of_their_own(1, 3)))
    once(run, log_file, "--state", str(state))
    written(state, json.dumps(json.loads(state.read_text()) | {key: value}))
    ran = once(run, log_file, "--state", str(state))
    assert (ran.code, ran.err.count("\n")) == (2, 1)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--follow", "--report", "x.html"], "--report is of a whole log"),
        (["--follow", "--settlement-only"], "--settlement-only is of a whole log"),
        (["--state", "x.json"], "--state goes with --follow"),
        (["--every", "1"], "--every goes with --follow"),
    ],
)
def test_options_that_do_not_go_together(run: Run, tmp_path: Path, words: list[str], said: str) -> None:
    log_file = written(tmp_path / "log.csv", log_text([("K 9", "K 8")]))
    ran = run("crosscheck", str(log_file), *words)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


def test_the_log_is_no_place_for_the_state(run: Run, tmp_path: Path) -> None:
    log_file = written(tmp_path / "log.csv", log_text([("K 9", "K 8")]))
    ran = once(run, log_file, "--state", str(log_file))
    assert (ran.code, "is the log to follow" in ran.err) == (2, True)


@pytest.mark.parametrize(
    "content", [b'[{"round": 1}]\n{}\n', b"PAR1....", b"\x1f\x8b\x08\n\n", b"PBBTP\nPB\n"]
)
def test_what_cannot_grow_by_lines_is_refused(run: Run, tmp_path: Path, content: bytes) -> None:
    log_file = tmp_path / "log.csv"
    log_file.write_bytes(content)
    ran = run("crosscheck", str(log_file), "--follow", "--every", "0", "--game", COMMISSION_2013)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "can be followed" in ran.err


def test_a_foreign_log_goes_on_with_its_numbers(run: Run, tmp_path: Path) -> None:
    """Tables are told apart and rounds numbered as if the log had been read at once."""
    rows = rounds_of_their_own(9, 60)
    lines = [f"T{number % 3},{number // 3},{p},{b}\n" for number, (p, b) in enumerate(rows)]
    header = "table,hand,player_hand,banker_hand\n"
    log_file, state = tmp_path / "log.csv", tmp_path / "state.json"
    common = ["--game", COMMISSION_2013, "--decks", "8", "--state", str(state)]
    for end in (30, 60):
        written(log_file, header + "".join(lines[:end]))
        ran = once(run, log_file, *common)
        assert (ran.code, ran.err) == (0, "")
    assert "no alarm in 60 rounds" in ran.out
    numbering = json.loads(state.read_text())["numbering"]
    assert {name: counter["round"] for name, counter in numbering.items()} == {"T0": 20, "T1": 20, "T2": 20}


def program(*words: str) -> list[str]:
    return [sys.executable, "-m", "combinat", "crosscheck", *words]


def test_standard_input_is_followed_to_its_end() -> None:
    text = log_text([("K 9", "K 8")] * 3) + "4,K 9 A,K 8\n5,K 9,K 8\n"
    ran = subprocess.run(program("-", "--follow"), input=text, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (1, "")
    assert ran.stdout.startswith("standard input, line 7: impossible deal")


def test_lines_come_as_they_are_written() -> None:
    reading, writing = os.pipe()
    try:
        feed = Incoming(reading)
        os.write(writing, b"one\ntw")
        assert feed.more() == b"one\n"
        os.write(writing, b"o\nthree")
        assert feed.more() == b"two\n"
        os.close(writing)
        assert (feed.more(), feed.has_ended, feed.more()) == (b"three\n", True, b"")
    finally:
        os.close(reading)


@pytest.mark.usefixtures("signals_are_heard")
def test_ctrl_c_keeps_the_state(tmp_path: Path) -> None:
    log_file, state = tmp_path / "log.csv", tmp_path / "state.json"
    written(log_file, log_text(rounds_of_their_own(1, 40)))
    watch = subprocess.Popen(program(str(log_file), "--follow", "--every", "1", "--state", str(state)))
    try:
        deadline = time.monotonic() + 120
        while not state.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        watch.send_signal(signal.SIGINT)
        assert watch.wait(60) == 130
    finally:
        watch.kill()
    assert json.loads(state.read_text())["rounds"] == 40
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


# ---------------------------------------------------------------- over many seeds


@pytest.mark.full
@pytest.mark.parametrize(("decks", "seeds"), [(None, 120), (8, 40), (1, 80)])
def test_a_right_log_hardly_ever_raises_an_alarm(decks: int | None, seeds: int) -> None:
    """At a level of 0.05, looked at after every one of some 4,000 rounds: in no more logs than chance allows."""
    from scipy import stats

    alarms = 0
    for seed in range(seeds):
        shoe = Shoe.of_decks(decks or 8)
        if decks is None:
            dealt, of_cells = fresh(seed, 4_000)
            left = np.broadcast_to(np.array(shoe.counts), (4_000, 13))
        else:
            left, dealt, of_cells = left_before(seed, 400 // decks if decks == 1 else 50, shoe, 14)
        evidence = Evidence(GAME, shoe, whole_shoes=decks is not None)
        alarms += evidence.add(Last(), left, dealt, of_cells, log(20)) is not None
    assert alarms <= int(stats.binom.ppf(0.99, seeds, 0.05))


def test_gamblers_learn_at_different_speeds() -> None:
    assert sorted({strength for _, strength in Evidence(GAME, EIGHT, False).gamblers}) == sorted(STRENGTHS)
    assert cells(fresh(1, 3)[0]).tolist() == fresh(1, 3)[1].tolist()
