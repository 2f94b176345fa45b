"""``combinat ruling`` and ``combinat round --next``, as programs read them. Their text is among the approved outputs."""

import re
from fractions import Fraction

import pytest

from combinat import Shoe
from combinat.rules.cards import RANKS
from tests.conftest import Run, asked
from tests.documents import COMMISSION_2013, COMMISSION_2024, NONCOMMISSION_2025
from tests.oracle.dealer import points
from tests.table.tables import plainly

# ---------------------------------------------------------------- ruling


def test_an_outcome_on_some_layouts_alone(run: Run) -> None:
    """The only Ace is the Player's first card: a Player Pair is lost, where a layout offers it."""
    shoe = " ".join(f"{rank}=32" for rank in RANKS[1:])
    words = ["ruling", NONCOMMISSION_2025, "--incident", "technical-interruption", "--cards", "A"]
    made = asked(run, *words, "--shoe", f"A=1 {shoe}")
    assert made["decided"] == [{"bet": "player-pair", "result": "lost"}]
    assert (made["ruling"], "".join(made["established_on"])) == ("continue", "ABDEGJKLMN")
    text = " ".join(run(*words, "--shoe", f"A=1 {shoe}").output().split())
    assert "on A B D E G J-N, not on C F H I O-R" in text
    on_c = asked(run, *words, "--shoe", f"A=1 {shoe}", "--layout", "C")
    assert (on_c["ruling"], on_c["outcome_established"]) == ("void", False)


@pytest.mark.parametrize("lay", [[], ["--set", "player=K 6 2", "--set", "banker=Q 7"]])
def test_a_round_that_cannot_be_told_has_no_results(run: Run, lay: list[str]) -> None:
    words = [
        "ruling",
        NONCOMMISSION_2025,
        "--incident",
        "wrong-number-of-cards",
        "--cards",
        "K Q 6 7 2",
        *lay,
    ]
    made = asked(run, *words, "--set", "reconstructible=no")
    assert (made["ruling"], made["outcome_established"], made["decided"]) == ("void", False, [])
    assert (made["next_round"], set(made["values"].values()), made["established_on"]) == ([], {"0"}, [])
    printed = run(*words, "--set", "reconstructible=no").output()
    assert not re.search(r"\bwon\b|\blost\b|Into the next round", printed)
    assert asked(run, *words)["next_round"] == ["2"]


@pytest.mark.parametrize(
    "words",
    [
        ["ruling", COMMISSION_2024, "--incident", "silent-player", "--cards", "K Q 6 5"],
        [
            *("settle", COMMISSION_2024, "--player", "K 6", "--banker", "Q 5 2", "--stake", "player=1"),
            *("--procedure", "silent-player"),
        ],
    ],
    ids=["ruling", "settle"],
)
def test_what_a_silent_player_forgoes_is_said_by_the_reading(run: Run, words: list[str]) -> None:
    every, alone = "no further insurance in the round for this player", "this player forgoes that offer alone"
    for reading, said, unsaid in (([], every, alone), (["silent-player-forgoes-the-round"], alone, every)):
        text = " ".join(run(*words, *(f"--reading={one}" for one in reading)).output().split())
        assert (said in text, unsaid in text) == (True, False)


@pytest.mark.parametrize(("reading", "pair"), [([], "0"), (["--reading", "unfinished-round-void"], "-5")])
def test_money_of_a_void_round_is_that_of_the_settlement(run: Run, reading: list[str], pair: str) -> None:
    """Also where decided bets are read to stand."""
    stakes = ["--stake", "player=5", "--stake", "player-pair=5", *reading]
    told = ["--incident", "insufficient-cards", "--cards", "5 K K 6", "--shoe", "5=1 K=2 6=1"]
    settled = ["--player", "5 K", "--banker", "K 6", "--procedure", "insufficient-cards"]
    made = asked(run, "ruling", NONCOMMISSION_2025, *told, *stakes)
    lines = asked(run, "settle", NONCOMMISSION_2025, *settled, *stakes)["lines"]
    assert list(made["money"].values()) == [line["net"] for line in lines] == ["0", pair]


def test_bets_that_stay_in_a_void_round_are_said_to(run: Run) -> None:
    words = ["ruling", COMMISSION_2013, "--incident", "foreign-card", "--cards", "5", "--stake", "player=5"]
    stays = run(*words, "--reading", "void-game-returns-bets").output()
    assert re.search(r"^player +5 +stays for the next round +0\.00$", stays, re.MULTILINE)


# ---------------------------------------------------------------- round --next

IN_PROGRESS = ["round", COMMISSION_2013, "--player", "5 K", "--banker", "K 4"]


@pytest.mark.parametrize(
    ("coming", "hands", "beyond"),
    [("7", ("5 K 7", "K 4"), ""), ("7 2", ("5 K 7", "K 4 2"), ""), ("9 2 J", ("5 K 9", "K 4"), "2 J")],
)
def test_the_next_cards_may_be_known(run: Run, coming: str, hands: tuple[str, str], beyond: str) -> None:
    made = asked(run, *IN_PROGRESS, "--next", coming)
    left = Shoe.of_decks(8).minus(f"5 K K 4 {coming}")
    values = {bet: str(value) for bet, (value, _) in plainly(COMMISSION_2013, *hands, left).items()}
    assert {bet["id"]: bet["expected_value"] for bet in made["bets"]} == values
    assert " ".join(made["coming"] + made["beyond"]) == coming
    assert " ".join(made["beyond"]) == beyond
    assert made["shoe"]["size"] == left.size


def test_insurance_is_valued_with_the_next_card_known(run: Run) -> None:
    """Player 5 K, Banker K 4: insured at 2 to 1. A 7 brings the Player to 2: Banker Insurance at 4 to 1 follows."""
    player, banker = asked(run, *IN_PROGRESS, "--next", "7")["insurance"]
    left = Shoe.of_decks(8).minus("5 K K 4 7")
    totals = {str(rank): (4 + points(str(rank))) % 10 for rank in RANKS}
    wins = sum(left[rank] for rank in RANKS if totals[rank] > 2)
    lost = sum(left[rank] for rank in RANKS if totals[rank] < 2)
    assert (player["side"], player["stage"]) == ("player", "four-cards")
    assert (banker["side"], banker["stage"]) == ("banker", "player-third-card")
    assert player["expected_value"] == str(Fraction(2 * wins - lost, left.size))
    assert banker["expected_value"] == str(Fraction(4 * lost - wins, left.size))
