"""The judgement on a sample: contradictions of the rules, and every test, by a decision rule fixed in advance."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from combinat.audit.judging.cells import recounted
from combinat.audit.judging.expected import Expected
from combinat.audit.judging.sample import Counting, RoundSample
from combinat.audit.judging.serial import WINDOW
from combinat.audit.judging.statistics import LEAST_EXPECTED, POWER, holm, smallest_deviation
from combinat.audit.judging.tests import MeanLaw, list_tests
from combinat.audit.verdict import BetMean, Contradiction, Evidence, Judgement, StatisticalTest
from combinat.base.money import format_money
from combinat.base.number import decimal
from combinat.montecarlo.counts import Observed, Times
from combinat.rules.cards import RANKS

LEAST_ROUNDS = 10_000
LEAST_SHOES = 100
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
    contradictions = list(impossible(counted, right))
    contradictions += wrong_settlements(counted, right) if counting is None else repeated_stretches(counting)
    has_few_shoes = counted.shoes is not None and counted.shoes < LEAST_SHOES
    tests = [] if has_few_shoes else list_tests(right, sample.tables)
    scores = (test.score(sample.tables[test.key]) for test in tests)
    scored = [*(score for score in scores if score is not None), *of_groups]
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
    table, law = sample.tables["bet", bet], MeanLaw.of(sample.right.chances(("bet", bet)))
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
    is_conditional = sample.is_conditional
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
    if counting is not None and counting.serial.repeats[0] and may_repeat(counting):
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
    elif not {("cells",), ("each cell",)} & sample.tables.keys():
        yield "No omnibus test was made: some joint cells are impossible."
    elif sample.clusters is not None and sample.clusters.are_small:
        yield (
            "The rounds of so small a shoe depend on each other: each frequent joint cell is tested by itself, rare ones are not."
        )
    elif sample.clusters is not None:
        effect = decimal(sample.tables["cells",].spread, 4)
        yield f"Design effect of the joint cells over shoes: {effect}."
    if not sample.observed.cards:
        yield "The file does not count the ranks of the cards: the shoe itself was not tested."


# ---------------------------------------------------------------- observations that the rules exclude


SURE = Fraction(1, 10**6)
"""The expected number of repeated stretches of rounds above which a repeat is no evidence."""


def may_repeat(counting: Counting) -> bool:
    """Return whether the shoe has few different cards, so that stretches of rounds may repeat by chance."""
    alike = sum((Fraction(counting.shoe[rank], counting.shoe.size) ** 2 for rank in RANKS), Fraction(0)) ** 4
    return alike**WINDOW * counting.tally.rounds**2 / 2 > SURE


def repeated_stretches(counting: Counting) -> Iterator[Contradiction]:
    """Yield the contradiction of six repeated consecutive rounds, unless the shoe has few different cards."""
    count, first = counting.serial.repeats
    if count and not may_repeat(counting):
        places = "; ".join(f"line {before} and line {again}" for before, again in first[:3])
        yield Contradiction(
            subject=f"{WINDOW} rounds in a row",
            kind=Evidence.REPEATS,
            message=f"{count} stretches have the same cards as an earlier one, such as those from {places} on",
        )


def impossible(counted: Observed, expected: Expected) -> Iterator[Contradiction]:
    """Yield contradictions: impossible cells, unknown net results, cards not in the shoe, unknown offers."""

    def never(subject: str, message: str) -> Contradiction:
        return Contradiction(subject=subject, kind=Evidence.IMPOSSIBLE, message=message)

    for cell, times in counted.cells.items():
        if times.rounds and cell not in expected.cells:
            yield never("joint cells", f"{cell.in_words}: {times.rounds} rounds; the rules never deal it")
    for bet_id, results in counted.bets.items():
        clause = expected.game.bet(bet_id).settled
        for said in _unknown_nets(results, expected.bet(bet_id)):
            yield never(f"bet {bet_id}", f"{said[0]}; {clause} knows {said[1]}")
    for slot, counts in counted.cards.items():
        for rank, count in zip(RANKS, counts, strict=True):
            if count and not counted.shoe[rank]:
                yield never(f"{slot} card", f"{rank} in {count} rounds; the shoe holds none")
    for state, results in counted.insurance.items():
        offered = sum(times.rounds for times in results.values())
        if state in expected.states:
            for said in _unknown_nets(results, expected.state(state)):
                yield never(f"insurance {state}", f"{said[0]}; the rules know {said[1] or 'no such offer'}")
        elif offered:
            yield never(f"insurance {state}", f"offered in {offered} rounds; the rules offer none there")


def _unknown_nets(
    results: Mapping[Fraction, Times], known: Mapping[Fraction, Fraction]
) -> Iterator[tuple[str, str]]:
    """Yield the net results that are not among the known ones, in words, each with those that are."""
    for net, times in results.items():
        if times.rounds and net not in known:
            yield f"net {net} in {times.rounds} rounds", ", ".join(map(str, sorted(known)))


def wrong_settlements(counted: Observed, expected: Expected) -> Iterator[Contradiction]:
    """Yield the bets and insurance states that contradict the joint cells of the same file."""
    if not counted.cells or not expected.knows(counted.cells):
        return

    def compare(
        subject: str, clause: str, seen: Mapping[Fraction, Times], due: Mapping[Fraction, Times]
    ) -> Iterator[Contradiction]:
        for net in sorted({*seen, *due}):
            rounds, right = (nets.get(net, Times(0)).rounds for nets in (seen, due))
            if rounds != right:
                yield Contradiction(
                    subject=subject,
                    kind=Evidence.SETTLEMENT,
                    message=f"net {net} in {rounds} rounds; by the joint cells {clause} gives it in {right}",
                )

    due = recounted(counted, expected.game)
    for bet_id, results in counted.bets.items():
        if bet_id in due.bets:
            yield from compare(f"bet {bet_id}", expected.game.bet(bet_id).settled, results, due.bets[bet_id])
    for state, nets in due.insurance.items() if counted.insurance else ():
        offered = sum(times.rounds for times in nets.values())
        if offered and state not in counted.insurance:
            yield Contradiction(
                subject=f"insurance {state}",
                kind=Evidence.SETTLEMENT,
                message=f"not in the file; by the joint cells it was offered in {offered} rounds",
            )
        table = expected.game.insurance_table(state.side, state.stage)
        clause = table.settled if table else ""
        yield from compare(f"insurance {state}", clause, counted.insurance.get(state, nets), nets)
