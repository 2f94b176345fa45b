"""Insurance: a bet in the middle of a round that the player's own hand will lose."""

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import product
from typing import Annotated, ClassVar, NamedTuple

import msgspec

from combinat.rules.bet import LOST, RETURNED
from combinat.rules.house_rules import Phrased
from combinat.rules.odds import Clause, Odds, Share, Text
from combinat.rules.outcome import Result, Winner
from combinat.rules.round import Stage
from combinat.rules.table_of_play import Hand
from combinat.rules.value_sets import PointSet


class Insured(NamedTuple):
    """An insured hand and its stage, the name of an insurance bet: ``player@four-cards``."""

    hand: Hand
    stage: Stage

    def __str__(self) -> str:
        return f"{self.hand}@{self.stage}"


class Moment(NamedTuple):
    """A stage of a round and both Point Totals at it."""

    stage: Stage
    player_points: int
    banker_points: int


class State(msgspec.Struct, frozen=True, order=True):
    """The moment at which an insurance bet is offered: the hand, the stage, and both Point Totals.

    >>> str(State(Hand.BANKER, Stage.FOUR_CARDS, player_points=5, banker_points=6))
    'banker@four-cards, Player 5, Banker 6'
    """

    side: Hand
    stage: Stage
    player_points: int
    banker_points: int

    @property
    def moment(self) -> Moment:
        """The stage and both totals, whichever hand is insured."""
        return Moment(self.stage, self.player_points, self.banker_points)

    def points(self, hand: Hand) -> int:
        """The Point Total of one of the hands."""
        return self.player_points if hand is Hand.PLAYER else self.banker_points

    @property
    def key(self) -> str:
        """Its name: ``HAND:STAGE:OWN-OTHER``, the insured hand's points first.

        >>> State(Hand.BANKER, Stage.FOUR_CARDS, 5, 6).key
        'banker:four-cards:6-5'
        """
        return f"{self.side}:{self.stage}:{self.points(self.side)}-{self.points(self.side.other)}"

    def __str__(self) -> str:
        insured = Insured(self.side, self.stage)
        return f"{insured}, Player {self.player_points}, Banker {self.banker_points}"


def states_named(name: str, offered: Iterable[State]) -> list[State] | None:
    """Return the offered states that ``HAND:STAGE:OWN-OTHER`` names, ``*`` for any points, or None for any other name.

    The insured hand's points come first.
    """
    points = r"(\d|\*)-(\d|\*)"
    match = re.fullmatch(rf"({'|'.join(Hand)}):({'|'.join(Stage)}):{points}", name, re.ASCII)
    if match is None:
        return None
    side, stage, own, other = match.groups()
    return [
        state
        for state in offered
        if (state.side, state.stage) == (side, stage)
        and own in ("*", str(state.points(state.side)))
        and other in ("*", str(state.points(state.side.other)))
    ]


class Offer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of an insurance pay table.

    ``tie_pays``: the Point Totals on which a Tie pays the odds (the starred lines of the documents);
    on any other Tie the bet is returned.
    """

    complete: ClassVar[bool] = True

    player_points: PointSet
    """The Player Hand's totals at which the line is offered."""
    banker_points: PointSet
    """The Banker Hand's totals at which the line is offered."""
    odds: Odds
    """The odds that the insurance pays when the insured hand loses."""
    tie_pays: PointSet | None = None
    """The totals on which a tie pays the odds; any other tie returns the bet."""
    clause: str = ""
    """Where the document states this line, if not where it settles the table."""

    def net(self, side: Hand, result: Result) -> Fraction:
        """Return the profit per unit staked on this line in a round with this result.

        >>> from combinat.rules.value_sets import NumberSet
        >>> line = Offer(player_points=NumberSet({9}), banker_points=NumberSet({4}),
        ...              odds=Odds.parse("10 to 1"), tie_pays=NumberSet({9}))
        >>> line.net(Hand.PLAYER, Result(9, 9, 3, 3))
        Fraction(10, 1)
        """
        if result.winner is Winner.TIE:
            return self.odds.net if self.tie_pays and result.player_points in self.tie_pays else RETURNED
        return self.odds.net if result.loses(side) else LOST


class InsuranceTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The lines that insure one hand at one stage."""

    side: Hand
    """The insured hand."""
    stage: Stage
    """The stage of the offer: after four cards, or after the Player's third card."""
    settled: Clause
    """Where the document prints these odds."""
    offers: tuple[Offer, ...]
    """The lines: the totals, and the odds offered there."""

    @property
    def insured(self) -> Insured:
        """The insured hand and its stage."""
        return Insured(self.side, self.stage)

    def states(self) -> Iterator[tuple[State, Offer]]:
        """Yield every pair of Point Totals that a line covers, line by line."""
        return ((state, offer) for offer in self.offers for state in self.states_of(offer))

    def states_of(self, offer: Offer) -> Iterator[State]:
        """Yield every pair of Point Totals that one line covers."""
        for player, banker in product(sorted(offer.player_points), sorted(offer.banker_points)):
            yield State(self.side, self.stage, player, banker)


class Open(Phrased):
    """When a listed offer is open. Only another reading has ``NEVER``."""

    CARD_TO_COME = "card-to-come", "It is offered only while a card is still to come"
    WHENEVER_LISTED = "whenever-listed", "It is offered whenever both totals are listed"
    NEVER = "never", "It is never offered"


class Caps(Phrased):
    """The amount that a limit caps; the payout is the winnings, stake times odds."""

    STAKE = "stake", "stake"
    PAYOUT = "payout", "payout"
    PAYOUT_AND_STAKE = "payout-and-stake", "payout and stake"


class Per(Phrased):
    """The insurance bets that a limit adds up."""

    OFFER = "offer", "each insurance bet"
    ROUND = "round", "all insurance on one hand in a round"
    BOTH_HANDS = "both-hands", "all insurance on both hands in a round"
    TABLE = "table", "each insurance offer, of all players together,"


class Base(Phrased):
    """The amount of which a limit is a share."""

    ORIGINAL_BET = "original-bet", "original bet"
    TABLE_MAXIMUM = "table-maximum", "table maximum"
    MAXIMUM_DIFFERENTIAL = "maximum-differential", "maximum differential"

    @property
    def parameter(self) -> str:
        """The parameter of a question that states the base."""
        return self.value.replace("-", "_")


class Limit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A cap on insurance bets: a share of the base, on stakes or on payouts.

    ``odds``: only bets at these odds. ``procedure``: only under that procedure, and then instead of
    the limits that name none.
    """

    complete: ClassVar[bool] = True

    clause: Clause
    """Where the document states the cap."""
    caps: Caps
    """The amount that it caps."""
    per: Per
    """The insurance bets over which it adds up."""
    share: Share
    """The share of the base that is allowed."""
    of: Base
    """The base against which it is measured."""
    odds: Odds | None = None
    """The odds that it applies to. Default: all."""
    procedure: str | None = None
    """The procedure under which it replaces the limits that name none."""

    @property
    def in_words(self) -> str:
        """The limit, as a phrase."""
        at = f" at {self.odds}" if self.odds else ""
        only = f", under {self.procedure}" if self.procedure else ""
        return f"the {self.caps.in_words} of {self.per.in_words}{at}: at most {self.share} of the {self.of.in_words}{only}"

    def applies_to(self, odds: Odds) -> bool:
        """Whether the limit holds for bets at these odds."""
        return self.odds is None or self.odds.net == odds.net

    def amount(self, stake: Fraction, odds: Odds) -> Fraction:
        """Return the amount of the cap that a stake at these odds uses."""
        winnings = stake * odds.net
        return {
            Caps.STAKE: stake,
            Caps.PAYOUT: winnings,
            Caps.PAYOUT_AND_STAKE: winnings + stake,
        }[self.caps]


class InsuranceTerms(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The terms of every insurance bet of a game."""

    name: Text
    """The name of the insurance bet."""
    clauses: Annotated[tuple[Clause, ...], msgspec.Meta(min_length=1)]
    """Where the document states its terms."""
    open: Open
    """When a listed offer is open."""
    limits: tuple[Limit, ...]
    """The caps on insurance bets."""
