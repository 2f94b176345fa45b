"""The numbers of rounds and shoes, table by table: whether they go up, and what is missing between them."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from combinat.audit.noted import HANDS, SHOWN, Noted, row_fault
from combinat.audit.rows import Rows
from combinat.audit.serial import Last
from combinat.audit.settled import Flags
from combinat.base.errors import quoted
from combinat.montecarlo.tally import Tallies
from combinat.rules.cards import RANKS

if TYPE_CHECKING:
    import polars


@dataclass(slots=True)
class Table:
    """Where a table stands: its last round and shoe, the cards of that shoe that were used, rows that wait."""

    last_round: int = -1
    last_shoe: int = -1
    used: Tallies = field(default_factory=lambda: np.zeros(len(RANKS), dtype=np.int64))
    held: Rows | None = None
    last_cards: str = ""
    last_number: int = -1
    last: Last = field(default_factory=Last)


@dataclass(frozen=True, slots=True)
class Numbers:
    """The shoes of some rows; which are the first of their round; those whose round or shoe is out of order.

    ``repeated``: those that give again the round of the row before.
    """

    shoes: Tallies
    first: Flags
    bad: dict[int, str]
    repeated: dict[int, str]


def numbers_of(rows: Rows, table: Table, whole_shoes: bool, noted: Noted) -> Numbers:
    """The numbers of rows of one table, which goes on from where it stood. Gaps are noted."""
    bad: dict[int, str] = {}
    repeated: dict[int, str] = {}
    wagers, before = "player" in rows.frame.columns, table.last_round
    numbers = whole_numbers(rows.frame["round"])
    if not wagers:
        repeated |= _repeated(numbers, before)
    rounds, table.last_round = _ascending(rows, "round", numbers, before, 0 if wagers else 1, bad)
    if "id" in rows.frame.columns:
        numbers = whole_numbers(rows.frame["id"])
    first: Flags = np.diff(rounds, prepend=before) != 0 if wagers else np.ones(len(rounds), dtype=np.bool_)
    if wagers:
        repeated |= _with_other_cards(rows, table, first)
    if not whole_shoes:
        shoes = np.zeros_like(rounds)
    else:
        last = table.last_shoe
        shoes, table.last_shoe = _ascending(rows, "shoe", whole_numbers(rows.frame["shoe"]), last, 0, bad)
        if shoes[0] != last:
            table.used[:] = 0
        _note_missing_shoes(rows, last, shoes, noted)
    _note_gaps(rows, table, numbers, noted)
    return Numbers(shoes, first, {row: why for row, why in bad.items() if row not in repeated}, repeated)


def whole_numbers(column: "polars.Series") -> Tallies:
    """A column's whole numbers; -1 where there is none."""
    import polars

    texts = column.str.strip_chars()
    whole = texts.str.contains(r"^[0-9]{1,18}$").fill_null(False)
    return texts.set(~whole, "-1").cast(polars.Int64).to_numpy()


def _ascending(
    rows: Rows, name: str, values: Tallies, last: int, step: int, bad: dict[int, str]
) -> tuple[Tallies, int]:
    """A column of whole numbers that never go down, or always go up; what breaks this goes to ``bad``."""
    column = rows.frame[name]
    for row in np.flatnonzero(values < 0).tolist():
        bad.setdefault(row, f'{name}: found "{column[row] or ""}"; write a whole number')
    before = np.concatenate([[last], values])
    if step:  # the number of the last row that has one
        places = np.maximum.accumulate(np.where(before >= 0, np.arange(len(before)), 0))
        before = before[places]
    else:  # the highest so far, to tell the shoes apart by
        before = np.maximum.accumulate(before)
    rule = "give each round a higher one" if step else "the rows of a shoe stand together, and shoes in order"
    for row in np.flatnonzero((values >= 0) & (values < before[:-1] + step)).tolist():
        bad.setdefault(row, f"{name}: found {values[row]} after {before[row]}; {rule}")
    return before[1:], int(before[-1])


def _repeated(numbers: Tallies, last: int) -> dict[int, str]:
    """The rows that have the number of the row before, in a log of a row for each round."""
    before = np.concatenate([[last], numbers[:-1]])
    again = np.flatnonzero((numbers >= 0) & (numbers == before)).tolist()
    return {row: f"round {numbers[row]} is given again; give each round one row" for row in again}


def _with_other_cards(rows: Rows, table: Table, first: Flags) -> dict[int, str]:
    """The rows that give a round again with other cards, in a log of a row for each wager."""
    import polars

    cards = rows.frame.select(polars.concat_str(HANDS, separator=" / ", ignore_nulls=True).alias("cards"))[
        "cards"
    ]
    begin = np.maximum.accumulate(np.where(first, np.arange(len(first)), -1))
    of_round = cards.gather(np.maximum(begin, 0)).set(polars.Series(begin < 0), table.last_cards)
    table.last_cards = of_round[-1] or ""
    others = (cards != of_round).fill_null(True).arg_true().to_list()
    return {row: f"the round is given again with other cards: {quoted(cards[row] or '')}" for row in others}


def _note_gaps(rows: Rows, table: Table, numbers: Tallies, noted: Noted) -> None:
    """Note numbers of rounds that are missing: within a shoe, and between two where they run on."""
    before = np.concatenate([[table.last_number], numbers[:-1]])
    steps = np.where((before >= 0) & (numbers >= 0), numbers - before, 1)
    table.last_number = int(numbers[-1])
    wide = np.flatnonzero(steps > 1)
    noted.gaps += len(wide)
    noted.missing += int((steps[wide] - 1).sum())
    for row in wide[: SHOWN - len(noted.first_gaps)].tolist():
        message = f"{steps[row] - 1} numbers are missing after {before[row]}"
        noted.first_gaps.append(row_fault(rows, row, message))


def _note_missing_shoes(rows: Rows, last: int, shoes: Tallies, noted: Noted) -> None:
    """Note numbers of shoes that are missing."""
    before = np.concatenate([[last], shoes[:-1]])
    wide = np.flatnonzero((before >= 0) & (shoes - before > 1))
    noted.gaps += len(wide)
    for row in wide[: SHOWN - len(noted.first_gaps)].tolist():
        message = f"{shoes[row] - before[row] - 1} shoes are missing after shoe {before[row]}"
        noted.first_gaps.append(row_fault(rows, row, message))
