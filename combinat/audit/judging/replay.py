"""The replay of a hand log: every row is dealt and settled again by the rules, and compared exactly.

``whole_log`` yields the rows of one table at a time, with their cells, the cards left before each row, their
payments and their faults. The cell of a row decides its settlement, so the rules settle every cell of the
game once. The ledger, the counting of rounds, the groups, the review of stakes and the watch fold these
pieces.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from combinat.audit.judging.cells import Flags, cells_of, facts_of, hands_of
from combinat.audit.judging.faults import HANDS, cell_cause, cell_situations, row_faults
from combinat.audit.judging.payments import Payment, compared_payments
from combinat.audit.judging.sequence import LogTable, Part, by_table, in_whole_shoes, numbers_of, table_of
from combinat.audit.judging.terms import LogTerms
from combinat.audit.reading.log_map import DECLARED, LogColumn
from combinat.audit.reading.notation import Notation
from combinat.audit.reading.rows import RowBatch
from combinat.audit.reading.values import Amounts, Hands, check_unit, hand_mistakes
from combinat.audit.verdict import FaultKind
from combinat.base.errors import InputError, quoted
from combinat.engine.walk import MOST_CARDS
from combinat.montecarlo.cell import NUMBER as CELLS
from combinat.montecarlo.cell import CellFacts, Deals, Indices, cells
from combinat.montecarlo.tally import Tallies
from combinat.rules.cards import RANKS
from combinat.rules.game import Game

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True, kw_only=True)
class Piece:
    """Rows of one table.

    ``possible``: the rows that the rules can deal; ``first``: the rows that begin a round; ``left``: the cards
    left in the shoe before each row; ``payments``: of the possible rows. ``faults``: a frame with a row for each
    fault, gaps in the numbers included; ``missing``: the number of missing round numbers; ``declared``: the
    number of declared results; ``situations``: how often each situation arose in which a fault could have
    occurred.
    """

    name: str
    table: LogTable
    rows: RowBatch
    possible: Flags
    first: Flags
    shoes: Tallies
    left: Tallies
    dealt: Deals
    cells: Indices
    values: Mapping[LogColumn, Amounts]
    payments: Sequence[Payment]
    faults: "polars.DataFrame"
    missing: int
    declared: int
    situations: Counter[str]

    @cached_property
    def faulty(self) -> Flags:
        """The rows with a fault; a gap is not a fault."""
        faults = self.faults.filter(self.faults["kind"] != str(FaultKind.GAP))
        faulty: Flags = np.isin(self.rows.lines, faults["line"].to_numpy())
        return faulty

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


def whole_log(terms: LogTerms, batches: Iterable[RowBatch]) -> Iterator[Piece]:
    """Yield the pieces of a whole log; of whole shoes, each piece has whole shoes."""
    parts: Iterable[Part] = (part for rows in batches for part in by_table(rows))
    if terms.whole_shoes:
        parts = in_whole_shoes(parts, terms.shoe.size)
    return pieces(terms, parts, {})


def pieces(terms: LogTerms, parts: Iterable[Part], tables: dict[str, LogTable]) -> Iterator[Piece]:
    """Yield the rows of tables, replayed. ``tables``: the tables so far, which are brought up to date."""
    for name, rows in parts:
        table = table_of(tables, name)
        if rows.frame.height:
            yield _replay_table(terms, name, table, rows)


def _replay_table(terms: LogTerms, name: str, table: LogTable, rows: RowBatch) -> Piece:
    """Return the rows of one table, replayed."""
    import polars

    values = {column: Amounts.of(rows.frame[str(column)], column.money) for column in terms.columns}
    if terms.chips is not None:
        check_unit(values, terms.chips[0])
    numbers = numbers_of(rows, table, terms.whole_shoes)
    hands = {hand: Hands.of(rows.frame[hand], terms.notation) for hand in HANDS}
    if terms.notation is not Notation.RANK:
        cards = {hand: of_hand.cards for hand, of_hand in hands.items()}
        rows = replace(rows, frame=rows.frame.with_columns(**cards))
    bad = hand_mistakes(of_hand.unreadable for of_hand in hands.values())
    for column in reversed(terms.columns):
        bad |= {row: f"{column}: {why}" for row, why in values[column].unreadable.items()}
    bad |= numbers.bad
    repeated = {row: why for row, why in numbers.repeated.items() if row not in bad}
    unfinished = hand_mistakes(of_hand.unfinished for of_hand in hands.values())
    unfinished = {row: why for row, why in unfinished.items() if row not in bad | repeated}
    known: Flags = np.ones(rows.frame.height, dtype=np.bool_)
    known[[*bad, *repeated, *unfinished]] = False
    dealt = Deals.of(*(of_hand.ranks for of_hand in hands.values()))
    row_cells = cells(dealt)
    over, left = _drawn_from(terms, table, dealt, numbers.shoes, known & numbers.first)
    against = known & cells_of(terms.game).impossible[row_cells]
    too_many = known & ~against & (over >= 0)
    possible = known & ~against & ~too_many
    kept = np.flatnonzero(possible)
    situations = Counter(cell_situations(terms.game, np.bincount(row_cells[known], minlength=CELLS)))
    contradicted, stated = _wrong_declared_results(terms, rows, kept, row_cells[kept])
    payments, wrong = list[Payment](), list[polars.DataFrame]()
    for payment, faults in compared_payments(terms, rows, kept, dealt, row_cells[kept], values):
        payments.append(payment)
        wrong.append(faults)
        situations.update(payment.situations)
    return Piece(
        name=name,
        table=table,
        rows=rows,
        possible=possible,
        first=numbers.first,
        shoes=numbers.shoes,
        left=left,
        dealt=dealt,
        cells=row_cells,
        values=values,
        payments=payments,
        faults=polars.concat(
            [
                row_faults(rows, FaultKind.GAP, numbers.gaps),
                row_faults(rows, FaultKind.UNREADABLE, bad),
                row_faults(rows, FaultKind.REPEATED, repeated),
                row_faults(
                    rows,
                    FaultKind.IMPOSSIBLE,
                    unfinished,
                    cause=[unfinished[row] for row in sorted(unfinished)],
                ),
                _against(terms.game, rows, np.flatnonzero(against), dealt, row_cells),
                _too_many(terms, rows, np.flatnonzero(too_many), over, numbers.shoes),
                *contradicted,
                *wrong,
            ]
        ),
        missing=numbers.missing,
        declared=stated.total(),
        situations=situations + stated,
    )


# ---------------------------------------------------------------- impossible deals


def _against(
    game: Game, rows: RowBatch, places: Indices, dealt: Deals, row_cells: Indices
) -> "polars.DataFrame":
    """Return the rows that the Table of Play cannot have dealt."""
    facts = CellFacts.of(row_cells[places])
    totals = np.stack([facts.player, facts.banker, facts.player_third, facts.banker_third], axis=1)
    causes = [cell_cause(game, *each) for each in totals.tolist()]
    return row_faults(
        rows,
        FaultKind.IMPOSSIBLE,
        {row: _refusal(game, dealt, row) for row in places.tolist()},
        cause=[cause.text for cause in causes],
        total=[cause.total for cause in causes],
        situation=[cause.situation for cause in causes],
        clause=[cause.clause for cause in causes],
    )


def _refusal(game: Game, dealt: Deals, row: int) -> str:
    """Return why the Table of Play could not have dealt this row."""
    try:
        game.finished_round(*hands_of(dealt, row))
    except InputError as error:
        return str(error)
    raise AssertionError(f"row {row} can be dealt")  # the cell of the row contradicts the rules


def _too_many(
    terms: LogTerms, rows: RowBatch, places: Indices, over: Tallies, shoes: Tallies
) -> "polars.DataFrame":
    """Return the rows that draw more of a rank than the shoe holds."""
    messages, causes = dict[int, str](), []
    for row in places.tolist():
        rank, most = RANKS[int(over[row])], f"than the {terms.fresh[over[row]]} that the shoe holds"
        place = f"shoe {shoes[row]}" if terms.whole_shoes else "the round"
        messages[row] = f"more of {rank} in {place} {most}"
        causes.append(f"more of {rank} in one shoe {most}")
    return row_faults(rows, FaultKind.IMPOSSIBLE, messages, cause=causes)


# ---------------------------------------------------------------- declared results


def _wrong_declared_results(
    terms: LogTerms, rows: RowBatch, kept: Indices, row_cells: Indices
) -> "tuple[list[polars.DataFrame], Counter[str]]":
    """Return the declared results that contradict the cards of their row, and how many are declared."""
    names = [name for name in DECLARED if name in rows.frame.columns]
    if not terms.tells_ranks:
        names = [name for name in names if not name.endswith("_pair")]
    truth = facts_of(row_cells) if names else {}
    faults: list[polars.DataFrame] = []
    situations = Counter[str]()
    for name in names if len(kept) else ():
        stated, situation = rows.frame[name].gather(kept), f"declared {name}"
        situations[situation] += stated.count()
        wrong = (stated != truth[name]).fill_null(False).arg_true().to_list()
        messages = {
            int(kept[row]): f"{name} {quoted(stated[row])}; the cards say {truth[name][row]}" for row in wrong
        }
        cause = [f"{name}: not what the cards say"] * len(wrong)
        faults.append(
            row_faults(rows, FaultKind.DECLARED, messages, cause=cause, situation=[situation] * len(wrong))
        )
    return faults, situations


# ---------------------------------------------------------------- cards drawn from shoes


def _drawn_from(
    terms: LogTerms, table: LogTable, dealt: Deals, shoes: Tallies, known: Flags
) -> tuple[Tallies, Tallies]:
    """Return, for each row, a rank drawn too often (or -1), and the cards left before it."""
    if not terms.whole_shoes:
        return drawn_from_fresh(terms.fresh, dealt, known)
    over, left, used = drawn_from_shoes(terms.fresh, dealt, known, shoes, np.array(table.used))
    table.used = used.tolist()
    return over, left


def drawn_from_fresh(held: Tallies, dealt: Deals, known: Flags) -> tuple[Tallies, Tallies]:
    """Return, for rows from fresh shuffles, a rank drawn too often (or -1), and the cards left before."""
    left = np.broadcast_to(held, (len(known), len(RANKS)))
    if held.min() >= MOST_CARDS:  # a round takes six cards at most
        return np.full(len(known), -1), left
    drawn = _drawn(dealt, known)
    return _drawn_too_often(drawn, drawn, held), left


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
    return _drawn_too_often(so_far, drawn, held), np.maximum(held - (so_far - drawn), 0), so_far[-1]


def _drawn(dealt: Deals, known: Flags) -> Tallies:
    """Return the cards that each row draws, by rank; 0 where its cards are unknown."""
    drawn = np.zeros((len(known), len(RANKS) + 1), dtype=np.int64)
    everyone = np.arange(len(known))
    for card in dealt.cards:
        drawn[everyone, card] += 1
    return drawn[:, :-1] * known[:, None]


def _drawn_too_often(so_far: Tallies, drawn: Tallies, held: Tallies) -> Tallies:
    too_many = (so_far > held) & (drawn > 0)
    return np.where(too_many.any(axis=1), too_many.argmax(axis=1), -1)
