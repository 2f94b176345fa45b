"""The outcome of a finished round: everything that a bet can depend on.

The definition of a pair is not data: two cards of one rank, "for example 10, 10 or K, K" in all four documents (Player
Pair or Banker Pair in section 1 of 2013; 1.19 and 1.18 in 2024; 1.21 and 1.33 in 2025).
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple, TypeVar

from combinat.rules.cards import Rank, point_total
from combinat.rules.table_of_play import Hand

Value = TypeVar("Value")


class Winner(StrEnum):
    """Which hand won the round, or that neither did."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"


class Pairs(StrEnum):
    """The pairs among the first four cards, in the words of the Tiger Pair clause."""

    NONE = "none"
    SINGLE = "single"  # one hand has a pair
    DOUBLE = "double"  # both hands have a pair
    TWIN = "twin"  # both hands have the same pair


class UncountedFactError(LookupError):
    """A fact that the record does not have: the rounds were counted without it."""


def _of_hand(values: tuple[Value, Value] | None, hand: Hand) -> Value:
    if values is None:
        raise UncountedFactError(
            "these rounds were counted without their third cards, or without the ranks of pairs"
        )
    return values[0 if hand is Hand.PLAYER else 1]


class FirstFour(NamedTuple):
    """The match of the first two cards of each hand: by rank, as in the documents, and by points.

    The matches by points (a 10 and a King) settle no bet of the documents; the interpretation
    registers need them to compute other readings.

    ``pair_ranks``: the rank of each hand's pair, or None if ranks are not counted. Only bets on ranks need
    them; they turn one record into thirteen.
    """

    player_pair: bool
    banker_pair: bool
    pairs: Pairs
    player_point_pair: bool
    banker_point_pair: bool
    point_pairs: Pairs
    pair_ranks: tuple[Rank | None, Rank | None] | None = None

    @classmethod
    def of(cls, player: Sequence[Rank], banker: Sequence[Rank], *, by_rank: bool = False) -> "FirstFour":
        """Return the matches among two cards of each hand; ``by_rank``: with the rank of each pair."""
        return cls(
            *_matches(player[0], player[1], banker[0], banker[1]),
            *_matches(player[0].points, player[1].points, banker[0].points, banker[1].points),
            (_pair_rank(player), _pair_rank(banker)) if by_rank else None,
        )

    @property
    def player_pair_of(self) -> Rank | None:
        """The rank of the Player's pair, or None if it has no pair."""
        return _of_hand(self.pair_ranks, Hand.PLAYER)

    @property
    def banker_pair_of(self) -> Rank | None:
        """The rank of the Banker's pair, or None if it has no pair."""
        return _of_hand(self.pair_ranks, Hand.BANKER)

    @property
    def without_ranks(self) -> "FirstFour":
        """The same matches without the ranks of the pairs."""
        return self._replace(pair_ranks=None)


def _pair_rank(hand: Sequence[Rank]) -> Rank | None:
    return hand[0] if hand[0] == hand[1] else None


def _matches(p1: object, p2: object, b1: object, b2: object) -> tuple[bool, bool, Pairs]:
    player, banker = p1 == p2, b1 == b2
    if player and banker:
        return True, True, Pairs.TWIN if p1 == b1 else Pairs.DOUBLE
    return player, banker, Pairs.SINGLE if player or banker else Pairs.NONE


NATURALS = frozenset({8, 9})
"""The totals of two cards that the facts of a bet call a natural."""


class Result(NamedTuple):
    """The final hands: their Point Totals and numbers of cards.

    ``thirds``: the points of each hand's third card, or None if they are not counted. Only bets on them need them.
    """

    player_points: int
    banker_points: int
    player_cards: int
    banker_cards: int
    thirds: tuple[int | None, int | None] | None = None

    @property
    def winner(self) -> Winner:
        """The hand with the higher Point Total; equal totals are a Tie."""
        if self.player_points == self.banker_points:
            return Winner.TIE
        return Winner.PLAYER if self.player_points > self.banker_points else Winner.BANKER

    @property
    def winning_points(self) -> int | None:
        """The Point Total of the hand that won; None in a Tie."""
        return None if self.winner is Winner.TIE else max(self.player_points, self.banker_points)

    @property
    def losing_points(self) -> int | None:
        """The Point Total of the hand that lost; None in a Tie."""
        return None if self.winner is Winner.TIE else min(self.player_points, self.banker_points)

    @property
    def winning_cards(self) -> int | None:
        """The number of cards of the hand that won; None in a Tie."""
        return {Winner.PLAYER: self.player_cards, Winner.BANKER: self.banker_cards}.get(self.winner)

    @property
    def losing_cards(self) -> int | None:
        """The number of cards of the hand that lost; None in a Tie."""
        return {Winner.PLAYER: self.banker_cards, Winner.BANKER: self.player_cards}.get(self.winner)

    @property
    def total_points(self) -> int:
        """The Point Totals of both hands together: 0 to 18."""
        return self.player_points + self.banker_points

    @property
    def player_natural(self) -> bool:
        """Whether the Player Hand is a natural: 8 or 9 with two cards."""
        return self.player_cards == 2 and self.player_points in NATURALS

    @property
    def banker_natural(self) -> bool:
        """Whether the Banker Hand is a natural."""
        return self.banker_cards == 2 and self.banker_points in NATURALS

    @property
    def natural(self) -> bool:
        """Whether either hand is a natural."""
        return self.player_natural or self.banker_natural

    @property
    def player_third(self) -> int | None:
        """The points of the Player's third card, or None if it has two cards."""
        return _of_hand(self.thirds, Hand.PLAYER)

    @property
    def banker_third(self) -> int | None:
        """The points of the Banker's third card, or None if it has two cards."""
        return _of_hand(self.thirds, Hand.BANKER)

    @property
    def margin(self) -> int:
        """The difference of the Point Totals; 0 in a Tie."""
        return abs(self.player_points - self.banker_points)

    @property
    def cards(self) -> int:
        """The number of cards in the round: 4, 5 or 6."""
        return self.player_cards + self.banker_cards

    def loses(self, hand: Hand) -> bool:
        """Whether this hand lost; a Tie is not a loss."""
        return self.winner == hand.other.value


class Outcome(NamedTuple):
    """The outcome of a finished round. Counted rounds have only the facts that bets need."""

    result: Result
    first_four: FirstFour

    @classmethod
    def of(cls, player: Sequence[Rank], banker: Sequence[Rank]) -> "Outcome":
        """Return the outcome of two complete hands.

        >>> from combinat.rules.cards import parse_cards
        >>> Outcome.of(parse_cards("9 6 3"), parse_cards("10 6")).result
        Result(player_points=8, banker_points=6, player_cards=3, banker_cards=2, thirds=(3, None))
        """
        points = [point_total(rank.points for rank in hand) for hand in (player, banker)]
        thirds = [hand[2].points if len(hand) > 2 else None for hand in (player, banker)]
        return cls(
            Result(points[0], points[1], len(player), len(banker), (thirds[0], thirds[1])),
            FirstFour.of(player[:2], banker[:2], by_rank=True),
        )
