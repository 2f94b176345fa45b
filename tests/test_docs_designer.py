"""The page for designers is executed from an empty folder: its commands print what it shows, its changes are made."""

import re
import shlex
from pathlib import Path

import pytest

from tests.conftest import Run

TEXT = (Path(__file__).parent.parent / "docs" / "designer.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(toml|console)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
BOOK = Path("my-game.toml")


def changed(text: str, block: str) -> str:
    """The file after what the page says was done: the last bet pays otherwise, or something is added at the end."""
    if not block.startswith("pays = ["):
        return f"{text}\n{block}"
    before, _, after = text.rpartition("\npays = [\n")
    rest = after.partition("]\n")[2]
    return f"{before}\n{block}{rest}"


def test_the_page_prints_what_it_shows(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    codes = []
    for kind, block in BLOCKS:
        if kind == "toml":
            BOOK.write_text(changed(BOOK.read_text("utf-8"), block), "utf-8")
            continue
        command, _, shown = block.removeprefix("$ combinat ").partition("\n")
        ran = run(*shlex.split(command))
        assert (ran.out, ran.err) == (shown, ""), command
        codes.append(ran.code)
    assert codes == [0, 1, 0, 0, 0, 0, 0, 0]
