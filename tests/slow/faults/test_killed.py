"""Programs killed at any moment, and a full disk: the old output stays whole, and nothing is left behind."""

import random
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from tests.conftest import SMALL_BOOK
from tests.programs import PROGRAM, contents, process, program

BOOK = str(SMALL_BOOK)
SHOES = "A,2,3,4,5,6,7,8,9,10,J,Q,K\n" + ",".join(["4"] * 13) + "\n"


def killed(words: Sequence[str], folder: Path, moment: float, aside: str) -> None:
    """Run the program and kill it a moment after it began to write aside, or after it began at all."""
    with program(words, folder) as running:
        until = time.monotonic() + 30
        while aside and running.poll() is None and not list(folder.glob(aside)) and time.monotonic() < until:
            time.sleep(0.001)
        time.sleep(moment)
        running.kill()


@pytest.mark.parametrize("name", ["sim.json", "log.csv", "log.parquet"])
def test_a_killed_simulation_leaves_the_old_file_whole(tmp_path: Path, name: str) -> None:
    """And nothing that the next run does not remove."""
    chance = random.Random(name)
    words = ["simulate", BOOK, "--decks", "1", "--workers", "1", "--out", name]
    old, new = ({name: made(tmp_path, [*words, "--rounds", rounds], name)} for rounds in ("3000", "150000"))
    made(tmp_path, [*words, "--rounds", "3000"], name)
    for _ in range(5):
        killed([*words, "--rounds", "150000"], tmp_path, chance.uniform(0, 0.4), f".{name}.*")
        whole = {path: content for path, content in contents(tmp_path).items() if not path.startswith(".")}
        assert whole in (old, new)
    made(tmp_path, [*words, "--rounds", "150000"], name)
    assert contents(tmp_path) == new


def made(folder: Path, words: Sequence[str], name: str) -> bytes:
    """The file that a run writes which comes to its end."""
    with program(words, folder) as running:
        _, complaint = running.communicate(timeout=60)
    assert (running.returncode, complaint) == (0, "")
    return (folder / name).read_bytes()


def test_a_killed_report_leaves_the_old_or_the_new_one_whole(tmp_path: Path) -> None:
    """And nothing that the next run does not remove."""
    chance = random.Random(12)
    words = ["report", BOOK, "--formats", "csv", "--simulation", "none", "--out", "out", "--decks"]
    place = tmp_path / "out" / SMALL_BOOK.stem
    made(tmp_path, [*words, "2"], "out/README.md")
    new = contents(tmp_path)
    shutil.rmtree(tmp_path / "out")
    made(tmp_path, [*words, "1"], "out/README.md")
    old = contents(place)
    for number in range(6):
        aside = "" if number % 3 == 2 else f"out/.{SMALL_BOOK.stem}.*"
        killed([*words, "2"], tmp_path, chance.uniform(0, 0.02 if aside else 1), aside)
        assert contents(place) in (old, contents_below(new, place.relative_to(tmp_path)))
    made(tmp_path, [*words, "2"], "out/README.md")
    assert contents(tmp_path) == new


def contents_below(everything: dict[str, bytes], folder: Path) -> dict[str, bytes]:
    return {
        str(Path(name).relative_to(folder)): content
        for name, content in everything.items()
        if Path(name).is_relative_to(folder)
    }


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own, of two megabytes."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(place)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("a small file system cannot be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


@pytest.mark.parametrize(
    ("words", "more"),
    [
        (["simulate", BOOK, "--decks", "1", "--out", "log.csv", "--rounds", "2000"], ["--rounds", "50000"]),
        (["simulate", BOOK, "--decks", "1", "--out", "log.parquet", "--rounds", "2000"], ["--rounds", "50000"]),
        (["evaluate", BOOK, "--shoes", "../few.csv", "--out", "v.csv"], ["--shoes", "../many.csv"]),
        (["evaluate", BOOK, "--shoes", "../few.csv", "--out", "v.parquet"], ["--shoes", "../many.csv"]),
        (["report", BOOK, "--formats", "csv", "--simulation", "none", "--out", "out", "--decks", "1"], ["--decks", "2"]),
        (["crosscheck", "../log.csv", "--report", "r.html", "--settlement-only"], []),
        (["protect", BOOK, "--bet", "six", "--decks", "1", "--out", "out", "--shoes", "50"], ["--shoes", "60"]),
    ],
    ids=["log.csv", "log.parquet", "values.csv", "values.parquet", "report", "verdict", "study"],
)  # fmt: skip
def test_a_full_disk_leaves_the_old_output_whole(small_disk: Path, words: list[str], more: list[str]) -> None:
    """One line, exit code 2, and not a byte more or less than before."""
    for name, rows in (("few", 1), ("many", 8000)):
        (small_disk.parent / f"{name}.csv").write_text(SHOES + SHOES.partition("\n")[2] * rows)
    log = ["simulate", BOOK, "--decks", "1", "--out", "../log.csv", "--rounds", "500"]
    words = [*words, "--game", BOOK] if words[0] == "crosscheck" else words
    for line in [log, words] if words[0] == "crosscheck" else [words]:
        ran = process([*PROGRAM, *line], small_disk)
        assert (ran.code, ran.err) == (0, "")
    with suppress(OSError), (small_disk / "fill").open("wb", buffering=0) as fill:
        while fill.write(bytes(4096)):
            pass
    before = contents(small_disk)
    ran = process([*PROGRAM, *words, *more], small_disk)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "cannot be written (No space left on device)" in ran.err
    assert contents(small_disk) == before
