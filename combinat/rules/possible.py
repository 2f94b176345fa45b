"""A deal for every outcome that a Table of Play can come to: what lines of a pay table cover is looked up in it.

A hand's first two cards are told apart as far as any fact tells them apart: by their total, and where they match by
their rank. A set of deals is a whole number with a bit for each deal, so that what two lines have in common is one
``and``, and its lowest bit is a deal that shows it.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from combinat.rules.bet import Case, Pay
from combinat.rules.cards import RANKS, Rank, format_cards
from combinat.rules.facts import BY_NAME
from combinat.rules.outcome import Outcome
from combinat.rules.table_of_play import Hand, TableOfPlay

_OF_POINTS = [next(rank for rank in reversed(RANKS) if rank.points == points) for points in range(10)]
"""A rank worth each number of points; of those worth 0, the King."""

_APART = [(_OF_POINTS[1], _OF_POINTS[9]), *((Rank.KING, rank) for rank in _OF_POINTS[1:])]
"""Two cards that do not match, for each total."""

_TWO = (*_APART, *((rank, rank) for rank in reversed(RANKS)), (Rank.KING, Rank.QUEEN))
"""The first two cards of a hand, one for all that no fact tells apart."""

Bits = int
"""A set of deals: the bit of each deal's place."""


class Deal(NamedTuple):
    """A finished round by its cards."""

    player: tuple[Rank, ...]
    banker: tuple[Rank, ...]

    def __str__(self) -> str:
        return f"Player {format_cards(self.player)}, Banker {format_cards(self.banker)}"

    @property
    def outcome(self) -> Outcome:
        """What it came to, with all that facts can tell."""
        return Outcome.of(self.player, self.banker)


class PossibleDeals:
    """A deal for every outcome under one Table of Play."""

    def __init__(self, table: TableOfPlay) -> None:
        self.deals = [
            deal for player in _TWO for banker in _TWO for deal in _ends(table, Deal(player, banker))
        ]
        self.outcomes = [deal.outcome for deal in self.deals]
        self.every: Bits = (1 << len(self.deals)) - 1
        self._with: dict[str, dict[object, Bits]] = {}

    def covered(self, line: Pay) -> Bits:
        """The deals that a line of a pay table covers."""
        covered = self.in_case(line)
        for exception in line.exceptions:
            covered &= ~self.in_case(exception)
        return covered

    def in_case(self, case: Case) -> Bits:
        """The deals in which all facts of a case are so."""
        bits = self.every
        for fact, accepted in case.facts.items():
            values = self._by_value(fact)
            so = 0
            for value in accepted:
                so |= values.get(value, 0)
            bits &= so
        return bits

    def _by_value(self, fact: str) -> dict[object, Bits]:
        """The deals by their value of a fact."""
        if fact not in self._with:
            its = BY_NAME[fact]
            digits: dict[object, bytearray] = {}
            for place, outcome in enumerate(reversed(self.outcomes)):
                value = its.of(outcome)
                if value not in digits:
                    digits[value] = bytearray(b"0" * len(self.deals))
                digits[value][place] = ord("1")
            self._with[fact] = {value: int(bits, 2) for value, bits in digits.items()}
        return self._with[fact]

    def example(self, bits: Bits) -> Deal | None:
        """The first deal of a set; None: it is empty."""
        return self.deals[(bits & -bits).bit_length() - 1] if bits else None


def _ends(table: TableOfPlay, deal: Deal) -> Iterator[Deal]:
    """The deals in which a round that began so can end; of third cards worth the same, one."""
    points = [[rank.points for rank in hand] for hand in deal]
    match table.next_hand(*points):
        case Hand.PLAYER:
            for rank in _OF_POINTS:
                yield from _ends(table, Deal((*deal.player, rank), deal.banker))
        case Hand.BANKER:
            for rank in _OF_POINTS:
                yield Deal(deal.player, (*deal.banker, rank))
        case None:
            yield deal


@lru_cache(maxsize=4)
def possible_deals(table: TableOfPlay) -> PossibleDeals:
    """A deal for every outcome under a Table of Play; made once, in about a tenth of a second."""
    return PossibleDeals(table)
