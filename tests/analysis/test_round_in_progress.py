"""Rounds in progress: what every bet is still worth, the insurance on offer now, and ``combinat round``."""

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combinat import Shoe
from combinat.analysis.round_in_progress import result_so_far, round_in_progress
from combinat.rules.cards import parse_cards
from combinat.rules.round import Round
from tests.conftest import Run, asked
from tests.documents import (
    BETS,
    COMMISSION_2013,
    COMMISSION_2024,
    GAMES,
    NONCOMMISSION_2024,
    NONCOMMISSION_2025,
)
from tests.games import EIGHT, loaded
from tests.oracle import dealer, settler
from tests.oracle.dealer import Cards
from tests.oracle.shoes import shoe_of

SMALL = Shoe.parse("2=1 4=1 5=2 6=1 7=1 K=2")


def stands(record: dict[str, Any]) -> dict[str, str]:
    """How every bet stands."""
    return {bet["id"]: bet["stands"] for bet in record["bets"]}


# ---------------------------------------------------------------- every way to go on


def offers_now(game_id: str, player: Cards, banker: Cards) -> dict[str, tuple[Fraction, bool]]:
    """The insurance that the document lists at this moment, by hand: its odds, and whether a tie pays."""
    if len(player) + len(banker) < 4:
        return {}
    stage = settler.FOUR_CARDS if len(player) == 2 else settler.THIRD_CARD
    moment = (stage, dealer.total(player), dealer.total(banker))
    listed = settler.offers(game_id)
    return {side: listed[side, *moment] for side in ("player", "banker") if (side, *moment) in listed}


def agrees(game_id: str, player: Cards, banker: Cards, left: Shoe) -> None:
    """The round in progress is worth what dealing every way to go on makes of it."""
    dealt = Round(parse_cards(" ".join(player)), parse_cards(" ".join(banker)))
    now = round_in_progress(loaded(game_id), dealt, left.plus((*dealt.player, *dealt.banker)))
    ends = dealer.deals(left.counts, player, banker)
    assert now.distribution.sample_space == ends.total()
    assert [bet.id for bet in now.bets] == list(BETS[game_id])
    for bet in now.bets:
        value, result = settler.settled(game_id, bet.id, ends)
        assert (bet.expected_value, result_so_far(bet)) == (value, result), bet.id
        assert bet.hit_frequency == settler.chance(settler.nets(game_id, bet.id, ends), 1), bet.id
    offered = offers_now(game_id, player, banker)
    assert {one.state.side.value for one in now.insurance} == offered.keys()
    for one in now.insurance:
        odds, tie_pays = offered[one.state.side.value]
        signs: Counter[int] = Counter()
        for deal, ways in ends.items():
            signs[settler.insurance_sign(one.state.side, tie_pays, dealer.course_of(deal))] += ways
        assert (one.net, one.probability) == (odds, Fraction(1))
        assert [one.ways, one.won, one.lost] == [ends.total(), signs[1], signs[-1]]
        assert one.expected_value == (odds * signs[1] - signs[-1]) / ends.total()


@pytest.mark.parametrize("game_id", [COMMISSION_2024, NONCOMMISSION_2025])  # insurance; every kind of bet
@pytest.mark.parametrize(
    ("player", "banker"),
    [
        ("5 K", "4 K"),
        ("5 K 2", "4 K"),
        ("K 6", "5 K"),
        ("5 5", "6 K"),
        ("5 5 7", "6 K"),
        ("5 4", "K"),
        ("5", ""),
        ("", "6"),
        ("5", "6 K"),
    ],
)
def test_a_round_in_progress_is_worth_every_way_to_go_on(game_id: str, player: str, banker: str) -> None:
    left = SMALL.minus(f"{player} {banker}")
    agrees(game_id, tuple(player.split()), tuple(banker.split()), left)


@settings(max_examples=50)
@given(
    st.lists(st.sampled_from(dealer.RANKS), min_size=4, max_size=8), st.integers(1, 5), st.sampled_from(GAMES)
)
def test_from_any_cards_of_any_small_shoe(cards: list[str], known: int, game_id: str) -> None:
    """Also where the shoe cannot finish the round and every bet comes back."""
    player, banker = dealer.hands_of(cards[:known])
    if dealer.next_to_draw(player, banker):
        agrees(game_id, player, banker, shoe_of(cards[len(player) + len(banker) :]))


# ---------------------------------------------------------------- the command


@pytest.mark.parametrize(
    ("options", "shoe"),
    [
        ([], EIGHT),
        (["--decks", "6"], Shoe.of_decks(6)),
        (["--removed", "A A 10"], EIGHT.minus("A A 10")),
        (["--cards", "A=3 5=1 6=1 7=1 K=2"], Shoe.parse("A=3 5=1 6=1 7=1 K=2")),
    ],
)
def test_the_cards_on_the_table_come_out_of_the_shoe(run: Run, options: list[str], shoe: Shoe) -> None:
    cards = ["--player", "5 K", "--banker", "K 6", "--player-third", "7"]
    left = shoe.minus("5 K K 6 7")
    record = asked(run, "round", COMMISSION_2013, *cards, *options)["shoe"]
    assert (record["size"], tuple(record["cards"].values())) == (left.size, left.counts)


# ---------------------------------------------------------------- bets already decided


def test_pairs_are_decided_once_a_hand_has_two_cards(run: Run) -> None:
    record = asked(run, "round", NONCOMMISSION_2025, "--player", "K K", "--banker", "Q 5")
    pairs = ("player-pair", "banker-pair", "tiger-pair")
    assert [stands(record)[bet] for bet in pairs] == ["won", "lost", "won"]
    one_hand = stands(asked(run, "round", NONCOMMISSION_2025, "--player", "K K"))
    assert [one_hand[bet] for bet in pairs] == ["won", "open", "won"]  # at which odds, the other hand decides
    bets = {bet["id"]: bet for bet in record["bets"]}
    assert bets["player-pair"] == {
        "id": "player-pair",
        "stands": "won",
        "hit_frequency": "1",
        "returned": "0",
        "expected_value": "11",
    }


def test_a_round_that_the_shoe_cannot_finish_returns_every_bet(run: Run) -> None:
    record = asked(
        run, "round", COMMISSION_2013, "--player", "5 K", "--banker", "K 4", "--cards", "5=1 K=2 4=1"
    )
    assert record["results"] == {"player wins": "0", "banker wins": "0", "tie": "0", "void": "1"}
    assert set(stands(record).values()) == {"returned"}
    (one,) = record["insurance"]
    assert (one["wins"], one["pushes"], one["loses"], one["expected_value"]) == ("0", "1", "0", "0")
    assert (one["fair_odds"], one["favours_player"]) == (None, False)


# ---------------------------------------------------------------- a bet that may be taken back


def test_with_fewer_than_four_cards_a_bet_may_be_worth_more_back(run: Run) -> None:
    record = asked(run, "round", NONCOMMISSION_2025, "--player", "5")
    for bet in record["bets"]:
        assert bet["worth_more_to"] == ("continue" if Fraction(bet["expected_value"]) > 0 else "take back")
    assert [bet["id"] for bet in record["bets"] if bet["worth_more_to"] == "continue"] == ["banker"]
    neither = asked(run, "round", COMMISSION_2013, "--player", "5", "--cards", "5=1 K=2")
    assert {bet["worth_more_to"] for bet in neither["bets"]} == {"either"}


def test_with_four_cards_nothing_is_taken_back(run: Run) -> None:
    four = asked(run, "round", NONCOMMISSION_2025, "--player", "5 K", "--banker", "K 6")
    assert not any("worth_more_to" in bet for bet in four["bets"])
    three = asked(run, "round", NONCOMMISSION_2025, "--player", "5 K", "--banker", "K")
    assert all("worth_more_to" in bet for bet in three["bets"])


@pytest.mark.parametrize(
    ("game_id", "clause"),
    [
        (COMMISSION_2013, ""),
        (COMMISSION_2024, "5.12.3"),
        (NONCOMMISSION_2024, "5.12.3"),
        (NONCOMMISSION_2025, "5.13.3"),
    ],
)
def test_the_right_to_take_a_bet_back_is_cited(run: Run, game_id: str, clause: str) -> None:
    (sentence,) = [
        line
        for line in run("round", game_id, "--banker", "9").output().splitlines()
        if "dealing error" in line
    ]
    assert f"({clause})" in sentence if clause else "(" not in sentence
