"""The replay of a hand log: every row dealt and settled again by the rules, and compared exactly.

``Replay.pieces`` yields the rows of one table at a time with their cells, the cards left before each, and
their faults; callers fold the pieces. What decides a settlement is the row's cell: every cell of the game is
settled by the rules once, and looked up from then on.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from combinat.audit.judging.cells import Flags, cells_of, facts_of, hands_of
from combinat.audit.judging.faults import (
    HANDS,
    cell_cause,
    cell_situations,
    line_faults,
    row_faults,
)
from combinat.audit.judging.numbering import (
    LogTable,
    drawn_from_fresh,
    drawn_from_shoes,
    held_by,
    numbers_of,
    whole_numbers,
)
from combinat.audit.judging.payments import Payments
from combinat.audit.reading.log_map import DECLARED, Chips, LogColumn
from combinat.audit.reading.notation import Notation
from combinat.audit.reading.rows import RowBatch
from combinat.audit.reading.values import Amounts, Hands, check_unit
from combinat.audit.verdict import FaultKind
from combinat.base.errors import FileError, InputError, quoted
from combinat.montecarlo.cell import NUMBER as CELLS
from combinat.montecarlo.cell import CellFacts, Deals, Indices, cells
from combinat.montecarlo.partition import Partition
from combinat.montecarlo.tally import Tallies
from combinat.rules.cards import RANKS
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

if TYPE_CHECKING:
    import polars

MOST_WAGERS = 100
"""Rows of one round, where rows are wagers, that are waited for."""

MOST_TABLES = 1_000
"""Tables in one log: each has a shoe of its own to keep."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Rows of one table.

    ``possible``: could have been dealt; ``first``: begins its round; ``faulty``: has a fault.

    ``left``: the cards of the shoe before each row. ``faults``: the frame of faults, gaps among them. A piece
    of lines that are no rows has an empty frame of rows.
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
    ``waits``: the last shoe of a table waits for its end, so that a piece has whole shoes.
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
        self.rows = self.declared = self.missing = 0
        self.tables: dict[str, LogTable] = {}
        self.payments = Payments(game, columns, chips)
        self._waits = waits and self.whole_shoes
        self._cells = cells_of(game)
        self._texts: dict[LogColumn, list[str]] = {column: [] for column in columns}
        self._hand_texts: tuple[list[str], list[str]] = [], []
        self._held = held_by(shoe, self.tells_ranks)
        self._met = np.zeros(CELLS, dtype=np.int64)
        self._declared: dict[str, int] = {}

    @property
    def tells_ranks(self) -> bool:
        """Whether the ranks of cards are known, and so pairs."""
        return self.notation.tells_ranks

    @property
    def partitions(self) -> list[Partition]:
        """Every bet and insurance table, with the label of every cell."""
        return self._cells.partitions

    @property
    def situations(self) -> dict[str, int]:
        """How often each situation arose in which a fault could have occurred."""
        of_cells = cell_situations(self.game, self._met)
        return of_cells | self._declared | self.payments.situations

    def pieces(self, batches: Iterable[RowBatch]) -> Iterator[Piece]:
        """A whole log."""
        for rows in batches:
            yield from self.add(rows)
        for table in self.tables.values():
            if table.held is not None:
                held, table.held = table.held, None
                yield from self._piece(table, held)

    def add(self, rows: RowBatch) -> Iterator[Piece]:
        """Some rows of a log, table by table; of whole shoes, the last of each table may wait."""
        if rows.unreadable:
            self.rows += len(rows.unreadable)
            yield _of_lines(rows)
        if "table" not in rows.frame.columns:
            yield from self._of_table("", rows)
            return
        tables = rows.frame["table"].fill_null("")
        for name in tables.unique(maintain_order=True).to_list():
            mine = (tables == name).arg_true().to_numpy()
            yield from self._of_table(name, RowBatch(rows.lines[mine], rows.frame[mine], ()))

    def _of_table(self, name: str, rows: RowBatch) -> Iterator[Piece]:
        if name not in self.tables and len(self.tables) >= MOST_TABLES:
            raise FileError(f"more than {MOST_TABLES} tables; is this a column of tables?")
        table = self.tables.setdefault(name, LogTable())
        if table.held is not None:
            rows = _joined(table.held, rows)
            table.held = None
        if self._waits and rows.frame.height:
            shoes = np.maximum.accumulate(whole_numbers(rows.frame["shoe"]))
            end = int(np.searchsorted(shoes, shoes[-1]))
            wagers = MOST_WAGERS if "player" in rows.frame.columns else 1
            if rows.frame.height - end <= self.shoe.size * wagers:  # a shoe has no more rounds than cards
                table.held = RowBatch(rows.lines[end:], rows.frame[end:], ())
                rows = RowBatch(rows.lines[:end], rows.frame[:end], ())
        yield from self._piece(table, rows)

    def _piece(self, table: LogTable, rows: RowBatch) -> Iterator[Piece]:
        """Rows of one table, replayed."""
        import polars

        if not rows.frame.height:
            return
        self.rows += rows.frame.height
        values = {
            column: Amounts.of(rows.frame[str(column)], column.money, texts)
            for column, texts in self._texts.items()
        }
        if self.chips is not None:
            check_unit(values, self.chips[0])
        numbers = numbers_of(rows, table, self.whole_shoes)
        self.missing += numbers.missing
        hands = [
            Hands.of(rows.frame[name], self.notation, texts)
            for name, texts in zip(HANDS, self._hand_texts, strict=True)
        ]
        if self.notation is not Notation.RANK:
            cards = {name: of_hand.cards for name, of_hand in zip(HANDS, hands, strict=True)}
            rows = replace(rows, frame=rows.frame.with_columns(**cards))
        bad = _of_hands([of_hand.unreadable for of_hand in hands])
        for column in reversed(self.columns):
            bad |= {row: f"{column}: {why}" for row, why in values[column].unreadable.items()}
        bad |= numbers.bad
        repeated = {row: why for row, why in numbers.repeated.items() if row not in bad}
        readable = np.ones(rows.frame.height, dtype=np.bool_)
        readable[[*bad, *repeated]] = False
        unfinished = _of_hands([of_hand.unfinished for of_hand in hands])
        are_hands = np.ones_like(readable)
        are_hands[list(unfinished)] = False
        dealt = Deals.of(hands[0].ranks, hands[1].ranks)
        row_cells = cells(dealt)
        known = readable & are_hands
        over, left = self._drawn(table, dealt, numbers.shoes, known & numbers.first)
        against = known & self._cells.impossible[row_cells]
        possible = known & ~against & (over < 0)
        self._met += np.bincount(row_cells[known], minlength=CELLS)
        kept = np.flatnonzero(possible)
        parts = [
            numbers.gaps,
            row_faults(rows, sorted(bad), FaultKind.UNREADABLE, [bad[row] for row in sorted(bad)]),
            row_faults(
                rows, sorted(repeated), FaultKind.REPEATED, [repeated[row] for row in sorted(repeated)]
            ),
            self._no_hands(rows, np.flatnonzero(readable & ~are_hands), unfinished),
            self._against(rows, np.flatnonzero(against), dealt, row_cells),
            self._too_many(rows, np.flatnonzero(known & ~against & (over >= 0)), over, numbers.shoes),
        ]
        of_kept = self._otherwise_declared(rows, kept, row_cells[kept])
        of_kept += self.payments.faults(rows, kept, dealt, row_cells[kept], values, self.partitions)
        faulty = ~possible
        for part in of_kept:
            faulty[np.searchsorted(rows.lines, part["line"].to_numpy())] = True
        faults = polars.concat([*parts, *of_kept])
        yield Piece(
            table,
            rows,
            faults,
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
        """For each row a rank of which it drew too many, or -1; and the cards left before it."""
        if not self.whole_shoes:
            return drawn_from_fresh(self._held, dealt, known)
        over, left, table.used = drawn_from_shoes(self._held, dealt, known, shoes, table.used)
        return over, left

    # ------------------------------------------------------------ what cannot have been dealt

    def _no_hands(self, rows: RowBatch, places: Indices, unfinished: Mapping[int, str]) -> "polars.DataFrame":
        """The rows whose cards are not two finished hands."""
        messages = [unfinished[row] for row in places.tolist()]
        return row_faults(rows, places, FaultKind.IMPOSSIBLE, messages, messages)

    def _against(
        self, rows: RowBatch, places: Indices, dealt: Deals, row_cells: Indices
    ) -> "polars.DataFrame":
        """The rows that the Table of Play cannot have dealt."""
        facts = CellFacts.of(row_cells[places])
        totals = zip(
            *(each.tolist() for each in (facts.player, facts.banker, facts.player_third, facts.banker_third)),
            strict=True,
        )
        causes = [cell_cause(self.game, *each) for each in totals]
        return row_faults(
            rows,
            places,
            FaultKind.IMPOSSIBLE,
            [self._refusal(dealt, row) for row in places.tolist()],
            [cause.text for cause in causes],
            totals=[cause.total for cause in causes],
            situations=[cause.situation for cause in causes],
            clauses=[cause.clause for cause in causes],
        )

    def _refusal(self, dealt: Deals, row: int) -> str:
        """Why the Table of Play could not have dealt this row."""
        try:
            self.game.finished_round(*hands_of(dealt, row))
        except InputError as error:
            return str(error)
        raise AssertionError(f"row {row} can be dealt")  # its cell stated otherwise

    def _too_many(self, rows: RowBatch, places: Indices, over: Tallies, shoes: Tallies) -> "polars.DataFrame":
        """The rows that draw more of a rank than the shoe holds."""
        messages, causes = [], []
        for row in places.tolist():
            rank = RANKS[int(over[row])]
            held = f"than the {self.shoe[rank]} that the shoe holds"
            messages.append(
                f"more of {rank} in {f'shoe {shoes[row]}' if self.whole_shoes else 'the round'} {held}"
            )
            causes.append(f"more of {rank} in one shoe {held}")
        return row_faults(rows, places, FaultKind.IMPOSSIBLE, messages, causes)

    # ------------------------------------------------------------ what rows declare

    def _otherwise_declared(
        self, rows: RowBatch, kept: Indices, row_cells: Indices
    ) -> "list[polars.DataFrame]":
        """What rows declare of their round beside its cards, and otherwise than the cards."""
        names = [
            name
            for name in DECLARED
            if name in rows.frame.columns and (self.tells_ranks or not name.endswith("_pair"))
        ]
        parts = []
        truth = facts_of(row_cells) if names else {}
        for name in names if len(kept) else ():
            stated = rows.frame[name].gather(kept)
            count = len(stated) - stated.null_count()
            self.declared += count
            self._declared[f"declared {name}"] = self._declared.get(f"declared {name}", 0) + count
            wrong = (stated != truth[name]).fill_null(False).arg_true().to_list()
            messages = [f"{name} {quoted(stated[row])}; the cards say {truth[name][row]}" for row in wrong]
            parts.append(
                row_faults(
                    rows,
                    kept[wrong],
                    FaultKind.DECLARED,
                    messages,
                    [f"{name}: not what the cards say"] * len(wrong),
                    situations=[f"declared {name}"] * len(wrong),
                )
            )
        return parts


def _of_hands(hands: Sequence[Mapping[int, str]]) -> dict[int, str]:
    """What is wrong with the hands of rows, in one message a row."""
    messages: dict[int, str] = {}
    for name, of_hand in zip(("Player Hand", "Banker Hand"), hands, strict=True):
        for row, why in of_hand.items():
            messages[row] = f"{messages[row]}; {name}: {why}" if row in messages else f"{name}: {why}"
    return messages


def _of_lines(rows: RowBatch) -> Piece:
    """The piece of lines that cannot be read as rows."""
    none = np.zeros(0, dtype=np.int64)
    nothing, flags, ranks = rows.frame.clear(), none.astype(np.bool_), none.astype(np.uint8)
    return Piece(
        LogTable(),
        RowBatch(none, nothing, ()),
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


def _joined(held: RowBatch, rows: RowBatch) -> RowBatch:
    return replace(
        held,
        lines=np.concatenate([held.lines, rows.lines]),
        frame=held.frame.vstack(rows.frame),
        unreadable=(*held.unreadable, *rows.unreadable),
    )
