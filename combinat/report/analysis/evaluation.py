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

from combinat.analysis.evaluate import Evaluation, batch_figures, batch_ways, evaluate, exact_columns
from combinat.analysis.shoe_file import BLOCK, Block
from combinat.base.number import decimal_units, fraction_and_decimal
from combinat.engine.arrays import Array, Ints
from combinat.render.csv_numbers import NumberColumn, number_rows
from combinat.render.escape import for_csv
from combinat.report.provisos import proviso_cells
from combinat.rules.cards import RANKS
from combinat.rules.game import Game

Advance = Callable[[int], None]


class Values(StrEnum):
    """How figures are written."""

    FRACTIONS = "fractions"  # in lowest terms, and a decimal beside each
    DECIMALS = "decimals"  # rounded once, from the exact value
    INTEGERS = "integers"  # a numerator and a denominator, not in lowest terms


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked of a batch beside the expected values, and with how many decimals.

    ``stakes``: those of one round, by bet, whose expected value together is asked for; None: it is not.
    """

    places: int
    values: Values = Values.FRACTIONS
    insurance: bool = False
    outcomes: bool = False
    variance: bool = False
    stakes: Mapping[str, Fraction] | None = None

    def evaluation(self, game: Game, shoes: Ints) -> Evaluation:
        """All that is asked of these shoes."""
        return evaluate(
            game,
            shoes,
            insurance=self.insurance,
            outcomes=self.outcomes,
            variance=self.variance,
            stakes=self.stakes,
        )


def header(game: Game, asked: Asked) -> list[str]:
    """The columns: the shoe, its figures, then ways as whole numbers.

    Last, where the game follows other readings than its rule book's, or pays other odds, a column that names them.
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
    return [*RANKS, *dict.fromkeys([*columns, *ways]), *said_of_all(game, asked)]


CARDS_LEFT = "cards_left"


def said_of_all(game: Game, asked: Asked) -> dict[str, str]:
    """What the last columns say, the same in every row: the readings followed, the odds tried."""
    said = proviso_cells(game)
    return {column: words for column, words in said.items() if words}


PART = 8
"""How many blocks go into a part of a Parquet file."""

PIECE = 256
"""How many rows are written out at a time: all cells of a block would be much to hold."""


def lines(evaluation: Evaluation, asked: Asked, said: Mapping[str, str]) -> Iterator[str]:
    """The text of every shoe in the order of the header, one line or more at a time."""
    end = _end(said)
    quick = _number_columns(evaluation, asked)
    if quick is not None:
        yield number_rows(quick).replace("\n", end)
    else:
        yield from (f"{','.join(row)}{end}" for row in rows(evaluation, asked))


def _whole_columns(evaluation: Evaluation, asked: Asked) -> tuple[list[Array], list[Array]]:
    """The columns of whole numbers before and after the decimals, of which there are none with integers."""
    before = [evaluation.shoes[:, number] for number in range(len(RANKS))]
    if asked.values is not Values.FRACTIONS:
        before.append(evaluation.shoes.sum(axis=1))
    ways = dict(batch_ways(evaluation))
    if asked.values is Values.INTEGERS:
        ways = exact_columns(evaluation) | ways
    return before, list(ways.values())


def _number_columns(evaluation: Evaluation, asked: Asked) -> list[NumberColumn] | None:
    """All columns as numbers; None: some are fractions, or too large for int64."""
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


def rows(evaluation: Evaluation, asked: Asked) -> Iterator[tuple[str, ...]]:
    """The cells of every shoe, for fractions and for numbers of any size. None of them needs quotes."""
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


def write_csv(game: Game, blocks: Iterable[Block], file: TextIO, asked: Asked, advance: Advance) -> int:
    """Write a row for every shoe, block by block; how many there were. Nothing is written before one is read."""
    unread = iter(blocks)
    first = list(islice(unread, 1))
    csv.writer(file, lineterminator="\n").writerow(map(for_csv, header(game, asked)))
    written, said = 0, said_of_all(game, asked)
    for shoes, read in chain(first, unread):
        file.writelines(lines(asked.evaluation(game, shoes), asked, said))
        written += len(shoes)
        advance(read)
    return written


def _end(said: Mapping[str, str]) -> str:
    """The end of every row: what is said in all of them, and the new line."""
    if not said:
        return "\n"
    end = io.StringIO()
    csv.writer(end, lineterminator="\n").writerow(["", *map(for_csv, said.values())])
    return end.getvalue()


def write_csv_file(game: Game, blocks: Iterable[Block], path: Path, asked: Asked, advance: Advance) -> int:
    """Write a CSV file; how many shoes there were."""
    with path.open("w", encoding="utf-8", newline="") as file:
        return write_csv(game, blocks, file, asked, advance)


def write_parquet(game: Game, blocks: Iterable[Block], path: Path, asked: Asked, advance: Advance) -> int:
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
        said = set(said_of_all(game, asked))
        for as_text in (said, texts) if asked.values is Values.INTEGERS else (texts,):
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
