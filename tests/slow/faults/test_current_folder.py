"""Every command, started in a folder of traps, runs nothing of it."""

import shlex
from pathlib import Path

from tests.approved.commands import LINES, fill
from tests.cli.installed import STUDY, run_in, traces, trapped

REPORT = "report small-baccarat.toml --decks 1 --formats markdown --simulation 10000 --out filing"


def test_no_command_runs_code_of_the_current_folder(tmp_path: Path, small_report: Path) -> None:
    delivery = trapped(tmp_path / "delivery")
    fill(delivery, small_report)
    for line in (*LINES, REPORT, "verify filing"):
        ran = run_in(delivery, shlex.split(line))
        assert ran.code in (0, 1) or (ran.code == 2 and ran.out), line  # 2: too few rounds to judge
        assert traces(delivery) == [], line


def test_processes_import_nothing_from_the_current_folder(tmp_path: Path) -> None:
    """Neither those that deal a study nor those that verify it."""
    delivery = trapped(tmp_path / "delivery")
    assert run_in(delivery, [*STUDY, "--workers", "2"]).code == 0
    assert traces(delivery) == []
    verified = run_in(delivery, ["verify", "study", "--blocks", "all"])
    assert (verified.code, traces(delivery)) == (0, [])
    assert "all 50 dealt again" in verified.out
