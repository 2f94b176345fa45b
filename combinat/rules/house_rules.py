"""House rules: what a document leaves to practice, and where it states the limits of a table.

Practice are questions that change no pay table, each answered by one word of a closed set.

A rule book answers in ``[practice]`` where its answer is not the common one; an entry of its register gives
the other answer under the same key of its ``instead``. Settlements, rulings and tables ask here.

A table displays a minimum and a maximum Differential (3.4). What becomes of bets that are outside them is in
5.1 to 5.2.1. The 2013 document has none of this: its rule book has no ``[table_limits]``.
"""

from enum import StrEnum
from typing import Self

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


class AvailableBets(Phrased):
    """Whose result establishes an outcome when a round is interrupted."""

    LAYOUT = "layout", "the bets of the layout in use"
    STAKED = "staked", "the bets that were staked"


class SilentPlayer(Phrased):
    """What a player forgoes who lets an offer of insurance pass in silence."""

    FORGOES_ROUND = "forgoes-round", "all insurance of the round"
    FORGOES_OFFER = "forgoes-offer", "that offer alone"


class SqueezeWaives(Phrased):
    """Whose insurance after the Player's third card a squeeze waives."""

    ALL_PLAYERS = "all-players", "for all players"
    REQUESTER = "requester", "for the player who asked"


class InsuredHand(Phrased):
    """Which hand may be insured by a player who has a bet on one of them."""

    OWN = "own", "the hand bet on"
    EITHER = "either", "either hand"


class TiedBets(Phrased):
    """What becomes of a bet on a hand when the hands tie."""

    RETURNED = "returned", "returned"
    STAY = "stay", "stays for the next round unless withdrawn"


class DifferentialOf(Phrased):
    """Of what the Differential is taken: all bets on one hand against all on the other, or those of one box."""

    TABLE = "table", "of the whole table"
    BOX = "box", "of each box by itself"


class ProRata(Phrased):
    """How bets over the maximum Differential are apportioned once the bets are closed."""

    TO_THE_LIMIT = (
        "to-the-limit",
        "bets on the heavier hand share what the limit leaves after those that stand as they are",
    )
    BY_RATIO = "by-ratio", "each bet on the heavier hand is cut by one ratio, whatever the exceptions add"
    BOTH_HANDS = "both-hands", "each bet on either hand is cut by the ratio of the limit to the Differential"


class UnderMinimum(Phrased):
    """For whom the pro rata is suspended where a bet is under the minimum: all bets of the player, or of the box."""

    PLAYER = "player", "that player alone"
    BOX = "box", "everybody in that box"


class MinimumOf(Phrased):
    """What has to meet the minimum that is displayed for a bet."""

    PLAYER = "player", "each player's bet"
    BOX = "box", "all bets of a box together"


class OptionsFor(Phrased):
    """For what a player chooses one of the options after a dealing error."""

    EACH_BET = "each-bet", "for each bet by itself"
    ALL_BETS = "all-bets", "for all bets together"


class EarlyCards(Phrased):
    """Whether cards that were drawn or exposed before their turn can establish an outcome."""

    COUNT = "count", "they count at once"
    WAIT = "wait", "they count when it is their turn"


class Practice(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a document is practised where its words leave it open. The defaults are the common answers."""

    available_bets: AvailableBets = AvailableBets.LAYOUT
    silent_player: SilentPlayer = SilentPlayer.FORGOES_ROUND
    squeeze_waives: SqueezeWaives = SqueezeWaives.ALL_PLAYERS
    insured_hand: InsuredHand = InsuredHand.OWN
    tied_bets: TiedBets = TiedBets.RETURNED
    differential: DifferentialOf = DifferentialOf.TABLE
    pro_rata: ProRata = ProRata.TO_THE_LIMIT
    under_minimum: UnderMinimum = UnderMinimum.PLAYER
    minimum_of: MinimumOf = MinimumOf.PLAYER
    options_for: OptionsFor = OptionsFor.EACH_BET
    early_cards: EarlyCards = EarlyCards.COUNT


PRACTICES: dict[str, type[Phrased]] = {field.name: field.type for field in msgspec.structs.fields(Practice)}
"""The questions, by the keys under which they are answered, with their possible answers."""

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
