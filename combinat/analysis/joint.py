"""Bets together: their covariances, and the distribution of any combination of stakes in one round."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain, combinations
from math import lcm
from typing import ClassVar

from combinat.analysis.bets import void_nets
from combinat.base.kinds import COUNT, FRACTION, MONEY, TEXT, decimal, percentage, root
from combinat.base.number import Root, Whole
from combinat.base.relation import ByName, Field, Many, Relation
from combinat.engine.distribution import Distribution, summed
from combinat.rules.bet import Bet
from combinat.rules.game import Game

Nets = tuple[Fraction, ...]


def joint_nets(game: Game, bets: Sequence[Bet], distribution: Distribution) -> dict[Nets, int]:
    """Return the ways of every combination of net results of the bets."""
    counts = distribution.detailed_for(bets)
    by_line = summed(
        (tuple([bet.line_number(outcome) for bet in bets]), ways) for outcome, ways in counts.outcomes.items()
    )
    nets = [[*(pay.odds.net for pay in bet.pays), bet.rest] for bet in bets]
    finished = (
        (tuple([of_bet[number] for of_bet, number in zip(nets, lines, strict=True)]), ways)
        for lines, ways in by_line.items()
    )
    return summed(chain(finished, void_nets(game, bets, distribution).items()))


CORRELATIONS: "Relation[Correlation]" = Relation(
    "correlations",
    Field("first", "bet", TEXT, "One bet's id.", views="report"),
    Field("second", "other bet", TEXT, "The other bet's id.", views="report"),
    Field("bets", "bets", Many(TEXT), "The ids of both bets.", lambda pair: (pair.first, pair.second)),
    Field("covariance", "covariance", decimal(6), "Covariance of the net results of one round.", views="report"),
    Field("signed_square", "squared", FRACTION, "The correlation squared, signed.", is_figure=True, may_be_none=True),
    Field("correlation", "correlation", root(4), "The correlation.", views="report", may_be_none=True),
)  # fmt: skip
"""Pairs of bets, a row each."""

CORRELATION_LIST = CORRELATIONS.select("first", "second", "covariance", "correlation")
"""Pairs of bets in CSV."""


@dataclass(frozen=True, kw_only=True)
class Correlation:
    """The correlation of two bets."""

    FIGURES: ClassVar = CORRELATIONS.figures

    first: str
    second: str
    covariance: Fraction
    variances: tuple[Fraction, Fraction]

    @cached_property
    def signed_square(self) -> Fraction | None:
        """The square of the correlation, with the correlation's sign. None if a variance is 0."""
        product = self.variances[0] * self.variances[1]
        return self.covariance * abs(self.covariance) / product if product else None

    @property
    def correlation(self) -> Root | None:
        """The exact correlation. None if a variance is 0."""
        return None if self.signed_square is None else Root(self.signed_square)


def correlations(game: Game, bets: Sequence[Bet], distribution: Distribution) -> tuple[Correlation, ...]:
    """Return the correlation of every pair of bets."""
    nets = joint_nets(game, bets, distribution)
    # Integers are faster than fractions: every net result is in parts of one common unit.
    part = lcm(*(net.denominator for values in nets for net in values))
    scaled = [([int(net * part) for net in values], ways) for values, ways in nets.items()]
    numbers = range(len(bets))
    means = [
        Fraction(sum(values[number] * ways for values, ways in scaled), distribution.sample_space * part)
        for number in numbers
    ]

    def covariance(first: int, second: int) -> Fraction:
        products = sum(values[first] * values[second] * ways for values, ways in scaled)
        return Fraction(products, distribution.sample_space * part**2) - means[first] * means[second]

    variances = [covariance(number, number) for number in numbers]
    return tuple(
        Correlation(
            first=bets[first].id,
            second=bets[second].id,
            covariance=covariance(first, second),
            variances=(variances[first], variances[second]),
        )
        for first, second in combinations(numbers, 2)
    )


@dataclass(frozen=True, kw_only=True)
class Stake:
    """An amount staked on a bet."""

    bet: str
    amount: Fraction


COMBINED_OUTCOMES: "Relation[CombinedOutcome]" = Relation(
    "combined outcomes",
    Field("net", "net", MONEY, "The net result of all stakes together.", views="terminal"),
    Field("ways", "ways", COUNT, "Ordered card sequences.", views="terminal"),
    Field("probability", "probability %", percentage(6), "Ways over the sample space.", views="terminal"),
)
"""The net results of several stakes together, a row each."""

COMBINATIONS: "Relation[Combination]" = Relation(
    "combinations",
    Field(
        *("stakes", "stakes", ByName(FRACTION), "The amount staked on each bet, by its id."),
        lambda row: {stake.bet: stake.amount for stake in row.stakes},
    ),
    Field("staked", "staked", FRACTION, "The stakes added up.", is_figure=True),
    Field("mean", "mean", FRACTION, "Expected net result in money.", is_figure=True),
    Field("variance", "variance", FRACTION, "Variance of the net result.", is_figure=True),
    Field(
        *("standard_deviation", "std dev", root(6), "Standard deviation of the net result."),
        lambda row: Root(row.variance),
    ),
    Field("house_edge", "house edge %", percentage(), "Expected loss per unit staked.", is_figure=True),
    Field("outcomes", "outcomes", Many(COMBINED_OUTCOMES), "What the stakes can come to together."),
)
"""Stakes in one round, a row for each set of them."""


@dataclass(frozen=True, kw_only=True)
class CombinedOutcome:
    """A net result of several stakes together."""

    net: Fraction
    ways: Whole
    probability: Fraction


@dataclass(frozen=True, kw_only=True)
class Combination:
    """Several stakes in one round: the exact distribution of their net result."""

    FIGURES: ClassVar = COMBINATIONS.figures

    stakes: tuple[Stake, ...]
    outcomes: tuple[CombinedOutcome, ...]

    @cached_property
    def staked(self) -> Fraction:
        """The stakes added up."""
        return sum((stake.amount for stake in self.stakes), Fraction(0))

    @cached_property
    def mean(self) -> Fraction:
        """The expected net result in money."""
        return self._moment(1)

    @cached_property
    def variance(self) -> Fraction:
        """The variance of the net result."""
        return self._moment(2) - self.mean**2

    @cached_property
    def house_edge(self) -> Fraction:
        """The mean share of all stakes that the house keeps."""
        return -self.mean / self.staked

    def _moment(self, power: int) -> Fraction:
        return sum((outcome.net**power * outcome.probability for outcome in self.outcomes), Fraction(0))


def combination(game: Game, stakes: Mapping[str, Fraction], distribution: Distribution) -> Combination:
    """Return the joint result of these stakes, by bet id, on the shoe of this distribution."""
    staked = [game.bet(bet_id) for bet_id in stakes]
    amounts = [stakes[bet.id] for bet in staked]
    totals = summed(
        (sum((amount * net for amount, net in zip(amounts, nets, strict=True)), Fraction(0)), ways)
        for nets, ways in joint_nets(game, staked, distribution).items()
    )
    space = distribution.sample_space
    return Combination(
        stakes=tuple(Stake(bet=bet.id, amount=stakes[bet.id]) for bet in staked),
        outcomes=tuple(
            CombinedOutcome(net=net, ways=Whole(ways), probability=Fraction(ways, space))
            for net, ways in sorted(totals.items(), reverse=True)
        ),
    )
