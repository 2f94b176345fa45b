"""What a line of a pay table accepts for a fact: numbers, words, ranks, third cards. One value, a set or a range."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any, ClassVar, Self

from combinat.base.errors import InputError
from combinat.rules.cards import Rank
from combinat.rules.odds import NONE, NumberSet, as_written, did_you_mean, numbers_in, parts_of, runs
from combinat.rules.outcome import Pairs, Winner


class HandCards(NumberSet):
    """How many cards a hand may have."""

    LEAST, MOST, EXAMPLES = 2, 3, '3 or "2-3"'


class RoundCards(NumberSet):
    """How many cards both hands may have together."""

    LEAST, MOST, EXAMPLES = 4, 6, '6, "4-5" or "4,6"'


class Margins(NumberSet):
    """By how many points a hand may win.

    >>> Margins.parse("4 to 9")
    Traceback (most recent call last):
    combinat.base.errors.InputError: found "4 to 9"; write numbers from 0 to 9, such as 6, "4-9" or "4,6-9"
    """

    LEAST, MOST, EXAMPLES = 0, 9, '6, "4-9" or "4,6-9"'


class TotalPoints(NumberSet):
    """How many points both hands may have together."""

    LEAST, MOST, EXAMPLES = 0, 18, '12, "4-9" or "4,6-9"'


class ThirdSet(frozenset[int | None]):
    """The points that a hand's third card may be worth, and ``None`` where it may have none: ``"0-5,none"``.

    >>> str(ThirdSet.parse("none,0-5")), str(ThirdSet.parse(9))
    ('0-5,none', '9')
    """

    EXPECTED = 'the points of a third card, such as 6, "0-5" or "none"'

    @classmethod
    def parse(cls, written: object) -> Self:
        """The third cards that a rule book names."""
        cards: set[int | None] = set()
        for part in parts_of(written):
            named: set[int | None] = {None} if part == NONE else set(numbers_in(part))
            if not named or cards & named or not named <= {None, *range(10)}:
                raise InputError(
                    f"found {as_written(written)}; write the points of a third card, from 0 to 9, "
                    f'such as 6, "0-5" or "0-5,{NONE}"; "{NONE}" is a hand of two cards'
                )
            cards |= named
        return cls(cards)

    def __str__(self) -> str:
        points = runs(card for card in self if card is not None)
        return ",".join(part for part in (points, NONE if None in self else "") if part)


def _meant_word(written: object, known: Iterable[str]) -> str:
    """The word that was meant where it is written in other letters; empty: none of them."""
    text = str(written).strip().lower() if isinstance(written, str | int) else ""
    return next((word for word in known if word.lower() == text), "")


class WordSet(frozenset[Any]):
    """Some of a few words, one by itself or in a list: ``"player"``, ``["player", "banker"]``."""

    WORDS: ClassVar[type[StrEnum]]
    EXPECTED: ClassVar[str]

    @classmethod
    def parse(cls, written: object) -> Self:
        """The words that a rule book names."""
        words = written if isinstance(written, list) else [written]
        known = {str(word): word for word in cls.WORDS}
        if not words or not all(isinstance(word, str) and word in known for word in words):
            wanted, example = ", ".join(f'"{word}"' for word in known), list(known)[:2]
            raise InputError(
                f"found {as_written(written)}; {did_you_mean(_meant_word(written, known))} one of {wanted}, "
                f'or a list, such as ["{example[0]}", "{example[1]}"]'
            )
        if len(set(words)) < len(words):
            raise InputError(f"found {as_written(written)} that names one thing twice; write each once")
        return cls(known[str(word)] for word in words)

    def __str__(self) -> str:
        return ", ".join(word for word in self.WORDS if word in self)


class WinnerSet(WordSet):
    """Who may win.

    >>> str(WinnerSet.parse(["tie", "player"]))
    'player, tie'
    """

    WORDS = Winner
    EXPECTED = 'who wins, such as "player" or ["player", "banker"]'


class PairsSet(WordSet):
    """Which pairs the first four cards may have."""

    WORDS = Pairs
    EXPECTED = 'which pairs, such as "single" or ["double", "twin"]'


class RankSet(WordSet):
    """Some of the ranks: ``"K"``, ``["J", "Q", "K"]``.

    >>> str(RankSet.parse(["K", "J"]))
    'J, K'
    """

    WORDS = Rank
    EXPECTED = 'ranks, such as "K" or ["J", "Q", "K"]'


def one_or_many(value: object) -> Iterable[object]:
    """The values of a set, or a value by itself."""
    return value if isinstance(value, frozenset) else (value,)
