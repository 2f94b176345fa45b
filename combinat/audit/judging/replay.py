"""The replay of a hand log: every row is dealt and settled again by the rules, and compared exactly.

``Replay.pieces`` yields the rows of one table at a time, with their cells, the cards left before each row,
and their faults. The cell of a row decides its settlement, so the rules settle every cell of the game once.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from combinat.audit.judging.cells import Flags, cells_of, facts_of, hands_of
from combinat.audit.judging.faults import HANDS, cell_cause, cell_situations, line_faults, row_faults
from combinat.audit.judging.payments import Payments
from combinat.audit.judging.serial import Last
from combinat.audit.reading.log_map import DECLARED, Chips, LogColumn
from combinat.audit.reading.notation import Notation
from combinat.audit.reading.rows import RowBatch
from combinat.audit.reading.values import Amounts, Hands, check_unit
from combinat.audit.verdict import FaultKind
from combinat.base.errors import FileError, InputError, quoted
from combinat.engine.walk import MOST_CARDS
from combinat.montecarlo.cell import NUMBER as CELLS
from combinat.montecarlo.cell import CellFacts, Deals, Indices, cells
from combinat.montecarlo.partition import Partition
from combinat.montecarlo.tally import Tallies
from combinat.rules.cards import RANKS, Rank
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

if TYPE_CHECKING:
    import polars

MOST_WAGERS = 100
"""Rows of one round, where rows are wagers, that are waited for."""

MOST_TABLES = 1_000
"""Tables in one log: each has a shoe of its own to keep."""


@dataclass(slots=True)
class LogTable:
    """The state of a table: its last round and shoe, the cards used of that shoe, and pending rows."""

    last_round: int = -1
    last_shoe: int = -1
    used: Tallies = field(default_factory=lambda: np.zeros(len(RANKS), dtype=np.int64))
    held: RowBatch | None = None
    last_cards: str = ""
    last_number: int = -1
    last: Last = field(default_factory=Last)


@dataclass(frozen=True, slots=True)
class Piece:
    """Rows of one table.

    ``possible``: the rows that the rules can deal; ``first``: the rows that begin a round; ``faulty``: the
    rows with a fault.

    ``left``: the cards left in the shoe before each row. ``faults``: the frame of faults, including gaps. A
    piece of unreadable lines has an empty frame of rows.
    """

    table: LogTable
    rows: RowBatch
    faults: "polars.DataFrame"
    possible: Flags
    first: Flags
    faulty: Flags
    shoes: Tallies
    left: Tallies
    dealt: Deals
    cells: Indices
    values: Mapping[LogColumn, Amounts]


class Replay:
    """The replay of a log, and the state of each of its tables.

    ``cut_card``: the number of cards behind the cut card; None if every round is from a fresh shuffle.
    ``waits``: the last shoe of a table is held back until it ends, so that a piece has whole shoes.
    """

    def __init__(
        self,
        game: Game,
        shoe: Shoe,
        columns: Sequence[LogColumn],
        cut_card: int | None = None,
        chips: Chips | None = None,
        *,
        notation: Notation = Notation.RANK,
        waits: bool = True,
    ) -> None:
        self.game, self.shoe, self.columns, self.chips = game, shoe, columns, chips
        self.cut_card, self.whole_shoes, self.notation = cut_card, cut_card is not None, notation
        self.rows = self.missing = 0
        self.declared: Counter[str] = Counter()
        self.tables: dict[str, LogTable] = {}
        self.payments = Payments(game, columns, chips)
        self._waits = waits and self.whole_shoes
        self._cells = cells_of(game)
        self._held = held_by(shoe, self.tells_ranks)
        self._met = np.zeros(CELLS, dtype=np.int64)

    @property
    def tells_ranks(self) -> bool:
        """Whether the log records the ranks of cards, and therefore pairs."""
        return self.notation.tells_ranks

    @property
    def partitions(self) -> list[Partition]:
        """Every bet and insurance table, with the label of every cell."""
        return self._cells.partitions

    @property
    def situations(self) -> dict[str, int]:
        """How often each situation arose in which a fault could have occurred."""
        of_cells = cell_situations(self.game, self._met)
        return of_cells | self.declared | self.payments.situations

    def pieces(self, batches: Iterable[RowBatch]) -> Iterator[Piece]:
        """Yield the pieces of a whole log."""
        for rows in batches:
            yield from self.add(rows)
        for table in self.tables.values():
            if table.held is not None:
                held, table.held = table.held, None
                yield from self._piece(table, held)

    def add(self, rows: RowBatch) -> Iterator[Piece]:
        """Yield the pieces of further rows, table by table; the last shoe of each table may be held back."""
        if rows.unreadable:
            self.rows += len(rows.unreadable)
            yield _of_lines(rows)
        if "table" not in rows.frame.columns:
            yield from self._of_table("", rows)
            return
        tables = rows.frame["table"].fill_null("")
        for name in tables.unique(maintain_order=True).to_list():
            yield from self._of_table(name, rows.part((tables == name).arg_true().to_numpy()))

    def _of_table(self, name: str, rows: RowBatch) -> Iterator[Piece]:
        if name not in self.tables and len(self.tables) >= MOST_TABLES:
            raise FileError(f"more than {MOST_TABLES} tables; is this a column of tables?")
        table = self.tables.setdefault(name, LogTable())
        if table.held is not None:
            lines = np.concatenate([table.held.lines, rows.lines])
            rows, table.held = RowBatch(lines, table.held.frame.vstack(rows.frame)), None
        if self._waits and rows.frame.height:
            shoes = np.maximum.accumulate(whole_numbers(rows.frame["shoe"]))
            end = int(np.searchsorted(shoes, shoes[-1]))
            wagers = MOST_WAGERS if "player" in rows.frame.columns else 1
            if rows.frame.height - end <= self.shoe.size * wagers:  # a shoe has no more rounds than cards
                table.held, rows = rows.part(slice(end, None)), rows.part(slice(end))
        yield from self._piece(table, rows)

    def _piece(self, table: LogTable, rows: RowBatch) -> Iterator[Piece]:
        """Yield the replayed rows of one table."""
        import polars

        if not rows.frame.height:
            return
        self.rows += rows.frame.height
        values = {column: Amounts.of(rows.frame[str(column)], column.money) for column in self.columns}
        if self.chips is not None:
            check_unit(values, self.chips[0])
        numbers = numbers_of(rows, table, self.whole_shoes)
        self.missing += numbers.missing
        hands = [Hands.of(rows.frame[name], self.notation) for name in HANDS]
        if self.notation is not Notation.RANK:
            cards = {name: of_hand.cards for name, of_hand in zip(HANDS, hands, strict=True)}
            rows = replace(rows, frame=rows.frame.with_columns(**cards))
        bad = _of_hands([of_hand.unreadable for of_hand in hands])
        for column in reversed(self.columns):
            bad |= {row: f"{column}: {why}" for row, why in values[column].unreadable.items()}
        bad |= numbers.bad
        repeated = {row: why for row, why in numbers.repeated.items() if row not in bad}
        unfinished = _of_hands([of_hand.unfinished for of_hand in hands])
        unfinished = {row: why for row, why in unfinished.items() if row not in bad | repeated}
        known: Flags = np.ones(rows.frame.height, dtype=np.bool_)
        known[[*bad, *repeated, *unfinished]] = False
        dealt = Deals.of(hands[0].ranks, hands[1].ranks)
        row_cells = cells(dealt)
        over, left = self._drawn(table, dealt, numbers.shoes, known & numbers.first)
        against = known & self._cells.impossible[row_cells]
        possible = known & ~against & (over < 0)
        self._met += np.bincount(row_cells[known], minlength=CELLS)
        kept = np.flatnonzero(possible)
        of_kept = self._declared_faults(rows, kept, row_cells[kept])
        of_kept += self.payments.faults(rows, kept, dealt, row_cells[kept], values, self.partitions)
        faulty = ~possible
        for part in of_kept:
            faulty[np.searchsorted(rows.lines, part["line"].to_numpy())] = True
        faults = [
            row_faults(rows, FaultKind.GAP, numbers.gaps),
            row_faults(rows, FaultKind.UNREADABLE, bad),
            row_faults(rows, FaultKind.REPEATED, repeated),
            row_faults(
                rows, FaultKind.IMPOSSIBLE, unfinished, cause=[unfinished[row] for row in sorted(unfinished)]
            ),
            self._against(rows, np.flatnonzero(against), dealt, row_cells),
            self._too_many(rows, np.flatnonzero(known & ~against & (over >= 0)), over, numbers.shoes),
            *of_kept,
        ]
        yield Piece(
            table,
            rows,
            polars.concat(faults),
            possible,
            numbers.first,
            faulty,
            numbers.shoes,
            left,
            dealt,
            row_cells,
            values,
        )

    def _drawn(self, table: LogTable, dealt: Deals, shoes: Tallies, known: Flags) -> tuple[Tallies, Tallies]:
        """Return, for each row, a rank drawn too often (or -1), and the cards left before it."""
        if not self.whole_shoes:
            return drawn_from_fresh(self._held, dealt, known)
        over, left, table.used = drawn_from_shoes(self._held, dealt, known, shoes, table.used)
        return over, left

    # ------------------------------------------------------------ impossible deals

    def _against(
        self, rows: RowBatch, places: Indices, dealt: Deals, row_cells: Indices
    ) -> "polars.DataFrame":
        """Return the rows that the Table of Play cannot have dealt."""
        facts = CellFacts.of(row_cells[places])
        totals = zip(
            *(each.tolist() for each in (facts.player, facts.banker, facts.player_third, facts.banker_third)),
            strict=True,
        )
        causes = [cell_cause(self.game, *each) for each in totals]
        return row_faults(
            rows,
            FaultKind.IMPOSSIBLE,
            {row: self._refusal(dealt, row) for row in places.tolist()},
            cause=[cause.text for cause in causes],
            total=[cause.total for cause in causes],
            situation=[cause.situation for cause in causes],
            clause=[cause.clause for cause in causes],
        )

    def _refusal(self, dealt: Deals, row: int) -> str:
        """Return why the Table of Play could not have dealt this row."""
        try:
            self.game.finished_round(*hands_of(dealt, row))
        except InputError as error:
            return str(error)
        raise AssertionError(f"row {row} can be dealt")  # the cell of the row contradicts the rules

    def _too_many(self, rows: RowBatch, places: Indices, over: Tallies, shoes: Tallies) -> "polars.DataFrame":
        """Return the rows that draw more of a rank than the shoe holds."""
        held = {
            row: (RANKS[int(over[row])], f"than the {self._held[over[row]]} that the shoe holds")
            for row in places.tolist()
        }
        messages = {
            row: f"more of {rank} in {f'shoe {shoes[row]}' if self.whole_shoes else 'the round'} {most}"
            for row, (rank, most) in held.items()
        }
        causes = [f"more of {rank} in one shoe {most}" for rank, most in held.values()]
        return row_faults(rows, FaultKind.IMPOSSIBLE, messages, cause=causes)

    # ------------------------------------------------------------ declared results

    def _declared_faults(self, rows: RowBatch, kept: Indices, row_cells: Indices) -> "list[polars.DataFrame]":
        """Return the faults of declared results that contradict the cards of their row."""
        names = [
            name
            for name in DECLARED
            if name in rows.frame.columns and (self.tells_ranks or not name.endswith("_pair"))
        ]
        parts = []
        truth = facts_of(row_cells) if names else {}
        for name in names if len(kept) else ():
            stated = rows.frame[name].gather(kept)
            self.declared[f"declared {name}"] += len(stated) - stated.null_count()
            wrong = (stated != truth[name]).fill_null(False).arg_true().to_list()
            messages = {
                int(kept[row]): f"{name} {quoted(stated[row])}; the cards say {truth[name][row]}"
                for row in wrong
            }
            cause, situation = (
                [f"{name}: not what the cards say"] * len(wrong),
                [f"declared {name}"] * len(wrong),
            )
            parts.append(row_faults(rows, FaultKind.DECLARED, messages, cause=cause, situation=situation))
        return parts


def _of_hands(hands: Sequence[Mapping[int, str]]) -> dict[int, str]:
    """Return the errors in the hands of rows, one message per row."""
    messages: dict[int, str] = {}
    for name, of_hand in zip(("Player Hand", "Banker Hand"), hands, strict=True):
        for row, why in of_hand.items():
            messages[row] = f"{messages[row]}; {name}: {why}" if row in messages else f"{name}: {why}"
    return messages


def _of_lines(rows: RowBatch) -> Piece:
    """Return the piece of lines that are not readable as rows."""
    none = np.zeros(0, dtype=np.int64)
    flags, ranks = none.astype(np.bool_), none.astype(np.uint8)
    return Piece(
        LogTable(),
        RowBatch(none, rows.frame.clear()),
        line_faults(rows.unreadable),
        flags,
        flags,
        flags,
        none,
        none.reshape(0, len(RANKS)),
        Deals(ranks.reshape(6, 0)),
        none.astype(np.intp),
        {},
    )


# ---------------------------------------------------------------- numbers of rounds and shoes


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
    rounds, table.last_round = _ascending(rows, "round", numbers, before, 0 if wagers else 1, bad)
    first: Flags = np.diff(rounds, prepend=before) != 0 if wagers else np.ones(len(rounds), dtype=np.bool_)
    repeated = _with_other_cards(rows, table, first) if wagers else _repeated(numbers, before)
    shoes = np.zeros_like(rounds)
    if whole_shoes:
        last = table.last_shoe
        shoes, table.last_shoe = _ascending(rows, "shoe", whole_numbers(rows.frame["shoe"]), last, 0, bad)
        if shoes[0] != last:
            table.used[:] = 0
        for row, count, after in _missing(last, shoes):
            gaps[row] = f"{count} shoes are missing after shoe {after}"
    if "id" in rows.frame.columns:
        numbers = whole_numbers(rows.frame["id"])
    of_rounds = _missing(table.last_number, numbers)
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


def _ascending(
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


def _repeated(numbers: Tallies, last: int) -> dict[int, str]:
    """Return the rows with the number of the preceding row, in a log with one row per round."""
    before = np.concatenate([[last], numbers[:-1]])
    again = np.flatnonzero((numbers >= 0) & (numbers == before)).tolist()
    return {row: f"round {numbers[row]} is given again; give each round one row" for row in again}


def _with_other_cards(rows: RowBatch, table: LogTable, first: Flags) -> dict[int, str]:
    """Return the rows that repeat a round with other cards, in a log with one row per wager."""
    import polars

    cards = rows.frame.select(polars.concat_str(HANDS, separator=" / ", ignore_nulls=True).alias("cards"))[
        "cards"
    ]
    begin = np.maximum.accumulate(np.where(first, np.arange(len(first)), -1))
    of_round = cards.gather(np.maximum(begin, 0)).set(polars.Series(begin < 0), table.last_cards)
    table.last_cards = of_round[-1] or ""
    others = (cards != of_round).fill_null(True).arg_true().to_list()
    return {row: f"the round is given again with other cards: {quoted(cards[row] or '')}" for row in others}


def _missing(last: int, numbers: Tallies) -> list[tuple[int, int, int]]:
    """Return the rows after a gap in the numbers, the size of each gap and the number before it.

    -1: no number.
    """
    before = np.concatenate([[last], numbers[:-1]])
    rows = np.flatnonzero((before >= 0) & (numbers - before > 1))
    return list(zip(rows.tolist(), (numbers - before - 1)[rows].tolist(), before[rows].tolist(), strict=True))


# ---------------------------------------------------------------- cards drawn from shoes


TEN = RANKS.index(Rank.TEN)


def held_by(shoe: Shoe, tells_ranks: bool) -> Tallies:
    """Return the cards of a fresh shoe by rank; for cards by points, all cards worth 0 are tens."""
    held = np.array(shoe.counts)
    if not tells_ranks:
        held[TEN], held[TEN + 1 :] = held[TEN:].sum(), 0
    return held


def drawn_from_fresh(held: Tallies, dealt: Deals, known: Flags) -> tuple[Tallies, Tallies]:
    """Return, for rows from fresh shuffles, a rank drawn too often (or -1), and the cards left before."""
    left = np.broadcast_to(held, (len(known), len(RANKS)))
    if held.min() >= MOST_CARDS:  # a round takes six cards at most
        return np.full(len(known), -1), left
    drawn = _drawn(dealt, known)
    return _too_many(drawn, drawn, held), left


def drawn_from_shoes(
    held: Tallies, dealt: Deals, known: Flags, shoes: Tallies, used: Tallies
) -> tuple[Tallies, Tallies, Tallies]:
    """Return the same for rows of whole shoes, and the cards used of the last shoe.

    ``used``: the cards already used of the first shoe.
    """
    drawn = _drawn(dealt, known)
    added = np.cumsum(drawn, axis=0)
    starts = np.flatnonzero(np.diff(shoes)) + 1
    before = np.concatenate([-used[None, :], added[starts - 1]])
    so_far = added - before[np.searchsorted(starts, np.arange(len(known)), side="right")]
    return _too_many(so_far, drawn, held), np.maximum(held - (so_far - drawn), 0), so_far[-1].copy()


def _drawn(dealt: Deals, known: Flags) -> Tallies:
    """Return the cards that each row draws, by rank; 0 where its cards are unknown."""
    drawn = np.zeros((len(known), len(RANKS) + 1), dtype=np.int64)
    everyone = np.arange(len(known))
    for card in (*dealt.player, *dealt.banker):
        drawn[everyone, card] += 1
    return drawn[:, :-1] * known[:, None]


def _too_many(so_far: Tallies, drawn: Tallies, held: Tallies) -> Tallies:
    too_many = (so_far > held) & (drawn > 0)
    return np.where(too_many.any(axis=1), too_many.argmax(axis=1), -1)
