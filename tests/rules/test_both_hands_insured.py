"""The entry cap-of-each-hand: what 3.5.2 leaves for insurance on both hands, in rounds that can be dealt."""

from fractions import Fraction
from itertools import product

from combinat import Shoe, load_game
from combinat.analysis.insurance_limits import largest_stake_on_both
from combinat.analysis.readings import Measure, differences
from combinat.engine.walk import walk
from combinat.rules.odds import Odds
from tests.documents import COMMISSION_2013
from tests.oracle.dealer import banker_draws

# The insurance tables of 4.1.3, typed again: for each hand its odds by (Player total, Banker total).
FOUR = {
    "banker": {
        (p, b): odds
        for b, ps, odds in ((5, range(5), "2"), (6, range(6), "3"), (7, range(6), "4"))
        for p in ps
    },
    "player": {(5, 4): "2"} | {(6, b): "3" for b in range(6)} | {(7, b): "4" for b in range(6)},
}
THIRD = {
    "banker": {(1, 1): "6", (3, 4): "1.5"} | {(1, b): "7" for b in range(2, 7)} | {(2, b): "4" for b in range(3, 7)},
    "player": {(p, b): odds for p, bs, odds in ((5, 5, "2"), (6, 6, "3"), (7, 7, "4"), (8, 7, "7"), (9, 7, "8")) for b in range(bs)},
}  # fmt: skip


def rounds_that_offer_both() -> set[tuple[str, str]]:
    """The odds on Player and on Banker of one round: totals after four cards, and the Player's third card if there is one."""
    pairs = set()
    for player, banker, third in product(range(8), range(8), range(10)):
        offered: dict[str, set[str]] = {"player": set(), "banker": set()}
        draws = player <= 5
        card_to_come = draws or banker_draws(banker, None)
        for hand, table in FOUR.items():
            if card_to_come and (player, banker) in table:
                offered[hand].add(table[player, banker])
        if draws and banker_draws(banker, third):
            total = (player + third) % 10
            for hand, table in THIRD.items():
                if (total, banker) in table:
                    offered[hand].add(table[total, banker])
        pairs |= set(product(offered["player"], offered["banker"]))
    return pairs


def test_the_register_names_the_odds_that_one_round_offers_on_both_hands() -> None:
    game, shoe = load_game(COMMISSION_2013), Shoe.of_decks(8)
    found = differences(game, game.interpretation("cap-of-each-hand"), shoe, walk(shoe, game.round()))
    pairs = rounds_that_offer_both()
    assert all(player != banker for player, banker in pairs)  # no round offers both hands at equal odds
    expected = {}
    for player, banker in pairs:
        on_player, on_banker = Fraction(player), Fraction(banker)
        # Each hand's payout is within its own bet; or both together within one, all of it at the lower odds.
        each, together = 1 / on_player + 1 / on_banker, 1 / min(on_player, on_banker)
        expected[f"{player} to 1 on Player and {banker} to 1 on Banker"] = (each, together)
    assert {one.subject.odds: (one.read, one.otherwise) for one in found} == expected
    assert {one.measure for one in found} == {Measure.BOTH_HANDS}
    assert expected


def test_the_better_order_is_taken() -> None:
    game = load_game(COMMISSION_2013).reading("cap-of-each-hand")
    assert game.insurance_terms is not None
    low, high = Odds.parse("2 to 1"), Odds.parse("8 to 1")
    limits = game.insurance_terms.limits
    assert (
        largest_stake_on_both(limits, low, high) == largest_stake_on_both(limits, high, low) == Fraction(1, 2)
    )
