"""The exact analysis of insurance: what follows from every state at which it is offered."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from combinat.engine.distribution import Course, Distribution, result
from combinat.rules.bet import RETURNED
from combinat.rules.game import Game
from combinat.rules.insurance import Offer, Open, State
from combinat.rules.odds import Odds, PointSet
from combinat.rules.round import Stage
from combinat.rules.table_of_play import Hand

Moment = tuple[Stage, int, int]
"""A stage and both Point Totals at it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateAnalysis:
    """An insurance bet at one state, on one shoe. ``ways`` are those in which the offer is open.

    What is asked given that the state arose is None where it cannot arise.
    """

    state: State
    offer: Offer
    sample_space: int
    ways: int
    won: int
    lost: int

    @property
    def probability(self) -> Fraction:
        """How often a round comes to this state with the offer open."""
        return Fraction(self.ways, self.sample_space)

    @property
    def wins(self) -> Fraction | None:
        """Given the state, how often the insurance bet wins."""
        return self._given(self.won)

    @property
    def loses(self) -> Fraction | None:
        """Given the state, how often the insurance bet loses."""
        return self._given(self.lost)

    @property
    def pushes(self) -> Fraction | None:
        """Given the state, how often the insurance bet is returned: on other ties, and in void rounds."""
        return self._given(self.ways - self.won - self.lost)

    @property
    def expected_value(self) -> Fraction | None:
        """The mean net result per unit staked."""
        if self.wins is None or self.loses is None:
            return None
        return self.offer.odds.net * self.wins - self.loses

    @property
    def house_edge(self) -> Fraction | None:
        """What the house keeps on average."""
        return None if self.expected_value is None else -self.expected_value

    @property
    def variance(self) -> Fraction | None:
        """The variance of the net result."""
        if self.wins is None or self.loses is None or self.expected_value is None:
            return None
        return self.offer.odds.net**2 * self.wins + self.loses - self.expected_value**2

    @property
    def fair_odds(self) -> Fraction | None:
        """The profit to 1 at which neither side would gain; None: the bet never wins here."""
        return Fraction(self.lost, self.won) if self.won else None

    @property
    def favours_player(self) -> bool:
        """Whether a player gains by it on average."""
        odds = self.offer.odds.net
        return odds.numerator * self.won > odds.denominator * self.lost

    @property
    def favours_house(self) -> bool:
        """Whether the house gains by it on average."""
        odds = self.offer.odds.net
        return odds.numerator * self.won < odds.denominator * self.lost

    def _given(self, ways: int) -> Fraction | None:
        return Fraction(ways, self.ways) if self.ways else None


@cache
def moments(course: Course, opens: Open) -> tuple[Moment, ...]:
    """The moments of this course at which an offer listed for them is open."""
    known = opens is Open.WHENEVER_LISTED
    found: list[Moment] = []
    if known or course.player_third is not None or course.banker_third is not None or course.is_void:
        found.append((Stage.FOUR_CARDS, course.player, course.banker))
    if course.player_third is not None and (known or course.banker_third is not None or course.is_void):
        found.append((Stage.PLAYER_THIRD_CARD, (course.player + course.player_third) % 10, course.banker))
    return tuple(found)


class Verdicts:
    """How the insurance bet of one state ends on each course: settled once, then looked up."""

    def __init__(self, state: State, offer: Offer) -> None:
        self.state, self.offer = state, offer
        self._signs: dict[Course, int] = {}

    def sign(self, course: Course) -> int:
        """1: the bet wins; 0: it is returned; -1: it loses. A void round returns it."""
        found = self._signs.get(course)
        if found is None:
            net = RETURNED if course.is_void else self.offer.net(self.state.side, result(course))
            found = self._signs[course] = (net > RETURNED) - (net < RETURNED)
        return found

    def analysis(self, courses: Mapping[Course, int], sample_space: int) -> StateAnalysis:
        """The insurance bet over the courses that pass the state."""
        won = lost = 0
        for course, ways in courses.items():
            sign = self.sign(course)
            if sign > 0:
                won += ways
            elif sign < 0:
                lost += ways
        return StateAnalysis(
            state=self.state,
            offer=self.offer,
            sample_space=sample_space,
            ways=sum(courses.values()),
            won=won,
            lost=lost,
        )


def courses_by_moment(found: Distribution, opens: Open) -> dict[Moment, dict[Course, int]]:
    """The courses that pass each moment, with their ways."""
    by_moment: dict[Moment, dict[Course, int]] = {}
    for course, ways in found.by_points.items():
        for moment in moments(course, opens):
            by_moment.setdefault(moment, {})[course] = ways
    return by_moment


def insurance_analysis(game: Game, found: Distribution) -> tuple[StateAnalysis, ...]:
    """Every insurance state that the game offers, on the shoe whose rounds were counted."""
    if game.insurance_terms is None:
        return ()
    by_moment = courses_by_moment(found, game.insurance_terms.open)
    return tuple(
        Verdicts(state, offer).analysis(by_moment.get(state[1:], {}), found.sample_space)
        for state, offer in game.offers.items()
    )


def by_third_card(game: Game, found: Distribution) -> dict[State, dict[int, StateAnalysis]]:
    """Every state after the Player's third card, by the points of that card."""
    if game.insurance_terms is None:
        return {}
    by_moment = courses_by_moment(found, game.insurance_terms.open)
    split: dict[State, dict[int, StateAnalysis]] = {}
    for state, offer in game.offers.items():
        if state.stage is not Stage.PLAYER_THIRD_CARD:
            continue
        verdicts, by_card = Verdicts(state, offer), dict[int, dict[Course, int]]()
        for course, ways in by_moment.get(state[1:], {}).items():
            by_card.setdefault(course.player_third or 0, {})[course] = ways
        split[state] = {
            points: verdicts.analysis(courses, found.sample_space)
            for points, courses in sorted(by_card.items())
        }
    return split


EVEN = Offer(player_points=PointSet(range(10)), banker_points=PointSet(range(10)), odds=Odds.parse("1 to 1"))
"""The line by which a state that no table offers is judged: its fair odds do not depend on the odds."""


def not_offered(game: Game, found: Distribution) -> tuple[StateAnalysis, ...]:
    """The states in which a card is to come and the game offers nothing, as if at 1 to 1, ties returned."""
    if game.insurance_terms is None:
        return ()
    offers = game.offers
    states = (
        (State(side, *moment), courses)
        for moment, courses in sorted(courses_by_moment(found, game.insurance_terms.open).items())
        for side in Hand
    )
    return tuple(
        Verdicts(state, EVEN).analysis(courses, found.sample_space)
        for state, courses in states
        if state not in offers
    )
