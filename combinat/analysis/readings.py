"""The interpretation register, computed: what each clause read otherwise would come to."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

from combinat.analysis.bets import bet_analysis
from combinat.analysis.insurance import insurance_analysis
from combinat.analysis.subject import Subject
from combinat.engine.distribution import Distribution
from combinat.rules.game import Game, Interpretation
from combinat.rules.insurance import Offer, State
from combinat.rules.limits import largest_stake
from combinat.rules.odds import Odds


class Measure(StrEnum):
    """Which figure another reading changes."""

    EXPECTED_VALUE = "expected-value"
    LARGEST_STAKE = "largest-insurance-stake"
    BOTH_STAGES = "largest-insurance-stake-both-stages"

    @property
    def in_words(self) -> str:
        """The figure as a phrase."""
        return _IN_WORDS[self]


_IN_WORDS = {
    Measure.EXPECTED_VALUE: "expected value",
    Measure.LARGEST_STAKE: "largest insurance stake",
    Measure.BOTH_STAGES: "largest insurance stake, both stages together",
}


@dataclass(frozen=True, kw_only=True)
class Difference:
    """One figure under the reading taken and under the other; None: there is no such figure."""

    FIGURES: ClassVar = ("change",)

    subject: Subject
    measure: Measure
    read: Fraction | None
    otherwise: Fraction | None

    @cached_property
    def change(self) -> Fraction | None:
        """By how much the other reading would change it."""
        if self.read is None or self.otherwise is None:
            return None
        return self.otherwise - self.read


@dataclass(frozen=True, kw_only=True)
class Reading:
    """An entry of the interpretation register, and what its other reading changes."""

    entry: str
    differences: tuple[Difference, ...]


def readings(game: Game, distribution: Distribution) -> tuple[Reading, ...]:
    """Every entry of the register, on the shoe whose rounds were counted."""
    return tuple(
        Reading(entry=entry.id, differences=differences(game, entry, distribution))
        for entry in game.interpretations
    )


def differences(game: Game, entry: Interpretation, distribution: Distribution) -> tuple[Difference, ...]:
    """What the other reading of an entry changes, on the shoe whose rounds were counted.

    For the bets and insurance states that the entry touches, the expected value per unit staked; for
    limits, the largest insurance stake that each line allows per unit of the original bet.
    """
    other = game.read_otherwise(entry.id)
    return (
        *_of_bets(game, other, entry, distribution),
        *_of_insurance(game, other, distribution),
        *_of_limits(game, other),
    )


def _of_bets(
    game: Game, other: Game, entry: Interpretation, distribution: Distribution
) -> Iterator[Difference]:
    for bet, other_bet in zip(game.bets, other.bets, strict=True):
        if bet != other_bet or entry.instead.void_bets:
            yield Difference(
                subject=Subject(bet=bet.id),
                measure=Measure.EXPECTED_VALUE,
                read=bet_analysis(game, bet, distribution).expected_value,
                otherwise=bet_analysis(other, other_bet, distribution).expected_value,
            )


def _of_insurance(game: Game, other: Game, distribution: Distribution) -> Iterator[Difference]:
    if game.insurance_terms is None or other.insurance_terms is None:
        return
    if game.insurance == other.insurance and game.insurance_terms.open == other.insurance_terms.open:
        return
    before = {one.state: one.expected_value for one in insurance_analysis(game, distribution)}
    after = {one.state: one.expected_value for one in insurance_analysis(other, distribution)}
    for state in before:
        if before[state] != after.get(state):
            yield Difference(
                subject=Subject(state=state),
                measure=Measure.EXPECTED_VALUE,
                read=before[state],
                otherwise=after.get(state),
            )


def _of_limits(game: Game, other: Game) -> Iterator[Difference]:
    if game.insurance_terms is None or other.insurance_terms is None:
        return
    own, others = game.insurance_terms.limits, other.insurance_terms.limits
    if own == others:
        return
    procedures = sorted({limit.procedure for limit in (*own, *others) if limit.procedure})
    for procedure in (None, *procedures):
        for odds in _odds(game.offers):
            for bets, measure in ((1, Measure.LARGEST_STAKE), (2, Measure.BOTH_STAGES)):
                read = largest_stake(own, odds, procedure, bets)
                otherwise = largest_stake(others, odds, procedure, bets)
                if read != otherwise:
                    subject = Subject(odds=str(odds), procedure=procedure)
                    yield Difference(subject=subject, measure=measure, read=read, otherwise=otherwise)
                    break


def _odds(offers: dict[State, Offer]) -> list[Odds]:
    return sorted({offer.odds for offer in offers.values()}, key=lambda odds: (odds.net, odds))
