"""What the README promises of verification, tried by a forger: every hash and sum is rewritten each time."""

import json
import shutil
from pathlib import Path

import pytest

from combinat.certify.analysis_file import analysis_bytes
from combinat.report.folder import Documents, Form
from tests.certify.forger import another_digit, reseal, restated
from tests.conftest import Run

READABLE = (
    *("report.md", "rules.md", "report.html", "report.pdf", "workbook.xlsx", "tables/bets.csv"),
    *("tables/outcomes.csv", "tables/joint.csv", "tables/insurance.csv", "tables/removal.csv"),
    *("tables/formulas.csv", "figures/house-edge-by-decks.svg", "VERIFY.txt", "checker.py"),
)


DRAWN: dict[tuple[bytes, Form], dict[str, bytes]] = {}


@pytest.fixture(autouse=True)
def drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Documents of one dossier are drawn again once: the forger never gets at them."""
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
    """The exit code, and the name that the verdict on a folder begins with."""
    ran = run("verify", str(folder), *options, "--format", "json")
    found = {one["folder"]: one["message"] or "" for one in json.loads(ran.out)["folders"]}
    return ran.code, found[str(folder)].partition(":")[0]


def test_a_copy_holds_under_any_name_and_sealed_again(run: Run, forged: Path) -> None:
    assert verdict(run, forged)[0] == 0
    reseal(forged)
    assert verdict(run, forged)[0] == 0


@pytest.mark.parametrize("name", [*READABLE, "analysis.json"])
def test_one_digit_of_any_file_is_noticed(run: Run, forged: Path, name: str) -> None:
    another_digit(forged / name)
    reseal(forged)
    assert verdict(run, forged) == (1, name)


def test_every_kind_of_file_is_tried(forged: Path) -> None:
    """By suffix and folder: none is forgotten above."""
    kinds = {(Path(name).suffix, Path(name).parent) for name in READABLE}
    there = {path.relative_to(forged) for path in forged.rglob("*") if path.is_file()}
    others = {"analysis.json", "certificate.json", "SHA256SUMS", "small-baccarat.toml"}
    assert {(path.suffix, path.parent) for path in there if str(path) not in others} == kinds


@pytest.mark.parametrize(
    ("library", "name"), [("typst", "report.pdf"), ("xlsxwriter", "workbook.xlsx"), ("tabulate", "report.md")]
)
def test_another_version_of_a_library_is_no_way_out(run: Run, forged: Path, library: str, name: str) -> None:
    """A version that is not here gains a forger nothing: his document is not believed."""

    def other_version(statement: dict[str, dict[str, list[dict[str, str]]]]) -> None:
        (one,) = [one for one in statement["predicate"]["libraries"] if one["name"] == library]
        one["version"] = "0.0.1"

    another_digit(forged / name)
    reseal(forged, restated(other_version))
    assert verdict(run, forged) == (2, "documents")


# ---------------------------------------------------------------- the collection


@pytest.fixture
def collected(small_report: Path, tmp_path: Path) -> Path:
    """A copy of a whole output folder, with its index."""
    return Path(shutil.copytree(small_report.parent, tmp_path / "collection"))


def test_a_collection_holds(run: Run, collected: Path) -> None:
    assert verdict(run, collected) == (0, "")


@pytest.mark.parametrize("name", ["README.md", "index.html", "collection.json", "explorer.html"])
def test_a_forged_or_missing_index_is_noticed(run: Run, collected: Path, name: str) -> None:
    another_digit(collected / name)
    reseal(collected)
    assert verdict(run, collected) == (1, name)
    (collected / name).unlink()
    assert verdict(run, collected) == (1, name)
