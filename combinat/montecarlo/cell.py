"""The cell of a round: the points of both hands, and the pairs among the first four cards.

A cell is an integer, so rounds are counted in one pass over an array. The cell alone settles every insurance
state and every bet that does not depend on the ranks of pairs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

import numpy as np
import numpy.typing as npt

from combinat.rules.cards import RANKS

Bytes = npt.NDArray[np.uint8]
Indices = npt.NDArray[np.intp]
"""Numbers of cells, of rounds or of shoes."""

NO_CARD = 13
"""Instead of a rank: no card was dealt."""

STOOD = 10
"""In place of a third card's points: the hand took none."""

POINTS: Bytes = np.array([*(rank.points for rank in RANKS), STOOD], dtype=np.uint8)


class Pairing(StrEnum):
    """The pairs among the first four cards, in the order of their numbers."""

    NONE = "none"
    PLAYER = "player"
    BANKER = "banker"
    BOTH = "both"
    TWIN = "twin"  # both hands have the same pair


PAIRINGS = tuple(Pairing)
_RADICES = (10, 10, 11, 11, len(PAIRINGS), len(PAIRINGS))
NUMBER = 10 * 10 * 11 * 11 * len(PAIRINGS) ** 2
"""The number of cells; most of them are impossible."""


@dataclass(frozen=True, slots=True)
class Deals:
    """The ranks of many rounds, by their numbers; ``NO_CARD`` for a third card that was not drawn.

    ``cards``: a column for each round; three rows for the Player Hand, then three for the Banker Hand.
    """

    cards: Bytes

    @classmethod
    def of(cls, player: Sequence[Bytes], banker: Sequence[Bytes]) -> "Deals":
        """Return the rounds of these hands, three cards each."""
        return cls(np.stack([*player, *banker]))

    @classmethod
    def concat(cls, parts: "Sequence[Deals]") -> "Deals":
        """Return the rounds of several parts, concatenated."""
        return cls(np.concatenate([part.cards for part in parts], axis=1))

    def take(self, rounds: Indices) -> "Deals":
        """Return the rounds with these numbers."""
        return Deals(self.cards[:, rounds])

    @property
    def player(self) -> Bytes:
        """The cards of the Player Hand, one row per card."""
        return self.cards[:3]

    @property
    def banker(self) -> Bytes:
        """The cards of the Banker Hand, one row per card."""
        return self.cards[3:]


def pairing(player: Bytes, banker: Bytes) -> Bytes:
    """Return the number of the pairing of each hand's first two cards, compared by these values."""
    player_pair, banker_pair = player[0] == player[1], banker[0] == banker[1]
    numbers: Bytes = player_pair.astype(np.uint8)
    numbers += 2 * banker_pair.astype(np.uint8)
    numbers += player_pair & banker_pair & (player[0] == banker[0])  # twins
    return numbers


def total(first: Bytes, second: Bytes) -> Bytes:
    """Return the last digit of the sum of two cards' points."""
    added = first + second
    # Sums below 10 wrap around to 246 or more when 10 is subtracted, so the smaller number is the last digit.
    last_digit: Bytes = np.minimum(added, added - np.uint8(10))
    return last_digit


def cells(dealt: Deals) -> Indices:
    """Return the cell of every round."""
    points = Deals(POINTS.take(dealt.cards))
    player, banker = points.player, points.banker
    facts = (
        total(player[0], player[1]),
        total(banker[0], banker[1]),
        player[2],
        banker[2],
        pairing(dealt.player, dealt.banker),
        pairing(player, banker),
    )
    numbers = np.zeros(player.shape[1], dtype=np.intp)
    for radix, fact in zip(_RADICES, facts, strict=True):
        numbers *= radix
        numbers += fact
    return numbers


@dataclass(frozen=True, slots=True)
class CellFacts:
    """The facts of cells: totals of the first two cards, points of the third cards or ``STOOD``, pairings."""

    player: Indices
    banker: Indices
    player_third: Indices
    banker_third: Indices
    pairing: Indices
    point_pairing: Indices

    @classmethod
    def of(cls, numbers: Indices) -> "CellFacts":
        """Return the facts of these cells."""
        facts = []
        for radix in reversed(_RADICES):
            numbers, fact = np.divmod(numbers, radix)
            facts.append(fact)
        return cls(*reversed(facts))

    @property
    def player_points(self) -> Indices:
        """The final total of the Player Hand. ``STOOD`` is 10, so a hand that stood keeps its total."""
        return (self.player + self.player_third) % 10

    @property
    def banker_points(self) -> Indices:
        """The final total of the Banker Hand."""
        return (self.banker + self.banker_third) % 10

    @property
    def winners(self) -> Indices:
        """The winner of each cell, as an index of ``WINNERS``."""
        player, banker = self.player_points, self.banker_points
        winners: Indices = np.where(player == banker, 2, (banker > player).astype(np.intp))
        return winners


WINNERS = ("player", "banker", "tie")
"""The possible winners, in the order of their numbers."""


@cache
def _winner_of_cell() -> Indices:
    return CellFacts.of(np.arange(NUMBER)).winners


def winners_of(numbers: Indices) -> Indices:
    """Return the winners of these cells, as indices of ``WINNERS``."""
    winners: Indices = _winner_of_cell()[numbers]
    return winners


def without_point_pairing(numbers: Indices) -> Indices:
    """Return the cells without pairs by points, as a counts file lists them."""
    return numbers // len(PAIRINGS)
