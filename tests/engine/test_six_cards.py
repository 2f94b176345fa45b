"""Shoes of six cards or a few more, dealt all at once: the integers of the walk."""

from fractions import Fraction
from functools import cache
from math import factorial

import numpy as np
import pytest

from combinat import Game, Shoe, evaluate
from combinat.analysis.batch import BatchColumns
from combinat.analysis.bets import bet_analysis
from combinat.engine.six_cards import ALIKE, orders
from combinat.engine.walk import walk
from combinat.rules.book.load import parsed_game
from tests.conftest import SMALL_BOOK
from tests.oracle.tables_of_play import PLAYABLE, VARIANTS, text_with
from tests.protection.joint_bets import JOINT


@cache
def joint_game(table: str = "as printed") -> Game:
    """The small game with bets that look at ranks and points together, by one of some Tables of Play."""
    text = text_with(VARIANTS[table][0], SMALL_BOOK) + JOINT
    return parsed_game(text.encode(), SMALL_BOOK)


def walked_values(game: Game, shoe: Shoe) -> dict[str, Fraction]:
    """The expected value of every bet by the walk."""
    distribution = walk(shoe, game.round())
    return {bet.id: bet_analysis(game, bet, distribution).expected_value for bet in game.bets}


TWO_SHOES = [Shoe.parse("4=2 8=2 A=1 K=1"), Shoe.parse("K=2 9=2 2=2")]


@pytest.mark.parametrize("table", PLAYABLE)
def test_shoes_of_six_cards_are_the_walks_by_other_tables_of_play(table: str) -> None:
    game = joint_game(table)
    evaluation = evaluate(game, np.array([shoe.counts for shoe in TWO_SHOES]))
    assert list(evaluation) == [walked_values(game, shoe) for shoe in TWO_SHOES]


def test_shoes_of_six_cards_are_not_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor are the others that stand beside them in the batch walked for more than their joint bets."""
    walked: list[Shoe] = []
    one_by_one = BatchColumns.joint_walked

    def noted(columns: BatchColumns, shoe: Shoe) -> list[int]:
        walked.append(shoe)
        return one_by_one(columns, shoe)

    monkeypatch.setattr(BatchColumns, "joint_walked", noted)
    shoes = [Shoe.parse("4=2 8=2 A=1 K=1"), Shoe.parse("K=5 9=5 2=2"), Shoe.parse("K=1 9=2 2=2")]
    evaluation = evaluate(joint_game(), np.array([shoe.counts for shoe in shoes]))
    assert walked == [shoes[1]]
    assert list(evaluation) == [walked_values(joint_game(), shoe) for shoe in shoes]


def test_every_order_is_dealt_once() -> None:
    assert len(set(orders())) * ALIKE == factorial(6)
