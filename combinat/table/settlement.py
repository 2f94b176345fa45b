"""The settlement of one player's stakes on a finished round, line by line, with the clause that decides each.

A stake that could not have been placed is refused: on a bet that the game or the layout does not offer, on insurance
that was not open, over a limit of the document. A procedure whose condition the cards contradict is refused too.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import ClassVar, NoReturn

import msgspec
from msgspec.structs import replace

from combinat.analysis.insurance_limits import InsuranceRoom, in_force, least_room
from combinat.base.errors import InputError, shortened
from combinat.base.kinds import CLAUSE, MONEY, ODDS, TEXT, Kind, Sort
from combinat.base.money import format_money
from combinat.base.relation import Field, Relation
from combinat.base.tabular import Tabular
from combinat.rules.bet import RETURNED, Bet
from combinat.rules.deal_space import decided_net
from combinat.rules.document import VoidBets
from combinat.rules.game import Game
from combinat.rules.house_rules import InsuredHand, SilentPlayer, SqueezeWaives, TiedBets
from combinat.rules.insurance import Base, InsuranceTable, Insured, Offer
from combinat.rules.odds import PUSH
from combinat.rules.procedure import SILENT, Effect, Procedure
from combinat.rules.round import Round, Stage
from combinat.rules.table_of_play import Hand
from combinat.table.incident import settling_procedure

UNIT = Fraction(1)


class StakeLine(msgspec.Struct, frozen=True, kw_only=True):
    """One stake and its result; ``condition``: what must hold for it, where the cards do not decide that.

    ``stays``: it is neither won nor lost nor returned, but plays in the next round. ``rounding``: the part of ``net``
    that comes from rounding to whole chips.
    """

    id: str
    name: str
    stake: Fraction
    outcome: str
    odds: str
    net: Fraction
    clause: str
    condition: str = ""
    stays: bool = False
    rounding: Fraction = Fraction(0)

    @property
    def result(self) -> str:
        """``won``, ``lost``, ``returned`` or ``stays``."""
        if self.stays:
            return "stays"
        return "returned" if not self.net else "won" if self.net > 0 else "lost"

    def __repr__(self) -> str:
        return (
            f"<StakeLine {self.id}: {format_money(self.stake)} {self.result}, net {format_money(self.net)}>"
        )


STAKE_LINES: Relation[StakeLine] = Relation(
    "settled stakes",
    Field("id", "bet", TEXT, "The bet's id.", views="unit"),
    Field("name", "bet", TEXT, "The bet's name.", views="stakes"),
    Field("stake", "stake", MONEY, "The amount staked.", views="stakes"),
    Field("outcome", "outcome", TEXT, "The line of the pay table.", views="stakes unit"),
    Field("odds", "odds", ODDS, "What the line pays.", lambda line: line.odds or None, views="stakes unit", may_be_none=True),
    Field("result", "result", TEXT, "What became of the stake.", views="stakes unit", words=("won", "lost", "returned", "stays")),
    Field("net", "net", Kind(Sort.MONEY, signed=True), "Won or lost, the stake not counted.", views="stakes unit"),
    Field("clause", "clause", CLAUSE, "The clause that decides it.", views="stakes unit"),
    Field("condition", "holds if", TEXT, "A condition that the cards do not decide.", lambda line: line.condition or None, views="stakes unit", may_be_none=True),
)  # fmt: skip
"""Stakes that were settled, a row each."""


class Settlement(Tabular, msgspec.Struct, frozen=True, kw_only=True):
    """The stakes of one player on one round, settled; ``procedure``: the one applied, with its effect in words.

    Iterating gives its lines; ``settlement["banker"]`` is the one of that bet.

    >>> from combinat import Round, settle
    >>> settlement = settle("commission-insurance-2013", Round.parse("9 4 K", "7 7"), {"banker": 100, "tie": "2.50"})
    >>> settlement["banker"].net, settlement["banker"].clause, settlement.net
    (Fraction(95, 1), '4.1.2', Fraction(185, 2))
    """

    RELATION: ClassVar = STAKE_LINES

    round: Round
    lines: tuple[StakeLine, ...]
    procedure: Procedure | None = None
    effect: str = ""

    @property
    def staked(self) -> Fraction:
        """The sum of the stakes."""
        return sum((line.stake for line in self.lines), Fraction(0))

    @property
    def net(self) -> Fraction:
        """All winnings less all losses."""
        return sum((line.net for line in self.lines), Fraction(0))

    def __iter__(self) -> Iterator[StakeLine]:
        return iter(self.lines)

    def __len__(self) -> int:
        return len(self.lines)

    def __contains__(self, what: object) -> bool:
        return any(line.id == what for line in self.lines) if isinstance(what, str) else what in self.lines

    def __getitem__(self, bet_id: str) -> StakeLine:
        for line in self.lines:
            if line.id == bet_id:
                return line
        known = ", ".join(line.id for line in self.lines)
        raise InputError(f'nothing is staked on "{shortened(str(bet_id))}"; there are stakes on {known}')

    def records(self) -> Iterable[StakeLine]:
        """Its lines, a row each."""
        return self.lines

    def __repr__(self) -> str:
        staked, net = format_money(self.staked), format_money(self.net)
        return f"<Settlement of {self.round}: staked {staked}, net {net}>"


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
        return insurance_name(self.hand, self.stage)


def insurance_name(hand: Hand, stage: Stage) -> str:
    """An insurance bet as the documents name it, with its stage."""
    when = "four cards" if stage is Stage.FOUR_CARDS else "third card"
    return f"{hand.value.capitalize()} Insurance, {when}"


def settle(
    game: Game,
    dealt: Round,
    stakes: Mapping[str, Fraction],
    insured: Mapping[Insured, Fraction] | None = None,
    *,
    layout: str | None = None,
    table_maximum: Fraction | None = None,
    maximum_differential: Fraction | None = None,
    procedure: str | None = None,
    late: Collection[Insured] | None = None,
) -> Settlement:
    """Settle a round: ``stakes`` by bet id, ``insured`` by hand and stage.

    ``procedure``: one of the rule book, or an incident that several of them answer; its condition must not be
    against the cards. One that returns all bets is applied whatever cards were dealt; otherwise the round must be
    over. ``late``: which insurance bets were offered late, under a procedure that offers it so; else all were.
    """
    game.check_round(dealt)
    bets = [(game.bet(bet_id), stake) for bet_id, stake in stakes.items()]
    check_stakes(game, bets, layout)
    insured = insured or {}
    why, condition = None, ""
    if procedure is not None:
        stages = {stage for _, stage in (insured if late is None else late)}
        why, condition = settling_procedure(game, dealt, procedure, layout, list(stakes), stages)
    taken = [insurance_bet(game, dealt, hand, stage, stake, why) for (hand, stage), stake in insured.items()]
    original_bets = _original_stakes(game, taken, stakes)
    if taken and why is not None and why.id == SILENT:
        _check_silence(game, dealt, stakes, taken, why)
    if why is not None and why.effect.returns_all:
        lines = _returned_lines(game, dealt, bets, taken, why, condition)
    elif why is not None and why.effect is Effect.ORIGINAL_BET_RETURNED:
        lines = _forgotten_lines(game, dealt, bets, taken, why, condition)
    else:
        maxima = {Base.TABLE_MAXIMUM: table_maximum, Base.MAXIMUM_DIFFERENTIAL: maximum_differential}
        lately = _late(taken, late, why)
        timely = {bet: original for bet, original in original_bets.items() if bet not in lately}
        _check_limits(game, timely, maxima, None)
        _check_limits(game, {bet: original_bets[bet] for bet in lately}, maxima, why.id if why else None)
        lines = [_bet_line(game, bet, stake, dealt) for bet, stake in bets]
        for bet in taken:
            line = insurance_line(game, bet, dealt)
            lines.append(replace(line, condition=condition) if bet in lately else line)
    return Settlement(
        round=dealt, lines=tuple(lines), procedure=why, effect=game.effect_in_words(why) if why else ""
    )


def unit_settlement(
    game: Game, dealt: Round, *, layout: str | None = None, procedure: str | None = None
) -> Settlement:
    """A unit on every bet of the layout, or of the game, settled; then the insurance that was on offer.

    Under a procedure the stakes decide which insurance was open, so none is shown.
    """
    stakes = dict.fromkeys((bet.id for bet in (game.bets if layout is None else game.bets_on(layout))), UNIT)
    settlement = settle(game, dealt, stakes, layout=layout, procedure=procedure)
    if procedure is not None:
        return settlement
    insurance = [
        insurance_line(game, bet, dealt) for bet in open_insurance(game, dealt) if bet.original.id in stakes
    ]
    return replace(settlement, lines=(*settlement.lines, *insurance))


def open_insurance(game: Game, dealt: Round) -> Iterator[InsuranceBet]:
    """A unit on each insurance that was open in this round."""
    for table in game.insurance:
        try:
            yield insurance_bet(game, dealt, *table.insured, UNIT)
        except InputError:
            continue  # it was not on offer


def _late(
    taken: list[InsuranceBet], late: Collection[Insured] | None, why: Procedure | None
) -> list[InsuranceBet]:
    """The insurance bets that were offered late."""
    offered_late = why is not None and why.effect is Effect.LATE_INSURANCE
    if late and not offered_late:
        raise InputError(
            f"{', '.join(map(str, late))}: late insurance needs a procedure that offers it; "
            f"{f'{why.id} does not' if why else 'none is given'}"
        )
    for insured in late or ():
        if insured not in [bet.insured for bet in taken]:
            raise InputError(f"{insured}: listed as late, but no such insurance bet is staked")
    return [bet for bet in taken if offered_late and (late is None or bet.insured in late)]


def check_stakes(game: Game, bets: Sequence[tuple[Bet, Fraction]], layout: str | None) -> None:
    """Refuse a stake of nothing, and one on a bet that the layout does not offer."""
    for bet, stake in bets:
        if stake <= 0:
            raise InputError(f"{bet.id}: the stake must be more than 0; found {format_money(stake)}")
    if layout is not None:
        shown = game.layout(layout)
        for bet, _ in bets:
            if shown.id not in bet.layouts:
                raise InputError(
                    f"{bet.id}: layout {shown.id} does not offer {bet.name} ({bet.settled}); "
                    f"it is on {', '.join(bet.layouts)}"
                )


def _returned_lines(
    game: Game,
    dealt: Round,
    bets: Sequence[tuple[Bet, Fraction]],
    taken: Sequence[InsuranceBet],
    why: Procedure,
    condition: str,
) -> list[StakeLine]:
    """Every bet comes back; under other readings of a void round, decided ones stand or all stay on the layout."""
    of_void = game.void_bets(why) if why.effect is Effect.RETURNED else VoidBets.RETURNED
    stays = ", stays for the next round" if of_void is VoidBets.STAY else ""
    decided = of_void is VoidBets.DECIDED_STAND and dealt.follows_table

    def line(bet: Bet | InsuranceBet, stake: Fraction) -> StakeLine:
        net = (decided and isinstance(bet, Bet) and decided_net(bet, dealt)) or RETURNED
        return StakeLine(
            id=bet.id,
            name=bet.name,
            stake=stake,
            outcome=f"{why.id}{', decided' if net else stays}",
            odds="",
            net=stake * net,
            clause=why.cited,
            condition=condition,
            stays=not net and of_void is VoidBets.STAY,
        )

    return [*(line(bet, stake) for bet, stake in bets), *(line(bet, bet.stake) for bet in taken)]


def _is_waived(game: Game, procedure: Procedure, stage: Stage) -> bool:
    """Whether a procedure closes the insurance of a stage.

    Whoever forgoes insurance at four cards forgoes the later one with it, where the round is forgone and not the
    offer alone; at the third card there is no later one.
    """
    forgone = game.practice.silent_player is SilentPlayer.FORGOES_ROUND
    closes_the_third_card = procedure.effect is Effect.THIRD_CARD_INSURANCE_WAIVED or (
        procedure.effect is Effect.INSURANCE_FORGONE and forgone
    )
    return procedure.effect is Effect.NO_INSURANCE or (
        closes_the_third_card and stage is Stage.PLAYER_THIRD_CARD
    )


def _check_silence(
    game: Game, dealt: Round, stakes: Mapping[str, Fraction], taken: Sequence[InsuranceBet], why: Procedure
) -> None:
    """Refuse insurance of a player who was silent, where there was no other offer to be silent at.

    Silence forgoes the right to place a bet; one that was placed before it is a bet like any other.
    """
    for offered in open_insurance(game, dealt):
        has_original = _original_stake(game, offered, stakes) is not None
        if has_original and offered.id not in [bet.id for bet in taken]:
            return
    raise InputError(
        f"{', '.join(bet.id for bet in taken)}: so no insurance was left at which the player could be silent "
        f"({why.cited}); leave out {why.id}, or the insurance"
    )


def insurance_bet(
    game: Game, dealt: Round, hand: Hand, stage: Stage, stake: Fraction, procedure: Procedure | None = None
) -> InsuranceBet:
    """The insurance bet, if it was open in this round."""
    what = str(Insured(hand, stage))
    if game.insurance_terms is None:
        raise InputError(f"{what}: {game.id} offers no insurance")
    if stake <= 0:
        raise InputError(f"{what}: the stake must be more than 0; found {format_money(stake)}")
    if procedure and _is_waived(game, procedure, stage):
        of_whom = (
            f", {game.practice.squeeze_waives.in_words}"
            if procedure.effect is Effect.THIRD_CARD_INSURANCE_WAIVED
            and game.practice.squeeze_waives is SqueezeWaives.REQUESTER
            else ""
        )
        raise InputError(
            f"{what}: not open under {procedure.id} ({procedure.cited}): {procedure.effect.in_words}{of_whom}"
        )
    table, moment = game.insurance_table(hand, stage), dealt.stages.get(stage)
    if table is None:
        raise InputError(f"{what}: {game.id} has no such insurance; it has {_tables(game)}")
    if moment is None:
        missing = (
            "four cards were not dealt" if stage is Stage.FOUR_CARDS else "the Player Hand drew no third card"
        )
        raise InputError(f"{what}: {missing}, so nothing was offered ({table.settled})")
    totals = f"Player {moment.points(Hand.PLAYER)}, Banker {moment.points(Hand.BANKER)}"
    offer = game.offer(hand, moment)
    if offer is None:
        known = (moment.is_over and "no card was to come") or "the table does not list these totals"
        raise InputError(f"{what}: not on offer with {totals}: {known} ({table.settled})")
    original = game.bet_on(hand)
    if original is None:
        raise InputError(
            f"{what}: {game.id} has no bet on that hand"
        )  # pragma: no cover  # the loader's promise
    return InsuranceBet(hand=hand, stage=stage, stake=stake, original=original, table=table, offer=offer)


def _tables(game: Game) -> str:
    return ", ".join(str(table.insured) for table in game.insurance)


def _original_stake(game: Game, bet: InsuranceBet, stakes: Mapping[str, Fraction]) -> Fraction | None:
    """The stake that an insurance bet insures; that on the other hand, where either hand may be insured."""
    if bet.original.id in stakes:
        return stakes[bet.original.id]
    other = game.bet_on(bet.hand.other)
    either = game.practice.insured_hand is InsuredHand.EITHER
    return stakes.get(other.id) if either and other is not None else None


def _original_stakes(
    game: Game, taken: Sequence[InsuranceBet], stakes: Mapping[str, Fraction]
) -> dict[InsuranceBet, Fraction]:
    """The stake that each insurance bet insures; one that insures none is refused."""
    insured: dict[InsuranceBet, Fraction] = {}
    for bet in taken:
        original = _original_stake(game, bet, stakes)
        if original is None:
            clauses = "; ".join(game.insurance_terms.clauses) if game.insurance_terms else ""
            raise InputError(
                f"{bet.id}: there is no stake on {bet.original.id} to insure ({clauses})",
                f"add one on {bet.original.id}, with {{stakes}}",
                parameter="stakes",
            )
        insured[bet] = original
    return insured


def _check_limits(
    game: Game,
    original_bets: Mapping[InsuranceBet, Fraction],
    maxima: Mapping[Base, Fraction | None],
    procedure: str | None,
) -> None:
    """Refuse insurance over a limit of the document. A procedure's own limits replace the others."""
    limits = game.insurance_terms.limits if game.insurance_terms else ()
    for limit in in_force(limits, procedure):
        for bet, original_bet in original_bets.items():
            if limit.of in maxima and maxima[limit.of] is None and limit.applies_to(bet.offer.odds):
                raise InputError(
                    f"{bet.id}: at {bet.offer.odds} the stake may not exceed {limit.share} of the "
                    f"{limit.of.in_words} ({limit.clause})",
                    f"give the {limit.of.in_words} with {{{limit.of.parameter}}}",
                    parameter=limit.of.parameter,
                )
            others = [other for other in original_bets if other is not bet]
            room = least_room(
                [limit],
                bet.offer.odds,
                [(other.stake, other.offer.odds) for other in others if other.hand is bet.hand],
                other_hand=[
                    (other.stake, other.offer.odds) for other in others if other.hand is not bet.hand
                ],
                procedure=procedure,
                original_bet=original_bet,
                table_maximum=maxima[Base.TABLE_MAXIMUM],
                maximum_differential=maxima[Base.MAXIMUM_DIFFERENTIAL],
            )
            if room is not None and bet.stake > room.stake:
                _refuse(bet, room)


def _refuse(bet: InsuranceBet, room: InsuranceRoom) -> NoReturn:
    """Say by how much a bet is over its limit, with the others on the hand where the limit is on all of them."""
    limit = room.limit
    used = room.used + limit.amount(bet.stake, bet.offer.odds)
    raise InputError(
        f"{bet.id}: the {limit.caps.in_words} of {format_money(used)}{' together' if room.used else ''} is over "
        f"the limit of {format_money(room.most)}, {limit.share} of the {limit.of.in_words} ({limit.clause})"
    )


def _bet_line(game: Game, bet: Bet, stake: Fraction, dealt: Round) -> StakeLine:
    """A stake on a bet, settled; on a hand that ties it may be one that stays."""
    line, tied = bet_line(bet, stake, dealt), game.practice.tied_bets
    on_a_hand = bet in (game.bet_on(hand) for hand in Hand)
    if tied is TiedBets.STAY and on_a_hand and not line.net and dealt.outcome.result.margin == 0:
        return replace(line, outcome=f"{line.outcome}, {tied.in_words}", stays=True)
    return line


def bet_line(bet: Bet, stake: Fraction, dealt: Round) -> StakeLine:
    """A stake on a bet, settled."""
    pay = bet.line(dealt.outcome)
    return StakeLine(
        id=bet.id,
        name=bet.name,
        stake=stake,
        outcome=bet.line_name(pay),
        odds=pay.odds if pay else "" if bet.rest else PUSH,
        net=stake * bet.net(dealt.outcome),
        clause=(pay and pay.clause) or bet.settled,
    )


def insurance_line(game: Game, bet: InsuranceBet, dealt: Round) -> StakeLine:
    """A stake on insurance, settled."""
    net = bet.offer.net(bet.hand, dealt.outcome.result)
    lost = dealt.outcome.result.loses(bet.hand)
    tie = dealt.outcome.result.margin == 0
    return StakeLine(
        id=bet.id,
        name=bet.name,
        stake=bet.stake,
        outcome="tie" if tie else f"{bet.hand} loses" if lost else f"{bet.hand} wins",
        odds=bet.offer.odds if net > 0 else "push" if not net else "",
        net=bet.stake * net,
        clause=(game.clauses.tie if tie and not net else tie and bet.offer.clause) or bet.table.settled,
    )


def _forgotten_lines(
    game: Game,
    dealt: Round,
    bets: Sequence[tuple[Bet, Fraction]],
    meant: Sequence[InsuranceBet],
    why: Procedure,
    condition: str,
) -> list[StakeLine]:
    """Insurance that was never offered: where it would have won, the bet on the hand is returned."""
    rescued = {bet.original.id for bet in meant if bet.offer.net(bet.hand, dealt.outcome.result) > 0}
    lines = [_bet_line(game, bet, stake, dealt) for bet, stake in bets]
    return [
        replace(
            line, outcome=why.id, odds="", net=RETURNED, clause=why.cited, condition=condition, stays=False
        )
        if line.id in rescued
        else line
        for line in lines
    ]
