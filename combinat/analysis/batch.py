"""The shoes of a batch, checked, and the columns of its table: numbers of ways, counted by the kernel."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from math import lcm
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from combinat.analysis.bets import line_ways
from combinat.analysis.insurance import bets_by_moment, moments
from combinat.analysis.odds import Analysis
from combinat.base.errors import InputError, in_words
from combinat.engine import kernel
from combinat.engine.arrays import Array, Ints
from combinat.engine.pair_program import pair_program
from combinat.engine.program import Columns, Program
from combinat.engine.six_cards import FEW_CARDS, few_card_ways, six_card_ways
from combinat.engine.walk import MOST_CARDS, walk
from combinat.rules import bounds
from combinat.rules.bet import Pay
from combinat.rules.cards import RANKS
from combinat.rules.deal_space import Course, result, result_with_thirds
from combinat.rules.game import Game
from combinat.rules.insurance import State
from combinat.rules.round import Stage
from combinat.rules.shoe import Shoe

MOST = bounds.RANK_CARDS
"""The most cards of a rank."""

SHAPE = f"(shoes, {len(RANKS)})"


def checked_counts(counts: npt.ArrayLike) -> Ints:
    """Return the counts as int64; refuse counts that are no shoes, naming the first wrong row and rank."""
    if isinstance(counts, (list, tuple)):
        _check_listed(counts)
    try:
        shoes: Array = np.asarray(counts)
    except ValueError:
        raise InputError(f"counts must have the shape {SHAPE}; found rows of different lengths") from None
    if shoes.ndim != 2 or shoes.shape[1] != len(RANKS):
        raise InputError(f"counts must have the shape {SHAPE}; found {shoes.shape}")
    if not np.issubdtype(shoes.dtype, np.integer):
        for number, row in enumerate(shoes.tolist()):
            _check_whole(number, row)
        shoes = shoes.astype(object)
    for wrong, must in ((shoes < 0, "must not be negative"), (shoes > MOST, f"must be at most {MOST}")):
        for row, column in np.argwhere(wrong)[:1]:
            found = in_words(int(shoes[row, column]))
            raise InputError(f"shoe {row}: the count of {RANKS[column]} {must}; found {found}")
    return np.array(shoes, dtype=np.int64, order="C")


def _check_listed(rows: Sequence[Any]) -> None:
    """Refuse rows of unequal length, and values that numpy would convert to whole numbers."""
    listed = [(number, row) for number, row in enumerate(rows) if isinstance(row, (list, tuple))]
    if len({len(row) for _, row in listed}) > 1:
        number, row = next((number, row) for number, row in listed if len(row) != len(RANKS))
        raise InputError(f"shoe {number}: there must be {len(RANKS)} counts, A to K; found {len(row)}")
    for number, row in listed:
        if len(row) == len(RANKS) and set(map(type, row)) != {int}:
            _check_whole(number, row)


def _check_whole(number: int, row: Any) -> None:
    for rank, count in zip(RANKS, row, strict=True):
        if isinstance(count, (list, tuple, np.ndarray)):
            return  # nested too deeply: the check of the shape reports it
        if isinstance(count, (bool, np.bool_)) or not isinstance(count, (int, np.integer)):
            raise InputError(
                f"shoe {number}: the count of {rank} must be a whole number; found {in_words(count)}"
            )


Key = TypeVar("Key")


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
    def nets(self) -> list[tuple[slice, list[int], int]]:
        """For each bet the columns of its lines, their net results, and that of a round which none covers."""
        nets, first = [], 0
        for bet in self.game.bets:
            last = first + len(bet.pays)
            paid = [int(pay.odds.net * self.unit) for pay in bet.pays]
            nets.append((slice(first, last), paid, int(bet.rest * self.unit)))
            first = last
        return nets

    @cached_property
    def odds(self) -> list[int]:
        """The odds of the insurance in each state."""
        return [int(self.game.offers[state].odds.net * self.unit) for state in self.states]

    @cached_property
    def largest(self) -> int:
        """The largest absolute net result."""
        return max(self.unit, *self.odds, *(abs(net) for _, paid, rest in self.nets for net in (*paid, rest)))

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

    def ways(self, shoes: Ints) -> Array:
        """Return every column of shoes of six cards or more."""
        ways = kernel.ways(self.program, shoes)
        if self.joint:
            ways[:, list(self.joint)] = self.joint_ways(shoes)
        return ways

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

    def of_shoe(self, analysis: Analysis) -> list[int]:
        """Return every column of a shoe that was analysed by itself."""
        paid = zip(self.game.bets, analysis.bets, strict=True)
        ways = [int(line.ways) for bet, one in paid for line in one.outcomes[: len(bet.pays)]]
        states = analysis.insurance if self.states else ()
        return ways + [int(getattr(state, name)) for name in ("ways", "won", "lost") for state in states]


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
