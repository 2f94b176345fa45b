"""The ruling on an incident: is an outcome established, the round as reconstructed, what follows, each option's worth.

A bet is decided when every way in which the Table of Play can still finish the round, with the cards that the shoe
still holds, brings it the same result. A way in which the shoe runs out counts as the document treats it: where
a void round returns every bet, one such way keeps a bet open that would else be lost.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

from combinat.analysis.insurance import StateAnalysis
from combinat.analysis.round_in_progress import insurance_at
from combinat.base.errors import RoundError, ShoeError
from combinat.base.tabular import Exact, Tabular
from combinat.rules.bet import LOST, RETURNED, Bet
from combinat.rules.completion import BetResult, common_result, decided_net, is_outcome
from combinat.rules.document import VoidBets
from combinat.rules.game import Game
from combinat.rules.insurance_limits import largest_stake
from combinat.rules.practice import AvailableBets, OptionsFor
from combinat.rules.procedure import Asks, Effect, Fact, Facts, Procedure, Ruling
from combinat.rules.round import Round
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import Hand
from combinat.table.error_options import (
    Choice,
    Option,
    Position,
    Values,
    choices,
    common_results,
    in_order,
    joint_choices,
    options,
    options_by_order,
    position,
)
from combinat.table.face_down import Cards, Hands, format_drawn, seen
from combinat.table.face_down_round import Placed
from combinat.table.incident import Applied, applied, bets_available, waits
from combinat.table.incident_report import Happened, check_contradictions, check_staked, check_told
from combinat.table.settlement import check_stakes


@dataclass(frozen=True, slots=True, kw_only=True)
class Neglected:
    """Insurance that was on offer: what it is worth now, the most that may be staked on it late, what it came to.

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
    """The ruling on an incident, with all that it stands on. ``shoe`` is without the cards that were seen.

    ``layouts``: those of the document's layouts on which an outcome is established; none where one is in use, or
    where the staked bets are the available ones. ``is_told``: whether the hands of the round can be told; where not,
    ``hands`` is how they lay, as far as that was said, nothing is decided, and no bet has a value. ``dealt``: the cards of
    the hands that lie face up; ``unplaced``: how many face-down cards are in no hand yet.

    >>> from combinat import ruling
    >>> made = ruling("commission-insurance-2013", "foreign-card", "9 4 K")
    >>> made.ruling.value, made.cited
    ('void', '5.1, 5.1.1')
    """

    game: Game
    happened: Happened
    procedure: Procedure
    condition: str
    results: Mapping[str, BetResult | None]
    outcome_established: bool
    layouts: tuple[str, ...]
    is_told: bool
    hands: Hands
    dealt: Round
    next_round: Cards
    unplaced: int
    shoe: Shoe
    void: Fraction
    values: Values
    options: tuple[Option, ...]
    choices: tuple[Choice, ...]
    neglected: tuple[Neglected, ...]

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
        return f"<IncidentRuling on {self.happened.incident}: {self.ruling} ({self.cited})>"

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
        """What is staked on a bet."""
        return self.happened.stakes.get(bet, Fraction(0))

    @property
    def staked(self) -> Fraction:
        """All that is staked."""
        return sum(self.happened.stakes.values(), Fraction(0))

    def gain(self, option: Option, bet: str) -> Fraction | None:
        """What an option is worth for the stake on a bet."""
        value = option.value(bet)
        return None if value is None else self.stake(bet) * value

    def cost(self, choice: Choice) -> Fraction | None:
        """What the wrong choice costs the stake on its bet, or all stakes where it is for all of them; None: unknown."""
        if choice.cost is None or choice.bet is None:
            return choice.cost
        return self.stake(choice.bet) * choice.cost

    def value(self, bet: str) -> Fraction | None:
        """What a bet is worth by the ruling, where nobody chooses; None: nothing tells it.

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
        """What each bet is worth by the ruling, if nobody takes it back; where nothing tells it, it is left out."""
        known = {bet: self.value(bet) for bet in self.results}
        return {bet: value for bet, value in known.items() if value is not None}

    @property
    def turns_on_outcome(self) -> bool:
        """Whether it would be another ruling if an outcome were established, or were not."""
        return any(Fact.OUTCOME in answer.facts for answer in self.game.answers_to(self.happened.incident))

    def money(self, bet: str) -> Fraction | None:
        """What the stake on a bet gains by the ruling."""
        value = self.value(bet)
        return None if value is None else self.stake(bet) * value

    @property
    def total_money(self) -> Fraction | None:
        """What all stakes together gain by the ruling; None: it is not known of one of them."""
        gains = [self.money(bet) for bet in self.happened.stakes]
        known = [gain for gain in gains if gain is not None]
        return sum(known, Fraction(0)) if len(known) == len(gains) else None

    @property
    def total_cost(self) -> Fraction | None:
        """What the wrong choice on every staked bet costs together; None: it is unknown for one of them."""
        costs = [self.cost(choice) for choice in self.choices if choice.bet in self.happened.stakes]
        known = [cost for cost in costs if cost is not None]
        return sum(known, Fraction(0)) if len(known) == len(costs) else None

    def most_stake(self, neglected: Neglected) -> Fraction | None:
        """The most that may be staked late, for the bet that is staked on the hand; None: none is, or no limit."""
        stake = self.stake(neglected.insured)
        return None if neglected.most is None or not stake else neglected.most * stake

    def original_gain(self, neglected: Neglected) -> Fraction | None:
        """What the stake on the original bet is worth to those who had meant to insure it; None: nothing is staked."""
        stake = self.stake(neglected.insured)
        return None if neglected.original is None or not stake else neglected.original * stake

    @property
    def face_down(self) -> int:
        """How many of the cards drawn lie face down."""
        return self.happened.cards.count(None)

    @property
    def next_hand(self) -> Hand | None:
        """The hand that is dealt the next card; None: the round is over, or cards that lie face down decide it."""
        player, banker = len(self.hands.player), len(self.hands.banker)
        if player + banker < 4:
            return Hand.PLAYER if player <= banker else Hand.BANKER
        return None if self.hands.face_down or self.unplaced else self.dealt.next_hand

    @property
    def is_over(self) -> bool:
        """Whether no card is to come, whatever those are that lie face down."""
        if self.hands.face_down or self.unplaced:
            return len(self.hands.banker) == 3
        return self.dealt.is_over

    @property
    def is_joint(self) -> bool:
        """Whether a player chooses an option for all bets together."""
        return self.game.practice.options_for is OptionsFor.ALL_BETS

    @property
    def waits(self) -> bool:
        """Whether cards that came early establish no outcome before their turn."""
        return waits(self.game, self.game.answers_to(self.happened.incident)[0])

    @property
    def is_ordered(self) -> bool:
        """Whether an order of cards that came together is to be decided on."""
        return any(option.order for option in self.options)

    def worth(self, option: Option) -> Fraction | None:
        """What an option is worth for all stakes together."""
        if option.values is None:
            return None
        return sum((self.stake(bet) * value for bet, value in option.values.items()), Fraction(0))

    def difference(self, bet: str) -> Fraction:
        """By how much the order of cards that came together changes what a bet is worth."""
        values = [option.values[bet] for option in self.options if option.order and option.values]
        return max(values) - min(values) if values else Fraction(0)


def rule(game: Game, happened: Happened, shoe: Shoe) -> IncidentRuling:
    """The ruling on an incident; ``shoe`` is the one that the round is dealt from, its cards still in it."""
    answers = game.answers_to_incident(happened.incident)
    check_stakes(game, [(game.bet(bet), stake) for bet, stake in happened.stakes.items()], happened.layout)
    check_told(answers, happened)
    check_staked(game, answers, happened)
    left = _not_seen(happened, shoe)
    positions = [in_order(game, cards, left) for cards in _orders(answers[0], happened)]
    now = positions[0]
    check_contradictions(game, answers, happened, now)
    as_it_lay = position(game, Placed(happened.laid), left) if happened.laid is not None else None
    if not happened.reconstructible and as_it_lay is not None:
        now = as_it_lay
    is_told = _is_told(happened, positions[0], as_it_lay)
    results = common_results(positions) if len(positions) > 1 else now.results
    if not is_told:
        results = dict.fromkeys(results)
    elif waits(game, answers[0]):
        results = in_order(game, happened.in_turn, shoe.minus(seen(happened.in_turn))).results
    bets = _bets(game, happened)
    established = any(is_outcome(results[bet.id]) for bet in bets)
    facts = _facts(happened, positions[0], now, left, established)
    known = {**facts, Fact.WRONG_NUMBER: _wrong_number_as_dealt(happened, positions[0])}
    answer = _excluding_options(game, answers, known) or _answer(game, happened, facts)
    procedure, condition = answer.procedure, _with_exclusions(game, answers, answer, known)
    _check_turned(game, procedure, happened)
    offered = _options(game, procedure, happened, positions, as_it_lay)
    shown = _shown(game, happened)
    names = [bet.id for bet in shown]
    neglected = tuple(one for one in _neglected(game, procedure, now) if one.insured in names)
    return IncidentRuling(
        game=game,
        happened=happened,
        procedure=procedure,
        condition=condition,
        results={bet: results[bet] for bet in names},
        outcome_established=established,
        layouts=_established_on(game, happened, results),
        is_told=is_told,
        hands=now.hands if is_told else happened.laid or Hands(),
        dealt=now.dealt if is_told else game.round(),
        next_round=now.beyond if is_told else (),
        unplaced=now.unplaced if is_told else 0,
        shoe=left,
        void=Fraction(now.distribution.void, now.distribution.sample_space) if is_told else Fraction(0),
        values={bet: now.values[bet] for bet in names} if is_told else {},
        options=offered,
        choices=_choices(game, offered, names, happened),
        neglected=neglected,
    )


def _not_seen(happened: Happened, shoe: Shoe) -> Shoe:
    """The cards that nobody has seen: what the shoe holds, and what lies face down."""
    left, down = shoe.minus(seen(happened.cards)), happened.cards.count(None)
    if down > left.size:
        raise ShoeError(
            f"found {down} cards that lie face down; the shoe held {left.size} more than those seen"
        )
    if happened.new_set is None:
        return left
    if down:
        raise RoundError(
            f"{happened.incident}: with a new set of cards, nothing tells what those are that lie face down; "
            "turn them, and give them"
        )
    return happened.new_set


def _check_turned(game: Game, procedure: Procedure, happened: Happened) -> None:
    """Where decided bets stand in a void round, its cards decide them: refuse any that lies face down."""
    stand = procedure.effect.ruling is Ruling.VOID and game.void_bets(procedure) is VoidBets.DECIDED_STAND
    if stand and None in happened.cards:
        raise RoundError(
            f"{happened.incident}: decided bets stand ({procedure.cited}), and cards lie face down; "
            "turn them, and give them"
        )


def _is_told(happened: Happened, by_order: Position, as_it_lay: Position | None) -> bool:
    """Whether it can be told how the round stands: not where its cards cannot be put back and lie as no table deals."""
    if happened.reconstructible:
        return True
    if happened.lay is not None:
        return as_it_lay is not None
    return not by_order.beyond and not by_order.unplaced


def _orders(procedure: Procedure, happened: Happened) -> list[Cards]:
    """The orders in which the cards can be taken: as they came, or every order of those that came together."""
    if procedure.asks is not Asks.ORDER:
        return [happened.cards]
    first, last = happened.cards[: -happened.came_together], happened.cards[-happened.came_together :]
    return [(*first, *order) for order in dict.fromkeys(permutations(last))]


def _bets(game: Game, happened: Happened) -> tuple[Bet, ...]:
    """The bets that are available; where the layout is not known, all of the game."""
    available = bets_available(game, happened.layout, tuple(happened.stakes))
    return game.bets if available is None else available


def _shown(game: Game, happened: Happened) -> tuple[Bet, ...]:
    """The bets of the layout in use, or all of the game."""
    return game.bets if happened.layout is None else game.bets_on(happened.layout)


def _established_on(
    game: Game, happened: Happened, results: Mapping[str, BetResult | None]
) -> tuple[str, ...]:
    if happened.layout is not None or game.practice.available_bets is AvailableBets.STAKED:
        return ()
    return tuple(
        layout.id
        for layout in game.layouts
        if any(is_outcome(results[bet.id]) for bet in game.bets_on(layout.id))
    )


def _facts(happened: Happened, by_order: Position, now: Position, left: Shoe, established: bool) -> Facts:
    void, space = now.distribution.void, now.distribution.sample_space
    cards_missing = True if now.dealt.is_void(left) or void == space else False if not void else None
    return {
        Fact.OUTCOME: established,
        Fact.RECONSTRUCTIBLE: happened.reconstructible,
        Fact.CARDS_MISSING: cards_missing,
        Fact.WRONG_NUMBER: _wrong_number(happened, by_order),
    }


def _wrong_number(happened: Happened, by_order: Position) -> bool | None:
    """Whether a hand has a wrong number of cards; None: nothing is told of how they lay."""
    if by_order.beyond:
        return True
    if happened.lay is None or by_order.unplaced:
        return None
    right = by_order.hands
    return (len(happened.lay.player), len(happened.lay.banker)) != (len(right.player), len(right.banker))


def _wrong_number_as_dealt(happened: Happened, by_order: Position) -> bool | None:
    """Whether a hand was dealt a wrong number of cards; None: cards in excess may lie in a hand or beside it.

    Where nothing is said of how the hands lay, they lie as the cards were drawn.
    """
    if happened.lay is not None:
        return _wrong_number(happened, by_order)
    return None if by_order.beyond or by_order.unplaced else False


def _excluding(game: Game, answers: Sequence[Procedure]) -> list[Procedure]:
    """The procedures of errors that options are not for, where the incident opens options and they do not answer it."""
    if game.dealing_errors is None or all(one.effect.ruling is not Ruling.OPTIONS for one in answers):
        return []
    excluding = [game.procedure(name) for name in game.dealing_errors.excludes]
    return [procedure for procedure in excluding if procedure not in answers]


def _excluding_options(game: Game, answers: Sequence[Procedure], facts: Facts) -> Applied | None:
    """The procedure that answers instead of one that opens options; None: none is known to apply."""
    applying = [procedure for procedure in _excluding(game, answers) if procedure.applies(facts)]
    return Applied(applying[0], "") if applying else None


def _with_exclusions(game: Game, answers: Sequence[Procedure], answer: Applied, facts: Facts) -> str:
    """The condition of an answer, and what must be so for no procedure that may apply to exclude its options."""
    conditions = [answer.condition] if answer.condition else []
    for procedure in _excluding(game, answers):
        if procedure.applies(facts) is None:
            unknown = [fact.in_words(holds=False) for fact in procedure.only_if if facts.get(fact) is None]
            unknown += [fact.in_words() for fact in procedure.unless if facts.get(fact) is None]
            conditions.append(f"{' or '.join(unknown)} (else {procedure.id}: {procedure.cited})")
    return " and ".join(conditions)


def _answer(game: Game, happened: Happened, facts: Facts) -> Applied:
    told = f"the cards {format_drawn(happened.cards)}" if happened.cards else "a round without cards"
    return applied(game, happened.incident, lambda procedure: facts, told)


def _options(
    game: Game,
    procedure: Procedure,
    happened: Happened,
    positions: Sequence[Position],
    as_it_lay: Position | None,
) -> tuple[Option, ...]:
    """The options that the procedure opens, each with what every bet is worth under it.

    Where the hands lie as they were drawn and nobody decides on a reconstruction, there is none to go on with.
    Where cards cannot be reconstructed and are more than the round takes, how the hands lie is unknown.
    """
    errors = game.dealing_errors
    if errors is None or procedure.effect.ruling is not Ruling.OPTIONS:
        return ()
    if procedure.asks is Asks.ORDER:
        orders = [order[-happened.came_together :] for order in _orders(procedure, happened)]
        return options_by_order(errors, orders, positions)
    (reconstructed,) = positions
    as_it_is = reconstructed if _is_told(happened, reconstructed, as_it_lay) else None
    if happened.lay is not None:
        as_it_is = as_it_lay
    as_drawn = happened.lay is None and not reconstructed.beyond and not procedure.decides
    return options(errors, as_it_is, reconstructed, happened.reconstructible and not as_drawn)


def _choices(
    game: Game, offered: tuple[Option, ...], bets: Sequence[str], happened: Happened
) -> tuple[Choice, ...]:
    """What is best to choose, for each bet or, as the document is read, for all stakes together."""
    if game.practice.options_for is OptionsFor.ALL_BETS:
        return joint_choices(offered, happened.stakes)
    return choices(offered, bets)


def _neglected(game: Game, procedure: Procedure, now: Position) -> tuple[Neglected, ...]:
    """The insurance that was on offer in this round, where the procedure is about insurance not offered."""
    if procedure.effect not in (Effect.LATE_INSURANCE, Effect.ORIGINAL_BET_RETURNED):
        return ()
    offers = insurance_at(game, now.dealt.stages.values(), now.distribution)
    if not offers:
        raise RoundError(
            f"{procedure.answers}: no insurance was on offer in this round ({now.dealt}) ({procedure.cited}); "
            "give cards after which some was"
        )
    return tuple(_one_neglected(game, procedure, now, offer) for offer in offers)


def _one_neglected(game: Game, procedure: Procedure, now: Position, offer: StateAnalysis) -> Neglected:
    insured = game.bet_on(offer.state.side)
    assert insured is not None, "the loader's promise"
    limits = game.insurance_terms.limits if game.insurance_terms else ()
    is_late = procedure.effect is Effect.LATE_INSURANCE
    return Neglected(
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
