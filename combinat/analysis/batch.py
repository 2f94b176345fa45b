"""The shoes of a batch, checked, and the columns of its table, counted by the kernel or by ``walk``."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from math import lcm
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from combinat.analysis.bets import bet_analysis
from combinat.analysis.insurance import bets_by_moment, insurance_analysis, moments
from combinat.base.errors import InputError, in_words
from combinat.engine.arrays import Array, Ints
from combinat.engine.kernel import BOUND
from combinat.engine.pair_program import BatchQuestion
from combinat.engine.pairs import NO_MATCH
from combinat.engine.program import Values
from combinat.engine.six_cards import FEW_CARDS, few_card_totals, most_of, six_card_totals
from combinat.engine.walk import MOST_CARDS, walk
from combinat.rules import bounds
from combinat.rules.bet import Bet, Pay
from combinat.rules.cards import RANKS
from combinat.rules.deal_space import Course, result, result_with_thirds
from combinat.rules.game import Game
from combinat.rules.insurance import State
from combinat.rules.outcome import FirstFour, Outcome, Result
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


class BatchColumn:
    """A figure to which every outcome adds a whole number: the value of the first line that covers it.

    ``otherwise``: the number that an outcome adds if no line covers it.
    """

    def __init__(self, lines: list[tuple[Pay, int]], otherwise: int) -> None:
        self.lines, self.otherwise = lines, otherwise
        self.looks_at_result = any(pay.looks_at_result for pay, _ in lines)
        self.looks_at_first_four = any(pay.looks_at_first_four for pay, _ in lines)
        self.looks_at_thirds = any(pay.looks_at_thirds for pay, _ in lines)
        self.looks_at_pair_ranks = any(pay.looks_at_pair_ranks for pay, _ in lines)

    @classmethod
    def of_bet(cls, bet: Bet, net: Callable[[Fraction], int]) -> "BatchColumn":
        """A whole number for each net result of a bet."""
        return cls([(pay, net(pay.odds.net)) for pay in bet.pays], net(bet.rest))

    @classmethod
    def of_line(cls, bet: Bet, number: int) -> "BatchColumn":
        """1 for each outcome that a line of a bet's pay table covers."""
        return cls([(bet.pays[number], 1)], 0)

    @property
    def is_joint(self) -> bool:
        """Whether it depends on results and matches jointly, or on the ranks of pairs.

        Only ``walk`` counts such columns.
        """
        return self.looks_at_pair_ranks or (self.looks_at_result and self.looks_at_first_four)

    @property
    def largest(self) -> int:
        """The largest absolute value that an outcome adds."""
        return max(abs(self.otherwise), *(abs(value) for _, value in self.lines))

    def value(self, outcome: Outcome) -> int:
        """The number that an outcome adds."""
        for pay, value in self.lines:
            if pay.covers(outcome):
                return value
        return self.otherwise


Key = TypeVar("Key")

ANY_RESULT = Result(0, 0, 2, 2)


@dataclass(frozen=True, kw_only=True, eq=False)
class BatchColumns:
    """The columns for a game, in this order: bets, ways of states, nets of states, lines of the pay tables.

    Nets are in parts of ``unit``. Nets of bets are raised to ``power``; 2 gives the variance.
    """

    game: Game
    unit: int
    power: int
    bets: tuple[BatchColumn, ...]
    states: tuple[State, ...]
    outcomes: tuple[tuple[str, str], ...]
    lines: tuple[BatchColumn, ...]

    @cached_property
    def settled(self) -> dict[int, BatchColumn]:
        """The columns that depend on outcomes, by their index in the table."""
        after = len(self.bets) + 2 * len(self.states)
        return dict(enumerate(self.bets)) | dict(enumerate(self.lines, start=after))

    @property
    def width(self) -> int:
        """How many columns there are."""
        return len(self.settled) + 2 * len(self.states)

    @cached_property
    def joint(self) -> dict[int, BatchColumn]:
        """The joint columns, by their index."""
        return {place: column for place, column in self.settled.items() if column.is_joint}

    @cached_property
    def question(self) -> BatchQuestion:
        """The columns as a question to the kernel. The kernel does not count joint columns; they stay 0.

        Every round adds the value of a lost bet. Its course and its match add the difference if the bet is
        won or returned.
        """
        columns = {place: column for place, column in self.settled.items() if place not in self.joint}
        by_match = {place: column for place, column in columns.items() if column.looks_at_first_four}
        by_course = {place: column for place, column in columns.items() if place not in by_match}
        thirds = any(column.looks_at_thirds for column in by_course.values())
        result_of = result_with_thirds if thirds else result

        def unmatched(ended: Result) -> Outcome:
            return Outcome(ended, NO_MATCH)

        def matched(match: FirstFour) -> Outcome:
            return Outcome(ANY_RESULT, match)

        of_result, of_match = values_by(by_course, unmatched), values_by(by_match, matched)
        after_four, after_five = (self._state_values(stage) for stage in Stage)

        def by_result_and_third_card(course: Course) -> Values:
            return of_result(result_of(course)) + after_five(course)

        paid = [int(self.game.offers[state].odds.net * self.unit) for state in self.states]
        return BatchQuestion(
            columns=self.width,
            largest=max([self.unit, *paid, *(column.largest for column in columns.values())]),
            every_round=tuple((place, column.otherwise) for place, column in columns.items()),
            courses=(by_result_and_third_card, after_four) if self.states else (by_result_and_third_card,),
            matches=of_match if by_match else None,
        )

    def _state_values(self, stage: Stage) -> Callable[[Course], Values]:
        """Return what a course adds to the states of a stage: a way, and the net in parts of ``unit``."""
        places = {state: place for place, state in enumerate(self.states, start=len(self.bets))}
        at, terms = bets_by_moment(self.game) if self.states else {}, self.game.insurance_terms

        def values(course: Course) -> Values:
            passed = [one for one in moments(course, terms.open) if one.stage is stage] if terms else []
            bets = [bet for moment in passed for bet in at.get(moment, ())]
            ways = [(places[bet.state], 1) for bet in bets]
            nets = [(places[bet.state] + len(places), int(bet.net(course) * self.unit)) for bet in bets]
            return (*ways, *((place, net) for place, net in nets if net))

        return values

    def joint_totals(self, shoes: Ints) -> Array:
        """Return the joint columns of shoes of six cards or more.

        Shoes of few cards are counted together, others one by one.
        """
        columns = self.joint.values()
        largest = max(column.largest for column in columns)
        few = [size for size in range(MOST_CARDS, FEW_CARDS + 1) if most_of(size, largest) < BOUND]
        sizes = shoes.sum(axis=1)
        walked = ~np.isin(sizes, few)
        totals: Array = np.zeros((len(shoes), len(columns)), dtype=object if walked.any() else np.int64)
        for size in few:
            if (sizes == size).any():
                totals[sizes == size] = few_card_totals(shoes[sizes == size], size, self._of_six)
        for row in np.flatnonzero(walked):
            totals[row] = self.joint_walked(Shoe(tuple(shoes[row].tolist())))
        return totals

    def _of_six(self, shoes: Ints) -> Ints:
        columns = self.joint.values()
        return six_card_totals(
            self.game.table_of_play,
            shoes,
            [column.value for column in columns],
            thirds=any(column.looks_at_thirds for column in columns),
            pair_ranks=any(column.looks_at_pair_ranks for column in columns),
        )

    def joint_walked(self, shoe: Shoe) -> list[int]:
        """Return the joint columns of one shoe of six cards or more, counted by the recursion."""
        distribution = walk(shoe, self.game.round())
        row = []
        for column in self.joint.values():
            counts = distribution.telling(
                thirds=column.looks_at_thirds, pair_ranks=column.looks_at_pair_ranks
            )
            row.append(sum(column.value(outcome) * ways for outcome, ways in counts.outcomes.items()))
        return row

    def walked(self, shoe: Shoe) -> list[int]:
        """Return all columns of one shoe of any size, counted by the recursion."""
        distribution = walk(shoe, self.game.round())
        analyses = [bet_analysis(self.game, bet, distribution) for bet in self.game.bets]
        row = [
            sum(int((line.net * self.unit) ** self.power) * line.ways for line in analysis.outcomes)
            for analysis in analyses
        ]
        if self.states:
            states = insurance_analysis(self.game, distribution)
            row += [state.ways for state in states]
            row += [int(((state.net or 0) * state.won - state.lost) * self.unit) for state in states]
        if self.lines:
            row += [
                line.ways
                for analysis, bet in zip(analyses, self.game.bets, strict=True)
                for line in analysis.outcomes[: len(bet.pays)]
            ]
        return row


def values_by(
    columns: Mapping[int, BatchColumn], outcome: Callable[[Key], Outcome]
) -> Callable[[Key], Values]:
    """Return a function of a key: what its outcome adds to the columns beyond the value of a lost bet."""

    @cache
    def values(key: Key) -> Values:
        beyond = [(place, column.value(outcome(key)) - column.otherwise) for place, column in columns.items()]
        return tuple((place, value) for place, value in beyond if value)

    return values


@lru_cache(maxsize=32)
def batch_columns(game: Game, insurance: bool, outcomes: bool) -> BatchColumns:
    """Return the columns of a game: bets, and on request insurance states and the lines of the pay tables."""
    odds = [pay.odds for bet in game.bets for pay in bet.pays]
    odds += [offer.odds for offer in game.offers.values()] if insurance else []
    unit = lcm(*(each.net.denominator for each in odds))
    paid = [(bet, number) for bet in game.bets for number in range(len(bet.pays))] if outcomes else []
    return BatchColumns(
        game=game,
        unit=unit,
        power=1,
        bets=_nets(game, unit, 1),
        states=tuple(game.offers) if insurance else (),
        outcomes=tuple((bet.id, bet.pays[number].name or "wins") for bet, number in paid),
        lines=tuple(BatchColumn.of_line(bet, number) for bet, number in paid),
    )


@lru_cache(maxsize=16)
def square_columns(game: Game, unit: int) -> BatchColumns:
    """Return the columns of the variance: the squares of the nets, which are larger numbers."""
    return BatchColumns(
        game=game, unit=unit, power=2, bets=_nets(game, unit, 2), states=(), outcomes=(), lines=()
    )


def _nets(game: Game, unit: int, power: int) -> tuple[BatchColumn, ...]:
    return tuple(BatchColumn.of_bet(bet, lambda net: int((net * unit) ** power)) for bet in game.bets)
