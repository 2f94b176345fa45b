"""Rows of Parquet, every value as text."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from combinat.audit.reading.rows import RowBatch, RowFile
from combinat.audit.reading.source import MOST_LINE, Source
from combinat.base.errors import FileError, InputError
from combinat.montecarlo.log_writer import HEAD_KEYS

if TYPE_CHECKING:
    import polars

BATCH_ROWS = 2**16
MOST_ROWS = 2**20
"""Rows that any Parquet file may have; a larger one has a byte for each of its rows, as six cards take more
than that."""


def parquet_file(source: Source, scale: int | None) -> RowFile:
    """Return the rows of Parquet. ``scale``: the decimals of its floats."""
    import polars

    with _parquet_errors(source.place):
        metadata = polars.read_parquet_metadata(source.content)
        lazy = polars.scan_parquet(source.content, glob=False)
        schema = lazy.collect_schema()
        rows = int(lazy.select(polars.len()).collect().item())
        if rows > max(MOST_ROWS, source.size):
            raise FileError(f"{source.place}: {rows} rows in {source.size} bytes; no hand log is so small")
        as_text = [_text_of(source, lazy, name, kind, scale) for name, kind in schema.items()]

    def batches(advance: Callable[[int], None]) -> Iterator[RowBatch]:
        for start in range(0, rows, BATCH_ROWS):
            with _parquet_errors(source.place):
                frame = lazy.slice(start, BATCH_ROWS).select(as_text).collect()
            longest = max(size or 0 for size in frame.select(polars.all().str.len_bytes().max()).row(0))
            if longest > MOST_LINE:
                raise FileError(f"{source.place}: a value of {longest} bytes; give a hand log")
            frame = frame.with_columns(polars.when(polars.all() != "").then(polars.all()).name.keep())
            yield RowBatch(np.arange(start + 1, start + 1 + frame.height, dtype=np.int64), frame, ())
            advance(frame.height)

    head = {key: metadata[key] for key in HEAD_KEYS if key in metadata}
    return RowFile(source=source, head=head, names=list(schema), size=rows, batches=batches, line_word="row")


@contextmanager
def _parquet_errors(place: str) -> Iterator[None]:
    """Refuse a damaged file. A panic of polars is not an ordinary exception."""
    import polars

    try:
        yield
    except (OSError, polars.exceptions.PolarsError, polars.exceptions.PanicException) as error:
        first = (str(error).splitlines() or [type(error).__name__])[0]
        raise FileError(f"{place}: not readable as Parquet: {first}") from None


def _text_of(
    source: Source, lazy: "polars.LazyFrame", name: str, kind: "polars.DataType", scale: int | None
) -> "polars.Expr":
    """Return a column as text: integers unchanged, floats only if ``scale`` is given."""
    import polars

    column = polars.col(name)
    if isinstance(kind, polars.List | polars.Array):
        return column.cast(polars.List(polars.String)).list.join(" ", ignore_nulls=True)
    if not kind.is_float():
        return column.cast(polars.String)
    given = column.fill_nan(None)
    whole = lazy.select(((given % 1 == 0) & (given.abs() < 2**53)).all()).collect().item()
    if whole:
        return given.cast(polars.Int64).cast(polars.String).alias(name)
    if scale is None:
        raise InputError(
            f"{source.place}: the column {name} holds {kind}, which is no exact amount",
            "write text, or state its decimals with {log_map} scale=N",
            parameter="log_map",
        )
    return given.cast(polars.Float64).cast(polars.String)
