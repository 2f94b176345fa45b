"""Counts that a player keeps: tags, a bet, and the true count from which on it is made; read from TOML files.

A file lists one count or several::

    [[counts]]
    name = "Dragon 7"
    bet = "dragon-7"
    tags = "4=-1 5=-1 6=-1 7=-1 8=2 9=2"
    index = 4
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from combinat.errors import CombinatError, CountFileError, near_matches, shortened
from combinat.render.files import FileError, plain_bytes
from combinat.rules import bounds
from combinat.rules.bounded_toml import check_values, parsed_toml
from combinat.rules.tags import Tags

KEYS = ("name", "bet", "tags", "index")
MOST = 20
"""The most counts of one study."""

_INDEX = re.compile(r"-?\d{1,6}(?:\.\d{1,6}|/[1-9]\d{0,5})?", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """A count: a unit is put on the bet when the true count is at its index or above.

    The true count is the running count times 52 over the cards that are not seen.
    """

    name: str
    bet: str
    tags: Tags
    index: Fraction

    def __str__(self) -> str:
        return self.name


def read_counts(paths: Sequence[Path]) -> tuple[Count, ...]:
    """The counts of these files, in order, each name once."""
    counts: list[Count] = []
    for path in paths:
        try:
            counts += parsed_counts(plain_bytes(path, bounds.BYTES, links=True))
        except FileError as error:
            raise CountFileError(f"{path}: {error.why}; give a TOML file of counts") from None
        except CombinatError as error:
            raise CountFileError(f"{path}: {error}") from None
    names = [count.name for count in counts]
    for name in names:
        if names.count(name) > 1:
            raise CountFileError(f'two counts are called "{name}"; give each a name of its own')
    if len(counts) > MOST:
        raise CountFileError(f"found {len(counts)} counts; give at most {MOST}")
    return tuple(counts)


def parsed_counts(content: bytes) -> list[Count]:
    """The counts that the bytes of a file state."""
    try:
        text = content.decode("utf-8")
        raw = parsed_toml(text)
    except UnicodeDecodeError as error:
        raise CountFileError(f"not UTF-8 text (byte {error.start})") from None
    except ValueError as error:
        raise CountFileError(f"not readable as TOML: {error}") from None
    check_values(raw, text)
    if unknown := raw.keys() - {"counts"}:
        raise CountFileError(f'unknown key "{shortened(min(unknown))}"; write [[counts]] and nothing else')
    listed = raw.get("counts")
    if not isinstance(listed, list) or not listed or not all(isinstance(entry, dict) for entry in listed):
        raise CountFileError("no counts in it; write [[counts]] and under it " + ", ".join(KEYS))
    return [_count(f"counts[{number}]", entry) for number, entry in enumerate(listed)]


def _count(where: str, entry: dict[str, Any]) -> Count:
    for key in entry:
        if key not in KEYS:
            near = near_matches(key, list(KEYS))
            hint = f"; did you mean {near[0]}?" if near else f"; the keys are {', '.join(KEYS)}"
            raise CountFileError(f'{where}: unknown key "{shortened(key)}"{hint}')
    for key in KEYS:
        if key not in entry:
            raise CountFileError(f"{where}.{key}: missing; the keys are {', '.join(KEYS)}")
    for key in ("name", "bet", "tags"):
        if not isinstance(entry[key], str) or not entry[key]:
            raise CountFileError(f"{where}.{key}: found {shortened(repr(entry[key]))}; write text in quotes")
    try:
        tags = Tags.parse(entry["tags"])
    except CombinatError as error:
        raise CountFileError(f"{where}.tags: {error}") from None
    if not any(tags):
        raise CountFileError(f"{where}.tags: every tag is 0; give at least one rank a tag, such as 8=2")
    return Count(
        name=entry["name"], bet=entry["bet"], tags=tags, index=_index(f"{where}.index", entry["index"])
    )


def _index(where: str, value: object) -> Fraction:
    """A true count: a whole number, or a decimal or a fraction as text."""
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(text, str) or not _INDEX.fullmatch(text):
        raise CountFileError(
            f'{where}: found {shortened(repr(value))}; write a true count, such as 4, "3.5" or "7/2"'
        )
    return Fraction(text)
