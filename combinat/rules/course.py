"""A round by points: the totals of the first two cards of each hand, then the third cards."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from combinat.rules.cards import Rank, point_total
from combinat.rules.outcome import Result
from combinat.rules.round import Round
from combinat.rules.table_of_play import Hand, TableOfPlay


class Course(NamedTuple):
    """A round by points: the totals of each hand's first two cards, and the third cards, if any.

    ``is_void``: the shoe had no card left for the hand that had to draw.
    """

    player: int
    banker: int
    player_third: int | None = None
    banker_third: int | None = None
    is_void: bool = False

    @classmethod
    def of(cls, dealt: Round) -> "Course":
        """Return the course so far of a round of four cards or more."""
        return cls.of_hands(dealt.player, dealt.banker)

    @classmethod
    def of_hands(cls, player: Sequence[Rank], banker: Sequence[Rank]) -> "Course":
        """Return the course so far of two hands of two cards or more."""
        return cls(
            point_total(rank.points for rank in player[:2]),
            point_total(rank.points for rank in banker[:2]),
            player[2].points if len(player) == 3 else None,
            banker[2].points if len(banker) == 3 else None,
        )

    @property
    def cards(self) -> int:
        """The number of cards dealt."""
        return 4 + (self.player_third is not None) + (self.banker_third is not None)

    @property
    def result(self) -> Result:
        """The result of the hands, without third cards."""
        return result(self)

    def next_hand(self, table: TableOfPlay) -> Hand | None:
        """Return the hand that draws the next card, or None if the round is over."""
        if self.banker_third is not None:
            return None
        player = (self.player, 0) if self.player_third is None else (self.player, 0, self.player_third)
        return table.next_hand(player, (self.banker, 0))


@cache
def result(course: Course) -> Result:
    """Return the result of the hands; for a void round, the hands as dealt so far."""
    return Result(
        (course.player + (course.player_third or 0)) % 10,
        (course.banker + (course.banker_third or 0)) % 10,
        2 + (course.player_third is not None),
        2 + (course.banker_third is not None),
    )


@cache
def result_with_thirds(course: Course) -> Result:
    """Return the result of the hands, with the points of third cards."""
    return result(course)._replace(thirds=(course.player_third, course.banker_third))
