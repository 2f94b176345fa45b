"""5.2: the minimum for a betting box, met by each player's bet or by all bets in the box together. Minimum 100."""

from combinat import load_game
from combinat.rules.game import Game
from combinat.table.differential import Why, acceptances, shares
from tests.documents import NONCOMMISSION_2024
from tests.table.tables import table_of

READING = "minimum-for-each-player"
GAME = load_game(NONCOMMISSION_2024)

BOXES = [
    ({"banker": 60, "player": 30}, [{"banker": 50}]),  # Banker 110 together, Player 30
    ({"banker": 40}, [{"banker": 30}]),  # 70 together: 30 are missing
]
STAKES = ["1 banker 60", "1 player 30", "1 banker 50", "2 banker 40", "2 banker 30"]


def short(game: Game) -> dict[str, int]:
    taken = acceptances(game, table_of(game, BOXES, closed=False))
    return {f"{one.wager.bettor.box} {one.wager.bet} {one.wager.staked}": int(one.short) for one in taken}


def test_each_player_has_to_meet_the_minimum() -> None:
    assert short(GAME) == dict(zip(STAKES, [40, 70, 50, 60, 70], strict=True))


def test_the_bets_of_a_box_meet_the_minimum_together_under_the_other_reading() -> None:
    assert short(GAME.reading(READING)) == dict(zip(STAKES, [0, 70, 0, 30, 30], strict=True))


def test_what_nobody_noticed_is_under_the_minimum_of_its_box() -> None:
    """5.2.1: it wins or loses in full either way; the reason is another one."""
    own = [share.why for share in shares(GAME, table_of(GAME, BOXES))]
    assert own == [Why.UNNOTICED] * 5
    other = shares(GAME.reading(READING), table_of(GAME, BOXES))
    assert [share.why for share in other] == [
        Why.WHOLE,
        Why.UNNOTICED,
        Why.WHOLE,
        Why.UNNOTICED,
        Why.UNNOTICED,
    ]
    assert all(share.at_stake == share.wager.staked for share in other)


def test_the_pro_rata_still_looks_at_each_player() -> None:
    """5.1.1 and 5.1.2 name a Player's bet under the minimum: 60 stands in full where 10,050 on Banker are cut to 10,000."""
    boxes = [({"banker": 60}, [{"banker": 9990}])]
    for read in (GAME, GAME.reading(READING)):
        assert [share.at_stake for share in shares(read, table_of(read, boxes))] == [60, 9940]
