"""A tally: how often each outcome occurred in rounds that were dealt or logged.

Rounds from the same shoe are slightly dependent. For whole shoes, with the same number of rounds counted in
each, the tally therefore also keeps the sums for the variance over shoes: for each event, the sum over shoes
of its squared count.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import lcm

import numpy as np
import numpy.typing as npt

from combinat.montecarlo.cell import NUMBER, PAIRINGS, Deals, Indices, without_point_pairing
from combinat.montecarlo.partition import Partition
from combinat.rules.cards import RANKS

Tallies = npt.NDArray[np.int64]

FIRST_CARDS = ("player-first", "banker-first", "player-second", "banker-second")
"""The cards whose ranks are counted: the first four, which every round has, in the order of their dealing."""

LISTED = NUMBER // len(PAIRINGS)
"""The number of cells when pairs count by rank alone."""


def _zeros(*shape: int) -> Tallies:
    return np.zeros(shape, dtype=np.int64)


@dataclass(slots=True)
class ShoeSums:
    """The sums for the variance over shoes: for each partition, and for each listed cell.

    ``nets``: for a bet, the sum over shoes of the square of its net result in the shoe, in units of
    ``1 / unit``.
    """

    shoes: int
    squares: list[Tallies]
    nets: list[int]
    cells: Tallies

    @classmethod
    def none(cls, partitions: Sequence[Partition]) -> "ShoeSums":
        """Return the sums of no shoes."""
        sizes = [len(partition.labels) for partition in partitions]
        return cls(0, [_zeros(size) for size in sizes], [0] * len(sizes), _zeros(LISTED))

    def add(self, other: "ShoeSums") -> None:
        """Add the sums of other shoes."""
        self.shoes += other.shoes
        for mine, theirs in zip(self.squares, other.squares, strict=True):
            mine += theirs
        self.nets = [mine + theirs for mine, theirs in zip(self.nets, other.nets, strict=True)]
        self.cells += other.cells


@dataclass(slots=True)
class Tally:
    """Counts of rounds: by cell, by the rank of each of the first four cards, and of repeats.

    ``neighbours``: the pairs of consecutive rounds; ``repeats``: those whose rounds have the same listed
    cell; ``ends``: the listed cells of the first round and the last; ``mispaid``: the wins that a known fault
    paid wrong, by the label that was due; ``ranked``: the rounds of each label of a partition that cells do
    not decide.
    """

    partitions: Sequence[Partition]
    rounds: int = 0
    cells: Tallies = field(default_factory=lambda: _zeros(NUMBER))
    cards: Tallies = field(default_factory=lambda: _zeros(len(FIRST_CARDS), len(RANKS)))
    neighbours: int = 0
    repeats: int = 0
    ends: tuple[int, int] | None = None
    by_shoe: ShoeSums | None = None
    mispaid: Tallies | None = None
    ranked: dict[str, Tallies] = field(default_factory=dict)

    def add(self, other: "Tally") -> None:
        """Add later rounds of the same kind."""
        self.rounds += other.rounds
        self.cells += other.cells
        self.cards += other.cards
        for subject, rounds in other.ranked.items():
            self.ranked[subject] = self.ranked.get(subject, 0) + rounds
        self.neighbours += other.neighbours
        self.repeats += other.repeats
        if self.ends is not None and other.ends is not None:
            self.neighbours += 1
            self.repeats += self.ends[1] == other.ends[0]
        if other.ends is not None:
            self.ends = (self.ends or other.ends)[0], other.ends[1]
        if other.by_shoe is not None:
            if self.by_shoe is None:
                self.by_shoe = ShoeSums.none(self.partitions)
            self.by_shoe.add(other.by_shoe)
        if other.mispaid is not None:
            self.mispaid = other.mispaid + (0 if self.mispaid is None else self.mispaid)

    def counts(self, partition: Partition) -> Tallies:
        """Return the number of rounds with each label of a partition."""
        rounds = _zeros(len(partition.labels))
        if partition.ranked:
            return rounds + self.ranked.get(partition.subject, 0)
        met = np.flatnonzero(self.cells)
        np.add.at(rounds, partition.of_cell[met], self.cells[met])
        return rounds

    @property
    def listed(self) -> Tallies:
        """The rounds of each listed cell."""
        rounds: Tallies = self.cells.reshape(LISTED, len(PAIRINGS)).sum(axis=1)
        return rounds


def tallied(
    partitions: Sequence[Partition], dealt: Deals, cells: Indices, shoes: Indices | None = None
) -> Tally:
    """Return the tally of one or more rounds, in the order of dealing.

    ``shoes``: the shoe of each round; every shoe has the same number of rounds.
    """
    tally = Tally(partitions, rounds=len(cells), cells=np.bincount(cells, minlength=NUMBER))
    first_four = (dealt.player[0], dealt.banker[0], dealt.player[1], dealt.banker[1])
    for slot, ranks in enumerate(first_four):
        tally.cards[slot] = np.bincount(ranks, minlength=len(RANKS))
    for partition in partitions:
        if partition.ranked:
            labels = partition.labels_of(cells, dealt)
            tally.ranked[partition.subject] = np.bincount(labels, minlength=len(partition.labels))
    listed = without_point_pairing(cells)
    if shoes is None:
        tally.neighbours = len(cells) - 1
        tally.repeats = int(np.count_nonzero(listed[1:] == listed[:-1]))
        tally.ends = int(listed[0]), int(listed[-1])
    else:
        tally.by_shoe = _shoe_sums(
            partitions, dealt, cells, 1 + int(np.count_nonzero(shoes[1:] != shoes[:-1]))
        )
    return tally


def _shoe_sums(partitions: Sequence[Partition], dealt: Deals, cells: Indices, shoes: int) -> ShoeSums:
    """Return the sums of rounds by shoe; every shoe has the same number of rounds."""
    sums = ShoeSums.none(partitions)
    sums.shoes = shoes
    for number, partition in enumerate(partitions):
        times = _times(partition, dealt, cells, shoes)
        sums.squares[number] = np.einsum("ij,ij->j", times, times)
        if units := net_units(partition):
            # Odds with many decimals have units too large for 64 bits; Python integers hold them.
            most = len(cells) * max(map(abs, units))
            kind = np.int64 if most * most < 2**63 else np.object_
            in_shoe = times.astype(kind, copy=False) @ np.array(units, dtype=kind)
            sums.nets[number] = int((in_shoe * in_shoe).sum())
    sums.cells = _squares(without_point_pairing(cells).reshape(shoes, -1))
    return sums


def _times(partition: Partition, dealt: Deals, cells: Indices, shoes: int) -> Tallies:
    """Return the count of each label of a partition by shoe, one row per shoe."""
    width = len(partition.labels)
    keys = np.repeat(np.arange(shoes) * width, len(cells) // shoes) + partition.labels_of(cells, dealt)
    return np.bincount(keys, minlength=shoes * width).reshape(shoes, width)


def _squares(listed: Indices) -> Tallies:
    """Return, for each listed cell, the sum over shoes (rows) of its squared count."""
    in_order = np.sort(listed.astype(np.uint16), axis=1)  # far fewer cells are listed
    is_first = np.ones(listed.shape, dtype=np.bool_)
    is_first[:, 1:] = in_order[:, 1:] != in_order[:, :-1]
    starts = np.flatnonzero(is_first)
    squares = _zeros(LISTED)
    np.add.at(squares, in_order.ravel()[starts], np.diff(starts, append=listed.size) ** 2)
    return squares


def unit(partition: Partition) -> int:
    """Return the number of units in 1, for the unit in which a bet's net results are whole numbers."""
    return lcm(*(label.denominator for label in partition.labels if not isinstance(label, str | tuple)))


def net_units(partition: Partition) -> list[int]:
    """Return a bet's net results in whole units; empty for an insurance table."""
    if any(isinstance(label, str | tuple) for label in partition.labels):
        return []
    return [int(label * unit(partition)) for label in partition.labels if not isinstance(label, str | tuple)]
