"""Odds, and the small exact texts of a rule book: ``"50 to 1"``, ``"0-5"``, ``"25%"``."""

import re
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
_ODDS = re.compile(rf"({_NUMBER}) to ({_NUMBER})", re.ASCII)
_PERCENT = rf"(?a)({_NUMBER})%"
_RANGE = re.compile(r"(\d)(?:-(\d))?", re.ASCII)

PUSH = "push"


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

    >>> Odds.parse("3 to 2").net
    Fraction(3, 2)
    >>> Odds.parse("0.95 to 1").net
    Fraction(19, 20)
    >>> Odds.parse("push").net
    Fraction(0, 1)
    """

    __slots__ = ("net",)
    net: Fraction

    @classmethod
    def parse(cls, text: object) -> "Odds":
        """The odds that ``text`` states, exactly."""
        match = _ODDS.fullmatch(text) if isinstance(text, str) else None
        profit, stake = (Fraction(match[1]), Fraction(match[2])) if match else (Fraction(0), Fraction(0))
        if text != PUSH and not (profit and stake):
            raise OddsError(
                f"found {as_written(text)}; "
                'write the profit to a stake, such as "50 to 1", "0.95 to 1" or "3 to 2", or "push"'
            )
        odds = cls(text)
        odds.net = profit / stake if stake else Fraction(0)
        return odds


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
        runs: list[list[int]] = []
        for point in sorted(self):
            if runs and runs[-1][1] == point - 1:
                runs[-1][1] = point
            else:
                runs.append([point, point])
        return ",".join(f"{low}-{high}" if low < high else str(low) for low, high in runs)


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
