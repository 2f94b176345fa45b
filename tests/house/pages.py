"""The pages of the documentation as a program reads them: their blocks, and whether what they show is so.

How a page is written so that it can be executed, block after block, in one folder of its own:

- ``console``: commands, each on a line ``$ combinat ...``, each followed by exactly what it prints, standard output
  first, then standard error. A line ``...`` stands for one or more lines left out. ``# exit 1`` behind a command
  says that it leaves with 1. Before it may stand variables (``$ COLUMNS=80 combinat games``); ``cat FILE`` and
  ``python FILE`` are the other programs there are. There are no pipes.
- ``toml``, ``csv``, ``json``, ``python`` with ``title="my-game.toml"``: a file, which is written.
- ``toml title="at the end of my-game.toml"``: what is added to that file.
- ``diff title="my-game.toml"``: what changes in that file; every line begins with a space, ``-`` or ``+``.
- ``toml``, ``json``, ``csv``, ``coq`` without a title: a part of a file of this page as it stands, of a file of the
  repository that is data, or of what a command of this page has printed.
- ``python``: what is typed after ``>>>`` and what comes of it; one namespace a page. mypy reads it too.
- ``js``: statements that run without a fault, with ``combinat`` the functions of the explorer.
- ``sh``: commands that are not run, since they install something, need a device or take long. They are read: each
  target, command and option has to be there.
- ``text``: what is no command and no code.
"""

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.paths import ROOT

PAGES = sorted(
    path
    for path in (
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        ROOT / "SECURITY.md",
        *(ROOT / "docs").rglob("*.md"),
    )
    if path.is_file()
)
DATA = (*(ROOT / "docs").rglob("*.toml"), *(ROOT / "docs").rglob("*.csv"))
"""Files of the documentation that its commands read: each page finds them where a checkout has them."""
SOURCES = (*(ROOT / "tables").glob("*.toml"), *(ROOT / "proof").glob("*.v"))
"""Files of the repository of which a page may show a part."""

FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
"""A block of a page, whole."""

_FENCE = re.compile(r"^(?P<indent> *)(?P<ticks>`{3,}|~{3,})(?P<info>[^`]*)$")
_INFO = re.compile(r'^(?P<language>\w*)(?: title="(?P<title>[^"]+)")?$')


class PageError(AssertionError):
    """What is wrong with a page, and where."""


@dataclass(frozen=True)
class Block:
    """A block between fences: where it begins (the line of its fence, from 1), its language, its title, its text."""

    line: int
    language: str
    title: str | None
    text: str


def blocks(page: str, name: str) -> Iterator[Block]:
    """The blocks of a page, in order."""
    lines = iter(enumerate(page.splitlines(), 1))
    for number, line in lines:
        opening = _FENCE.match(line)
        if opening is None:
            continue
        info = _INFO.match(opening["info"].strip())
        if info is None:
            raise PageError(
                f'{name}:{number}: a block begins with its language, and title="FILE" if it is one'
            )
        inside = []
        for _, text in lines:
            if text.strip() == opening["ticks"]:
                break
            inside.append(text.removeprefix(opening["indent"]) + "\n")
        else:
            raise PageError(f"{name}:{number}: a block that does not end")
        yield Block(number, info["language"], info["title"], "".join(inside))


@dataclass(frozen=True)
class Command:
    """A command of a console block: its words as they are typed, how it leaves, the lines that it prints."""

    typed: str
    code: int
    shown: list[str]


def commands(block: Block, name: str) -> list[Command]:
    """The commands of a console block, each with what is shown of it."""
    typed: list[Command] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            words, _, code = line[2:].partition(" # exit ")
            typed.append(Command(words, int(code or 0), []))
        elif typed:
            typed[-1].shown.append(line)
        else:
            raise PageError(f"{name}:{block.line}: a console block begins with a command: $ combinat ...")
    if not typed:
        raise PageError(f"{name}:{block.line}: a console block without a command")
    return typed


def fits(shown: list[str], printed: list[str]) -> bool:
    """Whether this was printed: every line of it, except where ``...`` stands for one or more."""
    if "..." not in shown:
        return shown == printed
    gap = shown.index("...")
    head, rest = shown[:gap], shown[gap + 1 :]
    if printed[:gap] != head:
        return False
    return any(fits(rest, printed[start:]) for start in range(gap + 1, len(printed) + 1))


def is_part(part: Any, whole: Any) -> bool:
    """Whether a parsed file has this in it: every key, and of a list of tables each as a part of one of its tables."""
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(key in whole and is_part(value, whole[key]) for key, value in part.items())
    if isinstance(part, list) and isinstance(whole, list) and part and isinstance(part[0], dict):
        return all(any(is_part(one, other) for other in whole) for one in part)
    return bool(part == whole)


def is_shown_of(block: Block, name: str, content: str) -> bool:
    """Whether the block is a part of a file: parsed for TOML and JSON, else lines of it."""
    if block.language in ("toml", "json"):
        if not name.endswith(f".{block.language}"):
            return False
        parsed = tomllib.loads if block.language == "toml" else json.loads
        try:
            return is_part(parsed(block.text), parsed(content))
        except ValueError:
            return False
    if block.language == "coq":  # theorems, between which a file has their proofs
        return set(block.text.splitlines()) <= set(content.splitlines())
    return f"\n{block.text}" in f"\n{content}"


def changed(block: Block, content: str, name: str) -> str:
    """The file after a diff: where its lines stand that begin with a space or ``-``, those with a space or ``+``."""
    lines = block.text.splitlines(keepends=True)
    if strange := [line for line in lines if line[0] not in " +-\n"]:
        raise PageError(f"{name}:{block.line}: a line of a diff begins with a space, - or +: {strange[0]!r}")
    before = "".join(line[1:] or "\n" for line in lines if line[0] != "+")
    after = "".join(line[1:] or "\n" for line in lines if line[0] != "-")
    if content.count(before) != 1:
        times = content.count(before)
        raise PageError(
            f"{name}:{block.line}: {block.title} has the lines that change {times} times, not once"
        )
    return content.replace(before, after)
