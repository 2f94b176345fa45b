"""Whether rounds depend on the round before, and whether any stretch of rounds is there twice.

Equal ranks at lag 1 are counted against their exact chance given the cards left; so are the winners that follow
a winner. Six rounds in a row with the same cards as six others are no chance: there are more such stretches than
any log has rounds, by far.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from combinat.audit.given_the_cards import BITS, Ints, in_order, to_decimals
from combinat.simulate.cell import NO_CARD, Indices, Six

FOUR = ("player-first", "banker-first", "player-second", "banker-second")
WINDOW = 6
"""Rounds of a stretch that is looked for again."""

MOST_KEPT = 2**21
"""Stretches that are kept to be looked for; of more, every second one by its own hash is let go."""

SHOWN = 10

Hashes = npt.NDArray[np.uint64]


@dataclass(slots=True)
class Agreement:
    """How often a card had the rank of one of the round before: seen, expected exactly, and the variance."""

    seen: int = 0
    pairs: int = 0
    variance: float = 0.0
    _by_size: dict[int, int] = field(default_factory=dict)

    def add(self, sizes: Ints, ways: Ints, same: npt.NDArray[np.bool_]) -> None:
        """Add rounds: of so many cards so many have the rank in question; whether the card had it."""
        self.seen += int(same.sum())
        self.pairs += len(same)
        found, where = np.unique(sizes, return_inverse=True)
        totals = np.zeros(len(found), dtype=np.int64)
        np.add.at(totals, where, ways)
        for size, total in zip(found.tolist(), totals.tolist(), strict=True):
            self._by_size[size] = self._by_size.get(size, 0) + total
        chances = ways / sizes
        self.variance += float((chances * (1 - chances)).sum())

    @property
    def expected(self) -> Fraction:
        """How often it was to be expected."""
        return to_decimals(sum((total << BITS) // size for size, total in self._by_size.items()))


@dataclass(slots=True)
class Last:
    """The end of the rounds so far, of one table: the last round's cards, the hashes of the last rounds."""

    cards: tuple[int, ...] | None = None
    winner: int | None = None
    hashes: Hashes = field(default_factory=lambda: np.zeros(0, dtype=np.uint64))
    lines: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))


class Serial:
    """What a log's rounds have to do with the round before."""

    def __init__(self, winners: int = 3) -> None:
        self.agreements = {(now, before): Agreement() for now in FOUR for before in FOUR}
        self.moves = np.zeros((winners, winners), dtype=np.int64)
        self.expected_moves = np.zeros((winners, winners))
        self.move_products = np.zeros((winners, winners, winners))
        self.repeated = 0
        self.first_repeated: list[tuple[int, int]] = []
        self._kept: dict[int, int] = {}
        self._keep = 1

    def add(self, last: Last, before: Ints, dealt: Six, lines: Ints) -> None:
        """Add rounds that follow each other at one table, each with the cards left before it."""
        cards = np.stack(in_order(dealt), axis=1).astype(np.intp)
        self._add_stretches(last, cards, lines)
        earlier = np.concatenate([[last.cards or (NO_CARD,) * 6], cards[:-1]]).astype(np.intp)
        start = 0 if last.cards is not None else 1
        left, sizes = before[start:].copy(), before[start:].sum(axis=1)
        rows = np.arange(len(left))
        for slot, now in enumerate(FOUR):
            drawn = cards[start:, slot]
            for place, then in enumerate(FOUR):
                rank = earlier[start:, place]
                if len(rows):
                    self.agreements[now, then].add(sizes, left[rows, rank], drawn == rank)
            left[rows, drawn] -= 1
            sizes = sizes - 1
        last.cards = tuple(cards[-1].tolist())

    def add_winners(self, last: Last, winners: Indices, chances: npt.NDArray[np.float64] | None) -> None:
        """Add who won, by who won the round before; each with the chance of each winner, where it is not always one."""
        earlier = np.concatenate([[-1 if last.winner is None else last.winner], winners[:-1]])
        for winner in range(len(self.moves)):
            rows = np.flatnonzero(earlier == winner)
            self.moves[winner] += np.bincount(winners[rows], minlength=len(self.moves))
            if chances is not None:
                self.expected_moves[winner] += chances[rows].sum(axis=0)
                self.move_products[winner] += chances[rows].T @ chances[rows]
        last.winner = int(winners[-1])

    def _add_stretches(self, last: Last, cards: Indices, lines: Ints) -> None:
        """Look for six rounds in a row that were there before."""
        powers = np.array([14**place for place in range(6)], dtype=np.uint64)
        hashes = np.concatenate([last.hashes, _mixed((cards.astype(np.uint64) * powers).sum(axis=1))])
        at = np.concatenate([last.lines, lines])
        last.hashes, last.lines = hashes[-(WINDOW - 1) :], at[-(WINDOW - 1) :]
        stretches = np.zeros(max(0, len(hashes) - WINDOW + 1), dtype=np.uint64)
        for place in range(WINDOW):
            stretches = _mixed(
                stretches * np.uint64(0x9E3779B97F4A7C15) + hashes[place : place + len(stretches)]
            )
        kept = np.flatnonzero(stretches % np.uint64(self._keep) == 0)
        for place in kept.tolist():
            stretch, line = int(stretches[place]), int(at[place])
            known = self._kept.setdefault(stretch, line)
            if known != line:
                self.repeated += 1
                if len(self.first_repeated) < SHOWN:
                    self.first_repeated.append((known, line))
        while len(self._kept) > MOST_KEPT:
            self._keep *= 2
            self._kept = {one: line for one, line in self._kept.items() if one % self._keep == 0}


def _mixed(values: Hashes) -> Hashes:
    """Numbers scattered over 64 bits."""
    with np.errstate(over="ignore"):
        values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return np.asarray(values ^ (values >> np.uint64(31)))


def runs(moves: Sequence[Sequence[int]]) -> int:
    """How often the winner was another than in the round before."""
    return sum(count for before, row in enumerate(moves) for now, count in enumerate(row) if now != before)
