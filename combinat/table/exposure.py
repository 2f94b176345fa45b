"""The House's result of one round with many stakes: its exact distribution, and the rounds that cost it most."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from combinat.analysis.bets import void_nets
from combinat.base.number import Whole
from combinat.engine.distribution import Distribution
from combinat.rules.bet import Bet, Pay
from combinat.rules.deal_space import deal_space
from combinat.rules.facts import FIRST_FOUR_FACTS
from combinat.rules.game import Game
from combinat.rules.outcome import Result
from combinat.rules.round import Round
from combinat.rules.shoe import Shoe
from combinat.table.gaming_table import Chips

ZERO = Fraction(0)

Stakes = Mapping[str, Sequence[Fraction]]
"""The stakes on each bet, one by one: each of them is paid in whole chips by itself."""


@dataclass(frozen=True, kw_only=True)
class HouseResult:
    """One result of the House; ``at_most``: the chance of this result or a lower one."""

    net: Fraction
    ways: Whole
    probability: Fraction
    at_most: Fraction


Facts = tuple[tuple[str, object], ...]
"""The facts of the first four cards that the staked bets name."""


@dataclass(frozen=True, kw_only=True)
class CostlyRound:
    """One kind of round among those that cost the House most, with an example.

    ``result`` None: the shoe cannot finish the round. ``wins``: the staked lines that win.
    """

    result: Result | None
    first_four: Facts
    wins: tuple[str, ...]
    ways: Whole
    probability: Fraction
    example: Round | None


@dataclass(frozen=True, kw_only=True)
class Exposure:
    """The stakes on one round, and the distribution of the House's result."""

    stakes: Mapping[str, Fraction]
    results: tuple[HouseResult, ...]
    causes: tuple[CostlyRound, ...]

    @cached_property
    def staked(self) -> Fraction:
        """The sum of the stakes."""
        return sum(self.stakes.values(), ZERO)

    @cached_property
    def mean(self) -> Fraction:
        """The House's mean result."""
        return self._moment(1)

    @cached_property
    def variance(self) -> Fraction:
        """The variance of its result. Its square root is the standard deviation."""
        return self._moment(2) - self.mean**2

    @cached_property
    def house_edge(self) -> Fraction:
        """The mean result per unit staked."""
        return self.mean / self.staked

    @property
    def worst(self) -> HouseResult:
        """The lowest result."""
        return self.results[0]

    @property
    def best(self) -> HouseResult:
        """The highest result."""
        return self.results[-1]

    @cached_property
    def largest_loss(self) -> Fraction:
        """The most that the House can lose; 0: it cannot lose."""
        return max(ZERO, -self.worst.net)

    @cached_property
    def costly_wins(self) -> dict[tuple[str, ...], Fraction]:
        """The lines that win in the rounds that cost most, each combination with its probability."""
        sums: dict[tuple[str, ...], Fraction] = {}
        for cause in self.causes:
            sums[cause.wins] = sums.get(cause.wins, ZERO) + cause.probability
        return sums

    @cached_property
    def loses(self) -> Fraction:
        """The probability that it loses."""
        return sum((result.probability for result in self.results if result.net < 0), ZERO)

    def quantile(self, chance: Fraction) -> HouseResult:
        """The lowest result with at least this chance that the result is not above it."""
        return next(result for result in self.results if result.at_most >= chance)

    def _moment(self, power: int) -> Fraction:
        return sum((result.net**power * result.probability for result in self.results), ZERO)


def exposure(
    game: Game, shoe: Shoe, distribution: Distribution, stakes: Stakes, chips: Chips | None = None
) -> Exposure:
    """The House's result with these stakes on the shoe whose rounds were counted."""
    bets = [game.bet(bet_id) for bet_id in stakes]
    paid = [_paid(bet, stakes[bet.id], chips) for bet in bets]
    ways: dict[Fraction, int] = {}
    sorts: dict[Fraction, dict[RoundKind, int]] = {}
    for sort, nets, count in _courses(game, bets, distribution):
        house = sum((by_net[net] for by_net, net in zip(paid, nets, strict=True)), ZERO)
        ways[house] = ways.get(house, 0) + count
        of_sort = sorts.setdefault(house, {})
        of_sort[sort] = of_sort.get(sort, 0) + count
    space = distribution.sample_space
    nets_up = sorted(ways)
    reached = accumulate(ways[net] for net in nets_up)
    return Exposure(
        stakes={bet.id: sum(stakes[bet.id], ZERO) for bet in bets},
        results=tuple(
            HouseResult(
                net=net,
                ways=Whole(ways[net]),
                probability=Fraction(ways[net], space),
                at_most=Fraction(so_far, space),
            )
            for net, so_far in zip(nets_up, reached, strict=True)
        ),
        causes=tuple(_causes(game, shoe, sorts[nets_up[0]], space)),
    )


def _paid(bet: Bet, amounts: Sequence[Fraction], chips: Chips | None) -> dict[Fraction, Fraction]:
    """The House's result on all stakes on a bet, by the bet's net result."""
    nets = {ZERO, *bet.nets}

    def player(amount: Fraction, net: Fraction) -> Fraction:
        return chips.rounded(amount * net) if chips is not None else amount * net

    return {net: -sum((player(amount, net) for amount in amounts), ZERO) for net in nets}


class RoundKind(NamedTuple):
    """A kind of round: its result, the facts of its first four cards that staked bets name, and the lines that win."""

    result: Result | None
    first_four: Facts
    wins: tuple[str, ...]


def _courses(
    game: Game, bets: Sequence[Bet], distribution: Distribution
) -> Iterator[tuple[RoundKind, tuple[Fraction, ...], int]]:
    """Every kind of round with the net results of the bets, and its ways."""
    seen = {name for bet in bets for pay in bet.pays for name in pay.named}
    for outcome, count in distribution.telling_for(bets).outcomes.items():
        first_four = outcome.first_four
        facts = tuple((name, getattr(first_four, name)) for name in FIRST_FOUR_FACTS if name in seen)
        lines = [bet.line(outcome) for bet in bets]
        nets = tuple(bet.rest if pay is None else pay.odds.net for bet, pay in zip(bets, lines, strict=True))
        yield RoundKind(outcome.result, facts, tuple(_wins(bets, lines))), nets, count
    for nets, count in void_nets(game, bets, distribution).items():
        named = tuple(bet.name for bet, net in zip(bets, nets, strict=True) if net > 0)
        yield RoundKind(None, (), named), nets, count


def _wins(bets: Sequence[Bet], lines: Sequence[Pay | None]) -> Iterator[str]:
    """The lines of the pay tables that win, by name."""
    for bet, pay in zip(bets, lines, strict=True):
        if pay is not None and pay.odds.net > 0:
            yield f"{bet.name} ({pay.name})" if pay.name else bet.name


def _causes(game: Game, shoe: Shoe, sorts: Mapping[RoundKind, int], space: int) -> Iterator[CostlyRound]:
    """The kinds of rounds, the likeliest first."""
    for sort, count in sorted(sorts.items(), key=lambda counted: -counted[1]):
        yield CostlyRound(
            result=sort.result,
            first_four=sort.first_four,
            wins=sort.wins,
            ways=Whole(count),
            probability=Fraction(count, space),
            example=None if sort.result is None else example(game, shoe, sort.result, dict(sort.first_four)),
        )


def example(game: Game, shoe: Shoe, result: Result, facts: Mapping[str, object]) -> Round | None:
    """A deal that the shoe has the cards for, with this result and these facts of its first four cards; None: there is none."""
    thirds = (
        {"player_third": result.player_third, "banker_third": result.banker_third} if result.thirds else {}
    )
    totals = {
        name: getattr(result, name)
        for name in ("player_points", "banker_points", "player_cards", "banker_cards")
    }
    space = deal_space(game.table_of_play)
    wanted = {name: (value,) for name, value in {**totals, **thirds, **facts}.items()}
    deal = space.first(space.having(wanted), shoe)
    return deal and game.round(*deal)
