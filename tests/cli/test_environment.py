"""Settings of the environment, and of the machine, that libraries fail on: the default, or one line."""

import resource
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

from combinat.certify import checker
from combinat.cli import app
from tests.cli.installed import run_in
from tests.conftest import SMALL_BOOK, Run


@pytest.mark.parametrize(
    ("date", "threads", "code"), [("", "0", 0), ("1700000000", "many", 0), ("soon", "2", 2)]
)
def test_a_setting_is_the_default_or_refused(tmp_path: Path, date: str, threads: str, code: int) -> None:
    """By commands that load scipy and polars."""
    folder = tmp_path / "here"
    folder.mkdir()
    settings = {"SOURCE_DATE_EPOCH": date, "POLARS_MAX_THREADS": threads}
    power = ["power", str(SMALL_BOOK), "--fault", "one card missing 6", "--decks", "1", "--rounds", "1000"]
    log = ["simulate", str(SMALL_BOOK), "--decks", "1", "--rounds", "100", "--out", "log.parquet"]
    for argv in (power, log):
        ran = run_in(folder, argv, **settings)
        assert (ran.code, ran.err.count("\n")) == (code, 1 if code else 0), ran.err


def test_want_of_memory_is_no_verdict(
    run: Run, small_report: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither of the program nor of the checker."""
    greedy = Mock(side_effect=MemoryError)
    monkeypatch.setattr(app, "app", greedy)
    assert run("games").refusal() == "not enough memory"
    monkeypatch.setattr(checker, "check", greedy)
    assert checker.main([str(small_report / "analysis.json")]) == 2
    assert capsys.readouterr().err == "could not be checked: MemoryError\n"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="its memory is limited as Linux does it")
def test_the_checker_of_a_report_without_memory_gives_2(small_report: Path) -> None:
    def little() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (60_000_000, 60_000_000))

    words = [sys.executable, "-I", "checker.py", "analysis.json"]
    ran = subprocess.run(words, cwd=small_report, preexec_fn=little, capture_output=True, check=False)
    assert (ran.returncode, ran.stdout) == (2, b"")
