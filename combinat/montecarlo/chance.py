"""Chance: unbiased whole numbers from a seed, the same on every machine and for any number of workers.

Only the raw bits of numpy's PCG64 are used: numpy promises that they never change, and promises no such
thing of what it makes of them. Each batch of work has a stream of its own, named by seed and number.
"""

import numpy as np
import numpy.typing as npt

MOST = 2**16 - 1
"""The largest bound: numbers are made of 16 bits."""

Numbers = npt.NDArray[np.uint16]


class Chance:
    """The stream of one batch of work."""

    def __init__(self, seed: int, batch: int) -> None:
        self._bits = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(batch,)))

    def bits(self, size: int) -> npt.NDArray[np.uint32]:
        """``size`` numbers of 32 bits."""
        return (
            self._bits.random_raw((size + 1) // 2)
            .astype("<u8", copy=False)
            .view("<u4")[:size]
            .astype(np.uint32, copy=False)
        )

    def below(self, bound: int, size: int) -> Numbers:
        """``size`` whole numbers from 0 up to but not including ``bound``, all equally likely.

        Sixteen bits times the bound: the upper half is the number. The few lower halves that would make
        some numbers likelier than others are drawn again.
        """
        words = self._bits.random_raw((size + 3) // 4).astype("<u8", copy=False).view("<u2")[:size]
        halves = np.multiply(words, bound, dtype="<u4").view("<u2")
        lower = halves[0::2]
        numbers: Numbers = halves[1::2].astype(np.uint16)
        unfair = np.flatnonzero(lower < 2**16 % bound)
        if unfair.size:
            numbers[unfair] = self.below(bound, unfair.size)
        return numbers
