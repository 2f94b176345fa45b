"""A command runs no code from the folder that it is started in: a stranger's delivery may lie there."""

import os
from pathlib import Path

import pytest

from combinat.errors import WorkerError
from combinat.simulate.study_processes import SAFE_PATH, safe_path
from tests.audit.made_up_players import PLAYERS, dealt, write_log
from tests.cli.every_command import SHOWN, WRITING, lines, words, write_inputs
from tests.cli.installed import run_in
from tests.conftest import SMALL_BOOK

TRAP = "import pathlib\n\npathlib.Path(__file__).with_suffix('.ran').touch()\n"
NAMES = (
    "multiprocessing",
    "numpy",
    "json",
    "typing_extensions",
    "combinat",
    "sitecustomize",
    "yaml",
    "pickle",
)

STUDY = (
    f"protect {SMALL_BOOK} --decks 1 --cut-card 20 --burn none --bet six --shoes 4000 --seed 7 --workers 2"
)
"""Eight blocks, so that verification starts processes too where there are two cores."""


@pytest.fixture
def delivery(tmp_path: Path) -> Path:
    """A folder with modules that leave a trace when they run, and a configuration of numba."""
    folder = tmp_path / "delivery"
    folder.mkdir()
    for name in NAMES:
        (folder / f"{name}.py").write_text(TRAP, "utf-8")
    (folder / ".numba_config.yaml").write_text(f"cache_dir: {folder / 'numba.ran'}\n", "utf-8")
    write_inputs(folder)
    return folder


def traces(folder: Path) -> list[str]:
    """What ran that must not run."""
    return sorted(path.name for path in folder.rglob("*.ran"))


def test_processes_import_nothing_from_the_current_folder(delivery: Path) -> None:
    """Neither those that deal a study nor those that verify it."""
    assert run_in(delivery, [*words(STUDY), "--out", "study"]).code == 0
    assert traces(delivery) == []
    verified = run_in(delivery, ["verify", "study"])
    assert (verified.code, traces(delivery)) == (0, [])
    assert "all 8 dealt again" in verified.out


def test_numba_is_not_configured_by_the_current_folder(delivery: Path) -> None:
    """Its configuration could name a folder of pickled code."""
    rows = "A,2,3,4,5,6,7,8,9,10,J,Q,K\n" + (",".join(["4"] * 13) + "\n") * 200
    (delivery / "many.csv").write_text(rows, "utf-8")
    ran = run_in(delivery, ["evaluate", str(SMALL_BOOK), "--shoes", "many.csv", "--out", "values.csv"])
    assert (ran.code, traces(delivery)) == (0, [])


@pytest.mark.fault
def test_no_command_runs_code_of_the_current_folder(delivery: Path, small_report: Path) -> None:
    write_log(delivery / "staked.csv", dealt(2, seed=1), PLAYERS)
    report = f"report {SMALL_BOOK} --decks 1 --formats markdown --simulation-rounds 10000 --out filing"
    for line in (*lines(WRITING), *lines(SHOWN), report, "verify filing"):
        ran = run_in(delivery, words(line, small_report=small_report))
        assert ran.code in (0, 1, 2), line
        assert "Traceback" not in ran.err, line
        assert traces(delivery) == [], line


@pytest.mark.cluster
def test_a_cluster_imports_nothing_from_the_current_folder(delivery: Path) -> None:
    argv = words(STUDY.replace("--workers 2", "--cluster local"))
    assert (run_in(delivery, [*argv, "--out", "study"]).code, traces(delivery)) == (0, [])


def test_the_environment_is_restored(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that calls the library starts its own processes as before."""
    for before in (None, "", "1"):
        monkeypatch.delenv(SAFE_PATH, raising=False)
        if before is not None:
            monkeypatch.setenv(SAFE_PATH, before)
        with safe_path():
            assert os.environ[SAFE_PATH] == "1"
        assert os.environ.get(SAFE_PATH) == before


def test_a_python_that_ignores_the_environment_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    class Flags:
        ignore_environment, safe_path = 1, False

    monkeypatch.setattr("combinat.simulate.study_processes.sys.flags", Flags)
    with pytest.raises(WorkerError), safe_path():
        pass
