"""Grouping of a log: by its own columns, under their standard or original names, and by days of time stamps."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from combinat.audit.reading.log_map import DECLARED, HANDS, LogMap, name_list, plain_name
from combinat.audit.reading.rows import Batches, RowBatch, RowFile
from combinat.base.errors import FileError, InputError, shortened

if TYPE_CHECKING:
    import polars

DAY = "day"
TIMES = ("time", "timestamp", "datetime", "date", "started", "start", "time_stamp", "played_at", "created_at")
"""What columns of time stamps are called."""

MOST_GROUPINGS, MOST_TOGETHER = 10, 5
"""The most groupings of one cross-check, and the most columns of one grouping."""

PREFIX = "by:"
"""The prefix of a column that is kept for grouping."""

_SECONDS, _MILLISECONDS = r"^[0-9]{9,10}(\.[0-9]+)?$", r"^[0-9]{12,13}$"


@dataclass(frozen=True, slots=True)
class By:
    """A column to group by: its name in the request, its name in the file, and whether only its day counts."""

    name: str
    column: str
    is_day: bool

    @property
    def key(self) -> str:
        """The name under which it is carried along."""
        return f"{PREFIX}{self.name}"


Groupings = tuple[tuple[str, ...], ...]
"""Groupings of a log: each by one column, or by several together."""


def parse_groupings(text: str) -> Groupings:
    """The groupings that a text states: commas between them, a plus between columns that count together.

    >>> parse_groupings("table,day, dealer+day")
    (('table',), ('day',), ('dealer', 'day'))
    """
    groupings = tuple(tuple(name.strip() for name in part.split("+")) for part in text.split(","))
    if not all(name for names in groupings for name in names):
        raise InputError(
            f'found "{shortened(text)}"',
            "write names of columns, such as table,day or dealer+day",
            parameter="by",
        )
    if len(groupings) > MOST_GROUPINGS or any(len(names) > MOST_TOGETHER for names in groupings):
        raise InputError(
            f"found {len(groupings)} groupings",
            f"write at most {MOST_GROUPINGS}, each of at most {MOST_TOGETHER} columns",
            parameter="by",
        )
    if len(set(groupings)) < len(groupings):
        raise InputError(f'found "{shortened(text)}"', "write each name once", parameter="by")
    return groupings


def columns_by(rows: RowFile, log_map: LogMap, groupings: Groupings) -> tuple[By, ...]:
    """The columns that groupings need: as mapped, by their own names, or days of a column of time stamps."""
    names = dict.fromkeys(name for grouping in groupings for name in grouping)
    columns = tuple(_by(rows, log_map, name) for name in names)
    for by in columns:
        if _tells_the_result(log_map, by.column):
            raise FileError(
                f'{rows.source.place}: by: "{shortened(by.name)}" is known after the cards only, and groups by it differ '
                "where nothing is wrong; write columns that are known before them, such as table, day or dealer"
            )
    return columns


def _tells_the_result(log_map: LogMap, column: str) -> bool:
    """Whether a column states the result of the round."""
    says = [what for what, names in log_map.columns.items() if column in names]
    return any(
        what in HANDS or what in DECLARED or what.partition(":")[0] in ("payout", "profit", "net")
        for what in says
    )


def _by(rows: RowFile, log_map: LogMap, name: str) -> By:
    if name in log_map.columns and len(log_map.columns[name]) == 1:
        return By(name, log_map.columns[name][0], False)
    if name in rows.names:
        return By(name, name, False)
    if name != DAY:
        raise FileError(
            f'{rows.source.place}: by: there is no column "{shortened(name)}"; found {name_list(list(rows.names))}'
        )
    if "time" in log_map.columns:
        return By(name, log_map.columns["time"][0], True)
    times = [column for column in rows.names if plain_name(column) in TIMES]
    if len(times) != 1:
        what = f"{name_list(times)} may each be the time" if times else "no column is a time stamp"
        raise FileError(
            f"{rows.source.place}: by: {what}; found {name_list(list(rows.names))}; map one of them to time"
        )
    return By(name, times[0], True)


def group_columns(frame: "polars.DataFrame", columns: Sequence[By]) -> "dict[str, polars.Series]":
    """The columns to group by, under their prefixed names."""
    cells = {}
    for by in columns:
        texts = frame[by.column].str.strip_chars()
        cells[by.key] = (_days(texts) if by.is_day else texts).fill_null("").alias(by.key)
    return cells


def _days(texts: "polars.Series") -> "polars.Series":
    """The days of time stamps: the text before the time of day; for seconds since 1970, the day in UTC."""
    import polars

    def since_1970(pattern: str, unit: Literal["s", "ms"]) -> "polars.Expr":
        number = polars.when(polars.col("at").str.contains(pattern)).then(polars.col("at"))
        whole = number.str.replace(r"\..*$", "").cast(polars.Int64, strict=False)
        return polars.from_epoch(whole, time_unit=unit).dt.strftime("%Y-%m-%d")

    days = texts.to_frame("at").select(
        polars.coalesce(
            since_1970(_SECONDS, "s"),
            since_1970(_MILLISECONDS, "ms"),
            polars.col("at").str.extract(r"^([^T ]*)"),
        ).alias("day")
    )
    return days["day"]


def with_group_columns(batches: Batches, columns: Sequence[By]) -> Batches:
    """Rows with the columns to group by beside their own."""

    def more(advance: Callable[[int], None]) -> Iterator[RowBatch]:
        for rows in batches(advance):
            frame = rows.frame.with_columns(**group_columns(rows.frame, columns)) if columns else rows.frame
            yield RowBatch(rows.lines, frame, rows.unreadable)

    return more
