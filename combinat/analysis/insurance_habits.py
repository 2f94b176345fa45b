"""Insurance as a habit: the cost or gain of a player who bets on a hand and insures it.

All figures are per unit of the original bet, within the document's own limits on insurance. A cap by the
table maximum is ignored, because it is not a share of the original bet.

The best stakes: a stake at the first offer may leave less room for the second, which may be the better one. After
the Player's third card the best stake is all that the limits leave where the offer favours the player, else nothing.
So the gain at both offers is a function of the first stake alone. Limits are straight lines and the room left is the
lowest of them, so the function has its highest value at nothing, at all, or where two limits cross.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import ClassVar, NamedTuple

from combinat.analysis.insurance import RoundsAhead, StateBet, courses_by_moment
from combinat.analysis.insurance_limits import in_force, least_room
from combinat.base.kinds import FRACTION, TEXT, decimal, percentage, root
from combinat.base.number import Root
from combinat.base.relation import Field, Relation
from combinat.engine.distribution import Distribution
from combinat.engine.walk import exact_openings
from combinat.rules.bet import RETURNED
from combinat.rules.deal_space import Course, result
from combinat.rules.game import Game
from combinat.rules.insurance import Base, InsuranceTerms, Limit, Moment, Per
from combinat.rules.odds import Odds
from combinat.rules.outcome import Result
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import Hand

ZERO, ONE = Fraction(0), Fraction(1)


class Habit(StrEnum):
    """When a player takes an insurance offer: to the remaining limit, or the best stakes over both offers."""

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
        """The house edge on the insurance stakes. None if nothing is staked."""
        return -self.insurance_mean / self.insurance_staked if self.insurance_staked else None


def insured_bets(game: Game, shoe: Shoe, distribution: Distribution) -> tuple[InsuredBet, ...]:
    """Return the result of every habit on either hand."""
    terms = game.insurance_terms
    if terms is None:
        return ()
    by_totals: dict[tuple[int, int], dict[Course, int]] = {}
    for course, ways in distribution.by_points.items():
        by_totals.setdefault((course.player, course.banker), {})[course] = ways
    by_cards = [courses for _, courses in exact_openings(shoe, game.table_of_play)] if shoe.size >= 4 else []
    known = (
        [RoundsAhead.of(courses, terms.open) for courses in by_totals.values()],
        [RoundsAhead.of(courses, terms.open) for courses in by_cards],
    )
    return tuple(
        insured_bet
        for hand in Hand
        if any(state.side is hand for state in game.offers)
        for insured_bet in _habits(game, terms, hand, distribution, *known)
    )


class InsuranceStakes(NamedTuple):
    """The stakes on insurance in a round: after four cards, and by the points of the Player's third card after it."""

    first: Fraction
    second: Mapping[int | None, Fraction]


Chooses = Callable[[RoundsAhead], InsuranceStakes]
"""The stake of a player, given the rounds that may follow."""


def _habits(
    game: Game,
    terms: InsuranceTerms,
    hand: Hand,
    distribution: Distribution,
    totals_known: Sequence[RoundsAhead],
    cards_known: Sequence[RoundsAhead],
) -> Iterator[InsuredBet]:
    """Yield the result of every habit on a hand; a player knows both totals after four cards, or the exact cards."""
    bet = game.bet_on(hand)
    if bet is None:
        return
    offers = HandOffers(game, terms, hand)
    following = courses_by_moment(game, distribution)
    by_totals = {
        moment for moment, offer in offers.at.items() if offer.total_net(following.get(moment, {})) > 0
    }
    habits: list[tuple[Habit, Sequence[RoundsAhead], Chooses]] = [
        (Habit.NEVER, totals_known, lambda ahead: InsuranceStakes(ZERO, {})),
        (Habit.ALWAYS, totals_known, lambda ahead: offers.to_the_limit(ahead, lambda *_: True)),
        (
            Habit.BY_TOTALS,
            totals_known,
            lambda ahead: offers.to_the_limit(ahead, lambda moment, _: moment in by_totals),
        ),
        (Habit.BY_CARDS, cards_known, lambda ahead: offers.to_the_limit(ahead, offers.favours_player)),
        (Habit.BEST_BY_TOTALS, totals_known, offers.best),
        (Habit.BEST_BY_CARDS, cards_known, offers.best),
    ]
    nets: dict[Result | None, Fraction] = {None: RETURNED}
    nets |= {ended: bet.result_net(ended) for ended in distribution.results}
    uninsured: InsuredBet | None = None  # the first habit takes no insurance
    for habit, rounds, chooses in habits:
        ended = offers.results(rounds, chooses)
        insured_bet = _insured_bet(hand, bet.id, habit, nets, ended, distribution.sample_space)
        uninsured = uninsured or insured_bet
        removed = uninsured.variance - insured_bet.variance
        cost = (uninsured.mean - insured_bet.mean) / removed if removed > 0 else None
        yield replace(insured_bet, cost_of_variance=cost)


EndedRound = tuple[Result | None, Fraction, Fraction, int]
"""The result of a round (None: void), the stakes on insurance, their net result, and the ways."""


class HandOffers:
    """The insurance offers on one hand of a game, by moment, within the limits of its terms."""

    def __init__(self, game: Game, terms: InsuranceTerms, hand: Hand) -> None:
        self.limits = terms.limits
        self.at = {
            state.moment: StateBet(state, offer) for state, offer in game.offers.items() if state.side is hand
        }
        self._rooms: dict[tuple[Odds, Odds | None, Fraction], Fraction] = {}

    def room(self, odds: Odds, stake: Fraction = ZERO, earlier: Odds | None = None) -> Fraction:
        """Return the largest stake at these odds after an earlier stake; a unit if there is no limit."""
        key = odds, earlier, stake
        if key not in self._rooms:
            staked = [(stake, earlier)] if stake and earlier is not None else []
            room = least_room(self.limits, odds, staked)
            self._rooms[key] = room.stake if room else ONE
        return self._rooms[key]

    def favours_player(self, moment: Moment, courses: Mapping[Course, int]) -> bool:
        """Whether a unit staked gains on average over these courses."""
        return self.at[moment].total_net(courses) > 0

    def to_the_limit(
        self, ahead: RoundsAhead, takes: Callable[[Moment, Mapping[Course, int]], bool]
    ) -> InsuranceStakes:
        """Return stakes up to the limits at every offer taken."""
        first, odds = ZERO, None
        if ahead.four_cards in self.at and takes(ahead.four_cards, ahead.courses):
            odds = self.at[ahead.four_cards].odds
            first = self.room(odds)
        second = {
            third: self.room(self.at[moment].odds, first, odds)
            for third, (moment, courses) in ahead.by_third.items()
            if moment in self.at and takes(moment, courses)
        }
        return InsuranceStakes(first, second)

    def best(self, ahead: RoundsAhead) -> InsuranceStakes:
        """Return the stakes with the largest gain; of equally good first stakes the smallest."""
        later = {
            third: (self.at[moment].odds, gain)
            for third, (moment, courses) in ahead.by_third.items()
            if moment in self.at and (gain := self.at[moment].total_net(courses)) > 0
        }
        first, odds = ZERO, None
        if ahead.four_cards in self.at:
            offer = self.at[ahead.four_cards]
            odds, gain = offer.odds, offer.total_net(ahead.courses)
            # An earlier stake never leaves more room, so a first offer without gain is not taken.
            first = self._best_first(odds, gain, list(later.values())) if gain > 0 else ZERO
        return InsuranceStakes(
            first, {third: self.room(other, first, odds) for third, (other, _) in later.items()}
        )

    def _best_first(self, odds: Odds, gain: Fraction, later: Sequence[tuple[Odds, Fraction]]) -> Fraction:
        most = self.room(odds)
        if not later:
            return most

        def expected_gain(stake: Fraction) -> Fraction:
            return gain * stake + sum(
                (other_gain * self.room(other, stake, odds) for other, other_gain in later), ZERO
            )

        crossings = {
            stake
            for other in {other for other, _ in later}
            for stake in _crossings(self.limits, odds, other)
            if ZERO < stake < most
        }
        return max(sorted({ZERO, most} | crossings), key=expected_gain)

    def results(self, rounds: Sequence[RoundsAhead], chooses: Chooses) -> Iterator[EndedRound]:
        """Yield every result of a round with the stakes on insurance, their net result, and the ways."""
        alike: dict[tuple[Moment | None, Fraction, Moment | None, Fraction], dict[Course, int]] = {}
        for ahead in rounds:
            stakes = chooses(ahead)
            for third, (moment, courses) in ahead.by_third.items():
                second = stakes.second.get(third, ZERO)
                taken = (
                    ahead.four_cards if stakes.first else None,
                    stakes.first,
                    moment if second else None,
                    second,
                )
                ways_of = alike.setdefault(taken, {})
                for course, ways in courses.items():
                    ways_of[course] = ways_of.get(course, 0) + ways
        for (four_cards, first, after_third, second), courses in alike.items():
            ends: dict[tuple[int, int, Result | None], int] = {}
            for course, ways in courses.items():
                key = (
                    self.at[four_cards].sign(course) if four_cards else 0,
                    self.at[after_third].sign(course) if after_third else 0,
                    None if course.is_void else result(course),
                )
                ends[key] = ends.get(key, 0) + ways
            for (sign, later, ended), ways in ends.items():
                won = first * self._net(four_cards, sign) + second * self._net(after_third, later)
                yield ended, first + second, won, ways

    def _net(self, moment: Moment | None, sign: int) -> Fraction:
        return self.at[moment].odds.net if moment and sign > 0 else Fraction(sign)


def _crossings(limits: Sequence[Limit], odds: Odds, other: Odds) -> Iterator[Fraction]:
    """Return the first stakes at which two limits leave the same room for the second stake."""
    lines = []
    for limit in in_force(limits):
        if limit.of is Base.ORIGINAL_BET and limit.applies_to(other):
            each = limit.amount(ONE, other)
            counts = limit.per is Per.ROUND and limit.applies_to(odds)
            lines.append((limit.share.part / each, limit.amount(ONE, odds) / each if counts else ZERO))
    for (most, slope), (other_most, other_slope) in combinations(lines, 2):
        if slope != other_slope:
            yield (most - other_most) / (slope - other_slope)


def _insured_bet(
    hand: Hand,
    bet: str,
    habit: Habit,
    nets: Mapping[Result | None, Fraction],
    results: Iterable[EndedRound],
    sample_space: int,
) -> InsuredBet:
    total = square = insurance = staked = ZERO
    insured = 0
    for ended, stakes, won, ways in results:
        net = nets[ended]
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
