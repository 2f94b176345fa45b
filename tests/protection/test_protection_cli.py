"""``combinat count`` and ``combinat perfect``: what they print, write and refuse; the page about them is executed."""

import csv
import io
import json
import re
from fractions import Fraction
from typing import Any

import pytest

from combinat import Shoe, load_game
from combinat.analysis.protection.perfect import perfect_play
from tests.conftest import SMALL_BOOK, Run

DRAGON_BOOK = str(SMALL_BOOK.parent / "dragon-panda.toml")
TAGS = "4=-1 5=-1 6=-1 7=-1 8=2 9=2"
SMALL = str(SMALL_BOOK)


def record(run: Run, *arguments: str) -> Any:
    ran = run(*arguments, "--format", "json")
    assert (ran.code, ran.err) == (0, "")
    return json.loads(ran.out)


# ---------------------------------------------------------------- count


def test_a_count_in_json(run: Run) -> None:
    said = record(run, "count", DRAGON_BOOK, "dragon-7", "--tags", TAGS, "--left", "26,14", "--index", "4")
    assert (said["schema"], said["game"], said["bet"]) == ("combinat/count/1", "dragon-panda", "dragon-7")
    assert said["shoe"]["size"] == 416
    assert said["tags"]["8"] == 2
    assert said["index"] == "4"
    assert [depth["left"] for depth in said["depths"]] == [26, 14]
    for depth in said["depths"]:
        counts = depth["counts"]
        assert [sorted(count) for count in counts[:1]] == [["expected_value", "probability", "running"]]
        assert [count["running"] for count in counts] == sorted(count["running"] for count in counts)
        assert sum(Fraction(count["probability"]) for count in counts) == 1
        bet_at = [count for count in counts if count["running"] * 52 >= 4 * depth["left"]]
        chance = sum(Fraction(count["probability"]) for count in bet_at)
        gain = sum(Fraction(count["probability"]) * Fraction(count["expected_value"]) for count in bet_at)
        assert depth["betting"] == {"chance": str(chance), "edge": str(gain / chance), "gain": str(gain)}
        good = [count["running"] for count in counts if Fraction(count["expected_value"]) > 0]
        assert depth["first_favourable"] == min(running for running in good if running >= 0)


def test_a_count_from_the_first_favourable_on_where_no_index_is_given(run: Run) -> None:
    said = record(run, "count", DRAGON_BOOK, "dragon-7", "--tags", TAGS, "--left", "26")
    (depth,) = said["depths"]
    assert said["index"] is None
    bet_at = [count for count in depth["counts"] if count["running"] >= depth["first_favourable"]]
    assert Fraction(depth["betting"]["chance"]) == sum(Fraction(count["probability"]) for count in bet_at)


def test_a_count_that_never_favours_the_player(run: Run) -> None:
    said = record(run, "count", SMALL, "punto", "--tags", "2=1", "--left", "50", "--decks", "1")
    (depth,) = said["depths"]
    assert depth["first_favourable"] is depth["betting"] is None
    assert depth["favourable"] == {"chance": "0", "edge": None, "gain": "0"}
    printed = run("count", SMALL, "punto", "--tags", "2=1", "--left", "50", "--decks", "1").out
    assert re.search(r"^ +50 +- +- +- +- +-$", printed, re.MULTILINE)


def test_the_best_tags_are_said_with_the_share_they_see(run: Run) -> None:
    said = record(run, "count", DRAGON_BOOK, "dragon-7", "--tags", "best", "--left", "14")
    assert {rank: tag for rank, tag in said["tags"].items() if tag} == {
        **dict.fromkeys("4567", -1),
        **dict.fromkeys("89", 2),
    }
    assert 0 < Fraction(said["best"]["share"]) < 1
    assert Fraction(said["best"]["effects"]["8"]) > 0
    larger = record(run, "count", DRAGON_BOOK, "dragon-7", "--tags", "best", "--left", "14", "--largest", "3")
    assert Fraction(larger["best"]["share"]) > Fraction(said["best"]["share"])


def test_a_count_in_csv_and_in_detail(run: Run) -> None:
    asked = ("count", SMALL, "six", "--tags", "6=1", "--left", "8", "--decks", "1")
    (depth,) = record(run, *asked)["depths"]
    rows = list(csv.DictReader(io.StringIO(run(*asked, "--format", "csv").out)))
    assert [(int(row["running"]), row["probability"], row["expected_value"]) for row in rows] == [
        (count["running"], count["probability"], count["expected_value"]) for count in depth["counts"]
    ]
    printed = run(*asked, "--detail").out
    assert "8 cards left\n" in printed
    assert printed.count("\n") > run(*asked).out.count("\n") + len(rows)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--tags", "11=1"], '--tags: card "11" does not exist; write one of A 2 3 4 5 6 7 8 9 10 J Q K; or best'),
        (["--tags", ""], '--tags: no rank is named; write a tag for some ranks, such as "4=-1 8=2"; or best'),
        (["--tags", TAGS, "--left", "5"], "--left: found 5 cards left; a round may need 6: write 6 or more"),
        (["--tags", TAGS, "--left", "417"], "--left: found 417 cards left; the shoe has 416: write 416 or fewer"),
        (["--tags", TAGS, "--left", "2.5"], '--left: found "2.5"; write cards left, such as 26,52,104, at most 50 depths'),
        (["--tags", TAGS, "--index", "1/0"], '--index: found "1/0"; write a true count, such as 4, 3.5 or 15/4'),
        (["--tags", "best", "--removed", "A"], "--tags best: the best tags are those of a fresh shoe; give whole decks, or tags"),
        (["--tags", TAGS, "--decks", "17"], "found a shoe of 884 cards; a count takes at most 832"),
    ],
)  # fmt: skip
def test_a_count_that_cannot_be(run: Run, options: list[str], message: str) -> None:
    ran = run("count", DRAGON_BOOK, "dragon-7", *options)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.splitlines()[-1] == f"combinat: {message}"


# ---------------------------------------------------------------- perfect


def test_perfect_play_in_json(run: Run) -> None:
    said = record(run, "perfect", SMALL, "--left", "7", "--decks", "1")
    assert (said["schema"], said["game"], said["left"]) == ("combinat/perfect/1", "small-baccarat", 7)
    game = load_game(SMALL)
    play = perfect_play(game, Shoe.of_decks(1), 7, [bet.id for bet in game.bets])
    assert said["compositions"] == str(play.compositions)
    assert [(bet["id"], bet["mean"], bet["favourable"], bet["gain"]) for bet in said["bets"]] == [
        (bet.bet, str(bet.mean), str(bet.favourable), str(bet.gain)) for bet in play.bets
    ]
    assert all(Fraction(bet["ceiling"]) >= Fraction(bet["gain"]) for bet in said["bets"])


def test_perfect_play_of_one_bet_and_a_cut_card(run: Run) -> None:
    asked = ("perfect", SMALL, "--bet", "six", "--left", "7", "--decks", "1", "--cut-card", "14")
    said = record(run, *asked, "--limit", "1/4")
    (bet,) = said["bets"]
    (of_shoe,) = said["cut_card"]["bets"]
    assert (bet["id"], of_shoe["id"]) == ("six", "six")
    assert (said["cut_card"]["behind"], said["cut_card"]["limit"]) == (14, "1/4")
    assert Fraction(of_shoe["gain"]) > Fraction(1, 4)
    assert of_shoe["within"] is None or of_shoe["within"] > 14
    tables = [run(*asked, "--format", "csv", "--part", part).out for part in "12"]
    assert [table.splitlines()[0].split(",")[:3] for table in tables] == [
        ["bet", "left", "mean"],
        ["bet", "behind", "gain"],
    ]


def test_ceilings_alone_are_there_at_every_depth(run: Run) -> None:
    said = record(run, "perfect", "comm", "--left", "14,200,416", "--ceilings")
    assert said["schema"] == "combinat/ceilings/1"
    for bet in said["bets"]:
        gains = [Fraction(depth["ceiling"]) for depth in bet["ceilings"]]
        assert gains == sorted(gains, reverse=True)
        assert gains[-1] <= Fraction(1, 10**11)  # nothing is known yet
    rows = list(
        csv.DictReader(
            io.StringIO(run("perfect", "comm", "--left", "14", "--ceilings", "--format", "csv").out)
        )
    )
    assert [row["bet"] for row in rows] == [bet["id"] for bet in said["bets"]]


MUST_LIE = (
    "--cut-card: the cut card must lie 12 to 51 cards from the end of 52 cards, so that a round is dealt before it and "
    "every round can be finished; "
)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--left", "5"], "--left: found 5 cards left; a round may need 6: write 6 or more"),
        (["--left", "53"], "--left: found 53 cards left; the shoe has 52: write 52 or fewer"),
        (["--left", "7,8"], '--left: found "7,8"; write one depth, or add --ceilings'),
        (["--left", "7", "--cut-card", "11"], f"{MUST_LIE}found 11"),
        (["--left", "7", "--ceilings", "--cut-card", "52"], f"{MUST_LIE}found 52"),
        (["--left", "7", "--limit", "0.2"], "--limit: it is for a whole shoe up to a cut card; add --cut-card, such as 14"),
        (["--left", "7", "--cut-card", "53"], f"{MUST_LIE}found 53"),
        (["--left", "7", "--limit", "x"], '--limit: found "x"; write the most that may be gained in a shoe, in units of a stake, such as 0.1 or 1/4'),
    ],
)  # fmt: skip
def test_perfect_play_that_cannot_be(run: Run, options: list[str], message: str) -> None:
    ran = run("perfect", SMALL, "--decks", "1", *options)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.splitlines()[-1] == f"combinat: {message}"


def test_a_bet_that_the_game_does_not_have(run: Run) -> None:
    for command in (
        ("count", SMALL, "tie", "--tags", "A=1"),
        ("perfect", SMALL, "--bet", "tie", "--left", "7"),
    ):
        ran = run(*command)
        assert ran.code == 2
        assert "tie" in ran.err


@pytest.mark.parametrize("form", ["text", "markdown", "latex"])
def test_both_are_drawn_in_every_format(run: Run, form: str) -> None:
    for command in (
        ("count", SMALL, "six", "--tags", "best", "--left", "8", "--decks", "1"),
        ("perfect", SMALL, "--left", "6", "--decks", "1", "--cut-card", "12"),
        ("perfect", SMALL, "--left", "6,9", "--decks", "1", "--ceilings"),
    ):
        ran = run(*command, "--format", form)
        assert (ran.code, ran.err) == (0, "")
        assert "six" in ran.out.lower()


def test_ceilings_at_many_depths_fit_a_terminal(run: Run) -> None:
    depths = [str(26 * place) for place in range(1, 14)]
    ran = run("perfect", "commission-insurance-2013", "--ceilings", "--left", ",".join(depths))
    assert ran.code == 0
    assert max(map(len, ran.out.splitlines())) <= 100
    heads = [line for line in ran.out.splitlines() if line.startswith("bet ")]
    assert re.findall(r"(\d+) left", " ".join(heads)) == depths


def test_compositions_by_points_are_said_of_bets_by_points_alone(run: Run) -> None:
    asked = ("perfect", SMALL, "--left", "7", "--decks", "1")
    assert "Compositions by points" in run(*asked, "--bet", "six").out
    assert "Compositions" not in run(*asked, "--bet", "any-pair").out


def test_a_count_that_gains_below_the_mean_says_so(run: Run) -> None:
    asked = ("count", "comm", "tie", "--tags", "best", "--left", "8")
    (depth,) = record(run, *asked)["depths"]
    assert (depth["bets_up"], depth["bets_down"]) == (None, -7)
    bet_at = [count for count in depth["counts"] if count["running"] <= -7]
    assert Fraction(depth["betting"]["chance"]) == sum(Fraction(count["probability"]) for count in bet_at)
    assert re.search(r"^ +8 +- +- +-7 +-45\.500 ", run(*asked).out, re.MULTILINE)
    assert "down from another below the mean" in run(*asked).out
    (indexed,) = record(run, *asked, "--index", "4")["depths"]
    assert (indexed["bets_up"], indexed["bets_down"]) == (None, None)
