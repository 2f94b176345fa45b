"""The identities that a dossier states: each an id and two numbers that were reached on different ways.

One that fails stops everything: nothing is said of a game for which one does not hold.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

import numpy as np

from combinat.analysis.bets import bet_analysis
from combinat.analysis.evaluate import evaluate
from combinat.analysis.insurance import not_offered
from combinat.analysis.odds import Analysis
from combinat.base.errors import CombinatError
from combinat.engine.distribution import falling
from combinat.engine.pairs import pair_distribution
from combinat.engine.walk import MOST_CARDS
from combinat.rules.cards import RANKS
from combinat.rules.insurance import Open
from combinat.rules.round import Stage


class Law(StrEnum):
    """What is equal to what."""

    OUTCOME_WAYS = "outcome-ways"
    JOINT_WAYS = "joint-ways"
    PAIR_ALGORITHM = "pair-algorithm"
    REMOVAL_LAW = "removal-law"
    INSURANCE_STATES = "insurance-states"

    @property
    def in_words(self) -> str:
        """The law as a sentence."""
        return _IN_WORDS[self]


_IN_WORDS = {
    Law.OUTCOME_WAYS: "the ways of all outcomes of each bet add up to N(N-1)...(N-5)",
    Law.JOINT_WAYS: "results and matches of the first four cards, counted jointly, have the same total",
    Law.PAIR_ALGORITHM: "the pair algorithm gives the expected value of every bet that the recursion gives",
    Law.REMOVAL_LAW: "removing a card at random changes no expected value on average",
    Law.INSURANCE_STATES: "insurance states, offered or not, make up all rounds that go on after four cards",
}


@dataclass(frozen=True, kw_only=True)
class Identity:
    """A law on a fresh shoe: how many equalities it stands for, and the sums of both their sides."""

    law: Law
    decks: int
    equalities: int
    left: Fraction
    right: Fraction


Sides = tuple[Sequence[Fraction | int], Sequence[Fraction | int]]
"""The left and the right sides of equalities, in one order."""


def identities(analyses: dict[int, Analysis]) -> tuple[Identity, ...]:
    """Every law on every shoe, by the number of its decks."""
    return tuple(
        _identity(law, decks, sides(analysis))
        for law, sides in _SIDES.items()
        for decks, analysis in analyses.items()
        if law is not Law.INSURANCE_STATES or analysis.game.insurance_terms is not None
    )


def _identity(law: Law, decks: int, sides: Sides) -> Identity:
    left, right = sides
    if list(left) != list(right):
        raise CombinatError(
            f"an identity fails at {decks} decks, so nothing is written: {law.in_words}; please report this"
        )
    return Identity(
        law=law,
        decks=decks,
        equalities=len(left),
        left=Fraction(sum(left)),
        right=Fraction(sum(right)),
    )


def _outcome_ways(analysis: Analysis) -> Sides:
    space = falling(analysis.shoe.size, MOST_CARDS)
    return [sum(line.ways for line in bet.outcomes) for bet in analysis.bets], [space] * len(analysis.bets)


def _joint_ways(analysis: Analysis) -> Sides:
    return [sum(analysis.distribution.outcomes.values())], [falling(analysis.shoe.size, MOST_CARDS)]


def _pair_algorithm(analysis: Analysis) -> Sides:
    game = analysis.game
    pairs = pair_distribution(analysis.shoe, game.table_of_play)
    return [bet_analysis(game, bet, pairs).expected_value for bet in game.bets], _values(analysis)


def _removal_law(analysis: Analysis) -> Sides:
    shoe = analysis.shoe
    batch = evaluate(analysis.game, np.array([shoe.minus([rank]).counts for rank in RANKS]))

    def on_average(bet: str) -> Iterator[Fraction]:
        for row, rank in enumerate(RANKS):
            yield Fraction(shoe[rank], shoe.size) * batch.expected_value(row, bet)

    return [sum(on_average(bet.id), Fraction(0)) for bet in analysis.bets], _values(analysis)


def _values(analysis: Analysis) -> list[Fraction]:
    return [bet.expected_value for bet in analysis.bets]


def _insurance_states(analysis: Analysis) -> Sides:
    game, distribution = analysis.game, analysis.distribution
    states = [*analysis.insurance, *not_offered(game, distribution)]
    known = game.insurance_terms is not None and game.insurance_terms.open is Open.WHENEVER_LISTED
    goes_on = sum(ways for result, ways in distribution.results.items() if known or result.cards > 4)
    sides = list(dict.fromkeys(one.state.side for one in states))
    first = [one for one in states if one.state.stage is Stage.FOUR_CARDS]
    return [sum(one.ways for one in first if one.state.side is side) for side in sides], [goes_on] * len(
        sides
    )


_SIDES: dict[Law, Callable[[Analysis], Sides]] = {
    Law.OUTCOME_WAYS: _outcome_ways,
    Law.JOINT_WAYS: _joint_ways,
    Law.PAIR_ALGORITHM: _pair_algorithm,
    Law.REMOVAL_LAW: _removal_law,
    Law.INSURANCE_STATES: _insurance_states,
}
