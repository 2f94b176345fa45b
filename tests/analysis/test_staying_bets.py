"""Bets that stay on the layout: a tie and a void round are told apart, by an enumeration that shares nothing with the engine."""

from fractions import Fraction

import pytest

from combinat import Shoe, analyze, load_game
from combinat.analysis.readings import Measure, readings
from combinat.analysis.solve import solve_odds
from combinat.engine.walk import walk
from combinat.rules.book.load import parsed_game
from tests.documents import BETS, COMMISSION_2013
from tests.oracle import dealer, settler
from tests.paths import ROOT

TIES, VOID = "tied-bets-returned", "void-game-returns-bets"
SHOES = (
    "4=2 5=1 10=1 K=1",
    "4=2 5=1 6=2 K=1",
    "A=1 5=1 6=1 7=1 K=1",
    "2=2 3=2 4=1",
    "9=1 J=2",
    "6=2 7=2 8=3",
    "K=8",
)


def played_on(cards: str, bet: str, followed: tuple[str, ...]) -> Fraction | None:
    """What a bet is worth when rounds after which it stays are dealt again; None: every round leaves it there."""
    won = settled = Fraction(0)
    for deal, ways in dealer.deals(Shoe.parse(cards).counts).items():
        tied = not deal.is_void and dealer.total(deal.player) == dealer.total(deal.banker)
        if deal.is_void and VOID in followed:
            continue
        if tied and TIES in followed and bet in ("player", "banker"):
            continue
        settled += ways
        won += ways * settler.bet_net(COMMISSION_2013, bet, deal)
    return won / settled if settled else None


@pytest.mark.parametrize("cards", SHOES)
@pytest.mark.parametrize("followed", [(TIES,), (VOID,), (TIES, VOID)])
def test_only_the_rounds_after_which_a_bet_stays_drop_out(cards: str, followed: tuple[str, ...]) -> None:
    analysis = analyze(load_game(COMMISSION_2013).reading(*followed), Shoe.parse(cards))
    for bet in BETS[COMMISSION_2013]:
        expected = played_on(cards, bet, followed)
        if expected is not None:
            assert analysis[bet].expected_value == expected, bet
            assert analysis[bet].total_probability == 1


def test_a_push_that_is_no_tie_returns_the_bet() -> None:
    """Where Banker pushes on a winning 7 of three cards, that round settles the bet; a tie does not."""
    path = ROOT / "tables" / f"{COMMISSION_2013}.toml"
    wins = '{ name = "Banker wins", winner = "banker", odds = "0.95 to 1" },'
    seven = "banker_points = 7, banker_cards = 3"
    lines = f'{{ name = "Banker wins", winner = "banker", odds = "0.95 to 1", except = [{{ {seven} }}] }},'
    lines += f'{{ name = "seven", winner = "banker", {seven}, odds = "push" }},'
    game = parsed_game(path.read_text().replace(wins, lines, 1).encode(), path)
    analysis = analyze(game.reading(TIES), Shoe.parse("A=1 6=2 7=2 2=2 K=2"))["banker"]
    banker = Fraction(19, 20)
    won = pushed = lost = Fraction(0)
    for deal, ways in dealer.deals(Shoe.parse("A=1 6=2 7=2 2=2 K=2").counts).items():
        assert not deal.is_void
        player_total, banker_total = dealer.total(deal.player), dealer.total(deal.banker)
        is_seven = banker_total == 7 and len(deal.banker) == 3
        won += ways * (banker_total > player_total and not is_seven)
        pushed += ways * (banker_total > player_total and is_seven)
        lost += ways * (banker_total < player_total)
    assert analysis.push == pushed / (won + pushed + lost)
    assert analysis.expected_value == (banker * won - lost) / (won + pushed + lost)


def test_the_register_values_bets_that_a_void_round_leaves_until_they_are_decided() -> None:
    game, shoe = load_game(COMMISSION_2013), Shoe.parse("4=2 5=1 10=1 K=1")
    entries = {one.entry: one.differences for one in readings(game, shoe, walk(shoe, game.round()))}
    changed = {one.subject.bet: (one.measure, one.read, one.otherwise) for one in entries[VOID]}
    assert changed["banker"] == (Measure.UNTIL_DECIDED, Fraction(-3, 200), Fraction(-1, 40))
    assert changed["player-pair"] == (Measure.UNTIL_DECIDED, Fraction(3, 5), Fraction(1))
    ties = {one.subject.bet: (one.read, one.otherwise) for one in entries[TIES]}
    assert ties["banker"] == (Fraction(-3, 200), Fraction(-3, 200))


def test_odds_are_solved_for_the_value_until_decided() -> None:
    """Player wins and loses as often: at odds of 1 and no ties the void rounds change nothing, at 3 to 1 they do."""
    game = load_game(COMMISSION_2013).reading(VOID)
    solution = solve_odds(game, "player", Shoe.parse("4=2 5=1 10=1 K=1"), Fraction(1))
    assert solution.lines[0].odds.net == 3  # 1/2 * 3 - 1/2
