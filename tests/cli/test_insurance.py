"""``combinat insurance``: the JSON contract, its views, CSV with the same figures, other odds.

Wrong options are in ``tests/refusals.toml``, texts and formats in ``tests/approved``, published figures in
``tests/analysis/test_insurance.py``.
"""

import json
from fractions import Fraction
from typing import Any

import msgspec
import pytest

import combinat
from combinat import Shoe, load_game
from combinat.analysis.insurance import insurance_analysis
from combinat.analysis.insurance_analysis import InsuranceAnalysis
from combinat.engine.distribution import falling
from combinat.engine.walk import walk
from combinat.report.analysis.insurance import INSURANCE
from combinat.rules.insurance import State
from combinat.rules.round import Stage
from combinat.rules.table_of_play import Hand
from tests.conftest import Run
from tests.csv_columns import csv_rows
from tests.documents import COMMISSION_2013, COMMISSION_2024
from tests.exact import exact

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
BANKER_6_5 = State(Hand.BANKER, Stage.FOUR_CARDS, 5, 6)  # Banker 6 against Player 5
FEW = ["--cards", "A=4 4=4 6=4 7=4 9=4 K=16"]  # of few ranks, so that it is counted quickly
EVEN = ["--cards", "K=8 6=8"]  # no hand ever has an odd total
VIEWS = ["--by-card", "--range", "--grid", "--summary"]


def asked(run: Run, *words: str) -> Any:
    """The JSON document that ``combinat insurance`` answers with."""
    return run("insurance", *words, "--format", "json").document()


def state_of(entry: Any) -> State:
    """The state that an entry of the JSON is about."""
    totals = entry["player_points"], entry["banker_points"]
    return State(Hand(entry["side"]), Stage(entry["stage"]), *totals)


def by_state(record: Any) -> dict[State, Any]:
    """The entries of the JSON by state; each state once."""
    entries = {state_of(entry): entry for entry in record["states"]}
    assert len(entries) == len(record["states"])
    return entries


# ---------------------------------------------------------------- the answers of the library

NAMED = ["side", "stage", "player_points", "banker_points"]
GIVEN = ["wins", "pushes", "loses", "expected_value", "house_edge", "variance"]
KEYS = [*NAMED, "odds", "pays_on_tie", "ways", "probability", *GIVEN, "fair_odds", "favours_player"]


def as_json(answer: InsuranceAnalysis) -> Any:
    return json.loads(msgspec.json.encode(INSURANCE.object(answer)))


@pytest.mark.parametrize(
    ("game_id", "words", "shoe"),
    [
        (COMMISSION_2013, ["--decks", "4", "--removed", "6 6 6"], Shoe.of_decks(4).minus("6 6 6")),
        (COMMISSION_2024, EVEN, Shoe.parse(EVEN[1])),
    ],
)
def test_the_json_contract(run: Run, game_id: str, words: list[str], shoe: Shoe) -> None:
    """The keys, and in them the analysis of the shoe; null where a state cannot arise."""
    record, game = asked(run, game_id, *words), load_game(game_id)
    assert list(record) == ["schema", "game", "shoe", "sample_space", "states"]
    assert (record["schema"], record["game"]) == ("combinat/insurance/1", game_id)
    assert record["shoe"] == {"size": shoe.size, "cards": dict(zip(RANKS, shoe.counts, strict=True))}
    assert record["sample_space"] == str(falling(shoe.size, 6))
    entries = by_state(record)
    assert list(entries) == list(game.offers)
    for one in insurance_analysis(game, walk(shoe)):
        entry = entries[one.state]
        assert list(entry) == KEYS
        figures = {"odds": one.net, "ways": one.ways, "probability": one.probability}
        figures |= {key: getattr(one, key) for key in (*GIVEN, "fair_odds")}
        assert {key: entry[key] and exact(entry[key]) for key in figures} == figures
        assert entry["favours_player"] is bool(one.expected_value and one.expected_value > 0)
        assert entry["pays_on_tie"] == list(one.pays_on_tie)


@pytest.mark.parametrize(
    ("words", "question"),
    [
        ([], {}),
        (["--favourable"], {"favourable": True}),
        (["--hand", "banker"], {"hand": "banker"}),
        (["--stage", "four-cards"], {"stage": "four-cards"}),
        (
            ["--hand", "player", "--stage", "player-third-card", *FEW],
            {"hand": "player", "stage": "player-third-card", "cards": FEW[1]},
        ),
        (["--summary", "--hand", "banker", *FEW], {"summary": True, "hand": "banker", "cards": FEW[1]}),
        (
            [*VIEWS, *EVEN],
            {**dict.fromkeys(("by_card", "ranges", "grid", "summary"), True), "cards": EVEN[1]},
        ),
    ],
)
def test_every_view_is_the_answer_of_the_library(
    run: Run, words: list[str], question: dict[str, Any]
) -> None:
    """Its figures are those that ``tests/analysis/test_insurance.py`` holds against dealt rounds."""
    record = asked(run, COMMISSION_2013, *words)
    assert record == as_json(combinat.insurance(COMMISSION_2013, **question))
    asked_for = {"side": question.get("hand"), "stage": question.get("stage")}
    for entry in record["states"]:
        assert all(value in (None, entry[key]) for key, value in asked_for.items())
        assert entry["favours_player"] or "favourable" not in question
    if "by_card" in question:
        by_card = {entry["stage"] for entry in record["states"] if "third_cards" in entry}
        assert by_card == {"player-third-card"}
        assert all(("range" in entry) == (entry["ways"] != "0") for entry in record["states"])


def test_insurance_by_number_of_decks(run: Run) -> None:
    record = asked(run, COMMISSION_2024, "--decks", "4-10")
    assert list(record) == ["schema", "game", "decks"]
    assert (record["schema"], record["game"]) == ("combinat/insurance-by-decks/1", COMMISSION_2024)
    assert [entry["decks"] for entry in record["decks"]] == list(range(4, 11))
    for entry in record["decks"]:
        assert list(entry) == ["decks", "shoe", "states"]
        assert entry["shoe"]["size"] == 52 * entry["decks"]
    assert record["decks"][4]["states"] == asked(run, COMMISSION_2024)["states"]


# ---------------------------------------------------------------- CSV


def as_cell(value: object) -> str:
    """A value of the JSON as CSV has it."""
    if isinstance(value, list):
        return " ".join(map(str, value))
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def test_csv_holds_the_figures_of_the_json(run: Run) -> None:
    """A row for each record; one table for each view that is asked for."""
    record = asked(run, COMMISSION_2013, *FEW, *VIEWS)
    assert list(record)[-2:] == ["not_offered", "summary"]
    plain, even = (asked(run, COMMISSION_2013, *words)["states"] for words in (FEW, EVEN))
    decks = asked(run, COMMISSION_2013, "--decks", "7-8")["decks"]
    names = [{key: state[key] for key in NAMED} for state in record["states"]]
    states = list(zip(names, record["states"], strict=True))
    by_card = [{**name, **card} for name, state in states for card in state.get("third_cards", [])]
    ranges = [(name, state["range"]) for name, state in states if "range" in state]
    by_range = [
        {**name, **span[end], "favourable": span["favourable"]}
        for name, span in ranges
        for end in ("worst", "best")
    ]
    grid = [*record["states"], *record["not_offered"]]
    for words, records in (
        (FEW, plain),
        (EVEN, even),
        (["--decks", "7-8"], [{"decks": one["decks"], **state} for one in decks for state in one["states"]]),
        *(
            ([*FEW, view], table)
            for view, table in zip(VIEWS, (by_card, by_range, grid, record["summary"]), strict=True)
        ),
    ):
        rows = csv_rows(run, "insurance", COMMISSION_2013, *words)
        shared = [name for name in rows[0] if name in records[0]]
        assert len(shared) > 5
        assert [[row[name] for name in shared] for row in rows] == [
            [as_cell(one.get(name)) for name in shared] for one in records
        ], words


# ---------------------------------------------------------------- other odds

FOUR_CARDS = {(player, banker) for player in range(6) for banker in (6, 7)} | {(p, 5) for p in range(5)}


@pytest.mark.parametrize(
    ("name", "states"),
    [
        ("banker:four-cards:6-5", {(5, 6)}),
        ("player:four-cards:6-5", {(6, 5)}),
        ("player:player-third-card:9-4", {(9, 4)}),
        ("banker:player-third-card:4-3", {(3, 4)}),
        ("banker:four-cards:6-*", {(player, 6) for player in range(6)}),
        ("banker:four-cards:*-5", {(5, 6), (5, 7)}),
        ("player:four-cards:*-5", {(6, 5), (7, 5)}),
        ("banker:four-cards:*-*", FOUR_CARDS),
    ],
)
def test_other_odds_name_the_insured_hand_first_and_a_star_is_any_total(
    run: Run, name: str, states: set[tuple[int, int]]
) -> None:
    side, stage, _ = name.split(":")
    chosen = {State(Hand(side), Stage(stage), *totals) for totals in states}
    words = ["--pays", f"{name}=5 to 2"]
    before, after = (by_state(asked(run, COMMISSION_2013, *more)) for more in ([], words))
    assert {state for state in before if after[state] != before[state]} == chosen
    for state in chosen:
        wins, loses = exact(before[state]["wins"]), exact(before[state]["loses"])
        assert after[state]["odds"] == "5/2"
        assert exact(after[state]["expected_value"]) == Fraction(5, 2) * wins - loses


def test_of_several_other_odds_the_last_word_counts_in_every_view(run: Run) -> None:
    words = ["--pays", "banker:four-cards:*-*=1 to 1", "--pays", "banker:four-cards:6-5=7 to 2"]
    records = [
        asked(run, COMMISSION_2013, *words),
        *asked(run, COMMISSION_2013, "--decks", "7-8", *words)["decks"],
    ]
    for record in records:
        odds = {(state.player_points, state.banker_points): entry["odds"]
                for state, entry in by_state(record).items()
                if (state.side, state.stage) == (Hand.BANKER, Stage.FOUR_CARDS)}  # fmt: skip
        assert odds == {**dict.fromkeys(FOUR_CARDS, "1"), (5, 6): "7/2"}
    worse = ["--pays", "banker:four-cards:6-5=5 to 2"]
    assert BANKER_6_5 not in by_state(asked(run, COMMISSION_2013, "--favourable", *worse))
    few = by_state(asked(run, COMMISSION_2013, "--cards", "2=9 3=9 5=9 6=9 K=9", "--range", *worse))[
        BANKER_6_5
    ]
    ends = [exact(few["range"][end]["expected_value"]) for end in ("worst", "best")]
    assert ends[0] <= exact(few["expected_value"]) <= ends[1]
