"""The payments of a log: the amounts of each column compared with the amounts due by the rules.

A net result is compared as the payout of a stake of 1.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from combinat.audit.judging.cells import Flags, insured, played, settled_line
from combinat.audit.judging.faults import due_in_words, hands_of, paid_in_words, row_faults
from combinat.audit.reading.amounts import UNIT, Amounts, Units, exact
from combinat.audit.reading.hand_log import LogColumn, Money
from combinat.audit.reading.log_map import Chips
from combinat.audit.reading.rows import RowBatch
from combinat.audit.verdict import ColumnTotal, FaultKind
from combinat.base.errors import quoted
from combinat.montecarlo.cell import Deals, Indices
from combinat.montecarlo.partition import Label, Partition
from combinat.rules.cards import Rank
from combinat.rules.game import Game
from combinat.rules.money import format_money

if TYPE_CHECKING:
    import polars

MOST_DUE = 100_000
"""Settlements that are remembered while wrong ones are listed."""

MOST_PLAIN = 2**18
"""The bound of numerators and denominators by which amounts are multiplied as integers of 64 bits."""


def net_of(label: Label) -> Fraction | None:
    """The net result of a label; None if no bet was offered."""
    if isinstance(label, str):
        return None
    return label[1] if isinstance(label, tuple) else label


@dataclass(frozen=True, slots=True)
class Wagers:
    """The wagers of some rows on one bet: stakes and amounts paid back, in units, each with whether it is recorded."""

    stakes: Units
    paid: Units
    is_staked: Flags
    is_paid: Flags

    @classmethod
    def of(cls, values: Mapping[LogColumn, Amounts], column: LogColumn, rows: Indices) -> "Wagers":
        """The wagers that a column of payouts or net results settles, in these rows."""
        paid = values[column]
        amounts, is_paid = paid.units[rows], paid.is_given[rows]
        if column.money is Money.NET:
            return cls(is_paid * UNIT, amounts + is_paid * UNIT, is_paid, is_paid)
        stakes = values[LogColumn(Money.STAKE, column.subject)]
        return cls(stakes.units[rows], amounts, stakes.is_given[rows], is_paid)


def sums_by(keys: Indices, amounts: Units) -> Iterator[tuple[int, Fraction]]:
    """The exact sum of the amounts of each key."""
    numbers, which = np.unique(keys, return_inverse=True)
    sums = np.zeros(len(numbers), dtype=amounts.dtype)
    np.add.at(sums, which, amounts)
    yield from ((int(key), Fraction(total)) for key, total in zip(numbers, sums.tolist(), strict=True))


def due_back(stake: Fraction, net: Fraction, chips: Chips | None) -> Fraction:
    """The amount due back of a stake; winnings are rounded to whole units if there are chips.

    >>> from combinat.audit.reading.log_map import Rounding
    >>> str(due_back(Fraction("0.39"), Fraction(1, 2), (Fraction("0.01"), Rounding.DOWN)))
    '29/50'
    """
    if chips is None or net <= 0:
        return stake * (1 + net)
    unit, rounding = chips
    return stake + rounding.rounded(stake * net, unit)


@dataclass(slots=True)
class _Total:
    """The totals of a column, in units."""

    rows: int = 0
    wrong: int = 0
    recorded: Fraction = Fraction(0)
    due: Fraction = Fraction(0)


class Payments:
    """The columns of net results and payouts, added up as far as rows were compared.

    ``situations``: how often each net result of a bet was due where a column has an amount.
    """

    def __init__(self, game: Game, columns: Sequence[LogColumn], chips: Chips | None) -> None:
        self.game, self.chips = game, chips
        self.totals = {column: _Total() for column in columns if column.money is not Money.STAKE}
        self.situations: Counter[str] = Counter()
        self._due = lru_cache(MOST_DUE)(self._settled)

    @property
    def wrong_subjects(self) -> list[str]:
        """The bets and insurance of which some settlement is wrong."""
        return sorted({column.subject for column, total in self.totals.items() if total.wrong})

    def record(self) -> tuple[ColumnTotal, ...]:
        """The totals of every column."""
        return tuple(
            ColumnTotal(
                column=str(column),
                rows=total.rows,
                wrong=total.wrong,
                recorded=total.recorded / UNIT,
                due=total.due / UNIT,
            )
            for column, total in self.totals.items()
        )

    def faults(
        self,
        rows: RowBatch,
        kept: Indices,
        dealt: Deals,
        row_cells: Indices,
        values: Mapping[LogColumn, Amounts],
        partitions: Sequence[Partition],
    ) -> "list[polars.DataFrame]":
        """The settlements of the kept rows, with these cells, that differ from the rules."""
        asked = {partition.subject: partition for partition in partitions}
        parts = []
        for column in self.totals:
            partition = asked[column.subject]
            labels = partition.labels_of(row_cells, dealt, kept).astype(np.intp)
            nets = [net_of(label) for label in partition.labels]
            wagers = Wagers.of(values, column, kept)
            wrong = np.flatnonzero(self._compared(column, wagers, labels, nets))
            if len(wrong):
                parts.append(self._wrong(rows, kept, column, wagers, labels, nets, wrong))
        return parts

    def _compared(
        self, column: LogColumn, wagers: Wagers, labels: Indices, nets: Sequence[Fraction | None]
    ) -> Flags:
        """Which wagers are settled otherwise than by the rules; all are added to the totals of the column."""
        back = [1 + net if net is not None else Fraction(0) for net in nets]
        is_plain = max(max(share.numerator, share.denominator) for share in back) < MOST_PLAIN
        kind = np.int64 if is_plain else object
        tops = np.array([share.numerator for share in back], dtype=kind)[labels]
        bottoms = np.array([share.denominator for share in back], dtype=kind)[labels]
        is_known = wagers.is_staked & np.array([net is not None for net in nets])[labels]
        is_net, total = column.money is Money.NET, self.totals[column]
        if self.chips is None or is_net:
            is_due = wagers.paid * bottoms == wagers.stakes * tops
            for label, staked in sums_by(labels[is_known], wagers.stakes[is_known]):
                total.due += staked * (back[label] - is_net)
        else:
            due = np.array(
                [
                    due_back(exact(stake) / UNIT, back[label] - 1, self.chips) * UNIT if known else 0
                    for stake, label, known in zip(wagers.stakes, labels, is_known, strict=True)
                ],
                dtype=object,
            )
            is_due = wagers.paid == due
            total.due += exact(due.sum())
        is_settled = wagers.is_staked | wagers.is_paid
        wrong: Flags = np.where(is_known, ~(is_due.astype(np.bool_) & wagers.is_paid), is_settled)
        total.rows += int(is_settled.sum())
        total.wrong += int(wrong.sum())
        total.recorded += exact(wagers.paid.sum() - is_net * wagers.stakes.sum())
        for net, count in zip(nets, np.bincount(labels[is_settled], minlength=len(nets)), strict=True):
            self.situations[_situation(column, net)] += int(count)
        return wrong

    def _wrong(
        self,
        rows: RowBatch,
        kept: Indices,
        column: LogColumn,
        wagers: Wagers,
        labels: Indices,
        nets: Sequence[Fraction | None],
        wrong: Indices,
    ) -> "polars.DataFrame":
        """The faults of wrong settlements, each settled once more by the rules."""
        due = [nets[labels[row]] for row in wrong]
        settlements = [
            self._due(
                tuple(hands_of(rows, int(kept[row]))),
                column,
                exact(wagers.stakes[row]) / UNIT if wagers.is_staked[row] else None,
            )
            for row in wrong
        ]
        causes = [
            f"{column.subject}: {_as_paid(wagers, row)}, {due_in_words(net)}"
            for row, net in zip(wrong, due, strict=True)
        ]
        return row_faults(
            rows,
            kept[wrong],
            FaultKind.SETTLEMENT,
            [str(column)] * len(wrong),
            causes,
            situations=[_situation(column, net) for net in due],
            paid=[quoted(text or "nothing") for text in rows.frame[str(column)].gather(kept[wrong])],
            due=[amount for amount, _ in settlements],
            clauses=[clause for _, clause in settlements],
        )

    def _settled(
        self, hands: Sequence[tuple[Rank, ...]], column: LogColumn, stake: Fraction | None
    ) -> tuple[str, str]:
        """The amount that is due to a row by the rules, and the clause."""
        line = settled_line(self.game, played(self.game, *hands), column.subject)
        if line is None:
            table = self.game.insurance_table(*insured(column.subject))
            return "not on offer", table.settled if table else ""
        if column.money is Money.NET:
            return format_money(line.net), line.clause
        if stake is None:
            return "no stake", line.clause
        return format_money(due_back(stake, line.net, self.chips)), line.clause


def _situation(column: LogColumn, due: Fraction | None) -> str:
    return f"{column}: {due_in_words(due)}"


def _as_paid(wagers: Wagers, row: int) -> str:
    """The net result of a unit as it was paid, in words."""
    if not wagers.is_staked[row]:
        return "paid without a stake"
    if not wagers.is_paid[row]:
        return "not settled"
    stake = exact(wagers.stakes[row])
    return paid_in_words(exact(wagers.paid[row]) / stake - 1) if stake else "paid on a stake of nothing"
