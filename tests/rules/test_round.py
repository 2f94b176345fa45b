"""A round of play: the Table of Play cell by cell, the deal, refused hands, and what a round came to."""

import re
from itertools import product

import pytest

from combinat import Shoe
from combinat.errors import RoundError
from combinat.rules.cards import RANKS, parse_cards
from combinat.rules.outcome import Outcome, Pairs, Result, Winner
from combinat.rules.round import Round, Stage, finished_round
from combinat.rules.table_of_play import TABLE_OF_PLAY, Hand, TableOfPlay

# The Table of Play as the documents print it: 3.7 in 2013, 3.15 in 2024, 3.12 in 2025.
PLAYER_DRAWS = "0-1-2-3-4-5"
PLAYER_STANDS = "6-7"
NATURAL = "8-9"
BANKER_DRAWS = "0-1-2"
BANKER_STANDS = "7"
# Banker's first two cards: draws when the Player's third card is | does not draw when it is
BANKER_LOOKS_AT_THE_THIRD_CARD = """
3: 0-1-2-3-4-5-6-7-9 | 8
4: 2-3-4-5-6-7 | 0-1-8-9
5: 4-5-6-7 | 0-1-2-3-8-9
6: 6-7 | 0-1-2-3-4-5-8-9
"""
# The sentence for a Player Hand that took no third card: 3.6 in 2013, 3.13 in 2024, 3.11 in 2025.
WITHOUT_A_PLAYER_THIRD_CARD = "stand on 6, 7, 8 or 9 and draw on 0, 1, 2, 3, 4 or 5"


def points(printed: str) -> list[int]:
    """The digits of a printed cell."""
    return [int(digit) for digit in re.findall(r"\d", printed)]


def printed_cells() -> dict[tuple[int, int], bool]:
    """Whether the Banker Hand draws, by its first two cards and the Player's third card."""
    cells = {(banker, third): True for banker in points(BANKER_DRAWS) for third in range(10)}
    cells |= {(banker, third): False for banker in points(BANKER_STANDS) for third in range(10)}
    for line in BANKER_LOOKS_AT_THE_THIRD_CARD.split("\n"):
        if line:
            banker, draws, stands = re.split("[:|]", line)
            cells |= {(int(banker), third): True for third in points(draws)}
            cells |= {(int(banker), third): False for third in points(stands)}
    return cells


CELLS = printed_cells()


def two_cards(total: int) -> list[tuple[int, int]]:
    """Every two card points that come to this total."""
    return [(first, (total - first) % 10) for first in range(10)]


def a_round(player: str, banker: str) -> Round:
    """A round with these cards on the table."""
    return Round(parse_cards(player), parse_cards(banker))


def dealt(cards: str) -> Round:
    """The round after these cards, dealt in this order."""
    round_so_far = Round()
    for card in parse_cards(cards):
        round_so_far = round_so_far.with_card(card)
    return round_so_far


def finished(player: str, banker: str, table_clause: str = "3.15", stood_clause: str = "3.13") -> Round:
    """The finished round of these two hands; the clauses are those of 2024 where nothing is said."""
    return finished_round(
        parse_cards(player), parse_cards(banker), table_clause=table_clause, stood_clause=stood_clause
    )


# ---------------------------------------------------------------- the Table of Play


def test_the_printed_table_has_every_cell_once() -> None:
    assert sorted(CELLS) == sorted(product(range(8), range(10)))
    assert points(PLAYER_DRAWS + PLAYER_STANDS + NATURAL) == list(range(10))
    assert sum(CELLS.values()) == 30 + 9 + 6 + 4 + 2


@pytest.mark.parametrize("total", range(8))
def test_the_player_hand_draws_or_stands_on_its_first_two_cards(total: int) -> None:
    expected = {total in points(PLAYER_DRAWS)}
    assert {
        TABLE_OF_PLAY.next_hand(player, (banker, 0)) is Hand.PLAYER
        for player in two_cards(total)
        for banker in range(8)
    } == expected


@pytest.mark.parametrize(("banker", "third"), sorted(CELLS))
def test_the_banker_hand_after_the_players_third_card(banker: int, third: int) -> None:
    expected = {Hand.BANKER if CELLS[banker, third] else None}
    assert {
        TABLE_OF_PLAY.next_hand((*player, third), cards)
        for total in points(PLAYER_DRAWS)
        for player in two_cards(total)
        for cards in two_cards(banker)
    } == expected


@pytest.mark.parametrize("banker", range(8))
def test_the_banker_hand_when_the_player_hand_stood(banker: int) -> None:
    stands, draws = map(points, WITHOUT_A_PLAYER_THIRD_CARD.split("draw"))
    assert (banker in stands) != (banker in draws)
    assert {
        TABLE_OF_PLAY.next_hand(player, cards)
        for total in points(PLAYER_STANDS)
        for player in two_cards(total)
        for cards in two_cards(banker)
    } == {Hand.BANKER if banker in draws else None}


def test_a_natural_of_either_hand_ends_the_round() -> None:
    naturals = [
        totals for totals in product(range(10), repeat=2) if any(total in points(NATURAL) for total in totals)
    ]
    assert len(naturals) == 36
    for player_total, banker_total in naturals:
        for player, banker in product(two_cards(player_total), two_cards(banker_total)):
            assert TABLE_OF_PLAY.next_hand(player, banker) is None, (player, banker)


def test_a_ten_and_every_picture_card_stand_in_column_0() -> None:
    for third in ("10", "J", "Q", "K"):
        assert a_round(f"2 3 {third}", "K 3").next_hand is Hand.BANKER
        assert a_round(f"2 3 {third}", "K 4").next_hand is None


def test_nothing_is_dealt_after_the_bankers_third_card() -> None:
    for cards in product(range(8), range(10)):
        assert TABLE_OF_PLAY.next_hand((0, 0, 6), (cards[0], 0, cards[1])) is None


def test_a_round_follows_the_table_it_was_given() -> None:
    never = TableOfPlay(player=(False,) * 8, banker=((False,) * 11,) * 8)
    other = Round(table=never)
    for card in parse_cards("K Q J 10"):
        other = other.with_card(card)
    assert other.is_over
    assert dealt("K Q J 10").next_hand is Hand.PLAYER


# ---------------------------------------------------------------- the deal


def test_the_first_and_third_cards_are_the_players_the_second_and_fourth_the_bankers() -> None:
    turns = []
    cards = parse_cards("A 2 3 4")
    for count in range(5):
        turns.append(dealt(" ".join(cards[:count])).next_hand)
    assert turns == [Hand.PLAYER, Hand.BANKER, Hand.PLAYER, Hand.BANKER, Hand.PLAYER]
    assert str(dealt("A 2 3 4")) == "Player A 3, Banker 2 4"


def test_the_fifth_and_sixth_cards_go_where_the_table_says() -> None:
    assert dealt("5 K K 6").next_hand is Hand.PLAYER
    assert dealt("5 K K 6 7").next_hand is Hand.BANKER
    assert dealt("5 K K 6 7 2") == a_round("5 K 7", "K 6 2")
    assert dealt("6 K K 5").next_hand is Hand.BANKER
    assert dealt("6 K K 5 9") == a_round("6 K", "K 5 9")


@pytest.mark.parametrize(
    ("player", "banker"),
    [("8 K", "2 2"), ("2 2", "9 K"), ("6 K", "7 K"), ("5 K 8", "3 K"), ("5 K 7", "6 K 2"), ("7 K", "2 K 2")],
)
def test_no_card_is_dealt_after_the_end(player: str, banker: str) -> None:
    over = a_round(player, banker)
    assert over.is_over
    with pytest.raises(RoundError) as refused:
        over.with_card(RANKS[0])
    assert str(refused.value) == (
        f"the round is over (Player {player}, Banker {banker}): no card is dealt after it"
    )


def test_a_round_is_void_only_when_a_card_is_to_come_and_the_shoe_is_empty() -> None:
    empty, one_card = Shoe.parse("A=0"), Shoe.parse("A=1")
    assert a_round("5 K", "6 K").is_void(empty)
    assert a_round("5 K 7", "6 K").is_void(empty)
    assert Round().is_void(empty)
    assert not a_round("5 K", "6 K").is_void(one_card)
    assert not a_round("8 K", "6 K").is_void(empty)


def test_the_points_of_a_hand_as_it_stands() -> None:
    half_way = a_round("7 8", "9 9 J")
    assert (half_way.points(Hand.PLAYER), half_way.points(Hand.BANKER)) == (5, 8)
    assert Round().points(Hand.PLAYER) == 0


@pytest.mark.parametrize(
    ("cards", "stage"),
    [
        ("", None),
        ("5", None),
        ("5 K K", None),
        ("5 K K 6", Stage.FOUR_CARDS),
        ("8 K K 6", Stage.FOUR_CARDS),
        ("5 K K 6 7", Stage.PLAYER_THIRD_CARD),
        ("5 K K 6 7 2", None),
        ("6 K K 5 9", None),
    ],
)
def test_the_stage_is_the_moment_of_insurance_that_this_is(cards: str, stage: Stage | None) -> None:
    assert dealt(cards).stage is stage


@pytest.mark.parametrize(
    ("cards", "stages"),
    [
        ("5 K K", {}),
        ("5 K K 6", {Stage.FOUR_CARDS: "5 K K 6"}),
        ("6 K K 5 9", {Stage.FOUR_CARDS: "6 K K 5"}),
        ("5 K K 6 7", {Stage.FOUR_CARDS: "5 K K 6", Stage.PLAYER_THIRD_CARD: "5 K K 6 7"}),
        ("5 K K 6 7 2", {Stage.FOUR_CARDS: "5 K K 6", Stage.PLAYER_THIRD_CARD: "5 K K 6 7"}),
    ],
)
def test_the_stages_are_the_moments_that_a_round_has_passed(cards: str, stages: dict[Stage, str]) -> None:
    assert dealt(cards).stages == {stage: dealt(moment) for stage, moment in stages.items()}


# ---------------------------------------------------------------- finished rounds


@pytest.mark.parametrize(
    ("player", "banker"),
    [
        ("8 K", "2 2"),
        ("2 2", "9 K"),
        ("6 K", "7 K"),
        ("7 K", "5 K 9"),
        ("5 K 8", "3 K"),
        ("5 K 9", "3 K 2"),
        ("K 10 J", "A A Q"),
        ("5 K 7", "6 K 2"),
    ],
)
def test_hands_that_the_table_deals_are_a_finished_round(player: str, banker: str) -> None:
    assert finished(player, banker) == a_round(player, banker)


# Where each document prints the Table of Play, and its sentence for a Player Hand that stood.
CLAUSES = [("3.7", "3.6"), ("3.15", "3.13"), ("3.12", "3.11")]


@pytest.mark.parametrize(("table_clause", "stood_clause"), CLAUSES)
@pytest.mark.parametrize(
    ("player", "banker", "message"),
    [
        (
            "8 K 2",
            "2 2",
            "{P}: the third card 2 is against {T}: a natural {E} (Player 8, Banker 4), so it stands",
        ),
        (
            "2 2 K",
            "9 K",
            "{P}: the third card K is against {T}: a natural {E} (Player 4, Banker 9), so it stands",
        ),
        (
            "8 K",
            "2 2 3",
            "{B}: the third card 3 is against {T}: a natural {E} (Player 8, Banker 4), so it stands",
        ),
        (
            "6 K",
            "9 K 3",
            "{B}: the third card 3 is against {T}: a natural {E} (Player 6, Banker 9), so it stands",
        ),
        ("6 K 2", "7 K", "{P}: the third card 2 is against {T}: Player has 6, so it stands"),
        ("3 4 10", "2 2 K", "{P}: the third card 10 is against {T}: Player has 7, so it stands"),
        ("5 K", "7 K", "{P}: a third card is missing: Player has 5, so it draws"),
        ("K Q", "4 K 5", "{P}: a third card is missing: Player has 0, so it draws"),
        ("5 K 8", "3 K 4", "{B}: the third card 4 is against {T}: Banker has 3 and {W} 8, so it stands"),
        ("5 K J", "4 K 9", "{B}: the third card 9 is against {T}: Banker has 4 and {W} 0, so it stands"),
        ("5 K 6", "7 K 2", "{B}: the third card 2 is against {T}: Banker has 7 and {W} 6, so it stands"),
        ("5 K 9", "3 K", "{B}: a third card is missing: Banker has 3 and {W} 9, so it draws"),
        ("5 K A", "A A", "{B}: a third card is missing: Banker has 2 and {W} 1, so it draws"),
        ("", "7 K", "{P}: found 0 cards; a finished hand has two or three"),
        ("7", "7 K", "{P}: found 1 card; a finished hand has two or three"),
        ("6 K", "7", "{B}: found 1 card; a finished hand has two or three"),
        ("A A A A", "7 K", "{P}: found 4 cards; a finished hand has two or three"),
        ("6 K", "2 2 2 2", "{B}: found 4 cards; a finished hand has two or three"),
    ],
)
def test_hands_against_the_table_are_refused_with_its_clause(
    player: str, banker: str, message: str, table_clause: str, stood_clause: str
) -> None:
    in_full = message.format(
        P="Player Hand",
        B="Banker Hand",
        T="the Table of Play",
        E="ends the round",
        W="the Player's third card is worth",
    )
    with pytest.raises(RoundError) as refused:
        finished(player, banker, table_clause, stood_clause)
    assert str(refused.value) == f"{in_full} ({table_clause})"


@pytest.mark.parametrize(("table_clause", "stood_clause"), CLAUSES)
@pytest.mark.parametrize(
    ("player", "banker", "message"),
    [
        ("6 K", "5 K", "Banker Hand: a third card is missing: Banker has 5 and Player stood, so it draws"),
        ("7 K", "K Q", "Banker Hand: a third card is missing: Banker has 0 and Player stood, so it draws"),
        (
            "7 K",
            "6 K 2",
            "Banker Hand: the third card 2 is against the Table of Play: "
            "Banker has 6 and Player stood, so it stands",
        ),
    ],
)
def test_a_banker_hand_against_the_sentence_for_a_player_hand_that_stood_is_refused_with_that_clause(
    player: str, banker: str, message: str, table_clause: str, stood_clause: str
) -> None:
    with pytest.raises(RoundError) as refused:
        finished(player, banker, table_clause, stood_clause)
    assert str(refused.value) == f"{message} ({stood_clause})"


def test_of_two_wrong_hands_the_player_hand_is_named() -> None:
    with pytest.raises(RoundError, match=r"^Player Hand: a third card is missing"):
        finished("5 K", "7 K 2")


# ---------------------------------------------------------------- outcomes


def test_a_round_that_is_not_over_has_no_outcome() -> None:
    with pytest.raises(RoundError) as refused:
        _ = a_round("5 K", "6 K").outcome
    assert str(refused.value) == "the round is not over (Player 5 K, Banker 6 K): the player hand is to draw"
    with pytest.raises(RoundError) as refused:
        _ = Round().outcome
    assert str(refused.value) == "the round is not over (Player -, Banker -): the player hand is to draw"


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
    assert (result.winner, result.winning_points, result.margin, result.cards) == (
        winner,
        winning_points,
        margin,
        cards,
    )
    assert result.loses(Hand.PLAYER) == (winner is Winner.BANKER)
    assert result.loses(Hand.BANKER) == (winner is Winner.PLAYER)


def test_points_and_cards_of_each_hand() -> None:
    assert finished("9 6 3", "10 6").outcome.result == Result(8, 6, 3, 2, (3, None))
    assert finished("A 6", "2 3 8").outcome.result == Result(7, 3, 2, 3, (None, 8))


@pytest.mark.parametrize(
    ("player", "banker", "by_rank", "by_points"),
    [
        ("2 3", "4 5", Pairs.NONE, Pairs.NONE),
        ("2 2", "4 5", Pairs.SINGLE, Pairs.SINGLE),
        ("2 3", "4 4", Pairs.SINGLE, Pairs.SINGLE),
        ("2 2", "4 4", Pairs.DOUBLE, Pairs.DOUBLE),
        ("7 7", "7 7", Pairs.TWIN, Pairs.TWIN),
        ("K K", "K K", Pairs.TWIN, Pairs.TWIN),
        ("2 3", "2 3", Pairs.NONE, Pairs.NONE),
        ("K K", "Q Q", Pairs.DOUBLE, Pairs.TWIN),
        ("K Q", "10 10", Pairs.SINGLE, Pairs.TWIN),
        ("K Q", "10 J", Pairs.NONE, Pairs.TWIN),
        ("K Q", "5 5", Pairs.SINGLE, Pairs.DOUBLE),
        ("K Q", "5 6", Pairs.NONE, Pairs.SINGLE),
    ],
)
def test_pairs_by_rank_and_by_points(player: str, banker: str, by_rank: Pairs, by_points: Pairs) -> None:
    first_four = Outcome.of(parse_cards(player), parse_cards(banker)).first_four
    assert (first_four.pairs, first_four.point_pairs) == (by_rank, by_points)


def test_which_hand_has_the_pair() -> None:
    only_points = Outcome.of(parse_cards("K Q"), parse_cards("10 10")).first_four
    assert (only_points.player_pair, only_points.banker_pair) == (False, True)
    assert (only_points.player_point_pair, only_points.banker_point_pair) == (True, True)
    player_only = Outcome.of(parse_cards("3 3"), parse_cards("2 J")).first_four
    assert (player_only.player_pair, player_only.banker_pair) == (True, False)
    assert (player_only.player_point_pair, player_only.banker_point_pair) == (True, False)


def test_the_third_card_makes_no_pair() -> None:
    assert finished("5 K K", "Q 2 2").outcome.first_four.pairs is Pairs.NONE
