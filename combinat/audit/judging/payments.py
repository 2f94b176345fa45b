"""The payments of a log: the amounts of each column compared with the amounts due by the rules."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from combinat.audit.judging.cells import Flags, hands_of, insured, settled_line
from combinat.audit.judging.faults import due_in_words, paid_in_words, row_faults
from combinat.audit.reading.log_map import Chips, LogColumn, Money
from combinat.audit.reading.rows import RowBatch
from combinat.audit.reading.values import UNIT, Amounts, Units, exact, in_units
from combinat.audit.verdict import ColumnTotal, FaultKind
from combinat.base.errors import quoted
from combinat.base.money import format_money, parse_money, parse_net
from combinat.montecarlo.cell import Deals, Indices
from combinat.montecarlo.partition import Partition, net_of
from combinat.rules.cards import Rank
from combinat.rules.game import Game

if TYPE_CHECKING:
    import polars

MOST_DUE = 100_000
"""Settlements that are remembered while wrong ones are listed."""

MOST_PLAIN = 2**18
"""The bound of numerators and denominators by which amounts are multiplied as integers of 64 bits."""


def sums_by(keys: Indices, amounts: Units) -> Iterator[tuple[int, Fraction]]:
    """Yield the exact sum of the amounts of each key."""
    counts = np.bincount(keys)
    sums = np.zeros(len(counts), dtype=amounts.dtype)
    np.add.at(sums, keys, amounts)
    yield from ((int(key), exact(sums[key])) for key in np.flatnonzero(counts))


def due_back(stake: Fraction, net: Fraction, chips: Chips | None) -> Fraction:
    """Return the amount due to a stake; winnings are rounded to the smallest chip if ``chips`` is given.

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
    """The totals of the columns of net results and payouts over the rows compared so far.

    ``situations``: how often each net result of a bet was due in a row with an amount.
    """

    def __init__(self, game: Game, columns: Sequence[LogColumn], chips: Chips | None) -> None:
        self.game, self.chips = game, chips
        self.totals = {column: _Total() for column in columns if column.money is not Money.STAKE}
        self.situations: Counter[str] = Counter()
        self._due = lru_cache(MOST_DUE)(self._settled)

    def record(self) -> tuple[ColumnTotal, ...]:
        """Return the totals of every column."""
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
        """Return the faults of the settlements of the kept rows that differ from the rules."""
        asked = {partition.subject: partition for partition in partitions}
        parts = []
        for column in self.totals:
            partition = asked[column.subject]
            labels = partition.labels_of(row_cells, dealt, kept).astype(np.intp)
            nets = [net_of(label) for label in partition.labels]
            wrong = np.flatnonzero(self._compared(column, values, kept, labels, nets))
            if len(wrong):
                due = [nets[label] for label in labels[wrong].tolist()]
                parts.append(self._wrong(rows, dealt, kept[wrong], column, due))
        return parts

    def _compared(
        self,
        column: LogColumn,
        values: Mapping[LogColumn, Amounts],
        kept: Indices,
        labels: Indices,
        nets: Sequence[Fraction | None],
    ) -> Flags:
        """Return which of the kept rows are wrongly settled, and add all rows to the totals of the column."""
        total, units, is_paid = self.totals[column], values[column].units[kept], values[column].is_given[kept]
        if column.money is Money.NET:
            is_staked, due = is_paid, in_units(net or Fraction(0) for net in nets)
            is_due = units == due[labels]
            total.due += sum(exact(due[label]) * rows for label, rows in _rows_by(labels[is_paid]))
        else:
            stakes = values[LogColumn(Money.STAKE, column.subject)]
            is_staked = stakes.is_given[kept]
            back = [Fraction(0) if net is None else 1 + net for net in nets]
            is_due = self._paid_as_due(total, units, stakes.units[kept], labels, back)
        is_settled = is_staked | is_paid
        is_offered = np.array([net is not None for net in nets])[labels]
        wrong: Flags = is_settled & ~(is_due & is_paid & is_staked & is_offered)
        total.rows += int(is_settled.sum())
        total.wrong += int(wrong.sum())
        total.recorded += exact(units.sum())
        for label, rows in _rows_by(labels[is_settled]):
            self.situations[_situation(column, nets[label])] += rows
        return wrong

    def _paid_as_due(
        self, total: _Total, paid: Units, stakes: Units, labels: Indices, back: Sequence[Fraction]
    ) -> Flags:
        """Return which payouts equal the amounts due, and add the amounts due to the total.

        ``back``: the amount due to a stake of 1, by label.
        """
        if self.chips is not None:
            rounded = [
                due_back(exact(stake) / UNIT, back[label] - 1, self.chips)
                for stake, label in zip(stakes, labels, strict=True)
            ]
            total.due += sum(rounded) * UNIT
            return np.array(
                [exact(one) == due * UNIT for one, due in zip(paid, rounded, strict=True)], dtype=np.bool_
            )
        for label, staked in sums_by(labels, stakes):
            total.due += staked * back[label]
        is_plain = max(max(share.numerator, share.denominator) for share in back) < MOST_PLAIN
        kind = np.int64 if is_plain else object
        tops = np.array([share.numerator for share in back], dtype=kind)
        bottoms = np.array([share.denominator for share in back], dtype=kind)
        is_due: Flags = (paid * bottoms[labels] == stakes * tops[labels]).astype(np.bool_)
        return is_due

    def _wrong(
        self, rows: RowBatch, dealt: Deals, places: Indices, column: LogColumn, due: Sequence[Fraction | None]
    ) -> "polars.DataFrame":
        """Return the faults of wrong settlements, with the settlement that is due."""
        paid = rows.frame[str(column)].gather(places).to_list()
        is_net, stakes = column.money is Money.NET, [None] * len(paid)
        if not is_net:
            stakes = rows.frame[f"{Money.STAKE}:{column.subject}"].gather(places).to_list()
        settled = [
            self._due(hands_of(dealt, row), column, stake)
            for row, stake in zip(places.tolist(), stakes, strict=True)
        ]
        causes = [
            f"{column.subject}: {_as_paid(amount, stake, is_net)}, {due_in_words(net)}"
            for amount, stake, net in zip(paid, stakes, due, strict=True)
        ]
        return row_faults(
            rows,
            FaultKind.SETTLEMENT,
            dict.fromkeys(places.tolist(), str(column)),
            cause=causes,
            situation=[_situation(column, net) for net in due],
            paid=[quoted(text or "nothing") for text in paid],
            due=[amount for amount, _ in settled],
            clause=[clause for _, clause in settled],
        )

    def _settled(
        self, hands: Sequence[tuple[Rank, ...]], column: LogColumn, stake: str | None
    ) -> tuple[str, str]:
        """Return the amount due to a row by the rules, and the clause."""
        line = settled_line(self.game, self.game.finished_round(*hands), column.subject)
        if line is None:
            table = self.game.insurance_table(*insured(column.subject))
            return "not on offer", table.settled if table else ""
        if column.money is Money.NET:
            return format_money(line.net), line.clause
        if stake is None:
            return "no stake", line.clause
        return format_money(due_back(parse_money(stake.strip()), line.net, self.chips)), line.clause


def _rows_by(labels: Indices) -> Iterator[tuple[int, int]]:
    """Yield each label with its number of rows."""
    counts = np.bincount(labels)
    yield from ((int(label), int(counts[label])) for label in np.flatnonzero(counts))


def _situation(column: LogColumn, due: Fraction | None) -> str:
    return f"{column}: {due_in_words(due)}"


def _as_paid(paid: str | None, staked: str | None, is_net: bool) -> str:
    """Return the recorded net result per unit, in words."""
    if is_net:
        return paid_in_words(parse_net(paid or ""))
    if staked is None:
        return "paid without a stake"
    if paid is None:
        return "not settled"
    stake = parse_money(staked.strip())
    return paid_in_words(parse_money(paid.strip()) / stake - 1) if stake else "paid on a stake of nothing"
