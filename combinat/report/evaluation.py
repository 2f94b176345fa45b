"""The values of a batch of shoes, as CSV and Parquet: exact fractions and decimals beside them."""

import csv
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path
from typing import TextIO

import numpy as np

from combinat.analysis.evaluate import evaluate
from combinat.errors import CombinatError
from combinat.render.number import decimal
from combinat.rules.cards import RANKS
from combinat.rules.game import Game

Blocks = Iterable[list[tuple[int, ...]]]


def header(game: Game) -> list[str]:
    """The columns: the shoe, then for each bet its expected value as a fraction and as a decimal.

    Last, where the game follows other readings than its rule book's, a column that names them.
    """
    values = [name for bet in game.bets for name in (bet.id, f"{bet.id}-decimal")]
    return [*RANKS, *values, *(("readings",) if game.followed else ())]


def write_csv(game: Game, blocks: Blocks, file: TextIO, places: int, advance: Callable[[int], None]) -> None:
    """Write a row for every shoe, block by block."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(header(game))
    readings = [" ".join(game.followed)] if game.followed else []
    for block in blocks:
        evaluation = evaluate(game, np.array(block, dtype=np.int64))
        denominators, numerators = evaluation.denominators.tolist(), evaluation.numerators.tolist()
        for counts, bottom, tops in zip(block, denominators, numerators, strict=True):
            values = [Fraction(top, bottom) for top in tops]
            writer.writerow(
                [*counts, *(cell for value in values for cell in (value, decimal(value, places))), *readings]
            )
        advance(len(block))


def write_parquet(
    game: Game, blocks: Blocks, path: Path, places: int, advance: Callable[[int], None]
) -> None:
    """Write the same table as Parquet: counts as integers, all else as text, so that nothing is lost."""
    try:
        import polars
    except ImportError:
        raise CombinatError("Parquet needs polars: pip install 'combinat[parquet]', or write .csv") from None
    table = path.with_suffix(".csv.part")
    try:
        with table.open("w", encoding="utf-8", newline="") as file:
            write_csv(game, blocks, file, places, advance)
        types = {name: polars.Int64 if name in RANKS else polars.String for name in header(game)}
        polars.scan_csv(table, schema=types).sink_parquet(path)
    finally:
        table.unlink(missing_ok=True)
