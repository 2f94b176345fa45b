"""The payments of a log: the amounts of each column compared with the amounts due by the rules."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from combinat.audit.judging.cells import Flags, hands_of, insured, settled_line
from combinat.audit.judging.faults import due_in_words, no_faults, paid_in_words, row_faults
from combinat.audit.reading.log_map import Chips, LogColumn, Money
from combinat.audit.reading.rows import RowBatch
from combinat.audit.reading.values import UNIT, Amounts, Units, exact
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

MOST_KEYS = 2**20
"""The bound of keys that are counted; larger ones are sorted."""


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


def _distinct(keys: Indices, bound: int) -> tuple[Indices, Indices]:
    """Return the distinct keys, and the place of each key among them."""
    if bound > MOST_KEYS:
        return np.unique(keys, return_inverse=True)
    distinct = np.flatnonzero(np.bincount(keys, minlength=bound))
    places = np.zeros(bound, dtype=np.intp)
    places[distinct] = np.arange(len(distinct))
    return distinct, places[keys]


@dataclass(frozen=True, slots=True)
class Payment:
    """The amounts of a column in the possible rows of a piece, in units. Rows that are alike are one case.

    ``stakes``: of each case, 1 for a net result; ``back``: the amount returned, with the stake; ``labels``: the
    result; ``is_settled``: whether there is an amount; ``rows``: the case of each row. ``nets``: the net result
    of each label, None without an offer.
    """

    column: LogColumn
    stakes: Units
    back: Units
    labels: Indices
    is_settled: Flags
    is_whole: Flags
    rows: Indices
    nets: Sequence[Fraction | None]

    @classmethod
    def of(
        cls,
        column: LogColumn,
        values: Mapping[LogColumn, Amounts],
        kept: Indices,
        labels: Indices,
        nets: Sequence[Fraction | None],
    ) -> "Payment":
        """Return the amounts of the kept rows, which have these labels."""
        paid, number = values[column], len(nets)
        keys = paid.codes[kept] * np.int64(number) + labels
        bound = len(paid.of_text) * number
        stake = None if column.money is Money.NET else values[LogColumn(Money.STAKE, column.subject)]
        if stake is not None:
            keys += stake.codes[kept] * np.int64(bound)
            bound *= len(stake.of_text)
        cases, rows = _distinct(keys, bound)
        rest, of_case = np.divmod(cases, number)
        staked, amounts = np.divmod(rest, len(paid.of_text))
        is_paid = amounts < len(paid.of_text) - 1
        if stake is None:
            stakes, is_staked = is_paid * np.int64(UNIT), is_paid
            back = paid.of_text[amounts] + stakes
        else:
            stakes, is_staked = stake.of_text[staked], staked < len(stake.of_text) - 1
            back = paid.of_text[amounts]
        return cls(column, stakes, back, of_case, is_paid | is_staked, is_paid & is_staked, rows, nets)

    def of_rows(self, chosen: Flags) -> "Payment":
        """Return the amounts of some of the rows."""
        return replace(self, rows=self.rows[chosen])


class Payments:
    """The payments of the rows compared so far.

    ``situations``: counts how often each net result of a bet was due in a row with an amount.
    """

    def __init__(
        self,
        game: Game,
        columns: Sequence[LogColumn],
        chips: Chips | None,
        partitions: Sequence[Partition],
        situations: Counter[str],
    ) -> None:
        self.game, self.chips, self._situations = game, chips, situations
        self._partitions = {partition.subject: partition for partition in partitions}
        self._totals = {
            column: np.array([0, 0, Fraction(0), Fraction(0)], dtype=object)
            for column in columns
            if column.money is not Money.STAKE
        }
        self._due = lru_cache(MOST_DUE)(self._settled)

    def record(self) -> tuple[ColumnTotal, ...]:
        """Return the totals of every column."""
        return tuple(
            ColumnTotal(column=str(column), rows=rows, wrong=wrong, recorded=recorded, due=due)
            for column, (rows, wrong, recorded, due) in self._totals.items()
        )

    def add(
        self,
        rows: RowBatch,
        kept: Indices,
        dealt: Deals,
        row_cells: Indices,
        values: Mapping[LogColumn, Amounts],
    ) -> "Iterator[tuple[Payment, polars.DataFrame]]":
        """Yield the payments of each column in the kept rows, and their faults."""
        for column in self._totals:
            partition = self._partitions[column.subject]
            nets = [net_of(label) for label in partition.labels]
            labels = partition.labels_of(row_cells, dealt, kept).astype(np.intp)
            payment = Payment.of(column, values, kept, labels, nets)
            wrong = np.flatnonzero(self._wrong(payment)[payment.rows])
            due = [nets[label] for label in payment.labels[payment.rows[wrong]]]
            yield payment, self._faults(rows, dealt, kept[wrong], column, due)

    def _wrong(self, payment: Payment) -> Flags:
        """Return which cases are wrongly settled, and add all rows to the totals of the column."""
        column, totals = payment.column, self._totals[payment.column]
        is_net, wrong = column.money is Money.NET, np.zeros(len(payment.labels), dtype=np.bool_)
        times = np.bincount(payment.rows, minlength=len(wrong)) * payment.is_settled
        for case in np.flatnonzero(times).tolist():
            rows, net = int(times[case]), payment.nets[payment.labels[case]]
            stake, back = exact(payment.stakes[case]) / UNIT, exact(payment.back[case]) / UNIT
            due = stake * is_net if net is None else due_back(stake, net, None if is_net else self.chips)
            wrong[case] = net is None or back != due or not payment.is_whole[case]
            beside = stake if is_net else Fraction(0)
            totals += [rows, rows * bool(wrong[case]), rows * (back - beside), rows * (due - beside)]
            self._situations[_situation(column, net)] += rows
        return wrong

    def _faults(
        self, rows: RowBatch, dealt: Deals, places: Indices, column: LogColumn, due: Sequence[Fraction | None]
    ) -> "polars.DataFrame":
        """Return the faults of wrong settlements, with the settlement that is due."""
        if not len(places):
            return no_faults()
        paid = rows.frame[str(column)].gather(places).to_list()
        is_net, stakes = column.money is Money.NET, [None] * len(paid)
        if not is_net:
            stakes = rows.frame[f"{Money.STAKE}:{column.subject}"].gather(places).to_list()
        settled = [
            self._due(hands_of(dealt, row), column, stake)
            for row, stake in zip(places.tolist(), stakes, strict=True)
        ]
        return row_faults(
            rows,
            FaultKind.SETTLEMENT,
            dict.fromkeys(places.tolist(), str(column)),
            cause=[
                f"{column.subject}: {_as_paid(amount, stake, is_net)}, {due_in_words(net)}"
                for amount, stake, net in zip(paid, stakes, due, strict=True)
            ],
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
