"""Insurance by the exact cards seen: which cards make a state best and worst for the player."""

from collections.abc import Container, Iterator
from dataclasses import dataclass
from fractions import Fraction

from combinat.analysis.insurance import Moment, StateAnalysis, Verdicts, moments
from combinat.engine.distribution import Course
from combinat.engine.seen import Seen, seen_openings
from combinat.rules.game import Game
from combinat.rules.insurance import Open, State
from combinat.rules.round import Stage
from combinat.rules.shoe import Shoe


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenState:
    """An insurance state met with these exact cards."""

    seen: Seen
    analysis: StateAnalysis

    @property
    def expected_value(self) -> Fraction:
        """The mean net result per unit staked, these cards being on the table."""
        one = self.analysis
        return (one.offer.odds.net * one.won - one.lost) / one.ways


@dataclass(frozen=True, slots=True, kw_only=True)
class StateRange:
    """An insurance state over all the exact cards that lead to it."""

    state: State
    worst: SeenState
    best: SeenState
    ways: int
    favourable_ways: int

    @property
    def favourable(self) -> Fraction:
        """Given the state, how often its exact cards favour the player."""
        return Fraction(self.favourable_ways, self.ways)


def seen_moments(
    shoe: Shoe, opens: Open, wanted: Container[Moment]
) -> Iterator[tuple[Seen, Moment, dict[Course, int]]]:
    """Every set of exact cards at one of these moments, with the courses that follow and their ways."""
    for seen, courses in seen_openings(shoe):
        here: dict[tuple[int | None, Moment], dict[Course, int]] = {}
        for course, ways in courses.items():
            for moment in moments(course, opens):
                if moment in wanted:
                    third = course.player_third if moment[0] is Stage.PLAYER_THIRD_CARD else None
                    here.setdefault((third, moment), {})[course] = ways
        for (third, moment), following in here.items():
            yield Seen(seen.player, seen.banker, third), moment, following


def state_ranges(game: Game, shoe: Shoe, sample_space: int) -> dict[State, StateRange]:
    """The range of every insurance state that can arise, over the exact cards seen."""
    if game.insurance_terms is None:
        return {}
    at: dict[Moment, list[Verdicts]] = {}
    for state, offer in game.offers.items():
        at.setdefault(state[1:], []).append(Verdicts(state, offer))
    met: dict[State, list[SeenState]] = {}
    for seen, moment, courses in seen_moments(shoe, game.insurance_terms.open, at):
        for verdicts in at[moment]:
            analysis = verdicts.analysis(courses, sample_space)
            met.setdefault(verdicts.state, []).append(SeenState(seen=seen, analysis=analysis))
    return {state: _range(state, met[state]) for state in game.offers if state in met}


def _range(state: State, met: list[SeenState]) -> StateRange:
    # Equal values are told apart by the cards, so that the same cards are named every time.
    ordered = sorted(met, key=lambda one: (one.expected_value, one.seen))
    return StateRange(
        state=state,
        worst=ordered[0],
        best=ordered[-1],
        ways=sum(one.analysis.ways for one in met),
        favourable_ways=sum(one.analysis.ways for one in met if one.analysis.favours_player),
    )
