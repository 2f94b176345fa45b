"""A command runs no code from the folder that it is started in: a stranger's delivery may lie there."""

import os
from pathlib import Path

import pytest

from combinat.base.errors import InputError
from combinat.base.processes import SAFE_PATH, safe_path
from tests.cli.installed import run_in, traces, trapped
from tests.conftest import SMALL_BOOK


def test_numba_is_not_configured_by_the_current_folder(tmp_path: Path) -> None:
    """Its configuration could name a folder of pickled code."""
    delivery = trapped(tmp_path / "delivery")
    rows = "A,2,3,4,5,6,7,8,9,10,J,Q,K\n" + (",".join(["4"] * 13) + "\n") * 200
    (delivery / "many.csv").write_text(rows, "utf-8")
    ran = run_in(delivery, ["evaluate", str(SMALL_BOOK), "--shoes", "many.csv", "--out", "values.csv"])
    assert (ran.code, traces(delivery)) == (0, [])


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

    monkeypatch.setattr("combinat.base.processes.sys.flags", Flags)
    with pytest.raises(InputError), safe_path():
        pass
