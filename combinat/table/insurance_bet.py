"""Insurance bets of one player: whether a bet was open in a round, its original stake, and its limits."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

import msgspec

from combinat.analysis.insurance_limits import in_force, least_room
from combinat.base.errors import InputError
from combinat.base.money import format_money
from combinat.rules.bet import Bet
from combinat.rules.game import Game
from combinat.rules.insurance import Base, InsuranceTable, Insured, Offer, Per
from combinat.rules.procedure import Effect, Procedure
from combinat.rules.round import Round, Stage
from combinat.rules.table_of_play import Hand

UNIT = Fraction(1)


class InsuranceBet(msgspec.Struct, frozen=True, kw_only=True):
    """A stake on insurance that was open; ``original``: the bet on the hand that it insures."""

    hand: Hand
    stage: Stage
    stake: Fraction
    original: Bet
    table: InsuranceTable
    offer: Offer

    @property
    def insured(self) -> Insured:
        """The hand that it insures, and the stage."""
        return Insured(self.hand, self.stage)

    @property
    def id(self) -> str:
        """The bet as it is written: ``player@four-cards``."""
        return str(self.insured)

    @property
    def name(self) -> str:
        """The bet as the documents name it, with its stage."""
        when = "four cards" if self.stage is Stage.FOUR_CARDS else "third card"
        return f"{self.hand.value.capitalize()} Insurance, {when}"


def insurance_bet(
    game: Game, dealt: Round, hand: Hand, stage: Stage, stake: Fraction, procedure: Procedure | None = None
) -> InsuranceBet:
    """Return the insurance bet if it was open in this round; refuse it otherwise."""
    what = str(Insured(hand, stage))
    if game.insurance_terms is None:
        raise InputError(f"{what}: {game.id} offers no insurance")
    if stake <= 0:
        raise InputError(f"{what}: the stake must be more than 0; found {format_money(stake)}")
    if procedure and _is_waived(game, procedure, stage):
        is_squeeze = procedure.effect is Effect.THIRD_CARD_INSURANCE_WAIVED
        of_one = is_squeeze and game.practice.squeeze_waives == "requester"
        whose = f", {game.practice.in_words('squeeze_waives')}" if of_one else ""
        raise InputError(
            f"{what}: not open under {procedure.id} ({procedure.cited}): {procedure.effect.in_words}{whose}"
        )
    table, moment = game.insurance_table(hand, stage), dealt.stages.get(stage)
    if table is None:
        known = ", ".join(str(table.insured) for table in game.insurance)
        raise InputError(f"{what}: {game.id} has no such insurance; it has {known}")
    if moment is None:
        at_four = stage is Stage.FOUR_CARDS
        missing = "four cards were not dealt" if at_four else "the Player Hand drew no third card"
        raise InputError(f"{what}: {missing}, so nothing was offered ({table.settled})")
    offer, original = game.offer(hand, moment), game.bet_on(hand)
    if offer is None:
        totals = f"Player {moment.points(Hand.PLAYER)}, Banker {moment.points(Hand.BANKER)}"
        known = (moment.is_over and "no card was to come") or "the table does not list these totals"
        raise InputError(f"{what}: not on offer with {totals}: {known} ({table.settled})")
    assert original is not None, "the loader's promise"
    return InsuranceBet(hand=hand, stage=stage, stake=stake, original=original, table=table, offer=offer)


def open_insurance(game: Game, dealt: Round) -> Iterator[InsuranceBet]:
    """Return a unit on each insurance bet that was open in this round."""
    for table in game.insurance:
        try:
            yield insurance_bet(game, dealt, *table.insured, UNIT)
        except InputError:
            continue  # it was not on offer


def _is_waived(game: Game, procedure: Procedure, stage: Stage) -> bool:
    """Whether a procedure closes the insurance of a stage.

    A player who forgoes the insurance of the round at four cards forgoes that after the third card too.
    """
    if procedure.effect is Effect.INSURANCE_FORGONE and game.practice.silent_player == "forgoes-offer":
        return False
    third_card_only = procedure.effect in (Effect.THIRD_CARD_INSURANCE_WAIVED, Effect.INSURANCE_FORGONE)
    return procedure.effect is Effect.NO_INSURANCE or (third_card_only and stage is Stage.PLAYER_THIRD_CARD)


def original_stake(game: Game, bet: InsuranceBet, stakes: Mapping[str, Fraction]) -> Fraction | None:
    """Return the stake that an insurance bet insures.

    The stake on the other hand if either hand may be insured.
    """
    if bet.original.id in stakes:
        return stakes[bet.original.id]
    other = game.bet_on(bet.hand.other)
    either = game.practice.insured_hand == "either"
    return stakes.get(other.id) if either and other is not None else None


def original_stakes(
    game: Game, taken: Sequence[InsuranceBet], stakes: Mapping[str, Fraction]
) -> dict[InsuranceBet, Fraction]:
    """Return the stake that each insurance bet insures; refuse a bet that insures no stake."""
    insured: dict[InsuranceBet, Fraction] = {}
    for bet in taken:
        original = original_stake(game, bet, stakes)
        if original is None:
            clauses = "; ".join(game.insurance_terms.clauses) if game.insurance_terms else ""
            raise InputError(
                f"{bet.id}: there is no stake on {bet.original.id} to insure ({clauses})",
                f"add one on {bet.original.id}, with {{stakes}}",
                parameter="stakes",
            )
        insured[bet] = original
    return insured


def check_limits(
    game: Game,
    original_bets: Mapping[InsuranceBet, Fraction],
    maxima: Mapping[Base, Fraction | None],
    procedure: str | None = None,
    other_players: Mapping[Insured, Sequence[Fraction]] = {},
) -> None:
    """Refuse insurance over a limit of the document. A procedure's own limits replace the others.

    ``other_players``: their stakes on the same insurance, which a limit of the whole table adds up.
    """
    limits = game.insurance_terms.limits if game.insurance_terms else ()
    for limit, (bet, original_bet) in product(in_force(limits, procedure), original_bets.items()):
        if limit.of in maxima and maxima[limit.of] is None and limit.applies_to(bet.offer.odds):
            raise InputError(
                f"{bet.id}: at {bet.offer.odds} the stake may not exceed {limit.share} of the "
                f"{limit.of.in_words} ({limit.clause})",
                f"give the {limit.of.in_words} with {{{limit.of.parameter}}}",
                parameter=limit.of.parameter,
            )
        others = [
            (other.hand, (other.stake, other.offer.odds)) for other in original_bets if other is not bet
        ]
        room = least_room(
            [limit],
            bet.offer.odds,
            [staked for hand, staked in others if hand is bet.hand],
            other_hand=[staked for hand, staked in others if hand is not bet.hand],
            other_players=[(stake, bet.offer.odds) for stake in other_players.get(bet.insured, ())],
            procedure=procedure,
            original_bet=original_bet,
            table_maximum=maxima[Base.TABLE_MAXIMUM],
            maximum_differential=maxima[Base.MAXIMUM_DIFFERENTIAL],
        )
        if room is not None and bet.stake > room.stake:
            used = format_money(room.used + limit.amount(bet.stake, bet.offer.odds))
            together = " with the other players'" if limit.per is Per.TABLE else " in total"
            raise InputError(
                f"{bet.id}: the {limit.caps.in_words} of {used}{together if room.used else ''} is over "
                f"the limit of {format_money(room.most)}, {limit.share} of the {limit.of.in_words} ({limit.clause})"
            )
