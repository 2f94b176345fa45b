"""A judgement: what was tested, by a rule fixed before anyone looks, and what it comes to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property

from combinat.analysis.bets import BetAnalysis
from combinat.audit.expected import Expected
from combinat.audit.statistics import (
    LEAST_EXPECTED,
    MOST_SKEW,
    Score,
    clustered,
    holm,
    normal,
    smallest_deviation,
)
from combinat.rules.money import format_money
from combinat.simulate.observed import Observed, Times

LEAST_ROUNDS = 10_000
LEAST_SHOES = 100
ALPHA = Fraction(1, 1000)


class Kind(StrEnum):
    """The tests, and the two contradictions that no chance explains."""

    IMPOSSIBLE = "impossible"  # something that the rules never do
    SETTLEMENT = "settlement"  # rounds that the rules settle otherwise
    OMNIBUS = "omnibus"
    OUTCOME = "outcome"
    MEAN = "mean"
    CARDS = "cards"
    REPEATS = "repeats"


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """Something observed that cannot be under the rules, however rounds were dealt."""

    subject: str
    kind: Kind
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Test:
    """One test of a family: of what, what was observed and expected, and its score."""

    subject: str
    kind: Kind
    what: str
    observed: Fraction | None
    expected: Fraction | None
    score: Score

    @property
    def is_of_bet(self) -> bool:
        """Whether it is about a bet, and not about insurance or the cards."""
        return self.subject.startswith("bet ")


@dataclass(frozen=True, slots=True, kw_only=True)
class BetSeen:
    """A bet's mean net result: observed, exact, and how far off it could be unnoticed."""

    analysis: BetAnalysis
    mean: Fraction
    score: Score
    is_judged: bool
    smallest_deviation: float


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """Everything tested, and what it comes to."""

    observed: Observed
    expected: Expected
    alpha: Fraction
    contradictions: Sequence[Contradiction]
    tests: Sequence[Test]
    notes: Sequence[str]

    @cached_property
    def scored(self) -> list[tuple[Test, float]]:
        """Each test with its chance adjusted for the number of tests."""
        adjusted = holm([test.score.chance for test in self.tests])
        return list(zip(self.tests, adjusted, strict=True))

    @property
    def rejected(self) -> list[tuple[Test, float]]:
        """The tests that failed, the unlikeliest first, each with its adjusted chance."""
        failed = [(test, chance) for test, chance in self.scored if chance <= self.alpha]
        return sorted(failed, key=lambda one: (one[1], one[0].score.chance))

    @property
    def agrees(self) -> bool:
        """Whether there is enough to judge, nothing contradicts the rules, and no test failed."""
        return not self.too_few and not self.contradictions and not self.rejected

    @property
    def too_few(self) -> str | None:
        """Why there is too little to judge chance by; None: there is enough."""
        counted = self.observed
        if counted.rounds < LEAST_ROUNDS:
            return f"too few rounds to judge: {counted.rounds}; at least {LEAST_ROUNDS} are needed"
        if counted.shoes is not None and counted.shoes < LEAST_SHOES:
            return f"too few shoes to judge: {counted.shoes}; at least {LEAST_SHOES} are needed"
        return None

    @cached_property
    def bets(self) -> list[BetSeen]:
        """The bets of the file, each with its mean."""
        found = []
        for bet_id, results in self.observed.bets.items():
            analysis = self.expected.analysis.bet(bet_id)
            _, variance = deviation(self.observed, self.expected, bet_id)
            found.append(
                BetSeen(
                    analysis=analysis,
                    mean=net_total(results) / self.observed.rounds,
                    score=mean_score(self.observed, self.expected, bet_id),
                    is_judged=is_normal(analysis, self.observed.rounds),
                    smallest_deviation=smallest_deviation(
                        variance / self.observed.rounds**2, self.alpha, max(1, len(self.tests))
                    ),
                )
            )
        return found


def decision_rule(alpha: Fraction) -> str:
    """The rule, in words, as it stood before the file was read."""
    return (
        "Decision rule, fixed in advance: it does not agree if anything contradicts the rules (an impossible deal or net result, "
        "a settlement other than the rules'), or if the probability of any test by chance alone, adjusted for the number of "
        f"tests by Holm's method, is {format_money(alpha)} or less; otherwise it agrees. Tests: an omnibus G-test over the joint cells "
        f"(cells expected fewer than {LEAST_EXPECTED} times pooled) and one over the final results; the ranks of each of the first four "
        "cards; repeats of neighbouring rounds, or of rounds of one shoe; an exact binomial test of every outcome of every bet and insurance state; the mean of "
        "every bet against its exact variance, where rounds are enough for a normal tail. Rounds from one shoe are judged by "
        "their variance over shoes (rare outcomes and ranks as if independent, which is on the safe side), and may be alike 2 per cent "
        f"oftener than independent ones. With fewer than {LEAST_ROUNDS} rounds or {LEAST_SHOES} shoes nothing is judged but contradictions."
    )


def net_total(results: Mapping[Fraction, Times]) -> Fraction:
    """What all the rounds came to together."""
    return sum((net * times.rounds for net, times in results.items()), Fraction(0))


def deviation(counted: Observed, expected: Expected, bet_id: str) -> tuple[Fraction, Fraction]:
    """How far a bet's total is from the exact one, and the variance of that."""
    analysis, results = expected.analysis.bet(bet_id), counted.bets[bet_id]
    mean = analysis.expected_value
    off = net_total(results) - counted.rounds * mean
    if counted.rounds_squared is None:
        return off, counted.rounds * analysis.variance
    each = Fraction(counted.rounds, counted.shoes or 1)
    products = each * net_total(results)
    return off, counted.net_squares[bet_id] - 2 * mean * products + mean**2 * counted.rounds_squared


def mean_score(counted: Observed, expected: Expected, bet_id: str) -> Score:
    """The test of a bet's mean: against its exact variance, or over shoes."""
    off, variance = deviation(counted, expected, bet_id)
    if counted.shoes is None:
        return normal(off, variance)
    independent = counted.rounds * expected.analysis.bet(bet_id).variance
    return clustered(off, variance, independent, counted.shoes)


def is_normal(analysis: BetAnalysis, rounds: int) -> bool:
    """Whether the sum of so many rounds has a normal tail: its skewness is small, exactly."""
    mean, variance = analysis.expected_value, analysis.variance
    third = sum(((line.net - mean) ** 3 * line.probability for line in analysis.outcomes), Fraction(0))
    return variance > 0 and third**2 <= MOST_SKEW**2 * rounds * variance**3
