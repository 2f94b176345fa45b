"""What a finished round came to: all that any bet can be settled on.

What a pair is is not data: two cards of one rank, "for example 10, 10 or K, K" in all four documents (Player
Pair or Banker Pair in section 1 of 2013; 1.19 and 1.18 in 2024; 1.21 and 1.33 in 2025).
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from combinat.rules.cards import Rank, point_total
from combinat.rules.table_of_play import Hand


class Winner(StrEnum):
    """Which hand won the round, or that neither did."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"


class Pairs(StrEnum):
    """The pairs among the first four cards, in the words of the Tiger Pair clause."""

    NONE = "none"
    SINGLE = "single"  # one hand has a pair
    DOUBLE = "double"  # both hands have one
    TWIN = "twin"  # both hands have the same one


class FirstFour(NamedTuple):
    """How the first two cards of each hand match: by rank, as the documents say, and by points.

    The matches by points (a 10 and a King) settle no bet of the documents; the interpretation
    registers need them to compute what another reading would come to.
    """

    player_pair: bool
    banker_pair: bool
    pairs: Pairs
    player_point_pair: bool
    banker_point_pair: bool
    point_pairs: Pairs

    @classmethod
    def of(cls, player: Sequence[Rank], banker: Sequence[Rank]) -> "FirstFour":
        """The matches among two cards of each hand."""
        return cls(
            *_matches(player[0], player[1], banker[0], banker[1]),
            *_matches(player[0].points, player[1].points, banker[0].points, banker[1].points),
        )


def _matches(p1: object, p2: object, b1: object, b2: object) -> tuple[bool, bool, Pairs]:
    player, banker = p1 == p2, b1 == b2
    if player and banker:
        return True, True, Pairs.TWIN if p1 == b1 else Pairs.DOUBLE
    return player, banker, Pairs.SINGLE if player or banker else Pairs.NONE


class Result(NamedTuple):
    """How the hands ended: their Point Totals and numbers of cards."""

    player_points: int
    banker_points: int
    player_cards: int
    banker_cards: int

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
    def margin(self) -> int:
        """By how many points the round was won; 0 in a Tie."""
        return abs(self.player_points - self.banker_points)

    @property
    def cards(self) -> int:
        """How many cards the round took: 4, 5 or 6."""
        return self.player_cards + self.banker_cards

    def loses(self, hand: Hand) -> bool:
        """Whether this hand lost; a Tie is no loss."""
        return self.winner == hand.other.value


class Outcome(NamedTuple):
    """What a finished round came to."""

    result: Result
    first_four: FirstFour

    @classmethod
    def of(cls, player: Sequence[Rank], banker: Sequence[Rank]) -> "Outcome":
        """The outcome of two complete hands.

        >>> from combinat.rules.cards import parse_cards
        >>> Outcome.of(parse_cards("9 6 3"), parse_cards("10 6")).result
        Result(player_points=8, banker_points=6, player_cards=3, banker_cards=2)
        """
        points = [point_total(rank.points for rank in hand) for hand in (player, banker)]
        return cls(
            Result(points[0], points[1], len(player), len(banker)),
            FirstFour.of(player[:2], banker[:2]),
        )
