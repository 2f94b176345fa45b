"""The shapes of what is said of insurance."""

from typing import Literal, NotRequired, TypedDict

from combinat.analysis.insurance_habits import Habit
from combinat.rules.table_of_play import Hand
from combinat.schemas.common import InsuranceChances, InsuranceFigures, OfGame, Shoe
from combinat.schemas.texts import Count, Exact, Id, RankText


class ByThirdCard(TypedDict):
    """A state with the points of the Player's third card known."""

    player_third: int
    probability: Exact
    wins: Exact | None
    pushes: Exact | None
    loses: Exact | None
    expected_value: Exact | None


class SeenCards(TypedDict):
    """A state with all cards on the table known."""

    player: list[RankText]
    banker: list[RankText]
    player_third: RankText | None
    probability: Exact
    expected_value: Exact


class CardsRange(TypedDict):
    """The worst and the best cards of a state; ``favourable``: how often they favour the player."""

    worst: SeenCards
    best: SeenCards
    favourable: Exact


class OfferedState(InsuranceFigures):
    """An insurance state that is offered."""

    third_cards: NotRequired[list[ByThirdCard]]
    range: NotRequired[CardsRange]


class HabitFigures(TypedDict):
    """What insurance comes to as a habit, for a unit on the hand."""

    hand: Hand
    habit: Habit
    insured: Exact
    insurance_staked: Exact
    insurance_expected_value: Exact
    insurance_edge: Exact | None
    expected_value: Exact
    variance: Exact
    cost_of_variance: Exact | None


class Insurance(OfGame):
    """The exact odds of every insurance state that is offered."""

    schema: Literal["combinat/insurance/1"]
    game: Id
    shoe: Shoe
    sample_space: Count
    states: list[OfferedState]
    not_offered: NotRequired[list[InsuranceChances]]
    summary: NotRequired[list[HabitFigures]]


class StatesOfDecks(TypedDict):
    """The states with so many decks."""

    decks: int
    shoe: Shoe
    states: list[InsuranceFigures]


class InsuranceByDecks(OfGame):
    """The insurance states by number of decks."""

    schema: Literal["combinat/insurance-by-decks/1"]
    game: Id
    decks: list[StatesOfDecks]
