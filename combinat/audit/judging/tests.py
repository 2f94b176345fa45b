"""The tests of rounds against their exact probabilities: one list for the cross-check and for its power.

A key names mutually exclusive events, such as the net results of a bet. ``Expected.chances`` gives the
probability of each event in a round; a sample gives a table of observed and expected counts. A test is scored
on the table of its key. Its power against a fault follows from the probabilities of its key with and without
the fault.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from combinat.audit.judging.conditional import Conditional, Sums
from combinat.audit.judging.counting import Counting
from combinat.audit.judging.expected import Chances, Expected, Key, by_ending
from combinat.audit.judging.serial import Serial
from combinat.audit.judging.statistics import (
    MOST_SKEW,
    CellCurve,
    Curve,
    Reals,
    SumCurve,
    card_spread,
    chi_square,
    clustered,
    count_score,
    design_effect,
    most_spread,
    normal,
    rounded,
)
from combinat.audit.verdict import Evidence, Score, StatisticalTest
from combinat.montecarlo.cell import WINNERS
from combinat.montecarlo.counts import Observed, Times
from combinat.montecarlo.tally import FIRST_CARDS
from combinat.rules.insurance import State

LARGEST_SPREAD = Fraction(11, 10)
"""The variance of right shoes, as a ratio to that of independent rounds, up to which a common test of all cells holds."""


# ---------------------------------------------------------------- samples


@dataclass(frozen=True, slots=True)
class Clusters:
    """Whole shoes, each with the same number of rounds.

    ``spread``: the largest variance ratio of the counts of fair shoes to those of independent rounds.
    """

    shoes: int
    rounds_each: int
    spread: Fraction

    @property
    def are_small(self) -> bool:
        """Whether the shoes are small, so that some counts vary far more than those of independent rounds."""
        return self.spread > LARGEST_SPREAD

    def variance(self, mean: Fraction, total: Fraction | int, squares: Fraction | int) -> Fraction:
        """Return the variance over shoes of a sum, from its mean per round, total and sum of squares."""
        expected = mean * self.rounds_each
        return Fraction(squares - 2 * expected * total + expected**2 * self.shoes)


@dataclass(frozen=True, kw_only=True)
class EventTable:
    """The observed and expected counts of events, and their distribution.

    Trials are independent unless ``covariances`` or the ``variances`` of single events are given, or the
    rounds are those of whole shoes, with ``squares``: the sums over shoes of the squared counts, and of the
    squared net results of a bet. ``spread``: the design effect of a test of all events together.
    """

    counts: Mapping[Any, int]
    expected: Mapping[Any, Fraction]
    trials: int
    covariances: Reals | None = None
    variances: Mapping[Any, float | Fraction] = field(default_factory=dict)
    clusters: Clusters | None = None
    squares: Mapping[Any, int] = field(default_factory=dict)
    net_squares: Fraction = Fraction(0)
    spread: Fraction = Fraction(1)

    def variance(self, event: Any) -> float | Fraction:
        """Return the variance of the count of an event."""
        if event in self.variances:
            return self.variances[event]
        if self.covariances is not None:
            place = list(self.expected).index(event)
            return max(float(self.covariances[place, place]), 0.0)
        return self.expected[event] * (1 - self.expected[event] / self.trials)


def _table_of_sums(events: Iterable[Any], sums: Sums) -> EventTable:
    expected = sums.expected()
    events = list(events)
    return EventTable(
        counts=dict(zip(events, sums.seen.tolist(), strict=True)),
        expected=dict(zip(events, expected, strict=True)),
        trials=sums.rounds,
        covariances=sums.covariances(expected),
    )


@dataclass(frozen=True)
class RoundSample:
    """Counts of rounds and their exact probabilities. ``counting``: of a log, conditional for whole shoes."""

    observed: Observed
    right: Expected
    counting: Counting | None = None
    _tables: dict[Key, EventTable] = field(default_factory=dict)

    @property
    def conditional(self) -> Conditional | None:
        """The sums given the cards left, for a log of whole shoes."""
        return self.counting.conditional if self.counting is not None else None

    @cached_property
    def clusters(self) -> Clusters | None:
        """The whole shoes of counts, or None if rounds are independent or tested given the cards left."""
        if self.observed.shoes is None:
            return None
        each = self.observed.rounds // self.observed.shoes
        return Clusters(self.observed.shoes, each, most_spread(self.observed.shoe.size, each))

    @cached_property
    def has_cells(self) -> bool:
        """Whether the joint cells are counted and all of them are possible."""
        return bool(self.observed.cells) and self.right.knows(self.observed.cells)

    def keys(self) -> Iterator[Key]:
        """The keys that the sample can test."""
        counted = self.observed
        if self.conditional is not None:
            yield ("results",)
            yield from (("card", slot) for slot, sums in self.conditional.cards.items() if sums.rounds)
            yield from serial_keys()
            yield from (("bet", bet) for bet in counted.bets)
            yield from (("insurance", state) for state in self.conditional.states)
            return
        clusters = self.clusters
        if self.has_cells and clusters is not None:
            yield ("each cell",) if clusters.are_small else ("cells",)
        yield from keys_of_rounds(
            self.right,
            counted.bets,
            cells=self.has_cells and clusters is None,
            slots=[slot for slot, counts in counted.cards.items() if not self._off_shoe(counts)],
            serial=self.counting is not None,
            repeats=counted.repeats is not None,
            states=counted.insurance if clusters is None else (),
        )
        if clusters is not None:
            yield from (("insurance of all rounds", state) for state in self.right.met(counted.insurance))

    def _off_shoe(self, counts: Sequence[int]) -> bool:
        """Return whether some cards are not of the shoe."""
        return any(count and not held for count, held in zip(counts, self.observed.shoe.counts, strict=True))

    def table(self, key: Key) -> EventTable:
        """Return the table of a key."""
        if key not in self._tables:
            self._tables[key] = self._made(key)
        return self._tables[key]

    def _made(self, key: Key) -> EventTable:
        conditional = self.conditional
        match key:
            case ("same rank", *cards):
                agreement = self._serial.agreements[cards[0], cards[1]]
                return EventTable(
                    counts={True: agreement.seen},
                    expected={True: agreement.expected},
                    trials=agreement.pairs,
                    variances={True: agreement.variance},
                )
            case ("after", winner):
                return self._after(str(winner))
            case ("runs",):
                return self._runs()
            case ("results",) if conditional is not None:
                return _table_of_sums(conditional.results, conditional.of_results)
            case ("card", slot) if conditional is not None:
                return _table_of_sums(range(len(self.observed.shoe.counts)), conditional.cards[str(slot)])
            case ("bet", bet) if conditional is not None:
                return _table_of_sums(*conditional.bet(str(bet)))
            case ("insurance", state) if conditional is not None:
                return _table_of_sums(*conditional.states[state])
        return self._of_counts(key)

    def _of_counts(self, key: Key) -> EventTable:
        """Return the table of counts and of the chances of a fresh shoe."""
        chances, counts, squares = self.right.chances(key), self._numbers(key, 0), dict[Any, int]()
        trials, total = sum(counts.values()), sum(chances.values(), Fraction(0))
        if self.clusters is not None and key[0] != "card":
            squares = self._numbers(key, 1)
        return EventTable(
            counts=counts,
            expected={event: chance / total * trials for event, chance in chances.items()} if total else {},
            trials=trials,
            variances={True: self.right.repeat_variance * trials} if key == ("same cell",) else {},
            clusters=self.clusters,
            squares=squares,
            net_squares=self.observed.net_squares.get(str(key[-1]), Fraction(0)),
            spread=self._spread(key, counts, squares, chances),
        )

    def _spread(
        self, key: Key, counts: Mapping[Any, int], squares: Mapping[Any, int], chances: Chances
    ) -> Fraction:
        """Return the design effect of a test of all events of a key together."""
        if self.clusters is None:
            return Fraction(1)
        if key[0] == "card":
            return card_spread(self.observed.shoe.size, self.clusters.rounds_each)
        if key != ("cells",):
            return Fraction(1)
        rows = [(counts.get(cell, 0), squares.get(cell, 0), chance) for cell, chance in chances.items()]
        return design_effect(rows, self.observed.rounds, self.clusters.rounds_each)

    def _numbers(self, key: Key, part: int) -> dict[Any, int]:
        """Return the rounds of each event of a key, or (``part`` 1) the sums of their squares over shoes."""

        def numbers(times: Mapping[Any, Times]) -> dict[Any, int]:
            return {event: each[part] or 0 for event, each in times.items()}

        counted = self.observed
        match key:
            case ("cells",) | ("each cell",):
                return numbers(counted.cells)
            case ("endings",):
                return by_ending(numbers(counted.cells))
            case ("card", slot):
                return dict(enumerate(counted.cards[str(slot)]))
            case ("same cell",):
                pairs, same = counted.repeats or (0, 0)
                return {True: same, False: pairs - same}
            case ("bet", bet):
                return numbers(counted.bets[str(bet)])
        nets = numbers(counted.insurance[key[1]])
        offered = sum(nets.values())
        if key[0] == "offered":
            return {True: offered, False: counted.rounds - offered}
        return nets if key[0] == "insurance" else {**nets, None: counted.rounds - offered}

    # ------------------------------------------------------------ rounds by the round before

    @property
    def _serial(self) -> Serial:
        assert self.counting is not None
        return self.counting.serial

    def _after(self, winner: str) -> EventTable:
        """Return the table of winners after this winner, given the cards left if they are known."""
        serial, row = self._serial, WINNERS.index(winner)
        counts = dict(zip(WINNERS, serial.moves[row].tolist(), strict=True))
        rounds = sum(counts.values())
        if self.conditional is None:
            expected = {name: chance * rounds for name, chance in self.right.winners.items()}
            return EventTable(counts=counts, expected=expected, trials=rounds)
        means = [rounded(float(mean)) for mean in serial.expected_moves[row]]
        return EventTable(
            counts=counts,
            expected=dict(zip(WINNERS, means, strict=True)),
            trials=rounds,
            covariances=np.diag([float(mean) for mean in means]) - serial.move_products[row],
        )

    def _runs(self) -> EventTable:
        """Return the table of changes of the winner, summed over winners."""
        tables = {winner: self.table(("after", winner)) for winner in WINNERS}
        rounds = sum(table.trials for table in tables.values())
        repeats = {name: (table.counts[name], table.expected[name]) for name, table in tables.items()}
        variance = sum(table.variance(winner) for winner, table in tables.items() if table.trials)
        return EventTable(
            counts={True: rounds - sum(count for count, _ in repeats.values())},
            expected={True: rounds - sum((mean for _, mean in repeats.values()), Fraction(0))},
            trials=rounds,
            variances={True: variance},
        )


# ---------------------------------------------------------------- laws


@dataclass(frozen=True, slots=True)
class EventLaw:
    """One event: an exact binomial test, or for frequent events of whole shoes by the variance over shoes."""

    event: Any

    def amounts(self, table: EventTable) -> tuple[Fraction, Fraction]:
        """Return the observed and the expected count."""
        return Fraction(table.counts.get(self.event, 0)), table.expected[self.event]

    def score(self, table: EventTable) -> Score | None:
        """Return the score, or None if the expected count is 0, or for a rare event of small shoes."""
        count, mean = table.counts.get(self.event, 0), table.expected[self.event]
        if not table.trials or not mean:
            return None
        chance, clusters = mean / table.trials, table.clusters
        if clusters is not None and MOST_SKEW**2 * min(mean, table.trials - mean) >= 1:
            variance = clusters.variance(chance, count, table.squares.get(self.event, 0))
            independent = mean * (1 - chance)
            return clustered(count - mean, variance, independent, clusters.shoes, clusters.spread)
        if clusters is not None and clusters.are_small:
            return None
        return count_score(count, table.trials, mean, table.variance(self.event))

    def curve(self, right: Chances, wrong: Chances) -> Curve | None:
        """Return its power against a fault, or None if there are no trials with the fault."""
        trials = [sum(law.values(), Fraction(0)) for law in (right, wrong)]
        if not all(trials):
            return None
        chances = [
            float(law.get(self.event, Fraction(0)) / of)
            for law, of in zip((right, wrong), trials, strict=True)
        ]
        return SumCurve.of_count(chances[0], chances[1], float(trials[1]))


@dataclass(frozen=True, slots=True)
class CellLaw:
    """All events together: a chi-square test."""

    def amounts(self, table: EventTable) -> tuple[None, None]:
        """Return (None, None): the test has no single count."""
        return None, None

    def score(self, table: EventTable) -> Score | None:
        """Return the score, or None if there are too few trials."""
        counts = [table.counts.get(event, 0) for event in table.expected]
        return chi_square(counts, list(table.expected.values()), table.covariances, table.spread)

    def curve(self, right: Chances, wrong: Chances) -> Curve | None:
        """Return its power against a fault, or None without trials.

        Events that the rules exclude are contradictions, not tests.
        """
        total, trials = (sum(law.values(), Fraction(0)) for law in (right, wrong))
        if not trials or not total:
            return None
        chances = np.array([chance / total for chance in right.values()], dtype=float)
        faulty = np.array([wrong.get(event, Fraction(0)) / trials for event in right], dtype=float)
        return CellCurve(chances, faulty, float(trials))


@dataclass(frozen=True, slots=True)
class MeanLaw:
    """The mean net result of a bet.

    ``least``: the fewest rounds with a normal tail, or None if it is constant.
    """

    least: Fraction | None

    @classmethod
    def of(cls, chances: Chances) -> "MeanLaw":
        """Return the law of a bet with these net results; ``least`` follows from its exact skewness."""
        mean, variance = moments(chances)
        third = sum(((net - mean) ** 3 * chance for net, chance in chances.items()), Fraction(0))
        return cls(third**2 / (MOST_SKEW**2 * variance**3) if variance else None)

    def amounts(self, table: EventTable) -> tuple[Fraction, Fraction]:
        """Return the observed and the exact mean."""
        return _total(table.counts) / table.trials, _total(table.expected) / table.trials

    def deviation(self, table: EventTable) -> tuple[Fraction, Fraction]:
        """Return the deviation of the sum of net results from its exact mean, and its variance."""
        total, mean = _total(table.counts), _total(table.expected)
        if table.covariances is not None:
            values = np.array([float(net) for net in table.expected])
            return total - mean, Fraction(max(0.0, float(values @ table.covariances @ values)))
        if table.clusters is not None:
            return total - mean, table.clusters.variance(mean / table.trials, total, table.net_squares)
        return total - mean, self._independent(table)

    def _independent(self, table: EventTable) -> Fraction:
        """Return the variance of the same number of independent rounds."""
        return table.trials * moments({net: mean / table.trials for net, mean in table.expected.items()})[1]

    def score(self, table: EventTable) -> Score | None:
        """Return the normal test (whole shoes: Student's), or None if the sum has no normal tail."""
        if self.least is None or table.trials < self.least:
            return None
        off, variance = self.deviation(table)
        if table.clusters is None:
            return normal(off, variance)
        shoes, spread = table.clusters.shoes, table.clusters.spread
        return clustered(off, variance, self._independent(table), shoes, spread)

    def curve(self, right: Chances, wrong: Chances) -> Curve:
        """Return its power against a fault."""
        (mean, variance), (other, other_variance) = moments(right), moments(wrong)
        return SumCurve(
            float(other - mean), float(variance), float(other_variance), least=float(self.least or 0)
        )


def _total(numbers: Mapping[Fraction, int] | Mapping[Fraction, Fraction]) -> Fraction:
    """Return the sum of the net results of all rounds."""
    return sum((net * number for net, number in numbers.items()), Fraction(0))


def moments(chances: Chances) -> tuple[Fraction, Fraction]:
    """Return the mean and the variance of a net result."""
    mean = _total(chances)
    return mean, sum((net**2 * chance for net, chance in chances.items()), Fraction(0)) - mean**2


# ---------------------------------------------------------------- the list


@dataclass(frozen=True, slots=True)
class Test:
    """A test: its subject, its family, its statistic in words, its events, and its law."""

    subject: str
    kind: Evidence
    what: str
    key: Key
    law: EventLaw | CellLaw | MeanLaw

    def score(self, sample: RoundSample) -> StatisticalTest | None:
        """Return the test of a sample, not yet adjusted for multiple tests, or None if it does not apply."""
        table = sample.table(self.key)
        score = self.law.score(table)
        if score is None:
            return None
        observed, expected = self.law.amounts(table)
        return StatisticalTest(
            subject=self.subject,
            kind=self.kind,
            what=self.what,
            observed=observed,
            expected=expected,
            score=score,
            bet=str(self.key[1]) if self.key[0] == "bet" else None,
        )

    def power(self, right: Expected, wrong: Expected) -> Curve | None:
        """Return the power curve against the fault of ``wrong``, or None if the test does not apply."""
        return self.law.curve(right.chances(self.key), wrong.chances(self.key))


OMNIBUS = {"cells": "joint cells", "endings": "final results", "results": "results of rounds"}


def list_tests(right: Expected, keys: Iterable[Key]) -> Iterator[Test]:
    """Yield the tests of the events of these keys."""
    for key in keys:
        match key:
            case ("each cell",):  # over small shoes the counts have no common design effect
                cells = [cell for cell, chance in right.cells.items() if chance < 1]
                for cell in cells:
                    yield Test("joint cells", Evidence.OMNIBUS, cell.in_words, key, EventLaw(cell))
            case ("card", slot):
                yield Test(f"{slot} card", Evidence.CARDS, "chi-square", key, CellLaw())
            case ("same cell",):
                yield Test("neighbouring rounds", Evidence.REPEATS, "same cell", key, EventLaw(True))
            case ("same rank", now, before):
                subject = f"{now} card and the {before} card of the round before"
                yield Test(subject, Evidence.REPEATS, "same rank", key, EventLaw(True))
            case ("after", "tie"):
                yield Test("rounds after a tie", Evidence.REPEATS, "winner", key, CellLaw())
            case ("after", winner):
                subject = f"rounds after a win of the {str(winner).capitalize()} Hand"
                yield Test(subject, Evidence.REPEATS, "winner", key, CellLaw())
            case ("runs",):
                yield Test("runs", Evidence.REPEATS, "another winner", key, EventLaw(True))
            case ("offered", state):
                yield Test(f"insurance {state}", Evidence.OUTCOME, "offered", key, EventLaw(True))
            case ("bet", bet):
                yield from _net_results(right, key)
                if (mean := MeanLaw.of(right.chances(key))).least is not None:
                    yield Test(f"bet {bet}", Evidence.MEAN, "mean", key, mean)
            case ("insurance" | "insurance of all rounds", _):
                yield from _net_results(right, key)
            case _:
                yield Test(OMNIBUS[str(key[0])], Evidence.OMNIBUS, "chi-square", key, CellLaw())


def _net_results(right: Expected, key: Key) -> Iterator[Test]:
    """Yield a test for each net result of a bet or of insurance; for two complementary results, one test."""
    chances = right.chances(key)
    nets = sorted(net for net in chances if net is not None)
    subject = f"bet {key[1]}" if key[0] == "bet" else f"insurance {key[1]}"
    if len(chances) == 1 or (len(chances) == 2 and None not in chances):
        nets = nets[1:]
    for net in nets:
        yield Test(subject, Evidence.OUTCOME, f"net {net}", key, EventLaw(net))


def keys_of_rounds(
    right: Expected,
    bets: Iterable[str],
    *,
    cells: bool = False,
    slots: Iterable[str] = (),
    serial: bool = False,
    repeats: bool = False,
    states: Iterable[State] = (),
) -> Iterator[Key]:
    """Yield the keys of what a file records of independent rounds.

    ``cells``: joint cells; ``slots``: the cards with ranks; ``serial``: rounds in their order; ``repeats``:
    of neighbouring rounds; ``states``: insurance.
    """
    if cells:
        yield from (("cells",), ("endings",))
    yield from (("card", slot) for slot in slots)
    if serial:
        yield from serial_keys()
    elif repeats:
        yield ("same cell",)
    yield from (("bet", bet) for bet in bets)
    for state in right.met(states):
        yield from (("offered", state), ("insurance", state))


def serial_keys() -> Iterator[Key]:
    """Yield the keys of serial tests: equal ranks, winners, runs."""
    yield from (("same rank", now, before) for now in FIRST_CARDS for before in FIRST_CARDS)
    yield from (("after", winner) for winner in WINNERS)
    yield ("runs",)
