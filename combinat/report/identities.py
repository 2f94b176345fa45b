"""The identities that every report checks before it is written. One that fails stops it."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from combinat.analysis.analysis import Analysis
from combinat.analysis.evaluate import evaluate
from combinat.analysis.insurance import insurance_analysis, not_offered
from combinat.engine.distribution import falling
from combinat.engine.walk import SLOTS
from combinat.errors import CombinatError
from combinat.rules.cards import RANKS
from combinat.rules.round import Stage


def checked_identities(analyses: Mapping[int, Analysis]) -> list[dict[str, Any]]:
    """What was checked on these shoes, in words, with the result."""
    at = ", ".join(map(str, analyses))
    found = []
    for words, holds in _identities(list(analyses.values())):
        if not holds:
            raise CombinatError(f"an identity fails, so nothing is written: {words}; please report this")
        found.append({"identity": words, "result": f"holds at {at} decks"})
    return found


def _identities(analyses: Sequence[Analysis]) -> Iterator[tuple[str, bool]]:
    yield (
        "the ways of all outcomes of each bet add up to N(N-1)...(N-5)",
        all(
            sum(line.ways for line in bet.outcomes) == falling(one.shoe.size, SLOTS)
            for one in analyses
            for bet in one.bets
        ),
    )
    yield (
        "results and matches of the first four cards, counted jointly, have the same total",
        all(sum(one.found.outcomes.values()) == falling(one.shoe.size, SLOTS) for one in analyses),
    )
    yield (
        "the compiled form gives the expected value of every bet that the recursion gives",
        _compiled(analyses),
    )
    yield ("removing a card at random changes no expected value on average", all(map(_removal_law, analyses)))
    yield (
        "insurance states, offered or not, make up all rounds that go on after four cards",
        all(map(_states, analyses)),
    )


def _compiled(analyses: Sequence[Analysis]) -> bool:
    batch = evaluate(analyses[0].game, np.array([one.shoe.counts for one in analyses]))
    return all(
        batch.expected_value(row, bet.id) == bet.expected_value
        for row, one in enumerate(analyses)
        for bet in one.bets
    )


def _removal_law(analysis: Analysis) -> bool:
    shoe = analysis.shoe
    without = [shoe.minus([rank]) for rank in RANKS]
    batch = evaluate(analysis.game, np.array([one.counts for one in without]))
    return all(
        sum(
            (
                Fraction(shoe[rank], shoe.size) * batch.expected_value(row, bet.id)
                for row, rank in enumerate(RANKS)
            ),
            Fraction(0),
        )
        == bet.expected_value
        for bet in analysis.bets
    )


def _states(analysis: Analysis) -> bool:
    game, found = analysis.game, analysis.found
    states = [*insurance_analysis(game, found), *not_offered(game, found)]
    goes_on = sum(ways for result, ways in found.results.items() if result.cards > 4)
    sides = {one.state.side for one in states}
    return all(
        sum(one.ways for one in states if one.state.side is side and one.state.stage is Stage.FOUR_CARDS)
        == goes_on
        for side in sides
    )
