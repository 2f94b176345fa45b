"""Converters of what a caller of game protection passes: depths, cut cards, limits, true counts."""

import re
from collections.abc import Sequence
from fractions import Fraction

from combinat.base.errors import InputError, in_words
from combinat.base.number import integer
from combinat.engine.walk import MOST_CARDS
from combinat.rules.bounds import DEPTHS

Numbers = int | str | Sequence[int]
"""A number, several, or text such as ``26,52,104``."""

Rational = int | str | Fraction

LIMIT = Fraction(1, 10)
"""Default limit on the gain of a shoe, in units."""

_NUMBER = re.compile(r"-?\d{1,9}(?:\.\d{1,9}|/0*[1-9]\d{0,8})?", re.ASCII)


def as_numbers(what: str, given: Numbers, wanted: str) -> list[int]:
    """Numbers of cards, each once."""
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
    """Depths in cards left."""
    return as_numbers("left", left, f"cards left, such as 26,52,104, at most {DEPTHS} depths")


def check_left(size: int, left: int) -> None:
    """Refuse a depth at which no whole round can be dealt, or which the shoe does not have."""
    if left < MOST_CARDS:
        raise InputError(
            f"found {left} cards left; a round may need {MOST_CARDS}: write {MOST_CARDS} or more"
        )
    if left > size:
        raise InputError(f"found {left} cards left; the shoe has {size}: write {size} or fewer")


def as_fraction(what: str, number: object, wanted: str) -> Fraction:
    """A rational number: an integer, a Fraction, or text such as ``3.5`` or ``15/4``."""
    if isinstance(number, str) and _NUMBER.fullmatch(number):
        return Fraction(number)
    if isinstance(number, Fraction):
        return number
    if (whole := integer(number)) is not None:
        return Fraction(whole)
    raise InputError(f"found {in_words(number)}", f"write {wanted}", parameter=what)


def as_limit(limit: object) -> Fraction:
    """A limit on the gain of a shoe, in units of a stake."""
    wanted = "the most that may be gained in a shoe, in units of a stake, such as 0.1 or 1/4"
    exact = as_fraction("limit", limit, wanted)
    if exact < 0:
        raise InputError(f"found {in_words(limit)}", f"write {wanted}", parameter="limit")
    return exact
