"""The rounds of a replayed log, counted: cells, ranks, what follows what; of whole shoes, each given the cards left."""

from dataclasses import replace

import numpy as np

from combinat.audit.judging.conditional import GivenTheCards, InsuredGiven
from combinat.audit.judging.replay import Piece, Replay
from combinat.audit.judging.serial import Serial
from combinat.engine.walk import MOST_CARDS
from combinat.montecarlo.cell import NO_CARD, Indices, Pairing, Six, chosen, winners_of
from combinat.montecarlo.dealer import MOST_BURNT
from combinat.montecarlo.observed import JointCell, Observed, Times
from combinat.montecarlo.tally import Tallies, Tally, tallied
from combinat.rules.cards import RANKS
from combinat.rules.game import Game


def certain_to_finish(piece: Piece, whole_shoes: bool) -> tuple[Indices, Tallies, int]:
    """The rounds of a piece that could be dealt, with the cards left before each, and how many others there are.

    With fewer than six cards left a round may be void, and void rounds have no row: those are left out.
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
    """The rounds of a log so far. ``short_shoes``: those that end before the cut card can have come."""

    def __init__(self, replay: Replay) -> None:
        game, questions = replay.game, replay.questions
        self.shoe, self.whole_shoes, self.tells_ranks = replay.shoe, replay.whole_shoes, replay.tells_ranks
        self._cut_card = replay.cut_card or 0
        self.questions = questions
        self.shoes = self.short_shoes = self.unfinished = 0
        self.tally = Tally(questions)
        self.serial = Serial()
        self.given = GivenTheCards(game, questions) if self.whole_shoes else None
        self.as_insured = InsuredGiven(game, questions) if self.whole_shoes else None

    def add(self, piece: Piece) -> None:
        """Count the rounds of a piece that could be dealt."""
        rounds, left, unfinished = certain_to_finish(piece, self.whole_shoes)
        self.unfinished += unfinished
        if not len(rounds):
            return
        dealt, cells, lines = chosen(piece.dealt, rounds), piece.cells[rounds], piece.rows.lines[rounds]
        chances = None
        if self.given is not None and self.as_insured is not None:
            self._add_shoes(piece.shoes[rounds], left, dealt)
            chances = self.given.add(left, dealt, cells, self.tells_ranks)
            self.as_insured.add(left, dealt, cells)
        last = piece.table.last
        if self.tells_ranks:
            self.serial.add(last, left, dealt, lines, fresh=not self.whole_shoes)
        self.serial.add_winners(last, winners_of(cells), chances)
        self.tally.add(tallied(self.questions, dealt, cells))

    def _add_shoes(self, shoes: Tallies, left: Tallies, dealt: Six) -> None:
        """Count shoes, and those that end while more cards are left than any cut card and burning leave."""
        ends = np.flatnonzero(np.diff(shoes, append=shoes[-1] + 1))
        drawn = sum((cards[ends] != NO_CARD).astype(np.int64) for cards in (*dealt.player, *dealt.banker))
        self.shoes += len(ends)
        most = self._cut_card + MOST_BURNT
        self.short_shoes += int((left[ends].sum(axis=1) - drawn > most).sum())


def by_points(counted: Observed, game: Game) -> Observed:
    """What was observed, without what points do not tell."""
    cells: dict[JointCell, Times] = {}
    for cell, times in counted.cells.items():
        alike = cell._replace(pairs=Pairing.NONE)
        before = cells.get(alike, Times(0))
        cells[alike] = Times(before.rounds + times.rounds)
    bets = {bet_id: results for bet_id, results in counted.bets.items() if not game.bet(bet_id).needs_ranks}
    return replace(counted, bets=bets, cells=cells if counted.shoes is None else {}, cards={}, repeats=None)
