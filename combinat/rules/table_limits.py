"""What a document says of a table's limits: its clauses, and the answers to what they leave open.

A table displays a minimum and a maximum Differential (3.4). What becomes of bets that are outside them is in
5.1 to 5.2.1. The 2013 document has none of this: its rule book has no ``[table_limits]``.
"""

from enum import StrEnum

import msgspec

from combinat.rules.odds import Clause


class DifferentialOf(StrEnum):
    """Of what the Differential is taken."""

    TABLE = "table"  # all bets on one hand against all on the other
    BOX = "box"  # the bets of each betting box by themselves

    @property
    def in_words(self) -> str:
        """As a phrase."""
        return "of the whole table" if self is DifferentialOf.TABLE else "of each box by itself"


class ProRata(StrEnum):
    """How bets over the maximum Differential are apportioned once the bets are closed."""

    TO_THE_LIMIT = "to-the-limit"
    BY_RATIO = "by-ratio"
    BOTH_HANDS = "both-hands"

    @property
    def in_words(self) -> str:
        """As a phrase."""
        return _PRO_RATA[self]


_PRO_RATA = {
    ProRata.TO_THE_LIMIT: "bets on the heavier hand share what the limit leaves after those that stand as they are",
    ProRata.BY_RATIO: "each bet on the heavier hand is cut by one ratio, whatever the exceptions add",
    ProRata.BOTH_HANDS: "each bet on either hand is cut by the ratio of the limit to the Differential",
}


class UnderMinimum(StrEnum):
    """For whom the pro rata is suspended where somebody's bet is under the minimum."""

    PLAYER = "player"  # for all bets of that player on the hands
    BOX = "box"  # for every bet of the box

    @property
    def in_words(self) -> str:
        """As a phrase."""
        return "that player alone" if self is UnderMinimum.PLAYER else "everybody in that box"


class MinimumOf(StrEnum):
    """What has to meet the minimum that is displayed for a bet."""

    PLAYER = "player"  # each player's bet by itself
    BOX = "box"  # the bets of all players in a betting box on it, together

    @property
    def in_words(self) -> str:
        """As a phrase."""
        return "each player's bet" if self is MinimumOf.PLAYER else "all bets of a box together"


class TableClauses(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the document says what of a table's limits."""

    differential: Clause
    seated: Clause
    standing: Clause
    displayed: Clause
    duty: Clause
    balance: Clause
    closed: Clause
    excess: Clause
    pro_rata: Clause
    under_minimum: Clause
    raised: Clause
    unnoticed: Clause
    position: Clause


class TableLimits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The limits of a table, as the document has them. How they are practised: ``Practice``."""

    clauses: TableClauses
