"""Other odds, several decks and several games in ``odds`` and ``insurance``, and warnings of decks.

That a command answers as the library does, in JSON and in CSV, is in ``test_questions.py``; wrong options are in
``tests/refusals.toml``, texts and formats in ``tests/approved``, figures in ``tests/analysis``.
"""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from combinat.rules.book.find import rule_book_paths
from combinat.rules.insurance import State
from combinat.rules.round import Stage
from combinat.rules.table_of_play import Hand
from tests.conftest import Run, asked
from tests.documents import COMMISSION_2013, COMMISSION_2024, NONCOMMISSION_2025

BANKER_6_5 = State(Hand.BANKER, Stage.FOUR_CARDS, 5, 6)  # Banker 6 against Player 5


# ---------------------------------------------------------------- other odds


def test_other_odds_are_named_and_change_that_bet_alone(run: Run) -> None:
    """Whether or not the bet is shown; odds are given line by line."""
    words = ["odds", NONCOMMISSION_2025, "--bet", "tiger", "--bet", "tie"]
    other = ["--pays", "tiger=13 to 1, 41 to 2", "--pays", "player=push"]
    before, after = (asked(run, *words, *more) for more in ([], other))
    assert after["pays"] == {"tiger": ["13 to 1", "41 to 2"], "player": ["push"]}
    assert "pays" not in before
    same, changed = ({bet["id"]: bet for bet in record["bets"]} for record in (before, after))
    assert changed["tie"] == same["tie"]
    lines = changed["tiger"]["outcomes"]
    assert [(line["net"], line["odds"]) for line in lines] == [
        ("13", "13 to 1"),
        ("41/2", "41 to 2"),
        ("-1", None),
    ]
    mean = sum(Fraction(line["net"]) * Fraction(line["probability"]) for line in lines)
    assert changed["tiger"]["expected_value"] == str(mean)
    by_decks = asked(run, *words, "--decks", "7-8", "--pays", "player=push")
    assert by_decks["pays"] == {"player": ["push"]}


def by_state(record: Any) -> dict[State, Any]:
    """The insurance states of a document."""
    totals = ("player_points", "banker_points")
    return {
        State(Hand(one["side"]), Stage(one["stage"]), *(one[key] for key in totals)): one
        for one in record["states"]
    }


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
    other = ["--pays", f"{name}=5 to 2"]
    before, after = (by_state(asked(run, "insurance", COMMISSION_2013, *more)) for more in ([], other))
    assert {state for state in before if after[state] != before[state]} == chosen
    for state in chosen:
        wins, loses = Fraction(before[state]["wins"]), Fraction(before[state]["loses"])
        assert after[state]["odds"] == "5/2"
        assert Fraction(after[state]["expected_value"]) == Fraction(5, 2) * wins - loses


def test_of_several_other_odds_the_last_word_counts_in_every_view(run: Run) -> None:
    words = ["--pays", "banker:four-cards:*-*=1 to 1", "--pays", "banker:four-cards:6-5=7 to 2"]
    records = [
        asked(run, "insurance", COMMISSION_2013, *words),
        *asked(run, "insurance", COMMISSION_2013, "--decks", "7-8", *words)["decks"],
    ]
    for record in records:
        odds = {(state.player_points, state.banker_points): entry["odds"]
                for state, entry in by_state(record).items()
                if (state.side, state.stage) == (Hand.BANKER, Stage.FOUR_CARDS)}  # fmt: skip
        assert odds == {**dict.fromkeys(FOUR_CARDS, "1"), (5, 6): "7/2"}
    worse = ["insurance", COMMISSION_2013, "--pays", "banker:four-cards:6-5=5 to 2"]
    assert BANKER_6_5 not in by_state(asked(run, *worse, "--favourable"))
    few = by_state(asked(run, *worse, "--cards", "2=9 3=9 5=9 6=9 K=9", "--range"))[BANKER_6_5]
    ends = [Fraction(few["range"][end]["expected_value"]) for end in ("worst", "best")]
    assert ends[0] <= Fraction(few["expected_value"]) <= ends[1]


# ---------------------------------------------------------------- several numbers of decks, several games


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["odds", NONCOMMISSION_2025, "--bet", "banker", "--bet", "tie"], "bets"),
        (["insurance", COMMISSION_2024], "states"),
    ],
    ids=["odds", "insurance"],
)
def test_a_range_of_decks_is_each_number_by_itself(run: Run, words: list[str], what: str) -> None:
    by_decks = asked(run, *words, "--decks", "4-6")["decks"]
    assert [one["decks"] for one in by_decks] == [4, 5, 6]
    assert [one[what] for one in by_decks] == [asked(run, *words, "--decks", n)[what] for n in "456"]


def test_a_difference_too_small_to_see_is_not_an_exact_0(run: Run, tmp_path: Path) -> None:
    mine = rule_book_paths()[COMMISSION_2013].read_text("utf-8")
    paths = [tmp_path / "tie-at-7.toml", tmp_path / "tie-at-8.toml"]
    for path, odds in zip(paths, ("7.999999 to 1", "8.000001 to 1"), strict=True):
        other = mine.replace('"8 to 1"', f'"{odds}"', 1).replace(f'"{COMMISSION_2013}"', f'"{path.stem}"')
        path.write_text(other, "utf-8")
    out = run("odds", COMMISSION_2013, *map(str, paths), "--format", "markdown").output()
    rows = [[cell.strip() for cell in line.split("|")] for line in out.splitlines() if "|" in line]
    differences = {row[1]: row[5:7] for row in rows}
    assert differences["player"] == ["0", "0"]
    assert differences["tie"] == ["+0.0000", "0.0000"]


# ---------------------------------------------------------------- warnings


@pytest.mark.parametrize(
    ("words", "outside"),
    [
        (["odds", COMMISSION_2013, "--decks", "3"], "3 is"),
        (["odds", COMMISSION_2013, "--decks", "12"], "12 is"),
        (["odds", COMMISSION_2013, "--decks", "1-4"], "1, 2, 3 are"),
        (["odds", COMMISSION_2013, "--decks", "3-9", "--format", "json"], "3, 9 are"),
        (["odds", COMMISSION_2013, "--decks", "9-9", "--format", "csv"], "9 is"),
        (["insurance", COMMISSION_2013, "--decks", "7-10", "--favourable"], "9, 10 are"),
        (["odds", COMMISSION_2013, NONCOMMISSION_2025, "--decks", "10"], "10 is"),
        (["odds", COMMISSION_2013, "--decks", "4-8"], ""),
        (["odds", COMMISSION_2013, "--cards", "A=9 K=9"], ""),
        (["odds", COMMISSION_2013, "--removed", "A"], ""),
    ],
)
def test_decks_that_the_document_does_not_allow_are_warned_of(
    run: Run, words: list[str], outside: str
) -> None:
    """In one line for all of them, for the games that do not allow them, and analysed all the same."""
    ran = run(*words)
    assert (ran.code, ran.out != "") == (0, True)
    warning = (
        f"combinat: warning: {COMMISSION_2013} allows 4 to 8 decks (2.2.1); {outside} analysed all the same\n"
    )
    assert ran.err == (warning if outside else "")
