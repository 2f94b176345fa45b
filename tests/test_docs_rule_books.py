"""The page on rule books is executed: its files load, its command prints what it shows, its table has every fact."""

import re
import shlex
from pathlib import Path

import pytest

from combinat.analysis.expectation import expectations
from combinat.rules.bet import FACTS
from combinat.rules.bounded_toml import parsed_toml
from combinat.rules.rulebook import load_game
from tests.conftest import Run

SHIPPED = Path(__file__).parent.parent / "tables" / "tiger-buffalo-commission-plus-2024.toml"
TEXT = (Path(__file__).parent.parent / "docs" / "rule-books.md").read_text("utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def test_the_page_prints_what_it_shows_and_its_files_load(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    whole, table, based, expect = blocks("toml")
    assert parsed_toml(table).items() <= parsed_toml(SHIPPED.read_text("utf-8")).items()
    Path("my-game.toml").write_text(whole, "utf-8")
    (console,) = blocks("console")
    command, _, shown = console.removeprefix("$ combinat ").partition("\n")
    ran = run(*shlex.split(command))
    assert (ran.code, ran.out, ran.err) == (0, shown, "")
    Path("my-side-bet.toml").write_text(based, "utf-8")
    assert load_game(Path("my-side-bet.toml")).bet("four-cards").pays
    Path("my-game.toml").write_text(whole + expect, "utf-8")
    assert [held.is_met for held in expectations(load_game(Path("my-game.toml")))] == [True]


def test_the_table_has_every_fact_and_nothing_else() -> None:
    section = TEXT.split("\n## The facts\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    assert sorted(name for row in rows for name in re.findall(r"`(\w+)`", row)) == sorted(FACTS)
