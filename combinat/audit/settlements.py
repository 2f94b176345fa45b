"""The settlements of a log: what each column says of a bet, held against what is due by the rules."""

from collections.abc import Mapping, Sequence

import numpy as np

from combinat.analysis.verdict import ColumnTotal, WrongSettlement
from combinat.audit.amounts import Chips, Read, Total, due_back, net_of, wrong_nets, wrong_payouts
from combinat.audit.faults import Faults
from combinat.audit.hand_log import LogColumn, Money
from combinat.audit.noted import HANDS, SHOWN, Noted, cards_shown, hands_of, round_name
from combinat.audit.rows import Rows
from combinat.audit.settled import insured, played, settled_line
from combinat.base.errors import quoted
from combinat.montecarlo.cell import Indices, Six
from combinat.montecarlo.question import Question
from combinat.rules.game import Game
from combinat.rules.money import format_money, parse_money

MOST_DUE = 100_000
"""Settlements that are kept in mind while wrong ones are listed."""


class Settlements:
    """The columns of net results and payouts, added up as far as rows were compared."""

    def __init__(
        self, game: Game, columns: Sequence[LogColumn], chips: Chips | None, noted: Noted, faults: Faults
    ) -> None:
        self.game, self.chips, self.noted, self.faults = game, chips, noted, faults
        self.totals = {column: Total() for column in columns if column.money is not Money.STAKE}
        self._due: dict[tuple[LogColumn, str, str, str | None], tuple[str, str]] = {}

    @property
    def wrong_subjects(self) -> list[str]:
        """The bets and insurance of which some settlement is wrong."""
        return sorted({column.subject for column, total in self.totals.items() if total.wrong})

    def record(self) -> tuple[ColumnTotal, ...]:
        """Every column added up."""
        return tuple(
            ColumnTotal(
                column=str(column),
                rows=total.rows,
                wrong=total.wrong,
                recorded=total.recorded,
                due=total.due,
            )
            for column, total in self.totals.items()
        )

    def compare(
        self,
        rows: Rows,
        kept: Indices,
        dealt: Six,
        round_cells: Indices,
        values: Mapping[LogColumn, Read],
        questions: Sequence[Question],
    ) -> Indices:
        """Hold what each column says against what is due; the rows that are settled otherwise."""
        asked = {question.subject: question for question in questions}
        wrong: list[tuple[int, LogColumn]] = []
        every: list[Indices] = [kept[:0]]
        for column, total in self.totals.items():
            question = asked[column.subject]
            labels = question.labels_of(round_cells, dealt, kept)
            nets = [net_of(label) for label in question.labels]
            said = values[column]
            if isinstance(said, tuple) and column.money is Money.NET:
                is_wrong = wrong_nets(total, said[0][kept], said[1], labels, nets)
            else:
                stakes = values[LogColumn(Money.STAKE, column.subject)]
                is_wrong = wrong_payouts(total, said, stakes, kept, labels, nets, self.chips)
            places = np.flatnonzero(is_wrong)
            self.noted.wrong += len(places)
            self.faults.add_settlements(rows, kept[places], column, question, labels[places])
            every.append(kept[places])
            told = places if self.faults.are_listed else places[:SHOWN]
            wrong += [(int(kept[row]), column) for row in told.tolist()]
        self._note(rows, wrong)
        return np.concatenate(every)

    def _note(self, rows: Rows, wrong: list[tuple[int, LogColumn]]) -> None:
        """Note wrong settlements, the first of them to be shown and all of them where they are listed."""
        first = self.noted.first_wrong
        room = SHOWN - len(first)
        for number, (row, column) in enumerate(sorted(wrong, key=lambda row_and_column: row_and_column[0])):
            if number >= room and not self.faults.are_listed:
                break
            settlement = self._wrong(rows, row, column)
            if number < room:
                first.append(settlement)
            if self.faults.are_listed:
                self.faults.add_settlement(rows, row, settlement)

    def _wrong(self, rows: Rows, row: int, column: LogColumn) -> WrongSettlement:
        """A wrong settlement as it is shown, settled once more by the rules."""
        frame = rows.frame
        stake = None if column.money is Money.NET else frame[f"{Money.STAKE}:{column.subject}"][row]
        key = (column, frame[HANDS[0]][row], frame[HANDS[1]][row], stake)
        if key not in self._due:
            if len(self._due) >= MOST_DUE:
                self._due.clear()
            self._due[key] = self._due_of(rows, row, column, stake)
        due, clause = self._due[key]
        return WrongSettlement(
            line=int(rows.lines[row]),
            round=round_name(rows, row),
            cards=cards_shown(rows, row),
            bet=column.subject,
            column=column.money,
            paid=quoted(frame[str(column)][row] or "nothing"),
            due=due,
            clause=clause,
        )

    def _due_of(self, rows: Rows, row: int, column: LogColumn, stake: str | None) -> tuple[str, str]:
        """What is due to a row by the rules, and by which clause."""
        line = settled_line(self.game, played(self.game, *hands_of(rows, row)), column.subject)
        if line is None:
            table = self.game.insurance_table(*insured(column.subject))
            return "not on offer", table.settled if table else ""
        if column.money is Money.NET:
            return format_money(line.net), line.clause
        if stake is None:
            return "no stake", line.clause
        return format_money(due_back(parse_money(stake.strip()), line.net, self.chips)), line.clause
