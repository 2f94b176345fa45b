"""Sets of values as a rule book writes them: numbers (``6``, ``"0-5"``, ``"4,6-9"``) and words (``["player", "tie"]``)."""

import re
from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import partial
from typing import Annotated, Any, NamedTuple, TypeVar

from combinat.base.errors import InputError
from combinat.rules.odds import as_written, did_you_mean

Value = TypeVar("Value")
NONE = "none"


class Parsed(NamedTuple):
    """The parser of a type without a ``parse`` method: ``Annotated[Fraction, Parsed(...)]``.

    ``any_text``: its texts name parts of another file, where spaces and tabs are significant.
    """

    parse: Callable[[object], Any]
    expected: str
    any_text: bool = False


class NumberSet(frozenset[Value]):
    """Whole numbers; ``None`` among them means a hand without a third card.

    >>> str(NumberSet({0, 1, 2, 6})), str(NumberSet({None, 9})), str(NumberSet())
    ('0-2,6', '9,none', 'none')
    """

    def __str__(self) -> str:
        numbers = runs(number for number in self if isinstance(number, int))
        none = NONE if None in self or not self else ""
        return ",".join(part for part in (numbers, none) if part)


def runs(numbers: Iterable[int]) -> str:
    """Return whole numbers in the notation of a rule book.

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


def numbers(
    least: int,
    most: int,
    examples: str,
    what: str = "numbers",
    expected: str = 'numbers, such as 6 or "4-9"',
    *,
    digits: int = 2,
    none: frozenset[None] | None = None,
) -> Parsed:
    """Return the parser of a set of integers.

    ``what``, ``least``, ``most``, ``examples``: for the message of a refusal. A number outside the range is
    accepted if it has at most ``digits`` digits; no round has it. ``none``: the set that ``"none"`` stands
    for; if it has an element, ``"none"`` may be a part of a list, and numbers outside the range are refused.

    >>> numbers(0, 9, '6, "4-9" or "4,6-9"').parse("4 to 9")
    Traceback (most recent call last):
    combinat.base.errors.InputError: found "4 to 9"; write numbers from 0 to 9, such as 6, "4-9" or "4,6-9"
    """
    a_range = re.compile(rf"(\d{{1,{digits}}})(?:-(\d{{1,{digits}}}))?", re.ASCII)

    def part_of(text: str) -> set[int | None]:
        if text == NONE and none:
            return {None}
        match = a_range.fullmatch(text)
        listed = range(int(match[1]), int(match[2] or match[1]) + 1) if match else range(0)
        return set() if none and max(listed, default=0) > most else set(listed)

    def parse(written: object) -> NumberSet[int | None]:
        if written == NONE and none is not None:
            return NumberSet(none)
        parts = [part_of(text) for text in _parts(written)]
        values = NumberSet(set[int | None]().union(*parts))
        if not all(parts) or len(values) < sum(map(len, parts)):
            meant = did_you_mean(_meant_numbers(written, most))
            raise InputError(
                f"found {as_written(written)}; {meant} {what} from {least} to {most}, such as {examples}"
            )
        return values

    return Parsed(parse, expected)


def _parts(written: object) -> list[str]:
    """Return the parts of a text between commas, or a single integer; for any other value one empty part."""
    if isinstance(written, int) and not isinstance(written, bool):
        return [str(written)]
    return written.split(",") if isinstance(written, str) else [""]


def _meant_numbers(written: object, most: int) -> str:
    """Return a list of numbers up to this one as a rule book writes a set, or the empty text for any other value.

    >>> _meant_numbers([5, 6], 9), _meant_numbers([5, "x"], 9)
    ('5-6', '')
    """
    is_list = isinstance(written, list) and all(type(one) is int and 0 <= one <= most for one in written)
    return runs(set(written)) if is_list else ""  # type: ignore[call-overload]


POINTS = numbers(0, 9, '6, "0-5" or "1-5,7-9"', "Point Totals", 'points, such as 6 or "0-5"', digits=1)
POINTS_OR_NONE = numbers(
    *(0, 9, '6, "0-5", "1-5,7-9" or "none"', "Point Totals", 'points, such as 6, "0-5" or "none"'),
    digits=1,
    none=frozenset(),
)
PointSet = Annotated[NumberSet[int], POINTS]
"""Point Totals from 0 to 9: ``6``, ``"0-5"``, ``"1-5,7-9"``."""

PointsOrNone = Annotated[NumberSet[int], POINTS_OR_NONE]
"""Point Totals, or ``"none"``."""


class WordSet(frozenset[Value]):
    """Some of a few words, one by itself or several in a list: ``"player"``, ``["player", "banker"]``."""

    def __str__(self) -> str:
        return ", ".join(word for word in type(next(iter(self))) if word in self)  # type: ignore[attr-defined]


def words(known: type[StrEnum], expected: str) -> Parsed:
    """Return the parser of a set of words."""
    return Parsed(partial(_words, known), expected)


def _words(known: type[StrEnum], written: object) -> WordSet[StrEnum]:
    listed = written if isinstance(written, list) else [written]
    if not listed or not all(isinstance(word, str) and word in list(known) for word in listed):
        wanted, example = ", ".join(f'"{word}"' for word in known), list(known)[:2]
        text = str(written).strip().lower() if isinstance(written, str | int) else ""
        meant = next((word for word in known if word.lower() == text), "")
        raise InputError(
            f"found {as_written(written)}; {did_you_mean(meant)} one of {wanted}, "
            f'or a list, such as ["{example[0]}", "{example[1]}"]'
        )
    if len(set(listed)) < len(listed):
        raise InputError(f"found {as_written(written)} that names one thing twice; write each once")
    return WordSet(map(known, listed))
