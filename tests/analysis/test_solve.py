"""Odds that are looked for: put into the bet, they give what was asked for, by the recursion too."""

from fractions import Fraction
from itertools import product

import msgspec
import pytest

from combinat import Shoe, load_game
from combinat.analysis.odds import one_round_analysis
from combinat.analysis.solve import NEAR, STEPS, solve_hit, solve_odds
from combinat.base.errors import CombinatError
from combinat.rules.game import Game
from combinat.rules.odds import Odds
from tests.documents import NONCOMMISSION_2025

SHOE = Shoe.parse("A=2 2=1 4=2 5=2 6=3 7=2 8=1 9=2 K=5")
"""Small enough for the recursion, and every line of the bets below can come."""


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game(NONCOMMISSION_2025)


def paying(game: Game, bet_id: str, nets: dict[str, Fraction]) -> Game:
    """The game with these odds on lines of a bet, made by hand."""
    bet = game.bet(bet_id)
    pays = tuple(
        msgspec.structs.replace(pay, odds=Odds.of(nets.get(bet.line_name(pay), pay.odds.net)))
        for pay in bet.pays
    )
    return msgspec.structs.replace(game, bets=(msgspec.structs.replace(bet, pays=pays),))


@pytest.mark.parametrize(
    ("bet", "line"), [("big-tiger", ""), ("tiger", ""), ("tiger", "three cards"), ("tiger-pair", "double"), ("player", "tie")]
)  # fmt: skip
@pytest.mark.parametrize("value", [Fraction(1, 37), Fraction(8, 7)])
def test_the_exact_odds_give_the_value_by_the_recursion(
    game: Game, bet: str, line: str, value: Fraction
) -> None:
    solution = solve_odds(game, bet, SHOE, value, line=line)
    changed = paying(game, bet, {each.name: each.odds.net for each in solution.lines})
    assert one_round_analysis(changed, SHOE, by_recursion=True).bet(bet).expected_value == value
    for choice in solution.payable:
        nets = {each.name: odds.net for each, odds in zip(solution.lines, choice.odds, strict=True)}
        assert all(net > 0 and (net * 2).denominator == 1 for net in nets.values())
        other = one_round_analysis(paying(game, bet, nets), SHOE, by_recursion=True).bet(bet)
        assert choice.bet.expected_value == other.expected_value
    distances = [abs(choice.bet.expected_value - value) for choice in solution.payable]
    assert distances == sorted(distances)
    if not line:
        assert len({each.odds.net / each.now.net for each in solution.lines}) == 1


def test_the_choice_of_lines_for_a_hit_frequency_is_the_nearest_of_all(game: Game) -> None:
    bet = one_round_analysis(game, SHOE).bet("tiger-pair")
    won = {line.name: line.probability for line in bet.outcomes if line.net > 0}
    names = list(won)
    sums = [
        sum((won[name] for place, name in enumerate(names) if chosen >> place & 1), Fraction(0))
        for chosen in range(1, 8)
    ]
    wanted = Fraction(3, 100)
    solution = solve_hit(game, "tiger-pair", SHOE, wanted)
    nearest = sorted(abs(each - wanted) for each in sums)[:5]
    assert [abs(choice.bet.hit_frequency - wanted) for choice in solution.choices] == nearest
    assert all({*choice.paying, *choice.returned} == set(names) for choice in solution.choices)


def test_a_line_that_comes_back_now_may_pay_too(game: Game) -> None:
    """A tie comes back on the bet on the Player Hand: with it the bet can win more often than it does."""
    bet = one_round_analysis(game, SHOE).bet("player")
    parts = {line.name: line.probability for line in bet.outcomes if line.net >= 0}
    solution = solve_hit(game, "player", SHOE, Fraction(1))
    both, *_, least = solution.choices
    assert (both.paying, both.returned, solution.back_now) == (("Player wins", "tie"), (), ("tie",))
    assert both.bet.hit_frequency == sum(parts.values())
    assert (least.paying, least.returned) == (("tie",), ("Player wins",))
    for choice in (both, least):
        nets = {name: Fraction(name in choice.paying) for name in parts}
        other = one_round_analysis(paying(game, "player", nets), SHOE, by_recursion=True).bet("player")
        assert choice.bet.expected_value == other.expected_value


def test_no_pay_table_in_whole_numbers_is_nearer_to_the_value_than_the_first() -> None:
    """Against every pay table with odds up to 40 to 1, by its own expected value."""
    game = load_game(NONCOMMISSION_2025)
    wanted = Fraction(-1, 10)
    solution = solve_odds(game, "tiger", Shoe.of_decks(8), wanted)
    whole = next(choice for choice in solution.payable if choice.name == "whole numbers")
    lines = {line.name: line.probability for line in solution.now.outcomes if line.net > 0}
    two, three = lines.values()
    lost = 1 - two - three
    nearest = min(abs(a * two + b * three - lost - wanted) for a in range(9, 20) for b in range(9, 40))
    assert abs(whole.bet.expected_value - wanted) <= nearest + NEAR


def test_pay_tables_further_from_the_value_are_nearer_to_the_shape(game: Game) -> None:
    wanted = Fraction(-1, 10)
    solution = solve_odds(game, "tiger-pair", Shoe.of_decks(8), wanted)
    for name, above in product(STEPS, (False, True)):
        changes = [
            choice.change
            for choice in solution.payable
            if choice.name == name and (choice.bet.expected_value > wanted) == above
        ]
        assert len(changes) > 1
        assert changes == sorted(changes, reverse=True)
    exact = [line.odds.net for line in solution.lines]
    for choice in solution.payable:
        ratios = [odds.net / net for odds, net in zip(choice.odds, exact, strict=True)]
        assert choice.change == max(*ratios, *(1 / ratio for ratio in ratios)) - 1


@pytest.mark.parametrize(("shoe", "value"), [(Shoe.parse("K=20"), 0), (SHOE, -1)])
def test_a_value_that_no_odds_give_is_refused(game: Game, shoe: Shoe, value: int) -> None:
    """No line that pays can come; or the bet is worth more with nothing paid on it."""
    with pytest.raises(CombinatError):
        solve_odds(game, "big-tiger", shoe, Fraction(value))
