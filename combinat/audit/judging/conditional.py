"""Sums of outcomes minus their exact probabilities given the cards left, over all rounds of whole shoes.

The sum is a martingale: its terms have mean 0 given the earlier cards, under any rule that ends a shoe. Every
round therefore counts, including late rounds that are dealt only after certain cards. Cards burned face down
are unseen and count among the cards left.

Probabilities are counts of ways over a falling factorial of the number of cards left. The counts are added as
integers for each number of cards, and these sums are combined to far more places than are printed. Variances
are floats, because they only scale a statistic.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
from scipy.sparse import csc_array

from combinat.analysis.evaluate import Evaluation, evaluate
from combinat.audit.judging.statistics import Reals, ratios
from combinat.audit.judging.terms import LogTerms
from combinat.montecarlo.cell import (
    NO_CARD,
    NUMBER,
    POINTS,
    STOOD,
    WINNERS,
    CellFacts,
    Deals,
    Indices,
)
from combinat.montecarlo.tally import FIRST_CARDS
from combinat.rules.bet import Bet, Pay
from combinat.rules.cards import RANKS
from combinat.rules.deal_space import Course, deal_space
from combinat.rules.game import Game
from combinat.rules.insurance import State
from combinat.rules.outcome import Result
from combinat.rules.round import Stage

Ints = npt.NDArray[np.int64]
Ways = npt.NDArray[Any]
"""Counts of ways: integers of 64 bits, or Python's own for huge shoes."""

SLOTS = (*FIRST_CARDS, "player-third", "banker-third")
"""The cards of a round in the order of their dealing."""

BLOCK = 2**14
"""Rounds whose ways are kept at once: some 200 numbers each."""

BITS = 128
"""Binary places to which chances are taken when they are added up."""

_LOW = 2**32 - 1


def to_decimals(total: int) -> Fraction:
    """Return a sum of chances with ``BITS`` binary places, to twelve decimals."""
    return Fraction((total * 10**12 + 2 ** (BITS - 1)) >> BITS, 10**12)


@dataclass(slots=True)
class Sums:
    """Mutually exclusive events: the count of each, and the sum of its probabilities.

    ``products``: the sums of the products of probabilities, for the covariances.
    """

    seen: Ints
    products: Reals
    rounds: int = 0
    _by_space: dict[int, npt.NDArray[Any]] = field(default_factory=dict)

    @classmethod
    def of(cls, number: int) -> "Sums":
        """Return the sums of no rounds."""
        return cls(np.zeros(number, dtype=np.int64), np.zeros((number, number)))

    def add(self, spaces: Ints, ways: npt.NDArray[np.generic], happened: Indices) -> None:
        """Add rounds: the ways of each event out of the round's space, and the event that occurred."""
        if not len(happened):
            return
        self.rounds += len(happened)
        self.seen += np.bincount(happened, minlength=len(self.seen))
        self._add_ways(spaces, ways)
        chances = ratios(ways, spaces)
        self.products += chances.T @ chances

    def _add_ways(self, spaces: Ints, ways: Ways) -> None:
        """Add the ways of each event, by the ways of a round: exactly, in halves of 32 bits."""
        number = len(spaces)
        kinds, place = np.unique(spaces, return_inverse=True)
        members = csc_array((np.ones(number, np.int64), place, np.arange(number + 1)), (len(kinds), number))
        if ways.dtype == object:
            members = members.toarray().astype(object)
        halves = [members @ half for half in (ways >> 32, ways & _LOW)]
        for space, both in zip(kinds.tolist(), np.stack(halves, axis=1), strict=True):
            self._by_space[space] = self._by_space[space] + both if space in self._by_space else both

    def expected(self) -> list[Fraction]:
        """Return the expected count of each event, to twelve decimals."""
        sums = [0] * len(self.seen)
        for space, (high, low) in self._by_space.items():
            for event, (up, down) in enumerate(zip(high.tolist(), low.tolist(), strict=True)):
                sums[event] += (((up << 32) + down) << BITS) // space
        return [to_decimals(total) for total in sums]

    def covariances(self, expected: Sequence[Fraction]) -> Reals:
        """Return the covariances of the sums, given the cards dealt before."""
        return np.diag([float(value) for value in expected]) - self.products

    def merged(self, into: Sequence[int], number: int) -> "Sums":
        """Return the sums with events merged; ``into``: the new number of each event."""
        matrix = np.zeros((number, len(into)), dtype=np.int64)
        matrix[list(into), np.arange(len(into))] = 1
        by_space = {space: halves @ matrix.T for space, halves in self._by_space.items()}
        return Sums(matrix @ self.seen, matrix @ self.products @ matrix.T, self.rounds, by_space)


class ResultWays:
    """The ways of each result of a round, and of each net result of some bets, for any cards left.

    ``bets``: those that the result alone does not decide.
    """

    def __init__(self, game: Game, bets: Sequence[Bet] = ()) -> None:
        self.results = tuple(sorted(deal_space(game.table_of_play).results))
        lines = tuple(_line(number, result) for number, result in enumerate(self.results))
        every = Bet(id="results", name="results", about="", defined="", settled="", layouts=(), pays=lines)
        self._asked = msgspec.structs.replace(game, bets=(every, *bets), insurance=())
        place = np.full((10, 10, 2, 2), -1, dtype=np.intp)
        self.winners = np.zeros((len(self.results), len(WINNERS)), dtype=np.int64)
        for number, result in enumerate(self.results):
            at = result.player_points, result.banker_points, result.player_cards - 2, result.banker_cards - 2
            place[at] = number
            self.winners[number, WINNERS.index(str(result.winner))] = 1
        facts = CellFacts.of(np.arange(NUMBER))
        player, banker = facts.player + facts.player_third, facts.banker + facts.banker_third
        drew = [(third != STOOD).astype(int) for third in (facts.player_third, facts.banker_third)]
        self._of_cell: Indices = place[player % 10, banker % 10, drew[0], drew[1]]

    def of(self, before: Ints) -> tuple[Ints, Ways, list[Ways]]:
        """Return, for each row of six or more cards left, the ways of a round, of each result, and of each bet's nets."""
        evaluation = evaluate(self._asked, before, outcomes=True)
        spaces, every = evaluation.sample_spaces, evaluation.outcome_ways
        assert every is not None
        start, of_bets = len(self.results), list[Ways]()
        for bet in self._asked.bets[1:]:
            nets, lines = list(bet.nets), every[:, start : start + len(bet.pays)]
            columns = np.zeros((len(before), len(nets)), dtype=every.dtype)
            for line, pay in zip(lines.T, bet.pays, strict=True):
                columns[:, nets.index(pay.odds.net)] += line
            columns[:, nets.index(bet.rest)] += spaces - lines.sum(axis=1)
            of_bets.append(columns)
            start += len(bet.pays)
        return spaces, every[:, : len(self.results)], of_bets

    def result_numbers(self, cells: Indices) -> Indices:
        """Return the result of each round, by its number."""
        numbers: Indices = self._of_cell[cells]
        return numbers


class Conditional:
    """The sums of a log of whole shoes: results, net results of bets and insurance, ranks of cards."""

    def __init__(self, terms: LogTerms) -> None:
        self.game, self._tells_ranks, game = terms.game, terms.tells_ranks, terms.game
        bets = (
            [bet for bet in game.bets if bet.needs_ranks or bet.looks_at_thirds] if terms.tells_ranks else []
        )
        self._ways = ResultWays(game, bets)
        self.results = self._ways.results
        self.of_results = Sums.of(len(self.results))
        self.of_bets = {bet.id: Sums.of(len(bet.nets)) for bet in bets}
        self._partitions = terms.partitions
        self.cards = {slot: Sums.of(len(RANKS)) for slot in SLOTS}
        self.states: dict[State, tuple[list[Fraction], Sums]] = {}

    def add(self, before: Ints, dealt: Deals, cells: Indices) -> Reals:
        """Add rounds, each with the six or more cards left before it.

        Return each round's winner probabilities.
        """
        chances: Reals = np.empty((len(cells), len(WINNERS)))
        for start in range(0, len(cells), BLOCK):
            some = np.arange(start, min(start + BLOCK, len(cells)))
            chances[some] = self._add(before[some], dealt.take(some), cells[some])
        self._add_insurance(before, dealt, cells)
        return chances

    def _add(self, before: Ints, dealt: Deals, cells: Indices) -> Reals:
        spaces, ways, of_bets = self._ways.of(before)
        self.of_results.add(spaces, ways, self._ways.result_numbers(cells))
        for (bet, sums), columns in zip(self.of_bets.items(), of_bets, strict=True):
            partition, nets = self._partitions[bet], self.game.bet(bet).nets
            order = np.array([nets.index(label) for label in partition.labels if isinstance(label, Fraction)])
            sums.add(spaces, columns, order[partition.labels_of(cells, dealt)])
        if self._tells_ranks:
            self._add_cards(before, dealt)
        return ratios(ways @ self._ways.winners.astype(ways.dtype), spaces)

    def _add_insurance(self, before: Ints, dealt: Deals, cells: Indices) -> None:
        """Add the net result of insurance in each round with an offer."""
        for partition in self._partitions.values():
            labels = partition.of_cell[cells] if "@" in partition.subject else cells[:0]
            for number in np.unique(labels).tolist():
                label = partition.labels[number]
                if not isinstance(label, tuple):
                    continue
                state, net = label
                rows = np.flatnonzero(labels == number)
                nets, ways, spaces, _ = insurance_ways(self.game, state, before, dealt, rows)
                sums = self.states.setdefault(state, (nets, Sums.of(len(nets))))[1]
                sums.add(spaces, ways, np.full(len(ways), nets.index(net), dtype=np.intp))

    def _add_cards(self, before: Ints, dealt: Deals) -> None:
        """Add the rank of each card, given every card before it."""
        left, sizes = before.copy(), before.sum(axis=1)
        for slot, cards in zip(SLOTS, in_order(dealt), strict=True):
            drawn = cards.astype(np.intp)
            has = np.flatnonzero(drawn != NO_CARD)
            self.cards[slot].add(sizes[has], left[has], drawn[has])
            left[has, drawn[has]] -= 1
            sizes[has] -= 1

    def bet(self, bet_id: str) -> tuple[Sequence[Fraction], Sums]:
        """Return the net results of a bet, and their sums."""
        bet = self.game.bet(bet_id)
        if bet_id in self.of_bets:
            return bet.nets, self.of_bets[bet_id]
        into = [bet.nets.index(bet.result_net(result)) for result in self._ways.results]
        return bet.nets, self.of_results.merged(into, len(bet.nets))


def in_order(dealt: Deals) -> tuple[npt.NDArray[np.uint8], ...]:
    """Return the cards of rounds in the order of their dealing."""
    (p1, p2, p3), (b1, b2, b3) = dealt.player, dealt.banker
    return p1, b1, p2, b2, p3, b3


def _line(number: int, result: Result) -> Pay:
    """Return a line of a pay table that covers this result alone, so that its ways are counted."""
    line = Pay.of(
        "1 to 1",
        player_points=result.player_points,
        banker_points=result.banker_points,
        player_cards=result.player_cards,
        banker_cards=result.banker_cards,
    )
    return msgspec.structs.replace(line, name=str(number))


def edges_and_variances(evaluation: Evaluation) -> tuple[Reals, Reals]:
    """Return the expected value and the variance of each bet for each row of cards left, as floats."""
    assert evaluation.square_numerators is not None
    edges = ratios(evaluation.numerators, evaluation.denominators)
    return edges, ratios(evaluation.square_numerators, evaluation.denominators) / evaluation.unit - edges**2


# ---------------------------------------------------------------- insurance


def insurance_ways(
    game: Game, state: State, before: Ints, dealt: Deals, rows: Indices
) -> tuple[list[Fraction], Ints, Ints, npt.NDArray[np.bool_]]:
    """Return the net results of a state's insurance, their ways in these rounds, and the space of each round.

    Rounds with fewer than two cards left are excluded; the last value lists the rounds that remain.
    """
    offer, is_early = game.offers[state], state.stage is Stage.FOUR_CARDS
    left = before[rows].copy()
    for cards in in_order(dealt)[: 4 if is_early else 5]:
        np.subtract.at(left, (np.arange(len(rows)), cards[rows]), 1)
    left = _by_points(left)
    enough: npt.NDArray[np.bool_] = left.sum(axis=1) >= 2
    left, sizes = left[enough], left.sum(axis=1)[enough]
    nets = sorted({Fraction(-1), Fraction(0), offer.odds.net})
    if not is_early:  # one card is to come, to the Banker Hand
        comes_to = np.zeros((10, len(nets)), dtype=np.int64)
        for card in range(10):
            result = Result(state.player_points, (state.banker_points + card) % 10, 3, 3)
            comes_to[card, nets.index(offer.net(state.side, result))] = 1
        return nets, left @ comes_to, sizes, enough
    space, start = deal_space(game.table_of_play), Course(state.player_points, state.banker_points)
    pairs = np.zeros((len(nets), 10, 10), dtype=np.int64)
    for first, second in product(range(10), repeat=2):  # at most two more cards, drawn or not
        ended = space.ending(start, (first, second)).result
        pairs[nets.index(offer.net(state.side, ended)), first, second] = 1
    ways = [((left @ matrix) * left).sum(axis=1) - left @ np.diag(matrix) for matrix in pairs]
    return nets, np.stack(ways, axis=1), sizes * (sizes - 1), enough


def _by_points(left: Ints) -> Ints:
    """Return counts by rank, summed by points."""
    points: Ints = np.zeros((len(left), 10), dtype=np.int64)
    for rank, value in enumerate(POINTS[:NO_CARD].tolist()):
        points[:, value] += left[:, rank]
    return points
