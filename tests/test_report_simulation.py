"""Section L: a report takes simulations and hand logs, and says what they say."""

from pathlib import Path

import pytest

from tests.conftest import Run

GAME = "commission-insurance-2013"


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


def written(run: Run, out: Path, *files: Path, game: str = GAME) -> str:
    """The report as Markdown, written with these files."""
    options = [word for file in files for word in ("--simulation", str(file))]
    ran = run("report", game, "--decks", "8", "--formats", "markdown", "--out", str(out), *options)
    assert ran.code == 0, ran.err
    return (out / Path(game).stem / "report.md").read_text("utf-8")


def section(report: str) -> str:
    """Section L alone."""
    return "## L." + report.split("## L.")[1].split("\n## ")[0]


def test_without_a_file_the_report_says_so(run: Run, tmp_path: Path) -> None:
    assert "No simulation was run for this report" in section(written(run, tmp_path))


def test_a_simulation_that_agrees_fills_section_l(run: Run, tmp_path: Path, files: Path) -> None:
    found = section(written(run, tmp_path, files / "good.json"))
    for words in (
        "## L. Simulation confirmation",
        "### good.json: agrees",
        "**Rounds:** 20000",
        "seed 1",
        "Decision rule, fixed in advance",
        "Holm's method",
        "omnibus G-tests",
        "#### Results of bets",
        "Verdict: agrees",
    ):
        assert words in found


def test_the_certificate_names_the_counts(run: Run, tmp_path: Path, files: Path) -> None:
    written(run, tmp_path, files / "good.json")
    copy = tmp_path / GAME / "simulation" / "good.json"
    assert copy.read_bytes() == (files / "good.json").read_bytes()
    assert "simulation/good.json" in (tmp_path / GAME / "SHA256SUMS").read_text("utf-8")
    assert run("verify", str(tmp_path / GAME)).code == 0
    copy.write_bytes(copy.read_bytes().replace(b"20000", b"20001", 1))
    ran = run("verify", str(tmp_path / GAME))
    assert (ran.code, "simulation/good.json" in ran.out) == (1, True)


def test_what_does_not_agree_is_shown_and_warned_of(run: Run, tmp_path: Path, files: Path) -> None:
    options = ("--simulation", str(files / "good.json"), "--simulation", str(files / "bad.json"))
    ran = run("report", GAME, "--decks", "8", "--formats", "markdown", "--out", str(tmp_path), *options)
    assert ran.code == 0
    assert ran.err.startswith(f"combinat: warning: {files / 'bad.json'}: does not agree: bet tie: net 9 in ")
    found = section((tmp_path / GAME / "report.md").read_text("utf-8"))
    assert "### good.json: agrees" in found
    assert "### bad.json: does not agree" in found
    assert "bet tie" in found.split("#### What the rules contradict")[1]


def test_a_hand_log_is_replayed_for_the_report(run: Run, tmp_path: Path, files: Path) -> None:
    found = section(written(run, tmp_path, files / "log.csv"))
    assert "### log.csv: agrees" in found
    assert "**Wrong settlements:** 0" in found
    assert not (tmp_path / GAME / "simulation").exists()  # a log may be too large to go along


def test_a_rule_book_of_ones_own_judges_its_own_simulation(run: Run, tmp_path: Path, files: Path) -> None:
    found = written(run, tmp_path, files / "bad.json", game=str(files / f"{GAME}.toml"))
    assert "### bad.json: agrees" in section(found)


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


def test_two_files_of_one_name_are_refused(run: Run, tmp_path: Path, files: Path) -> None:
    same = ("--simulation", str(files / "good.json"))
    ran = run("report", GAME, "--out", str(tmp_path / "out"), *same, *same)
    assert (ran.code, "two files have one name" in ran.err) == (2, True)
