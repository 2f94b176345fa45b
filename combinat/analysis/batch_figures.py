"""The figures of a batch by name, each a quotient of whole numbers for every shoe."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from combinat.analysis.evaluate import Evaluation
    from combinat.engine.multisets import Array


SPACE = "sample-space"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BatchFigure:
    """A column: numerators and denominators, one of each for every shoe. A denominator of 0: no such figure.

    ``over``: the name of the denominators, which several figures share.
    """

    name: str
    over: str
    tops: "Array"
    bottoms: "Array"


def batch_figures(evaluation: "Evaluation") -> Iterator[BatchFigure]:
    """All that the batch was asked for.

    ``void``: the probability that the round is void. ``BET`` and ``BET-variance``: its expected value and variance.
    ``stakes``: the expected value of the stakes together. ``STATE:probability`` and ``STATE:expected-value``: of an
    insurance state, the second given the first.
    """
    spaces, bottoms = evaluation.sample_spaces, evaluation.denominators
    yield BatchFigure(name="void", over=SPACE, tops=evaluation.void_ways, bottoms=spaces)
    squares = None if evaluation.square_numerators is None else bottoms.astype(object) ** 2
    for column, bet in enumerate(evaluation.bets):
        yield BatchFigure(
            name=bet, over="denominator", tops=evaluation.numerators[:, column], bottoms=bottoms
        )
        if squares is not None:
            tops = evaluation.variance_numerators[:, column]
            yield BatchFigure(name=f"{bet}-variance", over="variance_denominator", tops=tops, bottoms=squares)
    if evaluation.combined_numerators is not None and evaluation.combined_denominators is not None:
        yield BatchFigure(
            name="stakes",
            over="stakes_denominator",
            tops=evaluation.combined_numerators,
            bottoms=evaluation.combined_denominators,
        )
    if evaluation.state_ways is not None and evaluation.state_numerators is not None:
        for column, state in enumerate(evaluation.states):
            ways, nets = evaluation.state_ways[:, column], evaluation.state_numerators[:, column]
            yield BatchFigure(name=f"{state.key}:probability", over=SPACE, tops=ways, bottoms=spaces)
            given = f"{state.key}:expected-value"
            yield BatchFigure(
                name=given, over=f"{given}_denominator", tops=nets, bottoms=evaluation.unit * ways
            )


def exact_columns(evaluation: "Evaluation") -> dict[str, "Array"]:
    """The figures of a batch as whole numbers: ``FIGURE_numerator``, and each denominator once, before its first use."""
    columns: dict[str, Array] = {}
    for figure in batch_figures(evaluation):
        columns.setdefault(figure.over, figure.bottoms)
        columns[f"{figure.name}_numerator"] = figure.tops
    return columns


def batch_ways(evaluation: "Evaluation") -> Iterator[tuple[str, "Array"]]:
    """The whole numbers that the batch was asked for: the sample space, and the ways of every line that pays."""
    if evaluation.outcome_ways is not None:
        yield SPACE, evaluation.sample_spaces
        for column, (bet, line) in enumerate(evaluation.outcomes):
            yield f"{bet}:{line}:ways", evaluation.outcome_ways[:, column]


def shoe_columns(evaluation: "Evaluation") -> Iterator[tuple[str, "Array"]]:
    """The cards of every shoe by rank, and how many are left."""
    from combinat.rules.cards import RANKS

    yield from zip(map(str, RANKS), evaluation.shoes.T, strict=True)
    yield "cards_left", np.asarray(evaluation.shoes.sum(axis=1))
