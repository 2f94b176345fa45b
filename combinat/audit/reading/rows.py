"""The rows of a file: CSV with any separator, JSON, Parquet; in batches, every value as text.

Reading neither rounds values nor interprets columns. A line is a whole row: values of a hand log contain no
line breaks.
"""

import codecs
import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
import numpy.typing as npt

from combinat.audit.reading.beads import BEAD_BYTES, bead_lines, is_beads
from combinat.audit.reading.source import MOST_LINE, FileForm, Source, Stream, whole_lines
from combinat.base.errors import FileError, InputError, shortened
from combinat.montecarlo.log_writer import HEAD_KEYS

if TYPE_CHECKING:
    import polars

FIRST_BYTES = 2**17
"""The first rows, by which a log is known, are a small batch."""
BATCH_BYTES = 2**23
BATCH_ROWS = 2**16
DELIMITERS = ",;\t|"
MOST_COLUMNS = 1_000
MOST_ROWS = 2**20
"""Rows that any Parquet file may have; a larger one has a byte for each of its rows, as six cards take more
than that."""


@dataclass(frozen=True, slots=True)
class RowBatch:
    """Rows of a file: their lines, their cells as text, and the unreadable lines."""

    lines: npt.NDArray[np.int64]
    frame: "polars.DataFrame"
    unreadable: Sequence[tuple[int, str]] = ()

    def part(self, rows: npt.NDArray[np.intp] | slice) -> "RowBatch":
        """Return the rows with these numbers, without the unreadable lines."""
        return RowBatch(self.lines[rows], self.frame[rows])


Batches = Callable[[Callable[[int], None]], Iterator[RowBatch]]
"""From a function to call with the size of each finished part, the rows."""

Lines = Callable[[bytes, int], tuple[RowBatch, int]]
"""From whole lines of text and the number of the first, their rows, and how many lines there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowFile:
    """A file of rows: its head, its columns, and how to read it.

    ``size``: in the unit that ``batches`` reports.

    ``lines``: how to read lines that come later, where rows are lines of text; ``first_line``: of the first
    row.
    """

    source: Source
    head: Mapping[str, str]
    names: Sequence[str]
    size: int
    batches: Batches
    line_word: str
    lines: Lines | None = None
    first_line: int = 1

    def first(self, most: int) -> "polars.DataFrame":
        """Return the first rows that can be read."""
        import polars

        for rows in self.batches(lambda done: None):
            if rows.frame.height:
                return rows.frame.head(most)
        return polars.DataFrame(schema=dict.fromkeys(self.names, polars.String))


def streamed(source: Source, read: Callable[[Stream], Iterator[RowBatch]]) -> Batches:
    """Return the batches read from the bytes of a file; each batch reports the bytes used."""

    def batches(advance: Callable[[int], None]) -> Iterator[RowBatch]:
        with source.stream() as file:
            done = 0
            for rows in read(file):
                yield rows
                advance(file.done - done)
                done = file.done

    return batches


def row_file(source: Source, delimiter: str | None = None, scale: int | None = None) -> RowFile:
    """Return the rows of a file.

    ``delimiter``: of CSV, default: detected from the header; ``scale``: the decimals of Parquet floats.
    """
    if is_beads(source.read(BEAD_BYTES)):
        return _bead_plate(source)
    match source.form:
        case FileForm.PARQUET:
            return _parquet(source, scale)
        case FileForm.JSON_LIST:
            return _json_list(source)
        case FileForm.JSON_LINES:
            return _json_lines(source)
        case _:
            return _csv(source, delimiter)


# ---------------------------------------------------------------- lines of text


def _text_file(
    source: Source, head: Mapping[str, str], names: Sequence[str], first: int, lines: Lines
) -> RowFile:
    """Return a file whose rows are lines of text from line ``first`` on."""

    def batches(file: Stream) -> Iterator[RowBatch]:
        number = first
        for content in _whole_lines(file, source, first):
            rows, count = lines(content, number)
            number += count
            yield rows

    return RowFile(
        source=source,
        head=head,
        names=names,
        size=source.size,
        batches=streamed(source, batches),
        line_word="line",
        lines=lines,
        first_line=first,
    )


def _whole_lines(file: Stream, source: Source, number: int) -> Iterator[bytes]:
    """Yield the lines of a file from this number on, many at once; the first rows are a small batch."""
    for _ in range(number - 1):
        file.readline(MOST_LINE)
    rest, size = b"", min(FIRST_BYTES, BATCH_BYTES)
    while read := file.read(size):
        content, rest = whole_lines(rest + read)
        size = BATCH_BYTES
        number += _count(content, "\n")
        if len(rest) > MOST_LINE:
            raise FileError(f"{source.place}, line {number}: longer than {MOST_LINE} bytes; give a hand log")
        if content:
            yield content
    if last := rest.rstrip(b"\r\n"):
        yield last + b"\n"


# ---------------------------------------------------------------- CSV


def _csv(source: Source, delimiter: str | None) -> RowFile:
    head: dict[str, str] = {}
    with source.stream() as file:
        number, line = 1, _line(file, source, 1)
        while line.startswith("#") and line[1:2] not in tuple(DELIMITERS):
            key, colon, value = line.removeprefix("#").partition(":")
            key, value = key.strip(), value.strip()
            if not colon or key not in HEAD_KEYS or (key in head and key != "note"):
                raise FileError(
                    f'{source.place}, line {number}: found "{line[:100]}"; write one of # game: ID, # decks: N, # cards: A=32 ..., '
                    "# cut-card: N, # unit: 0.01, # rounding: down, each once, or # note: TEXT"
                )
            head[key] = value
            number += 1
            line = _line(file, source, number)
    mark = delimiter or max(DELIMITERS, key=line.count)
    names = [name.strip() for name in next(csv.reader([line], delimiter=mark), [])]
    if len(names) > MOST_COLUMNS:
        raise FileError(f"{source.place}, line {number}: found {len(names)} columns; give a hand log")
    return _text_file(
        source, head, names, number + 1, lambda content, first: _csv_rows(content, names, mark, first)
    )


def _line(file: BinaryIO, source: Source, number: int) -> str:
    raw = file.readline(MOST_LINE)
    where = f"{source.place}, line {number}"
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FileError(f"{where}: UTF-16 text; write the file as UTF-8")
    try:
        text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        raise FileError(
            f"{where}, column {error.start + 1}: not UTF-8 text; give a CSV, JSON or Parquet hand log"
        ) from None
    if "\r" in text.rstrip("\r\n"):
        raise FileError(
            f"{where}, column {text.index(chr(13)) + 1}: a carriage return without a line feed; end each line with a line feed"
        )
    if len(raw) == MOST_LINE or "\0" in text:
        raise FileError(f"{where}: no line of text; give a CSV, JSON or Parquet hand log")
    return text.strip("\r\n")


def _csv_rows(content: bytes, names: Sequence[str], mark: str, first: int) -> tuple[RowBatch, int]:
    """Return the rows of complete lines and the number of lines.

    A line with missing or extra values is unreadable.
    Polars reads plain text. Everything else is read line by line, so that each refusal names its line.
    """
    import polars

    content = content.replace(b"\r\n", b"\n") if b"\r" in content else content
    height = _count(content, "\n")
    lines = np.arange(first, first + height, dtype=np.int64)
    frame = _plain_frame(content, names, mark, height)
    if frame is not None:
        return RowBatch(lines, frame), height
    split = [_cells(line, len(names), mark) for line in content.split(b"\n")[:-1]]
    unreadable = [(first + place, cells) for place, cells in enumerate(split) if isinstance(cells, str)]
    good = [place for place, cells in enumerate(split) if not isinstance(cells, str)]
    rows = [[text or None for text in split[place]] for place in good]
    frame = polars.DataFrame(rows, schema=dict.fromkeys(names, polars.String), orient="row")
    return RowBatch(lines[good], frame, unreadable), height


def _count(content: bytes, mark: str) -> int:
    """Return the count of a character; numpy counts frequent ones faster than ``bytes.count``."""
    return int(np.count_nonzero(np.frombuffer(content, dtype=np.uint8) == ord(mark)))


def _plain_frame(content: bytes, names: Sequence[str], mark: str, height: int) -> "polars.DataFrame | None":
    """Return lines of ASCII without quotes and control characters as rows of text; None for all other lines.

    Polars refuses a line with extra values. If the total number of separators is right, no line has missing
    ones.
    """
    import polars

    half = MOST_LINE // 2
    has_long_line = any(
        content.find(b"\n", start, start + half) < 0 for start in range(0, len(content) - half, half)
    )
    is_even = _count(content, mark) == height * (len(names) - 1)
    if has_long_line or not is_even or not content.isascii() or content.translate(None, _PLAIN):
        return None
    try:
        frame = polars.read_csv(
            io.BytesIO(content),
            has_header=False,
            separator=mark,
            schema=dict.fromkeys(names, polars.String),
            quote_char=None,
            infer_schema=False,
        )
    except polars.exceptions.PolarsError:
        return None
    return frame if frame.height == height else None


def _cells(line: bytes, columns: int, mark: str) -> list[str] | str:
    r"""Return the cells of a line, or why it is not a row; positions are counted in bytes.

    >>> _cells(b'1,"5 4"', 2, ","), _cells(b"1", 2, ",")
    (['1', '5 4'], 'found 1 cell; the header has 2')
    >>> _cells("1,Müller".encode("latin-1"), 2, ","), _cells(b"1,5\x00", 2, ",")
    ('not UTF-8 text, in column 4: found "\\xfc"', 'a character that no value needs, in column 4: found "\\x00"')
    """
    if len(line) >= MOST_LINE:
        return f"longer than {MOST_LINE} bytes"
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        code = f"\\x{line[error.start]:02x}"
        return f'not UTF-8 text, in column {error.start + 1}: found "{code}"'
    if rest := line.translate(None, _NO_CONTROL):
        column, code = line.index(rest[0]) + 1, f"\\x{rest[0]:02x}"
        return f'a character that no value needs, in column {column}: found "{code}"'
    try:
        cells = next(csv.reader([text], delimiter=mark, strict=True), []) or [""]
    except csv.Error:
        return f"quotes that do not end, from column {line.rfind(QUOTE) + 1} on"
    if len(cells) != columns:
        return f"found {len(cells)} cell{'' if len(cells) == 1 else 's'}; the header has {columns}"
    return cells


QUOTE = b'"'
_NO_CONTROL = bytes(code for code in range(256) if (code >= 32 or code == ord("\t")) and code != 127)
_PLAIN = _NO_CONTROL.replace(QUOTE, b"") + b"\n"
"""The bytes of plain lines."""


# ---------------------------------------------------------------- JSON


JsonRow = dict[str, str | None] | str
"""A row of texts by column, or why it cannot be read."""


def _json_lines(source: Source) -> RowFile:
    with source.stream() as file:
        names = _keys(source, _lined(next(_whole_lines(file, source, 1), b""), 1))

    def lines(content: bytes, first: int) -> tuple[RowBatch, int]:
        return _json_batch(list(_lined(content, first)), names), content.count(b"\n")

    return _text_file(source, {}, names, 1, lines)


def _json_list(source: Source) -> RowFile:
    with source.stream() as file:
        names = _keys(source, _listed(file, source))

    def batches(file: Stream) -> Iterator[RowBatch]:
        objects = _listed(file, source)
        while some := list(islice(objects, BATCH_ROWS)):
            yield _json_batch(some, names)

    return RowFile(
        source=source,
        head={},
        names=names,
        size=source.size,
        batches=streamed(source, batches),
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


def _lined(content: bytes, first: int) -> Iterator[tuple[int, JsonRow]]:
    """Yield the objects of whole lines with their lines."""
    for number, line in enumerate(content.split(b"\n")[:-1], first):
        if line.strip():
            try:
                yield number, _row(_DECODER.decode(line.decode("utf-8-sig").strip()))
            except (ValueError, RecursionError):
                yield number, "not readable as JSON"


_BETWEEN = re.compile(r"[\s,]*")


def _listed(file: Stream, source: Source) -> Iterator[tuple[int, JsonRow]]:
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


def _parquet(source: Source, scale: int | None) -> RowFile:
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


# ---------------------------------------------------------------- bead plates


def _bead_plate(source: Source) -> RowFile:
    """Return the letters of a bead plate as rows: one winner per row, one shoe per line."""
    names = ["winner", "shoe"]

    def batches(file: Stream) -> Iterator[RowBatch]:
        import polars

        for winners, bad in bead_lines(iter(lambda: file.readline(MOST_LINE), b"")):
            rows = [(winner, str(line)) for line, winner in winners]
            frame = polars.DataFrame(rows, schema=dict.fromkeys(names, polars.String), orient="row")
            yield RowBatch(frame["shoe"].cast(polars.Int64).to_numpy(), frame, bad)

    return RowFile(
        source=source,
        head={},
        names=names,
        size=source.size,
        batches=streamed(source, batches),
        line_word="line",
    )
