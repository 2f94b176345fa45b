"""The report of an incident, and the refusal of one that does not fit its procedures or its own cards."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from combinat.analysis.round_in_progress import insurance_at
from combinat.base.errors import InputError
from combinat.rules import bounds
from combinat.rules.cards import Rank, format_cards, parse_cards
from combinat.rules.game import Game
from combinat.rules.house_rules import AvailableBets
from combinat.rules.procedure import SILENT, Asks, Effect, Fact, Procedure, Ruling
from combinat.rules.round import Round, Stage
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import Hand
from combinat.table.error_options import Position


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentReport:
    """An incident as it is reported.

    ``cards``: all cards that left the shoe in this round, in their order, those drawn by mistake included. ``hands``: the
    hands as they lay on the table, if they lay otherwise. ``together``: how many of the last cards came out at once;
    ``new_set``: the shoe that then replaces the old one. ``early``: how many of the last cards came before their turn.
    """

    incident: str
    cards: tuple[Rank, ...] = ()
    hands: Round | None = None
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
    def in_turn(self) -> tuple[Rank, ...]:
        """The cards that were drawn in their turn: all but the early ones. Default: one card came early."""
        return self.cards[: -(1 if self.early is None else self.early)]


def parse_drawn(text: str) -> tuple[Rank, ...]:
    """The cards that left the shoe, as people write them; a card that nobody has seen is refused."""
    if "?" in text:
        raise InputError(
            'found "?": a ruling needs the rank of every card drawn; turn the card, and write its rank'
        )
    return parse_cards(text)


def check_report(answers: Sequence[Procedure], report: IncidentReport) -> None:
    """Refuse what does not fit the incident or the cards."""
    procedure = answers[0]
    if procedure.asks is Asks.SIDES and report.hands is None:
        raise InputError(
            f"{report.incident}: where each card lay is missing ({procedure.cited})",
            "write the cards of each hand, with {player} and {banker}",
            parameter="player",
        )
    if procedure.asks is not Asks.ORDER and (report.together, report.new_set) != (None, None):
        what = "cards that came together are" if report.together is not None else "a new set of cards is"
        raise InputError(
            f"{report.incident}: {what} no part of this incident ({procedure.cited}); leave that out"
        )
    if procedure.asks is not Asks.EARLY and report.early is not None:
        raise InputError(
            f"{report.incident}: cards that came early are no part of this incident ({procedure.cited}); leave that out"
        )
    if report.early is not None and report.early > len(report.cards):
        raise InputError(
            f"{report.incident}: found {report.early} cards that came early, of {len(report.cards)} drawn; "
            "write the cards drawn, those that came early last"
        )
    if report.hands is not None and not _asks_of_the_hands(answers, Fact.WRONG_NUMBER):
        raise InputError(
            f"{report.incident}: how the hands lay is no part of this incident ({procedure.cited}); leave that out"
        )
    if not report.reconstructible and not _asks_of_the_hands(answers, Fact.RECONSTRUCTIBLE):
        raise InputError(
            f"{report.incident}: whether the cards can be reconstructed is no part of this incident ({procedure.cited}); "
            "leave that out"
        )
    lay = report.hands
    if lay is not None and Counter((*lay.player, *lay.banker)) != Counter(report.cards):
        raise InputError(
            f"{report.incident}: the hands as they lay ({lay}) are not made of the cards that left "
            f"the shoe ({format_cards(report.cards) or 'none'}); give the same cards in both"
        )
    if procedure.asks is Asks.ORDER:
        most = min(len(report.cards), bounds.TOGETHER)
        together = report.came_together
        if not 2 <= together <= most:
            raise InputError(
                f"{report.incident}: found {together} cards that came together, of {len(report.cards)} drawn; "
                f"write the cards drawn, those that came together last, and from 2 to {bounds.TOGETHER} of them"
            )


"""The missing part of a report, where the available bets are the staked ones and nothing is staked."""


def check_staked(game: Game, answers: Sequence[Procedure], report: IncidentReport) -> None:
    """Refuse a report without stakes where only staked bets can establish an outcome."""
    by_outcome = [answer for answer in answers if Fact.OUTCOME in answer.facts]
    if by_outcome and game.practice.available_bets is AvailableBets.STAKED and not report.stakes:
        raise InputError(
            f"{report.incident}: nothing is staked, and under the reading followed an outcome is established by "
            f"{game.practice.available_bets.in_words} ({by_outcome[0].cited})",
            "write the stakes, with {stakes}",
            parameter="stakes",
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
"""Incidents of cards that were drawn: they need at least one card."""

EXCESS = "excess-cards"


def check_contradictions(
    game: Game, answers: Sequence[Procedure], report: IncidentReport, now: Position
) -> None:
    """Refuse an incident that the cards contradict; ``now``: the round by their order."""
    why = _contradiction(game, answers[0], report, now)
    if why:
        raise InputError(
            f"{report.incident}: {why} ({answers[0].cited}); correct the cards, or leave the incident out"
        )


def _contradiction(game: Game, procedure: Procedure, report: IncidentReport, now: Position) -> str:
    """What of the cards is against the incident; empty: nothing."""
    right, hands = now.dealt, report.hands
    if report.incident in OF_CARDS and not report.cards:
        return "no card was drawn"
    if report.incident == EXCESS and right.is_over and not now.beyond and hands is None:
        return f"none of the cards is in excess: the round takes them all ({right})"
    if procedure.asks is Asks.SIDES and hands is not None and not now.beyond and _same_hands(hands, right):
        return f"no card lay on the wrong side: by their order they belong where they lay ({right})"
    if report.incident == SILENT and not insurance_at(game, right.stages.values(), now.distribution):
        return f"no insurance has been on offer in this round ({right})"
    if procedure.effect is Effect.THIRD_CARD_INSURANCE_WAIVED:
        if Stage.FOUR_CARDS not in right.stages:
            return f"no insurance has been on offer yet: four cards are not dealt ({right})"
        if len(right.player) == 2 and right.next_hand is not Hand.PLAYER:
            return f"the Player Hand draws no third card ({right})"
    return ""


def _same_hands(one: Round, other: Round) -> bool:
    return (Counter(one.player), Counter(one.banker)) == (Counter(other.player), Counter(other.banker))
