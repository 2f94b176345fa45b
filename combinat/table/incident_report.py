"""The report of an incident, and the refusal of one that does not fit its procedures or its own cards."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from combinat.analysis.round_in_progress import RoundInProgress
from combinat.base.errors import InputError
from combinat.rules import bounds
from combinat.rules.cards import Rank, format_cards
from combinat.rules.game import Game
from combinat.rules.procedure import SILENT, Asks, Effect, Fact, Procedure, Ruling
from combinat.rules.round import Round, Stage
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import Hand


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentReport:
    """An incident as it is reported.

    ``cards``: all cards that left the shoe in this round, in their order, those drawn by mistake included. ``hands``: the
    hands as they lay on the table, if they lay otherwise. ``together``: the number of last cards that came out at once;
    ``new_set``: the shoe that then replaces the old one. ``early``: the number of last cards that came before their turn.
    """

    incident: str
    cards: tuple[Rank, ...]
    hands: Round | None
    together: int | None
    new_set: Shoe | None
    early: int | None
    reconstructible: bool
    layout: str | None
    stakes: Mapping[str, Fraction]

    @property
    def came_together(self) -> int:
        """The number of last cards that came at once. Default: 2."""
        return 2 if self.together is None else self.together

    @property
    def in_turn(self) -> tuple[Rank, ...]:
        """The cards that were drawn in their turn: all but the early ones. Default: one card came early."""
        return self.cards[: -(1 if self.early is None else self.early)]


def check_report(game: Game, answers: Sequence[Procedure], report: IncidentReport) -> None:
    """Refuse a report whose parts do not fit the incident or each other."""
    procedure, lay, drawn = answers[0], report.hands, len(report.cards)
    if procedure.asks is Asks.SIDES and lay is None:
        raise InputError(
            f"{report.incident}: where each card lay is missing ({procedure.cited})",
            "write the cards of each hand, with {player} and {banker}",
            parameter="player",
        )
    is_no_part = {
        "cards that came together are": report.together is not None and procedure.asks is not Asks.ORDER,
        "a new set of cards is": report.new_set is not None and procedure.asks is not Asks.ORDER,
        "cards that came early are": report.early is not None and procedure.asks is not Asks.EARLY,
        "how the hands lay is": lay is not None and not _asks_of_hands(answers, Fact.WRONG_NUMBER),
        "whether the cards can be reconstructed is": not report.reconstructible
        and not _asks_of_hands(answers, Fact.RECONSTRUCTIBLE),
    }
    for what in (what for what, holds in is_no_part.items() if holds):
        raise InputError(
            f"{report.incident}: {what} no part of this incident ({procedure.cited}); leave that out"
        )
    if report.early is not None and report.early > drawn:
        raise InputError(
            f"{report.incident}: found {report.early} cards that came early, of {drawn} drawn; "
            "write the cards drawn, those that came early last"
        )
    if lay is not None and Counter((*lay.player, *lay.banker)) != Counter(report.cards):
        raise InputError(
            f"{report.incident}: the hands as they lay ({lay}) are not made of the cards that left "
            f"the shoe ({format_cards(report.cards) or 'none'}); give the same cards in both"
        )
    if procedure.asks is Asks.ORDER and not 2 <= report.came_together <= min(drawn, bounds.TOGETHER):
        raise InputError(
            f"{report.incident}: found {report.came_together} cards that came together, of {drawn} drawn; "
            f"write the cards drawn, those that came together last, and from 2 to {bounds.TOGETHER} of them"
        )
    by_outcome = [answer for answer in answers if Fact.OUTCOME in answer.facts]
    if by_outcome and game.practice.available_bets == "staked" and not report.stakes:
        raise InputError(
            f"{report.incident}: nothing is staked, and under the reading followed an outcome is established by "
            f"{game.practice.in_words('available_bets')} ({by_outcome[0].cited})",
            "write the stakes, with {stakes}",
            parameter="stakes",
        )


def _asks_of_hands(answers: Sequence[Procedure], fact: Fact) -> bool:
    """Whether the answer or its options depend on how the hands lay, or on whether they can be put right."""
    if answers[0].asks is Asks.ORDER:
        return False
    return answers[0].asks is Asks.SIDES or any(
        fact in answer.facts or answer.effect.ruling is Ruling.OPTIONS for answer in answers
    )


OF_CARDS = ("excess-cards", "exposed-cards", "face-up")
"""Incidents of cards that were drawn: they need at least one card."""

EXCESS = "excess-cards"


def check_contradictions(procedure: Procedure, report: IncidentReport, now: RoundInProgress) -> None:
    """Refuse an incident that the cards contradict; ``now``: the round by their order."""
    why = _contradiction(procedure, report, now)
    if why:
        raise InputError(
            f"{report.incident}: {why} ({procedure.cited}); correct the cards, or leave the incident out"
        )


def _contradiction(procedure: Procedure, report: IncidentReport, now: RoundInProgress) -> str:
    """Return what in the cards contradicts the incident; empty: nothing."""
    right, hands = now.reached, report.hands
    if report.incident in OF_CARDS and not report.cards:
        return "no card was drawn"
    if report.incident == EXCESS and right.is_over and not now.beyond and hands is None:
        return f"none of the cards is in excess: the round takes them all ({right})"
    if procedure.asks is Asks.SIDES and hands is not None and not now.beyond and _same_hands(hands, right):
        return f"no card lay on the wrong side: by their order they belong where they lay ({right})"
    if report.incident == SILENT and not now.insurance:
        return f"no insurance has been on offer in this round ({right})"
    if procedure.effect is Effect.THIRD_CARD_INSURANCE_WAIVED:
        if Stage.FOUR_CARDS not in right.stages:
            return f"no insurance has been on offer yet: four cards are not dealt ({right})"
        if len(right.player) == 2 and right.next_hand is not Hand.PLAYER:
            return f"the Player Hand draws no third card ({right})"
    return ""


def _same_hands(one: Round, other: Round) -> bool:
    return (Counter(one.player), Counter(one.banker)) == (Counter(other.player), Counter(other.banker))
