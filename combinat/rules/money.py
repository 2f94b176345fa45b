"""Amounts of money: exact decimals in and out, fractions in between."""

import re
from fractions import Fraction

from combinat.errors import StakeError

_NET = re.compile(r"-?\d{1,9}(?:\.\d{1,9}|/(?=0*[1-9])\d{1,9})?", re.ASCII)
_AMOUNT = re.compile(r"\d{1,15}(?:\.\d{1,9})?", re.ASCII)


def parse_money(text: str) -> Fraction:
    """The amount that ``text`` states.

    >>> parse_money("12.50")
    Fraction(25, 2)
    """
    if not _AMOUNT.fullmatch(text):
        raise StakeError(
            f'amount: found "{text}"; write digits with at most one point, such as 100 or 12.50 (15 digits and 9 decimals at most)'
        )
    return Fraction(text)


def parse_net(text: str) -> Fraction:
    """A net result, profit per unit staked, as a decimal or a fraction.

    >>> parse_net("0.95"), parse_net("3/2"), parse_net("-1")
    (Fraction(19, 20), Fraction(3, 2), Fraction(-1, 1))
    """
    if not _NET.fullmatch(text.strip()):
        raise StakeError(f'found "{text}"; write profit per unit staked, such as -1, 0.95 or 3/2')
    return Fraction(text.strip())


def format_money(amount: Fraction) -> str:
    """The amount as an exact decimal; as a fraction where no decimal is exact.

    >>> format_money(Fraction(25, 2)), format_money(Fraction(-10, 3)), format_money(Fraction(100))
    ('12.5', '-10/3', '100')
    """
    rest, places = amount.denominator, 0
    for prime in (2, 5):
        power = 0
        while rest % prime == 0:
            rest, power = rest // prime, power + 1
        places = max(places, power)
    if rest != 1:
        return str(amount)
    digits = str(abs(amount.numerator) * 10**places // amount.denominator).rjust(places + 1, "0")
    sign = "-" if amount < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"
