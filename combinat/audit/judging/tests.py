"""The tests of a sample of rounds against the exact chances: one list for the cross-check and for its power.

A sample counts rounds; a law gives the chance of the same things in one round. A test selects what it needs by the same
function from either, so that a sample is scored, and the power against a fault computed, from one declaration.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from combinat.analysis.bets import BetAnalysis
from combinat.audit.judging.expected import Expected, by_ending
from combinat.audit.judging.serial import Serial
from combinat.audit.judging.statistics import (
    MOST_SKEW,
    CellCurve,
    CountCurve,
    Curve,
    MeanCurve,
    card_spread,
    clustered,
    count_score,
    design_effect,
    most_spread,
    multinomial,
    normal,
)
from combinat.audit.verdict import Evidence, Score, StatisticalTest
from combinat.montecarlo.cell import WINNERS
from combinat.montecarlo.counts import JointCell, Observed, Times
from combinat.montecarlo.tally import FIRST_CARDS
from combinat.rules.insurance import State

Number = int | Fraction
LARGEST_SPREAD = Fraction(11, 10)
"""The variance of right shoes, as a ratio to that of independent rounds, up to which a common test of all cells holds."""


@dataclass(frozen=True)
class RoundSample:
    """Counted rounds. ``serial``: rounds by the round before, of a log. ``squared``: sums of squares over shoes instead."""

    observed: Observed
    serial: Serial | None = None
    squared: bool = False

    @property
    def rounds(self) -> int:
        """How many rounds there are."""
        return self.observed.rounds

    @cached_property
    def squares(self) -> "RoundSample":
        """The same sample by its sums of squares over shoes."""
        return RoundSample(self.observed, self.serial, squared=True)

    def _count(self, times: Times) -> int:
        return (times.squares or 0) if self.squared else times.rounds

    @cached_property
    def cells(self) -> Mapping[JointCell, int]:
        """The rounds of each joint cell."""
        return {cell: self._count(times) for cell, times in self.observed.cells.items()}

    @cached_property
    def endings(self) -> Mapping[tuple[int, ...], int]:
        """The rounds of each final result."""
        return by_ending(self.cells)

    def ranks(self, slot: str) -> Mapping[int, int]:
        """The rounds by the rank of a card."""
        return dict(enumerate(self.observed.cards[slot]))

    def nets(self, subject: str | State) -> Mapping[Fraction, int]:
        """The rounds by the net result of a bet or of an insurance state."""
        results = (
            self.observed.bets[subject] if isinstance(subject, str) else self.observed.insurance[subject]
        )
        return {net: self._count(times) for net, times in results.items()}

    def same_cell(self) -> tuple[int, int]:
        """The pairs of neighbouring rounds, and those with one joint cell."""
        return self.observed.repeats or (0, 0)

    def same_rank(self, now: str, before: str) -> tuple[int, int]:
        """The pairs of neighbouring rounds, and those in which a card has the rank of one in the round before."""
        assert self.serial is not None
        agreement = self.serial.agreements[now, before]
        return agreement.pairs, agreement.seen

    def winners_after(self, winner: str) -> Mapping[str, int]:
        """The rounds after a round with this winner, by their own."""
        assert self.serial is not None
        return dict(zip(WINNERS, self.serial.moves[WINNERS.index(winner)].tolist(), strict=True))

    # ------------------------------------------------------------ whole shoes

    @property
    def shoes(self) -> int | None:
        """The number of whole shoes; None if every round is from a fresh shuffle."""
        return self.observed.shoes

    @property
    def rounds_each(self) -> int:
        """The rounds that are counted of each shoe."""
        return self.rounds // (self.shoes or self.rounds)

    @property
    def spread(self) -> Fraction:
        """The most by which counts over these shoes vary more than those of independent rounds."""
        return most_spread(self.observed.shoe.size, self.rounds_each)

    @property
    def has_small_shoes(self) -> bool:
        """Whether the shoes are so small that some counts vary far more than those of independent rounds."""
        return self.shoes is not None and self.spread > LARGEST_SPREAD


Frequencies = RoundSample | Expected
"""Counts of rounds, or the chances of one round."""

# ---------------------------------------------------------------- laws


@dataclass(frozen=True, slots=True)
class FrequencyLaw:
    """Something that may come in a trial: a round, or a round in which an insurance state arises."""

    times: Callable[[Frequencies], Number]
    trials: Callable[[Frequencies], Number] = lambda of: of.rounds

    def chance(self, law: Expected) -> Fraction:
        """Its chance in a trial."""
        trials = Fraction(self.trials(law))
        return self.times(law) / trials if trials else Fraction(0)

    def amounts(self, sample: RoundSample, law: Expected) -> tuple[Fraction, Fraction]:
        """How often it came, and its expected number."""
        return Fraction(self.times(sample)), self.chance(law) * self.trials(sample)

    def score(self, sample: RoundSample, law: Expected) -> Score | None:
        """The exact binomial test; over whole shoes, by the variance over shoes where the event is frequent."""
        count, chance = int(self.times(sample)), self.chance(law)
        if not self.trials(sample):
            return None
        if sample.shoes is not None and self._is_frequent(sample, chance):
            return self._over_shoes(sample, sample.shoes, count, chance)
        if sample.has_small_shoes:
            return None
        trials = int(self.trials(sample))
        return count_score(count, trials, trials * chance, trials * chance * (1 - chance))

    def _is_frequent(self, sample: RoundSample, chance: Fraction) -> bool:
        """Whether the number of times has a normal tail."""
        return MOST_SKEW**2 * sample.rounds * min(chance, 1 - chance) >= 1

    def _over_shoes(self, sample: RoundSample, shoes: int, count: int, chance: Fraction) -> Score:
        each = sample.rounds_each
        variance = self.times(sample.squares) - 2 * chance * each * count + chance**2 * sample.rounds * each
        independent = sample.rounds * chance * (1 - chance)
        off = count - sample.rounds * chance
        return clustered(off, Fraction(variance), independent, shoes, sample.spread)

    def curve(self, right: Expected, wrong: Expected) -> Curve | None:
        """Its power against a fault, or None if there are no trials with the fault."""
        trials = float(self.trials(wrong))
        return CountCurve(float(self.chance(right)), float(self.chance(wrong)), trials) if trials else None


@dataclass(frozen=True, slots=True)
class SameCell(FrequencyLaw):
    """Neighbouring rounds with one joint cell. Pairs that share a round depend on each other."""

    def score(self, sample: RoundSample, law: Expected) -> Score | None:
        """The test by the exact mean and variance."""
        pairs, same = sample.same_cell()
        twice, thrice = law.coincidences
        variance = pairs * (twice * (1 - twice) + 2 * (thrice - twice**2))
        return count_score(same, pairs, pairs * twice, variance) if pairs else None


@dataclass(frozen=True, slots=True)
class SameRank(FrequencyLaw):
    """A card with the rank of a card of the round before, given that card and those dealt before it."""

    cards: tuple[str, str] = ("", "")

    def amounts(self, sample: RoundSample, law: Expected) -> tuple[Fraction, Fraction]:
        """How often it came, and its expected number."""
        assert sample.serial is not None
        agreement = sample.serial.agreements[self.cards]
        return Fraction(agreement.seen), agreement.expected

    def score(self, sample: RoundSample, law: Expected) -> Score | None:
        """The test by the exact mean and the variance of the conditional chances."""
        assert sample.serial is not None
        agreement = sample.serial.agreements[self.cards]
        if not agreement.pairs:
            return None
        return count_score(agreement.seen, agreement.pairs, agreement.expected, agreement.variance)


def _changes(of: Frequencies) -> Number:
    return sum(
        (times for before in WINNERS for now, times in of.winners_after(before).items() if now != before), 0
    )


def _moves(of: Frequencies) -> Number:
    return sum((sum(of.winners_after(before).values()) for before in WINNERS), 0)


@dataclass(frozen=True, slots=True)
class Runs(FrequencyLaw):
    """Rounds with another winner than the round before, given that winner."""

    def amounts(self, sample: RoundSample, law: Expected) -> tuple[Fraction, Fraction]:
        """How often it came, and its expected number."""
        return Fraction(self.times(sample)), sum((mean for mean, _ in self._parts(sample, law)), Fraction(0))

    def _parts(self, sample: RoundSample, law: Expected) -> Iterator[tuple[Fraction, Fraction]]:
        for winner, chance in law.winners.items():
            rounds = sum(sample.winners_after(winner).values())
            yield rounds * (1 - chance), rounds * chance * (1 - chance)

    def score(self, sample: RoundSample, law: Expected) -> Score | None:
        """The test by the exact mean and variance."""
        variance = sum((variance for _, variance in self._parts(sample, law)), Fraction(0))
        seen, mean = self.amounts(sample, law)
        return (
            count_score(int(seen), int(self.trials(sample)), mean, variance) if self.trials(sample) else None
        )


@dataclass(frozen=True, slots=True)
class CellLaw:
    """Things that exclude each other, all together. ``spread``: the design effect over whole shoes."""

    times: Callable[[Frequencies], Mapping[Any, Number]]
    spread: Callable[[RoundSample, "CellLaw", Expected], Fraction] = lambda sample, cells, law: Fraction(1)

    def amounts(self, sample: RoundSample, law: Expected) -> tuple[None, None]:
        """No single count."""
        return None, None

    def counts(self, sample: RoundSample, law: Expected) -> list[int]:
        """The counts, in the order of the chances."""
        times = self.times(sample)
        return [int(times.get(key, 0)) for key in self.times(law)]

    def chances(self, law: Expected) -> list[Fraction]:
        """The chances of a trial."""
        times = [Fraction(times) for times in self.times(law).values()]
        total = sum(times, Fraction(0))
        return [chance / total if total else Fraction(0) for chance in times]

    def score(self, sample: RoundSample, law: Expected) -> Score | None:
        """The chi-square test; None if there are too few rounds."""
        return multinomial(self.counts(sample, law), self.chances(law), self.spread(sample, self, law))

    def curve(self, right: Expected, wrong: Expected) -> Curve | None:
        """Its power against a fault, or None without trials; events that the rules exclude are contradictions instead."""
        chances, others = self.chances(right), self.times(wrong)
        trials = sum((Fraction(times) for times in others.values()), Fraction(0))
        if not trials or not any(chances):
            return None
        faulty = [Fraction(others.get(key, 0)) / trials for key in self.times(right)]
        return CellCurve(np.array(chances, dtype=float), np.array(faulty, dtype=float), float(trials))


@dataclass(frozen=True, slots=True)
class MeanLaw:
    """The mean net result of a bet."""

    bet: str

    def amounts(self, sample: RoundSample, law: Expected) -> tuple[Fraction, Fraction]:
        """The mean, and the exact one."""
        return net_total(sample.nets(self.bet)) / sample.rounds, law.analysis.bet(self.bet).expected_value

    def deviation(self, sample: RoundSample, law: Expected) -> tuple[Fraction, Fraction]:
        """How far the sum of net results is from the exact mean, and the variance of that."""
        analysis, total = law.analysis.bet(self.bet), net_total(sample.nets(self.bet))
        mean, each = analysis.expected_value, sample.rounds_each
        off = total - sample.rounds * mean
        if sample.shoes is None:
            return off, sample.rounds * analysis.variance
        squares = sample.observed.net_squares[self.bet]
        return off, squares - 2 * mean * each * total + mean**2 * sample.rounds * each

    def score(self, sample: RoundSample, law: Expected) -> Score | None:
        """The test by a normal tail, or over whole shoes by Student's; None if the sum has no normal tail."""
        analysis = law.analysis.bet(self.bet)
        if not is_normal(analysis, sample.rounds):
            return None
        off, variance = self.deviation(sample, law)
        if sample.shoes is None:
            return normal(off, variance)
        return clustered(off, variance, sample.rounds * analysis.variance, sample.shoes, sample.spread)

    def curve(self, right: Expected, wrong: Expected) -> Curve:
        """Its power against a fault."""
        analysis = right.analysis.bet(self.bet)
        (mean, variance), (other, other_variance) = (_moments(law.nets(self.bet)) for law in (right, wrong))
        least = analysis.third_central_moment**2 / (MOST_SKEW**2 * variance**3) if variance else Fraction(0)
        return MeanCurve(float(other - mean), float(variance), float(other_variance), float(least))


Law = FrequencyLaw | CellLaw | MeanLaw


def net_total(results: Mapping[Fraction, int]) -> Fraction:
    """The sum of the net results of all rounds."""
    return sum((net * rounds for net, rounds in results.items()), Fraction(0))


def is_normal(analysis: BetAnalysis, rounds: int) -> bool:
    """Whether the sum of this number of rounds has a normal tail: its exact skewness is small."""
    third, variance = analysis.third_central_moment, analysis.variance
    return variance > 0 and third**2 <= MOST_SKEW**2 * rounds * variance**3


def _moments(law: Mapping[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    mean = sum((net * chance for net, chance in law.items()), Fraction(0))
    return mean, sum((net**2 * chance for net, chance in law.items()), Fraction(0)) - mean**2


# ---------------------------------------------------------------- the list


@dataclass(frozen=True, slots=True, kw_only=True)
class Test:
    """A test: its subject, its family, its statistic in words, and its law."""

    subject: str
    kind: Evidence
    what: str
    law: Law
    bet: str | None = None

    def score(self, sample: RoundSample, right: Expected) -> StatisticalTest | None:
        """The test of a sample, not yet adjusted for the number of tests; None if it is not made."""
        score = self.law.score(sample, right)
        if score is None:
            return None
        observed, expected = self.law.amounts(sample, right)
        return StatisticalTest(
            subject=self.subject,
            kind=self.kind,
            what=self.what,
            observed=observed,
            expected=expected,
            score=score,
            adjusted_chance=score.chance,
            bet=self.bet,
        )

    def spread(self, sample: RoundSample, right: Expected) -> Fraction:
        """The design effect of a test of cells over whole shoes."""
        assert isinstance(self.law, CellLaw)
        return self.law.spread(sample, self.law, right)

    def power(self, right: Expected, wrong: Expected) -> Curve | None:
        """The power against the fault of ``wrong``, for any number of rounds; None if the test is not made then."""
        return self.law.curve(right, wrong)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileContents:
    """The parts of a file that can be tested. ``small_shoes``: cells have no common design effect."""

    bets: Sequence[str]
    states: Sequence[State] = ()
    cells: bool = False
    cards: Sequence[str] = ()
    neighbours: bool = False
    serial: bool = False
    whole_shoes: bool = False
    small_shoes: bool = False


def list_tests(right: Expected, contents: FileContents) -> Iterator[Test]:
    """The tests of a file with these contents."""
    if contents.cells and contents.small_shoes:
        yield from _each_cell(right)
    elif contents.cells:
        yield Test(
            subject="joint cells",
            kind=Evidence.OMNIBUS,
            what="chi-square",
            law=CellLaw(lambda of: of.cells, _design_effect),
        )
        if not contents.whole_shoes:
            yield Test(
                subject="final results",
                kind=Evidence.OMNIBUS,
                what="chi-square",
                law=CellLaw(lambda of: of.endings),
            )
    for slot in contents.cards:
        law = CellLaw(_ranks(slot), _card_spread)
        yield Test(subject=f"{slot} card", kind=Evidence.CARDS, what="chi-square", law=law)
    if contents.neighbours:
        pairs = SameCell(lambda of: of.same_cell()[1], lambda of: of.same_cell()[0])
        yield Test(subject="neighbouring rounds", kind=Evidence.REPEATS, what="same cell", law=pairs)
    if contents.serial:
        yield from serial_tests()
    for bet in contents.bets:
        yield from _of_bet(right, bet)
    for state in contents.states:
        yield from _of_state(right, state, contents.whole_shoes)


def _design_effect(sample: RoundSample, cells: CellLaw, law: Expected) -> Fraction:
    if sample.shoes is None:
        return Fraction(1)
    counts, squares = cells.counts(sample, law), cells.counts(sample.squares, law)
    return design_effect(
        counts, squares, cells.chances(law), sample.rounds, sample.rounds * sample.rounds_each
    )


def _card_spread(sample: RoundSample, cards: CellLaw, law: Expected) -> Fraction:
    return card_spread(sample.observed.shoe.size, sample.rounds_each)


def _each_cell(right: Expected) -> Iterator[Test]:
    """Every joint cell by itself: over small shoes their counts have no common spread."""
    for cell, chance in right.cells.items():
        if chance < 1:
            law = FrequentCell(_rounds_of(cell))
            yield Test(subject="joint cells", kind=Evidence.OMNIBUS, what=cell.in_words, law=law)


@dataclass(frozen=True, slots=True)
class FrequentCell(FrequencyLaw):
    """A joint cell over small shoes; a rare one is not tested."""

    def score(self, sample: RoundSample, law: Expected) -> Score | None:
        """The test by the variance over shoes; None for a rare cell."""
        is_tested = self._is_frequent(sample, self.chance(law))
        return FrequencyLaw.score(self, sample, law) if is_tested else None


def serial_tests() -> Iterator[Test]:
    """The tests of rounds by the round before: equal ranks, winners, runs."""
    for now in FIRST_CARDS:
        for before in FIRST_CARDS:
            cards = (now, before)
            yield Test(
                subject=f"{now} card and the {before} card of the round before",
                kind=Evidence.REPEATS,
                what="same rank",
                law=SameRank(_same_rank(cards, 1), _same_rank(cards, 0), cards),
            )
    for winner in WINNERS:
        law = CellLaw(_winners_after(winner))
        yield Test(subject=rounds_after(winner), kind=Evidence.REPEATS, what="winner", law=law)
    yield Test(subject="runs", kind=Evidence.REPEATS, what="another winner", law=Runs(_changes, _moves))


def rounds_after(winner: str) -> str:
    """The subject of the test of the rounds after one with this winner."""
    return (
        "rounds after a tie" if winner == "tie" else f"rounds after a win of the {winner.capitalize()} Hand"
    )


def telling(chances: Mapping[Fraction, Fraction], total: Fraction) -> list[Fraction]:
    """The net results to test: of two that make up the total, one is enough."""
    nets = sorted(net for net, chance in chances.items() if chance < total)
    return nets[1:] if len(nets) == 2 and sum(chances.values()) == total else nets


def _of_bet(right: Expected, bet: str) -> Iterator[Test]:
    """Every net result of a bet, and its mean."""
    for net in telling(right.nets(bet), Fraction(1)):
        yield _outcome(f"bet {bet}", f"net {net}", FrequencyLaw(_net(bet, net)), bet)
    if right.analysis.bet(bet).variance:
        yield Test(subject=f"bet {bet}", kind=Evidence.MEAN, what="mean", law=MeanLaw(bet), bet=bet)


def _of_state(right: Expected, state: State, whole_shoes: bool) -> Iterator[Test]:
    """How often an insurance state was offered, and its net results then; over whole shoes, out of all rounds."""
    subject, chances, reached = f"insurance {state}", right.nets(state), right.states[state].probability
    if whole_shoes:
        for net in telling(chances, Fraction(1)):
            yield _outcome(subject, f"net {net}", FrequencyLaw(_net(state, net)))
    elif reached:
        yield _outcome(subject, "offered", FrequencyLaw(_offered(state)))
        for net in telling(chances, reached):
            yield _outcome(subject, f"net {net}", FrequencyLaw(_net(state, net), _offered(state)))


def _ranks(slot: str) -> Callable[[Frequencies], Mapping[int, Number]]:
    return lambda of: of.ranks(slot)


def _rounds_of(cell: JointCell) -> Callable[[Frequencies], Number]:
    return lambda of: of.cells.get(cell, 0)


def _same_rank(cards: tuple[str, str], part: int) -> Callable[[Frequencies], Number]:
    return lambda of: of.same_rank(*cards)[part]


def _winners_after(winner: str) -> Callable[[Frequencies], Mapping[str, Number]]:
    return lambda of: of.winners_after(winner)


def _net(subject: str | State, net: Fraction) -> Callable[[Frequencies], Number]:
    return lambda of: of.nets(subject).get(net, 0)


def _offered(state: State) -> Callable[[Frequencies], Number]:
    return lambda of: sum(of.nets(state).values(), 0)


def _outcome(subject: str, what: str, law: FrequencyLaw, bet: str | None = None) -> Test:
    return Test(subject=subject, kind=Evidence.OUTCOME, what=what, law=law, bet=bet)
