"""Shoes in any form that a caller passes, and files of shoes: CSV or Parquet of any length, one shoe per row.

Files are read in blocks, and each row is checked. The columns are the thirteen ranks, in any order, or
``removed``: the cards removed from a number of decks. Other columns are ignored.
"""

import csv
import io
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from combinat.base.errors import CombinatError, FileError, InputError, in_words, shortened
from combinat.base.files import open_plain
from combinat.engine.arrays import Array, Ints
from combinat.rules.bounds import RANK_CARDS, SHOE_LINE
from combinat.rules.cards import RANKS
from combinat.rules.converters import as_path
from combinat.rules.shoe import Shoe

BLOCK = 8192
"""Number of shoes that are read, counted and written at a time."""

CHUNK = 2**18
"""Number of bytes of plain rows that are read at a time: some 8,000 shoes."""

SLICE = 65_536
"""Number of rows of a Parquet file that are read at a time."""

REMOVED = "removed"
PARQUET = b"PAR1"
"""The first bytes of a Parquet file."""

ShoeCounts = tuple[int, ...]
Block = tuple[Ints, int]
"""The counts of some shoes, a row each, and how far the file was read for them, in the parts that its size is given in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeFile:
    """A file of shoes. ``size``: in bytes or rows.

    None if it is unknown, and the file can be read only once.
    """

    size: int | None
    blocks: Callable[[], Iterator[Block]]


def shoe_file(path: Path, decks: int) -> ShoeFile:
    """Return the shoes of a plain file: Parquet if it begins as a Parquet file, else CSV."""
    try:
        with open_plain(path) as file:
            is_parquet, size = file.read(len(PARQUET)) == PARQUET, file.seek(0, io.SEEK_END)
    except FileError as error:
        raise InputError(
            f"{path}: {error.why}; give a CSV or Parquet file of shoes, or - for standard input"
        ) from None
    if is_parquet:
        return _parquet(path, decks)

    def blocks() -> Iterator[Block]:
        try:
            with open_plain(path) as file:
                yield from _csv_blocks(str(path), file, decks)
        except FileError as error:
            raise InputError(f"{path}: {error.why}") from None

    return ShoeFile(size=size, blocks=blocks)


def shoe_stream(file: io.BufferedReader, decks: int) -> ShoeFile:
    """Return the shoes of standard input: CSV, read as it arrives."""

    def blocks() -> Iterator[Block]:
        if file.peek(len(PARQUET)).startswith(PARQUET):
            raise InputError("standard input: found Parquet, which is read from a file only; give its path")
        yield from _csv_blocks("standard input", file, decks, is_stream=True)

    return ShoeFile(size=None, blocks=blocks)


# ---------------------------------------------------------------- CSV


def _csv_blocks(
    place: str, file: io.BufferedReader, decks: int, *, is_stream: bool = False
) -> Iterator[Block]:
    """Yield the shoes of a CSV file: plain rows in bulk, and from the first other row on one by one."""
    line = 0
    if not is_stream:
        line = yield from _plain_blocks(file)
    text = io.TextIOWrapper(file, encoding="utf-8" if line else "utf-8-sig", newline="")
    try:
        reader = csv.reader(_lines(place, text, line), strict=True)
        yield from _blocks(place, file, reader, decks, is_stream, line)
    except OSError as error:
        raise InputError(f"{place}: cannot be read ({error.strerror})") from None
    except (csv.Error, UnicodeDecodeError) as error:
        raise InputError(f"{place}: not readable as CSV: {error}") from None
    finally:
        text.detach()  # the caller that opened the file closes it


def _plain_blocks(file: io.BufferedReader) -> Generator[Block, None, int]:
    """Yield the shoes up to the first row that is not plain; return the number of lines read.

    Reads no line of a file whose header is not the thirteen ranks.
    """
    header = file.readline(SHOE_LINE)
    if header.rstrip(b"\r\n") != ",".join(RANKS).encode("ascii") or not header.endswith(b"\n"):
        file.seek(0)
        return 0
    line, read = 1, 0
    while chunk := file.read(CHUNK):
        chunk += file.readline(SHOE_LINE + 1)
        shoes = _plain_rows(chunk)
        if shoes is None:
            file.seek(-len(chunk), io.SEEK_CUR)
            break
        yield shoes, file.tell() - read
        line, read = line + len(shoes), file.tell()
    return line


def _plain_rows(chunk: bytes) -> Ints | None:
    """Return rows of thirteen counts, or None if the chunk holds anything else."""
    text = chunk.replace(b"\r\n", b"\n")
    text = text if text.endswith(b"\n") else text + b"\n"
    characters = np.frombuffer(text, dtype=np.uint8)
    ends = np.flatnonzero((characters < ord("0")) | (characters > ord("9")))
    digits = np.diff(ends, prepend=-1) - 1
    if len(ends) % len(RANKS) or digits.min() < 1 or digits.max() > _DIGITS:
        return None
    expected = np.array([ord(",")] * (len(RANKS) - 1) + [ord("\n")], dtype=np.uint8)
    if not (characters[ends].reshape(-1, len(RANKS)) == expected).all():
        return None
    cells = text[:-1].replace(b"\n", b",").decode("ascii")
    return np.fromstring(cells, dtype=np.int64, sep=",").reshape(-1, len(RANKS))


def _lines(place: str, text: TextIO, number: int) -> Iterator[str]:
    """Yield the lines of a text, refusing a line that is too long; ``number``: the lines read before."""
    while line := text.readline(SHOE_LINE + 1):
        number += 1
        if len(line) > SHOE_LINE:
            raise InputError(
                f"{place}, line {number}: longer than {SHOE_LINE} characters; write a shoe a line"
            )
        yield line


def _blocks(
    place: str, file: io.BufferedReader, reader: Any, decks: int, is_stream: bool, line: int
) -> Iterator[Block]:
    """Yield the shoes of the rows, each checked.

    ``line``: the lines read before, or 0 if the header comes first.
    """
    header = list(map(str, RANKS)) if line else [name.strip() for name in next(reader, [])]
    counts = _reading(f"{place}, line 1", header, decks)
    block: list[ShoeCounts] = []
    read = file.tell() if line else 0
    for cells in reader:
        if not cells and header != [REMOVED]:
            continue
        try:
            if not cells:
                raise InputError('blank; write "" for a shoe from which nothing is removed')
            if len(cells) != len(header):
                raise InputError(f"found {len(cells)} cells; the header has {len(header)}")
            block.append(counts(cells))
        except CombinatError as error:
            raise InputError(f"{place}, line {line + reader.line_num}: {error}") from None
        if len(block) == BLOCK:
            at = len(block) + read if is_stream else file.tell()
            yield np.array(block, dtype=np.int64), at - read
            block, read = [], at
    if block:
        yield np.array(block, dtype=np.int64), len(block) if is_stream else file.tell() - read


def _reading(where: str, header: Sequence[str], decks: int) -> Callable[[Sequence[Any]], ShoeCounts]:
    """Return the function that converts a row under this header to counts."""
    if list(header) == list(RANKS):
        return _counts
    read = _read_columns(header)
    if sorted(read) == sorted(RANKS):
        places = [header.index(rank) for rank in RANKS]
        return lambda cells: _counts([cells[place] for place in places])
    if read == [REMOVED]:
        fresh, place = Shoe.of_decks(decks), header.index(REMOVED)
        return lambda cells: fresh.minus(cells[place]).counts
    raise InputError(
        f"{where}: found the header {shortened(','.join(header)) or 'nothing'}; "
        f"write {','.join(RANKS)} or {REMOVED}"
    )


def _read_columns(header: Sequence[str]) -> list[str]:
    """Return the columns of a header that describe the shoe, in its order."""
    return [name for name in header if name == REMOVED or name in RANKS]


def _counts(cells: Sequence[Any]) -> ShoeCounts:
    """Return the counts of a row, A to K."""
    try:
        digits = "".join(cells)
        if digits.isascii() and digits.isdigit() and max(map(len, cells)) <= _DIGITS:
            return tuple(map(int, cells))
    except (TypeError, ValueError):
        pass  # a cell is not a count: the loop below reports which
    return tuple(_count(cell, rank) for cell, rank in zip(cells, RANKS, strict=True))


_DIGITS = 9
"""The most digits of a count."""


def _count(cell: Any, rank: str) -> int:
    text = "" if cell is None else str(cell).strip()
    if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS):
        raise InputError(
            f'{rank}: found "{shortened(text)}"; write a whole number of 0 or more, of at most {_DIGITS} digits'
        )
    return int(text)


# ---------------------------------------------------------------- Parquet


def _parquet(path: Path, decks: int) -> ShoeFile:
    import polars

    refusals = (OSError, polars.exceptions.PolarsError, polars.exceptions.PanicException)

    def refused(error: BaseException) -> InputError:
        why = (str(error).splitlines() or [type(error).__name__])[0]
        return InputError(f"{path}: not readable as Parquet: {shortened(why, 200)}")

    try:
        lazy = polars.scan_parquet(path, glob=False)
        header = list(lazy.collect_schema())
        lazy = lazy.select(_read_columns(header) or polars.all())
        schema = lazy.collect_schema()
        rows = int(lazy.select(polars.len()).collect().item())
    except refusals as error:
        raise refused(error) from None
    _reading(str(path), header, decks)
    counts = _reading(str(path), list(schema), decks)
    for name, kind in schema.items():
        if not (kind.is_integer() if name != REMOVED else kind == polars.String):
            wanted = "cards as text" if name == REMOVED else "whole numbers"
            raise InputError(f"{path}: the column {name} holds {kind}; write {wanted}")

    def blocks() -> Iterator[Block]:
        for start in range(0, rows, SLICE):
            try:
                frame = lazy.slice(start, SLICE).collect()
            except refusals as error:
                raise refused(error) from None
            if _is_plain(frame):
                shoes = frame.select(map(str, RANKS)).to_numpy().astype(np.int64, order="C")
                for first in range(0, len(shoes), BLOCK):
                    block = shoes[first : first + BLOCK]
                    yield block, len(block)
            else:
                yield from _sliced(frame.select(polars.all().cast(polars.String)).rows(), start)

    def _sliced(listed: list[Any], start: int) -> Iterator[Block]:
        for first in range(0, len(listed), BLOCK):
            block = []
            for number, cells in enumerate(listed[first : first + BLOCK], start=start + first + 1):
                try:
                    if cells == (None,):
                        raise InputError(
                            "nothing is there; write the cards that are removed, or an empty text"
                        )
                    block.append(counts(cells))
                except CombinatError as error:
                    raise InputError(f"{path}, row {number}: {error}") from None
            yield np.array(block, dtype=np.int64), len(block)

    return ShoeFile(size=rows, blocks=blocks)


def _is_plain(frame: Any) -> bool:
    """Whether a frame has the thirteen ranks and no count that must be refused."""
    if REMOVED in frame.columns or sum(frame.null_count().row(0)):
        return False
    lowest, highest = frame.min().row(0), frame.max().row(0)
    return bool(min(lowest) >= 0 and max(highest) < 10**_DIGITS)


# ---------------------------------------------------------------- shoes that a caller passes


def as_counts(shoes: Any, decks: int) -> Ints:
    """Return the counts of shoes: an array, a Shoe or several, a polars or pandas frame, or a path."""
    if isinstance(shoes, str | Path):
        return _checked_counts(_shoes_in(as_path("shoes", shoes), decks))
    if isinstance(shoes, Shoe):
        return _checked_counts([shoes.counts])
    if hasattr(shoes, "columns") and hasattr(shoes, "to_numpy"):
        return _checked_counts(_of_frame(shoes))
    listed = list(shoes) if isinstance(shoes, Iterator) else shoes
    if isinstance(listed, list | tuple):
        listed = [shoe.counts if isinstance(shoe, Shoe) else shoe for shoe in listed]
    return _checked_counts(listed)


def _of_frame(frame: Any) -> Any:
    """Return the counts in a polars or pandas frame, by the names of its columns, in any order."""
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
        # Otherwise integers would become floats beside floats, and True would become 1 beside integers.
        counts = [column.astype(object) for column in counts]
    return np.stack(counts, axis=1, dtype=None if np.result_type(*counts).kind in "iuO" else object)


def _shoes_in(path: Path, decks: int) -> Any:
    """Return the counts of all shoes in a file."""
    try:
        blocks = [block for block, _ in shoe_file(path, decks).blocks()]
    except InputError as error:
        raise InputError(str(error).removesuffix(", or - for standard input")) from None
    return np.concatenate([np.zeros((0, len(RANKS)), dtype=np.int64), *blocks])


# ---------------------------------------------------------------- counts, checked

SHAPE = f"(shoes, {len(RANKS)})"


def _checked_counts(counts: Any) -> Ints:
    """Return the counts as int64; refuse counts that are no shoes, naming the first wrong row and rank."""
    if isinstance(counts, (list, tuple)):
        _check_listed(counts)
    try:
        shoes: Array = np.asarray(counts)
    except ValueError:
        raise InputError(f"counts must have the shape {SHAPE}; found rows of different lengths") from None
    if shoes.ndim != 2 or shoes.shape[1] != len(RANKS):
        raise InputError(f"counts must have the shape {SHAPE}; found {shoes.shape}")
    if not np.issubdtype(shoes.dtype, np.integer):
        for number, row in enumerate(shoes.tolist()):
            _check_whole(number, row)
        shoes = shoes.astype(object)
    for wrong, must in (
        (shoes < 0, "must not be negative"),
        (shoes > RANK_CARDS, f"must be at most {RANK_CARDS}"),
    ):
        for row, column in np.argwhere(wrong)[:1]:
            found = in_words(int(shoes[row, column]))
            raise InputError(f"shoe {row}: the count of {RANKS[column]} {must}; found {found}")
    return np.array(shoes, dtype=np.int64, order="C")


def _check_listed(rows: Sequence[Any]) -> None:
    """Refuse rows of unequal length, and values that numpy would convert to whole numbers."""
    listed = [(number, row) for number, row in enumerate(rows) if isinstance(row, (list, tuple))]
    if len({len(row) for _, row in listed}) > 1:
        number, row = next((number, row) for number, row in listed if len(row) != len(RANKS))
        raise InputError(f"shoe {number}: there must be {len(RANKS)} counts, A to K; found {len(row)}")
    for number, row in listed:
        if len(row) == len(RANKS) and set(map(type, row)) != {int}:
            _check_whole(number, row)


def _check_whole(number: int, row: Any) -> None:
    for rank, count in zip(RANKS, row, strict=True):
        if isinstance(count, (list, tuple, np.ndarray)):
            return  # nested too deeply: the check of the shape reports it
        if isinstance(count, (bool, np.bool_)) or not isinstance(count, (int, np.integer)):
            raise InputError(
                f"shoe {number}: the count of {rank} must be a whole number; found {in_words(count)}"
            )
