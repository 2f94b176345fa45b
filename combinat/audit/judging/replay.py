"""The replay of a hand log: every row is dealt and settled again by the rules, and compared exactly.

``Replay.pieces`` yields the rows of one table at a time, with their cells, the cards left before each row, and
their payments. The cell of a row decides its settlement, so the rules settle every cell of the game once.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from combinat.audit.judging.cells import Flags, cells_of, facts_of, hands_of
from combinat.audit.judging.faults import (
    HANDS,
    Ledger,
    Sink,
    cell_cause,
    cell_situations,
    line_faults,
    row_faults,
)
from combinat.audit.judging.payments import Payment, Payments
from combinat.audit.judging.sequence import LogTable, Part, by_table, in_whole_shoes, numbers_of, table_of
from combinat.audit.reading.hand_log import HandLog
from combinat.audit.reading.log_map import DECLARED, Chips, LogColumn
from combinat.audit.reading.notation import Notation
from combinat.audit.reading.rows import RowBatch
from combinat.audit.reading.values import Amounts, Hands, check_unit, hand_mistakes
from combinat.audit.verdict import FaultKind
from combinat.base.errors import InputError, quoted
from combinat.engine.walk import MOST_CARDS
from combinat.montecarlo.cell import NUMBER as CELLS
from combinat.montecarlo.cell import CellFacts, Deals, Indices, cells
from combinat.montecarlo.tally import Tallies
from combinat.rules.cards import RANKS, Rank
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True, kw_only=True)
class Piece:
    """Rows of one table.

    ``possible``: the rows that the rules can deal; ``first``: the rows that begin a round; ``faulty``: the
    rows with a fault; ``left``: the cards left in the shoe before each row; ``payments``: of the possible rows.
    """

    name: str
    table: LogTable
    rows: RowBatch
    possible: Flags
    first: Flags
    faulty: Flags
    shoes: Tallies
    left: Tallies
    dealt: Deals
    cells: Indices
    values: Mapping[LogColumn, Amounts]
    payments: Sequence[Payment]

    @cached_property
    def is_certain(self) -> Flags:
        """The possible rows with six or more cards left.

        With fewer, a round may be void, and void rounds have no row.
        """
        enough = self.left if self.left.strides[0] else self.left[:1]
        certain: Flags = self.possible & (enough.sum(axis=1) >= MOST_CARDS)
        return certain

    @cached_property
    def certain_rounds(self) -> Indices:
        """The rows that begin such a round."""
        return np.flatnonzero(self.is_certain & self.first)

    @cached_property
    def left_before(self) -> Tallies:
        """The cards left before each of them; one row for all of them if every round is from a fresh shuffle."""
        rounds = self.certain_rounds
        return self.left[rounds] if self.left.strides[0] else self.left[: len(rounds)]


class Replay:
    """The replay of a log: the state of each of its tables, its faults, and the totals of its payments.

    ``cut_card``: the number of cards behind the cut card; None if every round is from a fresh shuffle.
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
        sink: Sink | None = None,
    ) -> None:
        self.game, self.shoe, self.columns, self.chips = game, shoe, columns, chips
        self.cut_card, self.whole_shoes, self.notation = cut_card, cut_card is not None, notation
        self.rows = self.missing = self.declared = 0
        self.tables: dict[str, LogTable] = {}
        self.faults = Ledger(sink)
        self._cells = cells_of(game)
        self.partitions = self._cells.partitions
        self.payments = Payments(game, columns, chips, self.partitions, self.faults.situations)
        self._held = cards_by_rank(shoe, notation.tells_ranks)

    @classmethod
    def of(
        cls, log: HandLog, game: Game, shoe: Shoe, cut_card: int | None = None, sink: Sink | None = None
    ) -> "Replay":
        """Return the replay of a log. ``cut_card``: if the log names none."""
        behind = log.cut_card(shoe, cut_card)
        return cls(game, shoe, log.columns(game), behind, log.chips, notation=log.notation, sink=sink)

    def pieces(self, batches: Iterable[RowBatch]) -> Iterator[Piece]:
        """Yield the pieces of a whole log; of whole shoes, each piece has whole shoes."""
        parts: Iterable[Part] = (part for rows in batches for part in self._parts(rows))
        if self.whole_shoes:
            parts = in_whole_shoes(parts, self.shoe.size)
        for name, rows in parts:
            yield from self._piece(name, rows)

    def add(self, rows: RowBatch) -> Iterator[Piece]:
        """Yield the pieces of further rows, table by table."""
        for name, part in self._parts(rows):
            yield from self._piece(name, part)

    def _parts(self, rows: RowBatch) -> Iterator[Part]:
        self.rows += len(rows.unreadable) + rows.frame.height
        self.faults.add(line_faults(rows.unreadable))
        return by_table(rows)

    def _piece(self, name: str, rows: RowBatch) -> Iterator[Piece]:
        """Yield the replayed rows of one table, if there are any."""
        import polars

        table = table_of(self.tables, name)
        if not rows.frame.height:
            return
        values = {column: Amounts.of(rows.frame[str(column)], column.money) for column in self.columns}
        if self.chips is not None:
            check_unit(values, self.chips[0])
        numbers = numbers_of(rows, table, self.whole_shoes)
        self.missing += numbers.missing
        hands = {hand: Hands.of(rows.frame[hand], self.notation) for hand in HANDS}
        if self.notation is not Notation.RANK:
            cards = {hand: of_hand.cards for hand, of_hand in hands.items()}
            rows = replace(rows, frame=rows.frame.with_columns(**cards))
        bad = hand_mistakes(of_hand.unreadable for of_hand in hands.values())
        for column in reversed(self.columns):
            bad |= {row: f"{column}: {why}" for row, why in values[column].unreadable.items()}
        bad |= numbers.bad
        repeated = {row: why for row, why in numbers.repeated.items() if row not in bad}
        unfinished = hand_mistakes(of_hand.unfinished for of_hand in hands.values())
        unfinished = {row: why for row, why in unfinished.items() if row not in bad | repeated}
        known: Flags = np.ones(rows.frame.height, dtype=np.bool_)
        known[[*bad, *repeated, *unfinished]] = False
        dealt = Deals.of(*(of_hand.ranks for of_hand in hands.values()))
        row_cells = cells(dealt)
        over, left = self._drawn(table, dealt, numbers.shoes, known & numbers.first)
        against = known & self._cells.impossible[row_cells]
        possible = known & ~against & (over < 0)
        met = np.bincount(row_cells[known], minlength=CELLS)
        self.faults.situations.update(cell_situations(self.game, met))
        kept = np.flatnonzero(possible)
        payments = list(self.payments.add(rows, kept, dealt, row_cells[kept], values))
        causes = [unfinished[row] for row in sorted(unfinished)]
        faults = polars.concat(
            [
                row_faults(rows, FaultKind.UNREADABLE, bad),
                row_faults(rows, FaultKind.REPEATED, repeated),
                row_faults(rows, FaultKind.IMPOSSIBLE, unfinished, cause=causes),
                self._against(rows, np.flatnonzero(against), dealt, row_cells),
                self._too_many(rows, np.flatnonzero(known & ~against & (over >= 0)), over, numbers.shoes),
                *self._declared_faults(rows, kept, row_cells[kept]),
                *(wrong for _, wrong in payments),
            ]
        )
        self.faults.add(row_faults(rows, FaultKind.GAP, numbers.gaps).vstack(faults))
        yield Piece(
            name=name,
            table=table,
            rows=rows,
            possible=possible,
            first=numbers.first,
            faulty=np.isin(rows.lines, faults["line"].to_numpy()),
            shoes=numbers.shoes,
            left=left,
            dealt=dealt,
            cells=row_cells,
            values=values,
            payments=[payment for payment, _ in payments],
        )

    def _drawn(self, table: LogTable, dealt: Deals, shoes: Tallies, known: Flags) -> tuple[Tallies, Tallies]:
        """Return, for each row, a rank drawn too often (or -1), and the cards left before it."""
        if not self.whole_shoes:
            return drawn_from_fresh(self._held, dealt, known)
        over, left, used = drawn_from_shoes(self._held, dealt, known, shoes, np.array(table.used))
        table.used = used.tolist()
        return over, left

    # ------------------------------------------------------------ impossible deals

    def _against(
        self, rows: RowBatch, places: Indices, dealt: Deals, row_cells: Indices
    ) -> "polars.DataFrame":
        """Return the rows that the Table of Play cannot have dealt."""
        facts = CellFacts.of(row_cells[places])
        totals = np.stack([facts.player, facts.banker, facts.player_third, facts.banker_third], axis=1)
        causes = [cell_cause(self.game, *each) for each in totals.tolist()]
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
        messages, causes = dict[int, str](), []
        for row in places.tolist():
            rank, most = RANKS[int(over[row])], f"than the {self._held[over[row]]} that the shoe holds"
            messages[row] = (
                f"more of {rank} in {f'shoe {shoes[row]}' if self.whole_shoes else 'the round'} {most}"
            )
            causes.append(f"more of {rank} in one shoe {most}")
        return row_faults(rows, FaultKind.IMPOSSIBLE, messages, cause=causes)

    # ------------------------------------------------------------ declared results

    def _declared_faults(
        self, rows: RowBatch, kept: Indices, row_cells: Indices
    ) -> "Iterator[polars.DataFrame]":
        """Yield the faults of declared results that contradict the cards of their row."""
        names = [name for name in DECLARED if name in rows.frame.columns]
        if not self.notation.tells_ranks:
            names = [name for name in names if not name.endswith("_pair")]
        truth = facts_of(row_cells) if names else {}
        for name in names if len(kept) else ():
            stated, situation = rows.frame[name].gather(kept), f"declared {name}"
            self.declared += stated.count()
            self.faults.situations[situation] += stated.count()
            wrong = (stated != truth[name]).fill_null(False).arg_true().to_list()
            messages = {
                int(kept[row]): f"{name} {quoted(stated[row])}; the cards say {truth[name][row]}"
                for row in wrong
            }
            cause = [f"{name}: not what the cards say"] * len(wrong)
            yield row_faults(
                rows, FaultKind.DECLARED, messages, cause=cause, situation=[situation] * len(wrong)
            )


# ---------------------------------------------------------------- cards drawn from shoes


TEN = RANKS.index(Rank.TEN)


def cards_by_rank(shoe: Shoe, tells_ranks: bool) -> Tallies:
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
    return _too_many(so_far, drawn, held), np.maximum(held - (so_far - drawn), 0), so_far[-1]


def _drawn(dealt: Deals, known: Flags) -> Tallies:
    """Return the cards that each row draws, by rank; 0 where its cards are unknown."""
    drawn = np.zeros((len(known), len(RANKS) + 1), dtype=np.int64)
    everyone = np.arange(len(known))
    for card in dealt.cards:
        drawn[everyone, card] += 1
    return drawn[:, :-1] * known[:, None]


def _too_many(so_far: Tallies, drawn: Tallies, held: Tallies) -> Tallies:
    too_many = (so_far > held) & (drawn > 0)
    return np.where(too_many.any(axis=1), too_many.argmax(axis=1), -1)
