"""A round of play: the deal card by card, hands that no table deals, and what a round came to."""

import pytest

from combinat import Shoe
from combinat.base.errors import InputError
from combinat.rules.cards import RANKS, parse_cards
from combinat.rules.outcome import Outcome, Pairs, Winner
from combinat.rules.round import Round, Stage, finished_round
from combinat.rules.table_of_play import Hand
from tests.raises import refusal_of


def a_round(player: str, banker: str) -> Round:
    """A round with these cards on the table."""
    return Round(parse_cards(player), parse_cards(banker))


def dealt(cards: str) -> Round:
    """The round after these cards, dealt in this order."""
    round_so_far = Round()
    for card in parse_cards(cards):
        round_so_far = round_so_far.with_card(card)
    return round_so_far


def finished(player: str, banker: str) -> Round:
    """The finished round of these two hands, by the clauses of 2024."""
    hands = parse_cards(player), parse_cards(banker)
    return finished_round(*hands, table_clause="3.15", stood_clause="3.13")


# ---------------------------------------------------------------- the deal


def test_cards_are_dealt_to_the_hands_in_turn_and_then_by_the_table() -> None:
    cards = "5 K K 6 7 2"
    turns = [dealt(" ".join(cards.split()[:count])).next_hand for count in range(7)]
    assert turns == [*(Hand.PLAYER, Hand.BANKER) * 3, None]
    assert dealt(cards) == a_round("5 K 7", "K 6 2")
    assert dealt("6 K K 5 9") == a_round("6 K", "K 5 9")
    assert str(dealt("A 2 3 4")) == "Player A 3, Banker 2 4"


@pytest.mark.parametrize("third", ["10", "J", "Q", "K"])
def test_a_ten_and_every_picture_card_stand_in_column_0(third: str) -> None:
    assert a_round(f"2 3 {third}", "K 3").next_hand is Hand.BANKER
    assert a_round(f"2 3 {third}", "K 4").next_hand is None


OVER = [
    ("8 K", "2 2"),
    ("2 2", "9 K"),
    ("6 K", "7 K"),
    ("7 K", "5 K 9"),
    ("5 K 8", "3 K"),
    ("5 K 9", "3 K 2"),
    ("K 10 J", "A A Q"),
    ("5 K 7", "6 K 2"),
]


@pytest.mark.parametrize(("player", "banker"), OVER)
def test_hands_that_the_table_deals_are_a_finished_round_and_take_no_other_card(
    player: str, banker: str
) -> None:
    over = finished(player, banker)
    assert over == a_round(player, banker)
    assert over.follows_table
    with pytest.raises(InputError):
        over.with_card(RANKS[0])


def test_a_round_is_void_only_when_a_card_is_to_come_and_the_shoe_is_empty() -> None:
    empty, one_card = Shoe.parse("A=0"), Shoe.parse("A=1")
    for unfinished in (Round(), a_round("5 K", "6 K"), a_round("5 K 7", "6 K")):
        assert unfinished.is_void(empty)
        assert not unfinished.is_void(one_card)
    assert not a_round("8 K", "6 K").is_void(empty)


@pytest.mark.parametrize(
    ("cards", "stage", "passed"),
    [
        ("", None, {}),
        ("5 K K", None, {}),
        ("8 K K 6", Stage.FOUR_CARDS, {Stage.FOUR_CARDS: "8 K K 6"}),
        ("6 K K 5 9", None, {Stage.FOUR_CARDS: "6 K K 5"}),
        (
            "5 K K 6 7",
            Stage.PLAYER_THIRD_CARD,
            {Stage.FOUR_CARDS: "5 K K 6", Stage.PLAYER_THIRD_CARD: "5 K K 6 7"},
        ),
        ("5 K K 6 7 2", None, {Stage.FOUR_CARDS: "5 K K 6", Stage.PLAYER_THIRD_CARD: "5 K K 6 7"}),
    ],
)
def test_the_moments_of_insurance(cards: str, stage: Stage | None, passed: dict[Stage, str]) -> None:
    """The one that the round is at, and all that it has passed."""
    assert dealt(cards).stage is stage
    assert dealt(cards).stages == {moment: dealt(then) for moment, then in passed.items()}


# ---------------------------------------------------------------- hands that no table deals


@pytest.mark.parametrize(
    ("player", "banker", "clause"),
    [
        ("8 K 2", "2 2", "3.15"),  # a natural of the Player
        ("2 2 K", "9 K", "3.15"),  # a natural of the Banker
        ("8 K", "2 2 3", "3.15"),
        ("6 K", "9 K 3", "3.15"),
        ("6 K 2", "7 K", "3.15"),  # Player 6 stands
        ("5 K", "7 K", "3.15"),  # Player 5 draws
        ("5 K", "7 K 2", "3.15"),  # both are wrong
        ("5 K 8", "3 K 4", "3.15"),  # Banker 3 stands on an 8
        ("5 K J", "4 K 9", "3.15"),
        ("5 K 6", "7 K 2", "3.15"),
        ("5 K 9", "3 K", "3.15"),  # Banker 3 draws on a 9
        ("5 K A", "A A", "3.15"),
        ("", "7 K", "3.15"),
        ("6 K", "7", "3.15"),
        ("A A A A", "7 K", "3.15"),
        ("6 K", "2 2 2 2", "3.15"),
        ("6 K", "5 K", "3.13"),  # the Player Hand stood
        ("7 K", "K Q", "3.13"),
        ("7 K", "6 K 2", "3.13"),
    ],
)
def test_hands_against_the_table_are_refused_with_its_clause(player: str, banker: str, clause: str) -> None:
    refusal = refusal_of(finished, player, banker, kind=InputError)
    assert str(refusal).endswith(f"({clause})")


@pytest.mark.parametrize(
    ("player", "banker", "follows"),
    [
        ("", "", True), ("5 K", "", True), ("5 K 2", "4 K", True),
        ("K 6 2", "Q 7", False), ("K 6", "Q 7 2", False), ("5 K", "4 K 5", False), ("5 K 8", "3 K 5", False),
        ("5 K 2 2", "4 K", False), ("5 K 2", "4 K 5 5", False), ("5 K 2", "4", False),
    ],
)  # fmt: skip
def test_unfinished_hands_follow_the_table_or_not(player: str, banker: str, follows: bool) -> None:
    assert a_round(player, banker).follows_table is follows


# ---------------------------------------------------------------- outcomes


@pytest.mark.parametrize(("player", "banker"), [("", ""), ("5 K", "6 K")])
def test_a_round_that_is_not_over_has_no_outcome(player: str, banker: str) -> None:
    with pytest.raises(InputError):
        _ = a_round(player, banker).outcome


@pytest.mark.parametrize(
    ("player", "banker", "winner", "winning_points", "margin", "cards"),
    [
        ("K 9", "Q 8", Winner.PLAYER, 9, 1, 4),
        ("K 6", "Q 7", Winner.BANKER, 7, 1, 4),
        ("K 7", "Q 7", Winner.TIE, None, 0, 4),
        ("K 5 4", "Q 7", Winner.PLAYER, 9, 2, 5),
        ("K 6", "Q 5 4", Winner.BANKER, 9, 3, 5),
        ("K Q J", "10 K Q", Winner.TIE, None, 0, 6),
        ("5 6 K", "Q 3 7", Winner.PLAYER, 1, 1, 6),
        ("K 4 6", "Q 2 7", Winner.BANKER, 9, 9, 6),
    ],
)
def test_winner_winning_points_margin_and_cards(
    player: str, banker: str, winner: Winner, winning_points: int | None, margin: int, cards: int
) -> None:
    result = finished(player, banker).outcome.result
    facts = (result.winner, result.winning_points, result.margin, result.cards)
    assert facts == (winner, winning_points, margin, cards)
    assert [result.loses(hand) for hand in Hand] == [winner is Winner.BANKER, winner is Winner.PLAYER]


@pytest.mark.parametrize(
    ("player", "banker", "by_rank", "by_points", "hands"),
    [
        ("2 3", "4 5", Pairs.NONE, Pairs.NONE, ""),
        ("2 2", "4 5", Pairs.SINGLE, Pairs.SINGLE, "P"),
        ("2 3", "4 4", Pairs.SINGLE, Pairs.SINGLE, "B"),
        ("2 2", "4 4", Pairs.DOUBLE, Pairs.DOUBLE, "PB"),
        ("7 7", "7 7", Pairs.TWIN, Pairs.TWIN, "PB"),
        ("K K", "K K", Pairs.TWIN, Pairs.TWIN, "PB"),
        ("2 3", "2 3", Pairs.NONE, Pairs.NONE, ""),
        ("K K", "Q Q", Pairs.DOUBLE, Pairs.TWIN, "PB"),
        ("K Q", "10 10", Pairs.SINGLE, Pairs.TWIN, "B"),
        ("K Q", "10 J", Pairs.NONE, Pairs.TWIN, ""),
        ("K Q", "5 5", Pairs.SINGLE, Pairs.DOUBLE, "B"),
        ("K Q", "5 6", Pairs.NONE, Pairs.SINGLE, ""),
        ("5 K K", "Q 2 2", Pairs.NONE, Pairs.NONE, ""),  # a third card makes no pair
    ],
)
def test_pairs_by_rank_and_by_points(
    player: str, banker: str, by_rank: Pairs, by_points: Pairs, hands: str
) -> None:
    first_four = Outcome.of(parse_cards(player), parse_cards(banker)).first_four
    assert (first_four.pairs, first_four.point_pairs) == (by_rank, by_points)
    assert (first_four.player_pair, first_four.banker_pair) == ("P" in hands, "B" in hands)
    point_pairs = [first_four.player_point_pair, first_four.banker_point_pair]
    assert sum(point_pairs) == {Pairs.NONE: 0, Pairs.SINGLE: 1}.get(by_points, 2)
