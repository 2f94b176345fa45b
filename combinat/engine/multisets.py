"""Arrays of whole numbers, and multisets of cards.

The multisets of one size are listed by their last kind; then those that end in kind ``v`` are the first ones of the
size below, each with one more ``v``.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Array = npt.NDArray[Any]
"""Whole numbers: int64 where all of them fit, else Python's integers (dtype object)."""


class Level(NamedTuple):
    """The multisets of one size: their counts as digits to base 7."""

    codes: Ints


@cache
def levels(kinds: int, most: int) -> tuple[Level, ...]:
    """The multisets of 1 to ``most`` cards of so many kinds."""
    nothing = np.zeros(1, dtype=np.int64)
    codes, last = nothing, nothing - 1
    sizes: list[Level] = []
    for _ in range(most):
        ends = [int((last <= kind).sum()) for kind in range(kinds)]
        codes = np.concatenate([codes[:end] + 7**kind for kind, end in enumerate(ends)])
        last = np.concatenate([np.full(end, kind, dtype=np.int64) for kind, end in enumerate(ends)])
        sizes.append(Level(codes))
    return tuple(sizes)
