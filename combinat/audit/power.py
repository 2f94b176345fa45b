"""The power of an audit: how many rounds of a file show a known fault.

An event that the rules exclude, or a wrong settlement, is a contradiction: its first round shows the fault.
Other faults are shown by a test of the cross-check, at the strictest level of Holm's method: a lower bound on
its power.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from math import ceil, exp, inf, log, log1p, prod
from typing import ClassVar

from combinat.analysis.bets import bet_analysis
from combinat.analysis.odds import Analysis
from combinat.audit.judging.expected import Expected, Key
from combinat.audit.judging.sample import keys_of_rounds
from combinat.audit.judging.statistics import Curve, rounded
from combinat.audit.judging.tests import Test, list_tests
from combinat.base.errors import named
from combinat.base.kinds import COUNT, FRACTION, NUMBER, TEXT, estimated, percentage
from combinat.base.money import Amount
from combinat.base.relation import Field, Many, Relation
from combinat.base.tabular import Listing
from combinat.engine.distribution import Distribution
from combinat.engine.opening import EVERY_TWO, first_four_of
from combinat.engine.walk import MOST_CARDS, walk
from combinat.montecarlo.dealer import packed
from combinat.montecarlo.fault import PARTS, Fault, FaultForm, part_of
from combinat.montecarlo.simulation import MOST_ROUNDS as LONGEST_RUN
from combinat.montecarlo.tally import FIRST_CARDS
from combinat.rules.converters import GameGiven, ShoeGiven, as_game, as_probability, as_shoe, whole_number
from combinat.rules.deal_space import Course, deal_space, result_with_thirds
from combinat.rules.game import Game
from combinat.rules.outcome import FirstFour, Outcome
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import TableOfPlay

MOST_ROUNDS = 10**15
"""The most rounds; a fault that needs more counts as not shown."""

LOOKED_AT = 5
"""Number of most powerful tests that are computed to the round and shown."""


class FileKind(StrEnum):
    """The kinds of files, from the most informative to the least."""

    LOG = "log"
    CELLS = "counts-by-cells"
    BETS = "counts-of-bets"
    RESULTS = "results-only"

    @property
    def in_words(self) -> str:
        """The kind, as a phrase."""
        return {
            FileKind.LOG: "a hand log with cards",
            FileKind.CELLS: "counts by cells",
            FileKind.BETS: "counts of bets alone",
            FileKind.RESULTS: "results only (Player, Banker, tie)",
        }[self]


BY_CARDS = (FileKind.LOG, FileKind.CELLS)
"""The kinds of files that record cards or their points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """A contradiction or a test that shows a fault: the rounds it needs, and the power of a run of rounds.

    ``rounds`` is None if no number of rounds suffices; ``power`` is None without a run.
    """

    subject: str
    what: str
    rounds: int | None
    power: Fraction | None

    @property
    def in_words(self) -> str:
        """The contradiction, or the test and its statistic."""
        return self.subject if self.what == "contradiction" else f"{self.subject}, {self.what}"


POWER_SHARE = estimated(percentage(2))

SIGHTS: Relation[Sight] = Relation(
    "sights",
    Field("subject", "subject", TEXT, "The subject of the test or contradiction."),
    Field("what", "what", TEXT, "The test, or a contradiction."),
    Field("rounds_needed", "rounds needed", NUMBER, "Rounds that show the fault with the target power.", lambda sight: sight.rounds, may_be_none=True),
    Field("power", "power %", POWER_SHARE, "Power of a run of the requested rounds.", may_be_none=True),
)  # fmt: skip
"""Tests and contradictions that show a fault, a row each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcePower:
    """The power of one kind of file. ``tests``: the number of its tests; ``sights``: the best first."""

    source: FileKind
    tests: int
    contradiction: Fraction
    sights: tuple[Sight, ...]

    @property
    def key(self) -> str:
        """The kind of file."""
        return self.source

    @property
    def best(self) -> Sight | None:
        """The test or contradiction that shows the fault first, or None."""
        return next((sight for sight in self.sights if sight.rounds is not None), None)

    @property
    def most_powerful(self) -> Sight | None:
        """The test or contradiction with the greatest power in a run of ``rounds``, or None."""
        seen = [sight for sight in self.sights if sight.power]
        return max(seen, key=lambda sight: sight.power or 0, default=None)

    @property
    def power(self) -> Fraction | None:
        """The power of a run of ``rounds``, by the best test or contradiction."""
        powers = [sight.power for sight in self.sights if sight.power is not None]
        return max(powers, default=None)


SOURCE: Field[SourcePower] = Field("source", "file", TEXT, "The kind of file.", words=FileKind)

SOURCES: Relation[SourcePower] = Relation(
    "sources",
    SOURCE,
    Field("source", "file", TEXT, "", lambda row: row.source.in_words, views="rounds run", for_people=True),
    Field("tests", "tests", NUMBER, "Number of its tests."),
    Field("tests", "tests", COUNT, "", views="rounds", for_people=True),
    Field("contradiction", "contradiction", FRACTION, "Probability that a round contradicts the rules."),
    Field("rounds_needed", "rounds needed", NUMBER, "Rounds that show the fault with the target power.", lambda row: row.best and row.best.rounds, may_be_none=True),
    Field("rounds_needed", "rounds needed", COUNT, "", lambda row: row.best.rounds if row.best else "never", views="rounds", for_people=True),
    Field("seen_by", "seen by", TEXT, "The test or contradiction with the fewest rounds.", lambda row: row.best and row.best.in_words, may_be_none=True),
    Field("seen_by", "first shown by", TEXT, "", lambda row: row.best.in_words if row.best else "no test differs", views="rounds", for_people=True),
    Field("power", "power %", POWER_SHARE, "Power of a run of the requested rounds.", views="run", may_be_none=True),
    Field("most_powerful", "best test", TEXT, "", lambda row: row.most_powerful and row.most_powerful.in_words, views="run", for_people=True),
    Field("sights", "sights", Many(SIGHTS), "The most powerful tests and contradictions."),
)  # fmt: skip
"""Kinds of files, a row each."""


@dataclass(frozen=True, kw_only=True)
class Power(Listing[SourcePower]):
    """The number of rounds that show a fault of a simulator of this game, by kind of file."""

    RELATION: ClassVar = SOURCES
    LISTED: ClassVar = "sources"

    game: str
    game_name: str
    shoe: Shoe
    fault: str
    alpha: Fraction
    target: Fraction
    rounds: int | None
    sources: tuple[SourcePower, ...]

    def __repr__(self) -> str:
        return f"<Power against {self.fault} in {self.game}: {len(self.sources)} kinds of files>"


def power(
    game: GameGiven,
    fault: str,
    *,
    shoe: ShoeGiven | None = None,
    decks: int | None = None,
    alpha: Amount = "0.001",
    target: Amount = "0.9",
    rounds: int | None = None,
) -> Power:
    """Return how many rounds of a log, of counts or of results alone show a known fault of a simulator.

    ``fault``: such as ``"wrong-cell 6/7"``. ``alpha``: the accepted probability of a false alarm, all tests
    together. ``target``: the target power. ``rounds``: also compute the power of a run of this length. Every
    round is from a fresh shuffle.

    >>> from combinat import power
    >>> power("commission-insurance-2013", "wrong-cell 6/7").fault
    'wrong-cell 6/7'
    """
    loaded, dealt_from = as_game(game), as_shoe(shoe, decks=decks)
    level, wanted = as_probability("alpha", alpha, Fraction(1, 2)), as_probability("target", target)
    with named("fault"):
        known = Fault.parse(fault)
        known.of_game(loaded)
    packed(known.of_shoe(dealt_from))  # refuse a shoe that no simulator can deal from
    run = None if rounds is None else whole_number("rounds", rounds, 1, LONGEST_RUN)
    right, wrong = Expected.of(loaded, dealt_from), under_fault(loaded, dealt_from, known)
    return Power(
        game=loaded.id,
        game_name=loaded.name,
        shoe=dealt_from,
        fault=known.text,
        alpha=level,
        target=wanted,
        rounds=run,
        sources=tuple(_source(source, right, wrong, level, wanted, run) for source in FileKind),
    )


def keys(source: FileKind, right: Expected) -> Iterator[Key]:
    """Return the keys that the cross-check tests for this kind of file."""
    by_cards = source in BY_CARDS
    return keys_of_rounds(
        right,
        _bets(source, right),
        cells=by_cards,
        slots=FIRST_CARDS if by_cards else (),
        serial=source is FileKind.LOG,
        repeats=by_cards,
        states=right.states if by_cards else (),
    )


def _bets(source: FileKind, right: Expected) -> list[str]:
    """Return the bets whose net results this kind of file records."""
    return list(right.by_winner) if source is FileKind.RESULTS else [bet.id for bet in right.game.bets]


def _source(
    source: FileKind,
    right: Expected,
    wrong: Expected,
    alpha: Fraction,
    target: Fraction,
    rounds: int | None,
) -> SourcePower:
    if source is FileKind.RESULTS and wrong.fault is not None and wrong.fault.kind is FaultForm.PAID_WRONG:
        wrong = replace(wrong, fault=None)  # winners alone do not record payments
    made = list_tests(right, keys(source, right))
    curves = [(test, curve) for test in made if (curve := test.power(right, wrong)) is not None]
    level, surely = float(alpha) / max(1, len(curves)), float(target)
    nearest = sorted(curves, key=lambda pair: pair[1].guess(level, surely))[:LOOKED_AT]
    sights = [_sight(test, curve, level, surely, rounds) for test, curve in nearest]
    subject, chance = contradiction(source, right, wrong)
    if chance:
        sights.append(_at_once(subject, chance, surely, rounds))
    sights.sort(key=lambda sight: (sight.rounds is None, sight.rounds))
    return SourcePower(source=source, tests=len(curves), contradiction=chance, sights=tuple(sights))


def _at_once(subject: str, chance: Fraction, target: float, rounds: int | None) -> Sight:
    """Return a contradiction, which its first round shows."""
    each = -log1p(-float(chance)) if chance < 1 else inf
    needed = max(1, ceil(-log(1 - target) / each))
    seen = None if rounds is None else rounded(1 - exp(-each * rounds))
    return Sight(subject=subject, what="contradiction", rounds=needed, power=seen)


def _sight(test: Test, curve: Curve, level: float, target: float, rounds: int | None) -> Sight:
    seen = None if rounds is None else rounded(min(1.0, curve.power(rounds, level)))
    return Sight(
        subject=test.subject, what=test.what, rounds=_rounds_needed(curve, level, target), power=seen
    )


def _rounds_needed(curve: Curve, level: float, target: float) -> int | None:
    """Return the rounds that give a test this power, rounded up to three digits, or None if too many.

    By bisection: the power of a test of counts rises in steps and falls slightly between them.
    """
    about = curve.guess(level, target)
    if about > MOST_ROUNDS:
        return None
    low, high = 1.0, max(2.0, about)
    while curve.power(high, level) < target:
        low, high = high, 2 * high
        if high > MOST_ROUNDS:
            return None
    while high - low > max(1.0, high / 2000):
        middle = (low + high) / 2
        low, high = (low, middle) if curve.power(middle, level) >= target else (middle, high)
    whole = ceil(high)
    unit = int(10 ** max(0, len(str(whole)) - 3))
    return -(-whole // unit) * unit


# ---------------------------------------------------------------- rounds that are dealt with a fault

Courses = dict[FirstFour, dict[Course, int]]


def under_fault(game: Game, shoe: Shoe, fault: Fault) -> Expected:
    """Return the probabilities of rounds that are dealt with the fault and settled by the game's rules."""
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

    return _biased_distribution(distribution.detailed_for([bet]), is_wanted, part_of(fault, game, shoe))


def with_replacement(shoe: Shoe, table: TableOfPlay) -> Distribution:
    """Return the rounds of an infinite deck with the ranks of this shoe; all ways: its size to the sixth."""
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
    """Return the courses of a round from two totals, with their numbers of ways, with replacement."""
    courses = deal_space(table).courses_from(Course(player, banker))
    drawn = {course: (course.player_third, course.banker_third) for course in courses}
    return {
        course: prod(points[third] for third in thirds if third is not None)
        for course, thirds in drawn.items()
    }


def _biased_distribution(
    distribution: Distribution, is_wanted: Callable[[Outcome], bool], part: int
) -> Distribution:
    """Rounds of which ``part`` in ``PARTS`` are replaced by wanted ones."""
    space = distribution.sample_space
    outcomes = distribution.detailed(thirds=True, pair_ranks=False).outcomes
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


# ---------------------------------------------------------------- contradictions


def contradiction(source: FileKind, right: Expected, wrong: Expected) -> tuple[str, Fraction]:
    """Return the contradiction of a faulty simulator, and its probability in a round."""
    fault, by_cards = wrong.fault, source in BY_CARDS
    if fault is not None and fault.kind is FaultForm.PAID_WRONG:
        return "wrong settlements", _paid_wrong(fault, right) if by_cards else max(
            _unknown_nets(source, right, wrong)
        )
    if by_cards:
        unknown = (chance for cell, chance in wrong.cells.items() if cell not in right.cells)
        return "impossible deals", sum(unknown, Fraction(0))
    return "impossible net results", max(_unknown_nets(source, right, wrong))


def _paid_wrong(fault: Fault, right: Expected) -> Fraction:
    """Return the probability that a bet is paid wrong."""
    nets = right.bet(fault.bet or "")
    won = (chance for net, chance in nets.items() if net > 0 and net != fault.net)
    return (fault.share or Fraction(0)) * sum(won, Fraction(0))


def _unknown_nets(source: FileKind, right: Expected, wrong: Expected) -> Iterator[Fraction]:
    """For each bet, the chance of a net result that its pay table does not have."""
    yield Fraction(0)
    for bet in _bets(source, right):
        known, paid = right.chances(("bet", bet)), wrong.chances(("bet", bet))
        yield sum((chance for net, chance in paid.items() if net not in known), Fraction(0))
