"""Amounts of money: exact decimals in and out, fractions in between; never floats."""

import re
from decimal import Decimal
from fractions import Fraction

from combinat.base.errors import InputError, shortened
from combinat.base.number import decimal

Amount = int | Fraction | Decimal | str
"""An amount of money, exactly; text is digits with at most one point."""

MOST_DIGITS = 15
"""The most digits of an amount before its point; also of its numerator and denominator."""

_NET = r"(?a)-?\d{1,9}(?:\.\d{1,9}|/(?=0*[1-9])\d{1,9})?"
_AMOUNT = r"(?a)\d{1,15}(?:\.\d{1,9})?"


def parse_money(text: str) -> Fraction:
    """Return the amount that ``text`` states.

    >>> parse_money("12.50")
    Fraction(25, 2)
    """
    if not is_money(text):
        raise InputError(
            f'amount: found "{shortened(text)}"; write digits with at most one point, such as 100 or 12.50 (15 digits and 9 decimals at most)'
        )
    return Fraction(text)


def positive_money(text: str) -> Fraction:
    """Return the amount that ``text`` states; refuse zero."""
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
    """Return a net result, profit per unit staked, from a decimal or a fraction.

    >>> parse_net("0.95"), parse_net("3/2"), parse_net("-1")
    (Fraction(19, 20), Fraction(3, 2), Fraction(-1, 1))
    """
    if not re.fullmatch(_NET, text.strip()):
        raise InputError(f'found "{shortened(text)}"; write profit per unit staked, such as -1, 0.95 or 3/2')
    return Fraction(text.strip())


def exact_amount(value: object) -> Fraction | None:
    """Return the exact value of a number; None for other types and for very long numbers.

    >>> exact_amount(Decimal("0.1")), exact_amount(7), exact_amount(0.1), exact_amount(True), exact_amount(10**99)
    (Fraction(1, 10), Fraction(7, 1), None, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, int | Fraction | Decimal):
        return None
    if isinstance(value, Decimal) and not (value.is_finite() and abs(value.adjusted()) <= MOST_DIGITS):
        return None
    exact = Fraction(value)
    most = 10**MOST_DIGITS
    return exact if abs(exact) < most and exact.denominator <= most else None


def format_money(amount: Fraction) -> str:
    """Return the amount as an exact decimal, or as a fraction if no decimal is exact.

    >>> format_money(Fraction(25, 2)), format_money(Fraction(-10, 3)), format_money(Fraction(100))
    ('12.5', '-10/3', '100')
    """
    rest, places = amount.denominator, 0
    for prime in (2, 5):
        power = 0
        while rest % prime == 0:
            rest, power = rest // prime, power + 1
        places = max(places, power)
    return decimal(amount, places) if rest == 1 else str(amount)
