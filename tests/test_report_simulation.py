"""Section L: a report takes simulations and hand logs, and says what they say."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from combinat.audit.verdict import Word
from combinat.cli.report import _simulations
from combinat.render.document import Heading, Paragraph
from combinat.report.filing import Filing, _simulation
from combinat.rules.rulebook import load_game
from tests.conftest import Run

GAME = "commission-insurance-2013"
NAMES = ("good.json", "bad.json", "log.csv")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Counts and a log of one game, and counts of a game with one odds changed."""
    from combinat.cli.simulate import simulate
    from combinat.rules.rulebook import rule_book_path

    folder = tmp_path_factory.mktemp("simulations")
    simulate(game=GAME, out=folder / "good.json", rounds=20_000)
    simulate(game=GAME, out=folder / "log.csv", rounds=20_000)
    text = rule_book_path(GAME).read_text("utf-8")
    changed = folder / f"{GAME}.toml"
    changed.write_text(text.replace('odds = "8 to 1"', 'odds = "9 to 1"', 1), "utf-8")
    assert changed.read_text("utf-8") != text
    simulate(game=str(changed), out=folder / "bad.json", rounds=20_000)
    return folder


@pytest.fixture(scope="module")
def written(files: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A report that takes all three files: its folder, and what was said on standard error."""
    out = tmp_path_factory.mktemp("report")
    options = [word for name in NAMES for word in ("--simulation", str(files / name))]
    command = [sys.executable, "-m", "combinat", "report", GAME, "--decks", "8", "--formats", "markdown"]
    ran = subprocess.run([*command, "--out", str(out), *options], capture_output=True, text=True)
    assert ran.returncode == 1  # all is written, and one of the files does not agree
    return out / GAME, ran.stderr


@pytest.fixture(scope="module")
def section(written: tuple[Path, str]) -> dict[str, str]:
    """Section L: what it says of each file."""
    report = (written[0] / "report.md").read_text("utf-8")
    words = report.split("## L. Simulation confirmation\n")[1].split("\n## ")[0]
    parts = words.split("\n### ")[1:]
    return {part.partition(":")[0]: part for part in parts}


def test_without_a_file_the_report_says_so() -> None:
    filing = Filing(load_game(GAME), "", [8])
    assert _simulation(filing) == [
        Heading("L. Simulation"),
        Paragraph("No simulation was run for this report; every figure is exact."),
    ]


def test_every_file_is_in_section_l(section: dict[str, str]) -> None:
    assert list(section) == list(NAMES)


def test_a_simulation_that_agrees_fills_section_l(section: dict[str, str]) -> None:
    found = section["good.json"]
    assert found.startswith("good.json: agrees\n")
    for words in (
        "**Rounds:** 20000",
        "seed 1",
        "Decision rule, fixed in advance",
        "Holm's method",
        "omnibus G-tests",
        "#### Results of bets",
        "Verdict: agrees",
    ):
        assert words in found


def test_what_does_not_agree_is_shown_and_warned_of(
    section: dict[str, str], written: tuple[Path, str], files: Path
) -> None:
    found = section["bad.json"]
    assert found.startswith("bad.json: does not agree\n")
    assert "bet tie" in found.split("#### What the rules contradict")[1]
    warning = f"combinat: warning: {files / 'bad.json'}: does not agree: bet tie: net 9 in "
    assert written[1].startswith(warning)
    assert written[1].count("\n") == 1  # and of the others, nothing


def test_a_hand_log_is_replayed_for_the_report(section: dict[str, str], written: tuple[Path, str]) -> None:
    found = section["log.csv"]
    assert found.startswith("log.csv: agrees\n")
    assert "**Wrong settlements:** 0" in found
    assert not (written[0] / "simulation" / "log.csv").exists()  # a log may be too large to go along


def test_the_certificate_names_the_counts(
    run: Run, written: tuple[Path, str], files: Path, tmp_path: Path
) -> None:
    folder = tmp_path / GAME
    shutil.copytree(written[0], folder)
    copy = folder / "simulation" / "good.json"
    assert copy.read_bytes() == (files / "good.json").read_bytes()
    assert "simulation/good.json" in (folder / "SHA256SUMS").read_text("utf-8")
    assert run("verify", str(folder)).code == 0
    copy.write_bytes(copy.read_bytes().replace(b"20000", b"20001", 1))
    ran = run("verify", str(folder))
    assert (ran.code, "simulation/good.json" in ran.out) == (1, True)


def test_a_rule_book_of_ones_own_judges_its_own_simulation(files: Path) -> None:
    book = files / f"{GAME}.toml"
    (found,) = _simulations([files / "bad.json"], [(load_game(book), book)], {GAME: [8]})[GAME]
    assert found.word is Word.AGREES


@pytest.mark.parametrize(
    ("game", "named", "message"),
    [
        ("tiger-buffalo-noncommission-2025", "good.json", f"is about {GAME}; this report is of tiger-"),
        (GAME, "nothing.json", "cannot be read (No such file or directory)"),
        (GAME, f"{GAME}.toml", "line 1"),
    ],
)
def test_a_file_that_cannot_be_judged_is_refused_and_nothing_written(
    run: Run, tmp_path: Path, files: Path, game: str, named: str, message: str
) -> None:
    ran = run("report", game, "--out", str(tmp_path / "out"), "--simulation", str(files / named))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("combinat: ")
    assert message in ran.err
    assert not (tmp_path / "out").exists()


def test_a_simulation_of_another_shoe_is_refused(run: Run, tmp_path: Path, files: Path) -> None:
    out = tmp_path / "out"
    ran = run("report", GAME, "--decks", "6", "--out", str(out), "--simulation", str(files / "good.json"))
    assert ran.err == (
        f"combinat: --simulation: {files / 'good.json'} is of 416 cards; this report is of fresh shoes of 6 decks\n"
    )
    assert (ran.code, out.exists()) == (2, False)


def test_two_files_of_one_name_are_refused(run: Run, tmp_path: Path, files: Path) -> None:
    same = ("--simulation", str(files / "good.json"))
    ran = run("report", GAME, "--out", str(tmp_path / "out"), *same, *same)
    assert (ran.code, "two files have one name" in ran.err) == (2, True)
