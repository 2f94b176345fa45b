"""Many counts in one integer: a row of lanes, each wide enough for what is added up in it.

Adding two rows adds all their lanes, multiplying by a number multiplies them all, and shifting a row by a
lane moves every count to the next place: a polynomial whose coefficients are counts, worked on by Python's
own arithmetic at a word at a time.
"""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Lanes:
    """Rows whose counts stay at or below ``most``: whole bytes a lane."""

    size: int

    @classmethod
    def up_to(cls, most: int) -> "Lanes":
        """Return lanes that hold counts from 0 to ``most``."""
        return cls(most.bit_length() // 8 + 1)

    def shifted(self, row: int, places: int) -> int:
        """Return the row with every count moved up by this number of places."""
        return row << 8 * self.size * places

    def counts(self, row: int) -> Iterator[tuple[int, int]]:
        """Yield the counts of a row that are not 0, each with its place.

        >>> lanes = Lanes.up_to(1000)
        >>> list(lanes.counts(lanes.shifted(7, 2) + 3))
        [(0, 3), (2, 7)]
        """
        data = row.to_bytes((row.bit_length() + 7) // 8, "little")
        for start in range(0, len(data), self.size):
            count = int.from_bytes(data[start : start + self.size], "little")
            if count:
                yield start // self.size, count

    def signed(self, row: int) -> Iterator[tuple[int, int]]:
        """Yield the same for a row whose counts may be negative: of half a lane's size at most.

        >>> lanes = Lanes.up_to(1000)
        >>> list(lanes.signed(lanes.shifted(7, 2) - 3))
        [(0, -3), (2, 7)]
        """
        places = row.bit_length() // (8 * self.size) + 2
        half = 1 << 8 * self.size - 1
        offset = half * ((1 << 8 * self.size * places) - 1) // ((1 << 8 * self.size) - 1)
        for place, count in self.counts(row + offset):
            if count != half:
                yield place, count - half
