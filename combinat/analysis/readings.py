"""The interpretation register, computed: what each clause read otherwise would come to."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from combinat.analysis.bets import bet_analysis
from combinat.analysis.insurance import insurance_analysis
from combinat.engine.distribution import Distribution
from combinat.rules.game import Game, Interpretation
from combinat.rules.insurance import Base, Limit, Offer, Per, State
from combinat.rules.odds import Odds


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """One figure under the reading taken and under the other; None: there is no such figure."""

    what: str
    measure: str
    read: Fraction | None
    otherwise: Fraction | None

    @property
    def change(self) -> Fraction | None:
        """By how much the other reading would change it."""
        if self.read is None or self.otherwise is None:
            return None
        return self.otherwise - self.read


EXPECTED_VALUE = "expected value"
LARGEST_STAKE = "largest insurance stake"
BOTH_STAGES = "largest insurance stake, both stages together"


def effects(game: Game, entry: Interpretation, found: Distribution) -> tuple[Effect, ...]:
    """What the other reading of an entry changes, on the shoe whose rounds were counted.

    For the bets and insurance states that the entry touches, the expected value per unit staked; for
    limits, the largest insurance stake that each line allows per unit of the original bet.
    """
    other = game.read_otherwise(entry.id)
    return (
        *_of_bets(game, other, entry, found),
        *_of_insurance(game, other, found),
        *_of_limits(game, other),
    )


def _of_bets(game: Game, other: Game, entry: Interpretation, found: Distribution) -> Iterator[Effect]:
    for bet, other_bet in zip(game.bets, other.bets, strict=True):
        if bet != other_bet or entry.instead.void_bets:
            yield Effect(
                what=bet.id,
                measure=EXPECTED_VALUE,
                read=bet_analysis(game, bet, found).expected_value,
                otherwise=bet_analysis(other, other_bet, found).expected_value,
            )


def _of_insurance(game: Game, other: Game, found: Distribution) -> Iterator[Effect]:
    if game.insurance_terms is None or other.insurance_terms is None:
        return
    if game.insurance == other.insurance and game.insurance_terms.open == other.insurance_terms.open:
        return
    before = {one.state: one.expected_value for one in insurance_analysis(game, found)}
    after = {one.state: one.expected_value for one in insurance_analysis(other, found)}
    for state in before:
        if before[state] != after.get(state):
            yield Effect(
                what=str(state), measure=EXPECTED_VALUE, read=before[state], otherwise=after.get(state)
            )


def _of_limits(game: Game, other: Game) -> Iterator[Effect]:
    if game.insurance_terms is None or other.insurance_terms is None:
        return
    own, others = game.insurance_terms.limits, other.insurance_terms.limits
    if own == others:
        return
    procedures = sorted({limit.procedure for limit in (*own, *others) if limit.procedure})
    for procedure in (None, *procedures):
        for odds in _odds(game.offers):
            for bets, measure in ((1, LARGEST_STAKE), (2, BOTH_STAGES)):
                read = largest_stake(own, odds, procedure, bets)
                otherwise = largest_stake(others, odds, procedure, bets)
                if read != otherwise:
                    under = f" under {procedure}" if procedure else ""
                    what = f"insurance at {odds}{under}"
                    yield Effect(what=what, measure=measure, read=read, otherwise=otherwise)
                    break


def _odds(offers: dict[State, Offer]) -> list[Odds]:
    return sorted({offer.odds for offer in offers.values()}, key=lambda odds: (odds.net, odds))


def largest_stake(
    limits: tuple[Limit, ...], odds: Odds, procedure: str | None = None, bets: int = 1
) -> Fraction | None:
    """The most that so many insurance bets at these odds can stake, per unit of the original bet.

    None: there is no limit. A cap by the table maximum, which is no part of the original bet, is left out.
    """
    own = [limit for limit in limits if procedure and limit.procedure == procedure]
    caps = [
        limit.share.part / limit.amount(Fraction(1), odds) * (bets if limit.per is Per.OFFER else 1)
        for limit in own or [limit for limit in limits if limit.procedure is None]
        if limit.of is Base.ORIGINAL_BET and limit.applies_to(odds)
    ]
    return min(caps, default=None)
