"""The pages about power and review are executed: their commands print what they show."""

import re
import shlex
from pathlib import Path

import pytest

from combinat.simulate.fault import FORMS
from tests.conftest import Run
from tests.made_up_players import PLAYERS, dealt, write_log

DOCS = Path(__file__).parent.parent / "docs"
PAGES = {name: (DOCS / name).read_text("utf-8") for name in ("power.md", "review.md")}


@pytest.mark.parametrize("page", PAGES)
def test_a_command_prints_what_the_page_shows(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    shown = re.findall(r"^```console\n\$ combinat (.*?)\n(.*?)^```$", PAGES[page], re.MULTILINE | re.DOTALL)
    assert len(shown) == PAGES[page].count("```console") == 1
    monkeypatch.chdir(tmp_path)
    write_log(tmp_path / "log.csv", dealt(30, seed=1), PLAYERS)
    for command, output in shown:
        ran = run(*shlex.split(command), columns="")
        assert ran.out == output
        assert (ran.code, ran.err) == (0, "")


def test_the_page_lists_every_fault() -> None:
    listed = dict(re.findall(r"^\| `([^`]+)` \| (.+) \|$", PAGES["power.md"], re.MULTILINE))
    assert listed == FORMS
