"""Observations that the rules exclude, however rounds were dealt."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from combinat.audit.judging.cells import recounted
from combinat.audit.judging.expected import Expected
from combinat.audit.judging.sample import Counting
from combinat.audit.judging.serial import WINDOW
from combinat.audit.verdict import Contradiction, Evidence
from combinat.montecarlo.counts import Observed, Times
from combinat.rules.cards import RANKS

SURE = Fraction(1, 10**6)
"""The expected number of repeated stretches of rounds above which a repeat is no evidence."""


def may_repeat(counting: Counting) -> bool:
    """Return whether the shoe has few different cards, so that stretches of rounds may repeat by chance."""
    alike = sum((Fraction(counting.shoe[rank], counting.shoe.size) ** 2 for rank in RANKS), Fraction(0)) ** 4
    return alike**WINDOW * counting.tally.rounds**2 / 2 > SURE


def repeated_stretches(counting: Counting) -> Iterator[Contradiction]:
    """Yield the contradiction of six repeated consecutive rounds, unless the shoe has few different cards."""
    serial = counting.serial
    if serial.repeated and not may_repeat(counting):
        places = "; ".join(f"line {before} and line {again}" for before, again in serial.first_repeated[:3])
        yield Contradiction(
            subject=f"{WINDOW} rounds in a row",
            kind=Evidence.REPEATS,
            message=f"{serial.repeated} stretches have the same cards as an earlier one, such as those from {places} on",
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


def missettled(counted: Observed, expected: Expected) -> Iterator[Contradiction]:
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
