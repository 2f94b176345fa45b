"""Incidents: the report, the procedure that applies, and the refusal of contradictory reports."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec

from combinat.base.errors import InputError
from combinat.rules import bounds
from combinat.rules.bet import Bet, is_outcome
from combinat.rules.cards import Rank, format_cards
from combinat.rules.deal_space import decided_bets
from combinat.rules.game import Game
from combinat.rules.procedure import SILENT, Asks, Effect, Fact, Facts, Procedure, Ruling
from combinat.rules.round import Round, Stage
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import Hand

if TYPE_CHECKING:
    from combinat.analysis.round_in_progress import RoundInProgress


class IncidentReport(msgspec.Struct, frozen=True, kw_only=True):
    """The report of an incident.

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
    """Refuse a report whose parts contradict the incident or each other."""
    procedure, lay, drawn = answers[0], report.hands, len(report.cards)
    if procedure.asks is Asks.SIDES and lay is None:
        raise InputError(
            f"{report.incident}: the position of each card is missing ({procedure.cited})",
            "write the cards of each hand, with {player} and {banker}",
            parameter="player",
        )
    is_no_part = {
        "cards that came together are": report.together is not None and procedure.asks is not Asks.ORDER,
        "a new set of cards is": report.new_set is not None and procedure.asks is not Asks.ORDER,
        "cards that came early are": report.early is not None and procedure.asks is not Asks.EARLY,
        "the position of the cards is": lay is not None and not _asks_of_hands(answers, Fact.WRONG_NUMBER),
        "whether the cards can be reconstructed is": not report.reconstructible
        and not _asks_of_hands(answers, Fact.RECONSTRUCTIBLE),
    }
    for what in (what for what, holds in is_no_part.items() if holds):
        raise InputError(
            f"{report.incident}: {what} not used for this incident ({procedure.cited}); leave that out"
        )
    if report.early is not None and report.early > drawn:
        raise InputError(
            f"{report.incident}: found {report.early} cards that came early, of {drawn} drawn; "
            "write the cards drawn, those that came early last"
        )
    if lay is not None and Counter((*lay.player, *lay.banker)) != Counter(report.cards):
        raise InputError(
            f"{report.incident}: the hands as dealt ({lay}) are not made of the cards that left "
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
    """Whether the answer or its options depend on how the hands lay, or on whether they can be corrected."""
    if answers[0].asks is Asks.ORDER:
        return False
    return answers[0].asks is Asks.SIDES or any(
        fact in answer.facts or answer.effect.ruling is Ruling.OPTIONS for answer in answers
    )


OF_CARDS = ("excess-cards", "exposed-cards", "face-up")
"""Incidents of cards that were drawn: they need at least one card."""

EXCESS = "excess-cards"


def check_contradictions(procedure: Procedure, report: IncidentReport, now: "RoundInProgress") -> None:
    """Refuse an incident that the cards contradict; ``now``: the round by their order."""
    why = _contradiction(procedure, report, now)
    if why:
        raise InputError(
            f"{report.incident}: {why} ({procedure.cited}); correct the cards, or leave the incident out"
        )


def _contradiction(procedure: Procedure, report: IncidentReport, now: "RoundInProgress") -> str:
    """Return how the cards contradict the incident, or the empty text."""
    right, hands = now.reached, report.hands
    if report.incident in OF_CARDS and not report.cards:
        return "no card was drawn"
    if report.incident == EXCESS and right.is_over and not now.beyond and hands is None:
        return f"none of the cards is in excess: the round takes them all ({right})"
    if procedure.asks is Asks.SIDES and hands is not None and not now.beyond and _same_hands(hands, right):
        return f"no card was dealt to the wrong side ({right})"
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


# ---------------------------------------------------------------- which procedure applies


def bets_available(game: Game, layout: str | None, staked: Iterable[str]) -> tuple[Bet, ...] | None:
    """Return the bets that can establish an outcome: those of the layout in use.

    None if the layout is not known. Under the other reading they are the bets that were staked.
    """
    if game.practice.available_bets == "staked":
        return tuple(game.bet(bet) for bet in staked)
    return None if layout is None else game.bets_on(layout)


def outcome_established(game: Game, dealt: Round, layout: str | None, staked: Sequence[str]) -> bool | None:
    """Return whether an available bet has conclusively won or lost, or None if the facts do not decide it.

    If the layout is not known, all layouts that offer the staked bets must agree. The shoe is assumed to hold
    every rank.
    """
    if not dealt.follows_table:
        return None
    available = bets_available(game, layout, staked)
    decided = {name for name, result in decided_bets(game.bets, dealt).items() if is_outcome(result)}
    if available is not None:
        return any(bet.id in decided for bet in available)
    layouts = _layouts_with(game, staked)
    established = {any(bet.id in decided for bet in game.bets_on(layout)) for layout in layouts}
    if not layouts:
        return bool(decided)
    return established.pop() if len(established) == 1 else None


def _layouts_with(game: Game, staked: Sequence[str]) -> list[str]:
    """Return the layouts that offer all staked bets; all layouts if no single layout does."""
    every = [layout.id for layout in game.layouts]
    fitting = [layout for layout in every if set(staked) <= {bet.id for bet in game.bets_on(layout)}]
    return fitting or every


def waits(game: Game, procedure: Procedure) -> bool:
    """Whether early cards establish no outcome before their turn."""
    return procedure.asks is Asks.EARLY and game.practice.early_cards == "wait"


def settlement_facts(game: Game, dealt: Round, layout: str | None, staked: Sequence[str]) -> Facts:
    """Return the facts that the hands of a settlement show, without knowledge of the shoe."""
    is_complete = dealt.follows_table and dealt.is_over
    return {
        Fact.OUTCOME: outcome_established(game, dealt, layout, staked),
        Fact.CARDS_MISSING: False if is_complete else None,
        Fact.WRONG_NUMBER: False if is_complete else None if dealt.follows_table else True,
    }


def possible_answers(
    game: Game, incident: str, facts_for: Callable[[Procedure], Facts], source: str
) -> dict[Procedure, str]:
    """Return the procedures that may answer an incident, each with its open condition; the answer is first.

    Refused: an incident whose procedures the facts exclude, and one that leaves open which of several applies.
    ``source``: what the facts were derived from.
    """
    answers = game.answers_to(incident)
    known = {procedure: procedure.applies(facts_for(procedure)) for procedure in answers}
    possible = {one: "" if holds else one.condition for one, holds in known.items() if holds is not False}
    if not possible:
        first = next((procedure for procedure in answers if procedure.id == incident), answers[0])
        raise InputError(
            f"{first.id}: applies only if {first.condition} ({first.cited}), which is not true for {source}; "
            "leave it out, or correct the cards"
        )
    if len(possible) == 1:
        return possible
    named = next((procedure for procedure in possible if procedure.id == incident), None)
    if named is None:
        which = " or ".join(f"{procedure.id} (where {procedure.condition})" for procedure in possible)
        raise InputError(f"{incident}: {source} leaves open which procedure applies; write {which}")
    return {named: possible[named], **possible}


def refuse_undecided(game: Game, possible: Mapping[Procedure, str]) -> None:
    """Refuse to settle if a choice or decision is still open; name the other procedures that may apply."""
    (procedure, condition), *others = possible.items()
    if procedure.effect is Effect.OPTIONS:
        back = [other.id for other in game.procedures if other.effect is Effect.TAKEN_BACK]
        write = f"write {back[0]} if the bets are returned, or" if back else "write"
        where = f"where {condition}, " if others else ""
        instead = "".join(f"; where {other.condition}, write {other.id}" for other, _ in others)
        raise InputError(
            f"{procedure.id}: {where}every player chooses to go on or to have the bet returned ({procedure.cited}); "
            f"{write} no procedure where the player has gone on{instead}"
        )
    if procedure.effect is Effect.DISCRETION:
        raise InputError(
            f"{procedure.id}: left to the discretion of the House ({procedure.cited}), by {procedure.decides or 'the House'}; "
            "settle by what was decided"
        )


def settling_procedure(
    game: Game,
    dealt: Round,
    incident: str,
    layout: str | None,
    staked: Sequence[str],
    insured: Collection[Stage] = (),
) -> tuple[Procedure, str]:
    """Return the procedure by which a round is settled, and the condition that the hands leave open.

    A procedure that the hands contradict is refused with its clause. ``insured``: the stages of insurance
    that may have been offered late; the facts are those of the first of them.
    """
    stages = [stage for stage in dealt.stages if stage in insured] or list(dealt.stages)

    def facts_for(procedure: Procedure) -> Facts:
        is_late = procedure.effect is Effect.LATE_INSURANCE
        facts = settlement_facts(
            game, dealt.stages[stages[0]] if is_late and stages else dealt, layout, staked
        )
        if facts[Fact.OUTCOME] and waits(game, procedure):  # the hands do not show which cards came early
            return {**facts, Fact.OUTCOME: None}
        return facts

    possible = possible_answers(game, incident, facts_for, str(dealt))
    refuse_undecided(game, possible)
    procedure, condition = next(iter(possible.items()))
    if not procedure.effect.returns_all:
        _check_finished(game, dealt, procedure)
    return procedure, condition


def _check_finished(game: Game, dealt: Round, procedure: Procedure) -> None:
    """Refuse an unfinished round under a procedure by which play continues."""
    if dealt.follows_table and not dealt.is_over:
        where = f", since {procedure.condition}" if procedure.condition else ""
        raise InputError(
            f"{procedure.id}: the round is played to its end ({procedure.cited}){where}; "
            f"it is not over ({dealt}): give all of its cards"
        )
    game.finished_round(dealt.player, dealt.banker)
