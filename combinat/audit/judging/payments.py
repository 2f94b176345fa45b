"""The payments of a log: the amounts of each column compared with the amounts due by the rules."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from combinat.audit.judging.cells import insured, played, settled_line
from combinat.audit.judging.faults import HANDS, due_in_words, hands_of, paid_in_words, row_faults
from combinat.audit.reading.amounts import (
    Chips,
    Read,
    Total,
    due_back,
    net_of,
    wrong_nets,
    wrong_payouts,
)
from combinat.audit.reading.hand_log import LogColumn, Money
from combinat.audit.reading.rows import RowBatch
from combinat.audit.verdict import ColumnTotal, FaultKind
from combinat.base.errors import quoted
from combinat.montecarlo.cell import Deals, Indices
from combinat.montecarlo.partition import Partition
from combinat.rules.cards import Rank
from combinat.rules.game import Game
from combinat.rules.money import format_money, parse_money, parse_net

if TYPE_CHECKING:
    import polars

MOST_DUE = 100_000
"""Payments that are kept while wrong ones are listed."""


class Payments:
    """The columns of net results and payouts, added up as far as rows were compared.

    ``situations``: how often each net result of a bet was due where a column says something.
    """

    def __init__(self, game: Game, columns: Sequence[LogColumn], chips: Chips | None) -> None:
        self.game, self.chips = game, chips
        self.totals = {column: Total() for column in columns if column.money is not Money.STAKE}
        self.situations: Counter[str] = Counter()
        self._due: dict[tuple[LogColumn, str, str, str | None], tuple[str, str]] = {}

    @property
    def wrong_subjects(self) -> list[str]:
        """The bets and insurance of which some settlement is wrong."""
        return sorted({column.subject for column, total in self.totals.items() if total.wrong})

    def record(self) -> tuple[ColumnTotal, ...]:
        """Every column added up."""
        return tuple(
            ColumnTotal(
                column=str(column), rows=total.rows, wrong=total.wrong, recorded=total.recorded, due=total.due
            )
            for column, total in self.totals.items()
        )

    def faults(
        self,
        rows: RowBatch,
        kept: Indices,
        dealt: Deals,
        row_cells: Indices,
        values: Mapping[LogColumn, Read],
        partitions: Sequence[Partition],
    ) -> "list[polars.DataFrame]":
        """The settlements of the kept rows, with these cells, that differ from the rules."""
        asked = {partition.subject: partition for partition in partitions}
        parts = []
        for column, total in self.totals.items():
            partition = asked[column.subject]
            labels = partition.labels_of(row_cells, dealt, kept)
            nets = [net_of(label) for label in partition.labels]
            said, stakes = values[column], values.get(LogColumn(Money.STAKE, column.subject))
            if isinstance(said, tuple) and column.money is Money.NET:
                is_wrong, by_label = wrong_nets(total, said[0][kept], said[1], labels, nets)
            else:
                assert stakes is not None
                is_wrong, by_label = wrong_payouts(total, said, stakes, kept, labels, nets, self.chips)
            for net, count in zip(nets, by_label.tolist(), strict=True):
                self.situations[_situation(column, net)] += count
            places = np.flatnonzero(is_wrong)
            if len(places):
                due = [nets[label] for label in labels[places].tolist()]
                parts.append(self._wrong(rows, kept[places], column, due))
        return parts

    def _wrong(
        self, rows: RowBatch, places: Indices, column: LogColumn, due: Sequence[Fraction | None]
    ) -> "polars.DataFrame":
        """Wrong settlements of a column, each settled once more by the rules."""
        frame = rows.frame
        said = frame[str(column)].gather(places).to_list()
        is_net = column.money is Money.NET
        stakes = (
            [None] * len(places)
            if is_net
            else frame[f"{Money.STAKE}:{column.subject}"].gather(places).to_list()
        )
        causes = [
            f"{column.subject}: {_as_paid(paid, stake, is_net)}, {due_in_words(net)}"
            for paid, stake, net in zip(said, stakes, due, strict=True)
        ]
        exact = [
            self._due_of(rows, row, column, stake) for row, stake in zip(places.tolist(), stakes, strict=True)
        ]
        return row_faults(
            rows,
            places,
            FaultKind.SETTLEMENT,
            [str(column)] * len(places),
            causes,
            situations=[_situation(column, net) for net in due],
            paid=[quoted(text or "nothing") for text in said],
            due=[due for due, _ in exact],
            clauses=[clause for _, clause in exact],
        )

    def _due_of(self, rows: RowBatch, row: int, column: LogColumn, stake: str | None) -> tuple[str, str]:
        """What is due to a row by the rules, and by which clause."""
        key = (column, rows.frame[HANDS[0]][row], rows.frame[HANDS[1]][row], stake)
        if key not in self._due:
            if len(self._due) >= MOST_DUE:
                self._due.clear()
            self._due[key] = self._settled(hands_of(rows, row), column, stake)
        return self._due[key]

    def _settled(
        self, hands: Sequence[tuple[Rank, ...]], column: LogColumn, stake: str | None
    ) -> tuple[str, str]:
        line = settled_line(self.game, played(self.game, *hands), column.subject)
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


def _as_paid(said: str | None, staked: str | None, is_net: bool) -> str:
    """The net result of a unit by a column, in words."""
    if is_net:
        return paid_in_words(parse_net(said or ""))
    if staked is None:
        return "paid without a stake"
    if said is None:
        return "not settled"
    stake = parse_money(staked.strip())
    return paid_in_words(parse_money(said.strip()) / stake - 1) if stake else "paid on a stake of nothing"
