"""Whole batches of shoes: the exact expected value of every bet, from the compiled form."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import lcm
from os import cpu_count

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from combinat.analysis.bets import bet_analysis
from combinat.analysis.insurance import Verdicts, insurance_analysis, moments
from combinat.engine.distribution import falling, result
from combinat.engine.multisets import Array, Ints
from combinat.engine.polynomial import Compiled, Polynomial, Way, by_first_four, by_points, by_rank
from combinat.engine.walk import SLOTS, walk
from combinat.errors import NotInGameError, ShoeError
from combinat.rules.bet import Bet, holds, possible_first_fours, possible_results
from combinat.rules.cards import RANKS
from combinat.rules.game import Game
from combinat.rules.insurance import Offer, State
from combinat.rules.outcome import Outcome
from combinat.rules.shoe import Shoe

CHUNK = 1024
"""How many shoes one thread works on before it looks for more."""

Column = tuple[Compiled, Callable[[Way], int]]
"""One count: the level of the paths it is made of, and what each path adds to it."""


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
    >>> found = evaluate(load_game("commission-insurance-2013"), [[32] * 13])
    >>> found.expected_value(0, "player-pair")
    Fraction(-43, 415)
    """
    shoes = _checked(counts)
    plan = _plan(game, insurance, outcomes)
    large = shoes.sum(axis=1) >= SLOTS
    totals = _totals(plan, shoes[large])
    spaces = [falling(size, min(size, SLOTS)) for size in shoes.sum(axis=1).tolist()]
    fits = totals.dtype != object and max(spaces, default=1) * plan.unit < 2**63
    whole = np.int64 if fits else object
    sample_spaces = np.array(spaces, dtype=whole)
    table = np.zeros((len(shoes), len(plan.columns)), dtype=whole)
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
        found = np.asarray(counts)
    except ValueError:
        raise ShoeError(
            f"counts must have the shape (shoes, {len(RANKS)}); found rows of different lengths"
        ) from None
    if found.ndim != 2 or found.shape[1] != len(RANKS):
        raise ShoeError(f"counts must have the shape (shoes, {len(RANKS)}); found {found.shape}")
    if not (np.issubdtype(found.dtype, np.integer) or found.size == 0):
        raise ShoeError(f"counts must be whole numbers; found {found.dtype}")
    if found.size and int(found.min()) < 0:
        row, column = (int(place[0]) for place in np.nonzero(found < 0))
        raise ShoeError(
            f"shoe {row}: the count of {RANKS[column]} must not be negative; found {found[row, column]}"
        )
    if found.size and int(found.max()) > _MOST:
        raise ShoeError(f"counts must be at most {_MOST}; found {found.max()}")
    return found.astype(np.int64)


_MOST = 10**9


@dataclass(frozen=True)
class _Plan:
    """What is counted for a game, column by column; expected values in parts of ``unit``."""

    unit: int
    columns: tuple[Column, ...]
    states: tuple[State, ...]
    outcomes: tuple[tuple[str, str], ...]

    @cached_property
    def polynomials(self) -> list[tuple[Compiled, list[int], Polynomial]]:
        """The columns of each level together, with their places."""
        found = []
        for level in {id(compiled): compiled for compiled, _ in self.columns}.values():
            places = [place for place, (compiled, _) in enumerate(self.columns) if compiled is level]
            found.append((level, places, Polynomial.of(level, [self.columns[place][1] for place in places])))
        return found


@lru_cache(maxsize=16)
def _plan(game: Game, insurance: bool, outcomes: bool) -> _Plan:
    """What to count for a game. Compiling is a matter of some tenths of a second, once a process."""
    odds = [pay.odds for bet in game.bets for pay in bet.pays]
    odds += [offer.odds for offer in game.offers.values()] if insurance else []
    unit = lcm(*(one.net.denominator for one in odds))
    columns = [bet_column(bet, unit) for bet in game.bets]
    states = tuple(game.offers) if insurance else ()
    columns += [state_column(game, state, None, unit) for state in states]
    columns += [state_column(game, state, game.offers[state], unit) for state in states]
    lines: list[tuple[str, str]] = []
    if outcomes:
        for bet in game.bets:
            for number, pay in enumerate(bet.pays):
                lines.append((bet.id, pay.name or "wins"))
                columns.append(line_column(bet, number))
    return _Plan(unit, tuple(columns), states, tuple(lines))


ANY_RESULT = min(possible_results())
ANY_FIRST_FOUR = min(possible_first_fours())


def _level(bet: Bet) -> Compiled:
    """The level at which a bet is compiled: by points unless its lines name pairs."""
    if not bet.needs_ranks:
        return by_points()
    return by_rank() if any(pay.result_facts for pay in bet.pays) else by_first_four()


def _outcome(way: Way) -> Outcome:
    """The outcome of a path; what its level does not tell is not looked at."""
    return Outcome(
        result(way.course) if way.course else ANY_RESULT, way.first_four if way.first_four else ANY_FIRST_FOUR
    )


def bet_column(bet: Bet, unit: int) -> Column:
    """The net result of a bet, in parts of ``unit``."""
    nets: dict[Outcome, int] = {}

    def value(way: Way) -> int:
        outcome = _outcome(way)
        if outcome not in nets:
            nets[outcome] = int(bet.net(outcome) * unit)
        return nets[outcome]

    return _level(bet), value


def line_column(bet: Bet, number: int) -> Column:
    """How often a line of a bet's pay table is met."""
    facts = bet.pays[number].result_facts, bet.pays[number].first_four_facts

    def covered(way: Way) -> int:
        outcome = _outcome(way)
        return int(holds(facts[0], outcome.result) and holds(facts[1], outcome.first_four))

    return _level(bet), covered


def state_column(game: Game, state: State, offer: Offer | None, unit: int) -> Column:
    """How often a state arises (no offer), or what its insurance bet comes to."""
    opens = game.insurance_terms.open if game.insurance_terms else None
    verdicts = Verdicts(state, offer) if offer else None

    def value(way: Way) -> int:
        if way.course is None or opens is None or state[1:] not in moments(way.course, opens):
            return 0
        if verdicts is None:
            return 1
        sign = verdicts.sign(way.course)
        return int(verdicts.offer.odds.net * unit) if sign > 0 else sign * unit

    return by_points(), value


def _totals(plan: _Plan, shoes: Ints) -> Array:
    """Every column for shoes of six cards or more, both cores at work."""
    points = np.stack([shoes[:, _ranks_worth(value)].sum(axis=1) for value in range(10)], axis=1)
    starts = range(0, len(shoes), CHUNK)
    columns = len(plan.columns)
    polynomials = plan.polynomials

    def chunk(start: int) -> Array:
        found: Array = np.zeros((min(CHUNK, len(shoes) - start), columns), dtype=object)
        parts = []
        for level, places, polynomial in polynomials:
            counts = (points if level.kinds == 10 else shoes)[start : start + CHUNK]
            parts.append((places, polynomial.totals(counts)))
        if all(part.dtype != object for _, part in parts):
            found = np.zeros(found.shape, dtype=np.int64)
        for places, part in parts:
            found[:, places] = part
        return found

    # The products are small: a thread of ours for each core does more than BLAS's own threads, which wait busily.
    with threadpool_limits(1, "blas"), ThreadPoolExecutor(cpu_count()) as pool:
        chunks = list(pool.map(chunk, starts))
    if not chunks:
        return np.zeros((0, columns), dtype=np.int64)
    return np.concatenate(chunks)


def _ranks_worth(points: int) -> list[int]:
    return [number for number, rank in enumerate(RANKS) if rank.points == points]


def _walked(game: Game, plan: _Plan, shoe: Shoe) -> list[int]:
    """Every column for a shoe that may not be able to finish a round, by the recursion."""
    found = walk(shoe)
    analyses = [bet_analysis(game, bet, found) for bet in game.bets]
    row = [int(one.expected_value * plan.unit * found.sample_space) for one in analyses]
    if plan.states:
        states = insurance_analysis(game, found)
        row += [one.ways for one in states]
        row += [int((one.offer.odds.net * one.won - one.lost) * plan.unit) for one in states]
    if plan.outcomes:
        row += [
            line.ways
            for one, bet in zip(analyses, game.bets, strict=True)
            for line in one.outcomes[: len(bet.pays)]
        ]
    return row
