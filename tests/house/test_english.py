"""Plain English: words that mark a literal translation, in help, documentation and reports, with what to write instead."""

import re
from pathlib import Path

import pytest

from combinat.cli.app import COMMANDS
from tests.conftest import Run
from tests.house.pages import FENCED, PAGES
from tests.paths import ROOT

INSTEAD = {
    r"when nothing is said": "Default: 8",
    r"unless you say otherwise": "[default: 2]",
    r"(is|are|was|were) told": "name what is shown, printed or known",
    r"told apart": "grouped by, distinguished",
    r"comes? to": "gives, results in, amounts to, reaches",
    r"for who|who wants": "for contributors, for players who",
    r"(no one|nobody) can (gain|exceed)": "upper bound on any player's",
    r"so many": "a number, or the parameter's name",
    r"(held|holds?|hold) [\w' ]{0,30}against": "compared with",
    r"hangs? on": "depends on",
    r"by (itself|themselves) alone": "alone",
    r"lies? beside|stands? beside": "is beside",
    r"leaves with": "exits with",
    r"one's own": "your own",
    r"is looked at|are looked at": "is checked, is examined",
}
"""What marks the old manner, as a regular expression, and a plainer way to write it."""

OLD = re.compile(rf"\b({'|'.join(INSTEAD)})\b", re.IGNORECASE)
REPORTS = [*sorted((ROOT / "output").glob("**/report.md")), *sorted((ROOT / "output").glob("**/VERIFY.txt"))]


DOCUMENTS = " ".join(" ".join(path.read_text("utf-8").split()) for path in (ROOT / "tables").glob("*.toml"))
"""The words of the rule books, which reports quote."""


def old_manner(text: str) -> list[str]:
    """Each place with such words, with a little around it, unless a rule book has it."""
    plain = " ".join(FENCED.sub("", text).split())
    found = [(plain[max(at.start() - 10, 0) : at.end() + 10], at) for at in OLD.finditer(plain)]
    return [plain[max(at.start() - 40, 0) : at.end() + 20] for near, at in found if near not in DOCUMENTS]


@pytest.mark.parametrize("path", [*PAGES, *REPORTS], ids=lambda path: f"{path.parent.name}-{path.name}")
def test_pages_and_reports_are_in_plain_english(path: Path) -> None:
    assert old_manner(path.read_text("utf-8")) == []


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_in_plain_english(run: Run, command: str) -> None:
    assert old_manner(run(command, "--help").out) == []


def test_the_old_manner_would_be_noticed() -> None:
    found = old_manner("8 when nothing\nis said. The counts are held against the exact results. ```x```")
    assert len(found) == 2
    assert old_manner("The Banker Hand stands on 7. Default: 8.") == []
