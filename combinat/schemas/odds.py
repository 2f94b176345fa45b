"""The shapes of what is said of bets: odds, comparisons, closed forms, effects of removal, odds that are sought."""

from typing import Literal, NotRequired, TypedDict

from combinat.schemas.common import OfGame, Shoe
from combinat.schemas.texts import Count, Exact, Id, Integer, OddsText, RankText, Words


class ComparedBet(TypedDict):
    """A bet and its house edge in every game, null where it is not offered."""

    id: Id
    house_edge: list[Exact | None]


class Compare(OfGame):
    """House edges of several games side by side."""

    schema: Literal["combinat/compare/1"]
    games: list[Id]
    shoe: Shoe
    bets: list[ComparedBet]


class ClosedForm(TypedDict):
    """A function of the number of decks; coefficients lowest power first."""

    name: Words
    numerator: list[Integer]
    denominator: list[Integer]
    factored: Words
    latex: Words
    limit: Exact
    values: dict[Count, Exact]


class Formula(OfGame):
    """Closed forms in the number of decks, and where the first of them is smallest and largest."""

    schema: Literal["combinat/formula/1"]
    game: Id
    of: Id
    formulas: list[ClosedForm]
    house_edge_smallest_at: NotRequired[int]
    house_edge_largest_at: NotRequired[int]
    probability_smallest_at: NotRequired[int]
    probability_largest_at: NotRequired[int]
    checked_at_decks: list[int]


class OfRemoval(TypedDict):
    """What the expected value changes by when cards are gone; of two at once, how far that is from their sum."""

    removed: list[RankText]
    change: Exact
    linear_error: NotRequired[Exact]


class RemovalOf(TypedDict):
    """The effects on a bet or an insurance state; ``matter_most``: the ranks whose removal matters most."""

    id: Words
    expected_value: Exact
    effects: list[OfRemoval]
    matter_most: list[RankText]


class Removal(OfGame):
    """Effects of removing cards."""

    schema: Literal["combinat/removal/1"]
    game: Id
    shoe: Shoe
    effects: list[RemovalOf]


class Figures(TypedDict):
    """What a bet comes to."""

    house_edge: Exact
    hit_frequency: Exact


class WantedEdge(TypedDict):
    """The house edge that is wanted."""

    house_edge: Exact


class WantedHit(TypedDict):
    """How often the bet should win."""

    hit_frequency: Exact


class SolvedLine(TypedDict):
    """A line of the pay table: its odds now, and the profit to 1 that gives what is wanted."""

    name: Words
    now: OddsText
    net_now: Exact
    net: Exact


class Payable(Figures):
    """Odds near those that can be paid."""

    name: Words
    odds: list[OddsText]
    net: list[Exact]
    change: Exact


class Choice(Figures):
    """Which lines pay, and which come back."""

    paying: list[Words]
    returned: list[Words]


class _Solve(OfGame):
    schema: Literal["combinat/solve/1"]
    game: Id
    shoe: Shoe
    bet: Id
    now: Figures


class SolvedEdge(_Solve):
    """The odds at which a bet has a wanted edge; ``factor``: what all lines are multiplied by."""

    wanted: WantedEdge
    factor: Exact | None
    lines: list[SolvedLine]
    payable: list[Payable]


class SolvedHit(_Solve):
    """Which lines may pay so that a bet wins as often as is wanted.

    ``back_now``: the lines that come back now, which pay 1 to 1 where a choice has them pay.
    """

    wanted: WantedHit
    back_now: list[Words]
    choices: list[Choice]


Solve = SolvedEdge | SolvedHit
