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
    """How a document is practised where its words leave it open. The defaults are the common answers."""

    available_bets: Literal["layout", "staked"] = "layout"
    """Whose result establishes an outcome when a round is interrupted."""
    silent_player: Literal["forgoes-round", "forgoes-offer"] = "forgoes-round"
    """What a player forgoes who lets an offer of insurance pass in silence."""
    squeeze_waives: Literal["all-players", "requester"] = "all-players"
    """Whose insurance after the Player's third card a squeeze waives."""
    insured_hand: Literal["own", "either"] = "own"
    """Which hand may be insured by a player who has a bet on one of them."""
    tied_bets: Literal["returned", "stay"] = "returned"
    """The treatment of a bet on a hand when the hands tie."""
    differential: Literal["table", "box"] = "table"
    """Over what the Differential is taken."""
    pro_rata: Literal["to-the-limit", "by-ratio", "both-hands"] = "to-the-limit"
    """How bets over the maximum Differential are apportioned once the bets are closed."""
    under_minimum: Literal["player", "box"] = "player"
    """For whom the pro rata is suspended where somebody's bet is under the minimum."""
    minimum_of: Literal["player", "box"] = "player"
    """What has to meet the minimum: each player's bet, or all bets of a box together."""
    options_for: Literal["each-bet", "all-bets"] = "each-bet"
    """For what a player chooses one of the options after a dealing error."""
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
        "box": "of each box by itself",
    },
    "pro_rata": {
        "to-the-limit": "bets on the heavier hand share what the limit leaves after those that stand as they are",
        "by-ratio": "each bet on the heavier hand is cut by one ratio, whatever the exceptions add",
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
        "each-bet": "for each bet by itself",
        "all-bets": "for all bets together",
    },
    "early_cards": {
        "count": "they count at once",
        "wait": "they count when it is their turn",
    },
}
"""The questions, by the keys under which they are answered, with a phrase for each possible answer."""

OF_A_TABLE = frozenset({"differential", "pro_rata", "under_minimum", "minimum_of"})
"""The questions that only a document with limits of a table leaves open."""

OF_DEALING_ERRORS = frozenset({"options_for", "early_cards"})
"""The questions that only a document with options after a dealing error leaves open."""


# ---------------------------------------------------------------- limits of a table


class TableClauses(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the document says what of a table's limits."""

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
    """Any other player may take up the part of the limit that a box leaves."""
    closed: Clause
    """Nothing is placed, raised or withdrawn after the close of bets."""
    excess: Clause
    """Bets over a limit before the close."""
    pro_rata: Clause
    """How bets over the Differential are apportioned after the close."""
    under_minimum: Clause
    """When a bet under the minimum suspends the pro rata."""
    raised: Clause
    """A bet under the minimum is raised or withdrawn before the close."""
    unnoticed: Clause
    """A bet under the minimum that nobody noticed stands."""
    position: Clause
    """Bets are settled where the chips lie when the bets are closed."""


class TableLimits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The limits of a table, as the document has them. How they are practised: ``Practice``."""

    clauses: TableClauses
    """The clauses on the limits of a table."""
