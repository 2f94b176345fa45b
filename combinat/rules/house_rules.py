"""House rules: the questions that a document leaves to practice, and its clauses on the limits of a table.

Questions of practice do not change pay tables. Each is answered by one word of a closed set.

A rule book states in ``[practice]`` the answers that are not the common ones; an entry of its register gives
the other answer under the same key of its ``instead``. Settlements, rulings and tables use these answers.

A table displays a minimum and a maximum Differential (3.4). The treatment of bets outside them is in
5.1 to 5.2.1. The 2013 document has none of this: its rule book has no ``[table_limits]``.
"""

from enum import StrEnum
from typing import Literal, Self

import msgspec

from combinat.rules.odds import Clause


class Phrased(StrEnum):
    """A closed set of words, such as the answers to one question: each with the phrase that documents print."""

    in_words: str

    def __new__(cls, word: str, in_words: str) -> Self:
        """The word, with its phrase."""
        member = str.__new__(cls, word)
        member._value_ = word
        member.in_words = in_words
        return member


class Practice(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The answers to questions that a document leaves open. The defaults are the common answers."""

    available_bets: Literal["layout", "staked"] = "layout"
    """The bets whose result establishes an outcome when a round is interrupted."""
    silent_player: Literal["forgoes-round", "forgoes-offer"] = "forgoes-round"
    """The insurance that a player forgoes by not answering an offer."""
    squeeze_waives: Literal["all-players", "requester"] = "all-players"
    """The players whose insurance after the Player's third card a squeeze waives."""
    insured_hand: Literal["own", "either"] = "own"
    """Which hand may be insured by a player who has a bet on one of them."""
    tied_bets: Literal["returned", "stay"] = "returned"
    """The treatment of a bet on a hand when the hands tie."""
    differential: Literal["table", "box"] = "table"
    """Whether the Differential is that of the table or of each box."""
    pro_rata: Literal["to-the-limit", "by-ratio", "both-hands"] = "to-the-limit"
    """The apportionment of bets over the maximum Differential after the close."""
    under_minimum: Literal["player", "box"] = "player"
    """Whose bets are exempt from the pro rata if a bet is under the minimum."""
    minimum_of: Literal["player", "box"] = "player"
    """Whether the minimum applies to each player's bet or to the sum of a box."""
    options_for: Literal["each-bet", "all-bets"] = "each-bet"
    """Whether a player chooses an option for each bet or for all bets together after a dealing error."""
    early_cards: Literal["count", "wait"] = "count"
    """Whether cards that were drawn or exposed before their turn can establish an outcome."""

    def in_words(self, question: str) -> str:
        """Return the answer to a question, as a phrase."""
        return PRACTICES[question][getattr(self, question)]


PRACTICES: dict[str, dict[str, str]] = {
    "available_bets": {
        "layout": "the bets of the layout in use",
        "staked": "the bets that were staked",
    },
    "silent_player": {
        "forgoes-round": "all insurance of the round",
        "forgoes-offer": "that offer alone",
    },
    "squeeze_waives": {
        "all-players": "for all players",
        "requester": "for the player who asked",
    },
    "insured_hand": {
        "own": "the hand bet on",
        "either": "either hand",
    },
    "tied_bets": {
        "returned": "returned",
        "stay": "stays for the next round unless withdrawn",
    },
    "differential": {
        "table": "of the whole table",
        "box": "of each box separately",
    },
    "pro_rata": {
        "to-the-limit": "bets that may not be cut stay as placed; the other bets on the heavier hand share the rest of the limit",
        "by-ratio": "each bet on the heavier hand is cut by the same ratio; bets that may not be cut are on top of the limit",
        "both-hands": "each bet on either hand is cut by the ratio of the limit to the Differential",
    },
    "under_minimum": {
        "player": "that player alone",
        "box": "everybody in that box",
    },
    "minimum_of": {
        "player": "each player's bet",
        "box": "all bets of a box together",
    },
    "options_for": {
        "each-bet": "for each bet separately",
        "all-bets": "for all bets together",
    },
    "early_cards": {
        "count": "they count at once",
        "wait": "they count from their turn on",
    },
}
"""The questions, by the keys under which they are answered, with a phrase for each possible answer."""

OF_A_TABLE = frozenset({"differential", "pro_rata", "under_minimum", "minimum_of"})
"""The questions that only a document with limits of a table leaves open."""

OF_DEALING_ERRORS = frozenset({"options_for", "early_cards"})
"""The questions that only a document with options after a dealing error leaves open."""


# ---------------------------------------------------------------- limits of a table


class TableClauses(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The clauses on the limits of a table."""

    differential: Clause
    """The definition of the Differential."""
    seated: Clause
    """The definition of a seated player."""
    standing: Clause
    """The definition of a standing player."""
    displayed: Clause
    """A minimum and a maximum Differential are displayed."""
    duty: Clause
    """Bets must be within the limits; this is the player's duty."""
    balance: Clause
    """Other players may use the part of a box's limit that the box does not use."""
    closed: Clause
    """Nothing is placed, raised or withdrawn after the close of bets."""
    excess: Clause
    """Bets over a limit before the close."""
    pro_rata: Clause
    """The clause on the apportionment of bets over the Differential after the close."""
    under_minimum: Clause
    """When a bet under the minimum suspends the pro rata."""
    raised: Clause
    """A bet under the minimum is raised or withdrawn before the close."""
    unnoticed: Clause
    """A bet under the minimum that nobody noticed stands."""
    position: Clause
    """Bets are settled where the chips lie when the bets are closed."""


class TableLimits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The document's limits of a table. ``Practice`` answers the questions that they leave open."""

    clauses: TableClauses
    """The clauses on the limits of a table."""
