"""Contradictions: what was observed and cannot be under the rules, however rounds were dealt."""

from collections.abc import Iterator
from fractions import Fraction

from combinat.simulate.expected import Expected
from combinat.simulate.judgement import Contradiction, Kind
from combinat.simulate.observed import Cell, Observed


def impossible(counted: Observed, expected: Expected) -> Iterator[Contradiction]:
    """Joint cells that no round can come to, and net results that no pay table knows."""
    for cell, times in counted.cells.items():
        if times.rounds and cell not in expected.cells:
            yield Contradiction(
                subject="joint cells",
                kind=Kind.IMPOSSIBLE,
                message=f"{cell_in_words(cell)}: {times.rounds} rounds; no round can come to it",
            )
    for bet_id, results in counted.bets.items():
        bet, known = expected.game.bet(bet_id), expected.bet(bet_id)
        for net, times in results.items():
            if times.rounds and net not in known:
                paid = ", ".join(map(str, sorted(known)))
                yield Contradiction(
                    subject=f"bet {bet_id}",
                    kind=Kind.IMPOSSIBLE,
                    message=f"net {net} in {times.rounds} rounds; {bet.settled} knows {paid}",
                )
    for state, results in counted.insurance.items():
        known = expected.state(state)
        for net, times in results.items():
            if times.rounds and net not in known:
                paid = ", ".join(map(str, sorted(known))) or "none: it is never offered"
                yield Contradiction(
                    subject=f"insurance {state}",
                    kind=Kind.IMPOSSIBLE,
                    message=f"net {net} in {times.rounds} rounds; the rules know {paid}",
                )


def missettled(counted: Observed, expected: Expected) -> Iterator[Contradiction]:
    """What the file's own joint cells say otherwise than its bets and insurance states do."""
    if not counted.cells or any(cell not in expected.cells for cell in counted.cells):
        return

    def compare(
        subject: str, clause: str, seen: dict[Fraction, int], due: dict[Fraction, int]
    ) -> Iterator[Contradiction]:
        for net in sorted({*seen, *due}):
            if seen.get(net, 0) != due.get(net, 0):
                yield Contradiction(
                    subject=subject,
                    kind=Kind.SETTLEMENT,
                    message=f"net {net} in {seen.get(net, 0)} rounds; by the joint cells {clause} gives it in {due.get(net, 0)}",
                )

    for bet_id, results in counted.bets.items():
        bet = expected.game.bet(bet_id)
        if expected.can_recount(bet):
            seen = {net: times.rounds for net, times in results.items()}
            yield from compare(f"bet {bet_id}", bet.settled, seen, expected.recounted(bet, counted.cells))
    if counted.insurance:
        due = expected.recounted_states(counted.cells)
        for state, results in counted.insurance.items():
            seen = {net: times.rounds for net, times in results.items()}
            table = expected.game.insurance_table(state.side, state.stage)
            yield from compare(f"insurance {state}", table.settled if table else "", seen, due[state])


def cell_in_words(cell: Cell) -> str:
    """A cell as a reader sees a round."""

    def hand(name: str, points: int, third: int | None) -> str:
        return f"{name} {points} and " + ("stands" if third is None else f"draws {third}")

    pairs = {"none": "", "both": ", a pair in both", "twin": ", the same pair in both"}
    more = pairs.get(cell.pairs, f", a {cell.pairs.capitalize()} pair")
    player, banker = (
        hand("Player", cell.player, cell.player_third),
        hand("Banker", cell.banker, cell.banker_third),
    )
    return f"{player}, {banker}{more}"
