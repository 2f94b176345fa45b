"""``insurance``: the exact odds of every insurance state of a game on a shoe; the best and the worst exact cards."""

from collections.abc import Container, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from combinat.analysis.insurance import (
    STATES,
    RoundsAhead,
    StateAnalysis,
    StateBet,
    ThirdCard,
    bets_by_moment,
    by_third_card,
    insurance_analysis,
    not_offered,
)
from combinat.base.errors import InputError
from combinat.base.kinds import CARDS, COUNT, TEXT, percentage
from combinat.base.number import Whole
from combinat.base.relation import Field, Relation
from combinat.base.tabular import Listing
from combinat.engine.pairs import pair_distribution
from combinat.engine.walk import CardsOnTable, exact_openings
from combinat.rules.converters import GameGiven, ShoeGiven, as_choice, as_game, as_shoe
from combinat.rules.deal_space import Course
from combinat.rules.game import Game
from combinat.rules.insurance import Moment, Open, State
from combinat.rules.round import Stage
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import Hand, TableOfPlay

if TYPE_CHECKING:
    from combinat.analysis.insurance_habits import InsuredBet
else:
    InsuredBet = Any  # imported at run time by its user; ``help`` reads annotations


class SeenState(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """An insurance state reached with these exact cards."""

    FIGURES: ClassVar = ("expected_value",)

    seen: CardsOnTable
    analysis: StateAnalysis

    @cached_property
    def expected_value(self) -> Fraction:
        """The mean net result per unit staked, given these cards on the table."""
        return self.analysis.expected_value or Fraction(0)


def rank_of(points: int) -> str:
    """Return the rank that represents all cards worth this number of points."""
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


class StateRange(msgspec.Struct, frozen=True, kw_only=True, dict=True):
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
    """Yield every set of exact cards at one of these moments, with the courses that follow and their ways."""
    for seen, courses in exact_openings(shoe, table):
        ahead = RoundsAhead.of(courses, opens)
        if ahead.four_cards is not None and ahead.four_cards in wanted:
            yield seen, ahead.four_cards, courses
        for third, (moment, following) in ahead.by_third.items():
            if moment is not None and moment in wanted:
                yield CardsOnTable(seen.player, seen.banker, third), moment, following


def state_ranges(game: Game, shoe: Shoe, sample_space: int) -> tuple[StateRange, ...]:
    """Return the range of every insurance state that can arise, over the exact cards on the table."""
    if game.insurance_terms is None:
        return ()
    at = bets_by_moment(game)
    spans: dict[State, _Span] = {}
    for seen, moment, courses in seen_moments(shoe, game.table_of_play, game.insurance_terms.open, at):
        ways = sum(courses.values())
        for bet in at[moment]:
            spans.setdefault(bet.state, _Span(bet)).add(seen, courses, ways)
    return tuple(spans[state].range(sample_space) for state in game.offers if state in spans)


class _Span:
    """A state over the exact cards added so far: their ways, and the worst and the best of them."""

    def __init__(self, bet: StateBet) -> None:
        self.bet, self.ways, self.favourable_ways = bet, 0, 0
        self._ends: list[tuple[Fraction, CardsOnTable, Mapping[Course, int]]] = []

    def add(self, seen: CardsOnTable, courses: Mapping[Course, int], ways: int) -> None:
        """Count the courses that follow from these cards."""
        total = self.bet.total_net(courses)
        self.ways += ways
        self.favourable_ways += ways if total.numerator > 0 else 0
        # Ties between equal values are broken by the cards, so that the result is deterministic.
        ordered = sorted([*self._ends, (total / ways, seen, courses)], key=itemgetter(0, 1))
        self._ends = [ordered[0], ordered[-1]]

    def range(self, sample_space: int) -> StateRange:
        """Return the range of the state."""
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


# ---------------------------------------------------------------- the question


class InsuranceAnalysis(Listing[StateAnalysis], msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """Insurance states of a game on one shoe, exactly.

    Iterating gives the states; ``analysis["banker:four-cards:6-5"]`` is one of them, the insured hand's points first.
    ``third_cards``, ``ranges``, ``not_offered`` and ``summary`` are None unless requested from ``insurance``.
    """

    RELATION: ClassVar = STATES
    LISTED: ClassVar = "states"

    game: Game
    shoe: Shoe
    sample_space: int
    states: tuple[StateAnalysis, ...]
    favourable: bool = False
    third_cards: tuple[ThirdCard, ...] | None = None
    ranges: tuple[StateRange, ...] | None = None
    not_offered: tuple[StateAnalysis, ...] | None = None
    summary: tuple[InsuredBet, ...] | None = None

    def __repr__(self) -> str:
        return f"<InsuranceAnalysis of {self.game.id} on {self.shoe.in_short}: {len(self.states)} states>"


def insurance(
    game: GameGiven,
    shoe: ShoeGiven | None = None,
    *,
    decks: int | None = None,
    removed: str | None = None,
    cards: str | None = None,
    hand: str | None = None,
    stage: str | None = None,
    favourable: bool = False,
    by_card: bool = False,
    ranges: bool = False,
    grid: bool = False,
    summary: bool = False,
) -> InsuranceAnalysis:
    """Return every insurance state of a game on a shoe: its probability, and the expected value given the state.

    The shoe is stated as for ``odds``. ``hand``, ``stage`` and ``favourable`` (to the player) select states.
    On request the answer also has the states by the Player's third card (``by_card``), the best and the worst exact
    cards of each state (``ranges``), the states at which nothing is offered (``grid``), and the cost or gain of
    insurance as a habit (``summary``).

    >>> insurance("commission-insurance-2013")["banker:four-cards:5-0"]
    <StateAnalysis banker@four-cards, Player 0, Banker 5: 2 to 1, house edge -0.1185 %>
    """
    played = as_game(game)
    if played.insurance_terms is None:
        under = f" under {', '.join(played.provisos.readings)}" if played.document.insurance_terms else ""
        raise InputError(f"{played.id} offers no insurance{under}: there is nothing to analyse")
    if favourable and (grid or summary):
        raise InputError("a grid and a summary show every state", "leave out {favourable}")
    dealt_from = as_shoe(shoe, decks=decks, removed=removed, cards=cards)
    distribution = pair_distribution(dealt_from, played.table_of_play)
    hands = list(Hand) if hand is None else [as_choice("hand", hand, Hand)]
    stages = list(Stage) if stage is None else [as_choice("stage", stage, Stage)]
    states = tuple(
        one
        for one in insurance_analysis(played, distribution)
        if one.state.side in hands and one.state.stage in stages and (one.favours_player or not favourable)
    )
    chosen = {one.state for one in states}
    offered = {(state.side, state.stage) for state in chosen}
    more: dict[str, object] = {}
    if by_card:
        split = by_third_card(played, distribution)
        more["third_cards"] = tuple(card for card in split if card.analysis.state in chosen)
    if ranges:
        every = state_ranges(played, dealt_from, distribution.sample_space)
        more["ranges"] = tuple(one for one in every if one.state in chosen)
    if grid:
        others = not_offered(played, distribution)
        more["not_offered"] = tuple(one for one in others if (one.state.side, one.state.stage) in offered)
    if summary:
        from combinat.analysis.insurance_habits import insured_bets

        habits = insured_bets(played, dealt_from, distribution)
        more["summary"] = tuple(bet for bet in habits if bet.hand in {side for side, _ in offered})
    return InsuranceAnalysis(
        game=played,
        shoe=dealt_from,
        sample_space=distribution.sample_space,
        states=states,
        favourable=favourable,
        **more,  # type: ignore[arg-type]  # each of its own type
    )


def favourable_at_any(answers: Mapping[int, InsuranceAnalysis]) -> dict[int, InsuranceAnalysis]:
    """Return the answers for several numbers of decks, with only the states that favour the player in one."""
    kept = {one.state for answer in answers.values() for one in answer if one.favours_player}
    return {
        number: msgspec.structs.replace(answer, states=tuple(one for one in answer if one.state in kept))
        for number, answer in answers.items()
    }
