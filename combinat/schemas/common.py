"""What many documents hold: a shoe, an insurance state, and what is said of the game that was asked about."""

from typing import Literal, NotRequired, TypedDict

from combinat.rules.round import Stage
from combinat.rules.table_of_play import Hand
from combinat.schemas.texts import Count, Exact, Id, OddsText, RankText


class Shoe(TypedDict):
    """The cards left to deal, as a count for each rank."""

    size: int
    cards: dict[RankText, int]


class OfGame(TypedDict):
    """What is said of a game that is not as its document has it; the last two where a bet stays after a tie."""

    readings: NotRequired[list[Id]]
    pays: NotRequired[dict[str, list[OddsText]]]
    until_decided: NotRequired[list[Id]]
    of_one_round: NotRequired[list[Id]]


class InsuranceState(TypedDict):
    """The moment at which an insurance bet is offered."""

    side: Hand
    stage: Stage
    player_points: int
    banker_points: int


class InsuranceChances(InsuranceState):
    """How an insurance bet ends, given that its state is reached; null where it cannot be."""

    probability: Exact
    wins: Exact | None
    pushes: Exact | None
    loses: Exact | None
    fair_odds: Exact | None


class InsuranceFigures(InsuranceChances):
    """An insurance state that is offered, and what the bet is worth there."""

    odds: Exact | None
    pays_on_tie: list[int]
    ways: Count
    expected_value: Exact | None
    house_edge: Exact | None
    variance: Exact | None
    favours_player: bool


class TwoHands(TypedDict):
    """The cards of both hands."""

    player: list[RankText]
    banker: list[RankText]


Result = Literal["won", "lost", "returned"]
