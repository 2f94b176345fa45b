"""A shoe that runs out before the fourth card: what three cards or fewer have decided stands under the other reading."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest

from combinat import Round, Shoe, analyze, evaluate, load_game, ruling, settle
from combinat.rules.book.load import parsed_rule_book
from tests.documents import COMMISSION_2013, COMMISSION_2024, NONCOMMISSION_2024
from tests.paths import ROOT

READING = "unfinished-round-void"
DOCUMENTS = [
    game for game in (COMMISSION_2013, COMMISSION_2024, NONCOMMISSION_2024)
    if any(entry.id == READING for entry in load_game(game).interpretations)
]  # fmt: skip


@pytest.mark.parametrize("cards", ["9 J J", "7 7 7", "K Q Q", "A 2 3", "5 5", "K"])
@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_pair_is_decided_by_the_third_card(document: str, cards: str) -> None:
    """The Player Hand has the first and the third card. With fewer cards every bet comes back."""
    game = load_game(document)
    deals = list(permutations(cards.split()))
    three = len(deals[0]) == 3
    pair = sum(Fraction(11 if deal[0] == deal[2] else -1) for deal in deals) / len(deals) if three else 0
    shoe = Shoe.of(Counter(cards.split()))
    analysis = analyze(game.reading(READING), shoe)
    assert analysis["player-pair"].expected_value == pair
    assert analysis["banker-pair"].expected_value == 0
    assert analysis["tie"].expected_value == 0
    assert analysis["player-pair"].total_probability == 1
    assert analyze(game, shoe)["player-pair"].expected_value == 0
    assert evaluate(game.reading(READING), [shoe])["player-pair"] == (pair,)


def test_a_ruling_and_a_settlement_let_the_pair_stand() -> None:
    """J 9 J: Player J J, Banker 9. The pair has won 11 to 1; everything else is open."""
    game = load_game(COMMISSION_2013).reading(READING)
    made = ruling(game, "insufficient-cards", "J 9 J", Shoe.parse("9=1 J=2"))
    assert made.ruling == "void"
    assert made.worths == {"player": 0, "banker": 0, "tie": 0, "player-pair": 11, "banker-pair": 0}
    stakes = {"player-pair": 10, "player": 10}
    settled = settle(game, Round.parse("J J", "9"), stakes, procedure="insufficient-cards")
    assert [line.net for line in settled.lines] == [110, 0]
    lost = settle(game, Round.parse("J Q", "9"), stakes, procedure="insufficient-cards")
    assert [line.net for line in lost.lines] == [-10, 0]
    document = settle(COMMISSION_2013, Round.parse("J J", "9"), stakes, procedure="insufficient-cards")
    assert [line.net for line in document.lines] == [0, 0]


def test_two_cards_decide_a_bet_on_one_rank_of_pairs() -> None:
    """A bet on a pair of Kings is lost with the Player's first card, and stands as lost after two cards."""
    path = ROOT / "tables" / f"{COMMISSION_2013}.toml"
    text = path.read_text().replace(
        "pays = [{ player_pair = true, odds", 'pays = [{ player_pair_of = "K", odds'
    )
    game = parsed_rule_book(text.encode(), path).game.reading(READING)
    assert analyze(game, Shoe.parse("5=1 6=1"))["player-pair"].expected_value == -1
    assert analyze(game, Shoe.parse("K=2"))["player-pair"].expected_value == 0
