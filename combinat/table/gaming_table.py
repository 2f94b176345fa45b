"""A gaming table in one round: its displayed limits, its boxes, who bets in them, and how much on what."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from combinat.rules.game import Game
from combinat.rules.insurance import Insured
from combinat.rules.round import Round
from combinat.rules.table_of_play import Hand


class Place(StrEnum):
    """Where a player is: at the betting box, or behind it."""

    SEATED = "seated"
    STANDING = "standing"


class Rounding(StrEnum):
    """How an amount that no chips make is rounded."""

    DOWN = "down"
    UP = "up"
    HALF_EVEN = "half-even"

    @property
    def in_words(self) -> str:
        """Which way, and in whose favour it is where it is the winnings that are rounded."""
        return _ROUNDING[self]


_ROUNDING = {
    Rounding.DOWN: "down: of winnings in the House's favour",
    Rounding.UP: "up: of winnings in the player's favour",
    Rounding.HALF_EVEN: "to the nearest, half to even: in nobody's favour",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Chips:
    """The smallest chip of a table, and how an amount that no chips make is rounded."""

    smallest: Fraction
    rounding: Rounding

    def make(self, amount: Fraction) -> bool:
        """Whether whole chips make the amount."""
        return (amount / self.smallest).denominator == 1

    def rounded(self, amount: Fraction) -> Fraction:
        """The amount in whole chips; of a loss, the size of it is rounded.

        >>> Chips(smallest=Fraction(5), rounding=Rounding.HALF_EVEN).rounded(Fraction(25, 2))
        Fraction(10, 1)
        """
        number = abs(amount) / self.smallest
        match self.rounding:
            case Rounding.DOWN:
                whole = number.numerator // number.denominator
            case Rounding.UP:
                whole = -(-number.numerator // number.denominator)
            case Rounding.HALF_EVEN:
                whole = round(number)
        return whole * self.smallest * (-1 if amount < 0 else 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class BetLimits:
    """The displayed limits of a single bet, each for one player's stake; None: none is displayed."""

    minimum: Fraction | None = None
    maximum: Fraction | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Displayed:
    """What the table displays: its limits for a player's bet on a hand, its maximum Differential, those of single bets.

    ``maximum``: the maximum permissible limit of a bet, of which insurance may be a share; the Differential is another.
    """

    minimum: Fraction | None = None
    maximum: Fraction | None = None
    maximum_differential: Fraction | None = None
    bets: Mapping[str, BetLimits]

    def least(self, game: Game, bet: str) -> Fraction | None:
        """The least that a stake on this bet may be; None: no minimum is displayed for it.

        The table's minimum is for the bets on a hand; a side bet has one where its own is displayed.
        """
        own = self.bets.get(bet, BetLimits()).minimum
        return self.minimum if own is None and hand_of(game, bet) is not None else own

    def most(self, game: Game, bet: str) -> Fraction | None:
        """The most that a stake on this bet may be; None: no maximum is displayed for it."""
        own = self.bets.get(bet, BetLimits()).maximum
        return self.maximum if own is None and hand_of(game, bet) is not None else own


def hand_of(game: Game, bet: str) -> Hand | None:
    """The hand that a bet is the bet on; None: it is a side bet."""
    return next((hand for hand in Hand if (its := game.bet_on(hand)) is not None and its.id == bet), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bettor:
    """A player in the sense of the documents: someone who has placed bets in a box."""

    box: int
    place: Place
    name: str
    stakes: Mapping[str, Fraction]
    insured: Mapping[Insured, Fraction]


@dataclass(frozen=True, slots=True, kw_only=True)
class GamingTable:
    """A table in one round of play; ``bettors`` in the order of placing, box by box, the seated one first.

    ``dealt``: the finished round; None: its cards are not known.
    """

    layout: str
    is_closed: bool
    displayed: Displayed
    chips: Chips | None
    bettors: tuple[Bettor, ...]
    dealt: Round | None
