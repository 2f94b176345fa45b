"""scipy judges the simulation that a report shows, so the certificate names its version."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.certify.forger import reseal, restated
from tests.conftest import Run
from tests.paths import PLAIN_BOOK


@pytest.fixture
def simulated(run: Run, tmp_path: Path) -> Path:
    """The folder of a report with a simulation."""
    words = ("--decks", "1", "--formats", "markdown", "--simulation-rounds", "10000", "--out")
    assert run("report", str(PLAIN_BOOK), *words, str(tmp_path / "out")).code == 0
    return tmp_path / "out" / PLAIN_BOOK.stem


def verdict(run: Run, folder: Path) -> tuple[int, str]:
    ran = run("verify", str(folder), columns="1000")
    return ran.code, ran.out.splitlines()[0].removeprefix(f"{folder}: ")


def with_scipy(version: str | None) -> Any:
    """State another version of scipy in a certificate, or none."""

    def change(statement: dict[str, Any]) -> None:
        libraries = statement["predicate"]["libraries"]
        (scipy,) = [one for one in libraries if one["name"] == "scipy"]
        if version is None:
            libraries.remove(scipy)
        scipy["version"] = version

    return change


def test_a_difference_is_a_verdict_only_with_the_version_that_judged(run: Run, simulated: Path) -> None:
    """A changed report does not hold (1); with another version it could not be checked (2); one must be named."""
    assert verdict(run, simulated)[0] == 0
    path = simulated / "report.md"
    text = path.read_text("utf-8")
    assert text.count("Simulation") > 1
    path.write_text(text.replace("Simulation", "Simulations", 1), "utf-8")
    same, other = simulated, shutil.copytree(simulated, simulated.with_name("other"))
    unnamed = shutil.copytree(simulated, simulated.with_name("unnamed"))
    reseal(same)
    assert verdict(run, same)[0] == 1
    reseal(other, restated(with_scipy("0.0.1")))
    code, said = verdict(run, other)
    assert (code, "scipy==0.0.1" in said) == (2, True)
    path = unnamed / "report.md"
    path.write_text(text, "utf-8")
    reseal(unnamed, restated(with_scipy(None)))
    assert verdict(run, unnamed)[0] == 1
