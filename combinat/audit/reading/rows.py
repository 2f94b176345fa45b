"""The rows of a file in batches, every value as text: what the readers of CSV, JSON, Parquet and bead plates give.

Reading neither rounds values nor interprets columns. A line is a whole row: values of a hand log contain no
line breaks.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from combinat.audit.reading.source import MOST_LINE, Source, Stream, whole_lines
from combinat.base.errors import FileError

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
        batches=streamed(source, batches),
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
