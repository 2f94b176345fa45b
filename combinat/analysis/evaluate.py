"""Whole batches of shoes: the exact expected value of every bet, from the compiled form."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import lcm
from os import cpu_count
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from combinat.analysis.bets import bet_analysis
from combinat.analysis.insurance import StateBet, insurance_analysis, moments
from combinat.engine.distribution import falling, result
from combinat.engine.multisets import Array, Ints
from combinat.engine.polynomial import Compiled, Polynomial, Route, by_first_four, by_points, by_rank
from combinat.engine.walk import MOST_CARDS, walk
from combinat.errors import NotInGameError, ShoeError
from combinat.rules.bet import Bet, possible_first_fours
from combinat.rules.cards import RANKS
from combinat.rules.game import Game
from combinat.rules.insurance import Offer, State
from combinat.rules.outcome import Outcome, Result
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import TableOfPlay

CHUNK = 1024
"""How many shoes one thread works on before it looks for more."""


class Counted(NamedTuple):
    """Something that is counted: the level of the paths it is made of, and what each path adds to it."""

    compiled: Compiled
    value: Callable[[Route], int]


@dataclass(frozen=True, kw_only=True, eq=False)
class Evaluation:
    """The exact expected values of a batch: ``numerators[shoe, bet] / denominators[shoe]``.

    With insurance: ``state_ways`` are out of ``sample_spaces``, and the expected net result of a unit
    staked whenever the state arises is ``state_numerators / denominators`` (divide by the probability for
    the expected value given the state). With outcomes: ``outcome_ways``, out of ``sample_spaces``.
    """

    bets: tuple[str, ...]
    numerators: Array
    denominators: Array
    sample_spaces: Array
    states: tuple[State, ...] = ()
    state_ways: Array | None = None
    state_numerators: Array | None = None
    outcomes: tuple[tuple[str, str], ...] = ()
    outcome_ways: Array | None = None

    def expected_value(self, shoe: int, bet: str) -> Fraction:
        """The exact expected value of one bet on one shoe of the batch."""
        if bet not in self.bets:
            raise NotInGameError(f'no value of a bet "{bet}"; there are {", ".join(self.bets)}')
        return Fraction(int(self.numerators[shoe, self.bets.index(bet)]), int(self.denominators[shoe]))


def evaluate(
    game: Game, counts: npt.ArrayLike, *, insurance: bool = False, outcomes: bool = False
) -> Evaluation:
    """The exact expected values of every bet for every shoe: an integer array of shape (shoes, 13).

    >>> from combinat import load_game
    >>> evaluation = evaluate(load_game("commission-insurance-2013"), [[32] * 13])
    >>> evaluation.expected_value(0, "player-pair")
    Fraction(-43, 415)
    """
    shoes = _checked(counts)
    plan = _plan(game, insurance, outcomes)
    large = shoes.sum(axis=1) >= MOST_CARDS
    totals = _totals(plan, shoes[large])
    spaces = [falling(size, min(size, MOST_CARDS)) for size in shoes.sum(axis=1).tolist()]
    fits = totals.dtype != object and max(spaces, default=1) * plan.unit < 2**63
    whole = np.int64 if fits else object
    sample_spaces = np.array(spaces, dtype=whole)
    table = np.zeros((len(shoes), len(plan.counted)), dtype=whole)
    table[large] = totals
    for row in np.flatnonzero(~large):
        table[row] = _walked(game, plan, Shoe(tuple(shoes[row].tolist())))
    bets, states = len(game.bets), len(plan.states)
    return Evaluation(
        bets=tuple(bet.id for bet in game.bets),
        numerators=table[:, :bets],
        denominators=sample_spaces * plan.unit,
        sample_spaces=sample_spaces,
        states=plan.states,
        state_ways=table[:, bets : bets + states] if insurance else None,
        state_numerators=table[:, bets + states : bets + 2 * states] if insurance else None,
        outcomes=plan.outcomes,
        outcome_ways=table[:, bets + 2 * states :] if outcomes else None,
    )


def _checked(counts: npt.ArrayLike) -> Ints:
    try:
        shoes = np.asarray(counts)
    except ValueError:
        raise ShoeError(
            f"counts must have the shape (shoes, {len(RANKS)}); found rows of different lengths"
        ) from None
    if shoes.ndim != 2 or shoes.shape[1] != len(RANKS):
        raise ShoeError(f"counts must have the shape (shoes, {len(RANKS)}); found {shoes.shape}")
    if not (np.issubdtype(shoes.dtype, np.integer) or shoes.size == 0):
        raise ShoeError(f"counts must be whole numbers; found {shoes.dtype}")
    if shoes.size and int(shoes.min()) < 0:
        row, column = (int(place[0]) for place in np.nonzero(shoes < 0))
        raise ShoeError(
            f"shoe {row}: the count of {RANKS[column]} must not be negative; found {shoes[row, column]}"
        )
    if shoes.size and int(shoes.max()) > _MOST:
        raise ShoeError(f"counts must be at most {_MOST}; found {shoes.max()}")
    return shoes.astype(np.int64)


_MOST = 10**9


@dataclass(frozen=True)
class _Plan:
    """What is counted for a game, in the order of the table; expected values in parts of ``unit``."""

    unit: int
    counted: tuple[Counted, ...]
    states: tuple[State, ...]
    outcomes: tuple[tuple[str, str], ...]

    @cached_property
    def polynomials(self) -> list[tuple[Compiled, list[int], Polynomial]]:
        """What is counted at each level, compiled together, with its places in the table."""
        polynomials = []
        for level in {id(counted.compiled): counted.compiled for counted in self.counted}.values():
            places = [place for place, counted in enumerate(self.counted) if counted.compiled is level]
            polynomials.append(
                (level, places, Polynomial.of(level, [self.counted[place].value for place in places]))
            )
        return polynomials


@lru_cache(maxsize=16)
def _plan(game: Game, insurance: bool, outcomes: bool) -> _Plan:
    """What to count for a game. Compiling is a matter of some tenths of a second, once a process and table."""
    odds = [pay.odds for bet in game.bets for pay in bet.pays]
    odds += [offer.odds for offer in game.offers.values()] if insurance else []
    unit = lcm(*(each.net.denominator for each in odds))
    counted = [counted_bet(bet, unit, game.table_of_play) for bet in game.bets]
    states = tuple(game.offers) if insurance else ()
    counted += [counted_state(game, state, None, unit) for state in states]
    counted += [counted_state(game, state, game.offers[state], unit) for state in states]
    lines: list[tuple[str, str]] = []
    if outcomes:
        for bet in game.bets:
            for number, pay in enumerate(bet.pays):
                lines.append((bet.id, pay.name or "wins"))
                counted.append(counted_line(bet, number, game.table_of_play))
    return _Plan(unit, tuple(counted), states, tuple(lines))


ANY_RESULT = Result(0, 0, 2, 2)
ANY_FIRST_FOUR = min(possible_first_fours())


def _level(bet: Bet, table: TableOfPlay) -> Compiled:
    """The level at which a bet is compiled: by points unless its lines name pairs."""
    if not bet.needs_ranks:
        return by_points(table)
    return by_rank(table) if any(pay.result_facts for pay in bet.pays) else by_first_four()


def outcome_of(route: Route) -> Outcome:
    """The outcome that a route comes to; where its level does not tell, any: it is not looked at."""
    return Outcome(result(route.course) if route.course else ANY_RESULT, route.first_four or ANY_FIRST_FOUR)


def counted_bet(bet: Bet, unit: int, table: TableOfPlay) -> Counted:
    """The net result of a bet, in parts of ``unit``."""
    return _by_outcome(bet, table, lambda outcome: int(bet.net(outcome) * unit))


def counted_line(bet: Bet, number: int, table: TableOfPlay) -> Counted:
    """How often a line of a bet's pay table is met."""
    return _by_outcome(bet, table, lambda outcome: int(bet.pays[number].covers(outcome)))


def _by_outcome(bet: Bet, table: TableOfPlay, value: Callable[[Outcome], int]) -> Counted:
    """What each outcome adds; many routes come to one, which is looked at once."""
    values: dict[Outcome, int] = {}

    def value_of(route: Route) -> int:
        outcome = outcome_of(route)
        if outcome not in values:
            values[outcome] = value(outcome)
        return values[outcome]

    return Counted(_level(bet, table), value_of)


def counted_state(game: Game, state: State, offer: Offer | None, unit: int) -> Counted:
    """How often a state arises (no offer), or what its insurance bet comes to."""
    opens = game.insurance_terms.open if game.insurance_terms else None
    bet = StateBet(state, offer) if offer else None
    moment, won = state.moment, int(bet.odds.net * unit) if bet else 1

    def value(route: Route) -> int:
        if route.course is None or opens is None or moment not in moments(route.course, opens):
            return 0
        if bet is None:
            return 1
        sign = bet.sign(route.course)
        return won if sign > 0 else sign * unit

    return Counted(by_points(game.table_of_play), value)


def _totals(plan: _Plan, shoes: Ints) -> Array:
    """Every count for shoes of six cards or more, both cores at work."""
    points = np.stack([shoes[:, _ranks_worth(value)].sum(axis=1) for value in range(10)], axis=1)
    starts = range(0, len(shoes), CHUNK)
    columns = len(plan.counted)
    polynomials = plan.polynomials

    def chunk(start: int) -> Array:
        totals: Array = np.zeros((min(CHUNK, len(shoes) - start), columns), dtype=object)
        parts = []
        for level, places, polynomial in polynomials:
            counts = (points if level.kinds == 10 else shoes)[start : start + CHUNK]
            parts.append((places, polynomial.totals(counts)))
        if all(part.dtype != object for _, part in parts):
            totals = np.zeros(totals.shape, dtype=np.int64)
        for places, part in parts:
            totals[:, places] = part
        return totals

    # The products are small: a thread of ours for each core does more than BLAS's own threads, which wait busily.
    with threadpool_limits(1, "blas"), ThreadPoolExecutor(cpu_count()) as pool:
        chunks = list(pool.map(chunk, starts))
    if not chunks:
        return np.zeros((0, columns), dtype=np.int64)
    return np.concatenate(chunks)


def _ranks_worth(points: int) -> list[int]:
    return [number for number, rank in enumerate(RANKS) if rank.points == points]


def _walked(game: Game, plan: _Plan, shoe: Shoe) -> list[int]:
    """Every count for a shoe that may not be able to finish a round, by the recursion."""
    distribution = walk(shoe, game.round())
    analyses = [bet_analysis(game, bet, distribution) for bet in game.bets]
    row = [int(analysis.expected_value * plan.unit * distribution.sample_space) for analysis in analyses]
    if plan.states:
        states = insurance_analysis(game, distribution)
        row += [state.ways for state in states]
        row += [int(((state.net or 0) * state.won - state.lost) * plan.unit) for state in states]
    if plan.outcomes:
        row += [
            line.ways
            for analysis, bet in zip(analyses, game.bets, strict=True)
            for line in analysis.outcomes[: len(bet.pays)]
        ]
    return row
