"""What a judgement is made of: the rule fixed before anyone looks, and the mean of every bet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from combinat.analysis.bets import BetAnalysis
from combinat.audit.judging.expected import Expected
from combinat.audit.judging.statistics import (
    LEAST_EXPECTED,
    MOST_SKEW,
    POWER,
    clustered,
    holm,
    most_spread,
    normal,
    smallest_deviation,
)
from combinat.audit.verdict import BetMean, Contradiction, Evidence, Judgement, Score, StatisticalTest
from combinat.montecarlo.observed import Observed, Times
from combinat.rules.money import format_money

LEAST_ROUNDS = 10_000
LEAST_SHOES = 100
ALPHA = Fraction(1, 1000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A test with its score, before its chance is adjusted for the number of tests."""

    subject: str
    kind: Evidence
    what: str
    observed: Fraction | None
    expected: Fraction | None
    score: Score
    bet: str | None = None


def judgement(
    counted: Observed,
    expected: Expected,
    alpha: Fraction,
    contradictions: Sequence[Contradiction],
    trials: Sequence[Trial],
    notes: Sequence[str],
    means: Sequence[BetMean] | None = None,
) -> Judgement:
    """What the tests come to together. ``means``: of every bet, where they are not against one exact mean."""
    if means is None:
        means = [_bet_mean(counted, expected, bet_id, alpha, len(trials)) for bet_id in counted.bets]
    return Judgement(
        alpha=alpha,
        power=POWER,
        decision_rule=decision_rule(alpha),
        too_few=too_few(counted),
        contradictions=tuple(contradictions),
        bets=tuple(means),
        tests=adjusted(trials),
        notes=tuple(notes),
    )


def adjusted(trials: Sequence[Trial]) -> tuple[StatisticalTest, ...]:
    """The tests, each with its chance adjusted for their number."""
    chances = holm([trial.score.chance for trial in trials])
    return tuple(
        StatisticalTest(
            subject=trial.subject,
            kind=trial.kind,
            what=trial.what,
            observed=trial.observed,
            expected=trial.expected,
            score=trial.score,
            adjusted_chance=chance,
            bet=trial.bet,
        )
        for trial, chance in zip(trials, chances, strict=True)
    )


def too_few(counted: Observed) -> str | None:
    """Why there is too little for a file to agree, however it looks; None: there is enough."""
    if counted.rounds < LEAST_ROUNDS:
        return f"too few rounds to agree: {counted.rounds}, and {LEAST_ROUNDS} are needed"
    if counted.shoes is not None and counted.shoes < LEAST_SHOES:
        return f"too few shoes to agree: {counted.shoes}, and {LEAST_SHOES} are needed"
    return None


def _bet_mean(counted: Observed, expected: Expected, bet_id: str, alpha: Fraction, tests: int) -> BetMean:
    analysis = expected.analysis.bet(bet_id)
    _, variance = deviation(counted, expected, bet_id)
    return BetMean(
        bet=bet_id,
        mean=net_total(counted.bets[bet_id]) / counted.rounds,
        exact=analysis.expected_value,
        z=mean_score(counted, expected, bet_id).statistic,
        is_judged=is_normal(analysis, counted.rounds),
        noticeable=smallest_deviation(variance / counted.rounds**2, alpha, max(1, tests)),
    )


def decision_rule(alpha: Fraction) -> str:
    """The rule, in words, as it stood before the file was read."""
    return (
        "Decision rule, fixed in advance: it does not agree if anything contradicts the rules (an impossible deal or net result, "
        "a settlement other than the rules', six rounds in a row that are there twice), or if the probability of any test by chance "
        f"alone, adjusted for the number of tests by Holm's method, is {format_money(alpha)} or less; otherwise it agrees. Tests: an "
        f"omnibus test over the joint cells or results (cells expected fewer than {LEAST_EXPECTED} times pooled); the ranks of the "
        "cards; equal ranks in neighbouring rounds, winners after winners, runs; every outcome of every bet and insurance state; the "
        "mean of every bet; of a log told apart, the hold of every group. Rounds of a hand log from one shoe are judged each by its exact chances given the cards left, so that all "
        "of them count; of counts from whole shoes by their variance over shoes, ranks as cards drawn without replacement, and rare "
        "outcomes as if rounds were independent (over small shoes those are not judged). "
        f"Samples below {LEAST_ROUNDS} rounds (of counts from whole shoes, {LEAST_SHOES} shoes) can fail but cannot pass."
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
    return clustered(off, variance, independent, counted.shoes, spread_of(counted))


def spread_of(counted: Observed) -> Fraction:
    """The most by which counts over the shoes of a file vary more than those of independent rounds."""
    return most_spread(counted.shoe.size, counted.rounds // (counted.shoes or counted.rounds))


def is_normal(analysis: BetAnalysis, rounds: int) -> bool:
    """Whether the sum of so many rounds has a normal tail: its skewness is small, exactly."""
    third, variance = analysis.third_central_moment, analysis.variance
    return variance > 0 and third**2 <= MOST_SKEW**2 * rounds * variance**3
