"""The page for designers is executed: its files load, and its commands print what it shows."""

import re
import shlex
from pathlib import Path

import pytest

from tests.conftest import Run

TEXT = (Path(__file__).parent.parent / "docs" / "designer.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(toml|console)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def test_the_page_prints_what_it_shows(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert sum(kind == "console" for kind, _ in BLOCKS) == 3
    for kind, block in BLOCKS:
        if kind == "toml":
            (game,) = re.findall(r'^id = "(.*)"$', block, re.MULTILINE)[:1]
            Path(f"{game}.toml").write_text(block, "utf-8")
            continue
        command, _, shown = block.removeprefix("$ combinat ").partition("\n")
        ran = run(*shlex.split(command))
        assert (ran.out, ran.err) == (shown, ""), command
