"""Amounts of money: exact decimals in and out, fractions in between."""

import re
from fractions import Fraction

from combinat.base.errors import InputError, shortened
from combinat.base.number import money as format_money

__all__ = ["format_money", "is_money", "parse_money", "parse_net", "positive_money"]

_NET = r"(?a)-?\d{1,9}(?:\.\d{1,9}|/(?=0*[1-9])\d{1,9})?"
_AMOUNT = r"(?a)\d{1,15}(?:\.\d{1,9})?"


def parse_money(text: str) -> Fraction:
    """The amount that ``text`` states.

    >>> parse_money("12.50")
    Fraction(25, 2)
    """
    if not is_money(text):
        raise InputError(
            f'amount: found "{shortened(text)}"; write digits with at most one point, such as 100 or 12.50 (15 digits and 9 decimals at most)'
        )
    return Fraction(text)


def positive_money(text: str) -> Fraction:
    """The amount that ``text`` states, which is not zero."""
    amount = parse_money(text)
    if not amount:
        raise InputError(f'amount: found "{shortened(text)}"; write an amount above 0, such as 0.01')
    return amount


def is_money(text: str) -> bool:
    """Whether a text states an amount.

    >>> is_money("12.50"), is_money("-3")
    (True, False)
    """
    return re.fullmatch(_AMOUNT, text) is not None


def parse_net(text: str) -> Fraction:
    """A net result, profit per unit staked, as a decimal or a fraction.

    >>> parse_net("0.95"), parse_net("3/2"), parse_net("-1")
    (Fraction(19, 20), Fraction(3, 2), Fraction(-1, 1))
    """
    if not re.fullmatch(_NET, text.strip()):
        raise InputError(f'found "{shortened(text)}"; write profit per unit staked, such as -1, 0.95 or 3/2')
    return Fraction(text.strip())
