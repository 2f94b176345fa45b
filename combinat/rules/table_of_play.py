"""The Baccarat Table of Play: who draws the next card of a round.

The four documents print one and the same table (3.7 in 2013, 3.15 in 2024, 3.12 in 2025) and one
sentence for the case in which the Player Hand has stood (3.6, 3.13, 3.11). A natural on either side
ends the round before that sentence is reached, and a 10, whose face value leaves 0 as the last digit,
stands in column 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from combinat.rules.cards import point_total


class Hand(StrEnum):
    """One of the two hands of a round."""

    PLAYER = "player"
    BANKER = "banker"

    @property
    def in_full(self) -> str:
        """The hand as the documents name it: ``Player Hand``."""
        return f"{self.value.capitalize()} Hand"

    @property
    def other(self) -> "Hand":
        """The hand it plays against."""
        return Hand.BANKER if self is Hand.PLAYER else Hand.PLAYER


NATURALS = (8, 9)
"""Two cards worth 8 or 9: neither hand draws again."""

STOOD = 10
"""The column of the Table of Play for a Player Hand that took no third card."""

D, S = True, False  # draws, stands


@dataclass(frozen=True, slots=True)
class TableOfPlay:
    """When each hand draws its third card, by the points of its first two.

    ``player[points]``: the Player Hand draws.
    ``banker[points][column]``: the Banker Hand draws; the column is the points of the Player's
    third card, or ``STOOD``.
    """

    player: tuple[bool, ...]
    banker: tuple[tuple[bool, ...], ...]

    def next_hand(self, player: Sequence[int], banker: Sequence[int]) -> Hand | None:
        """The hand that is dealt the next card, given the points of the cards on the table; None: over.

        >>> TABLE_OF_PLAY.next_hand([5, 0], [0, 6])
        <Hand.PLAYER: 'player'>
        >>> TABLE_OF_PLAY.next_hand([5, 0, 8], [0, 3]) is None
        True
        """
        if len(player) < 2 and len(player) <= len(banker):
            return Hand.PLAYER
        if len(banker) < 2:
            return Hand.BANKER
        if len(player) < 2:
            return Hand.PLAYER
        player_points, banker_points = point_total(player[:2]), point_total(banker[:2])
        if player_points in NATURALS or banker_points in NATURALS or len(banker) == 3:
            return None
        if len(player) == 2 and self.player[player_points]:
            return Hand.PLAYER
        column = player[2] if len(player) == 3 else STOOD
        return Hand.BANKER if self.banker[banker_points][column] else None


# fmt: off
TABLE_OF_PLAY = TableOfPlay(
    # Player's first two cards total:
    #       0  1  2  3  4  5  6  7
    player=(D, D, D, D, D, D, S, S),

    #    Player's third card is:                Player    Banker's first two
    #    0  1  2  3  4  5  6  7  8  9           stood     cards total:
    banker=(
        (D, D, D, D, D, D, D, D, D, D,          D),       # 0
        (D, D, D, D, D, D, D, D, D, D,          D),       # 1
        (D, D, D, D, D, D, D, D, D, D,          D),       # 2
        (D, D, D, D, D, D, D, D, S, D,          D),       # 3
        (S, S, D, D, D, D, D, D, S, S,          D),       # 4
        (S, S, S, S, D, D, D, D, S, S,          D),       # 5
        (S, S, S, S, S, S, D, D, S, S,          S),       # 6
        (S, S, S, S, S, S, S, S, S, S,          S),       # 7
    ),
)
# fmt: on
"""The table all four documents print. With 8 or 9 on either side it is not consulted."""
