"""What a document leaves to practice: questions that change no pay table, each answered by one word of a closed set.

A rule book answers in ``[practice]`` where its answer is not the common one; an entry of its register gives
the other answer under the same key of its ``instead``. Settlements, rulings and tables ask here.
"""

from enum import StrEnum

import msgspec

from combinat.rules.table_limits import DifferentialOf, MinimumOf, ProRata, UnderMinimum


class AvailableBets(StrEnum):
    """Whose result establishes an outcome when a round is interrupted."""

    LAYOUT = "layout"
    STAKED = "staked"

    @property
    def in_words(self) -> str:
        """Which bets are meant, as a phrase."""
        return (
            "the bets of the layout in use" if self is AvailableBets.LAYOUT else "the bets that were staked"
        )


class SilentPlayer(StrEnum):
    """What a player forgoes who lets an offer of insurance pass in silence."""

    FORGOES_ROUND = "forgoes-round"
    FORGOES_OFFER = "forgoes-offer"

    @property
    def in_words(self) -> str:
        """What is forgone, as a phrase."""
        return "all insurance of the round" if self is SilentPlayer.FORGOES_ROUND else "that offer alone"


class SqueezeWaives(StrEnum):
    """Whose insurance after the Player's third card a squeeze waives."""

    ALL_PLAYERS = "all-players"
    REQUESTER = "requester"

    @property
    def in_words(self) -> str:
        """Whose, as a phrase."""
        return "for all players" if self is SqueezeWaives.ALL_PLAYERS else "for the player who asked"


class InsuredHand(StrEnum):
    """Which hand may be insured by a player who has a bet on one of them."""

    OWN = "own"
    EITHER = "either"

    @property
    def in_words(self) -> str:
        """Which hand, as a phrase."""
        return "the hand bet on" if self is InsuredHand.OWN else "either hand"


class TiedBets(StrEnum):
    """What becomes of a bet on a hand when the hands tie."""

    RETURNED = "returned"
    STAY = "stay"

    @property
    def in_words(self) -> str:
        """What becomes of it, as a phrase."""
        return "returned" if self is TiedBets.RETURNED else "stays for the next round unless withdrawn"


class OptionsFor(StrEnum):
    """For what a player chooses one of the options after a dealing error."""

    EACH_BET = "each-bet"
    ALL_BETS = "all-bets"

    @property
    def in_words(self) -> str:
        """For what, as a phrase."""
        return "for each bet by itself" if self is OptionsFor.EACH_BET else "for all bets together"


class EarlyCards(StrEnum):
    """Whether cards that were drawn or exposed before their turn can establish an outcome."""

    COUNT = "count"
    WAIT = "wait"

    @property
    def in_words(self) -> str:
        """Whether they do, as a phrase."""
        return "they count at once" if self is EarlyCards.COUNT else "they count when it is their turn"


class Practice(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a document is practised where its words leave it open."""

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


PRACTICES = tuple(field.name for field in msgspec.structs.fields(Practice))
"""The questions, by the keys under which they are answered."""

OF_A_TABLE = frozenset({"differential", "pro_rata", "under_minimum", "minimum_of"})
"""The questions that only a document with limits of a table leaves open."""

OF_DEALING_ERRORS = frozenset({"options_for", "early_cards"})
"""The questions that only a document with options after a dealing error leaves open."""
