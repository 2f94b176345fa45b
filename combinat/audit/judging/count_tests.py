"""The cross-check: every test of what was observed against what is expected."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TypeVar

from combinat.audit.judging.contradictions import cell_in_words, impossible, missettled
from combinat.audit.judging.expected import Expected
from combinat.audit.judging.judgement import (
    ALPHA,
    LEAST_SHOES,
    Trial,
    is_normal,
    judgement,
    mean_score,
    net_total,
    spread_of,
)
from combinat.audit.judging.statistics import (
    MOST_SKEW,
    binomial,
    card_spread,
    clustered,
    count_score,
    design_effect,
    g_test,
)
from combinat.audit.verdict import Evidence, Judgement, Score
from combinat.base.errors import FileError
from combinat.base.number import decimal
from combinat.montecarlo.dealing import Dealing
from combinat.montecarlo.observed import JointCell, Observed, Times

LEAST_CARDS = 6

T = TypeVar("T", int, Fraction)


def judged(counted: Observed, expected: Expected, alpha: Fraction = ALPHA) -> Judgement:
    """The judgement on what was observed."""
    if counted.shoe.size < LEAST_CARDS:
        raise FileError(f"the shoe has {counted.shoe.size} cards; rounds are judged from {LEAST_CARDS} on")
    for bet_id in counted.bets:
        expected.game.bet(bet_id)  # one that the game does not have is refused
    notes: list[str] = []
    if counted.shoes is not None:
        notes.append(
            f"Of each of {counted.shoes} shoes the first {counted.rounds // counted.shoes} rounds are judged: every shoe deals "
            "those. Which later ones are dealt depends on the cards before them, so that theirs are not quite the odds of a fresh shoe."
        )
    if expected.states and not counted.insurance:
        notes.append("The file has no insurance: none was judged.")
    if counted.shoes is None and counted.repeats is None:
        notes.append("The file has no repeats: whether rounds are independent was not judged by them.")
    contradictions = [*impossible(counted, expected), *missettled(counted, expected)]
    if counted.shoes is not None and counted.shoes < LEAST_SHOES:
        notes.append(f"Of fewer than {LEAST_SHOES} shoes nothing is judged but contradictions.")
        return judgement(counted, expected, alpha, contradictions, [], notes)
    trials = [
        *omnibus(counted, expected, notes),
        *cards(counted, notes),
        *_repeats(counted, expected),
        *bets(counted, expected, notes),
        *states(counted, expected),
    ]
    return judgement(counted, expected, alpha, contradictions, trials, notes)


def omnibus(counted: Observed, expected: Expected, notes: list[str]) -> Iterator[Trial]:
    """The joint cells, and the results, all together."""
    if not counted.cells:
        notes.append("The file has no joint cells: no omnibus test, and no check of settlements.")
        return
    if not expected.knows(counted.cells):
        notes.append("The omnibus tests are left out: there are joint cells that no round can come to.")
        return
    cells = list(expected.cells)
    chances = [expected.cells[cell] for cell in cells]
    times = [counted.cells.get(cell, Times(0, 0)) for cell in cells]
    rounds = [one.rounds for one in times]
    spread = Fraction(1)
    if is_small(counted):
        yield from _each_cell(counted, cells, chances, notes)
        return
    if counted.rounds_squared is not None:
        squares = [one.squares or 0 for one in times]
        spread = design_effect(rounds, squares, chances, counted.rounds, counted.rounds_squared)
        notes.append(f"Design effect of the joint cells over shoes: {decimal(spread, 4)}.")
    yield from _g("joint cells", Evidence.OMNIBUS, rounds, chances, counted.rounds, spread)
    if counted.dealing is Dealing.INDEPENDENT:
        ends = by_ending(expected.cells)
        seen = by_ending({cell: counted.cells.get(cell, Times(0)).rounds for cell in cells})
        ended = [seen[end] for end in ends]
        yield from _g("final results", Evidence.OMNIBUS, ended, list(ends.values()), counted.rounds)


LARGEST_SPREAD = Fraction(11, 10)
"""The variance of right shoes, as a ratio to that of independent rounds, up to which a common test of all cells holds."""


def is_small(counted: Observed) -> bool:
    """Whether the shoes are so small that the counts of some events vary far more than those of independent rounds."""
    return counted.shoes is not None and spread_of(counted) > LARGEST_SPREAD


def _each_cell(
    counted: Observed, cells: list[JointCell], chances: list[Fraction], notes: list[str]
) -> Iterator[Trial]:
    """Every joint cell by itself: over small shoes their counts have no common spread."""
    notes.append(
        "The rounds of so small a shoe depend on each other: each joint cell is tested by itself, and rare ones are not."
    )
    for cell, chance in zip(cells, chances, strict=True):
        if chance < 1 and _is_frequent(counted, chance):
            times = counted.cells.get(cell, Times(0, 0))
            yield Trial(
                subject="joint cells",
                kind=Evidence.OMNIBUS,
                what=cell_in_words(cell),
                observed=Fraction(times.rounds),
                expected=chance * counted.rounds,
                score=_over_shoes(counted, times, chance),
            )


def by_ending(cells: Mapping[JointCell, T]) -> dict[tuple[int, ...], T]:
    """Cells added up by their final results: the points and the numbers of cards of both hands."""
    ends: dict[tuple[int, ...], T] = {}
    for cell, amount in cells.items():
        key = (
            (cell.player + (cell.player_third or 0)) % 10,
            (cell.banker + (cell.banker_third or 0)) % 10,
            cell.player_third is None,
            cell.banker_third is None,
        )
        ends[key] = ends[key] + amount if key in ends else amount
    return ends


def _g(
    subject: str,
    kind: Evidence,
    counts: list[int],
    chances: list[Fraction],
    rounds: int,
    spread: Fraction = Fraction(1),
) -> Iterator[Trial]:
    score = g_test(counts, chances, rounds, spread)
    if score is not None:
        yield Trial(subject=subject, kind=kind, what="G", observed=None, expected=None, score=score)


def cards(counted: Observed, notes: list[str]) -> Iterator[Trial]:
    """The ranks of each of the first four cards."""
    held = [number for number, count in enumerate(counted.shoe.counts) if count]
    chances = [Fraction(counted.shoe.counts[number], counted.shoe.size) for number in held]
    each = counted.rounds // (counted.shoes or counted.rounds)
    spread = card_spread(counted.shoe.size, each)
    for slot, counts in counted.cards.items():
        seen = [counts[number] for number in held]
        if sum(seen) == counted.rounds:
            yield from _g(f"{slot} card", Evidence.CARDS, seen, chances, counted.rounds, spread)
    if not counted.cards:
        notes.append("The file does not count the ranks of the cards: no test of the shoe itself.")


def _repeats(counted: Observed, expected: Expected) -> Iterator[Trial]:
    """Neighbouring rounds in one cell, as often as independent rounds are."""
    if counted.repeats is None or not counted.repeats[0]:
        return
    neighbours, same = counted.repeats
    twice, thrice = expected.coincidences
    # Pairs that share a round are not independent: a rare cell makes rare pairs.
    variance = neighbours * (twice * (1 - twice) + 2 * (thrice - twice**2))
    yield Trial(
        subject="neighbouring rounds",
        kind=Evidence.REPEATS,
        what="same cell",
        observed=Fraction(same),
        expected=neighbours * twice,
        score=count_score(same, neighbours, neighbours * twice, variance),
    )


def _is_frequent(counted: Observed, chance: Fraction) -> bool:
    """Whether the number of times that something happens has a normal tail."""
    return MOST_SKEW**2 * counted.rounds * min(chance, 1 - chance) >= 1


def _over_shoes(counted: Observed, times: Times, chance: Fraction) -> Score:
    """The test of how often something happened, by its variance over shoes."""
    assert counted.shoes is not None
    assert counted.rounds_squared is not None
    each = Fraction(counted.rounds, counted.shoes)
    variance = (times.squares or 0) - 2 * chance * each * times.rounds + chance**2 * counted.rounds_squared
    independent = counted.rounds * chance * (1 - chance)
    off = times.rounds - counted.rounds * chance
    return clustered(off, variance, independent, counted.shoes, spread_of(counted))


def _event(counted: Observed, times: Times, chance: Fraction) -> Score | None:
    """The test of how often something happened: exact, or over shoes where it is frequent; None: it is not tested."""
    if counted.shoes is None:
        return binomial(times.rounds, counted.rounds, chance)
    if _is_frequent(counted, chance):
        return _over_shoes(counted, times, chance)
    return None if is_small(counted) else binomial(times.rounds, counted.rounds, chance)


def _outcomes(
    counted: Observed,
    subject: str,
    results: Mapping[Fraction, Times],
    chances: Mapping[Fraction, Fraction],
    bet: str | None = None,
) -> Iterator[Trial]:
    """Each net result, out of all rounds."""
    for net in telling(chances, Fraction(1)):
        times = results.get(net, Times(0, 0))
        score = _event(counted, times, chances[net])
        if score is not None:
            yield _outcome(subject, f"net {net}", times.rounds, chances[net] * counted.rounds, score, bet)


def telling(chances: Mapping[Fraction, Fraction], total: Fraction) -> list[Fraction]:
    """The net results to test: of two that make up the total, one says what the other does."""
    nets = sorted(net for net, chance in chances.items() if chance < total)
    return nets[1:] if len(nets) == 2 and sum(chances.values()) == total else nets


def _outcome(
    subject: str, what: str, count: int, expected: Fraction, score: Score, bet: str | None = None
) -> Trial:
    return Trial(
        subject=subject,
        kind=Evidence.OUTCOME,
        what=what,
        observed=Fraction(count),
        expected=expected,
        score=score,
        bet=bet,
    )


def bets(counted: Observed, expected: Expected, notes: list[str]) -> Iterator[Trial]:
    """Every outcome of every bet, and its mean."""
    unjudged = []
    for bet_id, results in counted.bets.items():
        subject, analysis = f"bet {bet_id}", expected.analysis.bet(bet_id)
        chances = expected.bet(bet_id)
        yield from _outcomes(counted, subject, results, chances, bet_id)
        if is_normal(analysis, counted.rounds):
            score = mean_score(counted, expected, bet_id)
        else:
            unjudged.append(bet_id)
            continue
        yield Trial(
            subject=subject,
            kind=Evidence.MEAN,
            what="mean",
            observed=net_total(results) / counted.rounds,
            expected=analysis.expected_value,
            score=score,
            bet=bet_id,
        )
    if unjudged:
        notes.append(
            f"Too few rounds for a normal tail of the mean of {', '.join(unjudged)}: their outcomes are tested instead."
        )


def states(counted: Observed, expected: Expected) -> Iterator[Trial]:
    """How often each insurance state was offered, and what it came to."""
    for state, results in counted.insurance.items():
        if state not in expected.states:
            continue
        chances = expected.state(state)
        offered = sum(times.rounds for times in results.values())
        subject = f"insurance {state}"
        if counted.dealing is Dealing.SHOES:
            yield from _outcomes(counted, subject, results, chances)
            continue
        reached = expected.states[state].probability
        if reached:
            score = binomial(offered, counted.rounds, reached)
            yield _outcome(subject, "offered", offered, reached * counted.rounds, score)
        for net in telling(chances, reached) if offered else ():
            count, chance = results.get(net, Times(0)).rounds, chances[net] / reached
            yield _outcome(subject, f"net {net}", count, chance * offered, binomial(count, offered, chance))
