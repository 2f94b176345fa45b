"""The figures of a batch as quotients of whole numbers, a column each."""

from collections.abc import Iterator

from combinat.analysis.evaluate import Evaluation, asked_for

Quotients = tuple[list[int], list[int]]
"""Numerators and denominators, one of each for every shoe. Where a denominator is 0, there is no such figure."""


def quotients(evaluation: Evaluation) -> Iterator[Quotients]:
    """All that the batch was asked for.

    How often the round is void; of every bet its expected value and its variance; of stakes together their expected value; of every insurance
    state its probability and the expected value given it.
    """
    spaces = evaluation.sample_spaces.tolist()
    yield evaluation.void_ways.tolist(), spaces
    bottoms = evaluation.denominators.tolist()
    squares = [bottom**2 for bottom in bottoms]
    for column in range(len(evaluation.bets)):
        yield evaluation.numerators[:, column].tolist(), bottoms
        if evaluation.square_numerators is not None:
            yield evaluation.variance_numerators[:, column].tolist(), squares
    if evaluation.combined_numerators is not None:
        parts = asked_for(evaluation.combined_denominators, "stakes")
        yield evaluation.combined_numerators.tolist(), parts.tolist()
    if evaluation.state_ways is not None:
        nets = asked_for(evaluation.state_numerators, "insurance")
        for column in range(len(evaluation.states)):
            ways = evaluation.state_ways[:, column].tolist()
            yield ways, spaces
            yield nets[:, column].tolist(), [evaluation.unit * arises for arises in ways]
