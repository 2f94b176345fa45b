"""The values of a batch of shoes as CSV and Parquet: exact fractions, whole numbers, or decimals."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from fractions import Fraction
from itertools import chain, islice
from pathlib import Path
from shutil import rmtree
from typing import TextIO

import msgspec
import numpy as np

from combinat.analysis.evaluate import Evaluation, batch_figures, batch_ways, evaluated, exact_columns
from combinat.analysis.shoe_file import BLOCK, Block, ShoeFile
from combinat.base.files import replacing
from combinat.base.number import decimal_units, fraction_and_decimal
from combinat.engine.arrays import Array, Ints
from combinat.engine.progress import SILENT, Progress
from combinat.render.csv_table import NumberColumn, number_rows
from combinat.render.escape import for_csv
from combinat.report.provisos import proviso_cells
from combinat.rules.cards import RANKS
from combinat.rules.game import Game

Advance = Callable[[int], None]


class Values(StrEnum):
    """The form in which figures are written."""

    FRACTIONS = "fractions"  # in lowest terms, and a decimal beside each
    DECIMALS = "decimals"  # rounded once, from the exact value
    INTEGERS = "integers"  # a numerator and a denominator, not in lowest terms


class ValuesAsked(msgspec.Struct, frozen=True, kw_only=True):
    """The figures written for each shoe besides the expected values, and their decimals.

    ``stakes``: by bet, those of one round whose expected value together is written; None for none.
    """

    places: int
    values: Values = Values.FRACTIONS
    insurance: bool = False
    outcomes: bool = False
    variance: bool = False
    stakes: Mapping[str, Fraction] | None = None

    def evaluation(self, game: Game, shoes: Ints) -> Evaluation:
        """Return the requested figures."""
        return evaluated(
            game,
            shoes,
            insurance=self.insurance,
            outcomes=self.outcomes,
            variance=self.variance,
            stakes=self.stakes,
        )


def header(game: Game, asked: ValuesAsked) -> list[str]:
    """Return the names of the columns: the shoe, its figures, then ways as whole numbers.

    Last, for a variant of a game, a column that names its readings or odds.
    """
    of_no_shoe = asked.evaluation(game, np.zeros((0, len(RANKS)), dtype=np.int64))
    named = [figure.name for figure in batch_figures(of_no_shoe)]
    ways = [name for name, _ in batch_ways(of_no_shoe)]
    match asked.values:
        case Values.FRACTIONS:
            columns = [name for figure in named for name in (figure, f"{figure}_decimal")]
        case Values.DECIMALS:
            columns = [CARDS_LEFT, *named]
        case Values.INTEGERS:
            columns = [CARDS_LEFT, *exact_columns(of_no_shoe)]
    return [*RANKS, *dict.fromkeys([*columns, *ways]), *proviso_cells(game)]


CARDS_LEFT = "cards_left"


PART = 8
"""Blocks in a part of a Parquet file."""

PIECE = 256
"""Rows written at a time, to bound memory."""


def lines(evaluation: Evaluation, asked: ValuesAsked, provisos: Mapping[str, str]) -> Iterator[str]:
    """Yield the text of every shoe in the order of the header, one line or more at a time."""
    end = _end(provisos)
    quick = _number_columns(evaluation, asked)
    if quick is not None:
        yield number_rows(quick).replace("\n", end)
    else:
        yield from (f"{','.join(row)}{end}" for row in rows(evaluation, asked))


def _whole_columns(evaluation: Evaluation, asked: ValuesAsked) -> tuple[list[Array], list[Array]]:
    """Return the columns of whole numbers before and after the decimals (with integers there are no decimals)."""
    before = [evaluation.shoes[:, number] for number in range(len(RANKS))]
    if asked.values is not Values.FRACTIONS:
        before.append(evaluation.shoes.sum(axis=1))
    ways = dict(batch_ways(evaluation))
    if asked.values is Values.INTEGERS:
        ways = exact_columns(evaluation) | ways
    return before, list(ways.values())


def _number_columns(evaluation: Evaluation, asked: ValuesAsked) -> list[NumberColumn] | None:
    """Return all columns as numbers, or None if some are fractions or too large for int64."""
    if asked.values is Values.FRACTIONS:
        return None
    before, after = _whole_columns(evaluation, asked)
    if any(counts.dtype == object for counts in after):
        return None
    columns = [NumberColumn(units=counts) for counts in before]
    for figure in batch_figures(evaluation) if asked.values is Values.DECIMALS else ():
        is_missing = figure.bottoms == 0
        is_large = figure.tops.dtype == object or figure.bottoms.dtype == object
        units = None if is_large else decimal_units(figure.tops, figure.bottoms + is_missing, asked.places)
        if units is None:
            return None
        columns.append(NumberColumn(units=units, places=asked.places, is_missing=is_missing))
    return [*columns, *(NumberColumn(units=counts) for counts in after)]


def rows(evaluation: Evaluation, asked: ValuesAsked) -> Iterator[tuple[str, ...]]:
    """Yield the cells of every shoe, for fractions and for numbers of any size. No cell needs quotes."""
    before, after = ([counts.tolist() for counts in columns] for columns in _whole_columns(evaluation, asked))
    wanted = slice(0, 2) if asked.values is Values.FRACTIONS else slice(1, 2)
    figures = [
        (figure.tops.tolist(), figure.bottoms.tolist())
        for figure in batch_figures(evaluation)
        if asked.values is not Values.INTEGERS
    ]
    for start in range(0, len(evaluation), PIECE):
        piece = slice(start, start + PIECE)
        cells: list[Iterable[str]] = [map(str, counts[piece]) for counts in before]
        for tops, bottoms in figures:
            written = (
                fraction_and_decimal(top, bottom, asked.places) if bottom else ("", "")
                for top, bottom in zip(tops[piece], bottoms[piece], strict=True)
            )
            cells += list(zip(*written, strict=True))[wanted]
        cells += [map(str, counts[piece]) for counts in after]
        yield from zip(*cells, strict=True)


def write_csv(game: Game, blocks: Iterable[Block], file: TextIO, asked: ValuesAsked, advance: Advance) -> int:
    """Write a row for every shoe, block by block; return the number of shoes. Nothing is written before the first block is read."""
    unread = iter(blocks)
    first = list(islice(unread, 1))
    csv.writer(file, lineterminator="\n").writerow(map(for_csv, header(game, asked)))
    written, provisos = 0, proviso_cells(game)
    for shoes, read in chain(first, unread):
        file.writelines(lines(asked.evaluation(game, shoes), asked, provisos))
        written += len(shoes)
        advance(read)
    return written


def _end(provisos: Mapping[str, str]) -> str:
    """Return the end of every row: the provisos and the new line."""
    if not provisos:
        return "\n"
    end = io.StringIO()
    csv.writer(end, lineterminator="\n").writerow(["", *map(for_csv, provisos.values())])
    return end.getvalue()


def write_csv_file(
    game: Game, blocks: Iterable[Block], path: Path, asked: ValuesAsked, advance: Advance
) -> int:
    """Write a CSV file; return the number of shoes."""
    with path.open("w", encoding="utf-8", newline="") as file:
        return write_csv(game, blocks, file, asked, advance)


def write_parquet(
    game: Game, blocks: Iterable[Block], path: Path, asked: ValuesAsked, advance: Advance
) -> int:
    """Write the same table as Parquet: counts as integers, fractions and decimals as text, so that nothing is lost.

    Numerators, denominators and ways are integers with ``Values.INTEGERS``, if all of them are below 2**63.

    It is made of CSV files that are each small enough to be held: polars maps a whole file into memory.
    """
    import polars

    names = header(game, asked)
    folder, unread = path.with_suffix(".parts"), iter(blocks)
    folder.mkdir()
    try:
        parts: list[Path] = []
        written = 0
        while more := write_csv_file(
            game, islice(unread, PART), folder / f"{len(parts)}.csv", asked, advance
        ):
            parts.append(folder / f"{len(parts)}.csv")
            written += more
        every = parts or [folder / "0.csv"]  # of no shoes, the header alone
        texts = set(names) - {*RANKS, CARDS_LEFT}
        provisos = set(proviso_cells(game))
        for as_text in (provisos, texts) if asked.values is Values.INTEGERS else (texts,):
            types = {name: polars.String if name in as_text else polars.Int64 for name in names}
            try:
                polars.scan_csv(every, schema=types).sink_parquet(path, row_group_size=PART * BLOCK)
                break
            except polars.exceptions.ComputeError:  # a number beyond int64
                if as_text is texts:
                    raise
    finally:
        rmtree(folder, ignore_errors=True)
    return written


def write_values(
    game: Game, source: ShoeFile, out: Path, asked: ValuesAsked, progress: Progress = SILENT
) -> int:
    """Write the values of every shoe to a ``.csv`` or ``.parquet`` file, completely or not at all; return the number of shoes."""
    write = write_parquet if out.suffix == ".parquet" else write_csv_file
    with (
        replacing(out) as temporary,
        progress.bar(source.size, "shoes", parts=source.size is None) as advance,
    ):
        return write(game, _with_kernel(source.blocks(), progress), temporary, asked, advance)


def print_values(
    game: Game, source: ShoeFile, stream: TextIO, asked: ValuesAsked, progress: Progress = SILENT
) -> None:
    """Write the values of every shoe as CSV; a file is read to its end first, so that a bad row prints nothing."""
    if source.size is not None:  # it can be read again
        for _ in source.blocks():
            pass
    write_csv(game, _with_kernel(source.blocks(), progress), stream, asked, lambda read: None)


def _with_kernel(blocks: Iterator[Block], progress: Progress) -> Iterator[Block]:
    """Yield the blocks; the kernel is loaded once there are enough shoes to justify it."""
    shoes = 0
    for block in blocks:
        shoes += len(block[0])
        progress.make_ready(shoes)
        yield block
