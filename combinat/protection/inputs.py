"""Inputs of game protection: depths, limits and true counts as callers pass them, tags, and files of counts.

A file lists one count or several::

    [[counts]]
    name = "Dragon 7"
    bet = "dragon-7"
    tags = "4=-1 5=-1 6=-1 7=-1 8=2 9=2"
    index = 4
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated, ClassVar

import msgspec

from combinat.base.errors import FileError, InputError, in_words, named, near_hint
from combinat.base.number import integer
from combinat.engine.walk import MOST_CARDS
from combinat.rules.book.reader import file_bytes, read
from combinat.rules.bounds import COUNTED_CARDS, DEPTHS, TAG
from combinat.rules.cards import RANKS, Rank, parse_by_rank
from combinat.rules.game import Game
from combinat.rules.odds import Text
from combinat.rules.shoe import Shoe
from combinat.rules.value_sets import Parsed

Numbers = int | str | Sequence[int]
"""A number, several, or text such as ``26,52,104``."""

Rational = int | str | Fraction

LIMIT = Fraction(1, 10)
"""Default limit on the gain of a shoe, in units."""

_NUMBER = re.compile(r"-?\d{1,9}(?:\.\d{1,9}|/0*[1-9]\d{0,8})?", re.ASCII)


def as_numbers(what: str, given: Numbers, wanted: str) -> list[int]:
    """Return numbers of cards without repetitions."""
    words = given.replace(",", " ").split() if isinstance(given, str) else given
    listed = list(words) if isinstance(words, list | tuple | range) else [words]
    numbers = [
        int(word)
        if isinstance(word, str) and word.isascii() and word.isdigit() and len(word) < 10
        else integer(word)
        for word in listed
    ]
    if not numbers or len(numbers) > DEPTHS or any(number is None or number < 0 for number in numbers):
        raise InputError(f"found {in_words(given)}", f"write {wanted}", parameter=what)
    return list(dict.fromkeys(number for number in numbers if number is not None))


def as_depths(left: Numbers) -> list[int]:
    """Return depths, in cards left."""
    return as_numbers("left", left, f"cards left, such as 26,52,104, at most {DEPTHS} depths")


def checked_wagers(game: Game, asked: Sequence[str]) -> tuple[str, ...]:
    """Return the wagers asked for, in the game's order; all of them if none is named.

    They are the ids of the bets, and the insurance tables as ``player@four-cards``.
    """
    known = (*(bet.id for bet in game.bets), *(str(table.insured) for table in game.insurance))
    if isinstance(asked, str):
        raise InputError(f"found {in_words(asked)}", f"write a list, such as [{in_words(asked)}]")
    for wanted in asked:
        if wanted not in known:
            hint = near_hint(str(wanted), known)
            raise InputError(f"{game.id} has no bet {in_words(wanted)}{hint} It has: {', '.join(known)}")
    return tuple(wager for wager in known if wager in asked or not asked)


def check_left(size: int, left: int) -> None:
    """Refuse a depth at which no whole round can be dealt, or which the shoe does not have."""
    if left < MOST_CARDS:
        raise InputError(
            f"found {left} cards left; a round may need {MOST_CARDS}: write {MOST_CARDS} or more"
        )
    if left > size:
        raise InputError(f"found {left} cards left; the shoe has {size}: write {size} or fewer")


def check_size(shoe: Shoe) -> None:
    """Refuse a shoe with too many depths to go through."""
    if shoe.size > COUNTED_CARDS:
        raise InputError(
            f"found a shoe of {shoe.size} cards; counts, ceilings and studies take at most {COUNTED_CARDS}",
            parameter="decks",
        )


def as_fraction(what: str, number: object, wanted: str) -> Fraction:
    """Return a rational number: an integer, a Fraction, or text such as ``3.5`` or ``15/4``."""
    if isinstance(number, str) and _NUMBER.fullmatch(number):
        return Fraction(number)
    if isinstance(number, Fraction):
        return number
    if (whole := integer(number)) is not None:
        return Fraction(whole)
    raise InputError(f"found {in_words(number)}", f"write {wanted}", parameter=what)


def as_limit(limit: object) -> Fraction:
    """Return a limit on the gain of a shoe, in units of a stake."""
    wanted = "the largest acceptable gain in a shoe, in units of a stake, such as 0.1 or 1/4"
    exact = as_fraction("limit", limit, wanted)
    if exact < 0:
        raise InputError(f"found {in_words(limit)}", f"write {wanted}", parameter="limit")
    return exact


_TAG = r"[+-]?[0-9]{1,9}"


@dataclass(frozen=True, slots=True)
class Tags:
    """A whole number for each rank, in the order of ``RANKS``. They never change.

    >>> sum(Tags.parse("4=-1 5=-1 6=-1 7=-1 8=2 9=+2"))
    0
    """

    EXPECTED: ClassVar[str] = 'tags, such as "4=-1 8=2"'

    values: tuple[int, ...]

    def __post_init__(self) -> None:
        if not isinstance(self.values, tuple) or len(self.values) != len(RANKS):
            raise InputError(f"tags are a tuple of {len(RANKS)} whole numbers, A to K; found {self.values!r}")
        for rank, tag in zip(RANKS, self.values, strict=True):
            if not isinstance(tag, int) or isinstance(tag, bool):
                raise InputError(f"the tag of {rank} must be a whole number; found {tag!r}", parameter="tags")
            if abs(tag) > TAG:
                raise InputError(
                    f"the tag of {rank} must be from -{TAG} to {TAG}; found {tag}", parameter="tags"
                )

    @classmethod
    def parse(cls, text: object) -> "Tags":
        """Return the tags written as ``"A=0 4=-1 ... K=0"``; ranks not named have the tag 0.

        >>> Tags.parse("6=-3 7=1 8=1 9=1").values
        (0, 0, 0, 0, 0, -3, 1, 1, 1, 0, 0, 0, 0)
        """
        if not isinstance(text, str):
            raise InputError(f"found {text!r}; write text in quotes", parameter="tags")
        with named("tags"):
            tags = parse_by_rank(text, _TAG, "8=-2")
        if not tags:
            raise InputError(
                'no rank is named; write a tag for some ranks, such as "4=-1 8=2"', parameter="tags"
            )
        return cls(tuple(tags.get(rank, 0) for rank in RANKS))

    def __getitem__(self, rank: Rank) -> int:
        return self.values[RANKS.index(rank)]

    def __iter__(self) -> Iterator[int]:
        return iter(self.values)

    def __str__(self) -> str:
        return " ".join(f"{rank}={tag}" for rank, tag in zip(RANKS, self.values, strict=True))


MOST = 20
"""The most counts of one study."""


def _index(written: object) -> Fraction:
    """Return a true count: a whole number, or a decimal or a fraction as text."""
    text = str(written) if isinstance(written, int) and not isinstance(written, bool) else written
    if not isinstance(text, str) or not _NUMBER.fullmatch(text):
        found = str(written).lower() if isinstance(written, bool) else in_words(written)
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
    """Return the counts of these files, in order."""
    counts: list[Count] = []
    for path in paths:
        content = file_bytes(path, FileError, "counts")
        try:
            counts += parsed_counts(content)
        except FileError as error:
            raise FileError(f"{path}: {error}") from None
    if len(counts) > MOST:
        raise FileError(f"found {len(counts)} counts; give at most {MOST}")
    return tuple(counts)


def parsed_counts(content: bytes) -> tuple[Count, ...]:
    """Return the counts that the bytes of a file state."""
    file, mistakes = read(content, CountFile)
    if file is None:
        raise FileError(str(mistakes[0]))
    for number, count in enumerate(file.counts):
        if not any(count.tags):
            raise FileError(
                f"counts[{number}].tags: every tag is 0; give at least one rank a tag, such as 8=2"
            )
    return file.counts
