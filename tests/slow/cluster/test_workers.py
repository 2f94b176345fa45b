"""Who deals does not matter: processes, a cluster, workers that die, a program that is killed: the same bytes."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.conftest import SMALL_BOOK
from tests.paths import ROOT
from tests.programs import PROGRAM, contents, process, program, wait_for

WORDS = [
    "protect",
    str(SMALL_BOOK),
    "--decks",
    "2",
    "--bet",
    "six",
    "--bet",
    "player@four-cards",
    "--seed",
    "11",
]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "DASK_DISTRIBUTED__WORKER__DAEMON": "True"}


def study(folder: Path, name: str, *more: str) -> dict[str, bytes]:
    """What a run that comes to its end writes."""
    ran = process([*PROGRAM, *WORDS, "--out", name, *more], folder)
    assert (ran.code, ran.err) == (0, "")
    assert not list(folder.glob(f"{name}.partial*"))
    return contents(folder / name)


def blocks_kept(partial: Path) -> int:
    with suppress(FileNotFoundError):
        return len(json.loads(partial.read_text("ascii"))["blocks"])
    return 0


# ---------------------------------------------------------------- a cluster


@contextmanager
def ended(*words: str) -> Iterator["subprocess.Popen[bytes]"]:
    """A process that is ended with the test."""
    silent = subprocess.DEVNULL
    process = subprocess.Popen([sys.executable, *words], env=ENVIRONMENT, stdout=silent, stderr=silent)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


WORKER = """
import sys
from distributed.cli.dask_worker import main
main([sys.argv[1], "--nthreads", "1", "--nworkers", "1", "--no-nanny", "--no-dashboard"])
"""
SCHEDULER = """
import sys
from distributed.cli.dask_scheduler import main
main(["--port", "0", "--host", "127.0.0.1", "--no-dashboard", "--no-show", "--scheduler-file", sys.argv[1]])
"""


def test_a_cluster_whose_worker_dies_gives_the_same_bytes(tmp_path: Path) -> None:
    """Two workers; one is killed when some blocks are done, and its block is dealt by the other."""
    shoes = ("--shoes", "60000")
    alone = study(tmp_path, "alone", *shoes, "--workers", "1")
    file = tmp_path / "scheduler.json"
    with ended("-c", SCHEDULER, str(file)):
        wait_for(lambda: json.loads(file.read_text("utf-8") or "null"))
        address = json.loads(file.read_text("utf-8"))["address"]
        with ended("-c", WORKER, address) as one, ended("-c", WORKER, address) as other:
            words = [*WORDS, "--out", "cluster", *shoes, "--workers", address]
            with program(words, tmp_path) as running:
                partial = tmp_path / "cluster.partial.json"
                wait_for(lambda: blocks_kept(partial) >= 1 or running.poll() is not None)
                assert running.poll() is None, "it was done before a worker could be killed"
                one.kill()
                _, complaint = running.communicate(timeout=120)
            assert (running.returncode, complaint) == (0, "")
            assert one.wait() == -signal.SIGKILL
            assert other.poll() is None
    assert contents(tmp_path / "cluster") == alone


def test_a_cluster_of_its_own_and_processes_give_the_same_bytes(tmp_path: Path) -> None:
    shoes = ("--shoes", "4100")
    alone = study(tmp_path, "alone", *shoes, "--workers", "1")
    assert study(tmp_path, "processes", *shoes, "--workers", "2") == alone
    assert study(tmp_path, "local", *shoes, "--workers", "local") == alone


def test_a_scheduler_that_does_not_answer_is_said(tmp_path: Path) -> None:
    with program(
        [*WORDS, "--out", "x", "--shoes", "50", "--workers", "tcp://127.0.0.1:9"], tmp_path
    ) as running:
        _, complaint = running.communicate(timeout=60)
    assert running.returncode == 2
    assert complaint.count("\n") == 1
    assert complaint.startswith("combinat: tcp://127.0.0.1:9: no scheduler answers")
    assert contents(tmp_path) == {}


# ---------------------------------------------------------------- processes that die


def workers_of(process: int) -> list[int]:
    """The processes that a program started to deal."""
    children: list[str] = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):  # a thread that has ended
            children += task.read_text("ascii").split()
    workers = []
    for child in children:
        with suppress(OSError):
            if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                workers.append(int(child))
    return workers


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="looks for processes in /proc")
def test_a_worker_that_is_killed_costs_its_blocks_alone(tmp_path: Path) -> None:
    shoes = ("--shoes", "60000")
    alone = study(tmp_path, "alone", *shoes, "--workers", "1")
    with program([*WORDS, "--out", "two", *shoes, "--workers", "2"], tmp_path) as running:
        partial = tmp_path / "two.partial.json"
        wait_for(lambda: blocks_kept(partial) >= 1 or running.poll() is not None)
        assert running.poll() is None
        os.kill(workers_of(running.pid)[0], signal.SIGKILL)
        _, complaint = running.communicate(timeout=120)
    assert (running.returncode, complaint) == (0, "")
    assert contents(tmp_path / "two") == alone


@pytest.mark.usefixtures("signals_are_heard")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_run_stopped_at_any_moment_goes_on_to_the_same_bytes(tmp_path: Path, how: signal.Signals) -> None:
    """Several times over; nothing is lost but what was not yet kept, and nothing is left at the end."""
    shoes = ("--shoes", "7000")
    whole = study(tmp_path, "whole", *shoes)
    chance, kept = random.Random(how), [0]
    for _ in range(3):
        with program([*WORDS, "--out", "study", *shoes, "--resume", "--workers", "2"], tmp_path) as running:
            with suppress(subprocess.TimeoutExpired):
                running.wait(chance.uniform(0.5, 6))
            workers = workers_of(running.pid) if running.poll() is None else []
            running.send_signal(how)
            running.wait(60)
        wait_for(lambda dead=workers: not any(Path(f"/proc/{one}").exists() for one in dead))
        kept.append(blocks_kept(tmp_path / "study.partial.json"))
        if (tmp_path / "study").exists():
            break
        assert kept[-1] >= kept[-2]
    goes_on = ("--resume",) if (tmp_path / "study.partial.json").exists() else ()
    assert study(tmp_path, "study", *shoes, *goes_on) == whole
    assert sorted(path.name for path in tmp_path.iterdir()) == ["study", "whole"]


@pytest.mark.usefixtures("signals_are_heard")
def test_two_signals_stop_it_at_once(tmp_path: Path) -> None:
    with program([*WORDS, "--out", "study", "--shoes", "100000", "--workers", "2"], tmp_path) as running:
        wait_for(lambda: blocks_kept(tmp_path / "study.partial.json") >= 1)
        running.send_signal(signal.SIGINT)
        time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        _, complaint = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "Traceback" not in complaint
    assert blocks_kept(tmp_path / "study.partial.json") >= 1


def in_group(group: int) -> list[str]:
    """The processes of a group that still run."""
    alive = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, _, of = path.read_text("ascii").rpartition(") ")[2].split()[:3]
            alive += [path.parent.name] if int(of) == group and state != "Z" else []
    return alive


@pytest.mark.usefixtures("signals_are_heard")
@pytest.mark.parametrize("who", [["--workers", "2"], ["--workers", "local"]], ids=["processes", "cluster"])
@pytest.mark.parametrize("blocks", [0, 1], ids=["at-once", "later"])
def test_ctrl_c_at_a_terminal_is_heard_by_the_program_alone(
    tmp_path: Path, who: list[str], blocks: int
) -> None:
    """It goes to every process of the terminal: none of them says a word but the program, and all are gone."""
    words = [*WORDS, "--out", "study", "--shoes", "300000", *who]
    with subprocess.Popen(
        [*PROGRAM, *words],
        cwd=tmp_path,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as running:
        partial = tmp_path / "study.partial.json"
        wait_for(lambda: partial.exists() and blocks_kept(partial) >= blocks)
        time.sleep(0.5)
        os.killpg(running.pid, signal.SIGINT)
        out, complaint = running.communicate(timeout=60)
    assert (running.returncode, out) == (130, "")
    assert complaint.count("\n") == 1
    assert complaint.startswith("combinat: stopped after ")
    wait_for(lambda: not in_group(running.pid))
