"""The commands of ``commands.txt``, each with its note."""

import shutil
from pathlib import Path

from tests.audit.made_up_players import PLAYERS, dealt, write_log
from tests.house.pages import DATA
from tests.paths import BOOKS, ROOT, TESTS

LISTED = [
    line.partition("  # ")
    for line in (TESTS / "approved" / "commands.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]
LINES = [line for line, _, _ in LISTED]


def fill(place: Path, report: Path) -> None:
    """Put the files that the commands read into a folder; ``report``: the small report."""
    for name in ("small-baccarat", "new-vocabulary", "many-mistakes"):
        shutil.copy(BOOKS / f"{name}.toml", place)
    copy_data(place)
    shutil.copytree(report, place / "report")
    rows = "".join(",".join([count] * 13) + "\n" for count in "42")
    (place / "shoes.csv").write_text("A,2,3,4,5,6,7,8,9,10,J,Q,K\n" + rows, "utf-8")
    write_log(place / "staked.csv", dealt(2, seed=1), PLAYERS)


def copy_data(place: Path) -> None:
    """Put the files of docs/ that its commands read where a checkout has them."""
    for path in DATA:
        copy = place / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
