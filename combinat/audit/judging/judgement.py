"""The judgement on a sample: every test that its contents allow, by a rule that is fixed in advance."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from combinat.audit.judging.conditional import Conditional, ConditionalInsurance, Sums
from combinat.audit.judging.counting import Counting
from combinat.audit.judging.expected import Expected
from combinat.audit.judging.serial import WINDOW, Serial
from combinat.audit.judging.statistics import (
    LEAST_EXPECTED,
    POWER,
    count_score,
    holm,
    normal,
    quadratic,
    rounded,
    smallest_deviation,
)
from combinat.audit.judging.tests import (
    FileContents,
    MeanLaw,
    RoundSample,
    SameRank,
    is_normal,
    list_tests,
    rounds_after,
    serial_tests,
)
from combinat.audit.verdict import BetMean, Contradiction, Evidence, Judgement, Score, StatisticalTest
from combinat.base.errors import FileError
from combinat.base.money import format_money
from combinat.base.number import decimal
from combinat.montecarlo.cell import WINNERS
from combinat.montecarlo.counts import Observed, Times
from combinat.rules.cards import RANKS

LEAST_ROUNDS = 10_000
LEAST_SHOES = 100
LEAST_CARDS = 6
ALPHA = Fraction(1, 1000)

SURE = Fraction(1, 10**6)
"""The expected number of repeated stretches of rounds above which a repeat is no evidence."""


# ---------------------------------------------------------------- the rule


def decision_rule(alpha: Fraction) -> str:
    """The rule, in words."""
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
    """Why the sample is too small to agree, or None if it is large enough."""
    if counted.rounds < LEAST_ROUNDS:
        return f"too few rounds to agree: {counted.rounds}, and {LEAST_ROUNDS} are needed"
    if counted.shoes is not None and counted.shoes < LEAST_SHOES:
        return f"too few shoes to agree: {counted.shoes}, and {LEAST_SHOES} are needed"
    return None


def adjusted(scored: Sequence[StatisticalTest]) -> tuple[StatisticalTest, ...]:
    """The tests, each with its p-value adjusted for their number."""
    chances = holm([test.score.chance for test in scored])
    return tuple(replace(test, adjusted_chance=chance) for test, chance in zip(scored, chances, strict=True))


def judgement(
    counted: Observed,
    alpha: Fraction,
    contradictions: Sequence[Contradiction],
    scored: Sequence[StatisticalTest],
    notes: Sequence[str],
    means: Sequence[BetMean],
) -> Judgement:
    """The judgement of these tests together."""
    return Judgement(
        alpha=alpha,
        power=POWER,
        decision_rule=decision_rule(alpha),
        too_few=too_few(counted),
        contradictions=tuple(contradictions),
        bets=tuple(means),
        tests=adjusted(scored),
        notes=tuple(notes),
    )


# ---------------------------------------------------------------- rounds from fresh shuffles, and counts


def judged(counted: Observed, right: Expected, alpha: Fraction = ALPHA) -> Judgement:
    """The judgement on counts."""
    if counted.shoe.size < LEAST_CARDS:
        raise FileError(
            f"the shoe has {counted.shoe.size} cards; rounds are judged from {LEAST_CARDS} cards on"
        )
    for bet_id in counted.bets:
        right.game.bet(bet_id)  # an unknown bet is refused
    notes: list[str] = []
    if counted.shoes is not None:
        notes.append(
            f"The first {counted.rounds // counted.shoes} rounds of each of {counted.shoes} shoes are judged: every shoe deals "
            "these. Whether a later round is dealt depends on the cards before it, and its odds differ slightly from those of a "
            "fresh shoe."
        )
    if right.states and not counted.insurance:
        notes.append("The file has no insurance: insurance was not judged.")
    if counted.shoes is None and counted.repeats is None:
        notes.append("The file has no repeats: they are not used to judge whether rounds are independent.")
    contradictions = [*impossible(counted, right), *missettled(counted, right)]
    sample, scored = RoundSample(counted), list[StatisticalTest]()
    if counted.shoes is not None and counted.shoes < LEAST_SHOES:
        notes.append(f"With fewer than {LEAST_SHOES} shoes only contradictions are judged.")
    else:
        scored = list(_scored(sample, right, notes))
    return judgement(
        counted, alpha, contradictions, scored, notes, _bet_means(sample, right, alpha, len(scored))
    )


def _scored(sample: RoundSample, right: Expected, notes: list[str]) -> Iterator[StatisticalTest]:
    """The tests that the contents of a sample allow."""
    counted = sample.observed
    has_cells = _has_cells(counted, right, notes)
    if has_cells and sample.has_small_shoes:
        notes.append(
            "The rounds of so small a shoe depend on each other: each frequent joint cell is tested by itself, rare ones are not."
        )
    held = [number for number, count in enumerate(counted.shoe.counts) if count]
    contents = FileContents(
        bets=list(counted.bets),
        states=[state for state in counted.insurance if state in right.states],
        cells=has_cells,
        cards=[
            slot
            for slot, counts in counted.cards.items()
            if sum(counts[rank] for rank in held) == sum(counts)
        ],
        neighbours=counted.repeats is not None and sample.serial is None,
        serial=sample.serial is not None,
        whole_shoes=sample.shoes is not None,
        small_shoes=sample.has_small_shoes,
    )
    made = list(list_tests(right, contents))
    if has_cells and sample.shoes is not None and not sample.has_small_shoes:
        notes.append(
            f"Design effect of the joint cells over shoes: {decimal(made[0].spread(sample, right), 4)}."
        )
    if not counted.cards:
        notes.append("The file does not count the ranks of the cards: the shoe itself was not tested.")
    scored = [done for test in made if (done := test.score(sample, right)) is not None]
    means = {test.bet for test in scored if test.kind is Evidence.MEAN}
    if unjudged := [bet for bet in counted.bets if bet not in means]:
        notes.append(
            f"Too few rounds for a normal tail of the mean of {', '.join(unjudged)}: their outcomes are tested instead."
        )
    yield from scored


def _has_cells(counted: Observed, right: Expected, notes: list[str]) -> bool:
    """Whether the joint cells can be tested together."""
    if not counted.cells:
        notes.append("The file has no joint cells: no omnibus test, and no check of settlements.")
    elif not right.knows(counted.cells):
        notes.append("No omnibus test was made: some joint cells are impossible.")
    else:
        return True
    return False


def _bet_means(sample: RoundSample, right: Expected, alpha: Fraction, number: int) -> list[BetMean]:
    """The mean of every bet. ``number``: how many tests are made."""
    means = []
    for bet_id in sample.observed.bets:
        law = MeanLaw(bet_id)
        mean, exact = law.amounts(sample, right)
        score, variance = law.score(sample, right), law.deviation(sample, right)[1]
        means.append(_bet_mean(bet_id, mean, exact, score, variance / sample.rounds**2, alpha, number))
    return means


def _bet_mean(
    bet: str,
    mean: Fraction,
    exact: Fraction,
    score: Score | None,
    variance: Fraction,
    alpha: Fraction,
    number: int,
) -> BetMean:
    """The mean of a bet; ``variance``: of the mean; ``number``: how many tests are made."""
    if score is None:
        return BetMean(bet=bet, mean=mean, exact=exact)
    noticeable = smallest_deviation(variance, alpha, max(1, number))
    return BetMean(bet=bet, mean=mean, exact=exact, z=score.statistic, noticeable=noticeable)


# ---------------------------------------------------------------- hand logs


def judged_log(
    counted: Observed,
    counting: Counting,
    right: Expected,
    alpha: Fraction,
    of_groups: Sequence[StatisticalTest] = (),
) -> Judgement:
    """The judgement on a replayed log. ``of_groups``: the tests of its groups, adjusted together with all others."""
    notes: list[str] = []
    contradictions = [*impossible(counted, right), *_repeated_stretches(counting, notes)]
    sample = RoundSample(counted, counting.serial)
    if counting.conditional is None or counting.insurance is None:
        scored = [*_scored(sample, right, notes), *of_groups]
        means = _bet_means(sample, right, alpha, len(scored))
        return judgement(counted, alpha, contradictions, scored, notes, means)
    if counting.unfinished:
        notes.append(
            f"{counting.unfinished} rounds are not judged: with fewer than six cards left they may be void."
        )
    scored = [
        *_results(counting.conditional),
        *_ranks(counting.conditional),
        *_serial(sample, right),
        *_bets(counting.conditional, counted, right, notes),
        *_states(counting.insurance),
        *of_groups,
    ]
    means = []
    for bet_id in counted.bets:
        (seen, exact), score, variance = _conditional_mean(counting.conditional, bet_id, right)
        means.append(_bet_mean(bet_id, seen, exact, score, variance, alpha, len(scored)))
    return judgement(counted, alpha, contradictions, scored, notes, means)


def _test(
    subject: str,
    kind: Evidence,
    what: str,
    score: Score | None,
    amounts: tuple[Fraction, Fraction] | None = None,
    bet: str | None = None,
) -> Iterator[StatisticalTest]:
    """A test with its score; none without one."""
    observed, expected = amounts or (None, None)
    if score is not None:
        yield StatisticalTest(
            subject=subject,
            kind=kind,
            what=what,
            observed=observed,
            expected=expected,
            score=score,
            adjusted_chance=score.chance,
            bet=bet,
        )


def _all_together(sums: Sums) -> Score | None:
    """The test of all events together."""
    expected = sums.expected()
    return quadratic(sums.seen.tolist(), expected, sums.covariances(expected))


def _results(conditional: Conditional) -> Iterator[StatisticalTest]:
    """The results of all rounds together."""
    yield from _test(
        "results of rounds", Evidence.OMNIBUS, "chi-square", _all_together(conditional.of_results)
    )


def _ranks(conditional: Conditional) -> Iterator[StatisticalTest]:
    for slot, sums in conditional.cards.items():
        if sums.rounds:
            yield from _test(f"{slot} card", Evidence.CARDS, "chi-square", _all_together(sums))


def _events(
    subject: str, nets: list[Fraction], sums: Sums, bet: str | None = None
) -> Iterator[StatisticalTest]:
    """Each net result against its chances; of two possible ones, one is enough."""
    expected = sums.expected()
    possible = [number for number, value in enumerate(expected) if 0 < value < sums.rounds]
    for number in possible[1:] if len(possible) == 2 else possible:
        seen, mean = int(sums.seen[number]), expected[number]
        variance = max(float(mean) - float(sums.products[number, number]), 0.0)
        score = count_score(seen, sums.rounds, mean, variance)
        yield from _test(
            subject, Evidence.OUTCOME, f"net {nets[number]}", score, (Fraction(seen), mean), bet=bet
        )


def _bets(
    conditional: Conditional, counted: Observed, right: Expected, notes: list[str]
) -> Iterator[StatisticalTest]:
    unjudged = []
    for bet_id in counted.bets:
        nets, sums = conditional.bet(bet_id)
        yield from _events(f"bet {bet_id}", nets, sums, bet_id)
        amounts, score, _ = _conditional_mean(conditional, bet_id, right)
        if score is None:
            unjudged.append(bet_id)
        yield from _test(f"bet {bet_id}", Evidence.MEAN, "mean", score, amounts, bet=bet_id)
    if unjudged:
        notes.append(f"The mean of {', '.join(unjudged)} is judged by the tests of their outcomes alone.")


def _conditional_mean(
    conditional: Conditional, bet_id: str, right: Expected
) -> tuple[tuple[Fraction, Fraction], Score | None, Fraction]:
    """The mean net result and the exact one of the same rounds, its test if it is made, and the variance of the mean."""
    nets, sums = conditional.bet(bet_id)
    expected, rounds = sums.expected(), sums.rounds
    seen = sum((net * int(count) for net, count in zip(nets, sums.seen, strict=True)), Fraction(0))
    exact = sum((net * value for net, value in zip(nets, expected, strict=True)), Fraction(0))
    values = np.array([float(net) for net in nets])
    variance = Fraction(max(0.0, float(values @ sums.covariances(expected) @ values)))
    is_tested = is_normal(right.analysis.bet(bet_id), rounds)
    score = normal(seen - exact, variance) if is_tested else None
    return (seen / rounds, exact / rounds), score, variance / rounds**2


def _states(insurance: ConditionalInsurance) -> Iterator[StatisticalTest]:
    for state, (nets, sums) in insurance.states.items():
        yield from _events(f"insurance {state}", nets, sums)


def _serial(sample: RoundSample, right: Expected) -> Iterator[StatisticalTest]:
    """Rounds of whole shoes by the round before: the winners by their chances given the cards left."""
    for test in serial_tests():
        scored = test.score(sample, right) if isinstance(test.law, SameRank) else None
        if scored is not None:
            yield scored
    assert sample.serial is not None
    yield from _moves(sample.serial)


def _moves(serial: Serial) -> Iterator[StatisticalTest]:
    """Who won after whom, and how often the winner changed."""
    changes, variance = Fraction(0), 0.0
    for number, winner in enumerate(WINNERS):
        seen = [int(count) for count in serial.moves[number]]
        expected = [rounded(float(value)) for value in serial.expected_moves[number]]
        covariances = np.diag([float(value) for value in expected]) - serial.move_products[number]
        score = quadratic(seen, expected, covariances)
        yield from _test(rounds_after(winner), Evidence.REPEATS, "winner", score)
        changes += sum(seen) - expected[number]
        variance += float(covariances[number, number])
    rounds = int(serial.moves.sum())
    if rounds:
        observed = rounds - int(serial.moves.trace())
        score = count_score(observed, rounds, changes, variance)
        yield from _test("runs", Evidence.REPEATS, "another winner", score, (Fraction(observed), changes))


def _repeated_stretches(counting: Counting, notes: list[str]) -> Iterator[Contradiction]:
    """Six consecutive rounds that appear twice: not by chance, unless the shoe has very few different cards."""
    serial, rounds = counting.serial, counting.tally.rounds
    if not serial.repeated:
        return
    alike = sum((Fraction(counting.shoe[rank], counting.shoe.size) ** 2 for rank in RANKS), Fraction(0)) ** 4
    if alike**WINDOW * rounds**2 / 2 > SURE:
        notes.append(
            "With so few different cards, stretches of rounds may repeat by chance: repeats are not judged."
        )
        return
    places = "; ".join(f"line {before} and line {again}" for before, again in serial.first_repeated[:3])
    yield Contradiction(
        subject=f"{WINDOW} rounds in a row",
        kind=Evidence.REPEATS,
        message=f"{serial.repeated} stretches have the same cards as an earlier one, such as those from {places} on",
    )


# ---------------------------------------------------------------- contradictions


def impossible(counted: Observed, expected: Expected) -> Iterator[Contradiction]:
    """Cells without any deal, net results that no pay table has, cards that the shoe does not hold, offers that no table makes."""

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
    """The net results that are not among the known ones, in words, each with those that are."""
    for net, times in results.items():
        if times.rounds and net not in known:
            yield f"net {net} in {times.rounds} rounds", ", ".join(map(str, sorted(known)))


def missettled(counted: Observed, expected: Expected) -> Iterator[Contradiction]:
    """Bets and insurance states that contradict the joint cells of the same file."""
    if not counted.cells or not expected.knows(counted.cells):
        return

    def compare(
        subject: str, clause: str, seen: dict[Fraction, int], due: dict[Fraction, int]
    ) -> Iterator[Contradiction]:
        for net in sorted({*seen, *due}):
            if seen.get(net, 0) != due.get(net, 0):
                yield Contradiction(
                    subject=subject,
                    kind=Evidence.SETTLEMENT,
                    message=f"net {net} in {seen.get(net, 0)} rounds; by the joint cells {clause} gives it in {due.get(net, 0)}",
                )

    outcomes = expected.outcomes(counted.cells)
    for bet_id, results in counted.bets.items():
        bet = expected.game.bet(bet_id)
        if expected.can_recount(bet):
            seen = {net: times.rounds for net, times in results.items()}
            yield from compare(f"bet {bet_id}", bet.settled, seen, expected.recounted(bet, outcomes))
    if counted.insurance:
        due = expected.recounted_states(counted.cells)
        for state, nets in due.items():
            if nets and state not in counted.insurance:
                yield Contradiction(
                    subject=f"insurance {state}",
                    kind=Evidence.SETTLEMENT,
                    message=f"not in the file; by the joint cells it was offered in {sum(nets.values())} rounds",
                )
        for state, results in counted.insurance.items():
            if state not in due:
                continue
            seen = {net: times.rounds for net, times in results.items()}
            table = expected.game.insurance_table(state.side, state.stage)
            yield from compare(f"insurance {state}", table.settled if table else "", seen, due[state])
