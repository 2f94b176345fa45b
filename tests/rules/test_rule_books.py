"""The rule books say what the documents say, against a second transcription."""

import datetime
from fractions import Fraction

import pytest

from combinat import load_game
from combinat.rules.book.find import rule_book_paths
from combinat.rules.insurance import Base, Caps, Per
from combinat.rules.odds import PointSet
from combinat.rules.procedure import Effect
from combinat.rules.round import Stage
from tests import documents
from tests.documents import COMMISSION_2013, COMMISSION_2024, GAMES, NONCOMMISSION_2024, NONCOMMISSION_2025


def net(odds: str) -> Fraction:
    """Odds as ``documents`` types them."""
    if odds == "push":
        return Fraction(0)
    profit, stake = odds.split(":")
    return Fraction(profit) / Fraction(stake)


def test_the_four_games_come_with_the_program() -> None:
    assert set(rule_book_paths()) == set(GAMES)


@pytest.mark.parametrize("game_id", GAMES)
def test_every_bet_its_odds_its_clause_and_its_layouts(game_id: str) -> None:
    game = load_game(game_id)
    stated = {
        bet.id: (bet.settled, "".join(bet.layouts), [pay.odds.net for pay in bet.pays]) for bet in game.bets
    }
    expected = {
        bet: (settled, layouts, [net(odds) for odds in line.split()])
        for bet, (settled, layouts, line) in documents.BETS[game_id].items()
    }
    assert stated == expected


@pytest.mark.parametrize("game_id", GAMES)
def test_every_insurance_state_its_odds_and_its_star(game_id: str) -> None:
    expected = {}
    for line in documents.INSURANCE[game_id].split("\n"):
        if not line:
            continue
        side, stage, player, banker, odds, *star = line.split()
        for player_points in PointSet.parse(player):
            for banker_points in PointSet.parse(banker):
                state = (side, stage, player_points, banker_points)
                assert state not in expected
                expected[state] = (net(odds), bool(star))
    stated = {
        (
            state.side.value,
            "4" if state.stage is Stage.FOUR_CARDS else "3",
            state.player_points,
            state.banker_points,
        ): (
            offer.odds.net,
            offer.tie_pays is not None,
        )
        for state, offer in load_game(game_id).offers.items()
    }
    assert stated == expected


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


def test_limits_of_2013_are_on_the_payout_of_the_round() -> None:
    terms = load_game(COMMISSION_2013).insurance_terms
    assert terms is not None
    (limit,) = terms.limits
    assert (limit.clause, limit.caps, limit.per, limit.share.part, limit.of) == (
        "3.5.2",
        Caps.PAYOUT,
        Per.ROUND,
        Fraction(1),
        Base.ORIGINAL_BET,
    )


@pytest.mark.parametrize("game_id", [COMMISSION_2024, NONCOMMISSION_2024])
def test_limits_of_2024_are_on_each_bet_with_two_exceptions(game_id: str) -> None:
    terms = load_game(game_id).insurance_terms
    assert terms is not None
    assert [
        (limit.clause, limit.caps, limit.per, limit.share.part, limit.of, limit.odds, limit.procedure)
        for limit in terms.limits
    ] == [
        ("3.12.2", Caps.STAKE, Per.OFFER, 1, Base.ORIGINAL_BET, None, None),
        ("3.12.2", Caps.STAKE, Per.OFFER, Fraction(1, 4), Base.TABLE_MAXIMUM, "10 to 1", None),
        ("5.13.1", Caps.PAYOUT, Per.ROUND, 1, Base.ORIGINAL_BET, None, "insurance-offered-late"),
    ]


@pytest.mark.parametrize("game_id", GAMES)
def test_a_round_the_shoe_cannot_finish_is_among_the_procedures(game_id: str) -> None:
    assert load_game(game_id).procedure("insufficient-cards").effect is Effect.RETURNED


@pytest.mark.parametrize(
    ("game_id", "entries"),
    [
        (
            COMMISSION_2013,
            {
                "pair-by-rank",
                "commission-once",
                "insurance-needs-a-card-to-come",
                "player-insurance-tie-on-9",
                "four-card-insurance-tie-on-9",
                "insurance-cap-on-payout",
                "payout-is-winnings",
                "unfinished-round-void",
            },
        ),
        (NONCOMMISSION_2025, {"wu-dalang-must-win", "twin-by-rank", "pair-by-rank", "unfinished-round-void"}),
    ],
)
def test_register_entries(game_id: str, entries: set[str]) -> None:
    assert {entry.id for entry in load_game(game_id).interpretations} >= entries


def test_the_drawing_that_disagrees_is_in_the_register() -> None:
    other = load_game(NONCOMMISSION_2024).read_otherwise("pay-table-over-drawing")
    assert [other.bet(bet).pays[0].odds for bet in ("small-tiger", "small-buffalo")] == ["20 to 1", "22 to 1"]


@pytest.mark.parametrize("game_id", GAMES)
def test_every_other_reading_is_a_game_that_differs(game_id: str) -> None:
    game = load_game(game_id)
    for entry in game.interpretations:
        assert game.read_otherwise(entry.id) != game
        assert game.read_otherwise(entry.id).id == game.id
