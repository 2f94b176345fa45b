"""Odds, percentages and figures, as a rule book writes them: ``"50 to 1"``, ``"25%"``, ``"7.611%"``."""

import re
from fractions import Fraction
from typing import Annotated

import msgspec

from combinat.base.errors import InputError, shortened
from combinat.rules.bounds import DIGITS

Text = Annotated[str, msgspec.Meta(min_length=1)]
"""Text that is not empty."""

Id = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
"""Lower-case words joined by hyphens, such as ``big-tiger``."""

Clause = Text
"""A clause of the document, such as ``4.1.2``."""

_NUMBER = rf"\d{{1,{DIGITS}}}(?:\.\d{{1,{DIGITS}}})?"
_ODDS = re.compile(rf"({_NUMBER}) to ({_NUMBER})(?: less ({_NUMBER}%))?", re.ASCII)
_PERCENT = rf"(?a)({_NUMBER})%"
_FIGURE = rf"(?a)(-?\d{{1,{DIGITS}}}(?:\.(\d{{1,{DIGITS}}}))?)(%?)"

PUSH, LOSE = "push", "lose"


def as_written(value: object) -> str:
    """Return a value of a rule book as messages quote it.

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
"""The size of a whole number that a message shows; Python refuses to print thousands of digits."""


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

    EXPECTED = 'odds, such as "50 to 1"'
    __slots__ = ("less", "net")
    net: Fraction
    less: "Share | None"

    @classmethod
    def parse(cls, text: object) -> "Odds":
        """Return the exact odds that ``text`` states."""
        match = _ODDS.fullmatch(text) if isinstance(text, str) else None
        profit, stake = (Fraction(match[1]), Fraction(match[2])) if match else (Fraction(0), Fraction(0))
        less = Share.parse(match[3]) if match and match[3] else None
        is_word, takes_all = text in (PUSH, LOSE), less is not None and less.part >= 1
        if not is_word and (takes_all or not (profit and stake)):
            meant = meant_odds(text)
            meant = "" if as_written(text) == f'"{meant}"' else meant
            raise InputError(
                f"found {as_written(text)}; {did_you_mean(meant)} the profit to a stake, such as "
                f'"50 to 1", "0.95 to 1", "3 to 2" or "1 to 1 less 5%", or "{PUSH}" or "{LOSE}"'
            )
        odds = cls(text)
        odds.less = less
        odds.net = profit / stake * (1 - less.part if less else 1) if stake else Fraction(-(text == LOSE))
        return odds

    @classmethod
    def of(cls, net: Fraction) -> "Odds":
        """Return the exact odds of a net result of 0 or more.

        >>> Odds.of(Fraction(45, 2)), Odds.of(Fraction(7, 3)), Odds.of(Fraction(0))
        ('22.5 to 1', '7 to 3', 'push')
        """
        profit, stake = net.numerator, net.denominator
        text = f"{profit // 2}.5 to 1" if stake == 2 else f"{profit} to {stake}"
        odds = cls(text if net else PUSH)
        odds.net, odds.less = net, None
        return odds

    def with_commission(self, commission: "Share") -> "Odds":
        """Return these odds less a commission on the profit.

        >>> Odds.parse("1 to 1").with_commission(Share.parse("4%")).net
        Fraction(24, 25)
        """
        return Odds.parse(f"{self} less {commission}")


def did_you_mean(text: str) -> str:
    """Return ``write``, after a question with the intended text if it is known."""
    return f'did you mean "{text}"? Write' if text else "write"


_OTHER_WORDS = {
    "even": "1 to 1",
    "evens": "1 to 1",
    "even money": "1 to 1",
    "tie": PUSH,
    "returned": PUSH,
    "stand off": PUSH,
    "0": PUSH,
    "0 to 1": PUSH,
    "lost": LOSE,
    "loses": LOSE,
}
_OTHERWISE = rf"(?a)({_NUMBER})\s*(:|-|/|\s+to\s+|\s+for\s+)\s*({_NUMBER})"


def meant_odds(written: object) -> str:
    """Return the odds that another notation means, or the empty text if that is not clear.

    Odds of 9 for 1 include the stake.

    >>> meant_odds("40:1"), meant_odds(25), meant_odds("9 for 1"), meant_odds("Push"), meant_odds("x")
    ('40 to 1', '25 to 1', '8 to 1', 'push', '')
    """
    if isinstance(written, bool) or not isinstance(written, str | int | float):
        return ""
    text = str(written).strip().lower() if isinstance(written, str) or abs(written) < 10**DIGITS else ""
    if text in (PUSH, LOSE) or text in _OTHER_WORDS:
        return _OTHER_WORDS.get(text, text)
    if re.fullmatch(_NUMBER, text, re.ASCII):
        text = f"{text}:1"
    if not (match := re.fullmatch(_OTHERWISE, text)):
        return ""
    profit, stake = Fraction(match[1]), Fraction(match[3])
    if match[2].strip() == "for":
        return str(Odds.of(profit / stake - 1)) if profit >= stake > 0 else ""
    return f"{match[1]} to {match[3]}" if profit and stake else ""


class Share(str):
    """A part of an amount, as the document prints it: ``"25%"``."""

    EXPECTED = 'a percentage, such as "25%"'
    __slots__ = ("part",)
    part: Fraction

    @classmethod
    def parse(cls, text: object) -> "Share":
        """Return the exact share that ``text`` states."""
        match = re.fullmatch(_PERCENT, text) if isinstance(text, str) else None
        if not match or not Fraction(match[1]):
            raise InputError(f'found {as_written(text)}; write a percentage, such as "25%"')
        share = cls(text)
        share.part = Fraction(match[1]) / 100
        return share


class Published(str):
    """A printed figure with its precision: ``"7.611%"``, ``"-0.0761"``.

    >>> Published.parse("7.61%").value, Published.parse("7.61%").half_digit
    (Fraction(761, 10000), Fraction(1, 20000))
    """

    EXPECTED = 'a figure in quotes, such as "7.611%"'
    __slots__ = ("half_digit", "value")
    value: Fraction
    half_digit: Fraction

    @classmethod
    def parse(cls, written: object) -> "Published":
        """Return the figure that a rule book states."""
        match = re.fullmatch(_FIGURE, written) if isinstance(written, str) else None
        if match is None:
            raise InputError(
                f"found {as_written(written)}; write a figure in quotes with the digits that it is good for, "
                'such as "7.611%" or "-0.0761"'
            )
        figure, parts = cls(written), 100 if match[3] else 1
        figure.value = Fraction(match[1]) / parts
        figure.half_digit = Fraction(1, 2 * 10 ** len(match[2] or "") * parts)
        return figure

    def is_met_by(self, exact: Fraction) -> bool:
        """Whether an exact value, rounded to these digits, is this figure; a half may round either way.

        >>> Published.parse("7.61%").is_met_by(Fraction("0.0761499")), Published.parse("7.61%").is_met_by(Fraction("0.07616"))
        (True, False)
        """
        return abs(exact - self.value) <= self.half_digit
