"""The columns of a batch of shoes: numbers of ways, counted by the kernel."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from math import lcm
from typing import Any

import numpy as np

from combinat.analysis.bets import line_ways
from combinat.analysis.insurance import bets_by_moment, moments
from combinat.analysis.odds import Analysis
from combinat.engine import kernel
from combinat.engine.arrays import Array, Ints
from combinat.engine.distribution import Key
from combinat.engine.pair_program import pair_program
from combinat.engine.program import Columns, Program
from combinat.engine.six_cards import FEW_CARDS, few_card_ways, six_card_ways
from combinat.engine.walk import MOST_CARDS, walk
from combinat.rules.bet import Pay
from combinat.rules.deal_space import Course, result, result_with_thirds
from combinat.rules.game import Game
from combinat.rules.insurance import State
from combinat.rules.round import Stage
from combinat.rules.shoe import Shoe


def is_joint(pay: Pay) -> bool:
    """Whether a line depends on results and matches jointly, or on the ranks of pairs: no program counts it."""
    return pay.looks_at_pair_ranks or (pay.looks_at_result and pay.looks_at_first_four)


@dataclass(frozen=True, kw_only=True, eq=False)
class BatchColumns:
    """The columns for a game, each a number of ways.

    They are, in this order: the lines of the pay tables; the insurance states, those in which each is won, and
    those in which it is lost. Net results are in parts of ``unit``.
    """

    game: Game
    unit: int
    states: tuple[State, ...]

    @cached_property
    def lines(self) -> tuple[Pay, ...]:
        """The lines of all pay tables."""
        return tuple(pay for bet in self.game.bets for pay in bet.pays)

    @property
    def names(self) -> tuple[tuple[str, str], ...]:
        """The bet and the name of each line."""
        return tuple((bet.id, pay.name or "wins") for bet in self.game.bets for pay in bet.pays)

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.lines) + 3 * len(self.states)

    @cached_property
    def bet_of(self) -> tuple[int, ...]:
        """The number of the bet of each line."""
        return tuple(number for number, bet in enumerate(self.game.bets) for _ in bet.pays)

    @cached_property
    def nets(self) -> tuple[int, ...]:
        """The net result of each line."""
        return tuple(int(pay.odds.net * self.unit) for pay in self.lines)

    @cached_property
    def state_nets(self) -> tuple[int, ...]:
        """The net result of each state's insurance if it is won."""
        return tuple(int(self.game.offers[state].odds.net * self.unit) for state in self.states)

    @cached_property
    def largest(self) -> int:
        """The largest absolute net result."""
        return max(self.unit, *map(abs, self.nets), *self.state_nets)

    @cached_property
    def joint(self) -> dict[int, Pay]:
        """The joint lines, by their column."""
        return {column: pay for column, pay in enumerate(self.lines) if is_joint(pay)}

    @cached_property
    def program(self) -> Program:
        """The program that counts all but the joint lines, whose columns stay 0."""
        lines = {column: pay for column, pay in enumerate(self.lines) if not is_joint(pay)}
        by_match = {column: pay for column, pay in lines.items() if pay.looks_at_first_four}
        by_course = {column: pay for column, pay in lines.items() if column not in by_match}
        thirds = any(pay.looks_at_thirds for pay in by_course.values())
        result_of = result_with_thirds if thirds else result
        of_result = counted_by(by_course, Pay.covers_result)
        of_match = counted_by(by_match, Pay.covers_first_four)
        after_four, after_five = (self._states_passed(stage) for stage in Stage)

        def by_result_and_third_card(course: Course) -> Columns:
            return of_result(result_of(course)) + after_five(course)

        parts = (by_result_and_third_card, after_four) if self.states else (by_result_and_third_card,)
        return pair_program(self.game.table_of_play, self.width, parts, of_match)

    def _states_passed(self, stage: Stage) -> Callable[[Course], Columns]:
        """Return the columns that count a course for the states of a stage."""
        number = len(self.states)
        places = {state: place for place, state in enumerate(self.states, start=len(self.lines))}
        at, terms = bets_by_moment(self.game) if self.states else {}, self.game.insurance_terms

        def columns(course: Course) -> Columns:
            passed = [one for one in moments(course, terms.open) if one.stage is stage] if terms else []
            bets = [bet for moment in passed for bet in at.get(moment, ())]
            ended = [(places[bet.state], bet.sign(course)) for bet in bets]
            reached = [place for place, _ in ended]
            return (
                *reached,
                *(place + (number if sign > 0 else 2 * number) for place, sign in ended if sign),
            )

        return columns

    def ways(self, shoes: Ints, use: kernel.Use) -> None:
        """Count every column of shoes of six cards or more; pass them to ``use`` some shoes at a time."""
        if not self.joint:
            return kernel.ways(self.program, shoes, use)
        joint = self.joint_ways(shoes).T

        def with_joint(places: Any, ways: Array) -> None:
            ways[list(self.joint)] = joint[:, places]
            use(places, ways)

        return kernel.ways(self.program, shoes, with_joint)

    def joint_ways(self, shoes: Ints) -> Array:
        """Return the joint lines of shoes of six cards or more.

        Shoes of few cards are counted together, others one by one.
        """
        sizes = shoes.sum(axis=1)
        walked = sizes > FEW_CARDS
        ways: Array = np.zeros((len(shoes), len(self.joint)), dtype=object if walked.any() else np.int64)
        for size in range(MOST_CARDS, FEW_CARDS + 1):
            if (sizes == size).any():
                ways[sizes == size] = few_card_ways(shoes[sizes == size], size, self._of_six)
        for row in np.flatnonzero(walked):
            ways[row] = self.joint_walked(Shoe(tuple(shoes[row].tolist())))
        return ways

    def _of_six(self, shoes: Ints) -> Ints:
        lines = self.joint.values()
        return six_card_ways(
            self.game.table_of_play,
            shoes,
            [pay.covers for pay in lines],
            thirds=any(pay.looks_at_thirds for pay in lines),
            pair_ranks=any(pay.looks_at_pair_ranks for pay in lines),
        )

    def joint_walked(self, shoe: Shoe) -> list[int]:
        """Return the joint lines of one shoe of six cards or more, counted by the recursion."""
        distribution = walk(shoe, self.game.round())
        return [line_ways(pay, distribution) for pay in self.joint.values()]

    def net_sums(self, ways: Array, spaces: Array, power: int, whole: np.dtype[Any]) -> Array:
        """Return the sum of a power of every bet's net result over all ways, in parts of ``unit`` to that power.

        It overwrites the ways, because fresh memory costs as much as the sums.
        int64 serves where no sum can be larger: the last 64 bits of a sum are right even if terms overflow.
        """
        rests, beyond = weights(self, power, whole)
        sums: Array = rests * spaces.astype(whole, copy=False)
        products = ways[: len(beyond)].astype(whole, copy=False)
        products *= beyond
        totals = list(sums)
        for bet, product in zip(self.bet_of, products, strict=True):
            totals[bet] += product
        return sums

    def state_sums(self, ways: Array, whole: np.dtype[Any]) -> Array:
        """Return the sum of the net results of every state's insurance over all ways, which it overwrites."""
        first, number = len(self.lines) + len(self.states), len(self.states)
        won = ways[first : first + number].astype(whole, copy=False)
        lost = ways[first + number :].astype(whole, copy=False)
        won *= np.array(self.state_nets, dtype=whole)[:, None]
        lost *= self.unit
        won -= lost
        return won

    def net_sums_of(self, analysis: Analysis, power: int) -> list[int]:
        """Return the same sums of a shoe that was analysed by itself; of void rounds too."""
        return [
            sum(int((line.net * self.unit) ** power) * line.ways for line in bet.outcomes)
            for bet in analysis.bets
        ]

    def of_shoe(self, analysis: Analysis) -> list[int]:
        """Return every column of a shoe that was analysed alone."""
        paid = zip(self.game.bets, analysis.bets, strict=True)
        ways = [int(line.ways) for bet, one in paid for line in one.outcomes[: len(bet.pays)]]
        states = analysis.insurance if self.states else ()
        return ways + [int(getattr(state, name)) for name in ("ways", "won", "lost") for state in states]


@lru_cache(maxsize=64)
def weights(columns: BatchColumns, power: int, whole: np.dtype[Any]) -> tuple[Array, Array]:
    """Return a power of the net result of each bet in a round that no line covers, and what each line adds to it."""
    rests = [int(bet.rest * columns.unit) ** power for bet in columns.game.bets]
    beyond = [net**power - rests[bet] for net, bet in zip(columns.nets, columns.bet_of, strict=True)]
    return np.array(rests, dtype=whole)[:, None], np.array(beyond, dtype=whole)[:, None]


def counted_by(lines: Mapping[int, Pay], covers: Callable[[Pay, Key], bool]) -> Callable[[Key], Columns]:
    """Return a function of a result or a match: the columns of the lines that cover it."""

    @cache
    def columns(key: Key) -> Columns:
        return tuple(column for column, pay in lines.items() if covers(pay, key))

    return columns


@lru_cache(maxsize=32)
def batch_columns(game: Game, insurance: bool) -> BatchColumns:
    """Return the columns of a game: the lines of its pay tables, and on request insurance states."""
    odds = [pay.odds for bet in game.bets for pay in bet.pays]
    odds += [offer.odds for offer in game.offers.values()] if insurance else []
    unit = lcm(*(each.net.denominator for each in odds))
    return BatchColumns(game=game, unit=unit, states=tuple(game.offers) if insurance else ())
