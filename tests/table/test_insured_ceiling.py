"""The most that a full layout can cost with insurance: by hand, and by settling every round with every stake of a grid."""

from fractions import Fraction
from itertools import product

import pytest
from msgspec.structs import replace

from combinat import Shoe, load_game
from combinat.base.errors import InputError
from combinat.engine.walk import every_round, walk
from combinat.rules.game import Game
from combinat.rules.insurance import Insured
from combinat.rules.table_of_play import Hand
from combinat.table.exposure_ceiling import InsuredCeiling, ceiling
from combinat.table.gaming_table import BetLimits, DisplayedLimits
from combinat.table.settlement import settle
from combinat.table.simplex import largest
from tests.conftest import Run
from tests.documents import COMMISSION_2013, COMMISSION_2024, NONCOMMISSION_2024, NONCOMMISSION_2025

F = Fraction


def limited(game: Game, layout: str, amount: int, *, hands: bool = True) -> DisplayedLimits:
    """The same limit for every bet of a layout, or for its side bets."""
    bets = [bet.id for bet in game.bets_on(layout) if hands or bet.id not in ("player", "banker")]
    return DisplayedLimits(bets={bet: BetLimits(maximum=F(amount)) for bet in bets})


def insured_ceiling(
    game: Game, positions: int, limits: DisplayedLimits, shoe: Shoe | None = None
) -> InsuredCeiling | None:
    return ceiling(game, "A", positions, limits, walk(shoe or Shoe.of_decks(8), game.round())).insured


def test_a_tie_on_nine_of_2013_by_hand() -> None:
    """A position: Tie 8 * 500, both pairs 11 * 500 each, Player 500 back, and 62.50 of insurance at 8 to 1: 15,500."""
    game = load_game(COMMISSION_2013)
    most = insured_ceiling(game, 12, limited(game, "A", 500))
    assert most is not None
    assert most.loss == 12 * 15_500
    assert most.stakes == {"player": 6000, "tie": 6000, "player-pair": 6000, "banker-pair": 6000}
    assert most.insurance == {"player@player-third-card": 12 * F(125, 2)}


def test_a_banker_eight_of_2024_by_hand() -> None:
    """Banker wins 8 to 7 with six cards: 50 + 11 + 11 on side bets, the hands even out, Player 7 is insured at 4 to 1.

    At 10 to 1 only a quarter of the maximum may be staked: 10 * 125 against 4 * 500.
    """
    game = load_game(NONCOMMISSION_2024)
    most = insured_ceiling(game, 6, limited(game, "A", 500))
    assert most is not None
    assert most.loss == 6 * (72 * 500 + 4 * 500)


@pytest.mark.parametrize("game", [COMMISSION_2024, NONCOMMISSION_2024])
def test_the_differential_alone_bounds_no_insurance(game: str) -> None:
    loaded = load_game(game)
    limits = replace(limited(loaded, "A", 500, hands=False), maximum_differential=F(1000))
    most = insured_ceiling(loaded, 6, limits)
    assert most is not None
    assert most.loss is None


def test_a_game_without_insurance_has_no_such_figure() -> None:
    game = load_game(NONCOMMISSION_2025)
    assert insured_ceiling(game, 6, limited(game, "A", 500)) is None


GRID = (F(0), F(1, 4), F(1, 3), F(1, 2), F(1), F(7, 6))
"""Stakes on insurance, per unit on a hand: those at which the limits of the examples are met, and one over them."""


@pytest.mark.parametrize(
    ("game_id", "readings"),
    [
        (COMMISSION_2013, ()),
        (COMMISSION_2013, ("insurance-cap-on-payout",)),
        (COMMISSION_2013, ("insurance-of-the-own-hand",)),
        (COMMISSION_2024, ()),
    ],
)
@pytest.mark.parametrize("cards", ["A=1 3=1 6=2 K=2", "2=2 7=1 9=1 K=2"])
def test_no_settlement_of_a_grid_costs_more(game_id: str, readings: tuple[str, ...], cards: str) -> None:
    """Every round of a small shoe, a unit or nothing on each hand, insurance from the grid: what settles within the limits."""
    game, shoe = load_game(game_id).reading(*readings), Shoe.parse(cards)
    most = ceiling(game, "A", 1, limited(game, "A", 1), walk(shoe, game.round()))
    worst = most.loss
    side = [bet for bet in game.bets_on("A") if bet.id not in ("player", "banker")]
    for dealt, _ in every_round(shoe, game.round()):
        if not dealt.is_over:
            continue
        won = sum((max(F(0), bet.net(dealt.outcome)) for bet in side), F(0))
        open_at = [
            Insured(hand, stage)
            for stage, moment in dealt.stages.items()
            for hand in Hand
            if game.offer(hand, moment) is not None
        ]
        for on_hands in ({"player": F(1)}, {"banker": F(1)}, {"player": F(1), "banker": F(1)}):
            for amounts in product(GRID, repeat=len(open_at)):
                insured = {one: amount for one, amount in zip(open_at, amounts, strict=True) if amount}
                try:
                    settled = settle(game, dealt, on_hands, insured, table_maximum=F(1))
                except InputError:
                    continue
                worst = max(worst, won + sum((line.net for line in settled.lines), F(0)))
    assert most.with_insurance == worst


def test_the_command_says_what_insurance_adds(run: Run) -> None:
    words = ["exposure", COMMISSION_2013, "--layout", "A", "--maximum", "500"]
    record = run(*words, "--format", "json").document()
    assert record["full_layout"]["largest_loss"] == "186000"
    assert record["full_layout"]["insured"]["without_insurance"] == "180000"
    assert record["full_layout"]["insured"]["insurance"] == {"player@player-third-card": "750"}
    assert "186000" in run(*words).output()
    unbounded = [
        "exposure",
        COMMISSION_2024,
        "--layout",
        "A",
        "--maximum",
        "500",
        "--max-differential",
        "1000",
    ]
    assert run(*unbounded, "--format", "json").document()["full_layout"]["largest_loss"] is None
    assert "no finite figure" in run(*unbounded).output()


def test_stakes_before_the_cards_say_that_insurance_is_left_out(run: Run) -> None:
    note = "Insurance is not included"
    assert note in run("exposure", COMMISSION_2013, "--stake", "player=100").output()
    assert note not in run("exposure", NONCOMMISSION_2025, "--stake", "player=100").output()


def test_a_linear_program_is_solved_at_a_vertex() -> None:
    """3x + 2y with x + y <= 4, x + 3y <= 6, x <= 3: at (3, 1)."""
    rows = [([F(1), F(1)], F(4)), ([F(1), F(3)], F(6)), ([F(1), F(0)], F(3))]
    assert largest([F(3), F(2)], rows) == [F(3), F(1)]
    assert largest([F(-1), F(1)], [([F(-1), F(1)], F(0))]) == [F(0), F(0)]
    assert largest([F(-1), F(2)], [([F(-1), F(1)], F(0))]) is None
