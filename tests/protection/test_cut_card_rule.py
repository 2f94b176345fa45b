"""One rule for the cut card: the fewest cards of a round's beginning, and a sufficient cut card for all decks."""

import msgspec
import pytest

from combinat import Shoe, load_game
from combinat.montecarlo.chance import Chance
from combinat.montecarlo.dealer import ThirdCardRules, packed
from combinat.montecarlo.shoes import dealt_shoes, shuffled_shoes
from combinat.protection.ceiling import USUAL_DEALING, SufficientCut, worst_cut
from combinat.protection.summary import CEILING_DEPTHS, COUNT_DEPTHS, PERFECT_LEFT, protection
from combinat.rules.shoe_dealing import Burn, ShoeDealing
from tests.conftest import SMALL_BOOK
from tests.documents import COMMISSION_2013, NONCOMMISSION_2025


@pytest.mark.parametrize("after", [0, 1, 2])
def test_no_round_of_a_study_begins_with_fewer_cards(after: int) -> None:
    """Of many shoes the deepest round begins with exactly as many."""
    dealing = ShoeDealing(cut_card=18, burn=Burn(), after=after)
    shoe, shoes = Shoe.of_decks(1), 40_000
    decks = shuffled_shoes(Chance(1, 0), packed(shoe), shoes)
    rules = ThirdCardRules.of(load_game(COMMISSION_2013))
    assert dealt_shoes(decks, shoe, dealing, rules).left.min() == dealing.fewest_left()


def test_a_report_looks_at_the_fewest_cards_of_the_same_rule() -> None:
    assert USUAL_DEALING.cut_card == 14
    assert USUAL_DEALING.fewest_left() == 9
    assert PERFECT_LEFT == COUNT_DEPTHS[0] == CEILING_DEPTHS[0] == 9


def test_a_sufficient_cut_card_suffices_with_every_number_of_decks() -> None:
    game = load_game(NONCOMMISSION_2025)
    two = msgspec.structs.replace(game, bets=(game.bet("tie"), game.bet("player-pair")))
    found = {one.bet: one for one in protection(two, Shoe.of_decks(8), [8, 10])}
    assert found["player-pair"].cut_cards == (
        SufficientCut(decks=8, behind=63),
        SufficientCut(decks=10, behind=70),
    )
    assert (found["player-pair"].cut_card, found["tie"].cut_card) == (70, 24)


def test_a_shoe_too_large_for_ceilings_has_no_sufficient_cut_card() -> None:
    (punto, *_) = protection(load_game(str(SMALL_BOOK)), Shoe.of_decks(1), [1, 17])
    assert punto.cut_cards[0].behind is not None
    assert (punto.cut_cards[1].behind, punto.cut_card) == (None, None)


def test_the_worst_of_no_number_is_none() -> None:
    assert worst_cut([SufficientCut(decks=8, behind=63), SufficientCut(decks=10, behind=None)]) is None
