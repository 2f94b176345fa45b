"""The shoes of a batch, checked: an integer array with a row a shoe and a column a rank."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from combinat.base.errors import InputError, in_words
from combinat.engine.multisets import Array, Ints
from combinat.rules import bounds
from combinat.rules.cards import RANKS

MOST = bounds.RANK_CARDS
"""The most cards of a rank."""

SHAPE = f"(shoes, {len(RANKS)})"


def checked_counts(counts: npt.ArrayLike) -> Ints:
    """The counts as int64, if they can be shoes; else one error that names the first row and rank that cannot."""
    if isinstance(counts, (list, tuple)):
        _check_listed(counts)
    try:
        shoes = np.asarray(counts)
    except ValueError:
        raise InputError(f"counts must have the shape {SHAPE}; found rows of different lengths") from None
    if shoes.ndim != 2 or shoes.shape[1] != len(RANKS):
        raise InputError(f"counts must have the shape {SHAPE}; found {shoes.shape}")
    if shoes.size and not np.issubdtype(shoes.dtype, np.integer):
        return _integers(shoes)
    if shoes.size and int(shoes.min()) < 0:
        _refuse(shoes, shoes < 0, "must not be negative")
    if shoes.size and int(shoes.max()) > MOST:
        _refuse(shoes, shoes > MOST, f"must be at most {MOST}")
    return np.array(shoes, dtype=np.int64, order="C")


def _check_listed(rows: Sequence[Any]) -> None:
    """Refuse a row that is shorter or longer than others, and what numpy would take for a whole number."""
    listed = [(number, row) for number, row in enumerate(rows) if isinstance(row, (list, tuple))]
    if len({len(row) for _, row in listed}) > 1:
        number, row = next((number, row) for number, row in listed if len(row) != len(RANKS))
        raise InputError(f"shoe {number}: there must be {len(RANKS)} counts, A to K; found {len(row)}")
    for number, row in listed:
        if len(row) == len(RANKS) and set(map(type, row)) != {int}:
            _check_row(number, row)


def _check_row(number: int, row: Any) -> None:
    for rank, count in zip(RANKS, row, strict=True):
        if isinstance(count, (list, tuple, np.ndarray)):
            return  # too deep: the shape will say so
        if isinstance(count, (bool, np.bool_)) or not isinstance(count, (int, np.integer)):
            raise InputError(
                f"shoe {number}: the count of {rank} must be a whole number; found {in_words(count)}"
            )


def _integers(shoes: Array) -> Ints:
    """Counts that numpy does not hold as integers: Python's own, if they are not too large; nothing else."""
    for number, row in enumerate(shoes.tolist()):
        _check_row(number, row)
        for rank, count in zip(RANKS, row, strict=True):
            if count < 0:
                raise InputError(
                    f"shoe {number}: the count of {rank} must not be negative; found {in_words(count)}"
                )
            if count > MOST:
                raise InputError(
                    f"shoe {number}: the count of {rank} must be at most {MOST}; found {in_words(count)}"
                )
    return shoes.astype(np.int64)


def _refuse(shoes: Array, wrong: npt.NDArray[np.bool_], must: str) -> None:
    row, column = (int(place[0]) for place in np.nonzero(wrong))
    raise InputError(f"shoe {row}: the count of {RANKS[column]} {must}; found {shoes[row, column]}")
