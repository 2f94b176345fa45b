"""The chapter on simulation: a report takes simulations and hand logs, says what they say, and is judged again when it is verified."""

import json
import re
import shutil
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from combinat import crosscheck, simulate
from combinat.audit.judging.decision import LEAST_ROUNDS as LEAST_TO_AGREE
from combinat.audit.verdict import Word
from combinat.montecarlo.fault import Fault
from combinat.montecarlo.simulate import counts_text
from combinat.montecarlo.simulation import Simulation, report_seed, report_simulation, simulation_obstacle
from combinat.render.blocks import Paragraph
from combinat.report.audit.simulation import by_name, simulation_section
from combinat.report.certified.simulations import (
    LEAST_ROUNDS,
    asked_simulations,
    judged_files,
    judged_own_simulation,
)
from combinat.report.certified.write_report import write_report
from combinat.rules.book.load import load_game
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe
from tests import computed
from tests.certify.forger import replaced, reseal, restated
from tests.conftest import SMALL_BOOK, Run
from tests.report.second_reader import DifferenceError, Page, held_means

GAME = SMALL_BOOK.stem
NAMES = ("bad.json", "good.json", "log.csv")
DECKS = ("--decks", "1-2")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Counts and a log of one game, and counts of a game with one odds changed."""
    folder = tmp_path_factory.mktemp("simulations")
    simulate(game=str(SMALL_BOOK), out=folder / "good.json", shoe=2, rounds=10_000)
    simulate(game=str(SMALL_BOOK), out=folder / "log.csv", shoe=2, rounds=10_000)
    text = SMALL_BOOK.read_text("utf-8")
    changed = folder / f"{GAME}.toml"
    changed.write_text(text.replace('odds = "12 to 1"', 'odds = "13 to 1"', 1), "utf-8")
    assert changed.read_text("utf-8") != text
    simulate(game=str(changed), out=folder / "bad.json", shoe=2, rounds=10_000)
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
    """The chapter on simulation: what it says of each file."""
    text = (folder / "report.md").read_text("utf-8")
    (words,) = re.findall(r"^## [0-9]+\. Simulation\n(.*?)^## ", text, re.MULTILINE | re.DOTALL)
    parts = [re.sub(r"^[0-9.]+ ", "", part) for part in re.split(r"\n### ", words)[1:]]
    return {part.partition(":")[0]: part for part in parts}


def test_a_report_without_a_simulation_says_why(small_game: Game) -> None:
    assert simulation_obstacle(small_game, 1000) == ""
    assert "65572 cards" in simulation_obstacle(small_game, 1261)
    plain, reasoned = (simulation_section(small_game, (), why).blocks[0] for why in ("", "no dealer"))
    assert isinstance(plain, Paragraph)
    assert isinstance(reasoned, Paragraph)
    assert "no dealer" in str(reasoned)
    assert "no dealer" not in str(plain)


# ---------------------------------------------------------------- the report's own


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report with a simulation of its own, of few rounds."""
    out = tmp_path_factory.mktemp("own")
    with pytest.MonkeyPatch.context() as shared:
        computed.share(shared)
        write_report(SMALL_BOOK, out, formats="markdown,html", simulation_rounds=20_000)
    return out / GAME


def test_a_report_brings_a_simulation_of_its_own(run: Run, own: Path) -> None:
    said = section(own)
    assert tuple(said) == ("counts.json",)
    for words in ("counts.json: agrees\n", "20,000", f"seed {report_seed(GAME)}", "2 decks", "| Any Pair "):
        assert words in said["counts.json"]
    assert "Results of bets" not in said["counts.json"]  # nothing failed, so the means are enough
    ran = run("verify", str(own))
    assert (ran.code, "simulation/counts.json" in ran.out, "judged again" in ran.out) == (0, True, True)


def test_anybody_can_deal_it_again_on_any_number_of_cores(own: Path, tmp_path: Path, run: Run) -> None:
    counts = (own / "simulation" / "counts.json").read_bytes()
    words = ("--decks", "2", "--rounds", "20000", "--seed", str(report_seed(GAME)))
    assert run("simulate", str(SMALL_BOOK), *words, "--out", str(tmp_path / "a.json")).code == 0
    assert (tmp_path / "a.json").read_bytes() == counts
    game = load_game(SMALL_BOOK)
    million = report_simulation(game, 2, 1_000_000)
    one, three = (counts_text(million, lambda rounds: None, workers) for workers in (1, 3))
    assert one == three


def test_its_means_are_counted_again_by_the_second_reader(own: Path) -> None:
    analysis = json.loads((own / "analysis.json").read_bytes())
    counts = {"counts.json": (own / "simulation" / "counts.json").read_bytes()}

    def held(text: str) -> int:
        page = Page()
        page.feed(text)
        return sum(held_means(table, analysis, counts) for table in page.tables)

    page = (own / "report.html").read_text("utf-8")
    assert held(page) == 4 * 4
    table = page[page.rindex("counts.json: agrees") :]
    mean = re.findall(r"-\d+\.\d{4}", table)[0]
    changed = table.replace(mean, f"{mean[:-1]}{(int(mean[-1]) + 1) % 10}", 1)
    with pytest.raises(DifferenceError, match=r"counts\.json: agrees"):
        held(page.replace(table, changed))


def test_what_is_dealt_when_nothing_is_said() -> None:
    assert asked_simulations([], None) == asked_simulations("own", 20_000_000) == ([], 20_000_000)
    assert asked_simulations(["none"], None) == asked_simulations([], 0) == ([], 0)
    assert asked_simulations(["a.json", "own"], 10_000) == ([Path("a.json")], 10_000)
    assert asked_simulations(["./none"], None) == ([Path("none")], 0)
    assert LEAST_ROUNDS == LEAST_TO_AGREE


def test_a_simulation_of_its_own_that_does_not_agree_is_said(
    small_game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A dealer with a fault is not passed over."""

    def wrong(game: Game, decks: int, rounds: int) -> Simulation:
        return Simulation(
            game=game,
            shoe=Shoe.of_decks(decks),
            rounds=rounds,
            seed=1,
            fault=Fault.parse("one card missing 9"),
        )

    monkeypatch.setattr("combinat.report.certified.simulations.report_simulation", wrong)
    assert judged_own_simulation(small_game, 1, 100_000).verdict.word is Word.DISAGREES


# ---------------------------------------------------------------- files


def test_what_is_said_of_files(run: Run, files: Path, tmp_path: Path) -> None:
    code, error = report(run, tmp_path / "out", files)
    assert code == 1  # all is written, and one of the files does not agree
    assert error.startswith(f"combinat: warning: {GAME}: bad.json: does not agree")
    assert error.count("\n") == 1  # and nothing of the others
    said = section(tmp_path / "out" / GAME)
    assert tuple(said) == NAMES
    assert [text.partition("\n")[0].partition(": ")[2] for text in said.values()] == [
        *("does not agree", "agrees", "agrees")
    ]
    assert "| bet Six " in said["bad.json"]
    assert "**Wrong settlements:** 0" in said["log.csv"]
    assert run("verify", str(tmp_path / "out")).code == 0


def test_all_is_called_by_its_name_in_the_document(small_game: Game, files: Path) -> None:
    judged_file = crosscheck(files / "good.json", game=str(SMALL_BOOK), alpha=Fraction(1, 1000))
    judgement = by_name(judged_file, small_game).judgement
    assert judgement is not None
    subjects = {test.subject for test in judgement.tests}
    insured = {subject for subject in subjects if "Insurance after" in subject}
    assert insured
    assert not subjects & {bet.id for bet in small_game.bets}
    assert not any("@" in subject or "-first" in subject for subject in subjects)


def test_the_files_travel_and_are_judged_again(run: Run, folder: Path, files: Path) -> None:
    """As they are: a forged verdict, or forged counts, and the documents no longer fit."""
    copy, report_file = folder / "simulation" / "good.json", folder / "report.md"
    assert copy.read_bytes() == (files / "good.json").read_bytes()
    (verdict_here,) = run("verify", str(folder), "-f", "json").document()["folders"]
    assert {file["check"] for file in verdict_here["files"] if "good.json" in file["name"]} == {
        "judged-again"
    }
    right = report_file.read_bytes()
    replaced(report_file, b"Verdict: agrees", b"Verdict: agreed")
    reseal(folder)
    assert run("verify", str(folder)).code == 1
    report_file.write_bytes(right)
    copy.write_bytes((files / "bad.json").read_bytes())
    reseal(folder)
    ran = run("verify", str(folder))
    assert (ran.code, "report.md" in ran.out) == (1, True)


def test_a_rule_book_of_ones_own_judges_its_own_simulation(files: Path) -> None:
    game = load_game(files / f"{GAME}.toml")
    ((_, verdict),) = judged_files([files / "bad.json"], [game], {GAME: [2]})[GAME]
    assert verdict.word is Word.AGREES


REFUSED = {
    "of another game": ("tiger-buffalo-noncommission-2025", "8", ("good.json",)),
    "of another shoe": (str(SMALL_BOOK), "1", ("good.json",)),
    "no simulation": (str(SMALL_BOOK), "2", (f"{GAME}.toml",)),
    "one name twice": (str(SMALL_BOOK), "2", ("good.json", "../more/good.json")),
}


@pytest.mark.parametrize(("game", "decks", "names"), REFUSED.values(), ids=REFUSED)
def test_a_file_that_cannot_be_judged_is_refused_and_nothing_written(
    run: Run, tmp_path: Path, files: Path, game: str, decks: str, names: tuple[str, ...]
) -> None:
    for copy in ("dealt", "more"):
        shutil.copytree(files, tmp_path / copy)
    given = [word for name in names for word in ("--simulation", str(tmp_path / "dealt" / name))]
    run("report", game, "--decks", decks, "--out", str(tmp_path / "out"), *given).refusal()
    assert not (tmp_path / "out").exists()


def test_the_certificate_names_the_library_that_judged_and_another_version_is_no_verdict(
    run: Run, folder: Path
) -> None:
    def other_version(statement: dict[str, Any]) -> None:
        (scipy,) = [one for one in statement["predicate"]["libraries"] if one["name"] == "scipy"]
        scipy["version"] = "0.0.1"

    replaced(folder / "report.md", b"Simulation", b"Simulations")
    reseal(folder, restated(other_version))
    ran = run("verify", str(folder), columns="1000")
    assert (ran.code, "drawn with scipy==0.0.1" in ran.out) == (2, True)
