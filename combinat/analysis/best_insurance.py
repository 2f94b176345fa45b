"""The best insurance of a round: what to stake at either offer, within the limits, so that it gains most.

A stake at the first offer may leave less room for the second, which may be the better one. After the Player's
third card the best is plain: all that the limits leave where the offer favours the player, else nothing. So what
both offers come to is a function of the first stake alone. Limits are straight lines and the room left is the
lowest of them, so the function has its highest value at nothing, at all, or where two limits cross.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations

from combinat.analysis.insurance import StateBet, moments
from combinat.rules.deal_space import Course
from combinat.rules.insurance import Base, InsuranceTerms, Limit, Moment, Per
from combinat.rules.insurance_limits import Staked, in_force, least_room
from combinat.rules.odds import Odds
from combinat.rules.round import Stage

ZERO, ONE = Fraction(0), Fraction(1)

Bets = tuple[tuple[Fraction, Odds, int], ...]
"""Insurance bets in the order in which they were taken: the stake, the odds, and 1 won, 0 returned, -1 lost."""

Courses = Mapping[Course, int]


def largest_room(limits: Sequence[Limit], odds: Odds, earlier: Sequence[Staked] = ()) -> Fraction:
    """The most that may be staked at these odds after earlier bets; a unit where nothing limits it."""
    room = least_room(limits, odds, earlier)
    return room.stake if room else ONE


def worth(bet: StateBet, courses: Courses) -> Fraction:
    """What a unit staked comes to over these courses, times their ways."""
    won = sum(ways for course, ways in courses.items() if bet.sign(course) > 0)
    lost = sum(ways for course, ways in courses.items() if bet.sign(course) < 0)
    return bet.odds.net * won - lost


def best_bets(
    courses: Courses, at: Mapping[Moment, StateBet], terms: InsuranceTerms
) -> Iterator[tuple[Course, Bets, int]]:
    """Each course with the insurance that is best on its way, for someone who tells these courses apart by totals.

    He remembers the totals of both offers, and so knows the points of the Player's third card.
    """
    together: dict[tuple[int, int], dict[Course, int]] = {}
    for course, ways in courses.items():
        together.setdefault((course.player, course.banker), {})[course] = ways
    for following in together.values():
        for course, bets in _best_of_opening(following, at, terms).items():
            yield course, bets, courses[course]


def _best_of_opening(
    courses: Courses, at: Mapping[Moment, StateBet], terms: InsuranceTerms
) -> dict[Course, Bets]:
    """The best insurance of rounds whose first four cards make the same totals."""
    offers: dict[tuple[Moment, int | None], dict[Course, int]] = {}
    for course, ways in courses.items():
        for moment in moments(course, terms.open):
            if moment in at:
                third = course.player_third if moment.stage is Stage.PLAYER_THIRD_CARD else None
                offers.setdefault((moment, third), {})[course] = ways
    first = next((moment for moment, _ in offers if moment.stage is Stage.FOUR_CARDS), None)
    second = {
        key: value
        for key, following in offers.items()
        if key[0] != first and (value := worth(at[key[0]], following)) > 0
    }
    earlier = _first_stake(first, second, offers, at, terms)
    bets: dict[Course, Bets] = dict.fromkeys(courses, ())
    if first is not None and earlier:
        bets |= {
            course: ((earlier, at[first].odds, at[first].sign(course)),) for course in offers[first, None]
        }
    staked = [(earlier, at[first].odds)] if first is not None and earlier else []
    for key in second:
        odds = at[key[0]].odds
        stake = largest_room(terms.limits, odds, staked)
        if stake:
            for course in offers[key]:
                bets[course] = (*bets[course], (stake, odds, at[key[0]].sign(course)))
    return bets


def _first_stake(
    first: Moment | None,
    second: Mapping[tuple[Moment, int | None], Fraction],
    offers: Mapping[tuple[Moment, int | None], Courses],
    at: Mapping[Moment, StateBet],
    terms: InsuranceTerms,
) -> Fraction:
    """What to stake at the first offer; of equally good stakes the smallest."""
    if first is None:
        return ZERO
    odds, value = at[first].odds, worth(at[first], offers[first, None])
    later = [(at[moment].odds, gain) for (moment, _), gain in second.items()]

    def together(stake: Fraction) -> Fraction:
        staked = [(stake, odds)] if stake else []
        return value * stake + sum(
            (gain * largest_room(terms.limits, other, staked) for other, gain in later), ZERO
        )

    most = largest_room(terms.limits, odds)
    crossings = {
        stake for other, _ in later for stake in _crossings(terms.limits, odds, other) if ZERO < stake < most
    }
    return max(sorted({ZERO, most} | crossings), key=together)


def _crossings(limits: Sequence[Limit], odds: Odds, other: Odds) -> Iterator[Fraction]:
    """The first stakes at which two limits leave the same room for the second."""
    lines = []
    for limit in in_force(limits):
        if limit.of is Base.ORIGINAL_BET and limit.applies_to(other):
            each = limit.amount(ONE, other)
            counts = limit.per is Per.ROUND and limit.applies_to(odds)
            lines.append((limit.share.part / each, limit.amount(ONE, odds) / each if counts else ZERO))
    for (most, slope), (other_most, other_slope) in combinations(lines, 2):
        if slope != other_slope:
            yield (most - other_most) / (slope - other_slope)
