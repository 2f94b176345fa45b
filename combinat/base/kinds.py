"""Kinds of figures, which travel with a number until it is printed. Rounding happens here and only here.

>>> rounded_text(Fraction(43, 415), percentage(4)), rounded_text(Fraction(43, 415), FRACTION), rounded_text(None, ONE_IN)
('10.3614', '43/415', '-')
"""

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction

import msgspec

from combinat.base import number
from combinat.base.money import format_money

Value = str | int | Fraction | Sequence[str] | None
"""The value of a cell: exact, not yet rounded; None if there is no such figure."""

ABSENT = "-"


class Sort(StrEnum):
    """The sorts of figures that documents have."""

    TEXT = "text"
    COUNT = "count"  # a whole number of any size
    NUMBER = "number"  # a small whole number, such as points or cards
    FLAG = "flag"  # yes or no
    FRACTION = "fraction"  # in lowest terms
    DECIMAL = "decimal"
    PERCENTAGE = "percentage"
    ROOT = "root"  # the value is the square, with the root's sign
    ONE_IN = "one-in"  # one in N; the value is the probability
    CHANCE = "chance"  # a p-value, with the digits that are useful
    MONEY = "money"  # an exact decimal
    ODDS = "odds"
    CARDS = "cards"
    CLAUSE = "clause"
    HASH = "hash"


class Kind(msgspec.Struct, frozen=True):
    """A sort of figure, with its number of decimals, whether a plus sign is shown, and whether it is rounded up.

    ``grouped``: digits in groups of three, only in documents for people.
    ``is_estimate``: the value itself is rounded, so that no fraction is exact.
    """

    sort: Sort
    places: int = 0
    signed: bool = False
    up: bool = False
    grouped: bool = False
    is_estimate: bool = False

    @property
    def is_number(self) -> bool:
        """Whether it is right-aligned in a column."""
        return self.sort not in _WORDS


_WORDS = (Sort.TEXT, Sort.ODDS, Sort.CARDS, Sort.CLAUSE, Sort.HASH, Sort.FLAG)

TEXT, ODDS, CARDS, CLAUSE, HASH, FLAG = (Kind(sort) for sort in _WORDS)
NUMBER = Kind(Sort.NUMBER)
COUNT, FRACTION, CHANCE, MONEY = (Kind(sort) for sort in (Sort.COUNT, Sort.FRACTION, Sort.CHANCE, Sort.MONEY))
ONE_IN = Kind(Sort.ONE_IN, 2)


def decimal(places: int, *, signed: bool = False, up: bool = False) -> Kind:
    """Return a kind with this number of decimals; ``up``: an upper bound, which is rounded up."""
    return Kind(Sort.DECIMAL, places, signed, up)


def percentage(places: int = 4, *, signed: bool = False, up: bool = False) -> Kind:
    """Return a kind in per cent; ``up``: an upper bound, which is rounded up."""
    return Kind(Sort.PERCENTAGE, places, signed, up)


def estimated(kind: Kind) -> Kind:
    """Return the kind for a value that is itself rounded, such as a number of standard deviations."""
    return msgspec.structs.replace(kind, is_estimate=True)


def root(places: int) -> Kind:
    """Return the kind of a figure that is stored as its square."""
    return Kind(Sort.ROOT, places)


MOST_PLACES = 18
"""Decimals after which a figure is left to be shown as 0."""


def with_enough_decimals(kind: Kind, *values: Fraction | None) -> Kind:
    """Return the kind with enough decimals to show a nonzero digit of the smallest of these values.

    >>> rounded_text(Fraction(-26, 100_000), with_enough_decimals(percentage(1), Fraction(-26, 100_000)))
    '-0.03'
    """
    scale = 100 if kind.sort is Sort.PERCENTAGE else 1
    sizes = [abs(value) * scale for value in values if value]
    places, least = kind.places, min(sizes, default=Fraction(1))
    while 2 * least * 10**places <= 1 and places < MOST_PLACES:
        places += 1
    return msgspec.structs.replace(kind, places=places)


def in_threes(kind: Kind) -> Kind:
    """Return the kind with its digits grouped, if it is a number."""
    return msgspec.structs.replace(kind, grouped=True) if kind.is_number else kind


def rounded_text(value: Value, kind: Kind) -> str:
    """Return the figure as a page shows it; a dash for None.

    >>> rounded_text(4998398275503360, in_threes(COUNT)), rounded_text(Fraction(1, 20000), in_threes(ONE_IN))
    ('4,998,398,275,503,360', '20,000.00')
    """
    if value is None:
        return ABSENT
    text = _plain(value, kind)
    return number.grouped(text) if kind.grouped else text


def _plain(value: str | int | Fraction | Sequence[str], kind: Kind) -> str:
    match kind.sort:
        case Sort.CARDS if not isinstance(value, str | int | Fraction):
            return " ".join(value)
        case Sort.COUNT | Sort.NUMBER | Sort.FRACTION:
            return str(value)
        case sort if sort in _WORDS:
            return str(value)
        case _:
            return _rounded(_exact(value), kind)


def _exact(value: Value) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        raise TypeError(f"{value!r} is no number")  # pragma: no cover  # a programming error in a presenter
    return Fraction(value)


def _rounded(value: Fraction, kind: Kind) -> str:
    match kind.sort:
        case Sort.DECIMAL:
            text = number.decimal(value, kind.places, up=kind.up)
        case Sort.PERCENTAGE:
            text = number.percent(value, kind.places, up=kind.up)
        case Sort.ROOT:
            text = number.root(abs(value), kind.places, negative=value < 0)
        case Sort.ONE_IN:
            text = number.one_in(value)
        case Sort.CHANCE:
            text = number.chance(value)
        case _:
            text = format_money(value)
    return f"+{text}" if kind.signed and value > 0 else text
