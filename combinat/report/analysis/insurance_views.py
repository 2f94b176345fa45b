"""Insurance in every format: JSON, the exact tables of CSV, and the views that can be asked for."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from combinat.analysis.exact_cards import RANGES, SEEN_STATES, SeenState, StateRange
from combinat.analysis.insurance import STATE, STATES, THIRD_CARDS, StateAnalysis, ThirdCard
from combinat.analysis.insurance_habits import INSURED_BETS, InsuredBet
from combinat.base.kinds import COUNT, TEXT
from combinat.base.relation import Document, Field, Many, Relation
from combinat.render.blocks import Table
from combinat.report.analysis.insurance import (
    STATES_BY_THIRD_CARD,
    grid_blocks,
    range_blocks,
    summary_blocks,
    third_card_table,
)
from combinat.report.analysis.odds import DECKS
from combinat.report.game_fields import GAME, SHOE
from combinat.report.relation_tables import program_table
from combinat.report.view import View, said_of_game, said_of_state, tables_of
from combinat.rules.game import Game
from combinat.rules.round import Stage
from combinat.rules.shoe import Shoe

OfferedState = tuple[StateAnalysis, Mapping[str, Any]]
"""A state, and what the views say of it, by key."""

OFFERED: Relation[OfferedState] = Relation(
    "offered states",
    *STATES.part(lambda row: row[0]),
    Field(
        *("third_cards", "third cards", Many(THIRD_CARDS), "The state by the Player's third card."),
        lambda row: row[1].get("third_cards"),
        may_be_absent=True,
    ),
    Field(
        *("range", "range", RANGES, "The worst and the best exact cards of the state."),
        lambda row: row[1].get("range"),
        may_be_absent=True,
    ),
)

CHANCES = (
    *("side", "stage", "player_points", "banker_points", "ways"),
    *("probability", "wins", "pushes", "loses", "fair_odds"),
)
NOT_OFFERED = STATES.select(*CHANCES)
"""States as far as they do not depend on an offer."""

GRID = STATES.select(*CHANCES, "odds")

Extreme = tuple[StateRange, str, SeenState]
"""The worst or the best cards of a state."""

EXTREMES: Relation[Extreme] = Relation(
    "extremes",
    *STATE.part(lambda row: row[0].state),
    Field("cards", "cards", TEXT, "Whether they are the worst or the best cards.", lambda row: row[1]),
    *SEEN_STATES.part(lambda row: row[2]),
    *RANGES.part(lambda row: row[0], "ways", "favourable_ways", "favourable", ways="state_ways"),
)

STATES_BY_DECKS: Relation[tuple[int, StateAnalysis]] = STATES.under(DECKS)


class InsuranceAsked(NamedTuple):
    """Insurance states on a shoe, and the views that were asked for."""

    game: Game
    shoe: Shoe
    sample_space: int
    states: Sequence[StateAnalysis]
    views: Sequence[View] = ()


INSURANCE: Document[InsuranceAsked] = Document(
    "combinat/insurance/1",
    "Exact odds of insurance: combinat insurance.",
    *GAME.part(lambda row: row.game),
    Field("shoe", "shoe", SHOE, "The shoe."),
    Field("sample_space", "card sequences", COUNT, "Ordered card sequences."),
    Field(
        *("states", "states", Many(OFFERED), "Every state that is offered."),
        lambda row: [(state, said_of_state(row.views, state.state)) for state in row.states],
    ),
    Field(
        *("not_offered", "not offered", Many(NOT_OFFERED), "The states at which nothing is offered."),
        lambda row: said_of_game(row.views).get("not_offered"),
        may_be_absent=True,
    ),
    Field(
        *("summary", "summary", Many(INSURED_BETS), "Insurance as a habit, per unit on the hand."),
        lambda row: said_of_game(row.views).get("summary"),
        may_be_absent=True,
    ),
)

DecksAsked = tuple[int, Sequence[StateAnalysis]]

STATES_OF_DECKS: Relation[DecksAsked] = Relation(
    "states of decks",
    *Relation("decks", DECKS).part(lambda row: row[0]),
    Field("shoe", "shoe", SHOE, "The shoe.", lambda row: Shoe.of_decks(row[0])),
    Field("states", "states", Many(STATES), "Every state that is offered.", lambda row: row[1]),
)

INSURANCE_BY_DECKS: Document[tuple[Game, Mapping[int, Sequence[StateAnalysis]]]] = Document(
    "combinat/insurance-by-decks/1",
    "Exact odds of insurance for several shoes: combinat insurance.",
    *GAME.part(lambda row: row[0]),
    Field(
        "decks",
        "decks",
        Many(STATES_OF_DECKS),
        "The states for each number of decks.",
        lambda row: list(row[1].items()),
    ),
)


def insurance_json(
    game: Game,
    shoe: Shoe,
    sample_space: int,
    states: Sequence[StateAnalysis],
    views: Sequence[View] = (),
) -> dict[str, Any]:
    """The states, and what the views say of them."""
    return INSURANCE.object(InsuranceAsked(game, shoe, sample_space, states, views))


def insurance_csv(states: Sequence[StateAnalysis], views: Sequence[View] = ()) -> tuple[Table, ...]:
    """The exact tables of the views asked for, or one of the states."""
    return tables_of(views) or (program_table(STATES, states),)


def decks_json(game: Game, states: Mapping[int, Sequence[StateAnalysis]]) -> dict[str, Any]:
    """The states by number of decks."""
    return INSURANCE_BY_DECKS.object((game, states))


def decks_csv(states: Mapping[int, Sequence[StateAnalysis]]) -> Table:
    """A line for each state and number of decks."""
    rows = [(number, state) for number, listed in states.items() for state in listed]
    return program_table(STATES_BY_DECKS, rows)


def third_card_view(states: Sequence[StateAnalysis], third_cards: Sequence[ThirdCard]) -> View:
    """These states by the Player's third card, in every format."""
    wanted = [state.state for state in states if state.state.stage is Stage.PLAYER_THIRD_CARD]
    shown = [card for card in third_cards if card.analysis.state in wanted]
    by_state = {state: [card for card in shown if card.analysis.state == state] for state in wanted}
    return View(
        blocks=(third_card_table(shown),),
        tables=(program_table(STATES_BY_THIRD_CARD, shown),),
        of_state={state: {"third_cards": cards} for state, cards in by_state.items()},
    )


def extremes(ranges: Sequence[StateRange]) -> list[Extreme]:
    """The worst and the best cards of each state."""
    return [(span, which, getattr(span, which)) for span in ranges for which in ("worst", "best")]


def range_view(states: Sequence[StateAnalysis], ranges: Sequence[StateRange]) -> View:
    """The best and the worst exact cards of these states, in every format."""
    wanted = {state.state for state in states}
    shown = [span for span in ranges if span.state in wanted]
    return View(
        blocks=range_blocks(shown),
        tables=(program_table(EXTREMES, extremes(shown)),),
        of_state={span.state: {"range": span} for span in shown},
    )


def grid_view(states: Sequence[StateAnalysis], not_offered: Sequence[StateAnalysis]) -> View:
    """Grids of both totals for the hands and stages of these states, in every format."""
    tables = {(state.state.side, state.state.stage) for state in states}
    others = [other for other in not_offered if (other.state.side, other.state.stage) in tables]
    return View(
        blocks=grid_blocks(states, others),
        tables=(program_table(GRID, [*states, *others]),),
        of_game={"not_offered": tuple(others)},
    )


def summary_view(states: Sequence[StateAnalysis], insured: Sequence[InsuredBet]) -> View:
    """What insurance of the hands of these states comes to as a habit, in every format."""
    hands = {state.state.side for state in states}
    shown = tuple(bet for bet in insured if bet.hand in hands)
    return View(
        blocks=summary_blocks(shown),
        tables=(program_table(INSURED_BETS, shown),),
        of_game={"summary": shown},
    )
