"""Multisets of cards, and the basis they span: the ordered ways to draw each from a shoe.

A multiset with ``m_v`` cards of kind ``v`` is drawn in ``prod falling(n_v, m_v)`` ways for each of its
orders. The multisets of one size are listed by their last kind; then those that end in kind ``v`` are the
first so many of the size below, each with one more ``v``. So the basis of a whole block of shoes is built
by a few multiplications of contiguous rows, and no row is looked up.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Array = npt.NDArray[Any]
"""Whole numbers, as float64 where they are proven to fit, else as Python integers."""


class Level(NamedTuple):
    """The multisets of one size.

    ``codes``: their counts as digits to base 7. ``ends``: for each kind, how many of the size below end
    in an earlier kind, and how many in this or an earlier one. ``before``: how many of its last kind a
    multiset had before its last card.
    """

    codes: Ints
    ends: tuple[tuple[int, int], ...]
    before: Ints


@cache
def levels(kinds: int, most: int) -> tuple[Level, ...]:
    """The multisets of 1 to ``most`` cards of so many kinds."""
    powers = [7**kind for kind in range(kinds)]
    nothing = np.zeros(1, dtype=np.int64)
    codes, last = nothing, nothing - 1
    sizes: list[Level] = []
    for _ in range(most):
        ends = tuple((int((last < kind).sum()), int((last <= kind).sum())) for kind in range(kinds))
        before = np.concatenate([codes[:end] // powers[kind] % 7 for kind, (_, end) in enumerate(ends)])
        codes = np.concatenate([codes[:end] + powers[kind] for kind, (_, end) in enumerate(ends)])
        last = np.concatenate([np.full(end, kind, dtype=np.int64) for kind, (_, end) in enumerate(ends)])
        sizes.append(Level(codes, ends, before))
    return tuple(sizes)


def rows_for(kinds: int, most: int, shoes: int, dtype: Any) -> list[Array]:
    """Room for the basis of so many shoes, to be used again for every block of them."""
    return [np.empty((len(level.codes), shoes), dtype=dtype) for level in levels(kinds, most)]


def fill_basis(counts: Array, rows: list[Array]) -> None:
    """Write the ways to draw every multiset, size by size; ``counts``: a row a kind, a column a shoe.

    In float64 this is exact while every product stays below 2**53, which the caller makes sure of.
    """
    below = np.ones((1, counts.shape[1]), dtype=counts.dtype)
    for level, here in zip(levels(len(counts), len(rows)), rows, strict=True):
        start = 0
        for kind, (earlier, end) in enumerate(level.ends):
            middle, stop = start + earlier, start + end
            np.multiply(below[:earlier], counts[kind], out=here[start:middle])
            left = counts[kind] - level.before[middle:stop, None].astype(counts.dtype)
            np.multiply(below[earlier:end], left, out=here[middle:stop])
            start = stop
        below = here
