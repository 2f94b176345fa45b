"""Odds, and the small exact texts of a rule book: ``"50 to 1"``, ``"0-5"``, ``"25%"``."""

import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Annotated

import msgspec

from combinat.errors import OddsError, shortened
from combinat.rules.bounds import DIGITS

Text = Annotated[str, msgspec.Meta(min_length=1)]
"""Words that say something."""

Clause = Text
"""Where the document states a fact, such as ``4.1.2``."""

_NUMBER = rf"\d{{1,{DIGITS}}}(?:\.\d{{1,{DIGITS}}})?"
_ODDS = re.compile(rf"({_NUMBER}) to ({_NUMBER})(?: less ({_NUMBER}%))?", re.ASCII)
_PERCENT = rf"(?a)({_NUMBER})%"
_RANGE = re.compile(r"(\d)(?:-(\d))?", re.ASCII)

PUSH, LOSE = "push", "lose"


def as_written(value: object) -> str:
    """A value that was found in a rule book, about as it stands there.

    >>> as_written(True), as_written("x"), as_written([1])
    ('true', '"x"', 'a list')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{shortened(value)}"'
    if isinstance(value, list | dict) and value:
        return "a list" if isinstance(value, list) else "a table"
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        return "a number of very many digits"
    return shortened(str(value))


_MOST_BITS = 300
"""Of a whole number that a message shows; of thousands of digits Python writes none."""


class Odds(str):
    """Profit to a stake, as the document prints it; ``net`` is the profit per unit staked.

    ``less``: the commission that is taken from the profit, where one is.

    >>> Odds.parse("3 to 2").net
    Fraction(3, 2)
    >>> Odds.parse("0.95 to 1").net
    Fraction(19, 20)
    >>> Odds.parse("1 to 1 less 5%").net
    Fraction(19, 20)
    >>> Odds.parse("push").net, Odds.parse("lose").net
    (Fraction(0, 1), Fraction(-1, 1))
    """

    __slots__ = ("less", "net")
    net: Fraction
    less: "Share | None"

    @classmethod
    def parse(cls, text: object) -> "Odds":
        """The odds that ``text`` states, exactly."""
        match = _ODDS.fullmatch(text) if isinstance(text, str) else None
        profit, stake = (Fraction(match[1]), Fraction(match[2])) if match else (Fraction(0), Fraction(0))
        less = Share.parse(match[3]) if match and match[3] else None
        is_word, takes_all = text in (PUSH, LOSE), less is not None and less.part >= 1
        if not is_word and (takes_all or not (profit and stake)):
            raise OddsError(
                f"found {as_written(text)}; write the profit to a stake, such as "
                f'"50 to 1", "0.95 to 1", "3 to 2" or "1 to 1 less 5%", or "{PUSH}" or "{LOSE}"'
            )
        odds = cls(text)
        odds.less = less
        odds.net = profit / stake * (1 - less.part if less else 1) if stake else Fraction(-(text == LOSE))
        return odds

    def with_commission(self, commission: "Share") -> "Odds":
        """These odds less a commission on what they pay.

        >>> Odds.parse("1 to 1").with_commission(Share.parse("4%")).net
        Fraction(24, 25)
        """
        return Odds.parse(f"{self} less {commission}")


class PointSet(frozenset[int]):
    """Some of the Point Totals 0 to 9: ``6``, ``"0-5"``, ``"1-5,7-9"``.

    >>> sorted(PointSet.parse("1-5,7-9"))
    [1, 2, 3, 4, 5, 7, 8, 9]
    >>> str(PointSet({0, 1, 2, 6}))
    '0-2,6'
    """

    @classmethod
    def parse(cls, written: object) -> "PointSet":
        """The points that a rule book names."""
        text = str(written) if isinstance(written, int) and not isinstance(written, bool) else written
        if not isinstance(text, str):
            raise _bad_points(written)
        points: set[int] = set()
        for part in text.split(","):
            match = _RANGE.fullmatch(part)
            low, high = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
            if low > high or points & set(range(low, high + 1)):
                raise _bad_points(written)
            points |= set(range(low, high + 1))
        return cls(points)

    def __str__(self) -> str:
        return runs(self)


def runs(numbers: Iterable[int]) -> str:
    """Whole numbers as a rule book writes a set of them.

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


NONE = "none"


class PointsOrNone(PointSet):
    """Some of the Point Totals, as ``PointSet`` reads them, or ``"none"``.

    >>> sorted(PointsOrNone.parse("6-7")), sorted(PointsOrNone.parse("none"))
    ([6, 7], [])
    """

    @classmethod
    def parse(cls, written: object) -> "PointsOrNone":
        """The points that a rule book names, if any."""
        if written == NONE:
            return cls()
        try:
            return cls(PointSet.parse(written))
        except OddsError as error:
            raise OddsError(f'{error}, or "{NONE}"') from None

    def __str__(self) -> str:
        return super().__str__() or NONE


def _bad_points(written: object) -> OddsError:
    return OddsError(
        f'found {as_written(written)}; write Point Totals from 0 to 9, such as 6, "0-5" or "1-5,7-9"'
    )


class Share(str):
    """A part of an amount, as the document prints it: ``"25%"``."""

    __slots__ = ("part",)
    part: Fraction

    @classmethod
    def parse(cls, text: object) -> "Share":
        """The share that ``text`` states, exactly."""
        match = re.fullmatch(_PERCENT, text) if isinstance(text, str) else None
        if not match or not Fraction(match[1]):
            raise OddsError(f'found {as_written(text)}; write a percentage, such as "25%"')
        share = cls(text)
        share.part = Fraction(match[1]) / 100
        return share
