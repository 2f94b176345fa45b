"""The cards that rows draw from their shoe: the cards left before each row, and ranks of which too many were drawn."""

import numpy as np

from combinat.audit.judging.cells import Flags
from combinat.engine.walk import MOST_CARDS
from combinat.montecarlo.cell import Deals
from combinat.montecarlo.tally import Tallies
from combinat.rules.cards import RANKS, Rank
from combinat.rules.shoe import Shoe

TEN = RANKS.index(Rank.TEN)


def held_by(shoe: Shoe, tells_ranks: bool) -> Tallies:
    """The cards of a fresh shoe by rank; for cards written as points, all cards worth 0 count as tens."""
    held = np.array(shoe.counts)
    if not tells_ranks:
        held[TEN], held[TEN + 1 :] = held[TEN:].sum(), 0
    return held


def drawn_from_fresh(held: Tallies, dealt: Deals, known: Flags) -> tuple[Tallies, Tallies]:
    """For each row from a fresh shuffle: a rank of which it drew too many cards, or -1; and the cards left before it."""
    left = np.broadcast_to(held, (len(known), len(RANKS)))
    if held.min() >= MOST_CARDS:  # no round takes more
        return np.full(len(known), -1), left
    drawn = _drawn(dealt, known)
    return _too_many(drawn, drawn, held), left


def drawn_from_shoes(
    held: Tallies, dealt: Deals, known: Flags, shoes: Tallies, used: Tallies
) -> tuple[Tallies, Tallies, Tallies]:
    """The same for rows of whole shoes; ``used``: the cards already used of the first. And the cards used after them."""
    drawn = _drawn(dealt, known)
    added = np.cumsum(drawn, axis=0)
    starts = np.flatnonzero(np.diff(shoes)) + 1
    before = np.concatenate([-used[None, :], added[starts - 1]])
    so_far = added - before[np.searchsorted(starts, np.arange(len(known)), side="right")]
    return _too_many(so_far, drawn, held), np.maximum(held - (so_far - drawn), 0), so_far[-1].copy()


def _drawn(dealt: Deals, known: Flags) -> Tallies:
    """The cards that each row draws, by rank; none where its cards are not known."""
    drawn = np.zeros((len(known), len(RANKS) + 1), dtype=np.int64)
    everyone = np.arange(len(known))
    for card in (*dealt.player, *dealt.banker):
        drawn[everyone, card] += 1
    return drawn[:, :-1] * known[:, None]


def _too_many(so_far: Tallies, drawn: Tallies, held: Tallies) -> Tallies:
    too_many = (so_far > held) & (drawn > 0)
    return np.where(too_many.any(axis=1), too_many.argmax(axis=1), -1)
