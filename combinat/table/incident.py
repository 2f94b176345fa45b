"""Which procedure of an incident applies: told from the cards and the bets, as far as they tell it."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from combinat.base.errors import RoundError
from combinat.rules.bet import Bet
from combinat.rules.completion import decided_bets, is_outcome
from combinat.rules.game import Game
from combinat.rules.practice import AvailableBets, EarlyCards
from combinat.rules.procedure import Asks, Effect, Fact, Facts, Procedure
from combinat.rules.round import Round, Stage


class Applied(NamedTuple):
    """A procedure that applies; ``condition``: what must be so besides, where the cards do not tell it.

    ``others``: the procedures of the same incident that apply where that is not so.
    """

    procedure: Procedure
    condition: str
    others: tuple[Procedure, ...] = ()


def bets_available(game: Game, layout: str | None, staked: Iterable[str]) -> tuple[Bet, ...] | None:
    """The bets of which one must be decided for an outcome to be established: those of the layout in use.

    None: the layout is not known. Under the other reading they are the bets that were staked.
    """
    if game.practice.available_bets is AvailableBets.STAKED:
        return tuple(game.bet(bet) for bet in staked)
    return None if layout is None else game.bets_on(layout)


def outcome_established(game: Game, dealt: Round, layout: str | None, staked: Sequence[str]) -> bool | None:
    """Whether an available bet has conclusively won or lost; None: it hangs on the layout, or on how the cards lie.

    Where the layout is not known, it is one of those that offer all bets staked: what they agree on is so.
    The shoe is taken to have every card.
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
    """The layouts that can be in use when these bets are staked; all, where no single one offers them all."""
    every = [layout.id for layout in game.layouts]
    fitting = [layout for layout in every if set(staked) <= {bet.id for bet in game.bets_on(layout)}]
    return fitting or every


def waits(game: Game, procedure: Procedure) -> bool:
    """Whether cards that were drawn or exposed early establish no outcome before their turn."""
    return procedure.asks is Asks.EARLY and game.practice.early_cards is EarlyCards.WAIT


def settlement_facts(game: Game, dealt: Round, layout: str | None, staked: Sequence[str]) -> Facts:
    """What the hands of a settlement tell, without the shoe that they came from."""
    is_complete = dealt.follows_table and dealt.is_over
    return {
        Fact.OUTCOME: outcome_established(game, dealt, layout, staked),
        Fact.CARDS_MISSING: False if is_complete else None,
        Fact.WRONG_NUMBER: False if is_complete else None if dealt.follows_table else True,
    }


def applied(game: Game, incident: str, facts_for: Callable[[Procedure], Facts], told_from: str) -> Applied:
    """The procedure that answers an incident; one that the facts exclude is refused with its clause.

    ``told_from``: what the facts were told from, for the refusal.
    """
    answers = game.answers_to(incident)
    known = [(procedure, procedure.applies(facts_for(procedure))) for procedure in answers]
    possible = [(procedure, holds) for procedure, holds in known if holds is not False]
    if not possible:
        first = next((procedure for procedure in answers if procedure.id == incident), answers[0])
        raise RoundError(
            f"{first.id}: holds only where {first.condition} ({first.cited}), and that is not so of {told_from}; "
            "leave it out, or correct the cards"
        )
    named = [(procedure, holds) for procedure, holds in possible if procedure.id == incident]
    if len(possible) > 1 and not named:
        which = " or ".join(f"{procedure.id} (where {procedure.condition})" for procedure, _ in possible)
        raise RoundError(f"{incident}: {told_from} does not tell which procedure applies; write {which}")
    procedure, holds = possible[0] if len(possible) == 1 else named[0]
    others = tuple(other for other, _ in possible if other is not procedure)
    return Applied(procedure, "" if holds else procedure.condition, others)


def refuse_undecided(game: Game, happened: Applied) -> None:
    """Refuse to settle what someone has still to choose or to decide; name what else may apply."""
    procedure = happened.procedure
    if procedure.effect is Effect.OPTIONS:
        back = [other.id for other in game.procedures if other.effect is Effect.TAKEN_BACK]
        write = f"write {back[0]} where the bets are taken back, and" if back else "write"
        where = f"where {happened.condition}, " if happened.others else ""
        instead = "".join(f"; where {other.condition}, write {other.id}" for other in happened.others)
        raise RoundError(
            f"{procedure.id}: {where}every player chooses to go on or to have the bet returned ({procedure.cited}); "
            f"{write} no procedure where the player has gone on{instead}"
        )
    if procedure.effect is Effect.DISCRETION:
        raise RoundError(
            f"{procedure.id}: decided by discretion ({procedure.cited}), by {procedure.decides or 'the House'}; "
            "settle by what was decided"
        )


def applied_to(
    game: Game,
    dealt: Round,
    incident: str,
    layout: str | None,
    staked: Sequence[str],
    insured: Collection[Stage] = (),
) -> Applied:
    """The procedure by which a round is settled; one that the hands contradict is refused with its clause.

    ``insured``: the stages of insurance that may have been offered late: it is looked at as the first of them was.
    """
    stages = [stage for stage in dealt.stages if stage in insured] or list(dealt.stages)

    def facts_for(procedure: Procedure) -> Facts:
        is_late = procedure.effect is Effect.LATE_INSURANCE
        facts = settlement_facts(
            game, dealt.stages[stages[0]] if is_late and stages else dealt, layout, staked
        )
        if facts[Fact.OUTCOME] and waits(game, procedure):  # which cards came early, the hands do not tell
            return {**facts, Fact.OUTCOME: None}
        return facts

    happened = applied(game, incident, facts_for, str(dealt))
    refuse_undecided(game, happened)
    if not happened.procedure.effect.returns_all:
        _check_finished(game, dealt, happened.procedure)
    return happened


def _check_finished(game: Game, dealt: Round, procedure: Procedure) -> None:
    """A procedure by which play goes on is settled on the whole round."""
    if dealt.follows_table and not dealt.is_over:
        where = f", since {procedure.condition}" if procedure.condition else ""
        raise RoundError(
            f"{procedure.id}: the round is played to its end ({procedure.cited}){where}; "
            f"it is not over ({dealt}): give all of its cards"
        )
    game.finished_round(dealt.player, dealt.banker)
