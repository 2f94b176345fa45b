"""The hostile files: a folder for each reader, with what becomes of every file in it.

A rule book states that in a comment before it, which is no part of what is read. The other formats have no comments:
``expected.toml`` states it for every file of the folder.
"""

import tomllib
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
INDEX = "expected.toml"
BOOKS = "books"


def files() -> list[Path]:
    """Every hostile file."""
    return sorted(path for path in HERE.glob("[a-z]*/*") if path.name != INDEX and path.suffix != ".new")


@cache
def index(folder: Path) -> dict[str, str]:
    """What becomes of the files of a folder, by name."""
    return tomllib.loads((folder / INDEX).read_text("utf-8"))


def content(path: Path) -> bytes:
    """The file as a stranger might send it."""
    return path.read_bytes().partition(b"\n")[2] if path.parent.name == BOOKS else path.read_bytes()


def expected(path: Path) -> str:
    """``accepted``, or ``refused:`` and the message, in which ``...`` stands for anything."""
    if path.parent.name != BOOKS:
        return index(path.parent)[path.name]
    return path.read_bytes().partition(b"\n")[0].decode("utf-8").removeprefix("# ")
