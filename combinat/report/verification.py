"""What became of a verification, as people and programs read it."""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from combinat.base.errors import shown
from combinat.certify.verification import Origin
from combinat.render.blocks import Block, Column, Section, Table, Terms, table
from combinat.render.table_options import table_options
from combinat.render.text import line_of_text


class Holding(StrEnum):
    """What became of a folder."""

    HOLDS = "holds"
    REJECTED = "rejected"
    UNCHECKED = "unchecked"

    @property
    def in_words(self) -> str:
        """What became of it, as a phrase."""
        return _IN_WORDS[self]

    @property
    def exit_code(self) -> int:
        """What the program leaves with."""
        return list(Holding).index(self)


_IN_WORDS = {
    Holding.HOLDS: "holds",
    Holding.REJECTED: "does not hold",
    Holding.UNCHECKED: "could not be checked",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedFile:
    """A file, the id of how it was checked, and that in words."""

    name: str
    check: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """A folder, what became of it and why, what was checked, and how each of its files was."""

    folder: str
    holding: Holding
    message: str | None = None
    said: dict[str, str] = field(default_factory=dict)
    record: dict[str, Any] = field(default_factory=dict)
    files: tuple[CheckedFile, ...] = ()


def proviso(origin: Origin, *, figures_only: bool) -> str | None:
    """What a reader of "holds" has to know; None: nothing."""
    said = [
        *(["its figures alone; the documents were not looked at"] if figures_only else []),
        *([f"for {origin.in_words}"] if origin is Origin.FOREIGN else []),
    ]
    return "; ".join(said) or None


def _head(verification: Verification) -> str:
    """The verdict in a line, with why."""
    head = f"{shown(verification.folder)}: {verification.holding.in_words}"
    return head if verification.message is None else f"{head}: {shown(verification.message)}"


def verification_text(verification: Verification) -> str:
    """The verdict on a folder, with how each file was checked."""
    lines = [_term(word, text) for word, text in verification.said.items()]
    width = max((len(file.name) for file in verification.files), default=0)
    lines += [_beside(f"    {shown(file.name):{width}}  ", file.words) for file in verification.files]
    return "\n".join([line_of_text(_head(verification), "  "), *lines])


def _term(word: str, text: str) -> str:
    return _beside(f"  {word + ':':12}", text)


def _beside(first: str, text: str) -> str:
    """A text beside what stands first in its line, in lines that fit the terminal."""
    return textwrap.fill(
        shown(text),
        table_options().width,
        initial_indent=first,
        subsequent_indent=" " * len(first),
        break_long_words=False,
        break_on_hyphens=False,
    )


def verification_blocks(verifications: Sequence[Verification]) -> list[Block]:
    """The verdicts as sections, each with a table of its files."""
    return [_section(one) for one in verifications]


def _section(verification: Verification) -> Section:
    said = {word.capitalize(): shown(text) for word, text in verification.said.items()}
    rows = [(shown(file.name), file.check, shown(file.words)) for file in verification.files]
    files = (table((Column("file"), Column("check"), Column("how")), rows),) if rows else ()
    return Section(_head(verification), (*((Terms(said),) if said else ()), *files))


def verification_csv(verifications: Sequence[Verification]) -> Table:
    """A line for every file of every folder; one for a folder of which no file was looked at."""
    columns = [Column(head) for head in ("folder", "verdict", "message", "file", "check", "how")]
    rows = [
        (shown(one.folder), one.holding, shown(one.message or ""), shown(file.name), file.check, file.words)
        for one in verifications
        for file in one.files or (CheckedFile(name="", check="", words=""),)
    ]
    return table(columns, rows)


def verification_json(verifications: list[Verification]) -> dict[str, Any]:
    """The verdicts under the schema ``combinat/verify/2``."""
    return {
        "schema": "combinat/verify/2",
        "holds": all(one.holding is Holding.HOLDS for one in verifications),
        "folders": [
            {
                "folder": shown(one.folder),
                "verdict": one.holding.value,
                "message": None if one.message is None else shown(one.message),
                **one.record,
                "files": [{"name": file.name, "check": file.check, "how": file.words} for file in one.files],
            }
            for one in verifications
        ],
    }
