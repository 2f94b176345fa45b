"""Exact numbers of a JSON document, and decimals of them by the standard library's own arithmetic."""

import decimal
import re
from fractions import Fraction

FRACTION = re.compile(r"-?(0|[1-9]\d*)(/[1-9]\d*)?")
PRECISE = decimal.Context(prec=120, rounding=decimal.ROUND_HALF_EVEN)


def exact(text: object) -> Fraction:
    """An exact number of a contract: text, in lowest terms, an integer without a slash."""
    assert isinstance(text, str)
    assert FRACTION.fullmatch(text), text
    assert text == str(Fraction(text))
    return Fraction(text)


def rooted(square: Fraction, *, negative: bool = False) -> str:
    """The root of a fraction with twelve decimals, with a sign before it if it is negative."""
    quotient = PRECISE.divide(decimal.Decimal(square.numerator), decimal.Decimal(square.denominator))
    size = PRECISE.quantize(PRECISE.sqrt(quotient), decimal.Decimal("1e-12"))
    return f"{'-' if negative else ''}{size:f}"
