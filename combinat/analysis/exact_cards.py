"""Insurance by the exact cards seen: which cards make a state best and worst for the player."""

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import itemgetter
from typing import ClassVar

from combinat.analysis.insurance import STATES, RoundsAhead, StateAnalysis, StateBet
from combinat.base.kinds import CARDS, COUNT, TEXT, percentage
from combinat.base.number import Whole
from combinat.base.relation import Field, Relation
from combinat.engine.walk import CardsOnTable, exact_openings
from combinat.rules.deal_space import Course
from combinat.rules.game import Game
from combinat.rules.insurance import Moment, Open, State
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
) -> Iterator[tuple[CardsOnTable, Moment, Mapping[Course, int]]]:
    """Every set of exact cards at one of these moments, with the courses that follow and their ways."""
    for seen, courses in exact_openings(shoe, table):
        ahead = RoundsAhead.of(courses, opens)
        if ahead.four_cards is not None and ahead.four_cards in wanted:
            yield seen, ahead.four_cards, courses
        for third, (moment, following) in ahead.by_third.items():
            if moment is not None and moment in wanted:
                yield CardsOnTable(seen.player, seen.banker, third), moment, following


def state_ranges(game: Game, shoe: Shoe, sample_space: int) -> tuple[StateRange, ...]:
    """The range of every insurance state that can arise, over the exact cards seen."""
    if game.insurance_terms is None:
        return ()
    at: dict[Moment, list[StateBet]] = {}
    for state, offer in game.offers.items():
        at.setdefault(state.moment, []).append(StateBet(state, offer))
    spans: dict[State, _Span] = {}
    for seen, moment, courses in seen_moments(shoe, game.table_of_play, game.insurance_terms.open, at):
        ways = sum(courses.values())
        for bet in at[moment]:
            spans.setdefault(bet.state, _Span(bet)).add(seen, courses, ways)
    return tuple(spans[state].range(sample_space) for state in game.offers if state in spans)


class _Span:
    """A state over the exact cards gone through so far: their ways, and the worst and the best of them."""

    def __init__(self, bet: StateBet) -> None:
        self.bet, self.ways, self.favourable_ways = bet, 0, 0
        self._ends: list[tuple[Fraction, CardsOnTable, Mapping[Course, int]]] = []

    def add(self, seen: CardsOnTable, courses: Mapping[Course, int], ways: int) -> None:
        """Count the courses that follow from these cards."""
        total = self.bet.total_net(courses)
        self.ways += ways
        self.favourable_ways += ways if total.numerator > 0 else 0
        # Equal values are ordered by the cards, so that the same cards are named every time.
        ordered = sorted([*self._ends, (total / ways, seen, courses)], key=itemgetter(0, 1))
        self._ends = [ordered[0], ordered[-1]]

    def range(self, sample_space: int) -> StateRange:
        """The range of the state."""
        worst, best = (
            SeenState(seen=seen, analysis=self.bet.analysis(courses, sample_space))
            for _, seen, courses in self._ends
        )
        return StateRange(
            state=self.bet.state,
            worst=worst,
            best=best,
            ways=Whole(self.ways),
            favourable_ways=Whole(self.favourable_ways),
        )
