"""Rows of JSON (a list of objects, or one object per line) and of Parquet, every value as text."""

import codecs
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from combinat.audit.reading.rows import MOST_COLUMNS, RowBatch, RowFile, batches_of, lines_of, text_file
from combinat.audit.reading.source import MOST_LINE, Source, Stream
from combinat.base.errors import FileError, InputError, shortened
from combinat.montecarlo.log_writer import HEAD_KEYS

if TYPE_CHECKING:
    import polars

BATCH_ROWS = 2**16

JsonRow = dict[str, str | None] | str
"""A row of texts by column, or why it cannot be read."""


def json_lines_file(source: Source) -> RowFile:
    """Return the rows of lines, each an object."""
    with source.stream() as file:
        names = _keys(source, _objects_by_line(next(lines_of(file, source, 1), b""), 1))

    def lines(content: bytes, first: int) -> tuple[RowBatch, int]:
        return _json_batch(list(_objects_by_line(content, first)), names), content.count(b"\n")

    return text_file(source, {}, names, 1, lines)


def json_list_file(source: Source) -> RowFile:
    """Return the rows of a list of objects."""
    with source.stream() as file:
        names = _keys(source, _list_entries(file, source))

    def batches(file: Stream) -> Iterator[RowBatch]:
        objects = _list_entries(file, source)
        while some := list(islice(objects, BATCH_ROWS)):
            yield _json_batch(some, names)

    return RowFile(
        source=source,
        head={},
        names=names,
        size=source.size,
        batches=batches_of(source, batches),
        line_word="row",
    )


def _keys(source: Source, objects: Iterator[tuple[int, JsonRow]]) -> list[str]:
    """Return the keys of the first rows, which have all keys."""
    first = [row for _, row in islice(objects, FIRST_OBJECTS) if isinstance(row, dict)]
    names = list(dict.fromkeys(name for row in first for name in row))
    if len(names) > MOST_COLUMNS:
        raise FileError(f"{source.place}: {len(names)} different keys in the first rows; give a hand log")
    return names


FIRST_OBJECTS = 1_000
"""The first rows, which have all keys."""


def _json_batch(rows: Sequence[tuple[int, JsonRow]], names: Sequence[str]) -> RowBatch:
    import polars

    known, good, unreadable = set(names), dict[int, dict[str, str | None]](), list[tuple[int, str]]()
    for line, row in rows:
        if isinstance(row, dict) and row.keys() <= known:
            good[line] = row
            continue
        unknown = "" if isinstance(row, str) else shortened(min(row.keys() - known))
        unreadable.append(
            (line, row if isinstance(row, str) else f'the key "{unknown}" is in none of the first rows')
        )
    columns = {name: [row.get(name) for row in good.values()] for name in names}
    frame = polars.DataFrame(columns, schema=dict.fromkeys(names, polars.String))
    return RowBatch(np.array(list(good), dtype=np.int64), frame, unreadable)


def _row(value: Any) -> JsonRow:
    """Return a decoded object as a row."""
    if not isinstance(value, dict):
        return "no object with a key for each column"
    row = dict(_flat("", value))
    if len(row) > MOST_COLUMNS:
        return "too many keys"
    try:
        "".join(text or "" for pair in row.items() for text in pair).encode()
    except UnicodeEncodeError:
        return "half a character, which no text has"
    return row


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("a key is given twice")
    return dict(pairs)


_DECODER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str, object_pairs_hook=_pairs)
"""Numbers stay the texts that they are."""


def _objects_by_line(content: bytes, first: int) -> Iterator[tuple[int, JsonRow]]:
    """Yield the objects of whole lines with their lines."""
    for number, line in enumerate(content.split(b"\n")[:-1], first):
        if line.strip():
            try:
                yield number, _row(_DECODER.decode(line.decode("utf-8-sig").strip()))
            except (ValueError, RecursionError):
                yield number, "not readable as JSON"


_BETWEEN = re.compile(r"[\s,]*")


def _list_entries(file: Stream, source: Source) -> Iterator[tuple[int, JsonRow]]:
    """Yield the entries of a JSON list, decoded as far as the file has been read."""
    next(byte for byte in iter(lambda: file.read(1), b"") if byte == b"[")
    decoder, text, number = codecs.getincrementaldecoder("utf-8")("replace"), "", 1
    while read := file.read(MOST_LINE):
        text, at = text + decoder.decode(read), 0
        while (at := _BETWEEN.match(text, at).end()) < len(text):  # type: ignore[union-attr]
            if text[at] == "]":
                return
            try:
                value, at = _DECODER.raw_decode(text, at)
            except (ValueError, RecursionError):
                break  # the rest of the entry has not been read yet
            yield number, _row(value)
            number += 1
        text = text[at:]
        if len(text) > MOST_LINE:
            raise FileError(
                f"{source.place}, row {number}: not readable as JSON, or longer than {MOST_LINE} bytes"
            )
    raise FileError(f"{source.place}: the list does not end; the file is cut")


def _flat(prefix: str, row: Mapping[str, Any]) -> Iterable[tuple[str, str | None]]:
    """Yield an object's values as texts: nested keys joined by dots, list values joined by spaces."""
    for key, value in row.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict):
            yield from _flat(f"{name}.", value)
        elif isinstance(value, list):
            yield name, " ".join("" if one is None else str(one) for one in value)
        else:
            yield name, str(value).lower() if isinstance(value, bool) else value or None


# ---------------------------------------------------------------- Parquet


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
