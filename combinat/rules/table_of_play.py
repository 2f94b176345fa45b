"""The Baccarat Table of Play: which hand draws the next card of a round. The table is data of the rule book.

The four documents print one and the same table (3.7 in 2013, 3.15 in 2024, 3.12 in 2025) and one
sentence for the case in which the Player Hand has stood (3.6, 3.13, 3.11). A natural on either side
ends the round before that sentence applies, and a 10, whose face value has the last digit 0,
belongs to column 0.

A rule book states its own table in ``[table_of_play]``; without it, it has the common table, which
is written here, in the same form, and nowhere else. ``PrintedTable`` is the table as stated, ``TableOfPlay`` the same
table cell by cell: two rule books with the same table share one, whatever their clauses.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cached_property
from typing import ClassVar

import msgspec

from combinat.rules.cards import point_total
from combinat.rules.odds import Clause
from combinat.rules.value_sets import POINTS, POINTS_OR_NONE, NumberSet, PointSet, PointsOrNone


class Hand(StrEnum):
    """One of the two hands of a round.

    >>> [hand.value for hand in Hand], Hand.PLAYER.other.in_full
    (['player', 'banker'], 'Banker Hand')
    """

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


TOTALS = range(10)
"""The Point Totals that two cards can have, and the points that a card can be worth."""

STOOD = 10
"""The column of the Table of Play for a Player Hand that took no third card."""


class BankerRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """On which third cards of the Player the Banker Hand draws, by the points of its first two."""

    complete: ClassVar[bool] = True

    points: PointSet
    """The points of the Banker Hand's first two cards."""
    third: PointsOrNone
    """The points of the Player's third card on which the Banker Hand then draws."""


class PrintedTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """The Table of Play as a rule book states it: the totals on which a hand draws; on the others it stands.

    ``natural``: two cards worth this, on either side, and nobody draws; ``banker_draws_against_natural``: but
    the Banker Hand with these totals does, when the natural is the Player's.
    """

    clause: Clause
    """Where the document prints the Table of Play."""
    stood_clause: Clause
    """Where the document states the Banker Hand's draw when the Player Hand has stood."""
    natural: PointsOrNone
    """The two-card totals, on either side, with which nobody draws."""
    player_draws: PointsOrNone
    """The totals on which the Player Hand draws."""
    banker_draws: tuple[BankerRow, ...]
    """The Player's third cards on which the Banker Hand draws, by its own total."""
    banker_draws_when_player_stood: PointsOrNone
    """The totals on which the Banker Hand draws when the Player Hand took no third card."""
    banker_draws_against_natural: PointsOrNone = NumberSet()
    """The totals on which the Banker Hand draws against a natural of the Player."""

    @cached_property
    def cells(self) -> "TableOfPlay":
        """The same table, cell by cell."""
        goes_on = range(max(set(TOTALS) - self.natural, default=-1) + 1)
        return TableOfPlay(
            player=tuple(total in self.player_draws for total in goes_on),
            banker=tuple(
                (*(points in self.third(total) for points in TOTALS), self._draws_if_stood(total))
                for total in goes_on
            ),
            natural=frozenset(self.natural),
            against_natural=frozenset(self.banker_draws_against_natural),
        )

    def third(self, total: int) -> frozenset[int]:
        """The third cards of the Player on which the Banker Hand draws with this total."""
        return frozenset(points for row in self.banker_draws if total in row.points for points in row.third)

    def _draws_if_stood(self, total: int) -> bool:
        return total in self.banker_draws_when_player_stood


def table_mistakes(table: PrintedTable) -> Iterator[tuple[str, str]]:
    """Yield the key and the message where a table repeats a total, omits one, or lets a natural draw."""
    for key in ("player_draws", "banker_draws_when_player_stood", "banker_draws_against_natural"):
        yield from _draws_on_natural(table, key, getattr(table, key))
    row_of: dict[int, int] = {}
    named_twice = False  # the total that was meant has no row
    for number, row in enumerate(table.banker_draws):
        key = f"banker_draws[{number}].points"
        yield from _draws_on_natural(table, key, row.points)
        for total in sorted(row.points):
            if row_of.setdefault(total, number) != number:
                yield (
                    key,
                    f'found "{row.points}", but {total} is in banker_draws[{row_of[total]}] too; '
                    "write each total once",
                )
                named_twice = True
                break
    on_which_rounds_go_on = sorted(set(TOTALS) - table.natural)
    highest = max(row_of, default=min(on_which_rounds_go_on, default=-1))
    for total in on_which_rounds_go_on:
        if total <= highest and total not in row_of and not named_twice:
            yield (
                "banker_draws",
                f"found no row for {total}; write one for each total up to the "
                f'highest on which the Banker Hand draws, such as {{ points = {total}, third = "0-9" }}, '
                'with third = "none" where it stands',
            )
            break


def _draws_on_natural(table: PrintedTable, key: str, draws: NumberSet[int]) -> Iterator[tuple[str, str]]:
    if both := draws & table.natural:
        yield (
            key,
            f'found "{draws}", but on a natural (natural = "{table.natural}") nobody draws; '
            f"take out {NumberSet(both)}",
        )


def _row(points: str, third: str) -> BankerRow:
    return BankerRow(points=POINTS.parse(points), third=POINTS_OR_NONE.parse(third))


COMMON_TABLE = PrintedTable(
    clause="the common table",
    stood_clause="the common table",
    natural=POINTS_OR_NONE.parse("8-9"),
    player_draws=POINTS_OR_NONE.parse("0-5"),
    banker_draws=(
        _row("0-2", third="0-9"),
        _row("3", third="0-7,9"),
        _row("4", third="2-7"),
        _row("5", third="4-7"),
        _row("6", third="6-7"),
    ),
    banker_draws_when_player_stood=POINTS_OR_NONE.parse("0-5"),
)
"""The table of a rule book that states none: the one that all four documents print."""


class TableOfPlay(msgspec.Struct, frozen=True):
    """When each hand draws its third card, by the points of its first two: a row for each total that goes on.

    ``player[points]``: the Player Hand draws.
    ``banker[points][column]``: the Banker Hand draws; the column is the points of the Player's
    third card, or ``STOOD``.
    ``natural``: the totals that end the round on either side, whatever their rows say.
    ``against_natural``: but with these totals the Banker Hand draws against a natural of the Player.
    """

    player: tuple[bool, ...]
    banker: tuple[tuple[bool, ...], ...]
    natural: frozenset[int] = frozenset(COMMON_TABLE.natural)
    against_natural: frozenset[int] = frozenset()

    def next_hand(self, player: Sequence[int], banker: Sequence[int]) -> Hand | None:
        """Return the hand that draws next, given the points of the cards on the table, or None if the round is over.

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
        if len(banker) == 3:
            return None
        third = player[2] if len(player) == 3 else None
        return self.next_after_four(point_total(player[:2]), point_total(banker[:2]), third)

    def next_after_four(self, player: int, banker: int, third: int | None = None) -> Hand | None:
        """Return the hand that draws next, given the totals of two cards each, or None if the round is over.

        ``third``: the points of the Player's third card, if it is on the table.

        >>> TABLE_OF_PLAY.next_after_four(5, 3), TABLE_OF_PLAY.next_after_four(5, 3, third=8)
        (<Hand.PLAYER: 'player'>, None)
        """
        if banker in self.natural:
            return None
        if player in self.natural:
            return Hand.BANKER if banker in self.against_natural else None
        if third is None and self.player[player]:
            return Hand.PLAYER
        return Hand.BANKER if self.banker[banker][STOOD if third is None else third] else None


TABLE_OF_PLAY = COMMON_TABLE.cells
"""The common table, cell by cell."""
