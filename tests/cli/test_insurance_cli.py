"""``combinat insurance``: the JSON contract, every view in the five formats, other odds, the refusals."""

import csv
import io
import json
import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any, TypeVar

import pytest

from combinat import Game, Shoe, load_game
from combinat.analysis import exact_cards, insured
from combinat.analysis.insurance import StateAnalysis, by_third_card, insurance_analysis, not_offered
from combinat.engine.distribution import Distribution, falling
from combinat.engine.pairs import pair_distribution
from combinat.engine.walk import walk
from combinat.render.number import decimal, percent
from combinat.rules.insurance import State
from combinat.rules.round import Stage
from combinat.rules.table_of_play import Hand
from tests.conftest import Ran, Run
from tests.csv_columns import without_decimals
from tests.documents import COMMISSION_2013, COMMISSION_2024, NONCOMMISSION_2024, NONCOMMISSION_2025

WIDTH = 100
FORMATS = ("text", "markdown", "csv", "json", "latex")
INSURED = (COMMISSION_2013, COMMISSION_2024)  # the third, of 2024 too, has the same table: a test says so
STATES = {COMMISSION_2013: 73, COMMISSION_2024: 83}
RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]

Answer = TypeVar("Answer")

COUNTED, WALKED, LOADED = cache(pair_distribution), cache(walk), cache(load_game)
RANGES, INSURED_BETS = cache(exact_cards.state_ranges), insured.insured_bets


@cache
def habits(game: Game, shoe: Shoe) -> tuple[insured.InsuredBet, ...]:
    """Every habit of a game on a shoe."""
    return INSURED_BETS(game, shoe, WALKED(shoe))


def once(function: Callable[[Game, Distribution], Answer]) -> Callable[[Game, Distribution], Answer]:
    """The function, asked once for every game and every shoe that was counted."""
    kept: dict[tuple[Game, int], Answer] = {}

    def asked(game: Game, distribution: Distribution) -> Answer:
        key = game, id(distribution)  # ``COUNTED`` and ``WALKED`` keep them all
        if key not in kept:
            kept[key] = function(game, distribution)
        return kept[key]

    return asked


STATES_OF, NOT_OFFERED, THIRD_CARDS = once(insurance_analysis), once(not_offered), once(by_third_card)


@pytest.fixture(autouse=True)
def counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A shoe is counted and a game analysed on it once for all the commands of this page."""
    monkeypatch.setattr("combinat.cli.insurance.pair_distribution", COUNTED)
    monkeypatch.setattr("combinat.cli.insurance.insurance_analysis", STATES_OF)
    monkeypatch.setattr("combinat.cli.insurance.not_offered", NOT_OFFERED)
    monkeypatch.setattr("combinat.cli.insurance.by_third_card", THIRD_CARDS)
    monkeypatch.setattr("combinat.analysis.exact_cards.state_ranges", RANGES)
    monkeypatch.setattr("combinat.analysis.insured.insured_bets", lambda game, shoe, _: habits(game, shoe))


def worked(ran: Ran) -> str:
    """What a command printed that had nothing to complain of."""
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith("\n")
    assert not ran.out.endswith("\n\n")
    return ran.out


def loaded(run: Run, *arguments: str) -> dict[str, Any]:
    """The JSON that ``combinat insurance`` prints; no number in it is a float."""

    def refuse(text: str) -> None:
        raise AssertionError(f"the float {text} in JSON")

    printed = worked(run("insurance", *arguments, "--format", "json"))
    record: dict[str, Any] = json.loads(printed, parse_float=refuse)
    return record


def refused(run: Run, *arguments: str) -> str:
    """The one message of a command that could not be carried out."""
    ran = run("insurance", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert "Traceback" not in ran.err
    message, newline, rest = ran.err.partition("\n")
    assert (newline, rest) == ("\n", "")
    assert message.startswith("combinat: ")
    return message.removeprefix("combinat: ")


def state_of(entry: dict[str, Any]) -> State:
    """The state that an entry of the JSON is about."""
    totals = entry["player_points"], entry["banker_points"]
    return State(Hand(entry["side"]), Stage(entry["stage"]), *totals)


def by_state(record: dict[str, Any]) -> dict[State, dict[str, Any]]:
    """The entries of the JSON by state; each state once."""
    entries = {state_of(entry): entry for entry in record["states"]}
    assert len(entries) == len(record["states"])
    return entries


def analysed(game_id: str, shoe: Shoe) -> dict[State, StateAnalysis]:
    return {one.state: one for one in STATES_OF(LOADED(game_id), WALKED(shoe))}


def tables(text: str) -> list[list[list[str]]]:
    """The tables of a CSV output, their headers first; every row has its header's length."""
    parts = [list(csv.reader(io.StringIO(part))) for part in text.split("\n\n")]
    assert all(len(row) == len(table[0]) for table in parts for row in table)
    return parts


def markdown_tables(text: str) -> list[list[list[str]]]:
    """The tables of a Markdown output, their headers first, without what escapes markup."""
    parts: list[list[list[str]]] = []
    inside = False
    for line in text.splitlines():
        if line.startswith("|") and not inside:
            parts.append([])
        inside = line.startswith("|")
        if inside and not re.fullmatch(r"\|[:|-]+\|", line):
            parts[-1].append([re.sub(r"\\(.)", r"\1", cell.strip()) for cell in line[1:-1].split("|")])
    return parts


def text_rows(text: str) -> list[list[str]]:
    """The rows of the first table of a text output, split where two spaces are."""
    lines = iter(text.splitlines())
    for line in lines:
        if re.fullmatch(r"-+(  +-+)+", line):
            break
    rows = []
    for line in lines:
        if not line:
            break
        rows.append(re.split(r"  +", line.strip()))
    return rows


FRESH = Shoe.of_decks(8)
BANKER_6_5 = State(Hand.BANKER, Stage.FOUR_CARDS, 5, 6)  # Banker 6 against Player 5
PLAYER_6_5 = State(Hand.PLAYER, Stage.FOUR_CARDS, 6, 5)  # Player 6 against Banker 5

# ---------------------------------------------------------------- the contract

KEYS = [
    "side",
    "stage",
    "player_points",
    "banker_points",
    "odds",
    "pays_on_tie",
    "ways",
    "probability",
    "wins",
    "pushes",
    "loses",
    "expected_value",
    "house_edge",
    "variance",
    "fair_odds",
    "favours_player",
]
GIVEN = ("wins", "pushes", "loses", "expected_value", "house_edge", "variance")


@pytest.mark.parametrize("game_id", INSURED)
def test_the_json_of_a_game_is_the_contract(run: Run, game_id: str) -> None:
    record = loaded(run, game_id)
    assert list(record) == ["schema", "game", "shoe", "sample_space", "states"]
    assert (record["schema"], record["game"]) == ("combinat/insurance/1", game_id)
    assert record["shoe"] == {"size": 416, "cards": dict.fromkeys(RANKS, 32)}
    assert record["sample_space"] == "4998398275503360"
    assert len(record["states"]) == STATES[game_id]
    assert list(by_state(record)) == list(LOADED(game_id).offers)
    for entry in record["states"]:
        assert list(entry) == KEYS
        exact = [entry[key] for key in ("odds", "ways", "probability", "fair_odds", *GIVEN)]
        assert all(str(Fraction(value)) == value for value in exact), "in lowest terms"
        assert sum(Fraction(entry[key]) for key in ("wins", "pushes", "loses")) == 1
        value = Fraction(entry["odds"]) * Fraction(entry["wins"]) - Fraction(entry["loses"])
        assert Fraction(entry["expected_value"]) == value == -Fraction(entry["house_edge"])
        assert entry["favours_player"] is (value > 0)
        assert Fraction(entry["probability"]) == Fraction(int(entry["ways"]), int(record["sample_space"]))


@pytest.mark.parametrize(
    ("game_id", "options", "shoe"),
    [
        (COMMISSION_2013, ["--decks", "6"], Shoe.of_decks(6)),
        (COMMISSION_2013, ["--removed", "A A 10 K 9"], FRESH.minus("A A 10 K 9")),
        (COMMISSION_2013, ["--decks", "4", "--removed", "6 6 6"], Shoe.of_decks(4).minus("6 6 6")),
        (COMMISSION_2013, ["--cards", "A=2 3=1 5=2 6=3 K=4"], Shoe.parse("A=2 3=1 5=2 6=3 K=4")),
        (COMMISSION_2024, [], FRESH),
        (COMMISSION_2024, ["--cards", "A=2 3=1 5=2 6=3 K=4"], Shoe.parse("A=2 3=1 5=2 6=3 K=4")),
    ],
)
def test_the_json_is_the_analysis_of_the_shoe_that_is_asked_for(
    run: Run, game_id: str, options: list[str], shoe: Shoe
) -> None:
    record = loaded(run, game_id, *options)
    assert record["shoe"]["size"] == shoe.size
    assert list(record["shoe"]["cards"].values()) == list(shoe.counts)
    assert int(record["sample_space"]) == falling(shoe.size, 6)
    entries = by_state(record)
    for state, one in analysed(game_id, shoe).items():
        exact = (one.wins, one.pushes, one.loses, one.expected_value, one.house_edge, one.variance)
        assert [entries[state][key] for key in GIVEN] == [
            None if value is None else str(value) for value in exact
        ]
        assert entries[state]["ways"] == str(one.ways)
        assert entries[state]["odds"] == str(one.net)


def test_the_published_state_in_json(run: Run) -> None:
    """Banker 6 against Player 5 at 3 to 1, 8 decks: +8.4397 %."""
    assert by_state(loaded(run, COMMISSION_2013))[BANKER_6_5] == {
        "side": "banker",
        "stage": "four-cards",
        "player_points": 5,
        "banker_points": 6,
        "odds": "3",
        "pays_on_tie": [],
        "ways": "44856843337728",
        "probability": "459904/51247105",
        "wins": "681475277/2737844442",
        "pushes": "121504160/1368922221",
        "loses": "604453615/912614814",
        "expected_value": "38510831/456307407",
        "house_edge": "-38510831/456307407",
        "variance": "602868571625617700/208216449683063649",
        "fair_odds": "106668285/40086781",
        "favours_player": True,
    }


@pytest.mark.parametrize(
    ("game_id", "starred"),
    [
        (COMMISSION_2013, {(Hand.PLAYER, 9): 7}),
        (COMMISSION_2024, {(Hand.PLAYER, 9): 7, (Hand.BANKER, 0): 6}),
    ],
)
def test_starred_states_say_on_which_tie_they_pay(
    run: Run, game_id: str, starred: dict[tuple[Hand, int], int]
) -> None:
    ties: dict[tuple[Hand, int], int] = {}
    for state, entry in by_state(loaded(run, game_id)).items():
        if entry["pays_on_tie"]:
            assert state.stage is Stage.PLAYER_THIRD_CARD
            assert entry["pays_on_tie"] == [state.player_points]
            key = state.side, state.player_points
            ties[key] = ties.get(key, 0) + 1
    assert ties == starred


def test_what_cannot_arise_is_null(run: Run) -> None:
    """Kings and sixes: no hand ever has an odd total."""
    entries = by_state(loaded(run, COMMISSION_2013, "--cards", "K=8 6=8"))
    arise = {state for state, entry in entries.items() if entry["probability"] != "0"}
    assert len(entries) == 73
    assert all(state.player_points % 2 == state.banker_points % 2 == 0 for state in arise)
    assert State(Hand.PLAYER, Stage.FOUR_CARDS, 6, 0) in arise
    for state, entry in entries.items():
        assert {entry[key] is None for key in GIVEN} == {state not in arise}, state
        if state not in arise:
            assert (entry["ways"], entry["fair_odds"], entry["favours_player"]) == ("0", None, False)


def test_a_state_that_never_wins_has_no_fair_odds(run: Run) -> None:
    """Kings and sixes: with Player 6 against Banker 0 the Banker Hand ends on 0 or 6."""
    entry = by_state(loaded(run, COMMISSION_2013, "--cards", "K=8 6=8"))[
        State(Hand.PLAYER, Stage.FOUR_CARDS, 6, 0)
    ]
    assert (entry["wins"], entry["fair_odds"]) == ("0", None)
    assert Fraction(entry["loses"]) == Fraction(5, 12)  # a King: 5 of the 12 cards left


# ---------------------------------------------------------------- the plain table


@pytest.mark.parametrize("game_id", INSURED)
def test_the_text_is_one_line_a_state(run: Run, game_id: str) -> None:
    text = worked(run("insurance", game_id))
    rows = text_rows(text)
    assert len(rows) == STATES[game_id]
    for row, (state, one) in zip(rows, analysed(game_id, FRESH).items(), strict=True):
        stage = "4 cards" if state.stage is Stage.FOUR_CARDS else "3rd card"
        assert one.expected_value is not None
        assert one.fair_odds is not None
        sign = "+" if one.expected_value > 0 else ""
        assert row == [
            state.side,
            stage,
            str(state.player_points),
            str(state.banker_points),
            str(one.odds),
            *(percent(value) for value in (one.probability, one.wins, one.pushes, one.loses) if value is not None),
            f"{sign}{percent(one.expected_value)}",
            decimal(one.fair_odds, 3),
            "PLAYER" if one.favours_player else "house",
        ]  # fmt: skip


def test_the_head_of_the_text_counts_what_favours_the_player(run: Run) -> None:
    text = worked(run("insurance", COMMISSION_2013))
    assert text.startswith("Commission Baccarat with Insurance: Baccarat Insurance\n=====")
    assert "\nShoe: 8 decks, 416 cards\nFavourable to the player: 12 of 73 states\n" in text
    plus = worked(run("insurance", COMMISSION_2024))
    assert "\nFavourable to the player: none of 83 states\n" in plus


def test_a_state_that_cannot_arise_is_shown_as_never(run: Run) -> None:
    rows = text_rows(worked(run("insurance", COMMISSION_2013, "--cards", "K=8 6=8", "--wide")))
    assert ["player", "4 cards", "5", "4", "2 to 1", "0.0000", *["-"] * 5, "never"] in rows
    assert sum(row[-1] == "never" for row in rows) == 73 - 9


# ---------------------------------------------------------------- five formats, every view

# Of few ranks, so that it is counted quickly, and with as wide figures as a fresh shoe.
FEW = ["--cards", "A=32 4=32 6=32 7=32 9=32 K=128"]
FEW_RANKS = Shoe.parse(FEW[1])

VIEWS = {
    "plain": [],
    "by card": ["--by-card"],
    "range": ["--range", *FEW],
    "grid": ["--grid"],
    "summary": ["--summary", *FEW],
    "favourable": ["--favourable"],
    "decks": ["--decks", "7-8"],
    "pays": ["--pays", "banker:player-third-card:1-1=5 to 2"],
    "depleted": ["--removed", "A A 10 K 9 9 9", "--by-card", "--grid"],
}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("game_id", INSURED)
def test_every_view_fits_the_terminal(run: Run, game_id: str, view: str) -> None:
    printed = worked(run("insurance", game_id, *VIEWS[view]))
    if view == "decks":  # the heading of this view is the game's name and more
        printed = "\n".join(printed.splitlines()[2:])
    assert max(map(len, printed.splitlines())) <= WIDTH
    count = {"grid": 4, "summary": 2, "depleted": 5}.get(view, 1)
    if (game_id, view) == (COMMISSION_2024, "favourable"):  # there is none
        count = 0
    assert len(re.findall(r"^-+(?:  +-+)+$", printed, re.MULTILINE)) == count


@pytest.mark.parametrize("form", ["markdown", "csv", "json", "latex"])
@pytest.mark.parametrize("view", VIEWS)
def test_every_view_is_printed_in_every_format(run: Run, view: str, form: str) -> None:
    """For one hand at one moment: eleven states, of which none is favourable."""
    only = ["--hand", "banker", "--stage", "player-third-card"]
    if view == "favourable":
        only = ["--hand", "banker", "--stage", "four-cards"]
    count = 2 if view == "depleted" else 1
    if (form, count) == ("csv", 2):
        only += ["--part", "2"]
    printed = worked(run("insurance", COMMISSION_2013, *VIEWS[view], *only, "--format", form))
    match form:
        case "markdown":
            assert printed.startswith("# Commission Baccarat with Insurance: ")
            assert len(re.findall(r"^\|[:|-]+\|$", printed, re.MULTILINE)) == count
        case "csv":
            parts = tables(printed)
            assert len(parts) == 1
            assert all(len(table) > 1 for table in parts)
        case "latex":
            assert printed.count(r"\begin{tabular}") == printed.count(r"\end{tabular}") == count
            code = [line for line in printed.splitlines() if not line.startswith("% ")]
            assert not re.search(r"(?<!\\)%", "\n".join(code))
        case "json":
            schema = "insurance-by-decks" if view == "decks" else "insurance"
            assert json.loads(printed)["schema"] == f"combinat/{schema}/1"


@pytest.mark.parametrize("options", [["--by-card", "--grid"], ["--range", *FEW], ["--decks", "7-8"]])
def test_insurance_plus_is_one_table_in_both_documents(run: Run, options: list[str]) -> None:
    one, other = (loaded(run, game_id, *options) for game_id in (COMMISSION_2024, NONCOMMISSION_2024))
    assert one == {**other, "game": COMMISSION_2024}


@pytest.mark.parametrize("form", ["markdown", "latex"])
def test_the_table_is_the_same_for_people_in_every_format(run: Run, form: str) -> None:
    options = [COMMISSION_2013, "--hand", "player", "--stage", "four-cards"]
    printed = worked(run("insurance", *options, "-f", form))
    between, end = ("|", "|") if form == "markdown" else ("&", r"\\")
    lines = [line.strip().strip(end).strip() for line in printed.splitlines() if between in line]
    rows = [[cell.strip() for cell in line.split(between)] for line in lines]
    assert [row for row in rows if row[0] == "player"] == text_rows(worked(run("insurance", *options)))


def cell(value: object) -> str:
    """A value of the JSON as CSV has it."""
    if isinstance(value, list):
        return " ".join(map(str, value))
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def as_rows(records: list[dict[str, Any]]) -> list[list[str]]:
    """Records of the JSON as a table of CSV."""
    return [list(records[0]), *([cell(value) for value in record.values()] for record in records)]


def test_csv_says_what_json_says(run: Run) -> None:
    """A row for each record, every figure exact, with decimals beside it."""

    def printed(*options: str) -> list[list[str]]:
        (table,) = tables(worked(run("insurance", COMMISSION_2013, *options, "-f", "csv")))
        return without_decimals(table)

    def named(state: dict[str, Any]) -> dict[str, Any]:
        return {key: state[key] for key in ("side", "stage", "player_points", "banker_points")}

    assert printed() == as_rows(loaded(run, COMMISSION_2013)["states"])
    assert printed("--favourable") == as_rows(loaded(run, COMMISSION_2013, "--favourable")["states"])
    starred = printed("--hand", "player", "--stage", "player-third-card")
    assert {row[KEYS.index("pays_on_tie")] for row in starred[1:]} == {"", "9"}
    impossible = printed("--cards", "K=8 6=8")
    assert impossible == as_rows(loaded(run, COMMISSION_2013, "--cards", "K=8 6=8")["states"])
    summary = loaded(run, COMMISSION_2013, "--summary", *FEW)["summary"]
    assert printed("--summary", *FEW) == as_rows(summary)
    by_card = loaded(run, COMMISSION_2013, "--by-card")["states"]
    assert printed("--by-card") == as_rows(
        [{**named(state), **card} for state in by_card for card in state.get("third_cards", [])]
    )
    by_range = loaded(run, COMMISSION_2013, "--range", *FEW)["states"]
    assert printed("--range", *FEW) == as_rows(
        [
            {
                **named(state),
                "cards": which,
                **state["range"][which],
                "favourable": state["range"]["favourable"],
            }
            for state in by_range
            if "range" in state
            for which in ("worst", "best")
        ]
    )
    grid = loaded(run, COMMISSION_2013, "--grid")
    kept = list(grid["not_offered"][0])
    offered = [{key: state[key] for key in (*kept, "odds")} for state in grid["states"]]
    assert printed("--grid") == as_rows([*offered, *({**one, "odds": ""} for one in grid["not_offered"])])
    decks = loaded(run, COMMISSION_2013, "--decks", "7-8")["decks"]
    assert printed("--decks", "7-8") == as_rows(
        [{"decks": entry["decks"], **state} for entry in decks for state in entry["states"]]
    )


def test_several_views_are_printed_one_after_the_other(run: Run) -> None:
    views = ["--by-card", "--range", "--grid", "--summary"]
    words = ["insurance", COMMISSION_2013, *FEW, *views, "-f", "csv"]
    together = [table for part in range(1, 5) for table in tables(worked(run(*words, "--part", str(part))))]
    alone = [
        table
        for view in views
        for table in tables(worked(run("insurance", COMMISSION_2013, *FEW, view, "-f", "csv")))
    ]
    assert together == alone
    record = loaded(run, COMMISSION_2013, *FEW, *views)
    assert list(record)[-2:] == ["not_offered", "summary"]
    assert {"range", "third_cards"} <= record["states"][-1].keys()


# ---------------------------------------------------------------- which states


def test_favourable_lists_exactly_the_states_with_a_positive_value(run: Run) -> None:
    printed = worked(run("insurance", COMMISSION_2013, "--favourable"))
    assert "\nFavourable to the player: 12 states\n" in printed
    rows = text_rows(printed)
    assert [" ".join(row[:4]) for row in rows] == [
        "banker 4 cards 0 5",
        "banker 4 cards 0 6",
        "banker 4 cards 4 6",
        "banker 4 cards 5 6",
        "player 4 cards 6 0",
        "player 4 cards 6 5",
        "player 3rd card 5 0",
        "player 3rd card 5 1",
        "player 3rd card 5 2",
        "player 3rd card 6 0",
        "player 3rd card 6 1",
        "player 3rd card 6 5",
    ]
    assert {row[-1] for row in rows} == {"PLAYER"}
    assert rows[3][-3:] == ["+8.4397", "2.661", "PLAYER"]
    everything = by_state(loaded(run, COMMISSION_2013))
    favourable = by_state(loaded(run, COMMISSION_2013, "--favourable"))
    assert favourable == {
        state: entry for state, entry in everything.items() if Fraction(entry["expected_value"]) > 0
    }


def test_favourable_says_that_insurance_plus_has_none(run: Run) -> None:
    printed = worked(run("insurance", COMMISSION_2024, "--favourable"))
    assert "\nFavourable to the player: no state\n\nNo state to show.\n" in printed
    assert loaded(run, COMMISSION_2024, "--favourable")["states"] == []


@pytest.mark.parametrize(
    ("game_id", "counts"),
    [(COMMISSION_2013, (17, 13, 11, 32)), (COMMISSION_2024, (21, 13, 17, 32))],
)
def test_one_hand_or_one_moment_alone(run: Run, game_id: str, counts: tuple[int, int, int, int]) -> None:
    everything = by_state(loaded(run, game_id))
    listed = []
    for stage in Stage:
        for side in (Hand.BANKER, Hand.PLAYER):
            entries = by_state(loaded(run, game_id, "--hand", side, "--stage", stage))
            assert entries == {
                state: entry
                for state, entry in everything.items()
                if (state.side, state.stage) == (side, stage)
            }
            listed.append(len(entries))
    assert tuple(listed) == counts
    assert sum(counts) == len(everything)
    assert len(loaded(run, game_id, "--hand", "banker")["states"]) == counts[0] + counts[2]
    assert len(loaded(run, game_id, "--stage", "four-cards")["states"]) == counts[0] + counts[1]


# ---------------------------------------------------------------- the views


@pytest.mark.parametrize("game_id", INSURED)
def test_by_card_splits_the_states_after_the_third_card(run: Run, game_id: str) -> None:
    entries = by_state(loaded(run, game_id, "--by-card"))
    split: dict[State, list[int]] = {}
    for card in THIRD_CARDS(LOADED(game_id), WALKED(FRESH)):
        split.setdefault(card.analysis.state, []).append(card.player_third)
    for state, entry in entries.items():
        if state.stage is Stage.FOUR_CARDS:
            assert "third_cards" not in entry
            continue
        cards = entry["third_cards"]
        assert [card["player_third"] for card in cards] == sorted(split[state])
        assert sum(Fraction(card["probability"]) for card in cards) == Fraction(entry["probability"])
        for key in ("wins", "pushes", "loses", "expected_value"):
            average = sum(Fraction(card["probability"]) * Fraction(card[key]) for card in cards)
            assert average / Fraction(entry["probability"]) == Fraction(entry[key])


def test_by_card_in_text_is_a_line_for_each_third_card(run: Run) -> None:
    rows = text_rows(worked(run("insurance", COMMISSION_2013, "--by-card")))
    assert len(rows) == len(THIRD_CARDS(LOADED(COMMISSION_2013), WALKED(FRESH)))
    # Player 7 against Banker 6: the Banker Hand draws on a third card of 6 or 7 alone.
    here = [row for row in rows if row[:4] == ["player", "3rd card", "7", "6"]]
    assert [row[4] for row in here] == ["6", "7"]


@pytest.mark.parametrize("game_id", INSURED)
def test_the_grid_shows_every_total_of_every_hand_and_moment(run: Run, game_id: str) -> None:
    """A number: offered. o: a card is to come and nothing is offered. Blank: no card is to come."""
    game, states = LOADED(game_id), analysed(game_id, FRESH)
    live = {one.state for one in NOT_OFFERED(game, WALKED(FRESH))}
    grids = markdown_tables(worked(run("insurance", game_id, "--grid", "-f", "markdown")))
    order = [(table.side, table.stage) for table in game.insurance]
    assert len(grids) == len(order) == 4
    for (side, stage), (header, *rows) in zip(order, grids, strict=True):
        assert header == ["", *(f"B {banker}" for banker in range(10))]
        assert [row[0] for row in rows] == [f"Player {player}" for player in range(10)]
        for player, row in enumerate(rows):
            for banker, cell in enumerate(row[1:]):
                state = State(side, stage, player, banker)
                value = states[state].expected_value if state in states else None
                if value is None:
                    assert cell == ("o" if state in live else ""), state
                else:
                    assert cell == (f"[+{percent(value, 1)}]" if value > 0 else percent(value, 1)), state


def test_the_grid_names_its_hand_and_moment_and_explains_itself(run: Run) -> None:
    printed = worked(run("insurance", COMMISSION_2013, "--grid"))
    assert re.findall(r"^(.*): expected value in per cent$", printed, re.MULTILINE) == [
        "Banker Insurance after four cards",
        "Player Insurance after four cards",
        "Banker Insurance after the Player's third card",
        "Player Insurance after the Player's third card",
    ]
    assert "[+8.4]" in printed
    assert "[+n]: it favours the player. o: a card is to come but nothing is offered." in printed


@pytest.mark.parametrize("game_id", INSURED)
def test_the_grid_in_json_lists_what_is_not_offered(run: Run, game_id: str) -> None:
    record = loaded(run, game_id, "--grid")
    others = {one.state: one for one in NOT_OFFERED(LOADED(game_id), WALKED(FRESH))}
    assert [state_of(entry) for entry in record["not_offered"]] == list(others)
    assert not others.keys() & by_state(record).keys()
    keys = ["side", "stage", "player_points", "banker_points", "probability", "wins", "pushes", "loses", "fair_odds"]  # fmt: skip
    for entry in record["not_offered"]:
        one = others[state_of(entry)]
        assert list(entry) == keys
        exact = (one.probability, one.wins, one.pushes, one.loses, one.fair_odds)
        assert [entry[key] for key in keys[4:]] == [None if value is None else str(value) for value in exact]
    # 60 pairs of totals after four cards with a card to come (8 by 8 less the four of 6 and 7 on both sides),
    # and what is left after the third card, for either hand.
    live = [entry for entry in (*record["states"], *record["not_offered"]) if entry["side"] == "player"]
    assert sum(entry["stage"] == "four-cards" for entry in live) == 60


def test_the_range_in_text(run: Run) -> None:
    printed = worked(run("insurance", COMMISSION_2013, "--range", "--hand", "banker"))
    (row,) = [row for row in text_rows(printed) if row[:4] == ["banker", "4 cards", "5", "6"]]
    assert row[4:] == ["3 to 1", "2 3 v 2 4", "+5.402", "K 5 v 8 8", "+9.343", "0.0275", "100.00"]
    assert "K stands for any card worth 0" in " ".join(printed.split())


@pytest.mark.parametrize(
    ("game_id", "options", "shoe"), [(COMMISSION_2013, [], FRESH), (NONCOMMISSION_2024, FEW, FEW_RANKS)]
)
def test_the_range_in_json_is_the_analysis_by_exact_cards(
    run: Run, game_id: str, options: list[str], shoe: Shoe
) -> None:
    entries = by_state(loaded(run, game_id, "--range", *options))
    ranges = {span.state: span for span in RANGES(LOADED(game_id), shoe, WALKED(shoe).sample_space)}
    ranks = ["K", "A", *(str(points) for points in range(2, 10))]
    assert {state for state, entry in entries.items() if "range" in entry} == ranges.keys()
    for state, span in ranges.items():
        entry = entries[state]["range"]
        assert list(entry) == ["worst", "best", "favourable"]
        assert entry["favourable"] == str(span.favourable)
        for which, one in (("worst", span.worst), ("best", span.best)):
            third = one.seen.third
            assert entry[which] == {
                "player": [ranks[points] for points in one.seen.player],
                "banker": [ranks[points] for points in one.seen.banker],
                "player_third": None if third is None else ranks[third],
                "probability": str(one.analysis.probability),
                "expected_value": str(one.expected_value),
            }
        values = [
            Fraction(value) for value in (entry["worst"]["expected_value"], entry["best"]["expected_value"])
        ]
        assert values[0] <= Fraction(entries[state]["expected_value"]) <= values[1]  # fmt: skip


def test_the_range_leaves_out_what_cannot_arise(run: Run) -> None:
    entries = by_state(loaded(run, COMMISSION_2013, "--range", "--cards", "K=8 6=8"))
    assert sum("range" in entry for entry in entries.values()) == 9
    for entry in entries.values():
        assert ("range" in entry) == (entry["expected_value"] is not None)
    rows = text_rows(worked(run("insurance", COMMISSION_2013, "--range", "--cards", "K=8 6=8")))
    assert len(rows) == 9


def test_the_summary_in_json_is_every_habit_on_either_hand(run: Run) -> None:
    game_id, options, shoe = NONCOMMISSION_2024, FEW, FEW_RANKS
    record = loaded(run, game_id, "--summary", *options)["summary"]
    bets = habits(LOADED(game_id), shoe)
    assert [(entry["hand"], entry["habit"]) for entry in record] == [
        (hand, habit)
        for hand in ("player", "banker")
        for habit in (
            *("never", "always", "favourable-by-totals", "favourable-by-cards"),
            *("best-by-totals", "best-by-cards"),
        )
    ]
    plain = json.loads(worked(run("odds", game_id, *options, "-f", "json")))["bets"]
    for entry, bet in zip(record, bets, strict=True):
        assert list(entry) == [
            "hand", "habit", "insured", "insurance_staked", "insurance_expected_value", "insurance_edge",
            "expected_value", "variance", "cost_of_variance",
        ]  # fmt: skip
        exact = (
            bet.insured,
            bet.insurance_staked,
            bet.insurance_mean,
            bet.insurance_edge,
            bet.mean,
            bet.variance,
        )
        assert list(entry.values())[2:8] == [None if value is None else str(value) for value in exact]  # fmt: skip
        if entry["habit"] == "never":
            (bare,) = [one for one in plain if one["id"] == entry["hand"]]
            assert (entry["expected_value"], entry["variance"]) == (bare["expected_value"], bare["variance"])
            never = entry
        removed = Fraction(never["variance"]) - Fraction(entry["variance"])
        cost = (Fraction(never["expected_value"]) - bet.mean) / removed if removed > 0 else None
        assert entry["cost_of_variance"] == (None if cost is None else str(cost))


def test_the_summary_in_text(run: Run) -> None:
    printed = worked(run("insurance", COMMISSION_2013, "--summary"))
    assert re.findall(r"^A unit on (.*)$", printed, re.MULTILINE) == ["player", "banker"]
    assert text_rows(printed) == [
        ["never", "0.000", "0.000000", "0.000000", "-", "-1.2351", "0.95115", "-"],
        ["always", "26.881", "0.078789", "-0.005651", "7.172", "-1.8002", "0.87445", "0.04035"],
        ["favourable by totals", "6.043", "0.024057", "0.000067", "-0.278", "-1.2284", "0.92944", "-0.00164"],
        ["favourable by cards", "5.171", "0.020116", "0.000150", "-0.744", "-1.2201", "0.93283", "-0.00433"],
        ["best by totals", "5.963", "0.023315", "0.000076", "-0.327", "-1.2275", "0.92994", "-0.00191"],
        ["best by cards", "5.171", "0.020116", "0.000150", "-0.744", "-1.2201", "0.93283", "-0.00433"],
    ]


def test_the_summary_of_one_hand(run: Run) -> None:
    record = loaded(run, COMMISSION_2013, *FEW, "--summary", "--hand", "banker")
    assert {entry["hand"] for entry in record["summary"]} == {"banker"}


# ---------------------------------------------------------------- other odds


@pytest.mark.parametrize(
    ("name", "state"),
    [
        ("banker:four-cards:6-5", BANKER_6_5),
        ("player:four-cards:6-5", PLAYER_6_5),
        ("player:player-third-card:9-4", State(Hand.PLAYER, Stage.PLAYER_THIRD_CARD, 9, 4)),
        ("banker:player-third-card:4-3", State(Hand.BANKER, Stage.PLAYER_THIRD_CARD, 3, 4)),
    ],
)
def test_other_odds_of_one_state_name_the_insured_hand_first(run: Run, name: str, state: State) -> None:
    before, after = (
        by_state(loaded(run, COMMISSION_2013, *options)) for options in ([], ["--pays", f"{name}=5 to 2"])
    )
    assert after[state]["odds"] == "5/2"
    wins, loses = Fraction(before[state]["wins"]), Fraction(before[state]["loses"])
    assert Fraction(after[state]["expected_value"]) == Fraction(5, 2) * wins - loses
    assert {one for one in before if after[one] != before[one]} == {state}


@pytest.mark.parametrize(
    ("name", "states"),
    [
        ("banker:four-cards:6-*", {(player, 6) for player in range(6)}),
        ("banker:four-cards:*-5", {(5, 6), (5, 7)}),
        ("player:four-cards:*-5", {(6, 5), (7, 5)}),
        ("banker:four-cards:*-*", {(p, 5) for p in range(5)} | {(p, b) for p in range(6) for b in (6, 7)}),
    ],
)
def test_a_star_stands_for_any_total(run: Run, name: str, states: set[tuple[int, int]]) -> None:
    entries = by_state(loaded(run, COMMISSION_2013, "--pays", f"{name}=0.95 to 1"))
    changed = {state for state, entry in entries.items() if entry["odds"] == "19/20"}
    side = Hand(name.partition(":")[0])
    assert changed == {State(side, Stage.FOUR_CARDS, player, banker) for player, banker in states}


def test_several_other_odds_the_last_word_counts(run: Run) -> None:
    every, one = "banker:four-cards:*-*=1 to 1", "banker:four-cards:6-5=7 to 2"
    entries = by_state(loaded(run, COMMISSION_2013, "--pays", every, "--pays", one))
    assert entries[BANKER_6_5]["odds"] == "7/2"
    others = [
        entry
        for state, entry in entries.items()
        if (state.side, state.stage) == (Hand.BANKER, Stage.FOUR_CARDS) and state != BANKER_6_5
    ]
    assert {entry["odds"] for entry in others} == {"1"}


def test_other_odds_hold_in_every_view(run: Run) -> None:
    pays = ["--pays", "banker:four-cards:6-5=5 to 2"]
    rows = text_rows(worked(run("insurance", COMMISSION_2013, *pays)))
    assert ["banker", "4 cards", "5", "6", "5 to 2"] in [row[:5] for row in rows]
    small = text_rows(
        worked(run("insurance", COMMISSION_2013, "--cards", "2=9 3=9 5=9 6=9 K=9", "--range", *pays))
    )
    assert ["banker", "4 cards", "5", "6", "5 to 2"] in [row[:5] for row in small]
    assert "[+8.4]" not in worked(run("insurance", COMMISSION_2013, "--grid", *pays))
    favourable = by_state(loaded(run, COMMISSION_2013, "--favourable", *pays))
    assert len(favourable) == 11
    assert BANKER_6_5 not in favourable
    by_decks = loaded(run, COMMISSION_2013, "--decks", "7-8", *pays)["decks"]
    assert [by_state(entry)[BANKER_6_5]["odds"] for entry in by_decks] == ["5/2", "5/2"]


@pytest.mark.parametrize(
    "name",
    [
        "banker",
        "banker:four-cards",
        "banker:four-cards:6",
        "banker:four-cards:65",
        "banker:four-cards:6-5-4",
        "banker:four-cards:10-5",
        "banker:four-cards:-",
        "banker:four-cards:٦-5",
        "banker:river:6-5",
        "tie:four-cards:6-5",
        "Banker:four-cards:6-5",
        "*:four-cards:6-5",
        "banker@four-cards:6-5",
        " banker:four-cards:6-5",
    ],
)
def test_a_state_that_cannot_be_read_is_refused(run: Run, name: str) -> None:
    message = refused(run, COMMISSION_2013, "--pays", f"{name}=5 to 2")
    assert message.startswith(f'--pays: found "{name}"; write HAND:STAGE:OWN-OTHER')
    assert message.endswith('such as "banker:four-cards:6-5"')


@pytest.mark.parametrize("name", ["banker:four-cards:5-6", "player:four-cards:8-*", "banker:four-cards:*-8"])
def test_a_state_that_is_not_offered_has_no_other_odds(run: Run, name: str) -> None:
    assert refused(run, COMMISSION_2013, "--pays", f"{name}=5 to 2") == (
        f'--pays: "{name}" is no state that {COMMISSION_2013} offers; combinat insurance lists them'
    )


@pytest.mark.parametrize("odds", ["5:2", "5/2", "5", "0 to 1", "-1 to 1", "five to two", "5 to 2 "])
def test_odds_that_cannot_be_read_are_refused(run: Run, odds: str) -> None:
    message = refused(run, COMMISSION_2013, "--pays", f"banker:four-cards:6-5={odds}")
    assert message.startswith(f'--pays banker:four-cards:6-5: found "{odds}"; ')
    assert "rite the profit to a stake, such as" in message


def test_insurance_that_pays_nothing_is_refused(run: Run) -> None:
    message = refused(run, COMMISSION_2013, "--pays", "banker:four-cards:6-5=push")
    assert message.startswith("--pays")
    assert 'such as "5 to 2"' in message


def test_the_odds_of_a_state_are_given_once(run: Run) -> None:
    pays = ["--pays", "banker:four-cards:6-5=5 to 2", "--pays", "banker:four-cards:6-5=2 to 1"]
    assert refused(run, COMMISSION_2013, *pays) == (
        '--pays: "banker:four-cards:6-5" is given twice; write it once'
    )


# ---------------------------------------------------------------- several numbers of decks


def test_insurance_plus_by_number_of_decks_in_json(run: Run) -> None:
    game_id = COMMISSION_2024
    record = loaded(run, game_id, "--decks", "4-10")
    assert list(record) == ["schema", "game", "decks"]
    assert (record["schema"], record["game"]) == ("combinat/insurance-by-decks/1", game_id)
    assert [entry["decks"] for entry in record["decks"]] == list(range(4, 11))
    for entry in record["decks"]:
        assert list(entry) == ["decks", "shoe", "states"]
        assert entry["shoe"]["size"] == 52 * entry["decks"]
        assert not any(state["favours_player"] for state in entry["states"])
    assert record["decks"][4]["states"] == loaded(run, game_id)["states"]


def test_numbers_of_decks_that_the_document_does_not_allow_are_warned_of(run: Run) -> None:
    ran = run("insurance", COMMISSION_2013, "--decks", "4-10", "--favourable")
    assert ran.code == 0
    assert ran.err == (
        f"combinat: warning: {COMMISSION_2013} allows 4 to 8 decks (2.2.1); 9, 10 are analysed all the same\n"
    )
    rows = text_rows(ran.out)
    assert len(rows) == 12
    best = ["banker", "4 cards", "5", "6", "3 to 1"]
    assert [*best, "+8.599*", "+8.535*", "+8.492*", "+8.462*", "+8.440*", "+8.422*", "+8.408*"] in rows
    assert "* The state favours the player.\n" in ran.out


def test_by_number_of_decks_a_star_marks_what_favours_the_player(run: Run) -> None:
    (table,) = markdown_tables(worked(run("insurance", COMMISSION_2013, "--decks", "4-8", "-f", "markdown")))
    assert table[0] == ["hand", "stage", "P", "B", "pays", "4", "5", "6", "7", "8"]
    assert len(table) == 1 + 73
    starred = [row for row in table[1:] if any("*" in cell for cell in row[5:])]
    assert len(starred) == 12
    assert all(cell.startswith("+") and cell.endswith("*") for row in starred for cell in row[5:])
    assert not any(cell.startswith("+") for row in table[1:] if row not in starred for cell in row[5:])


def test_by_number_of_decks_no_state_of_insurance_plus_is_favourable(run: Run) -> None:
    printed = worked(run("insurance", COMMISSION_2024, "--decks", "4-10", "--favourable"))
    assert "\nNo state favours the player at any of these numbers of decks.\n" in printed


def test_by_number_of_decks_one_hand_at_one_moment(run: Run) -> None:
    options = ["--decks", "7-8", "--hand", "player", "--stage", "four-cards"]
    record = loaded(run, COMMISSION_2013, *options)["decks"]
    assert [len(entry["states"]) for entry in record] == [13, 13]


@pytest.mark.parametrize(
    "options",
    [["--by-card"], ["--range"], ["--grid"], ["--summary"], ["--removed", "A"], ["--cards", "A=31"]],
)
def test_several_numbers_of_decks_go_with_no_other_view(run: Run, options: list[str]) -> None:
    assert refused(run, COMMISSION_2013, "--decks", "4-8", *options) == (
        "--decks with a range goes with --hand, --stage, --favourable, --pays, --reading and --format alone"
    )


@pytest.mark.parametrize("decks", ["10-4", "0-3", "1-101"])
def test_a_range_of_decks_that_is_none_is_refused(run: Run, decks: str) -> None:
    assert refused(run, COMMISSION_2013, "--decks", decks) == (
        f'--decks: found "{decks}"; write 1 or more decks, the fewest first, such as 4-10 or 4,6,8, at most 100 of them, up to 999999 decks'
    )


@pytest.mark.parametrize("decks", ["0", "-1", "8.5", "eight", "4-", "4–10", ""])
def test_a_number_of_decks_that_is_none_is_refused(run: Run, decks: str) -> None:
    assert refused(run, COMMISSION_2013, f"--decks={decks}") == (
        f'--decks: found "{decks}"; write a whole number of 1 or more, such as 8, up to 999999'
    )


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize("options", [[], ["--grid"], ["--decks", "4-10"], ["--format", "json"]])
def test_a_game_without_insurance_says_so(run: Run, options: list[str]) -> None:
    assert refused(run, NONCOMMISSION_2025, *options) == (
        f"{NONCOMMISSION_2025} offers no insurance: there is nothing to analyse"
    )


@pytest.mark.parametrize("options", [["--decks", "8"], ["--removed", "A"]])
def test_all_that_is_left_goes_with_no_other_shoe(run: Run, options: list[str]) -> None:
    assert refused(run, COMMISSION_2013, "--cards", "A=31", *options) == (
        "--cards says all that is left; it does not go with --decks or --removed"
    )


@pytest.mark.parametrize(
    "arguments", [["--hand", "tie"], ["--stage", "river"], ["--format", "xml"], ["--pays"], ["--favorable"]]
)
def test_an_option_that_cannot_be_read_leaves_with_2_and_no_traceback(run: Run, arguments: list[str]) -> None:
    ran = run("insurance", COMMISSION_2013, *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert "Traceback" not in ran.err
    assert arguments[0] in ran.err
