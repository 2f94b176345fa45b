"""The order of rows: tables, rounds and shoes, gaps in their numbers, and rows that repeat a round."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import msgspec
import numpy as np

from combinat.audit.judging.cells import Flags
from combinat.audit.judging.faults import HANDS
from combinat.audit.reading.rounds import Number
from combinat.audit.reading.rows import RowBatch
from combinat.base.errors import FileError, quoted
from combinat.engine.walk import MOST_CARDS
from combinat.montecarlo.cell import NO_CARD, WINNERS
from combinat.montecarlo.tally import Tallies
from combinat.rules.cards import RANKS

if TYPE_CHECKING:
    import polars

MOST_WAGERS = 100
"""Rows of one round, where rows are wagers, that are waited for."""

MOST_TABLES = 1_000
"""Tables in one log: each has a shoe of its own to keep."""

Card = Annotated[int, msgspec.Meta(ge=0, le=NO_CARD)]
Count = Annotated[int, msgspec.Meta(ge=0, lt=2**62)]


class LogTable(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The state of a table after its last row: the numbers, the cards used of its shoe, the last round."""

    last_round: Number
    last_shoe: Number
    last_number: Number
    used: Annotated[list[Count], msgspec.Meta(min_length=len(RANKS), max_length=len(RANKS))]
    last_cards: str
    cards: Annotated[list[Card], msgspec.Meta(min_length=MOST_CARDS, max_length=MOST_CARDS)] | None
    winner: Annotated[int, msgspec.Meta(ge=0, le=len(WINNERS) - 1)] | None

    @classmethod
    def new(cls) -> "LogTable":
        """Return a table without rows."""
        used = [0] * len(RANKS)
        return cls(
            last_round=-1, last_shoe=-1, last_number=-1, used=used, last_cards="", cards=None, winner=None
        )


# ---------------------------------------------------------------- tables and shoes

Part = tuple[str, RowBatch]
"""The name of a table, and rows of it."""


def by_table(rows: RowBatch) -> Iterator[Part]:
    """Yield the rows of each table."""
    if not rows.frame.height:
        return
    if "table" not in rows.frame.columns:
        yield "", rows
        return
    tables = rows.frame["table"].fill_null("")
    for name in tables.unique(maintain_order=True).to_list():
        yield name, rows.part((tables == name).arg_true().to_numpy())


def in_whole_shoes(parts: Iterable[Part], shoe_size: int) -> Iterator[Part]:
    """Yield the rows of tables in whole shoes: the last shoe of a table waits for its end."""
    waiting: dict[str, RowBatch] = {}
    for name, rows in parts:
        if name in waiting:
            held = waiting[name]
            rows = RowBatch(np.concatenate([held.lines, rows.lines]), held.frame.vstack(rows.frame))
        shoes = np.maximum.accumulate(whole_numbers(rows.frame["shoe"]))
        end = int(np.searchsorted(shoes, shoes[-1]))
        wagers = MOST_WAGERS if "player" in rows.frame.columns else 1
        if rows.frame.height - end > shoe_size * wagers:  # a shoe has no more rounds than cards
            end = rows.frame.height
        waiting[name] = rows.part(slice(end, None))
        yield name, rows.part(slice(end))
    yield from waiting.items()


def table_of(tables: dict[str, LogTable], name: str) -> LogTable:
    """Return the table of this name; refuse more tables than can be kept."""
    if name not in tables and len(tables) >= MOST_TABLES:
        raise FileError(f"more than {MOST_TABLES} tables; is this a column of tables?")
    return tables.setdefault(name, LogTable.new())


# ---------------------------------------------------------------- numbers


@dataclass(frozen=True, slots=True)
class Numbers:
    """The shoes of rows, the rows that begin a round, and the rows whose round or shoe is out of order.

    ``repeated``: the rows with the round number of the preceding row. ``gaps``: the rows that follow a gap in
    the round numbers; ``missing``: how many round numbers are missing.
    """

    shoes: Tallies
    first: Flags
    bad: dict[int, str]
    repeated: dict[int, str]
    gaps: dict[int, str]
    missing: int


def numbers_of(rows: RowBatch, table: LogTable, whole_shoes: bool) -> Numbers:
    """Return the numbers of further rows of one table, and update the table."""
    bad, gaps, before = dict[int, str](), dict[int, str](), table.last_round
    wagers, numbers = "player" in rows.frame.columns, whole_numbers(rows.frame["round"])
    rounds, table.last_round = _ascending_numbers(rows, "round", numbers, before, 0 if wagers else 1, bad)
    first: Flags = np.diff(rounds, prepend=before) != 0 if wagers else np.ones(len(rounds), dtype=np.bool_)
    repeated = _with_other_cards(rows, table, first) if wagers else _repeated_rounds(numbers, before)
    shoes = np.zeros_like(rounds)
    if whole_shoes:
        last = table.last_shoe
        shoes, table.last_shoe = _ascending_numbers(
            rows, "shoe", whole_numbers(rows.frame["shoe"]), last, 0, bad
        )
        if shoes[0] != last:
            table.used = [0] * len(RANKS)
        for row, count, after in _gaps(last, shoes):
            gaps[row] = f"{count} shoes are missing after shoe {after}"
    if "id" in rows.frame.columns:
        numbers = whole_numbers(rows.frame["id"])
    of_rounds = _gaps(table.last_number, numbers)
    table.last_number = int(numbers[-1])
    for row, count, after in of_rounds:
        gap = f"{count} numbers are missing after {after}"
        gaps[row] = f"{gaps[row]}, {gap}" if row in gaps else gap
    bad = {row: why for row, why in bad.items() if row not in repeated}
    return Numbers(shoes, first, bad, repeated, gaps, sum(count for _, count, _ in of_rounds))


def whole_numbers(column: "polars.Series") -> Tallies:
    """Return a column's whole numbers; -1 for any other value."""
    import polars

    numbers = column.cast(polars.UInt64, strict=False)
    if numbers.null_count() or (column.str.len_bytes() > 18).any() or column.str.starts_with("+").any():
        texts = column.str.strip_chars()
        whole = texts.str.contains(r"^[0-9]{1,18}$").fill_null(False)
        return texts.set(~whole, "-1").cast(polars.Int64).to_numpy()
    return numbers.cast(polars.Int64).to_numpy()


def _ascending_numbers(
    rows: RowBatch, name: str, values: Tallies, last: int, step: int, bad: dict[int, str]
) -> tuple[Tallies, int]:
    """Return a column of whole numbers; rows that break their ascending order are added to ``bad``."""
    column = rows.frame[name]
    for row in np.flatnonzero(values < 0).tolist():
        bad.setdefault(row, f'{name}: found "{column[row] or ""}"; write a whole number')
    before = np.concatenate([[last], values])
    if step:  # the number of the last row that has one
        places = np.maximum.accumulate(np.where(before >= 0, np.arange(len(before)), 0))
        before = before[places]
    else:  # the highest number so far, which separates the shoes
        before = np.maximum.accumulate(before)
    rule = "give each round a higher one" if step else "the rows of a shoe stand together, and shoes in order"
    for row in np.flatnonzero((values >= 0) & (values < before[:-1] + step)).tolist():
        bad.setdefault(row, f"{name}: found {values[row]} after {before[row]}; {rule}")
    return before[1:], int(before[-1])


def _repeated_rounds(numbers: Tallies, last: int) -> dict[int, str]:
    """Return the rows with the number of the preceding row, in a log with one row per round."""
    before = np.concatenate([[last], numbers[:-1]])
    again = np.flatnonzero((numbers >= 0) & (numbers == before)).tolist()
    return {row: f"round {numbers[row]} is given again; give each round one row" for row in again}


def _with_other_cards(rows: RowBatch, table: LogTable, first: Flags) -> dict[int, str]:
    """Return the rows that repeat a round with other cards, in a log with one row per wager."""
    import polars

    cards = rows.frame.select(polars.concat_str(HANDS, separator=" / ", ignore_nulls=True)).to_series()
    begin = np.maximum.accumulate(np.where(first, np.arange(len(first)), -1))
    of_round = cards.gather(np.maximum(begin, 0)).set(polars.Series(begin < 0), table.last_cards)
    table.last_cards = of_round[-1] or ""
    others = (cards != of_round).fill_null(True).arg_true().to_list()
    return {row: f"the round is given again with other cards: {quoted(cards[row] or '')}" for row in others}


def _gaps(last: int, numbers: Tallies) -> list[tuple[int, int, int]]:
    """Return the rows after a gap in the numbers, the size of each gap and the number before it.

    -1: no number.
    """
    before = np.concatenate([[last], numbers[:-1]])
    rows = np.flatnonzero((before >= 0) & (numbers - before > 1))
    return list(zip(rows.tolist(), (numbers - before - 1)[rows].tolist(), before[rows].tolist(), strict=True))
