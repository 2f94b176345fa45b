"""What is counted of a round: what a bet, a line of its pay table or an insurance state comes to on each path."""

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from combinat.analysis.insurance import StateBet, moments
from combinat.engine.distribution import Course, result, told_result
from combinat.engine.polynomial import Compiled, Route, by_first_four, by_points, by_rank
from combinat.rules.bet import Bet, Pay, possible_first_fours
from combinat.rules.game import Game
from combinat.rules.insurance import Offer, State
from combinat.rules.outcome import Outcome, Result
from combinat.rules.table_of_play import TableOfPlay


class Counted(NamedTuple):
    """Something that is counted: the level of the paths it is made of, and what each path adds to it."""

    compiled: Compiled
    value: Callable[[Route], int]


ANY_RESULT = Result(0, 0, 2, 2)
ANY_FIRST_FOUR = min(possible_first_fours())


class Column:
    """A figure that every outcome adds a whole number to, by the first of some lines whose facts are so.

    ``otherwise``: what an outcome adds that no line covers.
    """

    def __init__(self, lines: list[tuple[Pay, int]], otherwise: int) -> None:
        self.lines, self.otherwise = lines, otherwise
        self.looks_at_result = any(pay.looks_at_result for pay, _ in lines)
        self.looks_at_first_four = any(pay.looks_at_first_four for pay, _ in lines)
        self.looks_at_thirds = any(pay.looks_at_thirds for pay, _ in lines)
        self.looks_at_pair_ranks = any(pay.looks_at_pair_ranks for pay, _ in lines)

    @classmethod
    def of_bet(cls, bet: Bet, net: Callable[[Fraction], int]) -> "Column":
        """A whole number for each net result of a bet."""
        return cls([(pay, net(pay.odds.net)) for pay in bet.pays], net(bet.rest))

    @classmethod
    def of_line(cls, bet: Bet, number: int) -> "Column":
        """Whether a line of a bet's pay table is met."""
        return cls([(bet.pays[number], 1)], 0)

    @property
    def largest(self) -> int:
        """The most that an outcome adds, in size."""
        return max(abs(self.otherwise), *(abs(value) for _, value in self.lines))

    def value(self, outcome: Outcome) -> int:
        """What an outcome adds."""
        for pay, value in self.lines:
            if pay.covers(outcome):
                return value
        return self.otherwise

    def counted(self, table: TableOfPlay) -> Counted:
        """The column over the paths of the level that its lines name: by points unless they name pairs."""
        values: dict[Outcome, int] = {}

        def value(route: Route) -> int:
            outcome = outcome_of(route, thirds=self.looks_at_thirds)
            if outcome not in values:
                values[outcome] = self.value(outcome)
            return values[outcome]

        if not self.looks_at_first_four:
            return Counted(by_points(table), value)
        told = {"pair_ranks": True} if self.looks_at_pair_ranks else {}
        return Counted(by_rank(table, **told) if self.looks_at_result else by_first_four(**told), value)


def outcome_of(route: Route, *, thirds: bool = False) -> Outcome:
    """The outcome that a route comes to; where its level does not tell, any: it is not looked at."""
    result_of = told_result if thirds else result
    return Outcome(
        result_of(route.course) if route.course else ANY_RESULT, route.first_four or ANY_FIRST_FOUR
    )


def counted_bet(bet: Bet, unit: int, table: TableOfPlay) -> Counted:
    """The net result of a bet, in parts of ``unit``."""
    return Column.of_bet(bet, lambda net: int(net * unit)).counted(table)


def counted_line(bet: Bet, number: int, table: TableOfPlay) -> Counted:
    """How often a line of a bet's pay table is met."""
    return Column.of_line(bet, number).counted(table)


def counted_state(game: Game, state: State, offer: Offer | None, unit: int) -> Counted:
    """How often a state arises (no offer), or what its insurance bet comes to."""
    opens = game.insurance_terms.open if game.insurance_terms else None
    bet = StateBet(state, offer) if offer else None
    moment = state.moment

    def value(route: Route) -> int:
        if route.course is None or opens is None or moment not in moments(route.course, opens):
            return 0
        return state_net(bet, route.course, unit) if bet else 1

    return Counted(by_points(game.table_of_play), value)


def state_net(bet: StateBet, course: Course, unit: int) -> int:
    """What the insurance bet of a state comes to on a course that passes it, in parts of ``unit``."""
    sign = bet.sign(course)
    return int(bet.odds.net * unit) if sign > 0 else sign * unit
