"""A tally: how often each outcome occurred in rounds that were dealt or logged.

Rounds from the same shoe are slightly dependent. For whole shoes, with the same number of rounds counted in
each, the tally therefore also keeps the sums for the variance over shoes: for each event, the sum over shoes
of its squared count.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import lcm
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from combinat.montecarlo.cell import NUMBER, PAIRINGS, Deals, Indices, without_point_pairing
from combinat.montecarlo.partition import LabelNumbers, Partition
from combinat.rules.cards import RANKS

Tallies = npt.NDArray[np.int64]

FIRST_CARDS = ("player-first", "banker-first", "player-second", "banker-second")
"""The cards whose ranks are counted: the first four, which every round has, in the order of their dealing."""

LISTED = NUMBER // len(PAIRINGS)
"""The number of cells when pairs count by rank alone."""


def _zeros(*shape: int) -> Tallies:
    return np.zeros(shape, dtype=np.int64)


@dataclass(slots=True)
class Tally:
    """Counts of rounds: by cell, by the rank of each of the first four cards, and of repeats.

    ``neighbours``: the pairs of consecutive rounds; ``repeats``: those whose rounds have the same listed
    cell; ``ends``: the listed cells of the first round and the last; ``labels``: the rounds of each label of
    a partition that cells do not decide.

    For whole shoes, ``shoes`` is their number; ``squares`` (by partition) and ``cell_squares`` are the sums over
    shoes of the squared counts; ``net_squares``: for a bet, the sum over shoes of the square of its net result
    in the shoe, in units of ``1 / unit``.
    """

    partitions: Sequence[Partition]
    rounds: int = 0
    cells: Tallies = field(default_factory=lambda: _zeros(NUMBER))
    cards: Tallies = field(default_factory=lambda: _zeros(len(FIRST_CARDS), len(RANKS)))
    neighbours: int = 0
    repeats: int = 0
    ends: tuple[int, int] | None = None
    labels: dict[str, Tallies] = field(default_factory=dict)
    shoes: int = 0
    squares: dict[str, Tallies] = field(default_factory=dict)
    net_squares: dict[str, int] = field(default_factory=dict)
    cell_squares: Tallies = field(default_factory=lambda: _zeros(LISTED))

    def add(self, other: "Tally") -> None:
        """Add later rounds of the same kind."""
        self.rounds += other.rounds
        self.cells += other.cells
        self.cards += other.cards
        self.neighbours += other.neighbours
        self.repeats += other.repeats
        if self.ends is not None and other.ends is not None:
            self.neighbours += 1
            self.repeats += self.ends[1] == other.ends[0]
        if other.ends is not None:
            self.ends = (self.ends or other.ends)[0], other.ends[1]
        self.shoes += other.shoes
        self.cell_squares += other.cell_squares
        _add_to(self.labels, other.labels)
        _add_to(self.squares, other.squares)
        _add_to(self.net_squares, other.net_squares)

    def counts(self, partition: Partition) -> Tallies:
        """Return the number of rounds with each label of a partition."""
        rounds = _zeros(len(partition.labels))
        if partition.subject in self.labels:
            return rounds + self.labels[partition.subject]
        met = np.flatnonzero(self.cells)
        np.add.at(rounds, partition.of_cell[met], self.cells[met])
        return rounds

    @property
    def listed(self) -> Tallies:
        """The rounds of each listed cell."""
        rounds: Tallies = self.cells.reshape(LISTED, len(PAIRINGS)).sum(axis=1)
        return rounds


def _add_to(sums: dict[str, Any], others: Mapping[str, Any]) -> None:
    for subject, number in others.items():
        sums[subject] = sums.get(subject, 0) + number


def tallied(
    partitions: Sequence[Partition],
    dealt: Deals,
    cells: Indices,
    shoes: Indices | None = None,
    labels: Mapping[str, LabelNumbers] = MappingProxyType({}),
) -> Tally:
    """Return the tally of one or more rounds, in the order of dealing.

    ``shoes``: the shoe of each round; every shoe has the same number of rounds. ``labels``: the label number
    of every round, for a partition whose labels do not follow from the cards.
    """
    tally = Tally(partitions, rounds=len(cells), cells=np.bincount(cells, minlength=NUMBER))
    first_four = (dealt.player[0], dealt.banker[0], dealt.player[1], dealt.banker[1])
    for slot, ranks in enumerate(first_four):
        tally.cards[slot] = np.bincount(ranks, minlength=len(RANKS))

    def labels_of(partition: Partition) -> LabelNumbers:
        return labels[partition.subject] if partition.subject in labels else partition.labels_of(cells, dealt)

    for partition in partitions:
        if partition.ranked or partition.subject in labels:
            numbers = labels_of(partition)
            tally.labels[partition.subject] = np.bincount(numbers, minlength=len(partition.labels))
    listed = without_point_pairing(cells)
    if shoes is None:
        tally.neighbours = len(cells) - 1
        tally.repeats = int(np.count_nonzero(listed[1:] == listed[:-1]))
        tally.ends = int(listed[0]), int(listed[-1])
        return tally
    tally.shoes = 1 + int(np.count_nonzero(shoes[1:] != shoes[:-1]))
    tally.cell_squares = _squares(listed.reshape(tally.shoes, -1))
    for partition in partitions:
        width = len(partition.labels)
        keys = np.repeat(np.arange(tally.shoes) * width, len(cells) // tally.shoes) + labels_of(partition)
        times = np.bincount(keys, minlength=tally.shoes * width).reshape(tally.shoes, width)
        tally.squares[partition.subject] = np.einsum("ij,ij->j", times, times)
        if units := net_units(partition):
            # Odds with many decimals have units too large for 64 bits; Python integers hold them.
            most = len(cells) * max(map(abs, units))
            kind = np.int64 if most * most < 2**63 else np.object_
            in_shoe = times.astype(kind, copy=False) @ np.array(units, dtype=kind)
            tally.net_squares[partition.subject] = int((in_shoe * in_shoe).sum())
    return tally


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
