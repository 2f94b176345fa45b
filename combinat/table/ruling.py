"""The ruling on an incident: is an outcome established, the round as reconstructed, what follows, each option's worth.

A bet is decided when every way in which the Table of Play can still finish the round, with the cards that the shoe
still holds, brings it the same result. A way in which the shoe runs out counts as the document treats it: where
a void round returns every bet, one such way keeps a bet open that would else be lost.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

from combinat.analysis.insurance import StateAnalysis
from combinat.analysis.insurance_limits import largest_stake
from combinat.analysis.round_in_progress import insurance_at
from combinat.base.errors import InputError
from combinat.base.relation import Exact
from combinat.base.tabular import Tabular
from combinat.rules.bet import LOST, RETURNED, Bet, BetResult, common_result, is_outcome
from combinat.rules.cards import format_cards
from combinat.rules.deal_space import decided_net
from combinat.rules.document import VoidBets
from combinat.rules.game import Game
from combinat.rules.house_rules import AvailableBets, OptionsFor
from combinat.rules.procedure import Asks, Effect, Fact, Facts, Procedure, Ruling
from combinat.rules.round import Round
from combinat.rules.shoe import Shoe
from combinat.table.error_options import (
    BestOption,
    Cards,
    ErrorOption,
    Position,
    Values,
    best_options,
    best_options_together,
    common_results,
    error_options,
    in_order,
    options_by_order,
    position,
)
from combinat.table.incident import bets_available, possible_answers, waits
from combinat.table.incident_report import IncidentReport, check_contradictions, check_report, check_staked
from combinat.table.settlement import check_stakes


@dataclass(frozen=True, slots=True, kw_only=True)
class NeglectedInsurance:
    """Insurance that was on offer: its value now, the most that may be staked on it late, its result.

    ``most`` is per unit of the original bet. ``result`` None: it is open. ``original``: what the original bet is worth
    to those who had meant to take it, where that bet comes back if the insurance would have won.
    """

    offer: StateAnalysis
    insured: str
    most: Fraction | None
    result: BetResult | None
    original: Fraction | None


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentRuling(Tabular):
    """The ruling on an incident, with all that it rests on. ``shoe`` is without the cards drawn.

    ``layouts``: those of the document's layouts on which an outcome is established; none where one is in use, or
    where the staked bets are the available ones. ``is_known``: whether the hands of the round are known; if not,
    ``dealt`` is how they lay, as far as it was reported, nothing is decided, and no bet has a value.

    >>> from combinat import ruling
    >>> made = ruling("commission-insurance-2013", "foreign-card", "9 4 K")
    >>> made.ruling.value, made.cited
    ('void', '5.1, 5.1.1')
    """

    game: Game
    report: IncidentReport
    procedure: Procedure
    condition: str
    results: Mapping[str, BetResult | None]
    outcome_established: bool
    layouts: tuple[str, ...]
    is_known: bool
    dealt: Round
    next_round: Cards
    shoe: Shoe
    void: Fraction
    values: Values
    options: tuple[ErrorOption, ...]
    choices: tuple[BestOption, ...]
    neglected: tuple[NeglectedInsurance, ...]

    def to_dicts(self) -> list[dict[str, Exact]]:
        """A row for each bet: how it is decided, and what it is worth by the ruling."""
        return [
            {
                "id": bet,
                "result": None if result is None else str(result),
                "stake": self.stake(bet),
                "value": self.value(bet),
            }
            for bet, result in self.results.items()
        ]

    def __repr__(self) -> str:
        return f"<IncidentRuling on {self.report.incident}: {self.ruling} ({self.cited})>"

    @property
    def ruling(self) -> Ruling:
        """What follows."""
        return self.procedure.effect.ruling

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses of the ruling: of a bet taken back, the one that opens all options of which that is one."""
        errors = self.game.dealing_errors
        is_one_option = self.procedure.effect is Effect.TAKEN_BACK
        return (errors.clause,) if is_one_option and errors else self.procedure.clauses

    @property
    def cited(self) -> str:
        """Its clauses, as a line cites them."""
        return ", ".join(self.clauses)

    @property
    def decided(self) -> dict[str, BetResult]:
        """The bets that are decided, and how."""
        return {bet: result for bet, result in self.results.items() if result is not None}

    def stake(self, bet: str) -> Fraction:
        """The stake on a bet."""
        return self.report.stakes.get(bet, Fraction(0))

    @property
    def staked(self) -> Fraction:
        """The sum of the stakes."""
        return sum(self.report.stakes.values(), Fraction(0))

    def in_money(self, bet: str, value: Fraction | None) -> Fraction | None:
        """The value of a bet times its stake; None: the value is unknown."""
        return None if value is None else self.stake(bet) * value

    def cost(self, choice: BestOption) -> Fraction | None:
        """The cost in money of the wrong choice for its bet, or for all stakes together; None: unknown."""
        return choice.cost if choice.bet is None else self.in_money(choice.bet, choice.cost)

    def value(self, bet: str) -> Fraction | None:
        """The value of a bet by the ruling, where nobody chooses; None: unknown.

        A void round returns it, or lets it stand where it is decided and the document is read so.
        """
        if self.ruling is not Ruling.VOID:
            return self.values.get(bet)
        stands = self.game.void_bets(self.procedure) is VoidBets.DECIDED_STAND
        if not stands or not self.dealt.follows_table:
            return RETURNED
        return decided_net(self.game.bet(bet), self.dealt) or RETURNED

    @property
    def worths(self) -> dict[str, Fraction]:
        """The known value of each bet by the ruling, if nobody takes it back."""
        known = {bet: self.value(bet) for bet in self.results}
        return {bet: value for bet, value in known.items() if value is not None}

    @property
    def turns_on_outcome(self) -> bool:
        """Whether it would be another ruling if an outcome were established, or were not."""
        return any(Fact.OUTCOME in answer.facts for answer in self.game.answers_to(self.report.incident))

    def money(self, bet: str) -> Fraction | None:
        """The gain of the stake on a bet by the ruling; None: unknown."""
        return self.in_money(bet, self.value(bet))

    @property
    def total_money(self) -> Fraction | None:
        """The gain of all stakes together by the ruling; None: that of one of them is unknown."""
        return _total(self.money(bet) for bet in self.report.stakes)

    @property
    def total_cost(self) -> Fraction | None:
        """The cost of the wrong choice on every staked bet together; None: that of one of them is unknown."""
        return _total(self.cost(choice) for choice in self.choices if choice.bet in self.report.stakes)

    def most_stake(self, neglected: NeglectedInsurance) -> Fraction | None:
        """The most that may be staked late, for the stake on the hand; None: no stake, or no limit."""
        is_staked = neglected.insured in self.report.stakes
        return self.in_money(neglected.insured, neglected.most) if is_staked else None

    def original_gain(self, neglected: NeglectedInsurance) -> Fraction | None:
        """The gain of the original bet for a player who had meant to insure it; None: no stake."""
        is_staked = neglected.insured in self.report.stakes
        return self.in_money(neglected.insured, neglected.original) if is_staked else None

    @property
    def is_joint(self) -> bool:
        """Whether a player chooses an option for all bets together."""
        return self.game.practice.options_for is OptionsFor.ALL_BETS

    @property
    def waits(self) -> bool:
        """Whether cards that came early establish no outcome before their turn."""
        return waits(self.game, self.game.answers_to(self.report.incident)[0])

    @property
    def is_ordered(self) -> bool:
        """Whether an order of cards that came together is to be decided on."""
        return any(option.order for option in self.options)

    def worth(self, option: ErrorOption) -> Fraction | None:
        """The value of an option for all stakes together; None: unknown."""
        return _total(self.in_money(bet, option.value(bet)) for bet in self.report.stakes)

    def difference(self, bet: str) -> Fraction:
        """The difference that the order of cards that came together makes to the value of a bet."""
        values = [option.values[bet] for option in self.options if option.order and option.values]
        return max(values) - min(values) if values else Fraction(0)


def _total(amounts: Iterable[Fraction | None]) -> Fraction | None:
    """The sum of the amounts; None: one of them is unknown."""
    total = Fraction(0)
    for amount in amounts:
        if amount is None:
            return None
        total += amount
    return total


def rule(game: Game, report: IncidentReport, shoe: Shoe) -> IncidentRuling:
    """The ruling on an incident; ``shoe`` is the one that the round is dealt from, its cards still in it."""
    answers = game.answers_to_incident(report.incident)
    check_stakes(game, [(game.bet(bet), stake) for bet, stake in report.stakes.items()], report.layout)
    check_report(answers, report)
    check_staked(game, answers, report)
    left = shoe.minus(report.cards) if report.new_set is None else report.new_set
    positions = [in_order(game, cards, left) for cards in _orders(answers[0], report)]
    now = positions[0]
    check_contradictions(game, answers, report, now)
    as_it_lay = _as_it_lay(game, report, left)
    if not report.reconstructible and as_it_lay is not None:
        now = as_it_lay
    is_known = _is_known(report, positions[0], as_it_lay)
    results = common_results(positions) if len(positions) > 1 else now.results
    if not is_known:
        results = dict.fromkeys(results)
    elif waits(game, answers[0]):
        results = in_order(game, report.in_turn, shoe.minus(report.in_turn)).results
    bets = _bets(game, report)
    established = any(is_outcome(results[bet.id]) for bet in bets)
    facts = _facts(report, positions[0], now, left, established)
    known = {**facts, Fact.WRONG_NUMBER: _wrong_number_as_dealt(report, positions[0])}
    procedure, condition = _answer(game, answers, report, facts, known)
    offered = _options(game, procedure, report, positions, as_it_lay)
    shown = _shown(game, report)
    names = [bet.id for bet in shown]
    neglected = tuple(one for one in _neglected(game, procedure, now) if one.insured in names)
    return IncidentRuling(
        game=game,
        report=report,
        procedure=procedure,
        condition=condition,
        results={bet: results[bet] for bet in names},
        outcome_established=established,
        layouts=_established_on(game, report, results),
        is_known=is_known,
        dealt=now.dealt if is_known else report.hands or game.round(),
        next_round=now.beyond if is_known else (),
        shoe=left,
        void=Fraction(now.distribution.void, now.distribution.sample_space) if is_known else Fraction(0),
        values={bet: now.values[bet] for bet in names} if is_known else {},
        options=offered,
        choices=_choices(game, offered, names, report),
        neglected=neglected,
    )


def _as_it_lay(game: Game, report: IncidentReport, left: Shoe) -> Position | None:
    """The round as its hands lay; None: that is not reported, or the Table of Play deals no such hands."""
    if report.hands is None:
        return None
    lay = game.round(report.hands.player, report.hands.banker)
    return position(game, lay, left) if lay.follows_table else None


def _is_known(report: IncidentReport, by_order: Position, as_it_lay: Position | None) -> bool:
    """Whether the hands are known: by the order of the cards, or as they lay if the Table of Play deals such hands."""
    if report.reconstructible:
        return True
    if report.hands is not None:
        return as_it_lay is not None
    return not by_order.beyond


def _orders(procedure: Procedure, report: IncidentReport) -> list[Cards]:
    """The orders in which the cards can be taken: as they came, or every order of those that came together."""
    if procedure.asks is not Asks.ORDER:
        return [report.cards]
    first, last = report.cards[: -report.came_together], report.cards[-report.came_together :]
    return [(*first, *order) for order in dict.fromkeys(permutations(last))]


def _bets(game: Game, report: IncidentReport) -> tuple[Bet, ...]:
    """The bets that are available; where the layout is not known, all of the game."""
    available = bets_available(game, report.layout, tuple(report.stakes))
    return game.bets if available is None else available


def _shown(game: Game, report: IncidentReport) -> tuple[Bet, ...]:
    """The bets of the layout in use, or all of the game."""
    return game.bets if report.layout is None else game.bets_on(report.layout)


def _established_on(
    game: Game, report: IncidentReport, results: Mapping[str, BetResult | None]
) -> tuple[str, ...]:
    if report.layout is not None or game.practice.available_bets is AvailableBets.STAKED:
        return ()
    return tuple(
        layout.id
        for layout in game.layouts
        if any(is_outcome(results[bet.id]) for bet in game.bets_on(layout.id))
    )


def _facts(report: IncidentReport, by_order: Position, now: Position, left: Shoe, established: bool) -> Facts:
    void, space = now.distribution.void, now.distribution.sample_space
    cards_missing = True if now.dealt.is_void(left) or void == space else False if not void else None
    return {
        Fact.OUTCOME: established,
        Fact.RECONSTRUCTIBLE: report.reconstructible,
        Fact.CARDS_MISSING: cards_missing,
        Fact.WRONG_NUMBER: _wrong_number(report, by_order),
    }


def _wrong_number(report: IncidentReport, by_order: Position) -> bool | None:
    """Whether a hand has a wrong number of cards; None: how they lay is not reported."""
    if by_order.beyond:
        return True
    if report.hands is None:
        return None
    lay, right = report.hands, by_order.dealt
    return (len(lay.player), len(lay.banker)) != (len(right.player), len(right.banker))


def _wrong_number_as_dealt(report: IncidentReport, by_order: Position) -> bool | None:
    """Whether a hand was dealt a wrong number of cards; None: cards in excess may lie in a hand or beside it.

    Hands that are not reported lie as the cards were drawn.
    """
    if report.hands is not None:
        return _wrong_number(report, by_order)
    return None if by_order.beyond else False


def _excluding(game: Game, answers: Sequence[Procedure]) -> list[Procedure]:
    """The procedures of errors that options are not for, where the incident opens options and they do not answer it."""
    if game.dealing_errors is None or all(one.effect.ruling is not Ruling.OPTIONS for one in answers):
        return []
    excluding = [game.procedure(name) for name in game.dealing_errors.excludes]
    return [procedure for procedure in excluding if procedure not in answers]


def _answer(
    game: Game, answers: Sequence[Procedure], report: IncidentReport, facts: Facts, as_dealt: Facts
) -> tuple[Procedure, str]:
    """The procedure that answers the incident, and what must hold for it.

    One that excludes options answers in the place of one that opens them; ``as_dealt``: the facts by which it applies.
    """
    excluding = _excluding(game, answers)
    for procedure in excluding:
        if procedure.applies(as_dealt):
            return procedure, ""
    source = f"the cards {format_cards(report.cards)}" if report.cards else "a round without cards"
    possible = possible_answers(game, report.incident, lambda procedure: facts, source)
    answer, condition = next(iter(possible.items()))
    conditions = [condition] if condition else []
    for procedure in excluding:
        if procedure.applies(as_dealt) is None:
            unknown = [fact.contrary for fact in procedure.only_if if as_dealt.get(fact) is None]
            unknown += [fact.in_words for fact in procedure.unless if as_dealt.get(fact) is None]
            conditions.append(f"{' or '.join(unknown)} (else {procedure.id}: {procedure.cited})")
    return answer, " and ".join(conditions)


def _options(
    game: Game,
    procedure: Procedure,
    report: IncidentReport,
    positions: Sequence[Position],
    as_it_lay: Position | None,
) -> tuple[ErrorOption, ...]:
    """The options that the procedure opens, each with the value of every bet.

    Hands that lie as they were drawn, with nobody to decide on a reconstruction, are not reconstructed.
    Where cards cannot be reconstructed and are more than the round takes, the hands are unknown.
    """
    errors = game.dealing_errors
    if errors is None or procedure.effect.ruling is not Ruling.OPTIONS:
        return ()
    if procedure.asks is Asks.ORDER:
        orders = [order[-report.came_together :] for order in _orders(procedure, report)]
        return options_by_order(errors, orders, positions)
    (reconstructed,) = positions
    as_it_is = reconstructed if _is_known(report, reconstructed, as_it_lay) else None
    if report.hands is not None:
        as_it_is = as_it_lay
    as_drawn = report.hands is None and not reconstructed.beyond and not procedure.decides
    return error_options(errors, as_it_is, reconstructed, report.reconstructible and not as_drawn)


def _choices(
    game: Game, offered: tuple[ErrorOption, ...], bets: Sequence[str], report: IncidentReport
) -> tuple[BestOption, ...]:
    """What is best to choose, for each bet or, as the document is read, for all stakes together."""
    if game.practice.options_for is OptionsFor.ALL_BETS:
        return best_options_together(offered, report.stakes)
    return best_options(offered, bets)


def _neglected(game: Game, procedure: Procedure, now: Position) -> tuple[NeglectedInsurance, ...]:
    """The insurance that was on offer in this round, where the procedure is about insurance not offered."""
    if procedure.effect not in (Effect.LATE_INSURANCE, Effect.ORIGINAL_BET_RETURNED):
        return ()
    offers = insurance_at(game, now.dealt.stages.values(), now.distribution)
    if not offers:
        raise InputError(
            f"{procedure.answers}: no insurance was on offer in this round ({now.dealt}) ({procedure.cited}); "
            "give cards after which some was"
        )
    return tuple(_one_neglected(game, procedure, now, offer) for offer in offers)


def _one_neglected(
    game: Game, procedure: Procedure, now: Position, offer: StateAnalysis
) -> NeglectedInsurance:
    insured = game.bet_on(offer.state.side)
    assert insured is not None, "the loader's promise"
    limits = game.insurance_terms.limits if game.insurance_terms else ()
    is_late = procedure.effect is Effect.LATE_INSURANCE
    return NeglectedInsurance(
        offer=offer,
        insured=insured.id,
        most=largest_stake(limits, offer.odds, procedure.id) if is_late and offer.odds is not None else None,
        result=_insurance_result(offer),
        original=None if is_late else _with_the_bet_returned(game, insured, now, offer),
    )


def _with_the_bet_returned(game: Game, insured: Bet, now: Position, offer: StateAnalysis) -> Fraction:
    """What the original bet is worth if it comes back in all rounds in which its insurance would have won."""
    side, counted = offer.state.side, now.distribution
    table = game.offer(side, now.dealt.stages[offer.state.stage])
    assert table is not None, "it was on offer"
    spared = sum(
        (
            insured.net(outcome) * ways
            for outcome, ways in counted.outcomes.items()
            if table.net(side, outcome.result) > RETURNED
        ),
        Fraction(0),
    )
    return now.values[insured.id] - spared / counted.sample_space


def _insurance_result(offer: StateAnalysis) -> BetResult | None:
    returned = offer.ways - offer.won - offer.lost
    ends = ((Fraction(1), offer.won), (LOST, offer.lost), (RETURNED, returned))
    return common_result(net for net, ways in ends if ways)
