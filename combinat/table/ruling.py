"""The ruling on an incident: the established outcome, the reconstructed round, and each option's value.

A bet is decided when every way in which the Table of Play can still finish the round, with the cards that the
shoe still holds, gives it the same result. A round that the shoe cannot finish counts as the document treats
it: if a void round returns every bet, one such way keeps a bet open that would otherwise be lost.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from typing import ClassVar

from combinat.analysis.insurance import StateAnalysis
from combinat.analysis.insurance_limits import largest_stake
from combinat.analysis.round_in_progress import RoundInProgress, result_so_far, round_analysis
from combinat.base.errors import CombinatError, InputError, in_words, named
from combinat.base.kinds import FRACTION, MONEY, TEXT
from combinat.base.money import Amount
from combinat.base.relation import Field, Relation
from combinat.base.tabular import Listing
from combinat.rules import bounds
from combinat.rules.bet import LOST, RETURNED, Bet, BetResult, common_result, is_outcome
from combinat.rules.cards import format_cards
from combinat.rules.converters import (
    DECKS,
    GameGiven,
    ShoeGiven,
    as_cards,
    as_game,
    as_shoe,
    as_stakes,
    as_text,
    whole_number,
)
from combinat.rules.deal_space import decided_net
from combinat.rules.document import VoidBets
from combinat.rules.game import Game
from combinat.rules.procedure import Asks, Effect, Fact, Facts, Procedure, Ruling
from combinat.rules.round import Round
from combinat.rules.shoe import Shoe
from combinat.table.error_options import (
    BestOption,
    Cards,
    ErrorOption,
    best_options,
    options_by_hands,
    options_by_order,
)
from combinat.table.incident import (
    IncidentReport,
    bets_available,
    check_contradictions,
    check_report,
    possible_answers,
    waits,
)
from combinat.table.settlement import check_layout


@dataclass(frozen=True, slots=True, kw_only=True)
class NeglectedInsurance:
    """Insurance that was on offer: its value now, the most that may be staked on it late, its result.

    ``most`` is per unit of the original bet. ``result``: None while the insurance is undecided. ``original``: the value
    of the original bet to a player who meant to insure it, if that bet is returned whenever the insurance would have
    won. ``stake``: the stake on the original bet, None without one.
    """

    offer: StateAnalysis
    insured: str
    result: BetResult | None
    most: Fraction | None
    original: Fraction | None
    stake: Fraction | None

    @property
    def most_stake(self) -> Fraction | None:
        """The most that may be staked late, for the stake, or None."""
        return None if self.stake is None or self.most is None else self.stake * self.most

    @property
    def original_gain(self) -> Fraction | None:
        """The value of the stake on the original bet to a player who meant to insure it, or None."""
        return None if self.stake is None or self.original is None else self.stake * self.original


@dataclass(frozen=True, slots=True, kw_only=True)
class RuledBet:
    """A bet under a ruling: its result if it is decided, its value per unit, and the stake on it.

    ``if_played``: its value if play goes on; ``value``: by the ruling, if nobody takes it back. None: unknown.
    """

    id: str
    result: BetResult | None
    if_played: Fraction | None
    value: Fraction | None
    stake: Fraction

    @property
    def key(self) -> str:
        """The bet's id."""
        return self.id

    @property
    def money(self) -> Fraction | None:
        """The expected gain of the stake by the ruling, or None if it is unknown."""
        return None if self.value is None else self.stake * self.value


RULED_BETS: Relation[RuledBet] = Relation(
    "ruled bets",
    Field("id", "bet", TEXT, "The bet's id."),
    Field("result", "result", TEXT, "Its result.", words=BetResult, may_be_none=True),
    Field("stake", "stake", MONEY, "The stake on it."),
    Field("value", "value", FRACTION, "Its value per unit by the ruling.", may_be_none=True),
)
"""Bets under a ruling, a row each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentRuling(Listing[RuledBet]):
    """The ruling on an incident, with its inputs. ``shoe`` is without the cards drawn.

    ``layouts``: the layouts of the document on which an outcome is established; empty if one layout is in
    use, or if the staked bets are the available ones. ``now``: the round that the ruling is about; None: its
    hands are unknown, no bet is decided, and no bet has a value.

    >>> made = ruling("commission-insurance-2013", "foreign-card", "9 4 K")
    >>> made.ruling.value, made.cited, made["tie"].value
    ('void', '5.1, 5.1.1', Fraction(0, 1))
    """

    RELATION: ClassVar = RULED_BETS
    LISTED: ClassVar = "bets"

    game: Game
    report: IncidentReport
    procedure: Procedure
    condition: str
    outcome_established: bool
    layouts: tuple[str, ...]
    now: RoundInProgress | None
    shoe: Shoe
    bets: tuple[RuledBet, ...]
    options: tuple[ErrorOption, ...]
    neglected: tuple[NeglectedInsurance, ...]

    def __repr__(self) -> str:
        return f"<IncidentRuling on {self.report.incident}: {self.ruling} ({self.cited})>"

    @property
    def ruling(self) -> Ruling:
        """The consequence for the round."""
        return self.procedure.effect.ruling

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses of the ruling; if bets are taken back, the clause that opens all options."""
        errors = self.game.dealing_errors
        is_one_option = self.procedure.effect is Effect.TAKEN_BACK
        return (errors.clause,) if is_one_option and errors else self.procedure.clauses

    @property
    def cited(self) -> str:
        """Its clauses, as a line cites them."""
        return ", ".join(self.clauses)

    @property
    def dealt(self) -> Round:
        """The hands of the round, or as reported if they are unknown."""
        return self.now.reached if self.now else self.report.hands or self.game.round()

    @property
    def next_round(self) -> Cards:
        """The cards that the next round takes."""
        return self.now.beyond if self.now else ()

    @property
    def void(self) -> Fraction:
        """The probability that the shoe cannot finish the round."""
        return self.now.void if self.now else Fraction(0)

    @property
    def staked(self) -> tuple[RuledBet, ...]:
        """The bets with a stake, in the order of the report."""
        return tuple(self[bet] for bet in self.report.stakes)

    @property
    def turns_on_outcome(self) -> bool:
        """Whether the ruling depends on an established outcome."""
        return any(Fact.OUTCOME in answer.facts for answer in self.game.answers_to(self.report.incident))

    @property
    def is_joint(self) -> bool:
        """Whether a player chooses an option for all bets together."""
        return self.game.practice.options_for == "all-bets"

    @property
    def waits(self) -> bool:
        """Whether cards that came early establish no outcome before their turn."""
        return waits(self.game, self.game.answers_to(self.report.incident)[0])

    @property
    def is_ordered(self) -> bool:
        """Whether someone decides on the order of cards that came together."""
        return any(option.order for option in self.options)

    @property
    def choices(self) -> tuple[BestOption, ...]:
        """The best options: for each bet, or for all stakes together."""
        if not self.options:
            return ()
        together: list[str | None] = [None] if self.report.stakes else []
        chosen_for = together if self.is_joint else [bet.id for bet in self.bets]
        return tuple(
            best for bet in chosen_for for best in best_options(self.options, bet, self.report.stakes)
        )

    def difference(self, bet: str) -> Fraction:
        """The difference that the order of cards that came together makes to the value of a bet."""
        values = [option.value(bet) for option in self.options if option.order]
        known = [value for value in values if value is not None]
        return max(known) - min(known) if known else Fraction(0)


def ruling(
    game: GameGiven,
    incident: str,
    cards: str = "",
    shoe: ShoeGiven = DECKS,
    *,
    player: str | None = None,
    banker: str | None = None,
    together: int | str | None = None,
    early: int | str | None = None,
    new_set: ShoeGiven | None = None,
    reconstructible: bool = True,
    layout: str | None = None,
    stakes: Mapping[str, Amount] | None = None,
) -> IncidentRuling:
    """Rule on an incident: whether an outcome is established, the consequence, and the value of each option.

    ``cards``: all cards that left the shoe, in order, those drawn by mistake included. ``shoe``: the shoe
    that the round is dealt from, including these cards. ``player``, ``banker``: the hands as they lay, if
    that was wrong. ``together``, ``early``: the number of last cards that came at once, or before their turn.
    ``new_set``: the content of the shoe afterwards, if its cards are replaced.

    >>> ruling("commission-insurance-2013", "foreign-card", "9 4 K")
    <IncidentRuling on foreign-card: void (5.1, 5.1.1)>
    """
    loaded = as_game(game)
    if not isinstance(incident, str):
        known = ", ".join(loaded.incident_ids)
        raise CombinatError(f"found {in_words(incident)} for an incident; write one of {known}")
    lay = player is not None or banker is not None
    report = IncidentReport(
        incident=incident,
        cards=as_cards("cards", cards),
        hands=loaded.round(as_cards("player", player or ""), as_cards("banker", banker or ""))
        if lay
        else None,
        together=None if together is None else whole_number("together", together, 2, bounds.TOGETHER),
        early=None if early is None else whole_number("early", early, 1, bounds.TOGETHER),
        new_set=None if new_set is None else as_shoe(new_set),
        reconstructible=reconstructible,
        layout=as_text("layout", layout),
        stakes=as_stakes(loaded, {} if stakes is None else stakes),
    )
    return _ruled(loaded, report, as_shoe(shoe))


def _ruled(game: Game, report: IncidentReport, shoe: Shoe) -> IncidentRuling:
    answers = game.answers_to_incident(report.incident)
    check_layout(game, report.stakes, report.layout)
    check_report(game, answers, report)
    with named("cards"):
        left = shoe.minus(report.cards) if report.new_set is None else report.new_set
    by_order = [round_analysis(game, game.round(), left, cards) for cards in _orders(answers[0], report)]
    check_contradictions(answers[0], report, by_order[0])
    lay = report.hands
    as_it_lay = round_analysis(game, lay, left) if lay is not None and lay.follows_table else None
    known: RoundInProgress | None = by_order[0]
    if not report.reconstructible and (lay is not None or by_order[0].beyond):
        known = as_it_lay
    now = known or by_order[0]
    results = _results(by_order if len(by_order) > 1 else [now])
    if known is None:
        results = dict.fromkeys(results)
    elif waits(game, answers[0]):
        results = _results([round_analysis(game, game.round(), shoe.minus(report.in_turn), report.in_turn)])
    available = bets_available(game, report.layout, tuple(report.stakes))
    established = _has_outcome(results, game.bets if available is None else available)
    procedure, condition = _answer(game, answers, report, by_order[0], now, established)
    listed = game.bets if report.layout is None else game.bets_on(report.layout)
    return IncidentRuling(
        game=game,
        report=report,
        procedure=procedure,
        condition=condition,
        outcome_established=established,
        layouts=_established_on(game, report, results),
        now=known,
        shoe=left,
        bets=tuple(
            RuledBet(
                id=bet.id,
                result=results[bet.id],
                if_played=None if known is None else known[bet.id].expected_value,
                value=_value(game, procedure, bet, known),
                stake=report.stakes.get(bet.id, Fraction(0)),
            )
            for bet in listed
        ),
        options=_options(game, procedure, report, by_order, as_it_lay if lay else known),
        neglected=tuple(_insurance_not_offered(game, procedure, report, listed, now)),
    )


def _orders(procedure: Procedure, report: IncidentReport) -> list[Cards]:
    """Return the possible orders of the cards: as they came, or every order of those that came together."""
    if procedure.asks is not Asks.ORDER:
        return [report.cards]
    first, last = report.cards[: -report.came_together], report.cards[-report.came_together :]
    return [(*first, *order) for order in dict.fromkeys(permutations(last))]


def _results(rounds: Sequence[RoundInProgress]) -> dict[str, BetResult | None]:
    """Return the result of each bet if all continuations of these rounds give the same result, or None.

    In a round that is certain to be void, only the bets that stand have a result.
    """
    by_bet: dict[str, set[BetResult | None]] = {}
    for now in rounds:
        for bet in now:
            result = result_so_far(bet)
            stands = now.void < 1 or is_outcome(result)
            by_bet.setdefault(bet.id, set()).add(result if stands else None)
    return {bet: results.pop() if len(results) == 1 else None for bet, results in by_bet.items()}


def _has_outcome(results: Mapping[str, BetResult | None], bets: Iterable[Bet]) -> bool:
    """Whether one of the bets has conclusively won or lost."""
    return any(is_outcome(results[bet.id]) for bet in bets)


def _established_on(
    game: Game, report: IncidentReport, results: Mapping[str, BetResult | None]
) -> tuple[str, ...]:
    if report.layout is not None or game.practice.available_bets == "staked":
        return ()
    return tuple(layout.id for layout in game.layouts if _has_outcome(results, game.bets_on(layout.id)))


def _value(game: Game, procedure: Procedure, bet: Bet, now: RoundInProgress | None) -> Fraction | None:
    """Return the value of a bet by the ruling if no player chooses an option, or None if it is unknown.

    A void round returns it, or lets it stand if it is decided and this is the reading of the document.
    """
    if procedure.effect.ruling is not Ruling.VOID:
        return None if now is None else now[bet.id].expected_value
    stands = game.void_bets(procedure) is VoidBets.DECIDED_STAND
    if now is None or not stands or not now.reached.follows_table:
        return RETURNED
    return decided_net(bet, now.reached) or RETURNED


def _answer(
    game: Game,
    answers: Sequence[Procedure],
    report: IncidentReport,
    by_order: RoundInProgress,
    now: RoundInProgress,
    established: bool,
) -> tuple[Procedure, str]:
    """Return the procedure that answers the incident, and its condition.

    A procedure for an error without options takes precedence over a procedure that opens them. It applies to
    the hands as dealt: hands that are not reported lie as the cards were drawn, and cards in excess in a hand
    or beside it.
    """
    wrong_number, as_dealt = (True, None) if by_order.beyond else (None, False)
    if report.hands is not None:
        lengths = [(len(dealt.player), len(dealt.banker)) for dealt in (report.hands, by_order.reached)]
        wrong_number = as_dealt = bool(by_order.beyond) or lengths[0] != lengths[1]
    is_void = now.void == 1 or now.reached.is_void(now.shoe)
    facts: Facts = {
        Fact.OUTCOME: established,
        Fact.RECONSTRUCTIBLE: report.reconstructible,
        Fact.CARDS_MISSING: True if is_void else None if now.void else False,
        Fact.WRONG_NUMBER: wrong_number,
    }
    known = {**facts, Fact.WRONG_NUMBER: as_dealt}
    excluding: list[Procedure] = []
    if game.dealing_errors is not None and any(one.effect.ruling is Ruling.OPTIONS for one in answers):
        named = [game.procedure(name) for name in game.dealing_errors.excludes]
        excluding = [procedure for procedure in named if procedure not in answers]
    for procedure in excluding:
        if procedure.applies(known):
            return procedure, ""
    source = f"the cards {format_cards(report.cards)}" if report.cards else "a round without cards"
    possible = possible_answers(game, report.incident, lambda procedure: facts, source)
    answer, condition = next(iter(possible.items()))
    conditions = [condition] if condition else []
    for procedure in excluding:
        if procedure.applies(known) is None:
            unknown = [fact.contrary for fact in procedure.only_if if known.get(fact) is None]
            unknown += [fact.in_words for fact in procedure.unless if known.get(fact) is None]
            conditions.append(f"{' or '.join(unknown)} (else {procedure.id}: {procedure.cited})")
    return answer, " and ".join(conditions)


def _options(
    game: Game,
    procedure: Procedure,
    report: IncidentReport,
    by_order: Sequence[RoundInProgress],
    as_it_is: RoundInProgress | None,
) -> tuple[ErrorOption, ...]:
    """Return the options that the procedure opens.

    Hands that lie as they were drawn are not reconstructed unless someone decides so.
    """
    errors = game.dealing_errors
    if errors is None or procedure.effect.ruling is not Ruling.OPTIONS:
        return ()
    if procedure.asks is Asks.ORDER:
        orders = [order[-report.came_together :] for order in _orders(procedure, report)]
        return options_by_order(errors, orders, by_order)
    as_drawn = report.hands is None and not by_order[0].beyond and not procedure.decides
    reconstructible = report.reconstructible and not as_drawn
    return options_by_hands(errors, as_it_is, by_order[0], reconstructible=reconstructible)


def _insurance_not_offered(
    game: Game, procedure: Procedure, report: IncidentReport, bets: Sequence[Bet], now: RoundInProgress
) -> Iterator[NeglectedInsurance]:
    """Return the insurance of this round, if the procedure is about insurance not offered."""
    is_late = procedure.effect is Effect.LATE_INSURANCE
    if not is_late and procedure.effect is not Effect.ORIGINAL_BET_RETURNED:
        return
    if not now.insurance:
        raise InputError(
            f"{procedure.answers}: no insurance was on offer in this round ({now.reached}) ({procedure.cited}); "
            "give cards after which some was"
        )
    limits = game.insurance_terms.limits if game.insurance_terms else ()
    for offer in now.insurance:
        insured = game.bet_on(offer.state.side)
        if insured is None or insured not in bets:
            continue
        most = largest_stake(limits, offer.odds, procedure.id) if is_late and offer.odds is not None else None
        original = None if is_late else _with_the_bet_returned(game, insured, now, offer)
        returned = offer.ways - offer.won - offer.lost
        ends = ((Fraction(1), offer.won), (LOST, offer.lost), (RETURNED, returned))
        yield NeglectedInsurance(
            offer=offer,
            insured=insured.id,
            result=common_result(net for net, ways in ends if ways),
            most=most,
            original=original,
            stake=report.stakes.get(insured.id),
        )


def _with_the_bet_returned(game: Game, insured: Bet, now: RoundInProgress, offer: StateAnalysis) -> Fraction:
    """Return the value of the original bet if it is returned whenever its insurance would have won."""
    side, counted = offer.state.side, now.distribution
    table = game.offer(side, now.reached.stages[offer.state.stage])
    assert table is not None, "it was on offer"
    spared = sum(
        (
            insured.net(outcome) * ways
            for outcome, ways in counted.outcomes.items()
            if table.net(side, outcome.result) > RETURNED
        ),
        Fraction(0),
    )
    return now[insured.id].expected_value - spared / counted.sample_space
