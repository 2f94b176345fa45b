"""The counts of a replayed log: cells, ranks and consecutive rounds, given the cards left if known."""

from dataclasses import replace

import numpy as np

from combinat.audit.judging.conditional import Conditional
from combinat.audit.judging.replay import Piece, Replay
from combinat.audit.judging.serial import Serial
from combinat.engine.walk import MOST_CARDS
from combinat.montecarlo.cell import NO_CARD, Deals, Indices, Pairing, winners_of
from combinat.montecarlo.counts import JointCell, Observed, Times
from combinat.montecarlo.shoes import Burn
from combinat.montecarlo.tally import Tallies, Tally, tallied
from combinat.rules.cards import RANKS
from combinat.rules.game import Game


def certain_to_finish(piece: Piece, whole_shoes: bool) -> tuple[Indices, Tallies, int]:
    """Return the possible rounds of a piece, with the cards left before each, and the number of other rounds.

    Rounds with fewer than six cards left are excluded: such a round may be void, and void rounds have no row.
    """
    rounds = np.flatnonzero(piece.possible & piece.first)
    if not whole_shoes:
        left = np.broadcast_to(piece.left[:1], (len(rounds), len(RANKS)))
        if len(rounds) and left[0].sum() < MOST_CARDS:
            return rounds[:0], left[:0], len(rounds)
        return rounds, left, 0
    left = piece.left[rounds]
    enough = left.sum(axis=1) >= MOST_CARDS
    return rounds[enough], left[enough], int((~enough).sum())


class Counting:
    """The rounds of a log so far. ``short_shoes``: the shoes that end before the cut card can appear.

    ``is_tested``: if False, only rounds and shoes are counted.
    """

    def __init__(self, replay: Replay, *, is_tested: bool = True) -> None:
        game, partitions = replay.game, replay.partitions
        self.shoe, self.whole_shoes, self.tells_ranks = replay.shoe, replay.whole_shoes, replay.tells_ranks
        self._cut_card, self._is_tested = replay.cut_card or 0, is_tested
        self.partitions = partitions
        self.shoes = self.short_shoes = self.unfinished = 0
        self.tally = Tally(partitions)
        self.serial = Serial()
        self.conditional = Conditional(game, partitions) if self.whole_shoes and is_tested else None

    def add(self, piece: Piece) -> None:
        """Count the possible rounds of a piece."""
        rounds, left, unfinished = certain_to_finish(piece, self.whole_shoes)
        self.unfinished += unfinished
        if not len(rounds):
            return
        dealt, cells, lines = piece.dealt.take(rounds), piece.cells[rounds], piece.rows.lines[rounds]
        self.tally.add(tallied(self.partitions, dealt, cells))
        if self.whole_shoes:
            self._add_shoes(piece.shoes[rounds], left, dealt)
        if not self._is_tested:
            return
        chances = None
        if self.conditional is not None:
            chances = self.conditional.add(left, dealt, cells, self.tells_ranks)
        last = piece.table.last
        if self.tells_ranks:
            self.serial.add(last, left, dealt, lines, fresh=not self.whole_shoes)
        self.serial.add_winners(last, winners_of(cells), chances)

    def _add_shoes(self, shoes: Tallies, left: Tallies, dealt: Deals) -> None:
        """Count shoes, and the shoes that end with more cards left than any cut card and burn can leave."""
        ends = np.flatnonzero(np.diff(shoes, append=shoes[-1] + 1))
        drawn = sum((cards[ends] != NO_CARD).astype(np.int64) for cards in (*dealt.player, *dealt.banker))
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
