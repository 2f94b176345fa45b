"""The judgement on a sample: every test that it allows, by a decision rule fixed in advance."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from combinat.audit.judging.contradictions import impossible, may_repeat, missettled, repeated_stretches
from combinat.audit.judging.sample import RoundSample
from combinat.audit.judging.statistics import LEAST_EXPECTED, POWER, holm, smallest_deviation
from combinat.audit.judging.tests import MeanLaw, list_tests
from combinat.audit.verdict import BetMean, Evidence, Judgement, StatisticalTest
from combinat.base.errors import FileError
from combinat.base.money import format_money
from combinat.base.number import decimal
from combinat.montecarlo.counts import Observed

LEAST_ROUNDS = 10_000
LEAST_SHOES = 100
LEAST_CARDS = 6
ALPHA = Fraction(1, 1000)


# ---------------------------------------------------------------- the rule


def decision_rule(alpha: Fraction) -> str:
    """Return the rule, in words."""
    return (
        "Decision rule, fixed in advance: the file does not agree if anything contradicts the rules (an impossible deal or net "
        "result, a settlement other than the rules', six consecutive rounds that appear twice), or if the p-value of any test, "
        f"adjusted for the number of tests by Holm's method, is {format_money(alpha)} or less; otherwise it agrees. Tests: an "
        f"omnibus test over the joint cells or results (cells with an expected count below {LEAST_EXPECTED} are pooled); the ranks "
        "of the cards; equal ranks in neighbouring rounds, winners after winners, runs; every outcome of every bet and insurance "
        "state; the mean of every bet; the hold of every group, if the log is grouped. Each round of a hand log from whole shoes is "
        "tested against its exact chances given the cards left. Counts from whole shoes are tested by their variance over shoes, "
        "ranks as cards drawn without replacement, rare outcomes as if rounds were independent (over small shoes they are not "
        f"tested). Samples below {LEAST_ROUNDS} rounds (counts from whole shoes: {LEAST_SHOES} shoes) can fail but cannot pass."
    )


def too_few(counted: Observed) -> str | None:
    """Return why the sample is too small to agree, or None if it is large enough."""
    if counted.rounds < LEAST_ROUNDS:
        return f"too few rounds to agree: {counted.rounds}, and {LEAST_ROUNDS} are needed"
    if counted.shoes is not None and counted.shoes < LEAST_SHOES:
        return f"too few shoes to agree: {counted.shoes}, and {LEAST_SHOES} are needed"
    return None


def adjusted(scored: Sequence[StatisticalTest]) -> tuple[StatisticalTest, ...]:
    """Return the tests, each with its p-value adjusted for their number."""
    chances = holm([test.score.chance for test in scored])
    return tuple(replace(test, adjusted_chance=chance) for test, chance in zip(scored, chances, strict=True))


# ---------------------------------------------------------------- the judgement


def judged(
    sample: RoundSample, alpha: Fraction = ALPHA, of_groups: Sequence[StatisticalTest] = ()
) -> Judgement:
    """Return the judgement on a sample. ``of_groups``: the tests of groups, adjusted with all other tests."""
    counted, right, counting = sample.observed, sample.right, sample.counting
    if counted.shoe.size < LEAST_CARDS:
        raise FileError(
            f"the shoe has {counted.shoe.size} cards; rounds are judged from {LEAST_CARDS} cards on"
        )
    for bet_id in counted.bets:
        right.game.bet(bet_id)  # an unknown bet is refused
    contradictions = list(impossible(counted, right))
    contradictions += missettled(counted, right) if counting is None else repeated_stretches(counting)
    has_few_shoes = counted.shoes is not None and counted.shoes < LEAST_SHOES
    tests = [] if has_few_shoes else list_tests(right, sample.keys())
    scored = [*(done for test in tests if (done := test.score(sample)) is not None), *of_groups]
    tested = {test.bet for test in scored if test.kind is Evidence.MEAN}
    unjudged = [] if has_few_shoes else [bet for bet in counted.bets if bet not in tested]
    return Judgement(
        alpha=alpha,
        power=POWER,
        decision_rule=decision_rule(alpha),
        too_few=too_few(counted),
        contradictions=tuple(contradictions),
        bets=tuple(_bet_mean(sample, bet, alpha, max(1, len(scored))) for bet in counted.bets),
        tests=adjusted(scored),
        notes=tuple(_notes(sample, has_few_shoes, unjudged)),
    )


def _bet_mean(sample: RoundSample, bet: str, alpha: Fraction, number: int) -> BetMean:
    """Return the mean of a bet; ``number``: how many tests are made."""
    table, law = sample.table(("bet", bet)), MeanLaw.of(sample.right.chances(("bet", bet)))
    (mean, exact), score = law.amounts(table), law.score(table)
    if score is None:
        return BetMean(bet=bet, mean=mean, exact=exact)
    variance = law.deviation(table)[1] / table.trials**2
    noticeable = smallest_deviation(variance, alpha, number)
    return BetMean(bet=bet, mean=mean, exact=exact, z=score.statistic, noticeable=noticeable)


# ---------------------------------------------------------------- notes


def _notes(sample: RoundSample, has_few_shoes: bool, unjudged: Sequence[str]) -> Iterator[str]:
    """Yield notes on the tests for the reader. ``unjudged``: bets whose means are not tested."""
    counted, right, counting, clusters = sample.observed, sample.right, sample.counting, sample.clusters
    is_conditional = sample.conditional is not None
    if clusters is not None:
        yield (
            f"The first {clusters.rounds_each} rounds of each of {clusters.shoes} shoes are judged: every shoe deals "
            "these. Whether a later round is dealt depends on the cards before it, and its odds differ slightly from those of a "
            "fresh shoe."
        )
    if right.states and not counted.insurance:
        yield "The file has no insurance: insurance was not judged."
    if clusters is None and counted.repeats is None and counting is None:
        yield "The file has no repeats: they are not used to judge whether rounds are independent."
    if counting is not None and counting.serial.repeated and may_repeat(counting):
        yield "With so few different cards, stretches of rounds may repeat by chance: repeats are not judged."
    if has_few_shoes:
        yield f"With fewer than {LEAST_SHOES} shoes only contradictions are judged."
    elif not is_conditional:
        yield from _notes_on_cells(sample)
    if counting is not None and counting.unfinished and is_conditional:
        yield f"{counting.unfinished} rounds are not judged: with fewer than six cards left they may be void."
    if unjudged and is_conditional:
        yield f"The mean of {', '.join(unjudged)} is judged by the tests of their outcomes alone."
    elif unjudged:
        yield (
            f"Too few rounds for a normal tail of the mean of {', '.join(unjudged)}: their outcomes are tested instead."
        )


def _notes_on_cells(sample: RoundSample) -> Iterator[str]:
    if not sample.observed.cells:
        yield "The file has no joint cells: no omnibus test, and no check of settlements."
    elif not sample.has_cells:
        yield "No omnibus test was made: some joint cells are impossible."
    elif sample.clusters is not None and sample.clusters.are_small:
        yield (
            "The rounds of so small a shoe depend on each other: each frequent joint cell is tested by itself, rare ones are not."
        )
    elif sample.clusters is not None:
        effect = decimal(sample.table(("cells",)).spread, 4)
        yield f"Design effect of the joint cells over shoes: {effect}."
    if not sample.observed.cards:
        yield "The file does not count the ranks of the cards: the shoe itself was not tested."
