"""Amounts as people hold them in a program: whole numbers, Fractions, Decimals. A float is none."""

from decimal import Decimal
from fractions import Fraction

Amount = int | Fraction | Decimal | str
"""An amount of money, exactly; text is digits with at most one point."""

MOST_DIGITS = 15
"""Digits of an amount before its point; after it, or of what it is divided by, no more either."""


def exact_amount(value: object) -> Fraction | None:
    """The exact value of a number, if it is one of these and not of very many digits.

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
