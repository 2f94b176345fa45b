"""The worked examples: found for any rule book, and all that a round can show is shown."""

from functools import cache
from itertools import product

import pytest

from combinat import load_game
from combinat.certify.examples import Example, examples
from combinat.rules.cards import Rank
from combinat.rules.game import Game
from combinat.rules.table_of_play import Hand
from tests.paths import BOOKS

SMALL = BOOKS / "small-baccarat.toml"
GAMES = ("commission-insurance-2013", "tiger-buffalo-noncommission-2025")


worked_examples = cache(lambda game_id: examples(load_game(game_id)))


def shown(example: Example) -> set[object]:
    """What an example shows."""
    bets = {(line.bet, line.line) for line in example.lines}
    return bets | {(line.line, line.result, line.is_tie) for line in example.insurance}


def everything(game: Game) -> set[object]:
    """All that rounds can show, by dealing them: hands of a King or an Ace with any card, every third card."""
    ranks = (*(Rank(str(number)) for number in range(2, 11)), Rank.KING, Rank.ACE)
    hands = [(Rank.KING, rank) for rank in ranks] + [(Rank.QUEEN, Rank.QUEEN), (Rank.TEN, Rank.JACK)]
    all_shown, alike = set[object](), set[object]()
    for player, banker in product(hands, repeat=2):
        dealt = [game.round(player, banker)]
        while dealt:
            one = dealt.pop()
            if not one.is_over:
                dealt += [one.with_card(rank) for rank in ranks]
                continue
            points = [
                (moment.points(Hand.PLAYER), moment.points(Hand.BANKER)) for moment in one.stages.values()
            ]
            if (key := (one.outcome, *points)) in alike:
                continue
            alike.add(key)
            for bet in game.bets:
                line = bet.line(one.outcome)
                all_shown.add((bet.id, bet.pays.index(line) + 1 if line else len(bet.pays) + 1))
            number = 0
            for table in game.insurance:
                moment = one.stages.get(table.stage)
                offer = game.offer(table.side, moment) if moment else None
                for listed in table.offers:
                    number += 1
                    if listed == offer:
                        net = listed.net(table.side, one.outcome.result)
                        result = "won" if net > 0 else "lost" if net < 0 else "returned"
                        all_shown.add((number, result, one.outcome.result.margin == 0))
    return all_shown


@pytest.mark.parametrize("game_id", [str(SMALL), pytest.param(GAMES[1], marks=pytest.mark.full)])
def test_all_that_a_round_can_show_is_shown(game_id: str) -> None:
    game = load_game(game_id)
    worked = worked_examples(game_id)
    assert set[object]().union(*map(shown, worked)) == everything(game)
    for number, example in enumerate(worked):
        before = set[object]().union(*map(shown, worked[:number]))
        assert shown(example) - before, "an example that shows nothing new"


def test_examples_stay_few() -> None:
    assert [len(worked_examples(game)) for game in GAMES] == [35, 13]
