"""The faults and the totals of a log so far: folds of replayed pieces, in bounded memory."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from combinat.audit.judging.faults import SHOWN, fault_rows, line_faults, no_faults, ranges
from combinat.audit.judging.payments import paid_columns
from combinat.audit.judging.replay import Piece
from combinat.audit.judging.terms import LogTerms
from combinat.audit.reading.rows import RowBatch
from combinat.audit.verdict import Cause, ColumnTotal, FaultKind, FaultRow
from combinat.base.errors import FileError

if TYPE_CHECKING:
    import polars

MOST_CAUSES = 1_000
"""The most causes that are listed; rows of further ones are counted together."""

OTHERS = "other causes"

MOST_WAITING = 20_000
"""Faults that wait to be handed on in the order of their lines."""

Sink = Callable[[Sequence[FaultRow]], None]
"""A function that takes faults as they are found."""

CAUSE = ("kind", "cause", "clause")
"""Faults that have these in common are of one cause."""


class Ledger:
    """The faults of a log so far: counted by kind and by cause, with the first of each kind.

    ``sink``: takes every fault. ``most_rows``: the maximum number of rows. ``rows``: the rows read; ``missing``: the
    numbers that are missing in gaps; ``declared``: results declared beside the cards; ``situations``: how often each
    situation arose.
    """

    def __init__(self, sink: Sink | None = None, most_rows: int | None = None) -> None:
        self.rows = self.missing = self.declared = 0
        self.tables: set[str] = set()
        self.counts = dict.fromkeys(FaultKind, 0)
        self.first: dict[FaultKind, list[FaultRow]] = {kind: [] for kind in FaultKind}
        self.situations: Counter[str] = Counter()
        self._sink, self._most_rows = sink, most_rows
        self._waiting = self._fault_counts = no_faults()

    def reading(self, batches: Iterable[RowBatch]) -> Iterator[RowBatch]:
        """Yield the rows of a log, and add the lines that cannot be read as rows."""
        for rows in batches:
            self.rows += rows.frame.height + len(rows.unreadable)
            if self._most_rows is not None and self.rows > self._most_rows:
                raise FileError(f"more than {self._most_rows} rows; cross-check such a log by itself")
            self.add_faults(line_faults(rows.unreadable))
            yield rows

    def add(self, piece: Piece) -> None:
        """Add the faults of replayed rows."""
        self.tables.add(piece.name)
        self.missing += piece.missing
        self.declared += piece.declared
        self.situations.update(piece.situations)
        self.add_faults(piece.faults)

    def add_faults(self, faults: "polars.DataFrame") -> None:
        """Add the faults of some rows."""
        import polars

        if not faults.height:
            return
        for (name,), mine in faults.group_by("kind", maintain_order=True):
            kind = FaultKind(name)
            self.counts[kind] += mine.height if kind is FaultKind.SETTLEMENT else mine["line"].n_unique()
            first = [*self.first[kind], *fault_rows(mine.sort("line", maintain_order=True).head(SHOWN))]
            self.first[kind] = sorted(first, key=lambda fault: fault.line)[:SHOWN]
        real = faults.filter(polars.col("kind") != str(FaultKind.GAP))
        self._fault_counts = _fault_counts(
            polars.concat([self._fault_counts, real.with_columns(rows=1)], how="diagonal_relaxed")
        )
        if self._sink is not None:
            self._waiting = self._waiting.vstack(real)
            if self._waiting.height > MOST_WAITING:
                self.hand_on()

    def hand_on(self) -> None:
        """Pass the pending faults to the sink, in the order of lines."""
        if self._sink is not None and self._waiting.height:
            self._sink(fault_rows(self._waiting))
            self._waiting = no_faults()

    def causes(self) -> tuple[Cause, ...]:
        """Return the causes of the faults, the most frequent first."""
        causes = [self._cause(group) for _, group in self._fault_counts.group_by(CAUSE, maintain_order=True)]
        return tuple(sorted(causes, key=lambda cause: (-cause.rows, cause.first_line, cause.message)))

    def _cause(self, alike: "polars.DataFrame") -> Cause:
        """Return the record of a cause."""
        import polars

        kind, text, clause = alike.select(CAUSE).row(0)
        totals = alike["total"].drop_nulls()
        situations = [self.situations.get(one, 0) for one in alike["situation"].unique()]
        tables_of = alike.group_by("table", maintain_order=True).agg(polars.col("rows").sum())
        table, at_table = tables_of.sort("rows", descending=True, maintain_order=True).row(0)
        return Cause(
            kind=FaultKind(kind),
            message=text.replace("{}", ranges(totals)) if len(totals) else text,
            rows=sum(alike["rows"]),
            first_line=min(alike["line"]),
            clause=clause,
            table=table if len(self.tables) > 1 else "",
            at_table=at_table if len(self.tables) > 1 and table else 0,
            situations=sum(situations) if all(situations) and text != OTHERS else None,
        )


def _fault_counts(faults: "polars.DataFrame") -> "polars.DataFrame":
    """Return counts of faults by cause, total, situation and table.

    Causes beyond ``MOST_CAUSES`` are merged.
    """
    import polars

    listed = faults.select(CAUSE).unique(maintain_order=True).head(MOST_CAUSES).with_columns(is_listed=True)
    together = faults.join(listed, on=CAUSE, how="left", maintain_order="left").with_columns(
        polars.when("is_listed").then("cause").otherwise(polars.lit(OTHERS)).alias("cause"),
        polars.when("is_listed").then("clause").otherwise(polars.lit("")).alias("clause"),
    )
    by = together.group_by(*CAUSE, "total", "situation", "table", maintain_order=True)
    return by.agg(polars.col("rows").sum(), polars.col("line").min())


# ---------------------------------------------------------------- totals


class Totals:
    """The totals of the columns of results so far."""

    def __init__(self, terms: LogTerms) -> None:
        self._totals = {column: ColumnTotal(str(column)) for column in paid_columns(terms)}

    def add(self, piece: Piece) -> None:
        """Add the payments of replayed rows."""
        for payment in piece.payments:
            self._totals[payment.column] += payment.total

    def record(self) -> tuple[ColumnTotal, ...]:
        """Return the totals of every column."""
        return tuple(self._totals.values())
