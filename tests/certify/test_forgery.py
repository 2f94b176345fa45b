"""What the README promises of verification, tried by a forger: every hash and sum is rewritten each time."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from combinat.certify.analysis_file import analysis_bytes
from combinat.report.folder import Documents, Form
from tests.certify.forger import another_digit, replaced, reseal
from tests.conftest import Run

READABLE = (
    "report.md",
    "rules.md",
    "report.html",
    "report.pdf",
    "workbook.xlsx",
    "tables/bets.csv",
    "tables/outcomes.csv",
    "tables/joint.csv",
    "tables/insurance.csv",
    "tables/removal.csv",
    "tables/formulas.csv",
    "figures/house-edge-by-decks.svg",
    "VERIFY.txt",
    "checker.py",
)


DRAWN: dict[tuple[bytes, Form], dict[str, bytes]] = {}


@pytest.fixture(autouse=True)
def drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is drawn again for one dossier is drawn once: the forger never gets at it."""
    draw = Documents.in_form

    def in_form(report: Documents, form: Form) -> dict[str, bytes]:
        key = analysis_bytes(report.dossier), form
        if key not in DRAWN:
            DRAWN[key] = draw(report, form)
        return DRAWN[key]

    monkeypatch.setattr(Documents, "in_form", in_form)


@pytest.fixture
def forged(small_report: Path, tmp_path: Path) -> Path:
    """A copy of the small report, under another name, to be forged."""
    return Path(shutil.copytree(small_report, tmp_path / "copy"))


def verdict(run: Run, folder: Path, *options: str) -> tuple[int, str]:
    ran = run("verify", str(folder), *options)
    return ran.code, ran.out.splitlines()[0].removeprefix(f"{folder}: ") if ran.out else ran.err


HOLDS = "holds: for a rule book that does not come with this combinat; read it beside the document"


def test_the_copy_holds_as_it_is(run: Run, forged: Path) -> None:
    assert verdict(run, forged) == (0, HOLDS)
    reseal(forged)
    assert verdict(run, forged) == (0, HOLDS)


@pytest.mark.parametrize("name", READABLE)
def test_one_digit_of_any_file_is_noticed(run: Run, forged: Path, name: str) -> None:
    another_digit(forged / name)
    reseal(forged)
    code, message = verdict(run, forged)
    assert code == 1
    assert message.startswith(f"does not hold: {name}: ")


def test_a_changed_file_does_not_fit_its_hash(run: Run, forged: Path) -> None:
    another_digit(forged / "report.md")
    code, message = verdict(run, forged)
    assert (code, message.startswith("does not hold: report.md: SHA-256: found ")) == (1, True)


def test_one_digit_of_every_file_there_is(run: Run, forged: Path) -> None:
    """No kind of file is forgotten above: whatever stands in the folder is tried by its kind."""
    kinds = {Path(name).suffix + Path(name).parts[0] * ("/" in name) for name in READABLE}
    there = {
        path.suffix + path.relative_to(forged).parts[0] * (path.parent != forged)
        for path in forged.rglob("*")
        if path.is_file() and path.name not in ("analysis.json", "certificate.json", "SHA256SUMS")
    }
    assert there - kinds == {".toml"}


def test_one_digit_of_the_numbers_is_noticed(run: Run, forged: Path) -> None:
    another_digit(forged / "analysis.json")
    reseal(forged)
    code, message = verdict(run, forged)
    assert code in (1, 2)
    assert message.split(": ")[1] == "analysis.json"


def test_another_rule_book_of_an_approved_name_is_noticed(
    run: Run, small_book_path: Path, tmp_path: Path
) -> None:
    """Another book under a name that combinat ships: consistent in itself, and not the approved one."""
    name = "commission-insurance-2013"
    book = tmp_path / f"{name}.toml"
    book.write_text(small_book_path.read_text("utf-8").replace(small_book_path.stem, name), "utf-8")
    out = tmp_path / "out"
    assert (
        run(
            "report", str(book), "--decks", "1", "--formats", "csv", "--simulation", "none", "--out", str(out)
        ).code
        == 0
    )
    code, message = verdict(run, out / name)
    assert code == 1
    assert message.startswith(f"does not hold: {name}.toml: SHA-256 ")
    assert verdict(run, out / name, "--rule-book", str(book)) == (0, "holds")


def finding_turned(folder: Path) -> str:
    text = (folder / "report.md").read_bytes()
    old, new = (
        (b"favour the player", b"favour the house.")
        if b"favour the player" in text
        else (b"favours the player", b"favours the house.")
    )
    replaced(folder / "report.md", old, new)
    return "report.md"


def page_finding_turned(folder: Path) -> str:
    replaced(folder / "report.html", b"It is not a test", b"It is now a test")
    return "report.html"


def picture_swapped(folder: Path) -> str:
    figures = folder / "figures"
    (figures / "effects-of-removal.svg").write_bytes((figures / "house-edge-by-decks.svg").read_bytes())
    return "figures/effects-of-removal.svg"


def file_added(folder: Path) -> str:
    (folder / "addendum.md").write_text("All bets are fair.\n", "utf-8")
    return "addendum.md"


def table_added(folder: Path) -> str:
    (folder / "tables" / "more.csv").write_text("a\n1\n", "utf-8")
    return "tables/more.csv"


def file_dropped(folder: Path) -> str:
    (folder / "report.html").unlink()
    return "report.html"


def table_dropped(folder: Path) -> str:
    (folder / "tables" / "insurance.csv").unlink()
    return "tables/insurance.csv"


def file_renamed(folder: Path) -> str:
    (folder / "report.md").rename(folder / "reports.md")
    return "report"


def checker_dropped(folder: Path) -> str:
    (folder / "checker.py").unlink()
    return "checker.py"


FORGERIES = (
    *(finding_turned, page_finding_turned, picture_swapped, file_added, table_added),
    *(file_dropped, table_dropped, file_renamed, checker_dropped),
)


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda forgery: str(forgery.__name__))
def test_a_forgery_is_named(run: Run, forged: Path, forgery: Callable[[Path], str]) -> None:
    name = forgery(forged)
    reseal(forged)
    code, message = verdict(run, forged)
    assert code == 1
    assert message.startswith(f"does not hold: {name}")


@pytest.mark.parametrize(
    ("library", "name"), [("typst", "report.pdf"), ("xlsxwriter", "workbook.xlsx"), ("tabulate", "report.md")]
)
def test_another_version_of_a_library_is_no_way_out(run: Run, forged: Path, library: str, name: str) -> None:
    """Naming a version that is not here gains a forger nothing: his document is not believed."""

    def other_version(statement: dict[str, object]) -> None:
        predicate = statement["predicate"]
        assert isinstance(predicate, dict)
        for one in predicate["libraries"]:
            if one["name"] == library:
                one["version"] = "0.0.1"

    another_digit(forged / name)
    reseal(forged, other_version)
    code, message = verdict(run, forged)
    assert code == 2
    assert message == (
        f"could not be checked: {name}: drawn with {library} 0.0.1; install {library}==0.0.1 to check it"
    )


def test_another_version_of_combinat_is_no_way_out(run: Run, forged: Path) -> None:
    def other_version(statement: dict[str, object]) -> None:
        predicate = statement["predicate"]
        assert isinstance(predicate, dict)
        predicate["software"]["version"] = "0.0.1"

    another_digit(forged / "report.html")
    reseal(forged, other_version)
    code, message = verdict(run, forged)
    assert code == 2
    assert message.startswith(
        "could not be checked: report.html: written by combinat 0.0.1; install that version"
    )


def test_figures_only_says_what_it_leaves_out(run: Run, forged: Path) -> None:
    another_digit(forged / "report.html")
    reseal(forged)
    assert verdict(run, forged, "--figures-only") == (
        0,
        "holds: its figures alone; the documents were not looked at; for a rule book that does not come with this "
        "combinat; read it beside the document",
    )


def test_a_folder_renamed_or_copied_holds(run: Run, small_report: Path, tmp_path: Path) -> None:
    moved = shutil.copytree(small_report, tmp_path / "a folder of another name")
    assert verdict(run, moved)[0] == 0


def test_the_verdict_lists_how_each_file_was_checked(run: Run, small_report: Path) -> None:
    ran = run("verify", str(small_report), "--format", "json")
    (folder,) = json.loads(ran.out)["folders"]
    checks = {file["name"]: file["check"] for file in folder["files"]}
    there = {path.relative_to(small_report).as_posix() for path in small_report.rglob("*") if path.is_file()}
    assert checks.keys() == there - {"certificate.json", "SHA256SUMS"}
    assert checks.pop("analysis.json") == "derived-again"
    assert checks.pop(f"{small_report.name}.toml") == "rule-book"
    assert checks.pop("checker.py") == checks.pop("VERIFY.txt") == "same-as-ours"
    assert set(checks.values()) == {"drawn-again"}


# ---------------------------------------------------------------- the collection


@pytest.fixture
def collected(small_report: Path, tmp_path: Path) -> Path:
    """A copy of a whole output folder, with its index."""
    return Path(shutil.copytree(small_report.parent, tmp_path / "collection"))


def last_verdict(run: Run, folder: Path) -> tuple[int, str]:
    ran = run("verify", str(folder))
    lines = [line for line in ran.out.splitlines() if line.startswith(f"{folder}: ")]
    return ran.code, lines[-1].removeprefix(f"{folder}: ")


def test_a_collection_holds(run: Run, collected: Path) -> None:
    assert last_verdict(run, collected) == (0, "holds")


@pytest.mark.parametrize("name", ["README.md", "index.html", "collection.json", "explorer.html"])
def test_a_forged_index_is_noticed(run: Run, collected: Path, name: str) -> None:
    another_digit(collected / name)
    certificate = json.loads((collected / "certificate.json").read_text("ascii"))
    games = certificate["predicate"]["games"]
    _reseal_collection(collected, games)
    code, message = last_verdict(run, collected)
    assert (code, message) == (1, f"does not hold: {name}: drawn again from the reports, it is not the same")


def test_a_missing_game_is_noticed(run: Run, collected: Path, small_report: Path) -> None:
    shutil.rmtree(collected / small_report.name)
    ran = run("verify", str(collected))
    assert ran.code in (1, 2)
    assert small_report.name in ran.out + ran.err


@pytest.mark.parametrize("name", ["README.md", "collection.json", "explorer.html"])
def test_a_missing_index_is_noticed(run: Run, collected: Path, name: str) -> None:
    (collected / name).unlink()
    code, message = last_verdict(run, collected)
    assert (code, message.startswith(f"does not hold: {name}: ")) == (1, True)


def test_a_folder_beside_the_games_is_noticed(run: Run, collected: Path) -> None:
    (collected / "more").mkdir()
    (collected / "more" / "report.md").write_text("x\n", "utf-8")
    assert last_verdict(run, collected)[0] == 1


def _reseal_collection(folder: Path, games: list[str]) -> None:
    """As ``reseal``, of the files that a collection's certificate names."""
    keep = {f"{game}/certificate.json" for game in games} | {
        *("README.md", "index.html", "collection.json", "explorer.html")
    }

    def only_its_own(statement: dict[str, object]) -> None:
        subjects = statement["subject"]
        assert isinstance(subjects, list)
        from tests.certify.forger import sha256

        statement["subject"] = [
            {"name": name, "digest": {"sha256": sha256(folder / name)}} for name in sorted(keep)
        ]

    reseal(folder, only_its_own)
