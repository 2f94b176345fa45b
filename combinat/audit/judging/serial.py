"""Serial dependence between consecutive rounds, and repeated sequences of rounds.

Equal ranks at lag 1, and winners after each winner, are compared with their exact probabilities given the
cards left. Six consecutive rounds with the same cards as six others are not a coincidence: the possible
sequences far outnumber the rounds of any log.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from combinat.audit.judging.conditional import BITS, Ints, in_order, to_decimals
from combinat.audit.judging.replay import Piece
from combinat.audit.judging.sequence import LogTable
from combinat.montecarlo.cell import NO_CARD, Deals, Indices
from combinat.montecarlo.tally import FIRST_CARDS

WINDOW = 6
"""The length of a stretch of rounds that must not repeat."""

MOST_KEPT = 2**21
"""The most stretches that are remembered; beyond that, every second one, by its hash, is dropped."""

MOST_WAITING = 2**20
"""Stretches that are searched for in one pass."""

SHOWN = 10

Hashes = npt.NDArray[np.uint64]


@dataclass(slots=True)
class Agreement:
    """The number of cards with the rank of a card of the preceding round: observed, expected, variance."""

    seen: int = 0
    pairs: int = 0
    variance: float = 0.0
    _by_size: dict[int, int] = field(default_factory=dict)

    def add(self, sizes: Ints, ways: Ints, same: npt.NDArray[np.bool_]) -> None:
        """Add rounds: the cards left, those with the rank in question, and whether the card had it."""
        self.seen += int(np.count_nonzero(same))
        self.pairs += len(same)
        if not len(same):
            return
        width = int(ways.max()) + 1
        rounds = np.bincount(sizes * width + ways)  # of each size and number of ways
        met = np.flatnonzero(rounds)
        met_sizes, met_ways = np.divmod(met, width)
        totals = np.bincount(met_sizes, weights=rounds[met] * met_ways)  # whole numbers far below 2**53
        squares = np.bincount(met_sizes, weights=rounds[met] * met_ways**2)
        for size in np.flatnonzero(totals).tolist():
            self._by_size[size] = self._by_size.get(size, 0) + int(totals[size])
            self.variance += totals[size] / size - squares[size] / size**2

    @property
    def expected(self) -> Fraction:
        """The expected count."""
        return to_decimals(sum((total << BITS) // size for size, total in self._by_size.items()))


class Serial:
    """The rounds of a log, compared with their preceding rounds."""

    def __init__(self, winners: int = 3) -> None:
        self.agreements = {(now, before): Agreement() for now in FIRST_CARDS for before in FIRST_CARDS}
        self.moves = np.zeros((winners, winners), dtype=np.int64)
        self.expected_moves = np.zeros((winners, winners))
        self.move_products = np.zeros((winners, winners, winners))
        self._repeated = 0
        self._first_repeated: list[tuple[int, int]] = []
        self._kept = _StretchIndex()
        self._waiting: list[tuple[Hashes, Ints]] = []
        self._ends: dict[str, tuple[Hashes, Ints]] = {}

    def add(self, piece: Piece, rounds: Indices, dealt: Deals) -> None:
        """Add consecutive rounds of a table."""
        cards, last, left = in_order(dealt), piece.table.cards, piece.left_before
        self._add_stretches(piece.name, cards, piece.rows.lines[rounds])
        start = 0 if last is not None else 1
        sizes, everyone = left[start:].sum(axis=1), np.arange(start, len(rounds))
        for place, then in enumerate(FIRST_CARDS):
            first = [] if last is None else [last[place]]
            earlier = np.concatenate([np.array(first, dtype=np.uint8), cards[place][:-1]])
            ways = left[everyone, earlier]
            for slot, now in enumerate(FIRST_CARDS):
                same = cards[slot][start:] == earlier
                self.agreements[now, then].add(sizes - slot, ways, same)
                ways = ways - same
        piece.table.cards = [int(card[-1]) for card in cards]

    def add_winners(self, table: LogTable, winners: Indices, chances: npt.NDArray[np.float64] | None) -> None:
        """Add winners by the preceding winner, with the probability of each winner if it varies."""
        earlier = np.concatenate([[-1 if table.winner is None else table.winner], winners[:-1]])
        for winner in range(len(self.moves)):
            rows = np.flatnonzero(earlier == winner)
            self.moves[winner] += np.bincount(winners[rows], minlength=len(self.moves))
            if chances is not None:
                self.expected_moves[winner] += chances[rows].sum(axis=0)
                self.move_products[winner] += chances[rows].T @ chances[rows]
        table.winner = int(winners[-1])

    def _add_stretches(self, table: str, cards: Sequence[npt.NDArray[np.uint8]], lines: Ints) -> None:
        """Search for six consecutive rounds that appeared before."""
        rounds = np.zeros(len(lines), dtype=np.uint64)
        for card in cards:
            rounds *= np.uint64(NO_CARD + 1)
            rounds += card
        hashes, before = _mixed(rounds), self._ends.get(table)
        if before is not None:
            hashes, lines = np.concatenate([before[0], hashes]), np.concatenate([before[1], lines])
        self._ends[table] = hashes[-(WINDOW - 1) :], lines[-(WINDOW - 1) :]
        stretches = np.zeros(max(0, len(hashes) - WINDOW + 1), dtype=np.uint64)
        for place in range(WINDOW):  # a polynomial of well-mixed hashes
            stretches *= np.uint64(0x9E3779B97F4A7C15)
            stretches += hashes[place : place + len(stretches)]
        self._waiting.append((_mixed(stretches), lines[: len(stretches)]))
        if sum(len(lines) for _, lines in self._waiting) >= MOST_WAITING:
            self._look()

    def _look(self) -> None:
        """Search for the pending stretches among all earlier ones."""
        if not self._waiting:
            return
        stretches, lines = (np.concatenate(parts) for parts in zip(*self._waiting, strict=True))
        self._waiting = []
        again = self._kept.again(stretches, lines)
        self._repeated += len(again[0])
        places = zip(again[0][:SHOWN].tolist(), again[1][:SHOWN].tolist(), strict=True)
        self._first_repeated = [*self._first_repeated, *places][:SHOWN]

    @property
    def repeated(self) -> int:
        """The number of stretches with the same cards as an earlier one."""
        self._look()
        return self._repeated

    @property
    def first_repeated(self) -> list[tuple[int, int]]:
        """The first of them: the line of the earlier one, and their own."""
        self._look()
        return self._first_repeated


class _StretchIndex:
    """The distinct stretches so far, each with the line of its first occurrence."""

    def __init__(self) -> None:
        self._keep = np.uint64(1)
        self._stretches: Hashes = np.zeros(0, dtype=np.uint64)
        self._lines: Ints = np.zeros(0, dtype=np.int64)

    def again(self, stretches: Hashes, lines: Ints) -> tuple[Ints, Ints]:
        """Add stretches.

        Return the repeated ones as pairs of lines: of the first occurrence, and their own.
        """
        if self._keep > 1:
            some = np.flatnonzero(stretches & (self._keep - np.uint64(1)) == 0)
            stretches, lines = stretches[some], lines[some]
        self._stretches = np.concatenate([self._stretches, stretches])
        self._lines = np.concatenate([self._lines, lines])
        ordered = np.sort(self._stretches)  # far quicker than a stable sort, which few logs need
        twice = ordered[1:][ordered[1:] == ordered[:-1]]
        again = self._without(twice) if twice.size else (lines[:0], lines[:0])
        while len(self._stretches) > MOST_KEPT:
            self._keep *= np.uint64(2)
            kept = self._stretches & (self._keep - np.uint64(1)) == 0
            self._stretches, self._lines = self._stretches[kept], self._lines[kept]
        return again

    def _without(self, twice: Hashes) -> tuple[Ints, Ints]:
        """Remove all but the first of these; return the lines of the first of each, and of those removed."""
        places = np.flatnonzero(np.isin(self._stretches, twice))
        places = places[np.argsort(self._stretches[places], kind="stable")]
        alike = self._stretches[places]
        is_first = np.ones(len(places), dtype=np.bool_)
        is_first[1:] = alike[1:] != alike[:-1]
        first = places[np.maximum.accumulate(np.where(is_first, np.arange(len(places)), 0))][~is_first]
        later = places[~is_first]
        order = np.argsort(later)
        again = self._lines[first[order]], self._lines[later[order]]
        self._stretches, self._lines = np.delete(self._stretches, later), np.delete(self._lines, later)
        return again


def _mixed(values: Hashes) -> Hashes:
    """Return numbers mixed over 64 bits."""
    with np.errstate(over="ignore"):
        values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return np.asarray(values ^ (values >> np.uint64(31)))
