"""The page about ``combinat evaluate`` is executed: what it shows is what is printed."""

import re
import shlex
from pathlib import Path

import pytest

from combinat.cli.evaluate import MANY
from combinat.engine import kernel
from tests.conftest import Run

PAGE = Path(__file__).parent.parent / "docs" / "evaluate.md"
TEXT = PAGE.read_text("utf-8")


def blocks(kind: str) -> list[str]:
    """What stands in the blocks of a kind."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def test_the_page_prints_what_it_shows(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (shoes,), (console,), (refused,) = blocks("csv"), blocks("console"), blocks("text")
    Path("shoes.csv").write_text(shoes, "utf-8")
    command, _, shown = console.removeprefix("$ combinat ").partition("\n")
    ran = run(*shlex.split(command))
    assert (ran.code, ran.out, ran.err) == (0, shown, "")
    header = ",".join(shown.splitlines()[0].split(",")[:13])
    full = ["32"] * 13
    rows = [full, [*full[:11], "-1", *full[12:]]]
    Path("shoes.csv").write_text("\n".join([header, *map(",".join, rows)]), "utf-8")
    assert run(*shlex.split(command)).err == refused


def test_the_page_names_every_option(run: Run) -> None:
    options = set(re.findall(r"(?<![\w-])--[a-z]+", run("evaluate", "--help").out))
    options -= {"--help", "--quiet", "--debug"}  # every command has them
    assert options == set(re.findall(r"(?<![\w-])--[a-z]+", TEXT))


def test_the_page_names_the_columns(run: Run, tmp_path: Path) -> None:
    """Each kind of column, in the words of the page."""
    path = tmp_path / "shoes.csv"
    path.write_text('removed\n""\n', "utf-8")
    every = ["--variance", "--insurance", "--outcomes", "--stake", "tie=1"]
    printed = run("evaluate", "commission-insurance-2013", "--shoes", str(path), *every).out
    columns = set(printed.splitlines()[0].split(","))
    shown = {"tie", "tie-variance", "stakes", "sample-space", "tie:wins:ways"}
    state = "player:four-cards:5-4"
    assert shown | {f"{state}:probability", f"{state}:expected-value"} <= columns
    kinds = {"BET", "BET-variance", "stakes", "sample-space", "BET:LINE:ways"}
    kinds |= {f"SIDE:STAGE:OWN-OTHER:{figure}" for figure in ("probability", "expected-value")}
    assert [kind for kind in sorted(kinds) if f"`{kind}`" not in TEXT] == []


def test_the_numbers_of_the_page_are_those_of_the_program() -> None:
    assert f"more than {kernel.FEW} shoes" in TEXT
    assert f"from {MANY:,} shoes on" in TEXT
