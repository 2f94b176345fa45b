"""Rows of CSV with any separator, and the head of a log: lines ``# key: value`` before the names of the columns."""

import csv
import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from combinat.audit.reading.rows import MOST_COLUMNS, RowBatch, RowFile, count_of, text_file
from combinat.audit.reading.source import MOST_LINE, Source
from combinat.base.errors import FileError
from combinat.montecarlo.log_writer import HEAD_KEYS

if TYPE_CHECKING:
    import polars

DELIMITERS = ",;\t|"


def csv_file(source: Source, delimiter: str | None) -> RowFile:
    """Return the rows of CSV. ``delimiter``: default: detected from the header."""
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
    return text_file(
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
    height = count_of(content, "\n")
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
    is_even = count_of(content, mark) == height * (len(names) - 1)
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
