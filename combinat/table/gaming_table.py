"""A gaming table in one round: its displayed limits, its boxes, the players in them, and their stakes."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Annotated

import msgspec

from combinat.base.errors import InputError
from combinat.base.money import parse_money
from combinat.rules.game import Game
from combinat.rules.house_rules import Phrased
from combinat.rules.insurance import Insured
from combinat.rules.odds import as_written
from combinat.rules.round import Round
from combinat.rules.table_of_play import Hand
from combinat.rules.value_sets import Parsed


class PlayerPlace(StrEnum):
    """Where a player is: at the betting box, or behind it."""

    SEATED = "seated"
    STANDING = "standing"


class ChipRounding(Phrased):
    """The rounding of an amount that is not a whole number of chips."""

    DOWN = "down", "down: of winnings in the House's favour"
    UP = "up", "up: of winnings in the player's favour"
    HALF_EVEN = "half-even", "to the nearest, half to even: in nobody's favour"


_AMOUNT = 'an amount: a whole number such as 100, or a decimal in quotes such as "12.50"'


def _amount(written: object) -> Fraction:
    """Return a positive amount of money, from a whole number or a decimal in quotes."""
    if isinstance(written, bool) or not isinstance(written, str | int):
        raise InputError(f"found {as_written(written)}; write {_AMOUNT}")
    amount = parse_money(written if isinstance(written, str) else as_written(written))
    if not amount:
        raise InputError("found 0; write an amount of more than 0, or leave it out")
    return amount


Amount = Annotated[Fraction, Parsed(_amount, _AMOUNT)]
"""An amount as the file of a table states it."""


class Chips(msgspec.Struct, frozen=True, kw_only=True):
    """The smallest chip of a table, and the rounding of amounts that are not whole chips."""

    smallest: Amount
    rounding: ChipRounding = msgspec.field(name="round")

    def make(self, amount: Fraction) -> bool:
        """Whether the amount is a whole number of chips."""
        return (amount / self.smallest).denominator == 1

    def rounded(self, amount: Fraction) -> Fraction:
        """Return the amount in whole chips; for a loss, its absolute value is rounded.

        >>> Chips(smallest=Fraction(5), rounding=ChipRounding.HALF_EVEN).rounded(Fraction(25, 2))
        Fraction(10, 1)
        """
        number = abs(amount) / self.smallest
        match self.rounding:
            case ChipRounding.DOWN:
                whole = number.numerator // number.denominator
            case ChipRounding.UP:
                whole = -(-number.numerator // number.denominator)
            case ChipRounding.HALF_EVEN:
                whole = round(number)
        return whole * self.smallest * (-1 if amount < 0 else 1)


class BetLimits(msgspec.Struct, frozen=True, kw_only=True):
    """The displayed limits of a single bet, each for one player's stake; None: none is displayed."""

    minimum: Amount | None = None
    maximum: Amount | None = None


class DisplayedLimits(msgspec.Struct, frozen=True, kw_only=True):
    """The limits that a table displays; None: none is displayed. ``bets``: those of single bets.

    ``minimum`` and ``maximum`` are for a player's bet on a hand; insurance may be limited to a share of the maximum.
    """

    minimum: Amount | None = None
    maximum_differential: Amount | None = None
    maximum: Amount | None = None
    bets: dict[str, BetLimits] = {}

    def least(self, game: Game, bet: str) -> Fraction | None:
        """Return the minimum stake on this bet: its own, or for a bet on a hand the table's."""
        own = self.bets.get(bet, BetLimits()).minimum
        return self.minimum if own is None and hand_of(game, bet) is not None else own

    def most(self, game: Game, bet: str) -> Fraction | None:
        """Return the maximum stake on this bet: its own, or for a bet on a hand the table's."""
        own = self.bets.get(bet, BetLimits()).maximum
        return self.maximum if own is None and hand_of(game, bet) is not None else own


def hand_of(game: Game, bet: str) -> Hand | None:
    """Return the hand that a bet is placed on, or None for a side bet."""
    return next((hand for hand in Hand if (its := game.bet_on(hand)) is not None and its.id == bet), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bettor:
    """A player in the sense of the documents: someone who has placed bets in a box."""

    box: int
    place: PlayerPlace
    name: str
    stakes: Mapping[str, Fraction]
    insured: Mapping[Insured, Fraction]


@dataclass(frozen=True, slots=True, kw_only=True)
class GamingTable:
    """A table in one round of play; ``bettors`` in the order of placing, box by box, the seated one first.

    ``dealt``: the finished round; None if its cards are not known.
    """

    layout: str
    is_closed: bool
    limits: DisplayedLimits
    chips: Chips | None
    bettors: tuple[Bettor, ...]
    dealt: Round | None
