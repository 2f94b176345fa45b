"""The counts of a replayed log: cells, ranks and consecutive rounds, given the cards left if known."""

from dataclasses import replace

import numpy as np

from combinat.audit.judging.conditional import Conditional
from combinat.audit.judging.replay import Piece, Replay
from combinat.audit.judging.serial import Serial
from combinat.montecarlo.cell import NO_CARD, Deals, Pairing, winners_of
from combinat.montecarlo.counts import JointCell, Observed, Times
from combinat.montecarlo.shoes import Burn
from combinat.montecarlo.tally import Tallies, Tally, tallied
from combinat.rules.game import Game


class Counting:
    """The rounds of a log so far. ``short_shoes``: the shoes that end before the cut card can appear.

    ``is_tested``: if False, only rounds and shoes are counted.
    """

    def __init__(self, replay: Replay, *, is_tested: bool = True) -> None:
        partitions = replay.partitions
        self.shoe, self.whole_shoes, self.tells_ranks = (
            replay.shoe,
            replay.whole_shoes,
            replay.notation.tells_ranks,
        )
        self._cut_card, self._is_tested = replay.cut_card or 0, is_tested
        self.partitions = partitions
        self.shoes = self.short_shoes = self.unfinished = 0
        self.tally = Tally(partitions)
        self.serial = Serial()
        self.conditional = Conditional(replay.game, partitions) if self.whole_shoes and is_tested else None

    def add(self, piece: Piece) -> None:
        """Count the possible rounds of a piece."""
        rounds = piece.certain_rounds
        self.unfinished += int((piece.possible & piece.first).sum()) - len(rounds)
        if not len(rounds):
            return
        dealt, cells, left = piece.dealt.take(rounds), piece.cells[rounds], piece.left[rounds]
        self.tally.add(tallied(self.partitions, dealt, cells))
        if self.whole_shoes:
            self._add_shoes(piece.shoes[rounds], left, dealt)
        if not self._is_tested:
            return
        chances = None
        if self.conditional is not None:
            chances = self.conditional.add(left, dealt, cells, self.tells_ranks)
        if self.tells_ranks:
            self.serial.add(piece, rounds, dealt)
        self.serial.add_winners(piece.table, winners_of(cells), chances)

    def _add_shoes(self, shoes: Tallies, left: Tallies, dealt: Deals) -> None:
        """Count shoes, and the shoes that end with more cards left than any cut card and burn can leave."""
        ends = np.flatnonzero(np.diff(shoes, append=shoes[-1] + 1))
        drawn = (dealt.cards[:, ends] != NO_CARD).sum(axis=0)
        self.shoes += len(ends)
        most = self._cut_card + Burn(first_card=True).most
        self.short_shoes += int((left[ends].sum(axis=1) - drawn > most).sum())


def by_points(counted: Observed, game: Game) -> Observed:
    """Return the counts for cards recorded by points: without pairs and ranks."""
    cells: dict[JointCell, Times] = {}
    for cell, times in counted.cells.items():
        alike = cell._replace(pairs=Pairing.NONE)
        before = cells.get(alike, Times(0))
        cells[alike] = Times(before.rounds + times.rounds)
    bets = {bet_id: results for bet_id, results in counted.bets.items() if not game.bet(bet_id).needs_ranks}
    return replace(counted, bets=bets, cells=cells if counted.shoes is None else {}, cards={}, repeats=None)
