"""The faults of a log: every one handed on as it is met, and all of them counted by cause, in bounded memory."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from combinat.analysis.verdict import FaultKind, FaultRow, WrongSettlement
from combinat.audit.amounts import net_of
from combinat.audit.causes import Causes, CellCause, cell_cause, due, paid, shape
from combinat.audit.hand_log import LogColumn, Money
from combinat.audit.rows import Rows
from combinat.base.errors import quoted
from combinat.montecarlo.cell import CellFacts, Indices
from combinat.montecarlo.question import Question
from combinat.rules.game import Game
from combinat.rules.money import parse_money, parse_net

Sink = Callable[[Sequence[FaultRow]], None]
"""What takes faults as they are met."""

Labels = npt.NDArray[np.int16]


class Faults:
    """The faults met so far. ``sink``: where each goes; None: they are only counted."""

    def __init__(self, game: Game, sink: Sink | None = None) -> None:
        self.game, self.sink = game, sink
        self.causes = Causes()
        self._waiting: list[FaultRow] = []

    @property
    def are_listed(self) -> bool:
        """Whether every fault is handed on, and so has to be told in full."""
        return self.sink is not None

    def hand_on(self) -> None:
        """Hand on what has been met since, by line."""
        if self.sink is not None and self._waiting:
            self.sink(sorted(self._waiting, key=lambda fault: fault.line))
        self._waiting.clear()

    def add_lines(self, lines: Sequence[tuple[int, str]]) -> None:
        """Lines that are no rows."""
        for line, why in lines:
            self.causes.add(FaultKind.UNREADABLE, shape(quoted(why)), 1, line)
            if self.are_listed:
                self._waiting.append(FaultRow(line=line, kind=FaultKind.UNREADABLE, message=quoted(why)))

    def add_rows(self, rows: Rows, bad: Mapping[int, str], kind: FaultKind = FaultKind.UNREADABLE) -> None:
        """Rows with what is wrong with each as a whole."""
        for row, why in bad.items():
            self.causes.add(kind, shape(quoted(why)), 1, int(rows.lines[row]))
            self.add_row(rows, row, kind, quoted(why))

    def add_row(self, rows: Rows, row: int, kind: FaultKind, message: str, clause: str = "") -> None:
        """A fault of a row, where every one is handed on; it is not counted here."""
        if self.are_listed:
            self._waiting.append(
                FaultRow(**_place(rows, row), kind=kind, message=quoted(message), clause=clause)
            )

    def add_cells(self, rows: Rows, against: Indices, cells: Indices) -> None:
        """Count rows whose cells the Table of Play cannot have dealt."""
        met, first, counts = np.unique(cells, return_index=True, return_counts=True)
        for cell, place, count in zip(met, first.tolist(), counts.tolist(), strict=True):
            self.causes.add_cell(self.cell_cause(cell), count, int(rows.lines[against[place]]))

    def cell_cause(self, cell: np.intp) -> CellCause:
        """Why the Table of Play cannot have dealt a cell."""
        facts = CellFacts.of(np.array([cell]))
        each = (facts.player, facts.banker, facts.player_third, facts.banker_third)
        return cell_cause(self.game, *(int(fact[0]) for fact in each))

    def add_declared(self, name: str, rows: Rows, places: Sequence[int]) -> None:
        """Count rows of which a column declares otherwise than the cards."""
        if places:
            line = min(int(rows.lines[place]) for place in places)
            self.causes.add(FaultKind.DECLARED, f"{name}: not what the cards say", len(places), line)

    def add_settlements(
        self, rows: Rows, wrong: Indices, column: LogColumn, question: Question, labels: Labels
    ) -> None:
        """Count rows that a column settles otherwise, by what was paid and due a unit."""
        import polars

        if not len(wrong):
            return
        frame, stake = rows.frame, f"{Money.STAKE}:{column.subject}"
        is_net = column.money is Money.NET
        table = polars.DataFrame(
            {
                "paid": frame[str(column)].gather(wrong),
                "stake": polars.Series([""], dtype=polars.String).new_from_index(0, len(wrong))
                if is_net
                else frame[stake].gather(wrong),
                "label": labels,
                "line": rows.lines[wrong],
            }
        )
        grouped = table.group_by("paid", "stake", "label").agg(
            polars.len().alias("rows"), polars.col("line").min()
        )
        for said, staked, label, count, line in grouped.sort("line").iter_rows():
            was_paid = _as_paid(said, staked, is_net)
            message = f"{column.subject}: {was_paid}, {due(net_of(question.labels[label]))}"
            self.causes.add(FaultKind.SETTLEMENT, message, count, line, self._clause(column.subject))

    def _clause(self, subject: str) -> str:
        """Where the document says how a bet or insurance is settled."""
        if "@" not in subject:
            return self.game.bet(subject).settled
        return next(table.settled for table in self.game.insurance if str(table.insured) == subject)

    def add_settlement(self, rows: Rows, row: int, wrong: WrongSettlement) -> None:
        """A wrong settlement, where every fault is handed on; it is not counted here."""
        self._waiting.append(
            FaultRow(
                **_place(rows, row),
                kind=FaultKind.SETTLEMENT,
                message=f"{wrong.column}:{wrong.bet}: {wrong.cards}",
                paid=wrong.paid,
                due=wrong.due,
                clause=wrong.clause,
            )
        )


def _as_paid(said: str | None, staked: str | None, is_net: bool) -> str:
    """What a column says that a unit came to; only what could be read is settled."""
    if is_net:
        return paid(parse_net(said or ""))
    if staked is None:
        return "paid without a stake"
    if said is None:
        return "not settled"
    stake = parse_money(staked.strip())
    return paid(parse_money(said.strip()) / stake - 1) if stake else "paid on a stake of nothing"


def _place(rows: Rows, row: int) -> dict[str, Any]:
    """Where a row stands: its line, table, shoe and round, as the log calls them."""
    frame = rows.frame

    def said(name: str) -> str:
        return quoted(frame[name][row] or "") if name in frame.columns else ""

    return {
        "line": int(rows.lines[row]),
        "table": said("table"),
        "shoe": said("shoe"),
        "round": said("id" if "id" in frame.columns else "round"),
    }
