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
from fractions import Fraction
from pathlib import Path
from typing import Annotated

import msgspec

from combinat.base.errors import FileError, shortened
from combinat.protection.tags import Tags
from combinat.rules.book.reader import file_bytes, read
from combinat.rules.odds import Text
from combinat.rules.value_sets import Parsed

MOST = 20
"""The most counts of one study."""

_INDEX = re.compile(r"-?\d{1,6}(?:\.\d{1,6}|/[1-9]\d{0,5})?", re.ASCII)


def _index(written: object) -> Fraction:
    """A true count: a whole number, or a decimal or a fraction as text."""
    text = str(written) if isinstance(written, int) and not isinstance(written, bool) else written
    if not isinstance(text, str) or not _INDEX.fullmatch(text):
        found = shortened(repr(written))
        raise FileError(f'found {found}; write a true count, such as 4, "3.5" or "7/2"')
    return Fraction(text)


class Count(msgspec.Struct, frozen=True, kw_only=True):
    """A count: a unit is put on the bet when the true count is at its index or above.

    The true count is the running count times 52 over the cards that are not seen.
    """

    name: Text
    bet: Text
    tags: Tags
    index: Annotated[Fraction, Parsed(_index, "a true count, such as 4")]

    def __str__(self) -> str:
        return self.name


class CountFile(msgspec.Struct, frozen=True):
    """The file of some counts."""

    counts: Annotated[tuple[Count, ...], msgspec.Meta(min_length=1)]


def read_counts(paths: Sequence[Path]) -> tuple[Count, ...]:
    """The counts of these files, in order, each name once."""
    counts: list[Count] = []
    for path in paths:
        content = file_bytes(path, FileError, "counts")
        try:
            counts += parsed_counts(content)
        except FileError as error:
            raise FileError(f"{path}: {error}") from None
    names = [count.name for count in counts]
    for name in names:
        if names.count(name) > 1:
            raise FileError(f'two counts are called "{name}"; give each a name of its own')
    if len(counts) > MOST:
        raise FileError(f"found {len(counts)} counts; give at most {MOST}")
    return tuple(counts)


def parsed_counts(content: bytes) -> tuple[Count, ...]:
    """The counts that the bytes of a file state."""
    file, mistakes = read(content, CountFile)
    if file is None:
        raise FileError(str(mistakes[0]))
    for number, count in enumerate(file.counts):
        if not any(count.tags):
            raise FileError(
                f"counts[{number}].tags: every tag is 0; give at least one rank a tag, such as 8=2"
            )
    return file.counts
