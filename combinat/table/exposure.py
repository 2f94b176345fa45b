"""The House's result of one round with many stakes: its exact distribution, and the costliest rounds."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from pathlib import Path

from combinat.analysis.bets import void_nets
from combinat.base.errors import CombinatError, InputError
from combinat.base.money import Amount
from combinat.base.number import Whole
from combinat.base.tabular import Answer
from combinat.engine.distribution import Distribution
from combinat.engine.walk import walk
from combinat.rules import bounds
from combinat.rules.bet import Bet, Pay
from combinat.rules.converters import (
    GameGiven,
    ShoeGiven,
    as_game,
    as_path,
    as_positive,
    as_shoe,
    as_stakes,
    as_text,
    whole_number,
)
from combinat.rules.deal_space import deal_space
from combinat.rules.document import Layout
from combinat.rules.facts import FIRST_FOUR_FACTS
from combinat.rules.game import Game
from combinat.rules.outcome import Result
from combinat.rules.round import Round
from combinat.rules.shoe import Shoe
from combinat.table.exposure_ceiling import LayoutCeiling, ceiling
from combinat.table.gaming_table import BetLimits, Chips, DisplayedLimits, hand_of
from combinat.table.settlement import check_layout
from combinat.table.table_file import load_table
from combinat.table.table_settlement import LimitedTable, table_state

ZERO = Fraction(0)


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


@dataclass(repr=False, frozen=True, kw_only=True)
class Exposure(Answer):
    """The stakes on one round, and the distribution of the House's result.

    ``full``: the most that a full layout can cost, if that was asked for; the stakes are then the first that cost it
    without insurance. ``ignores_cards``: the stakes are those of a table whose cards are known.
    """

    game: Game
    shoe: Shoe
    stakes: Mapping[str, Fraction]
    results: tuple[HouseResult, ...]
    causes: tuple[CostlyRound, ...]
    full: LayoutCeiling | None = None
    ignores_cards: bool = False

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
        """The most that the House can lose; 0 if it cannot lose."""
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
        """Return the lowest result ``x`` with a probability of at least ``chance`` of results up to ``x``."""
        return next(result for result in self.results if result.at_most >= chance)

    def _moment(self, power: int) -> Fraction:
        return sum((result.net**power * result.probability for result in self.results), ZERO)


def exposure(
    game: GameGiven,
    stakes: Mapping[str, Amount] | None = None,
    *,
    table: str | Path | None = None,
    layout: str | None = None,
    positions: int | None = None,
    limits: Mapping[str, Amount] | None = None,
    maximum: Amount | None = None,
    maximum_differential: Amount | None = None,
    shoe: ShoeGiven | None = None,
    decks: int | None = None,
) -> Exposure:
    """Return the exact distribution of the House's result in one round, and the costliest rounds.

    ``stakes``: amounts by bet, the same at each of the ``positions``. ``table``: a TOML file of a table with
    its stakes. With neither: the most that a full ``layout`` can cost within ``limits`` by bet, a ``maximum``
    for every bet, and a ``maximum_differential``.

    >>> exposure("commission-insurance-2013", {"tie": 5}).worst.net
    Fraction(-40, 1)
    """
    loaded, dealt_from = as_game(game), as_shoe(shoe, decks=decks)
    distribution = walk(dealt_from, loaded.round())
    asks_limits = bool(limits) or maximum is not None or maximum_differential is not None
    if table is not None:
        if stakes or layout or positions or asks_limits:
            raise InputError(
                "the table file states the stakes",
                "leave out the other options, or {table}",
                parameter="table",
            )
        read = load_table(as_path("table", table), loaded)
        made = house_results(
            loaded, dealt_from, distribution, at_stake(table_state(loaded, read)), read.chips
        )
        return replace(made, ignores_cards=read.dealt is not None)
    if stakes and asks_limits:
        raise InputError(
            "stakes say what is staked, and limits ask for the most",
            "give {stakes} or limits",
            parameter="stakes",
        )
    played_on = None if layout is None else loaded.layout(as_text("layout", layout) or "")
    number = None if positions is None else whole_number("positions", positions, 1, bounds.POSITIONS)
    if played_on and number is not None and number > played_on.positions.most:
        raise InputError(
            f"found {number}; layout {played_on.id} has {played_on.positions} ({played_on.clause})",
            parameter="positions",
        )
    if stakes:
        amounts = as_stakes(loaded, stakes)
        check_layout(loaded, amounts, layout)
        staked = {bet: [amount * (number or 1)] for bet, amount in amounts.items()}
        return house_results(loaded, dealt_from, distribution, staked)
    if not asks_limits:
        raise InputError(
            "found no stakes",
            "write {stakes} or {table}; for the largest loss on a full layout, write {limits} or {maximum_differential}",
            parameter="stakes",
        )
    full_layout = played_on or loaded.layouts[0]
    if played_on is None and len(loaded.layouts) > 1:
        known = ", ".join(one.id for one in loaded.layouts)
        raise InputError("missing", f"write the layout that is full: {known}", parameter="layout")
    stated = _limits(loaded, full_layout, limits or {}, maximum, maximum_differential)
    full = ceiling(loaded, full_layout.id, number or full_layout.positions.most, stated, distribution)
    if not full.loss:
        raise CombinatError("with this shoe no stakes within the limits can cost the House anything")
    first = {bet: [amount] for bet, amount in full.choices[0].items()}
    return replace(house_results(loaded, dealt_from, distribution, first), full=full)


def at_stake(table: LimitedTable) -> dict[str, list[Fraction]]:
    """Return the stakes on each bet of a table, after its limits are applied."""
    stakes: dict[str, list[Fraction]] = {}
    for wager, amount in table.at_stake:
        if amount:
            stakes.setdefault(wager.bet, []).append(amount)
    return stakes


def _limits(
    game: Game,
    layout: Layout,
    limits: Mapping[str, Amount],
    maximum: Amount | None,
    maximum_differential: Amount | None,
) -> DisplayedLimits:
    """Return the limits of a full layout.

    ``maximum`` applies to bets without another limit or a Differential.
    """
    by_bet = as_stakes(game, limits, "limits")
    check_layout(game, by_bet, layout.id, "limits")
    differential, of_each = (
        as_positive("maximum_differential", maximum_differential),
        as_positive("maximum", maximum),
    )
    if differential is not None and game.table_limits is None:
        raise InputError(
            f"{game.id} has no Differential",
            "give a limit for the bets on the hands",
            parameter="maximum_differential",
        )
    for bet in game.bets_on(layout.id):
        if of_each is not None and (differential is None or hand_of(game, bet.id) is None):
            by_bet.setdefault(bet.id, of_each)
    own = {bet: BetLimits(maximum=amount) for bet, amount in by_bet.items()}
    return DisplayedLimits(maximum_differential=differential, bets=own)


def house_results(
    game: Game,
    shoe: Shoe,
    distribution: Distribution,
    stakes: Mapping[str, Sequence[Fraction]],
    chips: Chips | None = None,
) -> Exposure:
    """Return the House's result on the shoe of this distribution.

    ``stakes``: on each bet, one by one: each of them is paid in whole chips by itself.
    """
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
        game=game,
        shoe=shoe,
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
    """Return the House's result on all stakes on a bet, by the bet's net result."""
    nets = {ZERO, *bet.nets}

    def player(amount: Fraction, net: Fraction) -> Fraction:
        return chips.rounded(amount * net) if chips is not None else amount * net

    return {net: -sum((player(amount, net) for amount in amounts), ZERO) for net in nets}


RoundKind = tuple[Result | None, Facts, tuple[str, ...]]
"""A kind of round: its result, the facts of its first four cards that staked bets name, and the lines that win."""


def _courses(
    game: Game, bets: Sequence[Bet], distribution: Distribution
) -> Iterator[tuple[RoundKind, tuple[Fraction, ...], int]]:
    """Return every kind of round with the net results of the bets, and its ways."""
    seen = {name for bet in bets for pay in bet.pays for name in pay.named}
    for outcome, count in distribution.detailed_for(bets).outcomes.items():
        first_four = outcome.first_four
        facts = tuple((name, getattr(first_four, name)) for name in FIRST_FOUR_FACTS if name in seen)
        lines = [bet.line(outcome) for bet in bets]
        nets = tuple(bet.rest if pay is None else pay.odds.net for bet, pay in zip(bets, lines, strict=True))
        yield (outcome.result, facts, tuple(_wins(bets, lines))), nets, count
    for nets, count in void_nets(game, bets, distribution).items():
        named = tuple(bet.name for bet, net in zip(bets, nets, strict=True) if net > 0)
        yield (None, (), named), nets, count


def _wins(bets: Sequence[Bet], lines: Sequence[Pay | None]) -> Iterator[str]:
    """Return the names of the lines of the pay tables that win."""
    for bet, pay in zip(bets, lines, strict=True):
        if pay is not None and pay.odds.net > 0:
            yield f"{bet.name} ({pay.name})" if pay.name else bet.name


def _causes(game: Game, shoe: Shoe, sorts: Mapping[RoundKind, int], space: int) -> Iterator[CostlyRound]:
    """Return the kinds of rounds, the most likely first."""
    for (result, first_four, wins), count in sorted(sorts.items(), key=lambda counted: -counted[1]):
        yield CostlyRound(
            result=result,
            first_four=first_four,
            wins=wins,
            ways=Whole(count),
            probability=Fraction(count, space),
            example=None if result is None else example(game, shoe, result, dict(first_four)),
        )


def example(game: Game, shoe: Shoe, result: Result, facts: Mapping[str, object]) -> Round | None:
    """Return a deal from this shoe with this result and these facts of its first four cards, or None."""
    thirds = (
        {"player_third": result.player_third, "banker_third": result.banker_third} if result.thirds else {}
    )
    totals = {
        name: getattr(result, name)
        for name in ("player_points", "banker_points", "player_cards", "banker_cards")
    }
    space = deal_space(game.table_of_play)
    wanted = {name: (value,) for name, value in {**totals, **thirds, **facts}.items()}
    return space.first(space.having(wanted), shoe)
