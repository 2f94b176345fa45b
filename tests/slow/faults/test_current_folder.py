"""Every command, started in a folder of traps, runs nothing of it."""

import shlex
import shutil
from pathlib import Path

from tests.approved.commands import LINES
from tests.audit.made_up_players import PLAYERS, dealt, write_log
from tests.cli.installed import STUDY, run_in, traces, trapped
from tests.paths import BOOKS, ROOT

REPORT = "report small-baccarat.toml --decks 1 --formats markdown --simulation 10000 --out filing"


def test_no_command_runs_code_of_the_current_folder(tmp_path: Path, small_report: Path) -> None:
    delivery = trapped(tmp_path / "delivery")
    for name in ("small-baccarat", "new-vocabulary", "many-mistakes"):
        shutil.copy(BOOKS / f"{name}.toml", delivery)
    shutil.copytree(ROOT / "docs", delivery / "docs")
    shutil.copytree(small_report, delivery / "report")
    rows = "".join(",".join([count] * 13) + "\n" for count in "42")
    (delivery / "shoes.csv").write_text("A,2,3,4,5,6,7,8,9,10,J,Q,K\n" + rows, "utf-8")
    write_log(delivery / "staked.csv", dealt(2, seed=1), PLAYERS)
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
