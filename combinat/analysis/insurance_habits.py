"""Insurance as a habit: what it costs or gains a player who bets on a hand and insures it.

Everything is per unit of the original bet, within the document's own limits on insurance. A cap by the
table maximum is left out: it is no part of the original bet.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

from combinat.analysis.best_insurance import Bets, best_bets, largest_room
from combinat.analysis.insurance import StateBet, courses_by_moment, moments
from combinat.base.kinds import FRACTION, TEXT, decimal, percentage, root
from combinat.base.number import Root
from combinat.base.relation import Field, Relation
from combinat.engine.distribution import Distribution, summed
from combinat.engine.exact_openings import exact_openings
from combinat.rules.bet import RETURNED
from combinat.rules.deal_space import Course, result
from combinat.rules.game import Game
from combinat.rules.insurance import InsuranceTerms, Moment
from combinat.rules.outcome import Result
from combinat.rules.round import Stage
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import Hand

ZERO = Fraction(0)


class Habit(StrEnum):
    """When a player takes an insurance offer: to the limit that is left, or what is best over both offers."""

    NEVER = "never"
    ALWAYS = "always"
    BY_TOTALS = "favourable-by-totals"
    BY_CARDS = "favourable-by-cards"
    BEST_BY_TOTALS = "best-by-totals"
    BEST_BY_CARDS = "best-by-cards"

    @property
    def in_words(self) -> str:
        """The habit as a phrase."""
        return self.value.replace("-", " ")


INSURED_BETS: "Relation[InsuredBet]" = Relation(
    "insured bets",
    Field("hand", "hand", TEXT, "The hand that is bet on and insured.", words=Hand),
    Field("bet", "bet", TEXT, "The bet's id."),
    Field("habit", "habit", TEXT, "When insurance is taken.", words=Habit),
    Field(
        *("habit_in_words", "habit", TEXT, "When insurance is taken, in words.", lambda row: row.habit.in_words),
        views="terminal",
        for_people=True,
    ),
    Field("insured", "insures %", percentage(3), "Share of rounds in which insurance is taken.", views="terminal"),
    Field("insurance_staked", "staked", decimal(5), "Mean insurance staked, per unit of the original bet.", views="terminal"),
    Field(
        *("insurance_expected_value", "gain", decimal(5), "Expected net result of the insurance alone."),
        lambda row: row.insurance_mean,
        views="terminal",
    ),
    Field(
        *("insurance_edge", "ins edge %", percentage(3), "House edge on the money insured."),
        views="terminal",
        is_figure=True,
        may_be_none=True,
    ),
    Field(
        *("expected_value", "both EV %", percentage(4, signed=True)),
        "Expected net result of both bets, per unit of the original bet.",
        lambda row: row.mean,
        views="terminal",
    ),
    Field("variance", "variance", FRACTION, "Variance of both bets together."),
    Field(
        *("standard_deviation", "both SD", root(5), "Standard deviation of both bets together."),
        lambda row: Root(row.variance),
        views="terminal",
    ),
    Field(
        *("cost_of_variance", "cost/var", decimal(5), "Loss per unit of variance removed."),
        views="terminal",
        may_be_none=True,
    ),
)  # fmt: skip
"""Insurance by habit, a row for each hand and habit."""


@dataclass(frozen=True, kw_only=True)
class InsuredBet:
    """A unit on one hand, with insurance by habit: both bets together, and the insurance alone."""

    FIGURES: ClassVar = INSURED_BETS.figures

    hand: Hand
    bet: str
    habit: Habit
    mean: Fraction
    variance: Fraction
    insurance_mean: Fraction
    insurance_staked: Fraction
    insured: Fraction
    cost_of_variance: Fraction | None = None

    @cached_property
    def insurance_edge(self) -> Fraction | None:
        """The house edge on the money insured; None: nothing is."""
        return -self.insurance_mean / self.insurance_staked if self.insurance_staked else None


def _compared(uninsured: InsuredBet, insured: InsuredBet) -> InsuredBet:
    """The habit with what the player pays for each unit of variance that it removes; None: none is removed."""
    removed = uninsured.variance - insured.variance
    cost = (uninsured.mean - insured.mean) / removed if removed > 0 else None
    return replace(insured, cost_of_variance=cost)


def insured_bets(game: Game, shoe: Shoe, distribution: Distribution) -> tuple[InsuredBet, ...]:
    """Every habit on either hand."""
    if game.insurance_terms is None:
        return ()
    by_cards = [courses for _, courses in exact_openings(shoe, game.table_of_play)] if shoe.size >= 4 else []
    return tuple(
        insured_bet
        for hand in Hand
        if any(state.side is hand for state in game.offers)
        for insured_bet in _habits(game, game.insurance_terms, hand, distribution, by_cards)
    )


Takes = Callable[[Moment, Mapping[Course, int]], bool]
"""Whether an offer is taken at a moment, given the courses that may follow."""


def _habits(
    game: Game,
    terms: InsuranceTerms,
    hand: Hand,
    distribution: Distribution,
    by_cards: Sequence[Mapping[Course, int]],
) -> Iterator[InsuredBet]:
    at = {state.moment: StateBet(state, offer) for state, offer in game.offers.items() if state.side is hand}

    def favourable(moment: Moment, courses: Mapping[Course, int]) -> bool:
        return at[moment].analysis(courses, distribution.sample_space).favours_player

    following = courses_by_moment(distribution, terms.open)
    by_totals = {moment: favourable(moment, following.get(moment, {})) for moment in at}
    whole = [distribution.by_points]
    habits: list[tuple[Habit, Sequence[Mapping[Course, int]], Takes | None]] = [
        (Habit.NEVER, whole, lambda moment, courses: False),
        (Habit.ALWAYS, whole, lambda moment, courses: True),
        (Habit.BY_TOTALS, whole, lambda moment, courses: by_totals[moment]),
        (Habit.BY_CARDS, by_cards, favourable),
        (Habit.BEST_BY_TOTALS, whole, None),
        (Habit.BEST_BY_CARDS, by_cards, None),
    ]
    insured = game.bet_on(hand)
    if insured is None:
        return
    nets: dict[Result | None, Fraction] = {None: RETURNED}
    nets |= {ended: insured.result_net(ended) for ended in distribution.results}
    uninsured: InsuredBet | None = None
    for habit, groups, takes in habits:
        taken = summed(
            ((None if course.is_void else result(course), bets), ways)
            for courses in groups
            for course, bets, ways in (
                _taken(courses, at, terms, takes) if takes else best_bets(courses, at, terms)
            )
        )
        insured_bet = _insured_bet(hand, insured.id, habit, nets, taken, distribution.sample_space)
        uninsured = uninsured or insured_bet
        yield _compared(uninsured, insured_bet)


def _taken(
    courses: Mapping[Course, int], at: Mapping[Moment, StateBet], terms: InsuranceTerms, takes: Takes
) -> Iterator[tuple[Course, Bets, int]]:
    """Each course with the insurance taken on its way. After a third card, that card is known too."""
    here: dict[tuple[Moment, int | None], dict[Course, int]] = {}
    for course, ways in courses.items():
        for moment in moments(course, terms.open):
            if moment in at:
                third = course.player_third if moment.stage is Stage.PLAYER_THIRD_CARD else None
                here.setdefault((moment, third), {})[course] = ways
    bets: dict[Course, Bets] = {}
    for (moment, _), following in here.items():
        if takes(moment, following):
            bet = at[moment]
            for course in following:
                earlier = bets.get(course, ())
                stake = largest_room(terms.limits, bet.odds, [(stake, odds) for stake, odds, _ in earlier])
                bets[course] = (*earlier, (stake, bet.odds, bet.sign(course)))
    for course, ways in courses.items():
        yield course, bets.get(course, ()), ways


def _insured_bet(
    hand: Hand,
    bet: str,
    habit: Habit,
    nets: Mapping[Result | None, Fraction],
    taken: Mapping[tuple[Result | None, Bets], int],
    sample_space: int,
) -> InsuredBet:
    total = square = insurance = staked = ZERO
    insured = 0
    for (ended, bets), ways in taken.items():
        net = nets[ended]
        won = sum((stake * (odds.net if sign > 0 else sign) for stake, odds, sign in bets), ZERO)
        stakes = sum((stake for stake, _, _ in bets), ZERO)
        total += ways * (net + won)
        square += ways * (net + won) ** 2
        insurance += ways * won
        staked += ways * stakes
        insured += ways if stakes else 0
    mean = total / sample_space
    return InsuredBet(
        hand=hand,
        bet=bet,
        habit=habit,
        mean=mean,
        variance=square / sample_space - mean**2,
        insurance_mean=insurance / sample_space,
        insurance_staked=staked / sample_space,
        insured=Fraction(insured, sample_space),
    )
