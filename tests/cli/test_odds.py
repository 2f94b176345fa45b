"""``combinat odds``: the JSON contract, CSV with the same figures, warnings.

Wrong options are in ``tests/refusals.toml``, texts and formats in ``tests/approved``, published figures in
``tests/analysis/test_published.py``.
"""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import combinat
from combinat import Shoe
from combinat.engine.distribution import falling
from combinat.report.analysis.odds import ODDS
from combinat.rules.book.find import rule_book_paths
from tests.conftest import Run
from tests.csv_columns import csv_rows
from tests.documents import (
    BETS,
    COMMISSION_2013,
    NONCOMMISSION_2024,
    NONCOMMISSION_2025,
)
from tests.exact import exact

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
STAKED = ["--stake", "banker=100", "--stake", "big-tiger=10"]
FIVE_CARDS = ["--cards", "A=2 2=1 3=1 4=1"]


def asked(run: Run, command: str, *words: str) -> Any:
    """The JSON document that a command answers with."""
    return run(command, *words, "--format", "json").document()


def bets_of(record: Any) -> dict[str, Any]:
    return {bet["id"]: bet for bet in record["bets"]}


# ---------------------------------------------------------------- the contract

CONTRACT = ["schema", "game", "shoe", "sample_space", "void", "bets"]
BET_KEYS = {
    *("id", "name", "outcomes", "expected_value", "house_edge"),
    *("return_to_player", "variance", "hit_frequency", "push", "void"),
    *("edge_per_resolved_bet", "standard_deviation", "third_central_moment", "skewness", "largest_payout"),
    "fair_odds",
}
OUTCOME_KEYS = {"name", "odds", "net", "ways", "probability", "contribution"}


@pytest.mark.parametrize("shoe", [["--removed", "K K 9"], FIVE_CARDS, ["--cards", "A=2 K=1"]])
@pytest.mark.parametrize("game_id", [COMMISSION_2013, NONCOMMISSION_2025])
def test_the_json_contract(run: Run, game_id: str, shoe: list[str]) -> None:
    record = asked(run, "odds", game_id, *shoe)
    assert list(record) == CONTRACT
    assert (record["schema"], record["game"]) == ("combinat/odds/1", game_id)
    cards = record["shoe"]["cards"]
    size = sum(cards.values())
    assert record["shoe"] == {"size": size, "cards": cards}
    assert list(cards) == RANKS
    assert all(type(count) is int for count in cards.values())
    assert record["sample_space"] == str(falling(size, min(size, 6)))
    assert [bet["id"] for bet in record["bets"]] == list(BETS[game_id])
    for bet in record["bets"]:
        check_keys(bet, int(record["sample_space"]))
        assert bet["void"] == record["void"]


def check_keys(bet: Any, sample_space: int) -> None:
    """The keys, and exact figures of the outcomes: ``tests/analysis/test_bets.py`` has those that follow from them."""
    assert bet.keys() >= BET_KEYS
    lines = bet["outcomes"]
    assert all(line.keys() >= OUTCOME_KEYS for line in lines)
    assert sum(int(line["ways"]) for line in lines) == sample_space
    shares = [Fraction(int(line["ways"]), sample_space) for line in lines]
    assert [exact(line["probability"]) for line in lines] == shares
    mean = sum((exact(line["net"]) * share for line, share in zip(lines, shares, strict=True)), Fraction(0))
    assert (exact(bet["expected_value"]), exact(bet["house_edge"])) == (mean, -mean)


# ---------------------------------------------------------------- the answers of the library

COUNTS = " ".join(f"{rank}={ {'A': 30, '10': 31, 'K': 31}.get(rank, 32) }" for rank in RANKS)
ASKED: list[tuple[list[str], dict[str, Any]]] = [
    ([], {"shoe": Shoe.of_decks(8)}),
    (["--removed", "A, a 10 k"], {"shoe": Shoe.parse(COUNTS)}),
    (["--cards", COUNTS], {"shoe": Shoe.parse(COUNTS)}),
    (["--decks", "6", "--removed", "A"], {"shoe": Shoe.of_decks(6).minus("A")}),
    (["--bet", "tiger", "--bet", "tie", "--bet", "tie"], {"bets": ["tie", "tiger"]}),
    (["--layout", "p"], {"layout": "P"}),
    (["--joint", "--bet", "tie", "--bet", "tiger"], {"joint": True, "bets": ["tie", "tiger"]}),
    (["--joint", "--cards", "A=6"], {"joint": True, "cards": "A=6"}),
    (STAKED, {"stakes": {"banker": 100, "big-tiger": 10}}),
    (["--bet", "tie", "--stake", "tiger=5"], {"bets": ["tie"], "stakes": {"tiger": 5}}),
    (["--interpretations"], {"interpretations": True}),
]


@pytest.mark.parametrize(("words", "question"), ASKED, ids=lambda each: " ".join(each) or "8 decks")
def test_every_view_is_the_answer_of_the_library(
    run: Run, words: list[str], question: dict[str, Any]
) -> None:
    """Its figures are those that ``tests/analysis/test_bets.py`` holds against dealt rounds."""
    record = asked(run, "odds", NONCOMMISSION_2025, *words)
    assert record == json.loads(json.dumps(ODDS.object(combinat.odds(NONCOMMISSION_2025, **question))))
    views = {"joint": "joint", "stakes": "combination", "interpretations": "interpretations"}
    assert list(record) == [*CONTRACT, *(views[name] for name in question if name in views)]


def test_other_odds_are_named_and_change_that_bet_alone(run: Run) -> None:
    """Whether or not the bet is shown; odds are given line by line."""
    words = ["odds", NONCOMMISSION_2025, "--bet", "tiger", "--bet", "tie"]
    before, after = (
        asked(run, *words, *more)
        for more in ([], ["--pays", "tiger=13 to 1, 41 to 2", "--pays", "player=push"])
    )
    assert list(before) == CONTRACT
    assert set(after) == {*CONTRACT, "pays"}
    assert after["pays"] == {"tiger": ["13 to 1", "41 to 2"], "player": ["push"]}
    assert bets_of(after)["tie"] == bets_of(before)["tie"]
    tiger = bets_of(after)["tiger"]
    assert [(line["net"], line["odds"]) for line in tiger["outcomes"]] == [
        ("13", "13 to 1"),
        ("41/2", "41 to 2"),
        ("-1", None),
    ]
    check_keys(tiger, int(after["sample_space"]))
    by_decks = asked(run, *words, "--decks", "7-8", "--pays", "player=push")
    assert by_decks["pays"] == {"player": ["push"]}


# ---------------------------------------------------------------- several numbers of decks, several games


def test_a_range_of_decks_is_each_number_by_itself(run: Run) -> None:
    two = ["--bet", "banker", "--bet", "tie"]
    record = asked(run, "odds", NONCOMMISSION_2025, "--decks", "4-6", *two)
    assert (record["schema"], record["game"]) == ("combinat/odds-by-decks/1", NONCOMMISSION_2025)
    assert [one.pop("decks") for one in record["decks"]] == [4, 5, 6]
    assert record["decks"] == [
        asked(run, "odds", NONCOMMISSION_2025, "--decks", number, *two) for number in "456"
    ]


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


# ---------------------------------------------------------------- CSV


def check_rows(rows: list[dict[str, str]], records: list[dict[str, Any]], columns: str) -> None:
    """The columns hold what the records of the JSON hold, nothing where that is null."""
    chosen = columns.split()
    assert len(rows) > 0
    assert [[row[name] for name in chosen] for row in rows] == [
        [record[name] or "" for name in chosen] for record in records
    ]


def test_csv_holds_the_figures_of_the_json(run: Run) -> None:
    words = ["odds", NONCOMMISSION_2025, *FIVE_CARDS]
    extra = [*STAKED, "--joint", "--interpretations"]
    record = asked(run, *words, *extra)
    assert list(record) == [*CONTRACT, "joint", "combination", "interpretations"]
    bets = [{**bet, "bet": bet["id"]} for bet in record["bets"]]
    columns = "id hit_frequency push void expected_value variance standard_deviation skewness fair_odds"
    check_rows(csv_rows(run, *words), bets, columns)
    lines = [{**line, "bet": bet["id"], "outcome": line["name"]} for bet in bets for line in bet["outcomes"]]
    check_rows(csv_rows(run, *words, "--detail"), lines, "bet outcome odds net ways probability contribution")
    pairs = [dict(zip(("first", "second"), one["bets"], strict=True), **one) for one in record["joint"]]
    effects = [
        {**effect, "entry": one["id"]} for one in record["interpretations"] for effect in one["effects"]
    ]
    for view, records, named in (
        (["--joint"], pairs, "first second covariance correlation"),
        (STAKED, record["combination"]["outcomes"], "net ways probability"),
        (["--interpretations"], effects, "entry for figure read otherwise change"),
    ):
        check_rows(csv_rows(run, *words, *view), records, named)


def test_csv_of_several_decks_and_of_several_games(run: Run) -> None:
    decks = ["odds", COMMISSION_2013, "--decks", "4-8"]
    records = [
        {"id": bet["id"], "decks": str(one["decks"]), "house_edge": bet["house_edge"]}
        for one in asked(run, *decks)["decks"]
        for bet in one["bets"]
    ]
    check_rows(csv_rows(run, *decks), records, "id decks house_edge")
    games = [COMMISSION_2013, NONCOMMISSION_2025, NONCOMMISSION_2024]
    edges = [
        dict(zip(["id", *games], [bet["id"], *bet["house_edge"]], strict=True))
        for bet in asked(run, "odds", *games)["bets"]
    ]
    check_rows(csv_rows(run, "odds", *games), edges, " ".join(["id", *games]))


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
