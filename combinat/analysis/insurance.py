"""The exact analysis of insurance: what follows from every state at which it is offered."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from combinat.engine.distribution import Course, Distribution, result, summed
from combinat.rules.bet import LOST, RETURNED
from combinat.rules.game import Game
from combinat.rules.insurance import Offer, Open, State
from combinat.rules.round import Stage

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
        return self.expected_value is not None and self.expected_value > 0

    def _given(self, ways: int) -> Fraction | None:
        return Fraction(ways, self.ways) if self.ways else None


def moments(course: Course, opens: Open) -> Iterator[Moment]:
    """The moments of this course at which an offer listed for them is open."""
    known = opens is Open.WHENEVER_LISTED
    goes_on = course.player_third is not None or course.banker_third is not None or course.is_void
    if goes_on or known:
        yield Stage.FOUR_CARDS, course.player, course.banker
    if course.player_third is not None and (course.banker_third is not None or course.is_void or known):
        yield Stage.PLAYER_THIRD_CARD, (course.player + course.player_third) % 10, course.banker


def courses_by_moment(found: Distribution, opens: Open) -> dict[Moment, dict[Course, int]]:
    """The courses that pass each moment, with their ways."""
    by_moment: dict[Moment, dict[Course, int]] = {}
    for course, ways in found.by_points.items():
        for moment in moments(course, opens):
            by_moment.setdefault(moment, {})[course] = ways
    return by_moment


def state_analysis(
    state: State, offer: Offer, courses: Iterable[tuple[Course, int]], sample_space: int
) -> StateAnalysis:
    """The insurance bet on this line, over the courses that pass the state."""
    nets = summed((net(state, offer, course), ways) for course, ways in courses)
    return StateAnalysis(
        state=state,
        offer=offer,
        sample_space=sample_space,
        ways=sum(nets.values()),
        won=sum(ways for value, ways in nets.items() if value > RETURNED),
        lost=nets.get(LOST, 0),
    )


def net(state: State, offer: Offer, course: Course) -> Fraction:
    """The net result of the insurance bet on this course; a void round returns it."""
    return RETURNED if course.is_void else offer.net(state.side, result(course))


def insurance_analysis(game: Game, found: Distribution) -> tuple[StateAnalysis, ...]:
    """Every insurance state that the game offers, on the shoe whose rounds were counted."""
    if game.insurance_terms is None:
        return ()
    by_moment = courses_by_moment(found, game.insurance_terms.open)
    return tuple(
        state_analysis(state, offer, by_moment.get(state[1:], {}).items(), found.sample_space)
        for state, offer in game.offers.items()
    )
