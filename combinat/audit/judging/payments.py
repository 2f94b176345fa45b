"""The payments of a log: the amounts of each column compared with the amounts due by the rules."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from combinat.audit.judging.cells import Flags, hands_of, insured_hand_and_stage, settled_line
from combinat.audit.judging.faults import due_in_words, no_faults, paid_in_words, row_faults
from combinat.audit.judging.terms import LogTerms, due_back
from combinat.audit.reading.log_map import LogColumn, Money
from combinat.audit.reading.rows import RowBatch
from combinat.audit.reading.values import UNIT, Amounts, Units, exact
from combinat.audit.verdict import ColumnTotal, FaultKind
from combinat.base.errors import quoted
from combinat.base.money import format_money, parse_money, parse_net
from combinat.montecarlo.cell import Deals, Indices
from combinat.montecarlo.partition import net_of
from combinat.rules.cards import Rank

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
    result; ``is_wrong``: whether the rules give another amount; ``rows``: the case of each row. ``nets``: the net
    result of each label, None without an offer. ``situations``: how often each result was due.
    """

    column: LogColumn
    stakes: Units
    back: Units
    labels: Indices
    is_wrong: Flags
    rows: Indices
    nets: Sequence[Fraction | None]
    total: ColumnTotal
    situations: Counter[str]

    @classmethod
    def of(
        cls,
        terms: LogTerms,
        column: LogColumn,
        values: Mapping[LogColumn, Amounts],
        kept: Indices,
        labels: Indices,
        nets: Sequence[Fraction | None],
    ) -> "Payment":
        """Return the amounts of the kept rows, which have these labels, compared with the rules."""
        paid, number, is_net = values[column], len(nets), column.money is Money.NET
        keys = paid.codes[kept] * np.int64(number) + labels
        bound = len(paid.of_text) * number
        stake = None if is_net else values[LogColumn(Money.STAKE, column.subject)]
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
        total, situations = ColumnTotal(str(column)), Counter[str]()
        is_wrong = np.zeros(len(cases), dtype=np.bool_)
        times = np.bincount(rows, minlength=len(cases)) * (is_paid | is_staked)
        for case in np.flatnonzero(times).tolist():
            count, net = int(times[case]), nets[of_case[case]]
            beside, given = exact(stakes[case]) / UNIT, exact(back[case]) / UNIT
            due = beside * is_net if net is None else due_back(beside, net, None if is_net else terms.chips)
            is_wrong[case] = net is None or given != due or not (is_paid & is_staked)[case]
            total += ColumnTotal(
                str(column),
                count,
                count * bool(is_wrong[case]),
                count * (given - beside * is_net),
                count * (due - beside * is_net),
            )
            situations[_situation(column, net)] += count
        return cls(column, stakes, back, of_case, is_wrong, rows, nets, total, situations)

    def of_rows(self, chosen: Flags) -> "Payment":
        """Return the amounts of some of the rows."""
        return replace(self, rows=self.rows[chosen])


def compared_payments(
    terms: LogTerms,
    rows: RowBatch,
    kept: Indices,
    dealt: Deals,
    row_cells: Indices,
    values: Mapping[LogColumn, Amounts],
) -> "Iterator[tuple[Payment, polars.DataFrame]]":
    """Yield the payments of each column in the kept rows, and their faults."""
    for column in paid_columns(terms):
        partition = terms.partitions[column.subject]
        nets = [net_of(label) for label in partition.labels]
        labels = partition.labels_of(row_cells, dealt, kept).astype(np.intp)
        payment = Payment.of(terms, column, values, kept, labels, nets)
        wrong = np.flatnonzero(payment.is_wrong[payment.rows])
        due = [nets[label] for label in payment.labels[payment.rows[wrong]]]
        yield payment, _faults(terms, rows, dealt, kept[wrong], column, due)


def paid_columns(terms: LogTerms) -> list[LogColumn]:
    """Return the columns of results: nets and payouts."""
    return [column for column in terms.columns if column.money is not Money.STAKE]


def _faults(
    terms: LogTerms,
    rows: RowBatch,
    dealt: Deals,
    places: Indices,
    column: LogColumn,
    due: Sequence[Fraction | None],
) -> "polars.DataFrame":
    """Return the faults of wrong settlements, with the settlement that is due."""
    if not len(places):
        return no_faults()
    paid = rows.frame[str(column)].gather(places).to_list()
    is_net, stakes = column.money is Money.NET, [None] * len(paid)
    if not is_net:
        stakes = rows.frame[f"{Money.STAKE}:{column.subject}"].gather(places).to_list()
    settled = [
        _due(terms, hands_of(dealt, row), column, stake)
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


@lru_cache(MOST_DUE)
def _due(
    terms: LogTerms, hands: Sequence[tuple[Rank, ...]], column: LogColumn, stake: str | None
) -> tuple[str, str]:
    """Return the amount due to a row by the rules, and the clause."""
    line = settled_line(terms.game, terms.game.finished_round(*hands), column.subject)
    if line is None:
        table = terms.game.insurance_table(*insured_hand_and_stage(column.subject))
        return "not on offer", table.settled if table else ""
    if column.money is Money.NET:
        return format_money(line.net), line.clause
    if stake is None:
        return "no stake", line.clause
    return format_money(due_back(parse_money(stake.strip()), line.net, terms.chips)), line.clause


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
