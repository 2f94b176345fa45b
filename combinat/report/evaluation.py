"""The values of a batch of shoes, as CSV and Parquet: exact fractions, and decimals beside them."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import chain, islice
from pathlib import Path
from shutil import rmtree
from typing import Any, TextIO

import msgspec
import numpy as np

from combinat.analysis.batch_figures import quotients
from combinat.analysis.evaluate import Evaluation, evaluate
from combinat.base.errors import MissingLibraryError
from combinat.base.number import fraction_and_decimal
from combinat.render.escape import for_csv
from combinat.report.provisos import proviso_cells
from combinat.rules.cards import RANKS
from combinat.rules.game import Game
from combinat.rules.shoe_file import BLOCK, Block

Advance = Callable[[int], None]

VOID = "void"
"""The column that says how often a shoe cannot finish the round."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked of a batch beside the expected values, and with how many decimals.

    ``stakes``: those of one round, by bet, whose expected value together is asked for; None: it is not.
    """

    places: int
    insurance: bool = False
    outcomes: bool = False
    variance: bool = False
    stakes: Mapping[str, Fraction] | None = None

    def evaluation(self, game: Game, shoes: list[tuple[int, ...]]) -> Evaluation:
        """All that is asked of these shoes."""
        return evaluate(
            game,
            np.array(shoes, dtype=np.int64),
            insurance=self.insurance,
            outcomes=self.outcomes,
            variance=self.variance,
            stakes=self.stakes,
        )


def header(game: Game, asked: Asked) -> list[str]:
    """The columns: the shoe, then each figure as a fraction and as a decimal, then ways as whole numbers.

    Last, where the game follows other readings than its rule book's, or pays other odds, a column that names them.
    """
    figures = [VOID]
    for bet in game.bets:
        figures += [bet.id, f"{bet.id}-variance"] if asked.variance else [bet.id]
    if asked.stakes is not None:
        figures.append("stakes")
    if asked.insurance:
        figures += [
            f"{state.key}:{figure}" for state in game.offers for figure in ("probability", "expected-value")
        ]
    columns = [name for figure in figures for name in (figure, f"{figure}_decimal")]
    if asked.outcomes:
        columns += ["sample-space"]
        columns += [f"{bet.id}:{pay.name or 'wins'}:ways" for bet in game.bets for pay in bet.pays]
    return [*RANKS, *columns, *said_of_all(game, asked)]


def said_of_all(game: Game, asked: Asked) -> dict[str, str]:
    """What the last columns say, the same in every row: the readings followed, the odds tried."""
    said = proviso_cells(game)
    return {column: words for column, words in said.items() if words}


PART = 8
"""How many blocks go into a part of a Parquet file."""

PIECE = 256
"""How many rows are written out at a time: all cells of a block would be much to hold."""


def rows(evaluation: Evaluation, shoes: list[tuple[int, ...]], places: int) -> Iterator[tuple[str, ...]]:
    """The cells of every shoe, in the order of the header. None of them needs quotes."""
    columns = list(quotients(evaluation))
    ways = [] if evaluation.outcome_ways is None else evaluation.outcome_ways.T.tolist()
    whole = [evaluation.sample_spaces.tolist(), *ways] if evaluation.outcome_ways is not None else []
    for start in range(0, len(shoes), PIECE):
        piece = slice(start, start + PIECE)
        cells: list[Iterable[str]] = [map(str, counts) for counts in zip(*shoes[piece], strict=True)]
        for tops, bottoms in columns:
            written = [
                fraction_and_decimal(top, bottom, places) if bottom else ("", "")
                for top, bottom in zip(tops[piece], bottoms[piece], strict=True)
            ]
            cells += zip(*written, strict=True)
        cells += [map(str, counted[piece]) for counted in whole]
        yield from zip(*cells, strict=True)


def write_csv(game: Game, blocks: Iterable[Block], file: TextIO, asked: Asked, advance: Advance) -> int:
    """Write a row for every shoe, block by block; how many there were. Nothing is written before one is read."""
    unread = iter(blocks)
    first = list(islice(unread, 1))
    csv.writer(file, lineterminator="\n").writerow(map(for_csv, header(game, asked)))
    written, end = 0, _end(said_of_all(game, asked))
    for shoes, read in chain(first, unread):
        evaluation = asked.evaluation(game, shoes)
        file.writelines(f"{','.join(row)}{end}" for row in rows(evaluation, shoes, asked.places))
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
    """Write the same table as Parquet: counts as integers, all else as text, so that nothing is lost.

    It is made of CSV files that are each small enough to be held: polars maps a whole file into memory.
    """
    polars = polars_library()
    types = {name: polars.Int64 if name in RANKS else polars.String for name in header(game, asked)}
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
        polars.scan_csv(every, schema=types).sink_parquet(path, row_group_size=PART * BLOCK)
    finally:
        rmtree(folder, ignore_errors=True)
    return written


def polars_library() -> Any:
    """What writes Parquet, if it is installed."""
    try:
        import polars
    except ImportError:
        raise MissingLibraryError(
            "Parquet needs polars: pip install 'combinat[parquet]', or write .csv"
        ) from None
    return polars
