"""Insurance in every format: JSON, the exact tables of CSV, and the views that can be asked for."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from combinat.analysis.insurance import StateAnalysis, ThirdCard
from combinat.base.number import exact
from combinat.render.blocks import Table
from combinat.render.text import table_of
from combinat.report.insurance import grid_blocks, range_blocks, rank_of, summary_blocks, third_card_table
from combinat.report.odds import shoe_json
from combinat.report.view import View, said_of_game, said_of_state, tables_of
from combinat.rules.game import Game
from combinat.rules.insurance import State
from combinat.rules.round import Stage
from combinat.rules.shoe import Shoe

if TYPE_CHECKING:  # views that only some ask for
    from combinat.analysis.exact_cards import SeenState, StateRange
    from combinat.analysis.insurance_habits import InsuredBet

JsonObject = dict[str, Any]

EXACT = (
    *(
        "odds",
        "probability",
        "wins",
        "pushes",
        "loses",
        "expected_value",
        "house_edge",
        "variance",
        "fair_odds",
    ),
    *("favourable", "insured", "insurance_staked", "insurance_expected_value", "insurance_edge"),
    "cost_of_variance",
)
"""The keys of exact figures, which have decimals beside them in CSV."""


def insurance_json(
    game: Game,
    shoe: Shoe,
    sample_space: int,
    states: Sequence[StateAnalysis],
    views: Sequence[View] = (),
) -> JsonObject:
    """The states under the schema ``combinat/insurance/1``."""
    return {
        "schema": "combinat/insurance/1",
        "game": game.id,
        "shoe": shoe_json(shoe),
        "sample_space": str(sample_space),
        "states": [{**state_json(state), **said_of_state(views, state.state)} for state in states],
        **said_of_game(views),
    }


def insurance_csv(states: Sequence[StateAnalysis], views: Sequence[View] = ()) -> tuple[Table, ...]:
    """The exact tables of the views asked for, or one of the states."""
    return tables_of(views) or (table_of([state_json(state) for state in states], EXACT),)


def decks_json(game: Game, states: Mapping[int, Sequence[StateAnalysis]]) -> JsonObject:
    """The states by number of decks, under the schema ``combinat/insurance-by-decks/1``."""
    return {
        "schema": "combinat/insurance-by-decks/1",
        "game": game.id,
        "decks": [
            {
                "decks": number,
                "shoe": shoe_json(Shoe.of_decks(number)),
                "states": [state_json(state) for state in listed],
            }
            for number, listed in states.items()
        ],
    }


def decks_csv(states: Mapping[int, Sequence[StateAnalysis]]) -> Table:
    """A line for each state and number of decks."""
    return table_of(
        [{"decks": number, **state_json(state)} for number, listed in states.items() for state in listed],
        EXACT,
    )


def state_json(state: StateAnalysis) -> JsonObject:
    """A state as the contract has it, with more."""
    return {
        **msgspec.structs.asdict(state.state),
        "odds": exact(state.net),
        "pays_on_tie": list(state.pays_on_tie),
        "ways": str(state.ways),
        "probability": str(state.probability),
        "wins": exact(state.wins),
        "pushes": exact(state.pushes),
        "loses": exact(state.loses),
        "expected_value": exact(state.expected_value),
        "house_edge": exact(state.house_edge),
        "variance": exact(state.variance),
        "fair_odds": exact(state.fair_odds),
        "favours_player": state.favours_player,
    }


def _of_states(records: Mapping[State, Sequence[JsonObject]]) -> Table:
    """Records of states as a table, the state first."""
    return table_of(
        [
            {**msgspec.structs.asdict(state), **record}
            for state, listed in records.items()
            for record in listed
        ],
        EXACT,
    )


def third_card_view(states: Sequence[StateAnalysis], third_cards: Sequence[ThirdCard]) -> View:
    """These states by the Player's third card, in every format."""
    records: dict[State, list[JsonObject]] = {
        state.state: [] for state in states if state.state.stage is Stage.PLAYER_THIRD_CARD
    }
    shown = [card for card in third_cards if card.analysis.state in records]
    for card in shown:
        records[card.analysis.state].append(third_card_json(card))
    return View(
        blocks=(third_card_table(shown),),
        tables=(_of_states(records),),
        of_state={state: {"third_cards": listed} for state, listed in records.items()},
    )


def third_card_json(card: ThirdCard) -> JsonObject:
    """A state with the Player's third card known."""
    state = card.analysis
    return {
        "player_third": card.player_third,
        "probability": str(state.probability),
        "wins": exact(state.wins),
        "pushes": exact(state.pushes),
        "loses": exact(state.loses),
        "expected_value": exact(state.expected_value),
    }


def range_view(states: Sequence[StateAnalysis], ranges: "Sequence[StateRange]") -> View:
    """The best and the worst exact cards of these states, in every format."""
    wanted = {state.state for state in states}
    shown = [span for span in ranges if span.state in wanted]
    return View(
        blocks=range_blocks(shown),
        tables=(_of_states({span.state: _range_rows(span) for span in shown}),),
        of_state={span.state: {"range": range_json(span)} for span in shown},
    )


def range_json(span: "StateRange") -> JsonObject:
    """The worst and the best exact cards of a state."""
    return {"worst": _seen(span.worst), "best": _seen(span.best), "favourable": str(span.favourable)}


def _range_rows(span: "StateRange") -> list[JsonObject]:
    record = range_json(span)
    return [
        {"cards": which, **record[which], "favourable": record["favourable"]} for which in ("worst", "best")
    ]


def _seen(state: "SeenState") -> JsonObject:
    seen = state.seen
    return {
        "player": [rank_of(points) for points in seen.player],
        "banker": [rank_of(points) for points in seen.banker],
        "player_third": None if seen.third is None else rank_of(seen.third),
        "probability": str(state.analysis.probability),
        "expected_value": str(state.expected_value),
    }


def grid_view(states: Sequence[StateAnalysis], not_offered: Sequence[StateAnalysis]) -> View:
    """Grids of both totals for the hands and stages of these states, in every format."""
    tables = {(state.state.side, state.state.stage) for state in states}
    others = [other for other in not_offered if (other.state.side, other.state.stage) in tables]
    offered = [{**not_offered_json(state), "odds": exact(state.net)} for state in states]
    rest = [{**not_offered_json(other), "odds": ""} for other in others]
    return View(
        blocks=grid_blocks(states, others),
        tables=(table_of([*offered, *rest], EXACT),),
        of_game={"not_offered": [not_offered_json(other) for other in others]},
    )


def not_offered_json(state: StateAnalysis) -> JsonObject:
    """A state as far as it does not hang on what a table offers."""
    record = state_json(state)
    figures = ("probability", "wins", "pushes", "loses", "fair_odds")
    return {**msgspec.structs.asdict(state.state), **{figure: record[figure] for figure in figures}}


def summary_view(states: Sequence[StateAnalysis], insured: "Sequence[InsuredBet]") -> View:
    """What insurance of the hands of these states comes to as a habit, in every format."""
    hands = {state.state.side for state in states}
    shown = [bet for bet in insured if bet.hand in hands]
    return View(
        blocks=summary_blocks(shown),
        tables=(table_of(summary_json(shown), EXACT),),
        of_game={"summary": summary_json(shown)},
    )


def summary_json(insured: "Sequence[InsuredBet]") -> list[JsonObject]:
    """What insurance comes to as a habit, per unit of the original bet."""
    return [
        {
            "hand": bet.hand,
            "habit": bet.habit,
            "insured": str(bet.insured),
            "insurance_staked": str(bet.insurance_staked),
            "insurance_expected_value": str(bet.insurance_mean),
            "insurance_edge": exact(bet.insurance_edge),
            "expected_value": str(bet.mean),
            "variance": str(bet.variance),
            "cost_of_variance": exact(bet.cost_of_variance),
        }
        for bet in insured
    ]
