"""What became of a verification, as people and programs read it."""

import textwrap
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from combinat.errors import shown
from combinat.render.shaping import shape_in_force


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


def verification_text(verification: Verification) -> str:
    """The verdict on a folder, with how each file was checked."""
    head = f"{shown(verification.folder)}: {verification.holding.in_words}"
    if verification.message is not None:
        head = f"{head}: {shown(verification.message)}"
    lines = [_term(word, text) for word, text in verification.said.items()]
    width = max((len(file.name) for file in verification.files), default=0)
    lines += [_beside(f"    {shown(file.name):{width}}  ", file.words) for file in verification.files]
    return "\n".join([head, *lines])


def _term(word: str, text: str) -> str:
    return _beside(f"  {word + ':':12}", text)


def _beside(first: str, text: str) -> str:
    """A text beside what stands first in its line, in lines that fit the terminal."""
    return textwrap.fill(
        shown(text),
        shape_in_force().width,
        initial_indent=first,
        subsequent_indent=" " * len(first),
        break_long_words=False,
        break_on_hyphens=False,
    )


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
