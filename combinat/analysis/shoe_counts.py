"""The counts of many shoes, in any of the forms that a caller of ``evaluate`` passes."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from combinat.analysis.shoe_file import shoe_file
from combinat.base.errors import InputError
from combinat.rules.cards import RANKS
from combinat.rules.converters import as_path
from combinat.rules.shoe import Shoe


def as_counts(shoes: Any, decks: int) -> Any:
    """The counts of shoes: an array, a Shoe or several, a frame of polars or pandas, or the path of a file."""
    if isinstance(shoes, str | Path):
        return _shoes_in(as_path("shoes", shoes), decks)
    if isinstance(shoes, Shoe):
        return [shoes.counts]
    if hasattr(shoes, "columns") and hasattr(shoes, "to_numpy"):
        return _of_frame(shoes)
    listed = list(shoes) if isinstance(shoes, Iterator) else shoes
    if isinstance(listed, list | tuple) and any(isinstance(shoe, Shoe) for shoe in listed):
        return [shoe.counts if isinstance(shoe, Shoe) else shoe for shoe in listed]
    return listed


def _of_frame(frame: Any) -> Any:
    """The counts in a frame of polars or pandas, by the names of its columns, whatever their order."""
    labels = list(frame.columns)
    named = [[label for label in labels if str(label) == rank] for rank in RANKS]
    for rank, columns in zip(RANKS, named, strict=True):
        if len(columns) != 1:
            raise InputError(
                f"a frame of shoes has a column for each rank, {','.join(RANKS)}; found {len(columns)} for {rank}"
            )
    counts = []
    for rank, (label,) in zip(RANKS, named, strict=True):
        column = frame[label]
        nothing = column.is_null() if hasattr(column, "is_null") else column.isna()
        missing = np.flatnonzero(nothing.to_numpy())
        if len(missing):
            raise InputError(f"shoe {missing[0]}: the count of {rank} is missing; write a whole number")
        counts.append(column.to_numpy())
    if not all(np.issubdtype(column.dtype, np.integer) for column in counts):
        # Else whole numbers became floats beside floats, and True became 1 beside whole numbers.
        counts = [column.astype(object) for column in counts]
    return np.stack(counts, axis=1, dtype=None if np.result_type(*counts).kind in "iuO" else object)


def _shoes_in(path: Path, decks: int) -> Any:
    """The shoes of a file."""
    try:
        blocks = [block for block, _ in shoe_file(path, decks).blocks()]
    except InputError as error:
        raise InputError(str(error).removesuffix(", or - for standard input")) from None
    return np.concatenate([np.zeros((0, len(RANKS)), dtype=np.int64), *blocks])
