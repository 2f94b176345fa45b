"""What another reading of a clause changes: each difference by hand, and the game so read."""

from fractions import Fraction

import pytest

from combinat import Game, Shoe
from combinat.analysis.bets import FigureSubject, bet_analysis
from combinat.analysis.insurance import StateAnalysis, insurance_analysis
from combinat.analysis.readings import Difference, Measure, differences
from combinat.base.number import decimal
from combinat.rules.insurance import State
from combinat.rules.round import Stage
from combinat.rules.table_of_play import Hand
from tests.documents import (
    BETS,
    COMMISSION_2013,
    COMMISSION_2024,
    GAMES,
    MODERN,
    NONCOMMISSION_2024,
    NONCOMMISSION_2025,
)
from tests.games import dealt, loaded
from tests.oracle.shoes import FRESH

SAMPLE_SPACE = 4998398275503360
"""The ordered sequences of six cards from 8 decks."""

ONE = Fraction(1)


# ---------------------------------------------------------------- other readings of bets


def differences_of(game_id: str, entry: str, shoe: str = FRESH) -> dict[str, Difference]:
    """What the other reading of an entry changes, by what it is about."""
    game = loaded(game_id)
    changed = differences(game, game.interpretation(entry), Shoe.parse(shoe), dealt(shoe))
    assert len({str(difference.subject) for difference in changed}) == len(changed)
    return {str(difference.subject): difference for difference in changed}


@pytest.mark.parametrize("game_id", MODERN)
def test_wu_dalang_on_any_player_1(game_id: str) -> None:
    results = dealt(FRESH).results
    any_one = Fraction(
        sum(ways for result, ways in results.items() if result.player_points == 1), SAMPLE_SPACE
    )
    winning_one = Fraction(24639193538560, SAMPLE_SPACE)  # published: Player wins with 1
    assert differences_of(game_id, "wu-dalang-must-win") == {
        "wu-dalang": Difference(
            subject=FigureSubject(bet="wu-dalang"),
            measure=Measure.EXPECTED_VALUE,
            read=151 * winning_one - 1,
            otherwise=151 * any_one - 1,
        )
    }
    (difference,) = differences_of(game_id, "wu-dalang-must-win").values()
    assert difference.change == 151 * (any_one - winning_one)
    assert decimal(any_one, 6) != decimal(winning_one, 6)


def test_twins_by_points() -> None:
    """Two different pairs among 10, J, Q and K: paid 100 and not 20."""
    ways = 4 * 3 * (32 * 31) ** 2
    (difference,) = differences_of(NONCOMMISSION_2025, "twin-by-rank").values()
    assert (str(difference.subject), difference.change) == (
        "tiger-pair",
        Fraction(80 * ways, 416 * 415 * 414 * 413),
    )
    assert decimal(difference.read or Fraction(0), 12) == "-0.161217223880"  # published


def test_every_line_of_tiger_pair_paid() -> None:
    """A double pays 4 more, a twin 24 more; the counts are published."""
    (difference,) = differences_of(NONCOMMISSION_2025, "tiger-pair-highest-only").values()
    assert (str(difference.subject), difference.change) == (
        "tiger-pair",
        Fraction(4 * 153513984 + 24 * 11219520, 29518332480),
    )


@pytest.mark.parametrize("game_id", GAMES)
def test_pairs_by_points(game_id: str) -> None:
    by_rank = Fraction(13 * 32 * 31, 416 * 415)
    by_points = Fraction(9 * 32 * 31 + 128 * 127, 416 * 415)
    changed = differences_of(game_id, "pair-by-rank")
    tiger_pair = {"tiger-pair"} if game_id == NONCOMMISSION_2025 else set()
    assert changed.keys() == {"player-pair", "banker-pair"} | tiger_pair
    for bet_id in ("player-pair", "banker-pair"):
        assert changed[bet_id].read == 12 * by_rank - 1 == Fraction(-43, 415)
        assert changed[bet_id].otherwise == 12 * by_points - 1
        assert changed[bet_id].change == 12 * (by_points - by_rank)


@pytest.mark.parametrize("game_id", [COMMISSION_2013, COMMISSION_2024])
def test_commission_taken_twice(game_id: str) -> None:
    (difference,) = differences_of(game_id, "commission-once").values()
    assert str(difference.subject) == "banker"
    assert difference.read == Fraction(-114753351728, 10847218479825)  # published
    assert difference.change == Fraction(-1, 20) * Fraction(2292252566437888, SAMPLE_SPACE)


def test_the_odds_of_a_drawing() -> None:
    """Small Tiger at 20 and not 22 to 1, Small Buffalo at 22 and not 20."""
    changed = differences_of(NONCOMMISSION_2024, "pay-table-over-drawing")
    small_buffalo = sum(
        ways
        for result, ways in dealt(FRESH).results.items()
        if (result.player_points, result.player_cards) == (6, 2) and result.banker_points < 6
    )
    assert {bet_id: difference.change for bet_id, difference in changed.items()} == {
        "small-tiger": Fraction(-2 * 186173936904192, SAMPLE_SPACE),
        "small-buffalo": Fraction(2 * small_buffalo, SAMPLE_SPACE),
    }


@pytest.mark.parametrize("game_id", MODERN)
def test_char_siu_gains_a_tie(game_id: str) -> None:
    """A tie that is returned in place of lost is worth its probability, 0.0951... with 8 decks."""
    changed = differences_of(game_id, "char-siu-loses-on-a-tie")
    assert changed.keys() == {"player-char-siu", "banker-char-siu"}
    assert {one.change for one in changed.values()} == {Fraction(475627426473216, SAMPLE_SPACE)}


@pytest.mark.parametrize(
    ("game_id", "reading", "numbers"),
    [
        # 2013 lists 45 states for the Player Hand (1, 6, 6 and 5, 6, 7, 7, 7), and 28 for the Banker Hand.
        (COMMISSION_2013, "insurance-of-the-own-hand", {"player": (45, 73), "banker": (28, 73)}),
        (COMMISSION_2013, "insurance-after-no-more-bets", {"player": (45, 0), "banker": (28, 0)}),
        # Bets that a layout shows.
        (
            NONCOMMISSION_2024,
            "text-over-drawing-of-layout-h",
            {"tie": (11, 10), "tiger-buffalo": (4, 3), "wu-dalang": (4, 3)},
        ),
    ],
)
def test_what_a_reading_changes_in_numbers(
    game_id: str, reading: str, numbers: dict[str, tuple[object, object]]
) -> None:
    changed = differences_of(game_id, reading)
    assert {what: (one.read, one.otherwise) for what, one in changed.items()} == numbers


# ---------------------------------------------------------------- rounds that the shoe cannot finish

UNFINISHED = "unfinished-round-void"


@pytest.mark.parametrize("game_id", GAMES)
def test_on_a_fresh_shoe_no_round_is_unfinished(game_id: str) -> None:
    changed = differences_of(game_id, UNFINISHED)
    assert changed.keys() == BETS[game_id].keys()
    assert {difference.change for difference in changed.values()} == {0}
    game = loaded(game_id)
    for bet in game.bets:
        assert changed[bet.id].read == bet_analysis(game, bet, dealt(FRESH)).expected_value


def test_decided_bets_of_four_cards_by_hand() -> None:
    """Two Aces and two Kings: the Player Hand always draws, and there is no fifth card.

    One time in three the hands are A A and K K, a pair in both and no twin; else neither is a pair. Two
    cards worth 6 or 7 are out of reach, so the bets on them are lost; all others are undecided.
    """
    changed = differences_of(NONCOMMISSION_2025, UNFINISHED, "A=2 K=2")
    decided = {
        "player-pair": 11 * Fraction(1, 3) - Fraction(2, 3),
        "banker-pair": 11 * Fraction(1, 3) - Fraction(2, 3),
        "tiger-pair": 20 * Fraction(1, 3) - Fraction(2, 3),
        "small-tiger": Fraction(-1),
        "small-buffalo": Fraction(-1),
        "banker-small-7": Fraction(-1),
        "player-small-7": Fraction(-1),
    }
    assert {difference.read for difference in changed.values()} == {0}
    assert {bet_id: difference.otherwise for bet_id, difference in changed.items()} == {
        bet_id: decided.get(bet_id, 0) for bet_id in BETS[NONCOMMISSION_2025]
    }


def test_decided_pairs_of_five_cards_by_hand() -> None:
    """One pair of Aces in five cards: the Player Hand has it one time in ten, finished or not."""
    shoe = "A=2 2=1 3=1 4=1"
    assert Fraction(dealt(shoe).void, dealt(shoe).sample_space) == Fraction(1, 3)
    for game_id in GAMES:
        changed = differences_of(game_id, UNFINISHED, shoe)
        for bet_id in ("player-pair", "banker-pair"):
            assert changed[bet_id].read == Fraction(2, 15)
            assert changed[bet_id].otherwise == 11 * Fraction(1, 10) - Fraction(9, 10) == Fraction(1, 5)
    assert differences_of(NONCOMMISSION_2025, UNFINISHED, shoe)["tiger-pair"].otherwise == (
        4 * Fraction(1, 5) - Fraction(4, 5)
    )


# ---------------------------------------------------------------- other readings of insurance

INSURANCE_READINGS = [  # Insurance Plus is one table in both documents of 2024
    (COMMISSION_2013, "insurance-needs-a-card-to-come"),
    (COMMISSION_2013, "player-insurance-tie-on-9"),
    (COMMISSION_2013, "four-card-insurance-tie-on-9"),
    (COMMISSION_2024, "insurance-needs-a-card-to-come"),
    (COMMISSION_2024, "banker-insurance-tie-on-0"),
    (COMMISSION_2024, "four-card-insurance-tie-on-9"),
]


def by_state(game: Game, shoe: str = FRESH) -> dict[State, StateAnalysis]:
    return {one.state: one for one in insurance_analysis(game, dealt(shoe))}


@pytest.mark.parametrize(("game_id", "entry"), INSURANCE_READINGS)
def test_the_other_reading_of_insurance_is_the_game_so_read(game_id: str, entry: str) -> None:
    game = loaded(game_id)
    before, after = by_state(game), by_state(game.reading(entry))
    expected = {
        str(state): (before[state].expected_value, after[state].expected_value)
        for state in before
        if before[state].expected_value != after[state].expected_value
    }
    assert expected
    changed = differences_of(game_id, entry)
    assert {what: (difference.read, difference.otherwise) for what, difference in changed.items()} == expected
    assert {difference.measure for difference in changed.values()} == {Measure.EXPECTED_VALUE}


@pytest.mark.parametrize(
    ("game_id", "entry", "side", "player", "bankers", "odds"),
    [
        (COMMISSION_2013, "player-insurance-tie-on-9", Hand.PLAYER, 9, range(7), 8),
        (COMMISSION_2024, "banker-insurance-tie-on-0", Hand.BANKER, 0, range(1, 7), 10),
        (NONCOMMISSION_2024, "banker-insurance-tie-on-0", Hand.BANKER, 0, range(1, 7), 10),
    ],
)
def test_a_bet_that_a_tie_no_longer_pays(
    game_id: str, entry: str, side: Hand, player: int, bankers: range, odds: int
) -> None:
    """With 9, or against 0, the hand can but win or tie: read otherwise its insurance never wins, and a tie comes back."""
    changed, before = differences_of(game_id, entry), by_state(loaded(game_id))
    starred = [State(side, Stage.PLAYER_THIRD_CARD, player, banker) for banker in bankers]
    assert changed.keys() == {str(state) for state in starred}
    for state in starred:
        wins, loses = before[state].wins, before[state].loses
        assert wins is not None
        assert loses == 1 - wins
        assert (changed[str(state)].otherwise, changed[str(state)].change) == (-loses, -odds * wins)


@pytest.mark.parametrize(
    ("game_id", "odds"),
    [(COMMISSION_2013, Fraction(2)), (COMMISSION_2024, Fraction(3, 2)), (NONCOMMISSION_2024, Fraction(3, 2))],
)
def test_a_tie_on_9_that_pays_after_four_cards(game_id: str, odds: Fraction) -> None:
    (difference,) = differences_of(game_id, "four-card-insurance-tie-on-9").values()
    passed = {
        course: ways
        for course, ways in dealt(FRESH).by_points.items()
        if (course.player, course.banker) == (5, 4)
    }
    ties = sum(
        ways for course, ways in passed.items() if course.player_third == 4 and course.banker_third == 5
    )
    assert str(difference.subject) == "player@four-cards, Player 5, Banker 4"
    assert difference.change == odds * Fraction(ties, sum(passed.values()))


# ---------------------------------------------------------------- other readings of limits


@pytest.mark.parametrize("entry", ["insurance-cap-on-payout", "payout-is-winnings"])
def test_other_limits_of_2013_by_hand(entry: str) -> None:
    """A payout of 1 at odds of x lets 1/x be staked; with the stake in it, 1/(1 + x); a capped stake is 1."""
    odds = {"1.5": Fraction(3, 2)} | {str(whole): Fraction(whole) for whole in (2, 3, 4, 6, 7, 8)}
    changed = differences_of(COMMISSION_2013, entry)
    assert {
        what: (difference.measure, difference.read, difference.otherwise)
        for what, difference in changed.items()
    } == {
        f"insurance at {text} to 1": (
            Measure.LARGEST_STAKE,
            1 / net,
            1 if entry == "insurance-cap-on-payout" else 1 / (1 + net),
        )
        for text, net in odds.items()
    }


PLUS_ODDS = {
    "3 to 2": Fraction(3, 2),
    "5 to 2": Fraction(5, 2),
    "4 to 1": Fraction(4),
    "6 to 1": Fraction(6),
    "10 to 1": Fraction(10),
}


@pytest.mark.parametrize("game_id", [COMMISSION_2024, NONCOMMISSION_2024])
def test_other_limits_of_2024_by_hand(game_id: str) -> None:
    def changed(entry: str) -> dict[str, tuple[Fraction | None, Fraction | None]]:
        return {what: (one.read, one.otherwise) for what, one in differences_of(game_id, entry).items()}

    late = " under insurance-offered-late"
    assert changed("insurance-cap-on-stake") == {
        f"insurance at {text}": (ONE, 1 / net) for text, net in PLUS_ODDS.items()
    }
    assert changed("insurance-cap-each-time") == {
        f"insurance at {text}": (2 * ONE, ONE) for text in PLUS_ODDS
    }
    assert {one.measure for one in differences_of(game_id, "insurance-cap-each-time").values()} == {
        Measure.BOTH_STAGES
    }
    assert changed("late-payout-is-winnings") == {
        f"insurance at {text}{late}": (1 / net, 1 / (1 + net)) for text, net in PLUS_ODDS.items()
    }


@pytest.mark.parametrize("game_id", GAMES)
def test_every_entry_of_a_register_has_an_effect_to_compute(game_id: str) -> None:
    game = loaded(game_id)
    for entry in game.interpretations:
        changed = differences(game, entry, Shoe.parse(FRESH), dealt(FRESH))
        if entry.id in NO_FIGURE:
            assert changed == (), entry.id
            continue
        assert changed, entry.id
        if entry.instead.void_bets is None and entry.instead.banker_draws_against_natural is None:
            assert all(difference.change != 0 for difference in changed), entry.id


NO_FIGURE = {
    "available-bets-of-the-layout",
    "quarter-for-each-player",
    "quarter-of-the-maximum-bet",
    "silent-player-forgoes-the-round",
    "squeeze-waives-for-the-requester",
    "differential-of-the-table",
    "under-minimum-one-player",
    "minimum-for-each-player",
    "pro-rata-to-the-limit",
    "pro-rata-heavier-hand",
    "options-for-each-bet",
    "early-card-counts-at-once",
}
"""Readings about incidents, several players, or limits that only a table states: no figure of one round is theirs."""


def test_a_difference_without_a_figure_has_no_change() -> None:
    def of(read: Fraction | None, otherwise: Fraction | None) -> Difference:
        subject, measure = FigureSubject(bet="tie"), Measure.EXPECTED_VALUE
        return Difference(subject=subject, measure=measure, read=read, otherwise=otherwise)

    assert of(Fraction(1, 3), Fraction(1, 2)).change == Fraction(1, 6)
    for read, otherwise in ((None, Fraction(1)), (Fraction(1), None), (None, None)):
        assert of(read, otherwise).change is None
