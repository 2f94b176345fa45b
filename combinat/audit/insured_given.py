"""Insurance judged given the cards left and the cards on the table, offer by offer."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from combinat.audit.given_the_cards import Ints, Sums, in_order
from combinat.audit.settled import insured
from combinat.montecarlo.cell import NO_CARD, POINTS, Indices, Six
from combinat.montecarlo.question import NOT_OFFERED, Question
from combinat.rules.game import Game
from combinat.rules.insurance import Offer, State
from combinat.rules.outcome import Result
from combinat.rules.round import Stage
from combinat.rules.table_of_play import Hand


class InsuredGiven:
    """The sums of every insurance state: what its bet came to, each time that it was offered."""

    def __init__(self, game: Game, questions: Sequence[Question]) -> None:
        self.game = game
        self._tables = [question for question in questions if "@" in question.subject]
        self.states: dict[State, tuple[list[Fraction], Sums]] = {}

    def add(self, before: Ints, dealt: Six, cells: Indices) -> None:
        """Add rounds, each with the cards left before it."""
        if not self._tables:
            return
        for question in self._tables:
            _, stage = insured(question.subject)
            labels = question.of_cell[cells]
            for number in np.unique(labels).tolist():
                label = question.labels[number]
                if label != NOT_OFFERED and isinstance(label, tuple):
                    self._add(label[0], label[1], stage, before, dealt, np.flatnonzero(labels == number))

    def _add(
        self, state: State, net: Fraction, stage: Stage, before: Ints, dealt: Six, rows: Indices
    ) -> None:
        """Rounds in which the insurance of a state came to this net result."""
        nets, ways, spaces, _ = self.ways(state, stage, before, dealt, rows)
        if len(ways):
            sums = self.states.setdefault(state, (nets, Sums.of(len(nets))))[1]
            sums.add(spaces, ways, np.full(len(ways), nets.index(net), dtype=np.intp))

    def ways(
        self, state: State, stage: Stage, before: Ints, dealt: Six, rows: Indices
    ) -> tuple[list[Fraction], Ints, Ints, npt.NDArray[np.bool_]]:
        """The net results of a state's insurance, their ways in these rounds out of a space each.

        Of rounds with fewer than two cards left nothing is said; last comes which the others are.
        """
        offer = self.game.offers[state]
        seen = 4 if stage is Stage.FOUR_CARDS else 5
        left = before[rows].copy()
        for cards in in_order(dealt)[:seen]:
            np.subtract.at(left, (np.arange(len(rows)), cards[rows]), 1)
        left = _by_points(left)
        enough: npt.NDArray[np.bool_] = left.sum(axis=1) >= 2
        left, sizes = left[enough], left.sum(axis=1)[enough]
        nets = sorted({Fraction(-1), Fraction(0), offer.odds.net})
        given = self._of_four if stage is Stage.FOUR_CARDS else self._of_five
        return nets, *given(state, offer, left, sizes, nets), enough

    def _of_five(
        self, state: State, offer: Offer, left: Ints, sizes: Ints, nets: list[Fraction]
    ) -> tuple[Ints, Ints]:
        """One card is to come, to the Banker Hand."""
        comes_to = np.zeros((10, len(nets)), dtype=np.int64)
        for card in range(10):
            result = Result(state.player_points, (state.banker_points + card) % 10, 3, 3)
            comes_to[card, nets.index(offer.net(state.side, result))] = 1
        return left @ comes_to, sizes

    def _of_four(
        self, state: State, offer: Offer, left: Ints, sizes: Ints, nets: list[Fraction]
    ) -> tuple[Ints, Ints]:
        """Two cards more at the most: for each pair of them, whether or not both are drawn, what it comes to."""
        table = self.game.table_of_play
        player, banker = (state.player_points, 0), (state.banker_points, 0)
        ways = np.zeros((len(left), len(nets)), dtype=np.int64)
        pairs = np.zeros((len(nets), 10, 10), dtype=np.int64)
        for first in range(10):
            for second in range(10):
                cards = [first, second]
                p: tuple[int, ...] = player
                b: tuple[int, ...] = banker
                while cards and (hand := table.next_hand(p, b)) is not None:
                    card = cards.pop(0)
                    p, b = ((*p, card), b) if hand is Hand.PLAYER else (p, (*b, card))
                result = Result(sum(p) % 10, sum(b) % 10, len(p), len(b))
                pairs[nets.index(offer.net(state.side, result)), first, second] = 1
        for number, matrix in enumerate(pairs):
            both = ((left @ matrix) * left).sum(axis=1)
            ways[:, number] = both - left @ np.diag(matrix)
        return ways, sizes * (sizes - 1)


def _by_points(left: Ints) -> Ints:
    """Counts by rank, put together by points."""
    points: Ints = np.zeros((len(left), 10), dtype=np.int64)
    for rank, value in enumerate(POINTS[:NO_CARD].tolist()):
        points[:, value] += left[:, rank]
    return points
