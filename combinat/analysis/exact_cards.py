"""Insurance by the exact cards seen: which cards make a state best and worst for the player."""

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

from combinat.analysis.figure import Whole
from combinat.analysis.insurance import STATES, StateAnalysis, StateBet, moments
from combinat.base.kinds import CARDS, COUNT, TEXT, percentage
from combinat.base.relation import Field, Relation
from combinat.engine.exact_openings import CardsOnTable, exact_openings
from combinat.rules.deal_space import Course
from combinat.rules.game import Game
from combinat.rules.insurance import Moment, Open, State
from combinat.rules.round import Stage
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import TableOfPlay


@dataclass(frozen=True, kw_only=True)
class SeenState:
    """An insurance state met with these exact cards."""

    FIGURES: ClassVar = ("expected_value",)

    seen: CardsOnTable
    analysis: StateAnalysis

    @cached_property
    def expected_value(self) -> Fraction:
        """The mean net result per unit staked, these cards being on the table."""
        return self.analysis.expected_value or Fraction(0)


def rank_of(points: int) -> str:
    """The rank that stands for all cards worth so much."""
    return {0: "K", 1: "A"}.get(points, str(points))


def _ranks(points: Iterable[int]) -> tuple[str, ...]:
    return tuple(map(rank_of, points))


SEEN_STATES: Relation[SeenState] = Relation(
    "seen states",
    Field(
        "player", "Player", CARDS, "The Player Hand's first two cards.", lambda met: _ranks(met.seen.player)
    ),
    Field(
        "banker", "Banker", CARDS, "The Banker Hand's first two cards.", lambda met: _ranks(met.seen.banker)
    ),
    Field(
        *("player_third", "Player's third", TEXT, "The Player's third card."),
        lambda met: None if met.seen.third is None else rank_of(met.seen.third),
        may_be_none=True,
    ),
    *STATES.part(lambda met: met.analysis, "ways", "probability", "wins", "pushes", "loses"),
    Field("expected_value", "EV %", percentage(3, signed=True), "Mean net result per unit staked."),
)
"""Insurance states with all cards on the table known, a row each; K stands for all cards worth 0."""


@dataclass(frozen=True, kw_only=True)
class StateRange:
    """An insurance state over all the exact cards that lead to it."""

    FIGURES: ClassVar = ("favourable",)

    state: State
    worst: SeenState
    best: SeenState
    ways: Whole
    favourable_ways: Whole

    @cached_property
    def favourable(self) -> Fraction:
        """Given the state, how often its exact cards favour the player."""
        return Fraction(self.favourable_ways, self.ways)


RANGES: Relation[StateRange] = Relation(
    "ranges",
    Field("worst", "worst cards", SEEN_STATES, "The cards that are worst for the player."),
    Field("best", "best cards", SEEN_STATES, "The cards that are best for the player."),
    Field("ways", "ways", COUNT, "Ordered card sequences that reach the state."),
    Field("favourable_ways", "favourable ways", COUNT, "Those whose exact cards favour the player."),
    Field(
        "favourable", "+EV %", percentage(2), "Given the state, probability of cards that favour the player."
    ),
)
"""Insurance states over all exact cards, a row each."""


def seen_moments(
    shoe: Shoe, table: TableOfPlay, opens: Open, wanted: Container[Moment]
) -> Iterator[tuple[CardsOnTable, Moment, dict[Course, int]]]:
    """Every set of exact cards at one of these moments, with the courses that follow and their ways."""
    for seen, courses in exact_openings(shoe, table):
        here: dict[tuple[int | None, Moment], dict[Course, int]] = {}
        for course, ways in courses.items():
            for moment in moments(course, opens):
                if moment in wanted:
                    third = course.player_third if moment.stage is Stage.PLAYER_THIRD_CARD else None
                    here.setdefault((third, moment), {})[course] = ways
        for (third, moment), following in here.items():
            yield CardsOnTable(seen.player, seen.banker, third), moment, following


def state_ranges(game: Game, shoe: Shoe, sample_space: int) -> tuple[StateRange, ...]:
    """The range of every insurance state that can arise, over the exact cards seen."""
    if game.insurance_terms is None:
        return ()
    at: dict[Moment, list[StateBet]] = {}
    for state, offer in game.offers.items():
        at.setdefault(state.moment, []).append(StateBet(state, offer))
    met: dict[State, list[SeenState]] = {}
    for seen, moment, courses in seen_moments(shoe, game.table_of_play, game.insurance_terms.open, at):
        for bet in at[moment]:
            analysis = bet.analysis(courses, sample_space)
            met.setdefault(bet.state, []).append(SeenState(seen=seen, analysis=analysis))
    return tuple(_range(state, met[state]) for state in game.offers if state in met)


def _range(state: State, met: list[SeenState]) -> StateRange:
    # Equal values are told apart by the cards, so that the same cards are named every time.
    ordered = sorted(met, key=lambda seen_state: (seen_state.expected_value, seen_state.seen))
    return StateRange(
        state=state,
        worst=ordered[0],
        best=ordered[-1],
        ways=Whole(sum(seen_state.analysis.ways for seen_state in met)),
        favourable_ways=Whole(
            sum(seen_state.analysis.ways for seen_state in met if seen_state.analysis.favours_player)
        ),
    )
