"""The best insurance over both offers of a round, under limits that cross."""

from fractions import Fraction

import pytest

from combinat.analysis.insurance import StateBet
from combinat.analysis.policy import best_bets, largest_room, worth
from combinat.engine.distribution import Course
from combinat.rules.insurance import (
    Base,
    Caps,
    InsuranceTerms,
    Limit,
    Moment,
    Offer,
    Open,
    Per,
    State,
)
from combinat.rules.odds import Odds, PointSet, Share
from combinat.rules.round import Stage
from combinat.rules.table_of_play import Hand

LIMITS = (
    Limit(caps=Caps.PAYOUT, per=Per.ROUND, share=Share.parse("100%"), of=Base.ORIGINAL_BET, clause="1"),
    Limit(caps=Caps.STAKE, per=Per.ROUND, share=Share.parse("60%"), of=Base.ORIGINAL_BET, clause="2"),
)
"""With 1 to 2 first and 2 to 1 later the first leaves less up to a stake of 2/15, the second from there on."""

TERMS = InsuranceTerms(name="Insurance", clauses=("1",), open=Open.CARD_TO_COME, limits=LIMITS)


def state_bet(stage: Stage, player: int, banker: int, odds: str) -> StateBet:
    offer = Offer(player_points=PointSet({player}), banker_points=PointSet({banker}), odds=Odds.parse(odds))
    return StateBet(State(Hand.PLAYER, stage, player, banker), offer)


FIRST = state_bet(Stage.FOUR_CARDS, 5, 3, "1 to 2")
SECOND = state_bet(Stage.PLAYER_THIRD_CARD, 6, 3, "2 to 1")
AT = {bet.state.moment: bet for bet in (FIRST, SECOND)}


def courses(lost_early: int) -> dict[Course, int]:
    """The Player Hand draws an Ace and wins or loses by the Banker's card; or draws a 5 and loses at once."""
    return {
        Course(5, 3, 1, 2): 10,
        Course(5, 3, 1, 4): 6,
        Course(5, 3, 1, 0): 1,
        Course(5, 3, 5, 1): lost_early,
    }


def value(ways: dict[Course, int], stake: Fraction) -> Fraction:
    """What a first stake and the best second one come to."""
    second = {course: count for course, count in ways.items() if course.player_third == 1}
    room = largest_room(LIMITS, SECOND.odds, [(stake, FIRST.odds)] if stake else [])
    return stake * worth(FIRST, ways) + room * max(worth(SECOND, second), Fraction(0))


@pytest.mark.parametrize(
    ("lost_early", "best"),
    [(0, Fraction(0)), (12, Fraction(0)), (18, Fraction(2, 15)), (36, Fraction(3, 5))],
)
def test_the_first_stake_is_nothing_or_all_or_where_two_limits_cross(lost_early: int, best: Fraction) -> None:
    ways = courses(lost_early)
    chosen = {course: bets for course, bets, _ in best_bets(ways, AT, TERMS)}
    stakes = {stake for bets in chosen.values() for stake, odds, _ in bets if odds == FIRST.odds}
    assert stakes == ({best} if best else set())
    tried = [Fraction(part, 150) for part in range(91)]
    assert value(ways, best) == max(value(ways, stake) for stake in tried)
    assert best == min(stake for stake in tried if value(ways, stake) == value(ways, best))


def test_what_is_gained_is_what_the_stakes_say() -> None:
    ways = courses(18)
    gained = sum(
        count * stake * (odds.net if sign > 0 else sign)
        for _, bets, count in best_bets(ways, AT, TERMS)
        for stake, odds, sign in bets
    )
    assert gained == value(ways, Fraction(2, 15))


def test_an_offer_that_loses_is_not_taken() -> None:
    ways = {Course(5, 3, 1, 2): 10, Course(5, 3, 1, 4): 1}
    assert all(bets == () for _, bets, _ in best_bets(ways, AT, TERMS))


def test_without_limits_every_favourable_offer_is_taken_with_a_unit() -> None:
    terms = InsuranceTerms(name="Insurance", clauses=("1",), open=Open.CARD_TO_COME, limits=())
    bets = next(bets for course, bets, _ in best_bets(courses(36), AT, terms) if course.player_third == 1)
    assert [stake for stake, _, _ in bets] == [1, 1]
    assert Moment(Stage.FOUR_CARDS, 5, 3) in AT
