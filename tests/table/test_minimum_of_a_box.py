"""5.2: the minimum for a betting box, met by each player's bet or by all bets in the box together. Minimum 100."""

import pytest

from combinat import load_game
from combinat.rules.game import Game
from combinat.table.differential import Why, acceptances, shares
from combinat.table.table_settlement import other_states
from tests.documents import COMMISSION_2013, COMMISSION_2024, NONCOMMISSION_2024, NONCOMMISSION_2025
from tests.table.tables import table_of

READING = "minimum-for-each-player"
MODERN = [load_game(game) for game in (COMMISSION_2024, NONCOMMISSION_2024, NONCOMMISSION_2025)]
every_document = pytest.mark.parametrize("game", MODERN, ids=lambda game: game.id)

BOXES = [
    ({"banker": 60, "player": 30}, [{"banker": 50}]),  # Banker 110 together, Player 30
    ({"banker": 40}, [{"banker": 30}]),  # 70 together: 30 are missing
]
STAKES = ["1 banker 60", "1 player 30", "1 banker 50", "2 banker 40", "2 banker 30"]


def short(game: Game) -> dict[str, int]:
    taken = acceptances(game, table_of(game, BOXES, closed=False))
    return {f"{one.wager.bettor.box} {one.wager.bet} {one.wager.staked}": int(one.short) for one in taken}


@every_document
def test_each_player_has_to_meet_the_minimum(game: Game) -> None:
    assert short(game) == dict(zip(STAKES, [40, 70, 50, 60, 70], strict=True))


@every_document
def test_the_bets_of_a_box_meet_the_minimum_together_under_the_other_reading(game: Game) -> None:
    assert short(game.reading(READING)) == dict(zip(STAKES, [0, 70, 0, 30, 30], strict=True))


@every_document
def test_what_nobody_noticed_is_under_the_minimum_of_its_box(game: Game) -> None:
    """5.2.1: it wins or loses in full either way; the reason is another one."""
    own = [share.why for share in shares(game, table_of(game, BOXES))]
    assert own == [Why.UNNOTICED] * 5
    other = shares(game.reading(READING), table_of(game, BOXES))
    assert [share.why for share in other] == [
        Why.WHOLE,
        Why.UNNOTICED,
        Why.WHOLE,
        Why.UNNOTICED,
        Why.UNNOTICED,
    ]
    assert all(share.at_stake == share.wager.staked for share in other)


@every_document
def test_the_pro_rata_still_looks_at_each_player(game: Game) -> None:
    """5.1.1 and 5.1.2 name a Player's bet under the minimum: 60 stands in full where 10,050 on Banker are cut to 10,000."""
    boxes = [({"banker": 60}, [{"banker": 9990}])]
    for read in (game, game.reading(READING)):
        assert [share.at_stake for share in shares(read, table_of(read, boxes))] == [60, 9940]


@every_document
def test_the_table_follows_the_reading(game: Game) -> None:
    assert READING in other_states(game, table_of(game, BOXES))
    assert game.interpretation(READING).clauses == ("5.2", "5.2.1")


def test_the_2013_document_has_no_such_clause() -> None:
    assert READING not in {entry.id for entry in load_game(COMMISSION_2013).interpretations}
