"""Serial dependence between consecutive rounds, and repeated sequences of rounds.

Equal ranks at lag 1, and winners after each winner, are compared with their exact probabilities given the
cards left. Six consecutive rounds with the same cards as six others are not a coincidence: the possible
sequences far outnumber the rounds of any log.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from combinat.audit.judging.conditional import BITS, Ints, in_order, to_decimals
from combinat.audit.judging.replay import Piece
from combinat.audit.judging.sequence import LogTable
from combinat.montecarlo.cell import NO_CARD, Deals, Indices
from combinat.montecarlo.tally import FIRST_CARDS

if TYPE_CHECKING:
    import polars

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
        self._repeats: list[tuple[int, int]] = []
        self._repeated, self._keep = 0, 1
        self._stretches = _stretches((), ())
        self._waiting: list[polars.DataFrame] = []
        self._ends: dict[str, polars.DataFrame] = {}

    def add(self, piece: Piece, rounds: Indices, dealt: Deals) -> None:
        """Add consecutive rounds of a table."""
        cards, last, left = in_order(dealt), piece.table.cards, piece.left_before
        self._add_stretches(piece.name, cards, piece.rows.lines[rounds])
        start = 0 if last is not None else 1
        sizes, everyone = left[start:].sum(axis=1), np.arange(start, len(rounds))
        for place, then in enumerate(FIRST_CARDS):
            first = [] if last is None else [last[place]]
            earlier = np.concatenate([np.array(first, dtype=np.uint8), cards[place][:-1]])
            ways = left[everyone, earlier] if left.strides[0] else left[0][earlier]
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
        """Add the stretches of six consecutive rounds."""
        import polars

        rounds = np.zeros(len(lines), dtype=np.uint64)
        for card in cards:
            rounds *= np.uint64(NO_CARD + 1)
            rounds += card
        added = _stretches(_mixed(rounds), lines)
        together = polars.concat([self._ends.get(table, added.clear()), added])
        self._ends[table] = together.tail(WINDOW - 1)
        hashes = together["hash"].to_numpy()
        stretches = np.zeros(max(0, len(hashes) - WINDOW + 1), dtype=np.uint64)
        for place in range(WINDOW):  # a polynomial of well-mixed hashes
            stretches *= np.uint64(0x9E3779B97F4A7C15)
            stretches += hashes[place : place + len(stretches)]
        self._waiting.append(_stretches(_mixed(stretches), together["line"][: len(stretches)]))
        if sum(part.height for part in self._waiting) >= MOST_WAITING:
            self._look()

    def _look(self) -> None:
        """Search for the pending stretches among all earlier ones."""
        import polars

        if not self._waiting:
            return
        hashed = polars.col("hash")
        every = polars.concat([self._stretches, *self._waiting]).filter(hashed % self._keep == 0)
        self._waiting = []
        hashes = np.sort(every["hash"].to_numpy())  # far quicker than a search, which few logs need
        if (hashes[1:] == hashes[:-1]).any():
            twice = every.filter(hashed.is_duplicated())
            again = twice.with_columns(first=polars.col("line").first().over("hash")).filter(
                ~hashed.is_first_distinct()
            )
            self._repeated += again.height
            self._repeats += again.select("first", "line").head(SHOWN).rows()
            every = every.unique("hash", keep="first", maintain_order=True)
        while every.height > MOST_KEPT:
            self._keep *= 2
            every = every.filter(hashed % self._keep == 0)
        self._stretches = every

    @property
    def repeats(self) -> tuple[int, list[tuple[int, int]]]:
        """The number of stretches with the same cards as an earlier one, and the first: the lines of both."""
        self._look()
        return self._repeated, self._repeats[:SHOWN]


def _stretches(hashes: npt.ArrayLike, lines: npt.ArrayLike) -> "polars.DataFrame":
    """Return hashes of rounds or of stretches, each with the line of its first round."""
    import polars

    return polars.DataFrame(
        {"hash": hashes, "line": lines}, schema={"hash": polars.UInt64, "line": polars.Int64}
    )


def _mixed(values: Hashes) -> Hashes:
    """Return numbers mixed over 64 bits."""
    with np.errstate(over="ignore"):
        values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return np.asarray(values ^ (values >> np.uint64(31)))
