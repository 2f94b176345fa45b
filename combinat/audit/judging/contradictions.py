"""Contradictions: observations that the rules exclude, however rounds were dealt."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from combinat.audit.judging.expected import Expected
from combinat.audit.verdict import Contradiction, Evidence
from combinat.montecarlo.observed import Observed, Times
from combinat.rules.cards import RANKS


def impossible(counted: Observed, expected: Expected) -> Iterator[Contradiction]:
    """Cells without any deal, net results that no pay table has, cards that the shoe does not hold, offers that no table makes."""

    def never(subject: str, message: str) -> Contradiction:
        return Contradiction(subject=subject, kind=Evidence.IMPOSSIBLE, message=message)

    for cell, times in counted.cells.items():
        if times.rounds and cell not in expected.cells:
            yield never("joint cells", f"{cell.in_words}: {times.rounds} rounds; no round can come to it")
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
