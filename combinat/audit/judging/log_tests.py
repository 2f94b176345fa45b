"""A hand log judged: rounds of their own against a fresh shoe, rounds of whole shoes given the cards left."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from combinat.audit.judging.conditional import GivenTheCards, InsuredGiven, Sums
from combinat.audit.judging.contradictions import impossible
from combinat.audit.judging.count_tests import bets, cards, omnibus, states
from combinat.audit.judging.counting import Counting
from combinat.audit.judging.expected import Expected
from combinat.audit.judging.judgement import Trial, is_normal, judgement
from combinat.audit.judging.serial import WINDOW, Serial, runs
from combinat.audit.judging.statistics import count_score, normal, quadratic, rounded, smallest_deviation
from combinat.audit.verdict import BetMean, Contradiction, Evidence, Judgement, Score
from combinat.montecarlo.cell import WINNERS
from combinat.montecarlo.observed import Observed

SURE = Fraction(1, 10**6)
"""How many stretches of rounds may be there twice by chance before nothing is made of it."""


def judged_log(
    counted: Observed, counting: Counting, expected: Expected, alpha: Fraction, more: Sequence[Trial] = ()
) -> Judgement:
    """The judgement on a replayed log. ``more``: tests of its parts, to be adjusted together with all others."""
    notes: list[str] = []
    contradictions = [
        *impossible(counted, expected),
        *_stretches(counting, notes),
    ]
    serial = list(_serial(counting, expected))
    if counting.given is None or counting.as_insured is None:
        trials = [
            *omnibus(counted, expected, notes),
            *cards(counted, notes),
            *serial,
            *bets(counted, expected, notes),
            *states(counted, expected),
            *more,
        ]
        return judgement(counted, expected, alpha, contradictions, trials, notes)
    if counting.unfinished:
        notes.append(
            f"{counting.unfinished} rounds are not judged: with fewer than six cards left they may be void."
        )
    trials = [
        *_results(counting.given),
        *_ranks(counting.given),
        *serial,
        *_bets(counting.given, counted, expected, notes),
        *_states(counting.as_insured),
        *more,
    ]
    means = [_mean(counting.given, bet_id, alpha, len(trials)) for bet_id in counted.bets]
    return judgement(counted, expected, alpha, contradictions, trials, notes, means)


# ---------------------------------------------------------------- given the cards left


def _trial(
    subject: str,
    kind: Evidence,
    what: str,
    score: Score | None,
    *amounts: Fraction | None,
    bet: str | None = None,
) -> Iterator[Trial]:
    observed, expected = amounts or (None, None)
    if score is not None:
        yield Trial(
            subject=subject, kind=kind, what=what, observed=observed, expected=expected, score=score, bet=bet
        )


def _results(given: GivenTheCards) -> Iterator[Trial]:
    """The results of all rounds together."""
    sums = given.of_results
    expected = sums.expected()
    score = quadratic(sums.seen.tolist(), expected, sums.covariances(expected))
    yield from _trial("results of rounds", Evidence.OMNIBUS, "chi-square", score)


def _ranks(given: GivenTheCards) -> Iterator[Trial]:
    for slot, sums in given.cards.items():
        if sums.rounds:
            expected = sums.expected()
            score = quadratic(sums.seen.tolist(), expected, sums.covariances(expected))
            yield from _trial(f"{slot} card", Evidence.CARDS, "chi-square", score)


def _telling(sums: Sums, expected: list[Fraction]) -> list[int]:
    """The events to test: those that can be and need not; of two, one says what the other does."""
    possible = [number for number, value in enumerate(expected) if 0 < value < sums.rounds]
    return possible[1:] if len(possible) == 2 else possible


def _events(subject: str, nets: list[Fraction], sums: Sums, bet: str | None = None) -> Iterator[Trial]:
    """Each net result against its chances."""
    expected = sums.expected()
    for number in _telling(sums, expected):
        seen = int(sums.seen[number])
        variance = float(expected[number]) - float(sums.products[number, number])
        score = count_score(seen, sums.rounds, expected[number], max(variance, 0.0))
        yield from _trial(
            subject, Evidence.OUTCOME, f"net {nets[number]}", score, Fraction(seen), expected[number], bet=bet
        )


def _bets(given: GivenTheCards, counted: Observed, expected: Expected, notes: list[str]) -> Iterator[Trial]:
    unjudged = []
    for bet_id in counted.bets:
        nets, sums = given.bet(bet_id)
        yield from _events(f"bet {bet_id}", nets, sums, bet_id)
        score = _mean_score(nets, sums, is_normal(expected.analysis.bet(bet_id), sums.rounds))
        if score is None:
            unjudged.append(bet_id)
            continue
        seen, exact = _means(nets, sums)
        yield from _trial(f"bet {bet_id}", Evidence.MEAN, "mean", score, seen, exact, bet=bet_id)
    if unjudged:
        notes.append(f"The mean of {', '.join(unjudged)} is judged by the tests of their outcomes alone.")


def _means(nets: list[Fraction], sums: Sums) -> tuple[Fraction, Fraction]:
    """The mean net result, and the mean of the exact expected values of the same rounds."""
    expected = sums.expected()
    seen = sum((net * int(count) for net, count in zip(nets, sums.seen, strict=True)), Fraction(0))
    exact = sum((net * value for net, value in zip(nets, expected, strict=True)), Fraction(0))
    return seen / sums.rounds, exact / sums.rounds


def _variance(nets: list[Fraction], sums: Sums) -> Fraction:
    """The variance of the sum of net results."""
    values = np.array([float(net) for net in nets])
    return Fraction(max(0.0, float(values @ sums.covariances(sums.expected()) @ values)))


def _mean_score(nets: list[Fraction], sums: Sums, normally: bool) -> Score | None:
    seen, exact = _means(nets, sums)
    return normal((seen - exact) * sums.rounds, _variance(nets, sums)) if normally else None


def _mean(given: GivenTheCards, bet_id: str, alpha: Fraction, tests: int) -> BetMean:
    nets, sums = given.bet(bet_id)
    seen, exact = _means(nets, sums)
    variance = _variance(nets, sums)
    return BetMean(
        bet=bet_id,
        mean=seen,
        exact=exact,
        z=normal((seen - exact) * sums.rounds, variance).statistic,
        is_judged=True,
        noticeable=smallest_deviation(variance / sums.rounds**2, alpha, max(1, tests)),
    )


def _states(given: InsuredGiven) -> Iterator[Trial]:
    for state, (nets, sums) in given.states.items():
        yield from _events(f"insurance {state}", nets, sums)


# ---------------------------------------------------------------- one round after another


def _serial(counting: Counting, expected: Expected) -> Iterator[Trial]:
    serial = counting.serial
    for (now, before), agreement in serial.agreements.items():
        if agreement.pairs:
            mean = agreement.expected
            score = count_score(agreement.seen, agreement.pairs, mean, agreement.variance)
            yield from _trial(
                f"{now} card and the {before} card of the round before",
                Evidence.REPEATS,
                "same rank",
                score,
                Fraction(agreement.seen),
                mean,
            )
    yield from _moves(serial, None if counting.given is not None else list(expected.winners.values()))


def _moves(serial: Serial, chances: list[Fraction] | None) -> Iterator[Trial]:
    """Who won after whom, and how often the winner was another."""
    changes, variance = Fraction(0), 0.0
    for number, winner in enumerate(WINNERS):
        seen = [int(count) for count in serial.moves[number]]
        if chances is not None:
            expected = [chance * sum(seen) for chance in chances]
            each = np.array([float(chance) for chance in chances])
            products = np.outer(each, each) * sum(seen)
        else:
            expected = [rounded(float(value)) for value in serial.expected_moves[number]]
            products = serial.move_products[number]
        covariances = np.diag([float(value) for value in expected]) - products
        score = quadratic(seen, expected, covariances)
        yield from _trial(f"rounds after {_won(winner)}", Evidence.REPEATS, "winner", score)
        changes += sum(seen) - expected[number]
        variance += float(covariances[number, number])
    observed = runs(serial.moves.tolist())
    rounds = int(serial.moves.sum())
    if rounds:
        score = count_score(observed, rounds, changes, variance)
        yield from _trial("runs", Evidence.REPEATS, "another winner", score, Fraction(observed), changes)


def _won(winner: str) -> str:
    return "a tie" if winner == "tie" else f"a win of the {winner.capitalize()} Hand"


def _stretches(counting: Counting, notes: list[str]) -> Iterator[Contradiction]:
    """Six rounds in a row that were there before: no chance, unless the shoe has hardly any cards to tell apart."""
    serial, rounds = counting.serial, counting.tally.rounds
    if not serial.repeated:
        return
    alike = (
        sum((Fraction(count, counting.shoe.size) ** 2 for count in counting.shoe.counts), Fraction(0)) ** 4
    )
    if alike**WINDOW * rounds**2 / 2 > SURE:
        notes.append(
            "Of so few different cards, stretches of rounds may be there twice by chance: it is not judged."
        )
        return
    word = "line"
    places = "; ".join(f"{word} {before} and {word} {again}" for before, again in serial.first_repeated[:3])
    yield Contradiction(
        subject=f"{WINDOW} rounds in a row",
        kind=Evidence.REPEATS,
        message=f"{serial.repeated} stretches have the same cards as an earlier one, such as those from {places} on",
    )
