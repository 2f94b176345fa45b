"""The rows of a table in their order: the numbers of rounds and shoes, and the cards drawn from each shoe."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from combinat.audit.judging.cells import Flags
from combinat.audit.judging.faults import HANDS, row_faults
from combinat.audit.judging.serial import Last
from combinat.audit.reading.rows import RowBatch
from combinat.audit.verdict import FaultKind
from combinat.base.errors import quoted
from combinat.engine.walk import MOST_CARDS
from combinat.montecarlo.cell import Deals
from combinat.montecarlo.tally import Tallies
from combinat.rules.cards import RANKS, Rank
from combinat.rules.shoe import Shoe

if TYPE_CHECKING:
    import polars


@dataclass(slots=True)
class LogTable:
    """The state of a table: its last round and shoe, the cards used of that shoe, rows that wait."""

    last_round: int = -1
    last_shoe: int = -1
    used: Tallies = field(default_factory=lambda: np.zeros(len(RANKS), dtype=np.int64))
    held: RowBatch | None = None
    last_cards: str = ""
    last_number: int = -1
    last: Last = field(default_factory=Last)


@dataclass(frozen=True, slots=True)
class Numbers:
    """The shoes of some rows; which are the first of their round; those whose round or shoe is out of order.

    ``repeated``: those that give again the round of the row before. ``gaps``: places where numbers are
    missing, in the frame of faults; ``missing``: how many numbers of rounds are.
    """

    shoes: Tallies
    first: Flags
    bad: dict[int, str]
    repeated: dict[int, str]
    gaps: "polars.DataFrame"
    missing: int


def numbers_of(rows: RowBatch, table: LogTable, whole_shoes: bool) -> Numbers:
    """The numbers of rows of one table, which goes on from where it stood."""
    bad: dict[int, str] = {}
    repeated: dict[int, str] = {}
    gaps: dict[int, str] = {}
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
        gaps |= _missing_shoes(last, shoes)
    of_rounds, missing = _missing_rounds(table, numbers)
    places = sorted({*gaps, *of_rounds})
    messages = [", ".join(some[row] for some in (gaps, of_rounds) if row in some) for row in places]
    return Numbers(
        shoes,
        first,
        {row: why for row, why in bad.items() if row not in repeated},
        repeated,
        row_faults(rows, places, FaultKind.GAP, messages),
        missing,
    )


def whole_numbers(column: "polars.Series") -> Tallies:
    """A column's whole numbers; -1 for any other value."""
    import polars

    numbers = column.cast(polars.UInt64, strict=False)
    if numbers.null_count() or (column.str.len_bytes() > 18).any() or column.str.starts_with("+").any():
        texts = column.str.strip_chars()
        whole = texts.str.contains(r"^[0-9]{1,18}$").fill_null(False)
        return texts.set(~whole, "-1").cast(polars.Int64).to_numpy()
    return numbers.cast(polars.Int64).to_numpy()


def _ascending(
    rows: RowBatch, name: str, values: Tallies, last: int, step: int, bad: dict[int, str]
) -> tuple[Tallies, int]:
    """A column of whole numbers that never decrease, or always increase; rows that break this go to ``bad``."""
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


def _with_other_cards(rows: RowBatch, table: LogTable, first: Flags) -> dict[int, str]:
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


def _missing_rounds(table: LogTable, numbers: Tallies) -> tuple[dict[int, str], int]:
    """The rows before which numbers of rounds are missing, within a shoe and between two; and how many are."""
    before = np.concatenate([[table.last_number], numbers[:-1]])
    steps = np.where((before >= 0) & (numbers >= 0), numbers - before, 1)
    table.last_number = int(numbers[-1])
    wide = np.flatnonzero(steps > 1)
    gaps = {row: f"{steps[row] - 1} numbers are missing after {before[row]}" for row in wide.tolist()}
    return gaps, int((steps[wide] - 1).sum())


def _missing_shoes(last: int, shoes: Tallies) -> dict[int, str]:
    """The rows before which numbers of shoes are missing."""
    before = np.concatenate([[last], shoes[:-1]])
    wide = np.flatnonzero((before >= 0) & (shoes - before > 1)).tolist()
    return {row: f"{shoes[row] - before[row] - 1} shoes are missing after shoe {before[row]}" for row in wide}


# ---------------------------------------------------------------- cards


TEN = RANKS.index(Rank.TEN)


def held_by(shoe: Shoe, tells_ranks: bool) -> Tallies:
    """The cards of a fresh shoe by rank; for cards written as points, all cards worth 0 count as tens."""
    held = np.array(shoe.counts)
    if not tells_ranks:
        held[TEN], held[TEN + 1 :] = held[TEN:].sum(), 0
    return held


def drawn_from_fresh(held: Tallies, dealt: Deals, known: Flags) -> tuple[Tallies, Tallies]:
    """For rows from fresh shuffles: a rank of which each drew too many cards, or -1; the cards left before it."""
    left = np.broadcast_to(held, (len(known), len(RANKS)))
    if held.min() >= MOST_CARDS:  # no round takes more
        return np.full(len(known), -1), left
    drawn = _drawn(dealt, known)
    return _too_many(drawn, drawn, held), left


def drawn_from_shoes(
    held: Tallies, dealt: Deals, known: Flags, shoes: Tallies, used: Tallies
) -> tuple[Tallies, Tallies, Tallies]:
    """The same for rows of whole shoes, and the cards used of the last shoe.

    ``used``: the cards already used of the first shoe.
    """
    drawn = _drawn(dealt, known)
    added = np.cumsum(drawn, axis=0)
    starts = np.flatnonzero(np.diff(shoes)) + 1
    before = np.concatenate([-used[None, :], added[starts - 1]])
    so_far = added - before[np.searchsorted(starts, np.arange(len(known)), side="right")]
    return _too_many(so_far, drawn, held), np.maximum(held - (so_far - drawn), 0), so_far[-1].copy()


def _drawn(dealt: Deals, known: Flags) -> Tallies:
    """The cards that each row draws, by rank; none where its cards are not known."""
    drawn = np.zeros((len(known), len(RANKS) + 1), dtype=np.int64)
    everyone = np.arange(len(known))
    for card in (*dealt.player, *dealt.banker):
        drawn[everyone, card] += 1
    return drawn[:, :-1] * known[:, None]


def _too_many(so_far: Tallies, drawn: Tallies, held: Tallies) -> Tallies:
    too_many = (so_far > held) & (drawn > 0)
    return np.where(too_many.any(axis=1), too_many.argmax(axis=1), -1)
