"""The page on filing is executed, with a small rule book in the place of its game."""

import re
import shlex
from pathlib import Path

import pytest

from combinat.rules.filing import Filing
from tests.conftest import SMALL_BOOK, Run

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "report.md").read_text("utf-8")
CONSOLE = re.findall(r"^```console\n\$ combinat (.*?)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
GAME, NAME = "commission-insurance-2013", "Commission Baccarat with Insurance"


def plain(text: str) -> list[str]:
    """A text in which keys are alike, and the names of a list stand in one order."""
    masked = re.sub(r"\b[0-9a-f]{64}\b", "KEY", text)
    return [" ".join(sorted(line.replace(",", "").split())) for line in masked.splitlines()]


def test_the_page_is_executed(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Command after command, in one folder: each prints what the page shows, or begins with it."""
    assert len(CONSOLE) == TEXT.count("```console") == 4
    monkeypatch.chdir(tmp_path)
    for command, shown in CONSOLE:
        words = shlex.split(command)
        decks = {"8": "2", GAME: str(SMALL_BOOK)}  # the folder of the game is called after it
        words = [decks.get(word, word).replace(GAME, "small-baccarat") for word in words]
        ran = run(*words)
        assert (ran.code, ran.err) == (0, "")
        expected = plain(shown.replace(GAME, "small-baccarat").replace(NAME, "Small Baccarat"))
        foreign = ": for a rule book that does not come with this combinat; read it beside the document"
        assert plain(ran.out.replace(foreign, ""))[: len(expected)] == expected
        if (filing := tmp_path / "filing.toml").exists():
            filing.write_text(filing.read_text("utf-8").replace("# date = ", "date = "), "utf-8")


def test_every_key_of_a_filing_is_on_the_page() -> None:
    """And no other."""
    rows = re.findall(r"^\| (`.*?) \|", TEXT, re.MULTILINE)
    named = {key for row in rows for key in re.findall(r"`(?:\[\[)?(\w+)(?:\]\])?`", row)}
    assert named == set(Filing.__struct_fields__) - {"schema"}
