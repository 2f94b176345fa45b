"""Files of shoes: CSV, one shoe a row, read in blocks and checked line by line."""

import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from combinat.errors import CombinatError, ShoeError, shortened
from combinat.rules.cards import RANKS
from combinat.rules.shoe import Shoe

BLOCK = 8192
REMOVED = "removed"

ShoeCounts = tuple[int, ...]


def read_shoes(path: Path, decks: int) -> Iterator[list[ShoeCounts]]:
    """The counts of every shoe, A to K, in blocks of rows.

    The header names the thirteen ranks, in any order, or ``removed``: cards gone from so many decks.
    """
    if path.exists() and not path.is_file():
        raise ShoeError(f"{path}: not a regular file; it is read twice, so write the shoes to a file first")
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            yield from _blocks(path, csv.reader(file, strict=True), decks)
    except OSError as error:
        raise ShoeError(f"{path}: cannot be read ({error.strerror}); give a CSV file of shoes") from None
    except (csv.Error, UnicodeDecodeError) as error:
        raise ShoeError(f"{path}: not readable as CSV: {error}") from None


def _blocks(path: Path, reader: Any, decks: int) -> Iterator[list[ShoeCounts]]:
    header = [name.strip() for name in next(reader, [])]
    counts = _reading(path, header, decks)
    block: list[ShoeCounts] = []
    for cells in reader:
        if not cells and header != [REMOVED]:
            continue
        try:
            if not cells:
                raise ShoeError('blank; write "" for a shoe from which nothing is removed')
            if len(cells) != len(header):
                raise ShoeError(f"found {len(cells)} cells; the header has {len(header)}")
            block.append(counts(cells))
        except CombinatError as error:
            raise ShoeError(f"{path}, line {reader.line_num}: {error}") from None
        if len(block) == BLOCK:
            yield block
            block = []
    if block:
        yield block


def _reading(path: Path, header: list[str], decks: int) -> Callable[[list[str]], ShoeCounts]:
    """How a row of this header becomes counts."""
    if sorted(header) == sorted(RANKS):
        places = [header.index(rank) for rank in RANKS]
        return lambda cells: tuple(_count(cells[place], RANKS[number]) for number, place in enumerate(places))
    if header == [REMOVED]:
        fresh = Shoe.of_decks(decks)
        return lambda cells: fresh.minus(cells[0]).counts
    raise ShoeError(
        f"{path}, line 1: found the header {shortened(','.join(header)) or 'nothing'}; "
        f"write {','.join(RANKS)} or {REMOVED}"
    )


def _count(text: str, rank: str) -> int:
    text = text.strip()
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise ShoeError(f'{rank}: found "{shortened(text)}"; write a whole number of 0 or more')
    return int(text)
