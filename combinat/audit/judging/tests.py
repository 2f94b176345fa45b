"""The tests of rounds against their exact probabilities: one list for the cross-check and for its power.

A key names mutually exclusive events, such as the net results of a bet. ``Expected.chances`` gives the
probability of each event in a round; a sample gives a table of observed and expected counts. A test is scored
on the table of its key. Its power against a fault follows from the probabilities of its key with and without
the fault.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from combinat.audit.judging.expected import Chances, Expected, Key
from combinat.audit.judging.sample import EventTable
from combinat.audit.judging.statistics import (
    MOST_SKEW,
    CellCurve,
    Curve,
    SumCurve,
    chi_square,
    clustered,
    count_score,
    normal,
)
from combinat.audit.verdict import Evidence, Score, StatisticalTest

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
            return clustered(count - mean, variance, mean * (1 - chance), clusters.shoes, clusters.spread)
        if clusters is not None and clusters.are_small:
            return None
        return count_score(count, table.trials, mean, table.variance({self.event: Fraction(1)}))

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
        if table.clusters is None:
            return total - mean, table.variance({net: net for net in table.expected})
        return total - mean, table.clusters.variance(mean / table.trials, total, table.net_squares)

    def score(self, table: EventTable) -> Score | None:
        """Return the normal test (whole shoes: Student's), or None if the sum has no normal tail."""
        if self.least is None or table.trials < self.least:
            return None
        off, variance = self.deviation(table)
        if table.clusters is None:
            return normal(off, variance)
        independent = table.variance({net: net for net in table.expected})
        return clustered(off, variance, independent, table.clusters.shoes, table.clusters.spread)

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

    def score(self, table: EventTable) -> StatisticalTest | None:
        """Return the test of its events, not yet adjusted for multiple tests, or None if it does not apply."""
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
