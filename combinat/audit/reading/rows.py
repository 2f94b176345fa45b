"""The rows of a file in batches, every value as text; and two readers of them: CSV and bead plates.

Reading neither rounds values nor interprets columns. A line is a whole row: values of a hand log contain no
line breaks. A bead plate names winners only, as the letters P, B and T or as words, one shoe per line.
"""

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, BinaryIO

import numpy as np
import numpy.typing as npt

from combinat.audit.reading.notation import winner_named
from combinat.audit.reading.source import MOST_LINE, Source, Stream, whole_lines
from combinat.base.errors import FileError, shortened
from combinat.montecarlo.log_writer import HEAD_KEYS

if TYPE_CHECKING:
    import polars

FIRST_BYTES = 2**17
"""The first rows, by which a log is known, are a small batch."""
BATCH_BYTES = 2**23
MOST_COLUMNS = 1_000


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


def batches_of(source: Source, read: Callable[[Stream], Iterator[RowBatch]]) -> Batches:
    """Return the batches read from the bytes of a file; each batch reports the bytes used."""

    def batches(advance: Callable[[int], None]) -> Iterator[RowBatch]:
        with source.stream() as file:
            done = 0
            for rows in read(file):
                yield rows
                advance(file.done - done)
                done = file.done

    return batches


def text_file(
    source: Source, head: Mapping[str, str], names: Sequence[str], first: int, lines: Lines
) -> RowFile:
    """Return a file whose rows are lines of text from line ``first`` on."""

    def batches(file: Stream) -> Iterator[RowBatch]:
        number = first
        for content in lines_of(file, source, first):
            rows, count = lines(content, number)
            number += count
            yield rows

    return RowFile(
        source=source,
        head=head,
        names=names,
        size=source.size,
        batches=batches_of(source, batches),
        line_word="line",
        lines=lines,
        first_line=first,
    )


def lines_of(file: Stream, source: Source, number: int) -> Iterator[bytes]:
    """Yield the lines of a file from this number on, many at once; the first rows are a small batch."""
    for _ in range(number - 1):
        file.readline(MOST_LINE)
    rest, size = b"", min(FIRST_BYTES, BATCH_BYTES)
    while read := file.read(size):
        content, rest = whole_lines(rest + read)
        size = BATCH_BYTES
        number += count_of(content, "\n")
        if len(rest) > MOST_LINE:
            raise FileError(f"{source.place}, line {number}: longer than {MOST_LINE} bytes; give a hand log")
        if content:
            yield content
    if last := rest.rstrip(b"\r\n"):
        yield last + b"\n"


def count_of(content: bytes, mark: str) -> int:
    """Return the count of a character; numpy counts frequent ones faster than ``bytes.count``."""
    return int(np.count_nonzero(np.frombuffer(content, dtype=np.uint8) == ord(mark)))


# ---------------------------------------------------------------- CSV


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


# ---------------------------------------------------------------- bead plates


LETTERS = {"P": "player", "B": "banker", "T": "tie"}
_BREAK = re.compile(r"[ ,;|\t\r\n-]+")
LINES = 500
"""Lines that are read at once."""

BEAD_BYTES = 4096
"""The first bytes, by which a bead plate is recognized."""


def is_beads(begin: bytes) -> bool:
    r"""Return whether a file is a bead plate, by its first bytes.

    >>> is_beads(b"PBBTP\nBBP\n"), is_beads(b"P,B,T,P,B"), is_beads(b"P,B\n5 4,K 7\n"), is_beads(b"B\n")
    (True, True, False, False)
    >>> is_beads(b"Banker\nPlayer\nTie\nBanker\nBanker\n"), is_beads(b"Player,Banker\nKS 5H,9C 8S\n")
    (True, False)
    """
    *words, last = re.split(_BREAK, begin.decode("ascii", "replace"))
    winners = [winner for word in words for winner in _winners(word)]
    of_last = _winners(last)
    winners += [] if len(begin) >= BEAD_BYTES and None in of_last else of_last  # the last word may be cut off
    return len(winners) >= 5 and None not in winners


def _winners(word: str) -> list[str | None]:
    """Return the winners in a text, one word or several letters, or None for any other text."""
    whole = winner_named(word)
    return [whole] if whole else [LETTERS.get(letter) for letter in word.upper()]


def bead_file(source: Source) -> RowFile:
    """Return the letters of a bead plate as rows: one winner per row, one shoe per line."""
    names = ["winner", "shoe"]

    def batches(file: Stream) -> Iterator[RowBatch]:
        import polars

        number, lines = 1, iter(lambda: file.readline(MOST_LINE), b"")
        while batch := list(islice(lines, LINES)):
            winners, mistakes = list[tuple[str, str]](), list[tuple[int, str]]()
            for line in batch:
                for word in _BREAK.split(line.decode("ascii", "replace")):
                    named = _winners(word)
                    winners += [(winner, str(number)) for winner in named if winner]
                    if None in named:
                        mistakes.append((number, f'found "{shortened(word)}"; write P, B or T'))
                number += line.endswith(b"\n")
            frame = polars.DataFrame(winners, schema=dict.fromkeys(names, polars.String), orient="row")
            yield RowBatch(frame["shoe"].cast(polars.Int64).to_numpy(), frame, mistakes)

    return RowFile(
        source=source,
        head={},
        names=names,
        size=source.size,
        batches=batches_of(source, batches),
        line_word="line",
    )
