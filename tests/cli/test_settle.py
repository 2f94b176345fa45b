"""``combinat settle``: the JSON document. ``tests/table/test_settlement.py`` has the rules."""

import pytest

from tests.conftest import Run
from tests.documents import COMMISSION_2013, COMMISSION_2024, NONCOMMISSION_2025

COLUMNS = ("id", "name", "stake", "outcome", "odds", "result", "net", "clause", "condition")


def test_the_json_of_a_settlement(run: Run) -> None:
    words = ["--player", "5 K 2", "--banker", "4 q 5", "--stake", "player=100", "--stake", "banker=12.50"]
    words += ["--stake", "tie=3", "--insure", "player@player-third-card=25"]
    insured = "player@player-third-card", "Player Insurance, third card"
    lines = [
        ("player", "Player", "100", "loses", None, "lost", "-100", "4.1.2", None),
        ("banker", "Banker", "25/2", "Banker wins", "0.95 to 1", "won", "95/8", "4.1.2", None),
        ("tie", "Tie", "3", "loses", None, "lost", "-3", "4.1.3", None),
        (*insured, "25", "player loses", "4 to 1", "won", "100", "4.1.9", None),
    ]
    assert run("settle", COMMISSION_2024, *words, "--format", "json").document() == {
        "schema": "combinat/settle/1",
        "game": COMMISSION_2024,
        "player": ["5", "K", "2"],
        "banker": ["4", "Q", "5"],
        "procedure": None,
        "lines": [dict(zip(COLUMNS, line, strict=True)) for line in lines],
        "staked": "281/2",
        "net": "71/8",
    }


def test_a_void_round_needs_no_cards(run: Run) -> None:
    words = ["settle", COMMISSION_2013, "--stake", "player=5", "--procedure", "insufficient-cards"]
    record = run(*words, "--format", "json").document()
    assert (record["player"], record["banker"], record["net"]) == ([], [], "0")
    assert record["lines"][0]["result"] == "returned"
    assert run(*words, "--player", "5").output().startswith("Player 5, Banker -.\n")


@pytest.mark.parametrize(
    "words",
    [
        [
            NONCOMMISSION_2025,
            "--player",
            "K 7",
            "--banker",
            "Q 6",
            "--layout",
            "P",
            "--stake",
            "player-small-7=1",
        ],
        [
            *(COMMISSION_2024, "--player", "5 K 3", "--banker", "4 Q 5", "--stake", "player=1000"),
            *("--insure", "player@player-third-card=250", "--limit", "table-maximum=1000"),
        ],
    ],
    ids=["layout", "table maximum"],
)
def test_a_stake_that_layout_and_maximum_allow_is_settled(run: Run, words: list[str]) -> None:
    """``tests/refusals.toml`` has the same with a bet of another layout, and with a lower maximum."""
    run("settle", *words).output()
