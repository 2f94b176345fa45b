"""Columns of numbers as rows of CSV, many at a time: whole numbers, and decimals in units of their last place."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NumberColumn:
    """Numbers in units of their last decimal place; ``is_missing``: the rows in which the cell is empty."""

    units: npt.NDArray[np.int64]
    places: int = 0
    is_missing: npt.NDArray[np.bool_] | None = None


def number_rows(columns: Sequence[NumberColumn]) -> str:
    r"""Return the rows of a CSV file.

    >>> number_rows([NumberColumn(units=np.array([7, -12])), NumberColumn(units=np.array([-5, 1234]), places=2)])
    '7,-0.05\n-12,12.34\n'
    """
    import polars as pl  # only batches of shoes need it

    frame = pl.DataFrame([_cells(column).alias(str(number)) for number, column in enumerate(columns)])
    return frame.write_csv(include_header=False)


def _cells(column: NumberColumn) -> "pl.Series":
    import polars as pl

    units = pl.Series("units", column.units)
    if not column.places:
        return units
    sign = pl.when(pl.col("units") < 0).then(pl.lit("-")).otherwise(pl.lit(""))
    whole, part = (pl.col("units").abs() // 10**column.places, pl.col("units").abs() % 10**column.places)
    text = pl.concat_str(sign, whole, pl.lit("."), part.cast(pl.String).str.zfill(column.places))
    missing = pl.Series(np.zeros(len(units), bool) if column.is_missing is None else column.is_missing)
    return units.to_frame().select(pl.when(~missing).then(text)).to_series()
