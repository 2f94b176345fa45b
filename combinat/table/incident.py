"""Which procedure of an incident applies, as far as the cards and the bets decide it."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from combinat.base.errors import InputError
from combinat.rules.bet import Bet, is_outcome
from combinat.rules.deal_space import decided_bets
from combinat.rules.game import Game
from combinat.rules.procedure import Asks, Effect, Fact, Facts, Procedure
from combinat.rules.round import Round, Stage


def bets_available(game: Game, layout: str | None, staked: Iterable[str]) -> tuple[Bet, ...] | None:
    """The bets of which one must be decided for an outcome to be established: those of the layout in use.

    None: the layout is not known. Under the other reading they are the bets that were staked.
    """
    if game.practice.available_bets == "staked":
        return tuple(game.bet(bet) for bet in staked)
    return None if layout is None else game.bets_on(layout)


def outcome_established(game: Game, dealt: Round, layout: str | None, staked: Sequence[str]) -> bool | None:
    """Whether an available bet has conclusively won or lost; None: that depends on the layout, or on how the cards lie.

    If the layout is not known, all layouts that offer the staked bets must agree. The shoe is taken to have every card.
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
    return procedure.asks is Asks.EARLY and game.practice.early_cards == "wait"


def settlement_facts(game: Game, dealt: Round, layout: str | None, staked: Sequence[str]) -> Facts:
    """The facts that the hands of a settlement show, without the shoe that they came from."""
    is_complete = dealt.follows_table and dealt.is_over
    return {
        Fact.OUTCOME: outcome_established(game, dealt, layout, staked),
        Fact.CARDS_MISSING: False if is_complete else None,
        Fact.WRONG_NUMBER: False if is_complete else None if dealt.follows_table else True,
    }


def possible_answers(
    game: Game, incident: str, facts_for: Callable[[Procedure], Facts], source: str
) -> dict[Procedure, str]:
    """The procedures that may answer an incident, each with the condition that must still hold; the answer is first.

    Refused: an incident whose procedures the facts exclude, and one that leaves open which of several applies.
    ``source``: what the facts were derived from.
    """
    answers = game.answers_to(incident)
    known = {procedure: procedure.applies(facts_for(procedure)) for procedure in answers}
    possible = {one: "" if holds else one.condition for one, holds in known.items() if holds is not False}
    if not possible:
        first = next((procedure for procedure in answers if procedure.id == incident), answers[0])
        raise InputError(
            f"{first.id}: holds only where {first.condition} ({first.cited}), which does not hold for {source}; "
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
    """Refuse to settle what someone has still to choose or to decide; name the other procedures that may apply."""
    (procedure, condition), *others = possible.items()
    if procedure.effect is Effect.OPTIONS:
        back = [other.id for other in game.procedures if other.effect is Effect.TAKEN_BACK]
        write = f"write {back[0]} where the bets are taken back, and" if back else "write"
        where = f"where {condition}, " if others else ""
        instead = "".join(f"; where {other.condition}, write {other.id}" for other, _ in others)
        raise InputError(
            f"{procedure.id}: {where}every player chooses to go on or to have the bet returned ({procedure.cited}); "
            f"{write} no procedure where the player has gone on{instead}"
        )
    if procedure.effect is Effect.DISCRETION:
        raise InputError(
            f"{procedure.id}: decided by discretion ({procedure.cited}), by {procedure.decides or 'the House'}; "
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
    """The procedure by which a round is settled, and the condition that the hands leave open.

    One that the hands contradict is refused with its clause. ``insured``: the stages of insurance that may have been
    offered late; the facts are those of the first of them.
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
    """A procedure by which play goes on is settled on the whole round."""
    if dealt.follows_table and not dealt.is_over:
        where = f", since {procedure.condition}" if procedure.condition else ""
        raise InputError(
            f"{procedure.id}: the round is played to its end ({procedure.cited}){where}; "
            f"it is not over ({dealt}): give all of its cards"
        )
    game.finished_round(dealt.player, dealt.banker)
