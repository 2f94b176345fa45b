"""The wheel: what it carries, and that it works where there is no checkout."""

import shutil
import zipfile
from pathlib import Path

import pytest

from combinat.report.explorer.page import WEB
from tests.conftest import SMALL_BOOK
from tests.documents import COMMISSION_2013, GAMES
from tests.paths import ROOT
from tests.programs import python

CHECKOUT = ROOT
NOT_COPIED = shutil.ignore_patterns(".*", "__pycache__", "build", "dist", "output", "tests")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel built from a copy of the checkout, so that nothing is written into it."""
    folder = tmp_path_factory.mktemp("wheel")
    copy = folder / "checkout"
    shutil.copytree(CHECKOUT, copy, ignore=NOT_COPIED)
    words = ["-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    assert python(*words, folder=copy, PYTHONPATH="").code == 0
    (built,) = folder.glob("combinat-*.whl")
    return built


def test_the_wheel_carries_the_rule_books_the_types_and_nothing_beside_the_package(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    texts = "combinat/report/explorer/web/texts.toml"
    assert {name for name in names if name.endswith(".toml")} == {texts} | {
        f"combinat/tables/{game_id}.toml" for game_id in GAMES
    }
    assert {name for name in names if name.endswith(".v")} == {
        f"combinat/proof/{path.name}" for path in (CHECKOUT / "proof").glob("*.v")
    }
    assert {"combinat/py.typed", "combinat/proof/check.py"} <= set(names)
    web = {path.relative_to(CHECKOUT).as_posix() for path in WEB.iterdir()}
    assert {"combinat/render/document.css", "combinat/render/copy.js"} <= set(names)
    assert web == {name for name in names if "/web/" in name} != set()
    top = {name.partition("/")[0] for name in names}
    assert {name for name in top if not name.endswith(".dist-info")} == {"combinat"}
    assert len(names) == len(set(names))


@pytest.fixture(scope="module")
def site(wheel: Path) -> Path:
    """Where the wheel is installed: one of Python alone is installed by unpacking it."""
    folder = wheel.parent / "site"
    zipfile.ZipFile(wheel).extractall(folder)
    return folder


def test_the_wheel_carries_the_rule_books_and_the_schemas_of_the_checkout(site: Path, tmp_path: Path) -> None:
    """The schemas beside the types that they are drawn from, where they are found without a checkout."""
    schemas = (CHECKOUT / "docs" / "schemas").glob("*.json")
    for path in (*schemas, *(CHECKOUT / "tables" / f"{game_id}.toml" for game_id in GAMES)):
        assert (site / "combinat" / path.parent.name / path.name).read_bytes() == path.read_bytes()
    code = (
        "from combinat.report.schemas import schema_paths; print(schema_paths()['odds'].read_text(), end='')"
    )
    printed = python("-c", code, folder=tmp_path, PYTHONPATH=str(site))
    assert printed.output() == (CHECKOUT / "docs" / "schemas" / "odds.json").read_text("utf-8")


RUN = """
import runpy, sys, combinat
print(combinat.__file__)
sys.argv[0] = "combinat"
runpy.run_module("combinat", run_name="__main__")
"""


def installed(site: Path, folder: Path, *words: str) -> str:
    """What the installed program prints, run from a folder outside the checkout."""
    ran = python("-c", RUN, *words, folder=folder, PYTHONPATH=str(site))
    assert ran.code == 0, ran.err
    where, _, shown = ran.out.partition("\n")
    assert Path(where) == site / "combinat" / "__init__.py"
    return shown


def test_the_installed_wheel_works_without_the_checkout(site: Path, tmp_path: Path) -> None:
    assert "Root-Is-Purelib: true" in next(site.glob("*.dist-info/WHEEL")).read_text("utf-8")
    assert "combinat = combinat.cli:program" in next(site.glob("*.dist-info/entry_points.txt")).read_text(
        "utf-8"
    )
    shown = installed(site, tmp_path, "rules", COMMISSION_2013)
    assert shown.startswith("Commission Baccarat with Insurance\n==================================\n")
    assert f"Game id: {COMMISSION_2013}\n" in shown
    installed(site, tmp_path, "simulate", COMMISSION_2013, "--rounds", "20000", "--out", "log.csv")
    assert installed(site, tmp_path, "crosscheck", "log.csv").startswith("Verdict: agrees")


@pytest.mark.full
def test_the_installed_wheel_writes_a_report_and_verifies_it(site: Path, tmp_path: Path) -> None:
    (tmp_path / SMALL_BOOK.name).write_bytes(SMALL_BOOK.read_bytes())
    installed(site, tmp_path, "report", SMALL_BOOK.name, "--decks", "1-2", "--simulation", "none")
    shown = installed(site, tmp_path, "verify", "output/small-baccarat")
    assert "drawn again: equal bytes" in shown
