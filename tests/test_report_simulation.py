"""Section L: a report takes simulations and hand logs, says what they say, and is judged again when it is verified."""

import shutil
from pathlib import Path

import pytest

from combinat.analysis.dossier import Dossier
from combinat.analysis.verdict import Word
from combinat.cli.simulations import judged
from combinat.render.blocks import Paragraph, Section
from combinat.report.filing import filing
from combinat.rules.rulebook import RuleBook, load_rule_book
from tests.conftest import SMALL_BOOK, Run
from tests.forger import replaced, reseal

GAME = SMALL_BOOK.stem
NAMES = ("bad.json", "good.json", "log.csv")
DECKS = ("--decks", "2")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Counts and a log of one game, and counts of a game with one odds changed."""
    from combinat.cli.simulate import simulate

    folder = tmp_path_factory.mktemp("simulations")
    simulate(game=str(SMALL_BOOK), out=folder / "good.json", rounds=10_000, decks="2")
    simulate(game=str(SMALL_BOOK), out=folder / "log.csv", rounds=10_000, decks="2")
    text = SMALL_BOOK.read_text("utf-8")
    changed = folder / f"{GAME}.toml"
    changed.write_text(text.replace('odds = "12 to 1"', 'odds = "13 to 1"', 1), "utf-8")
    assert changed.read_text("utf-8") != text
    simulate(game=str(changed), out=folder / "bad.json", rounds=10_000, decks="2")
    return folder


def report(run: Run, out: Path, files: Path, names: tuple[str, ...] = NAMES) -> tuple[int, str]:
    """Write a report that takes these files: what the program left with, and said on standard error."""
    options = [word for name in reversed(names) for word in ("--simulation", str(files / name))]
    ran = run("report", str(SMALL_BOOK), *DECKS, "--formats", "markdown,csv", "--out", str(out), *options)
    return ran.code, ran.err


@pytest.fixture
def folder(run: Run, files: Path, tmp_path: Path) -> Path:
    """A report that takes a simulation which agrees."""
    assert report(run, tmp_path / "out", files, ("good.json",)) == (0, "")
    return tmp_path / "out" / GAME


def section(folder: Path) -> dict[str, str]:
    """Section L: what it says of each file."""
    text = (folder / "report.md").read_text("utf-8")
    words = text.split("## L. Simulation confirmation\n")[1].split("\n## ")[0]
    return {part.partition(":")[0]: part for part in words.split("\n### ")[1:]}


def test_without_a_file_the_report_says_so(small_dossier: Dossier, small_book: RuleBook) -> None:
    (said,) = (
        block
        for block in filing(small_dossier, small_book.game).blocks
        if isinstance(block, Section) and block.title.startswith("L.")
    )
    assert said == Section(
        "L. Simulation", (Paragraph("No simulation was run for this report; every figure is exact."),)
    )


def test_what_section_l_says(run: Run, files: Path, tmp_path: Path) -> None:
    code, error = report(run, tmp_path / "out", files)
    assert code == 1  # all is written, and one of the files does not agree
    assert error.startswith(f"combinat: warning: {files / 'bad.json'}: does not agree: bet six: net 13 in ")
    assert error.count("\n") == 1  # and of the others, nothing
    said = section(tmp_path / "out" / GAME)
    assert tuple(said) == NAMES
    assert said["good.json"].startswith("good.json: agrees\n")
    for words in (
        *("**Rounds:** 10,000", "seed 1", "Decision rule, fixed in advance", "Holm's method"),
        *("omnibus G-tests", "#### Results of bets", "Verdict: agrees"),
    ):
        assert words in said["good.json"]
    assert said["bad.json"].startswith("bad.json: does not agree\n")
    assert "bet six" in said["bad.json"].split("#### What the rules contradict")[1]
    assert said["log.csv"].startswith("log.csv: agrees\n")
    assert "**Wrong settlements:** 0" in said["log.csv"]
    assert run("verify", str(tmp_path / "out")).code == 0


def test_the_files_travel_and_are_judged_again(run: Run, folder: Path, files: Path) -> None:
    copy = folder / "simulation" / "good.json"
    assert copy.read_bytes() == (files / "good.json").read_bytes()
    ran = run("verify", str(folder))
    assert (ran.code, "simulation/good.json" in ran.out) == (0, True)
    assert "judged again for section L" in ran.out


def test_a_forged_verdict_is_noticed(run: Run, folder: Path) -> None:
    replaced(folder / "report.md", b"Verdict: agrees", b"Verdict: agreed")
    reseal(folder)
    ran = run("verify", str(folder))
    assert (ran.code, "report.md: drawn again, it is not the same" in ran.out) == (1, True)


def test_forged_counts_are_judged_as_they_are(run: Run, folder: Path, files: Path) -> None:
    """Counts that say something else change what is said of them: the documents no longer fit."""
    (folder / "simulation" / "good.json").write_bytes((files / "bad.json").read_bytes())
    reseal(folder)
    ran = run("verify", str(folder))
    assert (ran.code, "report.md: drawn again, it is not the same" in ran.out) == (1, True)


def test_what_is_missing_to_judge_is_no_way_out(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("combinat.cli.simulations.find_spec", lambda name: None)
    ran = run("verify", str(folder))
    assert ran.code == 2
    assert "judging a simulation needs scipy: pip install 'combinat[crosscheck]'" in ran.out


def test_a_rule_book_of_ones_own_judges_its_own_simulation(files: Path) -> None:
    book = load_rule_book(files / f"{GAME}.toml")
    (verdict,) = judged([files / "bad.json"], [book], {GAME: [2]}).verdicts[GAME]
    assert verdict.word is Word.AGREES


@pytest.mark.parametrize(
    ("game", "named", "message"),
    [
        ("tiger-buffalo-noncommission-2025", "good.json", f"is about {GAME}; this report is of tiger-"),
        (str(SMALL_BOOK), "nothing.json", "cannot be read (No such file or directory)"),
        (str(SMALL_BOOK), f"{GAME}.toml", "line 1"),
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
    good = ("--simulation", str(files / "good.json"))
    ran = run("report", str(SMALL_BOOK), "--decks", "1", "--out", str(out), *good)
    assert ran.err == (
        f"combinat: --simulation: {files / 'good.json'} is of 104 cards; this report is of fresh shoes of 1 decks\n"
    )
    assert (ran.code, out.exists()) == (2, False)


def test_two_files_of_one_name_are_refused(run: Run, tmp_path: Path, files: Path) -> None:
    shutil.copytree(files, tmp_path / "more")
    names = ("--simulation", str(files / "good.json"), "--simulation", str(tmp_path / "more" / "good.json"))
    ran = run("report", str(SMALL_BOOK), "--out", str(tmp_path / "out"), *names)
    assert (ran.code, "two files have one name" in ran.err) == (2, True)
