"""What is told of an incident, and the refusal of what does not fit it or what its cards contradict."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from combinat.analysis.round_in_progress import insurance_at
from combinat.base.errors import NotToldError, RoundError
from combinat.rules import bounds
from combinat.rules.game import Game
from combinat.rules.practice import AvailableBets
from combinat.rules.procedure import SILENT, Asks, Effect, Fact, Procedure, Ruling
from combinat.rules.round import Round, Stage
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import Hand
from combinat.table.error_options import Position
from combinat.table.face_down import Cards, Hands, format_drawn, seen


@dataclass(frozen=True, slots=True, kw_only=True)
class Happened:
    """What is told of an incident.

    ``cards``: all that left the shoe in this round, in their order, those drawn by mistake included, some of them perhaps
    face down. ``lay``: the
    hands as they lay, where that was another way. ``together``: how many of the last cards came at once; ``new_set``:
    what the shoe then holds, where its cards are replaced. ``early``: how many of the last cards came before their turn.
    """

    incident: str
    cards: Cards = ()
    lay: Hands | Round | None = None
    together: int | None = None
    new_set: Shoe | None = None
    early: int | None = None
    reconstructible: bool = True
    layout: str | None = None
    stakes: Mapping[str, Fraction] = field(default_factory=dict)

    @property
    def came_together(self) -> int:
        """How many of the last cards came at once, if any did."""
        return 2 if self.together is None else self.together

    @property
    def laid(self) -> Hands | None:
        """The hands as they lay, where that is told."""
        return None if self.lay is None else Hands(tuple(self.lay.player), tuple(self.lay.banker))

    @property
    def in_turn(self) -> Cards:
        """The cards that were drawn in their turn, if the last ones were not; one, where no number is told."""
        return self.cards[: -(1 if self.early is None else self.early)]


def check_told(answers: Sequence[Procedure], happened: Happened) -> None:
    """Refuse what does not fit the incident or the cards."""
    procedure = answers[0]
    if procedure.asks is Asks.SIDES and happened.lay is None:
        raise NotToldError(
            f"{happened.incident}: where each card lay is not told ({procedure.cited})", Asks.SIDES
        )
    if procedure.asks is not Asks.ORDER and (happened.together, happened.new_set) != (None, None):
        what = "cards that came together" if happened.together is not None else "a new set of cards"
        raise RoundError(f"{happened.incident}: {what}: no part of it ({procedure.cited}); leave that out")
    if procedure.asks is not Asks.EARLY and happened.early is not None:
        raise RoundError(
            f"{happened.incident}: cards that came early: no part of it ({procedure.cited}); leave that out"
        )
    if happened.early is not None and happened.early > len(happened.cards):
        raise RoundError(
            f"{happened.incident}: found {happened.early} cards that came early, of {len(happened.cards)} drawn; "
            "write the cards drawn, those that came early last"
        )
    if happened.lay is not None and not _asks_of_the_hands(answers, Fact.WRONG_NUMBER):
        raise RoundError(
            f"{happened.incident}: how the hands lay: no part of it ({procedure.cited}); leave that out"
        )
    if not happened.reconstructible and not _asks_of_the_hands(answers, Fact.RECONSTRUCTIBLE):
        raise RoundError(
            f"{happened.incident}: whether the cards can be reconstructed: no part of it ({procedure.cited}); "
            "leave that out"
        )
    if happened.laid is not None:
        lay = (*happened.laid.player, *happened.laid.banker)
        if Counter(lay) != Counter(happened.cards):
            raise RoundError(
                f"{happened.incident}: the hands as they lay ({happened.laid}) are not made of the cards that left "
                f"the shoe ({format_drawn(happened.cards) or 'none'}); give the same cards in both"
            )
    if procedure.asks is Asks.ORDER:
        most = min(len(happened.cards), bounds.TOGETHER)
        together = happened.came_together
        if not 2 <= together <= most:
            raise RoundError(
                f"{happened.incident}: found {together} cards that came together, of {len(happened.cards)} drawn; "
                f"write the cards drawn, those that came together last, and from 2 to {bounds.TOGETHER} of them"
            )


STAKES = "stakes"
"""What is not told when the available bets are the staked ones and nothing is staked."""


def check_staked(game: Game, answers: Sequence[Procedure], happened: Happened) -> None:
    """Where the staked bets are the available ones, an outcome can be told from the stakes alone."""
    by_outcome = [answer for answer in answers if Fact.OUTCOME in answer.facts]
    if by_outcome and game.practice.available_bets is AvailableBets.STAKED and not happened.stakes:
        raise NotToldError(
            f"{happened.incident}: nothing is staked, and under the reading followed an outcome is established by "
            f"{game.practice.available_bets.in_words} ({by_outcome[0].cited})",
            STAKES,
        )


def _asks_of_the_hands(answers: Sequence[Procedure], fact: Fact) -> bool:
    """Whether it matters how the hands lay, or whether they can be put right: to the answer or to its options."""
    procedure = answers[0]
    if procedure.asks is Asks.ORDER:
        return False
    return procedure.asks is Asks.SIDES or any(
        fact in answer.facts or answer.effect.ruling is Ruling.OPTIONS for answer in answers
    )


OF_CARDS = ("excess-cards", "exposed-cards", "face-up")
"""Incidents of cards that were drawn: without any there is none."""

OF_SEEN_CARDS = ("exposed-cards", "face-up")
"""Incidents of cards that were seen."""

EXCESS = "excess-cards"


def check_contradictions(game: Game, answers: Sequence[Procedure], happened: Happened, now: Position) -> None:
    """Refuse an incident that the cards contradict; ``now``: the round by their order."""
    why = _contradiction(game, answers[0], happened, now)
    if why:
        raise RoundError(
            f"{happened.incident}: {why} ({answers[0].cited}); correct the cards, or leave the incident out"
        )


def _contradiction(game: Game, procedure: Procedure, happened: Happened, now: Position) -> str:
    """What of the cards is against the incident; empty: nothing."""
    right, lay = now.dealt, happened.laid
    is_over = right.is_over and not now.hands.face_down
    if happened.incident in OF_CARDS and not happened.cards:
        return "no card was drawn"
    if happened.incident in OF_SEEN_CARDS and not seen(happened.cards):
        return "every card lies face down"
    if happened.incident == EXCESS and is_over and not now.beyond and lay is None:
        return f"none of the cards is in excess: the round takes them all ({right})"
    if procedure.asks is Asks.SIDES and lay is not None and not now.beyond and _same_hands(lay, now.hands):
        return f"no card lay on the wrong side: by their order they belong where they lay ({right})"
    if happened.incident == SILENT and not insurance_at(game, right.stages.values(), now.distribution):
        return f"no insurance has been on offer in this round ({right})"
    if procedure.effect is Effect.THIRD_CARD_INSURANCE_WAIVED:
        if Stage.FOUR_CARDS not in right.stages:
            return f"no insurance has been on offer yet: four cards are not dealt ({right})"
        if len(now.hands.player) == 2 and right.next_hand is not Hand.PLAYER:
            return f"the Player Hand draws no third card ({right})"
    return ""


def _same_hands(one: Hands, other: Hands) -> bool:
    return (Counter(one.player), Counter(one.banker)) == (Counter(other.player), Counter(other.banker))
