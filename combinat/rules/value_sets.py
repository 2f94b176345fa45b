"""Sets of values as a rule book writes them: numbers (``6``, ``"0-5"``, ``"4,6-9"``) and words (``["player", "tie"]``)."""

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import Any, ClassVar, Self

from combinat.base.errors import InputError
from combinat.rules.odds import as_written, did_you_mean

NONE = "none"
_RANGES = {most: re.compile(rf"(\d{{1,{most}}})(?:-(\d{{1,{most}}}))?", re.ASCII) for most in (1, 2)}


class NumberSet(frozenset[Any]):
    """Whole numbers below 100: ``6``, ``"4-9"``, ``"4,6-9"``.

    ``WHAT``, ``LEAST``, ``MOST``, ``EXAMPLES``: for the message about any other value. A number outside that range is
    accepted if it has at most ``DIGITS`` digits; no round has it. ``NONE_IS``: the set that ``"none"`` stands for;
    if it has an element, ``"none"`` may be a part of a list, and numbers outside the range are refused.
    """

    WHAT: ClassVar[str] = "numbers"
    LEAST: ClassVar[int]
    MOST: ClassVar[int]
    EXAMPLES: ClassVar[str]
    DIGITS: ClassVar[int] = 2
    EXPECTED: ClassVar[str] = 'numbers, such as 6 or "4-9"'
    NONE_IS: ClassVar[frozenset[None] | None] = None

    @classmethod
    def parse(cls, written: object) -> Self:
        """Return the numbers that a rule book names.

        >>> class Margins(NumberSet):
        ...     LEAST, MOST, EXAMPLES = 0, 9, '6, "4-9" or "4,6-9"'
        >>> Margins.parse("4 to 9")
        Traceback (most recent call last):
        combinat.base.errors.InputError: found "4 to 9"; write numbers from 0 to 9, such as 6, "4-9" or "4,6-9"
        """
        if written == NONE and cls.NONE_IS is not None:
            return cls(cls.NONE_IS)
        numbers: set[int | None] = set()
        for part in _parts(written):
            named = cls._named(part)
            if not named or numbers & named:
                meant = did_you_mean(_meant_numbers(written, cls.MOST))
                raise InputError(
                    f"found {as_written(written)}; {meant} {cls.WHAT} from {cls.LEAST} to {cls.MOST}, "
                    f"such as {cls.EXAMPLES}"
                )
            numbers |= named
        return cls(numbers)

    @classmethod
    def _named(cls, part: str) -> set[int | None]:
        """Return the numbers that one part of a list names; the empty set if it names none."""
        if part == NONE and cls.NONE_IS:
            return {None}
        match = _RANGES[cls.DIGITS].fullmatch(part)
        numbers = range(int(match[1]), int(match[2] or match[1]) + 1) if match else range(0)
        return set() if cls.NONE_IS and max(numbers, default=0) > cls.MOST else set(numbers)

    def __str__(self) -> str:
        numbers = runs(number for number in self if number is not None)
        none = NONE if self == self.NONE_IS or None in self else ""
        return ",".join(part for part in (numbers, none) if part)


class PointSet(NumberSet):
    """Point Totals from 0 to 9: ``6``, ``"0-5"``, ``"1-5,7-9"``.

    >>> sorted(PointSet.parse("1-5,7-9")), str(PointSet({0, 1, 2, 6}))
    ([1, 2, 3, 4, 5, 7, 8, 9], '0-2,6')
    """

    WHAT, LEAST, MOST, EXAMPLES = "Point Totals", 0, 9, '6, "0-5" or "1-5,7-9"'
    DIGITS = 1
    EXPECTED = 'points, such as 6 or "0-5"'


class PointsOrNone(PointSet):
    """Point Totals, as ``PointSet`` reads them, or ``"none"``.

    >>> sorted(PointsOrNone.parse("6-7")), sorted(PointsOrNone.parse("none"))
    ([6, 7], [])
    """

    EXAMPLES = '6, "0-5", "1-5,7-9" or "none"'
    EXPECTED = 'points, such as 6, "0-5" or "none"'
    NONE_IS = frozenset()


class ThirdSet(NumberSet):
    """The points of a hand's third card, with ``None`` for a hand without one: ``"0-5,none"``.

    >>> str(ThirdSet.parse("none,0-5")), str(ThirdSet.parse(9))
    ('0-5,none', '9')
    """

    WHAT, LEAST, MOST, EXAMPLES = "points of a third card", 0, 9, '6, "0-5" or "none", a hand of two cards'
    EXPECTED = 'the points of a third card, such as 6, "0-5" or "none"'
    NONE_IS = frozenset({None})


def _parts(written: object) -> list[str]:
    """Return the parts of a text between commas, or a whole number by itself; for any other value an empty part."""
    if isinstance(written, int) and not isinstance(written, bool):
        return [str(written)]
    return written.split(",") if isinstance(written, str) else [""]


def runs(numbers: Iterable[int]) -> str:
    """Return whole numbers as a rule book writes a set of them.

    >>> runs([9, 4, 5, 6])
    '4-6,9'
    """
    ends: list[list[int]] = []
    for number in sorted(numbers):
        if ends and ends[-1][1] == number - 1:
            ends[-1][1] = number
        else:
            ends.append([number, number])
    return ",".join(f"{low}-{high}" if low < high else str(low) for low, high in ends)


def _meant_numbers(written: object, most: int) -> str:
    """Return a list of numbers up to this one as a rule book writes a set, or the empty text for any other value.

    >>> _meant_numbers([5, 6], 9), _meant_numbers([5, "x"], 9)
    ('5-6', '')
    """
    is_list = isinstance(written, list) and all(type(one) is int and 0 <= one <= most for one in written)
    return runs(set(written)) if is_list else ""  # type: ignore[call-overload]


class WordSet(frozenset[Any]):
    """Some of a few words, one by itself or several in a list: ``"player"``, ``["player", "banker"]``."""

    WORDS: ClassVar[type[StrEnum]]
    EXPECTED: ClassVar[str]

    @classmethod
    def parse(cls, written: object) -> Self:
        """Return the words that a rule book names."""
        words = written if isinstance(written, list) else [written]
        known = {str(word): word for word in cls.WORDS}
        if not words or not all(isinstance(word, str) and word in known for word in words):
            wanted, example = ", ".join(f'"{word}"' for word in known), list(known)[:2]
            text = str(written).strip().lower() if isinstance(written, str | int) else ""
            meant = next((word for word in known if word.lower() == text), "")
            raise InputError(
                f"found {as_written(written)}; {did_you_mean(meant)} one of {wanted}, "
                f'or a list, such as ["{example[0]}", "{example[1]}"]'
            )
        if len(set(words)) < len(words):
            raise InputError(f"found {as_written(written)} that names one thing twice; write each once")
        return cls(known[str(word)] for word in words)

    def __str__(self) -> str:
        return ", ".join(word for word in self.WORDS if word in self)
