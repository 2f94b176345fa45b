"""The exact law of rounds that are dealt with a known fault."""

from collections.abc import Callable
from math import prod

from combinat.analysis.bets import bet_analysis
from combinat.analysis.odds import Analysis
from combinat.audit.judging.expected import Expected
from combinat.engine.distribution import Distribution
from combinat.engine.opening import EVERY_TWO, first_four_of
from combinat.engine.walk import MOST_CARDS, walk
from combinat.montecarlo.fault import PARTS, Fault, FaultForm
from combinat.montecarlo.faulty import part_of
from combinat.rules.deal_space import Course, deal_space, result_with_thirds
from combinat.rules.game import Game
from combinat.rules.outcome import FirstFour, Outcome
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import TableOfPlay

Courses = dict[FirstFour, dict[Course, int]]


def under_fault(game: Game, shoe: Shoe, fault: Fault) -> Expected:
    """The chances of rounds that are dealt with the fault, and settled by the game's rules."""
    distribution = _distribution(game, shoe, fault)
    bets = tuple(bet_analysis(game, bet, distribution) for bet in game.bets)
    analysis = Analysis(game=game, shoe=shoe, distribution=distribution, bets=bets)
    return Expected(analysis, fault=fault)


def _distribution(game: Game, shoe: Shoe, fault: Fault) -> Distribution:
    dealt_as = fault.of_game(game)
    if fault.kind is FaultForm.INFINITE_DECK:
        return with_replacement(shoe, dealt_as.table_of_play)
    distribution = walk(fault.of_shoe(shoe), dealt_as.round())
    if fault.kind is not FaultForm.BIASED or fault.bet is None or fault.share is None:
        return distribution
    bet, wins = game.bet(fault.bet), fault.share > 0

    def is_wanted(outcome: Outcome) -> bool:
        return bet.net(outcome) > 0 if wins else bet.net(outcome) < 0

    return _biased(distribution.telling_for([bet]), is_wanted, part_of(fault, game, shoe))


def with_replacement(shoe: Shoe, table: TableOfPlay) -> Distribution:
    """The rounds of an infinite deck in which ranks are as likely as in this shoe: ways out of the shoe's size to the sixth."""
    return Distribution(
        sample_space=shoe.size**MOST_CARDS,
        courses=_with_replacement(shoe, table, pair_ranks=False),
        by_pair_rank=lambda: _with_replacement(shoe, table, pair_ranks=True),
    )


def _with_replacement(shoe: Shoe, table: TableOfPlay, *, pair_ranks: bool) -> Courses:
    counts, points, size = shoe.counts, shoe.by_points, shoe.size
    twos = [
        (two, counts[two.first] * counts[two.second] * (1 if two.first == two.second else 2))
        for two in EVERY_TWO
    ]
    openings: dict[tuple[FirstFour, int, int], int] = {}
    for player, player_ways in twos:
        for banker, banker_ways in twos:
            key = (
                first_four_of(player.match, banker.match, pair_ranks),
                sum(player.points) % 10,
                sum(banker.points) % 10,
            )
            openings[key] = openings.get(key, 0) + player_ways * banker_ways
    courses: Courses = {}
    for (first_four, player_points, banker_points), ways in openings.items():
        here = courses.setdefault(first_four, {})
        for course, more in _courses(player_points, banker_points, points, table).items():
            if ways * more:
                here[course] = here.get(course, 0) + ways * more * size ** (MOST_CARDS - course.cards)
    return courses


def _courses(player: int, banker: int, points: tuple[int, ...], table: TableOfPlay) -> dict[Course, int]:
    """How a round goes on from two totals, and in how many ways, with replacement."""
    courses = deal_space(table).courses_from(Course(player, banker))
    drawn = {course: (course.player_third, course.banker_third) for course in courses}
    return {
        course: prod(points[third] for third in thirds if third is not None)
        for course, thirds in drawn.items()
    }


def _biased(distribution: Distribution, is_wanted: Callable[[Outcome], bool], part: int) -> Distribution:
    """Rounds of which ``part`` in ``PARTS`` are replaced by wanted ones."""
    space = distribution.sample_space
    outcomes = distribution.telling(thirds=True, pair_ranks=False).outcomes
    wanted = {outcome for outcome in outcomes if is_wanted(outcome)}
    of_wanted = sum(outcomes[outcome] for outcome in wanted)
    courses: Courses = {}
    for first_four, ways in distribution.courses.items():
        courses[first_four] = {
            course: count
            * (
                (PARTS - part) * of_wanted
                + (part * space if Outcome(result_with_thirds(course), first_four) in wanted else 0)
            )
            for course, count in ways.items()
        }
    return Distribution(sample_space=space * PARTS * of_wanted, courses=courses, by_pair_rank=lambda: courses)
