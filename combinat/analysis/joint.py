"""Bets together: their covariances, and the distribution of any combination of stakes in one round."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain, combinations
from math import lcm

from combinat.analysis.bets import void_nets
from combinat.engine.distribution import Distribution, summed
from combinat.rules.bet import Bet
from combinat.rules.game import Game

Nets = tuple[Fraction, ...]


def joint_nets(game: Game, bets: Sequence[Bet], found: Distribution) -> dict[Nets, int]:
    """The ways of every combination of net results that the bets can come to together."""
    finished = ((tuple(bet.net(outcome) for bet in bets), ways) for outcome, ways in found.outcomes.items())
    return summed(chain(finished, void_nets(game, bets, found).items()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlation:
    """How two bets move together."""

    first: str
    second: str
    covariance: Fraction
    variances: tuple[Fraction, Fraction]

    @property
    def squared(self) -> Fraction | None:
        """The square of the correlation; its sign is the covariance's. None: one of them never varies."""
        product = self.variances[0] * self.variances[1]
        return self.covariance**2 / product if product else None


def correlations(game: Game, bets: Sequence[Bet], found: Distribution) -> tuple[Correlation, ...]:
    """Every pair of the bets, each once."""
    nets = joint_nets(game, bets, found)
    # Whole numbers are quicker than fractions: every net result in units of one common part.
    part = lcm(*(net.denominator for values in nets for net in values))
    scaled = [([int(net * part) for net in values], ways) for values, ways in nets.items()]
    numbers = range(len(bets))
    means = [
        Fraction(sum(values[one] * ways for values, ways in scaled), found.sample_space * part)
        for one in numbers
    ]

    def covariance(one: int, two: int) -> Fraction:
        products = sum(values[one] * values[two] * ways for values, ways in scaled)
        return Fraction(products, found.sample_space * part**2) - means[one] * means[two]

    variances = [covariance(one, one) for one in numbers]
    return tuple(
        Correlation(
            first=bets[one].id,
            second=bets[two].id,
            covariance=covariance(one, two),
            variances=(variances[one], variances[two]),
        )
        for one, two in combinations(numbers, 2)
    )


@dataclass(frozen=True, kw_only=True)
class Combination:
    """Several stakes in one round: the exact distribution of what they come to together."""

    stakes: Mapping[str, Fraction]
    sample_space: int
    ways: Mapping[Fraction, int]

    @cached_property
    def staked(self) -> Fraction:
        """The stakes added up."""
        return sum(self.stakes.values(), Fraction(0))

    @cached_property
    def mean(self) -> Fraction:
        """The expected net result in money."""
        return self._moment(1)

    @cached_property
    def variance(self) -> Fraction:
        """The variance of the net result."""
        return self._moment(2) - self.mean**2

    @property
    def house_edge(self) -> Fraction:
        """What the house keeps on average of all that is staked."""
        return -self.mean / self.staked

    def _moment(self, power: int) -> Fraction:
        return sum((net**power * ways for net, ways in self.ways.items()), Fraction(0)) / self.sample_space


def combination(game: Game, stakes: Mapping[str, Fraction], found: Distribution) -> Combination:
    """The stakes, by bet id, on the shoe whose rounds were counted."""
    staked = [game.bet(bet_id) for bet_id in stakes]
    amounts = [stakes[bet.id] for bet in staked]
    totals = summed(
        (sum((amount * net for amount, net in zip(amounts, nets, strict=True)), Fraction(0)), ways)
        for nets, ways in joint_nets(game, staked, found).items()
    )
    return Combination(
        stakes={bet.id: stakes[bet.id] for bet in staked},
        sample_space=found.sample_space,
        ways=dict(sorted(totals.items(), reverse=True)),
    )
