"""The settlement of one player's stakes on a finished round, line by line, with the clause that decides each.

A stake that could not have been placed is refused: on a bet that the game or the layout does not offer, on insurance
that was not open, over a limit of the document. A procedure whose condition the cards contradict is refused too.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import ClassVar

import msgspec
from msgspec.structs import replace

from combinat.base.errors import InputError, in_words
from combinat.base.kinds import CLAUSE, MONEY, ODDS, TEXT, Kind, Sort
from combinat.base.money import Amount, format_money
from combinat.base.relation import Field, Relation
from combinat.base.tabular import Listing
from combinat.rules.bet import RETURNED, Bet
from combinat.rules.converters import (
    GameGiven,
    InsuredGiven,
    as_amount,
    as_game,
    as_hands,
    as_insured,
    as_positive,
    as_stakes,
    as_text,
)
from combinat.rules.deal_space import decided_net
from combinat.rules.document import VoidBets
from combinat.rules.game import Game
from combinat.rules.insurance import Base, Insured
from combinat.rules.odds import PUSH
from combinat.rules.procedure import SILENT, Effect, Procedure
from combinat.rules.round import Round
from combinat.rules.table_of_play import Hand
from combinat.table.incident import settling_procedure
from combinat.table.insurance_bet import (
    UNIT,
    InsuranceBet,
    check_limits,
    insurance_bet,
    open_insurance,
    original_stake,
    original_stakes,
)


class StakeLine(msgspec.Struct, frozen=True, kw_only=True):
    """One stake and its result; ``condition``: the condition for it that the cards leave open.

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
    def key(self) -> str:
        """The bet's id."""
        return self.id

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


EVERYWHERE = "stakes unit terminal chips"
"""The views of one player's stakes, of units on every bet, and of a whole table without and with chips."""

STAKE_LINES: Relation[StakeLine] = Relation(
    "settled stakes",
    Field("id", "bet", TEXT, "The bet's id.", views="unit"),
    Field("name", "bet", TEXT, "The bet's name.", views="stakes"),
    Field("stake", "stake", MONEY, "The amount staked.", views="stakes"),
    Field("outcome", "outcome", TEXT, "The line of the pay table.", views=EVERYWHERE),
    Field("odds", "odds", ODDS, "What the line pays.", lambda line: line.odds or None, views=EVERYWHERE, may_be_none=True),
    Field("result", "result", TEXT, "What became of the stake.", views="stakes unit", words=("won", "lost", "returned", "stays")),
    Field("net", "net", Kind(Sort.MONEY, signed=True), "Won or lost, the stake not counted.", views=EVERYWHERE),
    Field("clause", "clause", CLAUSE, "The clause that decides it.", views=EVERYWHERE),
    Field("condition", "applies if", TEXT, "A condition that the cards do not decide.", lambda line: line.condition or None, views="stakes unit", may_be_none=True),
)  # fmt: skip
"""Stakes that were settled, a row each."""


class Settlement(Listing[StakeLine], msgspec.Struct, frozen=True, kw_only=True):
    """The stakes of one player on one round, settled.

    Iterating gives its lines; ``settlement["banker"]`` is the line of that bet. ``procedure``: the one applied, or None.
    ``is_of_units``: no stakes were passed; every line is for a stake of 1, and there are no totals.

    >>> settlement = settle("commission-insurance-2013", ("9 4 K", "7 7"), {"banker": 100, "tie": "2.50"})
    >>> settlement["banker"].net, settlement["banker"].clause, settlement.net
    (Fraction(95, 1), '4.1.2', Fraction(185, 2))
    """

    RELATION: ClassVar = STAKE_LINES
    LISTED: ClassVar = "lines"

    game: Game
    round: Round
    lines: tuple[StakeLine, ...]
    procedure: Procedure | None = None
    is_of_units: bool = False

    @property
    def staked(self) -> Fraction:
        """The sum of the stakes."""
        return sum((line.stake for line in self.lines), Fraction(0))

    @property
    def net(self) -> Fraction:
        """All winnings less all losses."""
        return sum((line.net for line in self.lines), Fraction(0))

    def __repr__(self) -> str:
        staked, net = format_money(self.staked), format_money(self.net)
        return f"<Settlement of {self.round}: staked {staked}, net {net}>"


def settle(
    game: GameGiven,
    dealt: Round | tuple[str, str],
    stakes: Mapping[str, Amount] | None = None,
    insured: Mapping[str, Amount] | Mapping[Insured, Amount] | Mapping[tuple[str, str], Amount] | None = None,
    *,
    layout: str | None = None,
    table_maximum: Amount | None = None,
    maximum_differential: Amount | None = None,
    procedure: str | None = None,
    late: Collection[InsuredGiven] | None = None,
) -> Settlement:
    """Settle a finished round exactly, line by line, each with its clause.

    ``dealt``: a ``Round``, or the cards of both hands, ``("9 4 K", "7 7")``. ``stakes``: amounts by bet; without them,
    a unit on every bet of the layout, then on the insurance that was on offer. ``insured``: amounts by
    ``"player@four-cards"`` and the like. Amounts are whole numbers, Fractions, Decimals or text, never floats.
    ``layout``: the one in use; bets that it does not offer are refused. ``table_maximum``, ``maximum_differential``: of
    the table, where a limit on insurance is a share of them.

    ``procedure``: one of the rule book, or an incident that several of them answer; refused if the cards contradict its
    condition. One that returns all bets applies whatever cards were dealt; otherwise the round must be over. ``late``:
    the insurance bets that were offered late, under a procedure that offers insurance late. Default: all.

    >>> settle("commission-insurance-2013", ("9 4 K", "7 7"), {"banker": 100, "tie": "2.50"})
    <Settlement of Player 9 4 K, Banker 7 7: staked 102.5, net 92.5>
    """
    loaded, cards = as_game(game), as_hands(dealt)
    if late is not None and not isinstance(late, list | tuple | set | frozenset):
        raise InputError(
            f"found {in_words(late)}", 'write a list, such as ["player@four-cards"]', parameter="late"
        )
    if insured is not None and not isinstance(insured, Mapping):
        write = 'write amounts, such as {"player@four-cards": 50}'
        raise InputError(f"found {in_words(insured)}", write, parameter="insured")
    exact = as_stakes(loaded, {} if stakes is None else stakes)
    bought = {
        as_insured(name): as_amount(f"insured {name}", amount) for name, amount in (insured or {}).items()
    }
    late_bets = None if late is None else [as_insured(name, "late") for name in late]
    maxima = {
        Base.TABLE_MAXIMUM: as_positive("table_maximum", table_maximum),
        Base.MAXIMUM_DIFFERENTIAL: as_positive("maximum_differential", maximum_differential),
    }
    incident, layout = as_text("procedure", procedure), as_text("layout", layout)
    finished = (loaded.finished_round if incident is None else loaded.round)(cards.player, cards.banker)
    is_of_units = not exact
    if is_of_units:
        beside = {"insured": insured, "late": late, **{base.parameter: most for base, most in maxima.items()}}
        for name in (name for name, value in beside.items() if value):
            raise InputError("nothing is staked", f"add {{stakes}}, or leave out {{{name}}}", parameter=name)
        exact = {bet.id: UNIT for bet in (loaded.bets if layout is None else loaded.bets_on(layout))}
    check_layout(loaded, exact, layout)
    why, condition = None, ""
    if incident is not None:
        stages = {stage for _, stage in (bought if late_bets is None else late_bets)}
        why, condition = settling_procedure(loaded, finished, incident, layout, list(exact), stages)
    taken = [insurance_bet(loaded, finished, *which, stake, why) for which, stake in bought.items()]
    offered_late = _offered_late(taken, late_bets, why)
    _check_insurance(loaded, finished, exact, taken, offered_late, maxima, why)
    if why is not None and why.effect.returns_all:
        lines = _returned_lines(loaded, finished, exact, taken, why, condition)
    else:
        lines = [_bet_line(loaded, loaded.bet(bet), stake, finished) for bet, stake in exact.items()]
        if why is not None and why.effect is Effect.ORIGINAL_BET_RETURNED:
            lines = _with_bets_returned(lines, finished, taken, why, condition)
        elif is_of_units and why is None:  # under a procedure the stakes determine which insurance was open
            taken = [bet for bet in open_insurance(loaded, finished) if bet.original.id in exact]
            lines += [insurance_line(loaded, bet, finished) for bet in taken]
        else:
            lines += [
                insurance_line(loaded, bet, finished, condition if bet in offered_late else "")
                for bet in taken
            ]
    return Settlement(game=loaded, round=finished, lines=tuple(lines), procedure=why, is_of_units=is_of_units)


def _check_insurance(
    game: Game,
    dealt: Round,
    stakes: Mapping[str, Fraction],
    taken: Sequence[InsuranceBet],
    offered_late: Collection[InsuranceBet],
    maxima: Mapping[Base, Fraction | None],
    why: Procedure | None,
) -> None:
    """Refuse insurance without a stake, of a silent player, or over a limit, unless bets are returned."""
    original_bets = original_stakes(game, taken, stakes)
    if taken and why is not None and why.id == SILENT:
        _check_silence(game, dealt, stakes, taken, why)
    if why is None or not (why.effect.returns_all or why.effect is Effect.ORIGINAL_BET_RETURNED):
        timely = {bet: stake for bet, stake in original_bets.items() if bet not in offered_late}
        check_limits(game, timely, maxima, None)
        check_limits(game, {bet: original_bets[bet] for bet in offered_late}, maxima, why.id if why else None)


def check_layout(game: Game, bets: Iterable[str], layout: str | None, what: str = "stakes") -> None:
    """Refuse a bet that the layout in use does not offer."""
    in_use = None if layout is None else game.layout(layout)
    for bet in map(game.bet, bets):
        if in_use is not None and in_use.id not in bet.layouts:
            raise InputError(
                f"layout {in_use.id} does not offer {bet.name} ({bet.settled})",
                f"write one of {', '.join(one.id for one in game.bets_on(in_use.id))}",
                parameter=f"{what} {bet.id}",
            )


def _offered_late(
    taken: Sequence[InsuranceBet], late: Collection[Insured] | None, why: Procedure | None
) -> list[InsuranceBet]:
    """Return the insurance bets that were offered late."""
    offers_late = why is not None and why.effect is Effect.LATE_INSURANCE
    if late and not offers_late:
        raise InputError(
            f"{', '.join(map(str, late))}: late insurance needs a procedure that offers it; "
            f"{f'{why.id} does not' if why else 'none is given'}"
        )
    for insured in late or ():
        if insured not in [bet.insured for bet in taken]:
            raise InputError(f"{insured}: listed as late, but no such insurance bet is staked")
    return [bet for bet in taken if offers_late and (late is None or bet.insured in late)]


def _check_silence(
    game: Game, dealt: Round, stakes: Mapping[str, Fraction], taken: Sequence[InsuranceBet], why: Procedure
) -> None:
    """Refuse the insurance of a silent player if no other offer was open at which the player could be silent.

    Silence forgoes the right to place a bet; a bet that was placed before it stands.
    """
    ids = [bet.id for bet in taken]
    for offered in open_insurance(game, dealt):
        if offered.id not in ids and original_stake(game, offered, stakes) is not None:
            return
    raise InputError(
        f"{', '.join(ids)}: so no offer was left without an answer "
        f"({why.cited}); leave out {why.id}, or the insurance"
    )


def _returned_lines(
    game: Game,
    dealt: Round,
    stakes: Mapping[str, Fraction],
    taken: Sequence[InsuranceBet],
    why: Procedure,
    condition: str,
) -> list[StakeLine]:
    """Return lines with every bet returned.

    In other readings of a void round, decided bets stand or all stay.
    """
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

    lines = [line(game.bet(bet), stake) for bet, stake in stakes.items()]
    return [*lines, *(line(bet, bet.stake) for bet in taken)]


def _with_bets_returned(
    lines: Sequence[StakeLine], dealt: Round, meant: Sequence[InsuranceBet], why: Procedure, condition: str
) -> list[StakeLine]:
    """Return the lines with a bet on a hand returned if insurance never offered would have won."""
    saved = {bet.original.id for bet in meant if bet.offer.net(bet.hand, dealt.outcome.result) > 0}
    back = {"outcome": why.id, "odds": "", "net": RETURNED, "clause": why.cited, "condition": condition}
    return [replace(line, **back, stays=False) if line.id in saved else line for line in lines]


def _bet_line(game: Game, bet: Bet, stake: Fraction, dealt: Round) -> StakeLine:
    """Settle a stake on a bet; a bet on a hand may stay on the layout after a tie."""
    line, stays = bet_line(bet, stake, dealt), game.practice.tied_bets == "stay"
    on_a_hand = bet in map(game.bet_on, Hand)
    if stays and on_a_hand and not line.net and dealt.outcome.result.margin == 0:
        return replace(line, outcome=f"{line.outcome}, {game.practice.in_words('tied_bets')}", stays=True)
    return line


def bet_line(bet: Bet, stake: Fraction, dealt: Round) -> StakeLine:
    """Settle a stake on a bet."""
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


def insurance_line(game: Game, bet: InsuranceBet, dealt: Round, condition: str = "") -> StakeLine:
    """Settle a stake on insurance."""
    result = dealt.outcome.result
    net, tie, lost = bet.offer.net(bet.hand, result), result.margin == 0, result.loses(bet.hand)
    return StakeLine(
        id=bet.id,
        name=bet.name,
        stake=bet.stake,
        outcome="tie" if tie else f"{bet.hand} loses" if lost else f"{bet.hand} wins",
        odds=bet.offer.odds if net > 0 else PUSH if not net else "",
        net=bet.stake * net,
        clause=(game.clauses.tie if tie and not net else tie and bet.offer.clause) or bet.table.settled,
        condition=condition,
    )
