"""The rule books say what the documents say, against a second transcription."""

import datetime

import pytest

from combinat import load_game
from tests import documents
from tests.documents import COMMISSION_2013, COMMISSION_2024, GAMES, NONCOMMISSION_2024, NONCOMMISSION_2025
from tests.oracle.settler import offers, profit


@pytest.mark.parametrize("game_id", GAMES)
def test_every_bet_its_odds_its_clause_and_its_layouts(game_id: str) -> None:
    game = load_game(game_id)
    stated = {
        bet.id: (bet.settled, "".join(bet.layouts), [pay.odds.net for pay in bet.pays]) for bet in game.bets
    }
    expected = {
        bet: (settled, layouts, [profit(odds) for odds in line.split()])
        for bet, (settled, layouts, line) in documents.BETS[game_id].items()
    }
    assert stated == expected


@pytest.mark.parametrize("game_id", GAMES)
def test_every_insurance_state_its_odds_and_its_star(game_id: str) -> None:
    stated = {
        (state.side, state.stage, state.player_points, state.banker_points): (
            offer.odds.net,
            bool(offer.tie_pays),
        )
        for state, offer in load_game(game_id).offers.items()
    }
    assert stated == (offers(game_id) if documents.INSURANCE[game_id] else {})


@pytest.mark.parametrize("game_id", GAMES)
def test_layouts_and_their_positions(game_id: str) -> None:
    stated = " ".join(
        f"{layout.id}:{str(layout.positions).replace(' to ', '-')}" for layout in load_game(game_id).layouts
    )
    assert stated == documents.POSITIONS[game_id]


def test_layout_kinds_of_2013() -> None:
    kinds = [layout.kind for layout in load_game(COMMISSION_2013).layouts]
    assert kinds == ["Big Baccarat"] * 2 + ["Bean Baccarat"] * 2 + ["Mini Baccarat"] * 3


@pytest.mark.parametrize(
    ("game_id", "most", "date", "time", "version"),
    [
        (COMMISSION_2013, 8, datetime.date(2013, 10, 22), None, "4"),
        (COMMISSION_2024, 10, datetime.date(2024, 5, 14), datetime.time(8), ""),
        (NONCOMMISSION_2024, 10, datetime.date(2024, 5, 14), datetime.time(8), ""),
        (NONCOMMISSION_2025, 10, datetime.date(2025, 8, 8), datetime.time(8), "4"),
    ],
)
def test_identity(
    game_id: str, most: int, date: datetime.date, time: datetime.time | None, version: str
) -> None:
    game = load_game(game_id)
    assert (game.decks.least, game.decks.most, game.effective, game.time, game.version) == (
        4,
        most,
        date,
        time,
        version,
    )


def test_the_drawing_that_disagrees_is_in_the_register() -> None:
    other = load_game(NONCOMMISSION_2024).reading("pay-table-over-drawing")
    assert [other.bet(bet).pays[0].odds for bet in ("small-tiger", "small-buffalo")] == ["20 to 1", "22 to 1"]
