"""The cards that rows draw from their shoe: what is left before each, and a rank of which there were too few."""

import numpy as np

from combinat.audit.judging.cells import Flags
from combinat.engine.walk import MOST_CARDS
from combinat.montecarlo.cell import Six
from combinat.montecarlo.tally import Tallies
from combinat.rules.cards import RANKS, Rank
from combinat.rules.shoe import Shoe

TEN = RANKS.index(Rank.TEN)


def held_by(shoe: Shoe, tells_ranks: bool) -> Tallies:
    """The cards of a fresh shoe by rank; where only points are told, all that are worth nothing were read as tens."""
    held = np.array(shoe.counts)
    if not tells_ranks:
        held[TEN], held[TEN + 1 :] = held[TEN:].sum(), 0
    return held


def drawn_from_fresh(held: Tallies, dealt: Six, known: Flags) -> tuple[Tallies, Tallies]:
    """For each row, each from a fresh shuffle, a rank of which it drew too many, -1: there is none; the cards before it."""
    left = np.broadcast_to(held, (len(known), len(RANKS)))
    if held.min() >= MOST_CARDS:  # no round takes so many
        return np.full(len(known), -1), left
    drawn = _drawn(dealt, known)
    return _too_many(drawn, drawn, held), left


def drawn_from_shoes(
    held: Tallies, dealt: Six, known: Flags, shoes: Tallies, used: Tallies
) -> tuple[Tallies, Tallies, Tallies]:
    """The same of rows of whole shoes, the first of which had these cards used; and the cards used after them."""
    drawn = _drawn(dealt, known)
    added = np.cumsum(drawn, axis=0)
    starts = np.flatnonzero(np.diff(shoes)) + 1
    before = np.concatenate([-used[None, :], added[starts - 1]])
    so_far = added - before[np.searchsorted(starts, np.arange(len(known)), side="right")]
    return _too_many(so_far, drawn, held), np.maximum(held - (so_far - drawn), 0), so_far[-1].copy()


def _drawn(dealt: Six, known: Flags) -> Tallies:
    """The cards that each row draws, by rank; none where its cards are not known."""
    drawn = np.zeros((len(known), len(RANKS) + 1), dtype=np.int64)
    everyone = np.arange(len(known))
    for card in (*dealt.player, *dealt.banker):
        drawn[everyone, card] += 1
    return drawn[:, :-1] * known[:, None]


def _too_many(so_far: Tallies, drawn: Tallies, held: Tallies) -> Tallies:
    too_many = (so_far > held) & (drawn > 0)
    return np.where(too_many.any(axis=1), too_many.argmax(axis=1), -1)
