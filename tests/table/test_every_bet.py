"""``settle`` without a stake: every bet does what it does when it is staked alone."""

import json
from fractions import Fraction

import pytest

from combinat import load_game
from combinat.errors import StakeError
from combinat.rules.cards import parse_cards
from combinat.rules.every_bet import every_bet
from combinat.rules.insurance import Insured
from combinat.rules.settlement import settle
from tests.conftest import Run
from tests.documents import COMMISSION_2024, NONCOMMISSION_2025

HANDS = [("K 6", "2 3 9"), ("5 K 2", "4 K 5"), ("9 K", "8 K"), ("A 2 K", "K 3 K"), ("6 K", "6 Q")]


@pytest.mark.parametrize(("player", "banker"), HANDS)
def test_every_bet_is_settled_as_if_it_were_staked_alone(player: str, banker: str) -> None:
    game = load_game(COMMISSION_2024)
    dealt = game.finished_round(parse_cards(player), parse_cards(banker))
    lines = {line.id: line for line in every_bet(game, dealt).lines}
    assert list(lines)[: len(game.bets)] == [bet.id for bet in game.bets]
    for bet in game.bets:
        assert (lines[bet.id],) == settle(game, dealt, {bet.id: Fraction(1)}).lines
    for table in game.insurance:
        hand, stage = table.insured
        insured = game.bet_on(hand)
        assert insured is not None
        stakes, one = {insured.id: Fraction(1000)}, {Insured(hand, stage): Fraction(1)}
        try:
            (_, line) = settle(game, dealt, stakes, one, table_maximum=Fraction(10000)).lines
        except StakeError:
            assert str(table.insured) not in lines
        else:
            assert lines[str(table.insured)] == line


def test_only_the_bets_of_the_layout_are_shown(run: Run) -> None:
    words = ["settle", NONCOMMISSION_2025, "--player", "K 6", "--banker", "2 4", "--format", "json"]
    shown = json.loads(run(*words, "--layout", "P").out)
    assert [line["id"] for line in shown["lines"]] == [
        bet.id for bet in load_game(NONCOMMISSION_2025).bets_on("P")
    ]
    assert (shown["staked"], shown["net"]) == (None, None)
    assert len(json.loads(run(*words).out)["lines"]) == 20


def test_a_procedure_returns_every_bet(run: Run) -> None:
    ran = run(
        "settle", COMMISSION_2024, "--procedure", "insufficient-cards", "--player", "K 6", "--banker", "2 3"
    )
    assert ran.code == 0
    assert ran.out.count(" returned ") == len(load_game(COMMISSION_2024).bets)
