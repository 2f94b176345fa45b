"""The rows of a foreign log in standard columns: amounts, declared results, numbers of rounds and shoes.

A row that cannot be translated is reported with its line and the reason. Cards keep their notation, one
column per hand.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
import numpy as np
import numpy.typing as npt

from combinat.audit.reading.guess import is_no_card, subject_named, subjects_of
from combinat.audit.reading.log_map import DECLARED, HANDS, MONEY, LogMap, Shoes, name_list, plain_name
from combinat.audit.reading.notation import WINNER_WORDS, Notation
from combinat.audit.reading.rows import RowBatch, RowFile
from combinat.base.errors import CombinatError, FileError, InputError, in_words, shortened
from combinat.base.money import format_money, parse_net
from combinat.rules.game import Game

if TYPE_CHECKING:
    import polars

# ---------------------------------------------------------------- grouping


DAY = "day"
TIMES = ("time", "timestamp", "datetime", "date", "started", "start", "time_stamp", "played_at", "created_at")
"""Names of columns of time stamps."""

MOST_GROUPINGS, MOST_TOGETHER = 10, 5
"""The most groupings of one cross-check, and the most columns of one grouping."""

PREFIX = "by:"
"""The prefix of a column that is kept for grouping."""

_SECONDS, _MILLISECONDS = r"^[0-9]{9,10}(\.[0-9]+)?$", r"^[0-9]{12,13}$"


@dataclass(frozen=True, slots=True)
class By:
    """A column to group by: its requested name, its name in the file, and whether to use only its day."""

    name: str
    column: str
    is_day: bool

    @property
    def key(self) -> str:
        """The name of its column in the translated rows."""
        return f"{PREFIX}{self.name}"


Groupings = tuple[tuple[str, ...], ...]
"""Groupings of a log: each by one column, or by several together."""


def as_groupings(by: object) -> Groupings:
    """Return groupings: commas separate them, a plus joins the columns of one.

    >>> as_groupings("table,day, dealer+day"), as_groupings(["table", "day"])
    ((('table',), ('day',), ('dealer', 'day')), (('table',), ('day',)))
    """
    if by is None:
        return ()
    names = [by] if isinstance(by, str) else by
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise InputError(
            f"found {in_words(by)}",
            'write names of columns, such as "table,day" or ["table", "dealer+day"]',
            parameter="by",
        )
    text = ",".join(names)
    groupings = tuple(tuple(name.strip() for name in part.split("+")) for part in text.split(","))
    if len(groupings) > MOST_GROUPINGS or any(len(together) > MOST_TOGETHER for together in groupings):
        raise InputError(
            f"found {len(groupings)} groupings",
            f"write at most {MOST_GROUPINGS}, each of at most {MOST_TOGETHER} columns",
            parameter="by",
        )
    if not all(name for together in groupings for name in together) or len(set(groupings)) < len(groupings):
        raise InputError(
            f'found "{shortened(text)}"',
            "write names of columns, each once, such as table,day or dealer+day",
            parameter="by",
        )
    return groupings


def columns_by(rows: RowFile, log_map: LogMap, groupings: Groupings) -> tuple[By, ...]:
    """Return the columns that groupings need: mapped columns, columns by name, or days of time stamps."""
    names = dict.fromkeys(name for grouping in groupings for name in grouping)
    columns = tuple(_group_column(rows, log_map, name) for name in names)
    for by in columns:
        if _tells_the_result(log_map, by.column):
            raise FileError(
                f'{rows.source.place}: "{shortened(by.name)}" is known after the cards only, and groups by it differ '
                "where nothing is wrong; write columns that are known before them, such as table, day or dealer"
            )
    return columns


def _tells_the_result(log_map: LogMap, column: str) -> bool:
    """Return whether a column states the result of the round."""
    says = [what for what, names in log_map.columns.items() if column in names]
    return any(
        what in HANDS or what in DECLARED or what.partition(":")[0] in ("payout", "profit", "net")
        for what in says
    )


def _group_column(rows: RowFile, log_map: LogMap, name: str) -> By:
    if name in log_map.columns and len(log_map.columns[name]) == 1:
        return By(name, log_map.columns[name][0], False)
    if name in rows.names:
        return By(name, name, False)
    if name != DAY:
        raise FileError(
            f'{rows.source.place}: there is no column "{shortened(name)}" to group by; its columns are {name_list(list(rows.names))}'
        )
    if "time" in log_map.columns:
        return By(name, log_map.columns["time"][0], True)
    times = [column for column in rows.names if plain_name(column) in TIMES]
    if len(times) != 1:
        what = f"{name_list(times)} may each be the time" if times else "no column is a time stamp"
        raise FileError(
            f"{rows.source.place}: {what}; its columns are {name_list(list(rows.names))}; map one of them to time"
        )
    return By(name, times[0], True)


def group_columns(frame: "polars.DataFrame", columns: Sequence[By]) -> "dict[str, polars.Series]":
    """Return the columns to group by, under their prefixed names."""
    cells = {}
    for by in columns:
        texts = frame[by.column].str.strip_chars()
        cells[by.key] = (_days(texts) if by.is_day else texts).fill_null("").alias(by.key)
    return cells


def _days(texts: "polars.Series") -> "polars.Series":
    """Return the days of time stamps: the text before the time, or for seconds since 1970 the day in UTC."""
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


# ---------------------------------------------------------------- translation


Numbers = npt.NDArray[np.int64]

_YES_NO = {
    **dict.fromkeys(("yes", "y", "true", "1", "drew", "drawn", "pair"), "yes"),
    **dict.fromkeys(("no", "n", "false", "0", "stood", "none", "-"), "no"),
}
_DECLARED_WORDS = {
    "winner": (WINNER_WORDS, "player, banker or tie (P, B, T)"),
    "points": ({str(points): str(points) for points in range(10)}, "a total from 0 to 9"),
    "pair": (_YES_NO, "yes or no"),
    "drew": (_YES_NO, "yes or no"),
}
"""The words of each declared result with their meaning, and what to write."""

Number = Annotated[int, msgspec.Meta(ge=-1, lt=2**62)]
"""The number of a round or a shoe; -1 before the first."""


class Numbering(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The numbers of the last round and shoe of one table, and their names in the log."""

    round: Number
    shoe: Number
    last_round: str | None
    last_shoe: str | None
    begun: bool

    @classmethod
    def new(cls) -> "Numbering":
        """Return the numbering of a table without rounds."""
        return cls(round=0, shoe=0, last_round=None, last_shoe=None, begun=False)


@dataclass(slots=True)
class Translator:
    """A translator of rows into rows in standard columns.

    ``by``: columns kept for grouping. ``is_native``: the rows have the standard columns already.
    """

    log_map: LogMap
    game: Game | None
    place: str
    by: tuple[By, ...]
    is_native: bool
    numbering: dict[str, Numbering] = field(default_factory=dict)

    @property
    def has_shoes(self) -> bool:
        """Whether rounds come from whole shoes."""
        return "shoe" in self.log_map.columns or self.log_map.shoes is Shoes.RESTART

    @property
    def names(self) -> list[str]:
        """The columns that rows are translated to."""
        columns = self.log_map.columns
        names = ["round"]
        names += ["id"] if "id" in columns or "round" in columns else []
        names += ["shoe"] if self.has_shoes else []
        names += [name for name in ("table", "player", *HANDS, *DECLARED) if name in columns]
        return [*names, *self._money_names()]

    def _money_names(self) -> list[str]:
        """Return the columns of money; a profit becomes a payout."""
        subjects = subjects_of(self.game) if self.game and "bet" in self.log_map.columns else []
        names = [
            f"{kind}:{subject}"
            for subject in subjects
            for kind in ("stake", "payout", "net", "profit")
            if kind in self.log_map.columns
        ]
        names += [name for name in self.log_map.columns if ":" in name]
        return list(dict.fromkeys(name.replace("profit:", "payout:", 1) for name in names))

    def rows(self, rows: RowBatch) -> RowBatch:
        """Return translated rows, and report the rows that cannot be translated."""
        import polars

        if self.is_native:
            return replace(rows, frame=rows.frame.with_columns(**group_columns(rows.frame, self.by)))
        frame, bad, columns = rows.frame, dict[int, str](), dict[str, polars.Series]()
        for name in HANDS:
            if name in self.log_map.columns:
                columns[name] = self._cards(frame, name)
        for name in DECLARED:
            if name in self.log_map.columns:
                columns[name] = self._declared_results(name, self._column(frame, name), bad)
        for name in ("table", "player"):
            if name in self.log_map.columns:
                columns[name] = self._column(frame, name).fill_null("")
        columns |= self._money(frame, bad)
        rounds, shoes = self._row_numbers(frame, columns.get("table"), rows.lines)
        columns["round"] = polars.Series(rounds).cast(polars.String)
        columns["shoe"] = polars.Series(shoes).cast(polars.String)
        if "id" in self.names:
            columns["id"] = self._column(frame, "id" if "id" in self.log_map.columns else "round")
        whole = polars.DataFrame({name: columns[name] for name in self.names} | group_columns(frame, self.by))
        if not bad:
            return RowBatch(rows.lines, whole, rows.unreadable)
        unreadable = [*rows.unreadable, *((int(rows.lines[row]), why) for row, why in bad.items())]
        kept = np.ones(frame.height, dtype=np.bool_)
        kept[list(bad)] = False
        return RowBatch(rows.lines[kept], whole.filter(polars.Series(kept)), sorted(unreadable))

    def _column(self, frame: "polars.DataFrame", what: str) -> "polars.Series":
        return frame[self.log_map.columns[what][0]].str.strip_chars()

    def _cards(self, frame: "polars.DataFrame", hand: str) -> "polars.Series":
        """Return the hands in one column, from one column or from a column for each card."""
        import polars

        names = self.log_map.columns[hand]
        if len(names) == 1:
            return frame[names[0]]
        parts = []
        for number, name in enumerate(names):
            absent = [
                text for text in frame[name].unique() if text is not None and self._is_absent(text, number)
            ]
            parts.append(
                polars.when(~polars.col(name).is_in(absent)).then(polars.col(name)).alias(str(number))
            )
        together = polars.concat_str(parts, separator=" ", ignore_nulls=True)
        return frame.select(together.alias("cards"))["cards"]

    def _is_absent(self, text: str, number: int) -> bool:
        """Return whether a cell means no card; so does a third card of 0 if no card has that number."""
        from_one = (Notation.RANK, Notation.NUMBER, Notation.INDEX_FROM_1, Notation.INDEX_BY_RANK_FROM_1)
        return is_no_card(text) or (number == 2 and self.log_map.cards_as in from_one and text.strip() == "0")

    def _declared_results(self, name: str, column: "polars.Series", bad: dict[int, str]) -> "polars.Series":
        """Return the declared results of rounds in standard words; null for a blank."""
        words, wanted = _DECLARED_WORDS[name.rpartition("_")[2]]
        return _in_words(name, column, column.str.to_lowercase(), words, wanted, bad)

    # ------------------------------------------------------------ amounts

    def _money(self, frame: "polars.DataFrame", bad: dict[int, str]) -> dict[str, "polars.Series"]:
        """Return the columns of money, in decimals with a point."""
        import polars

        amounts = {
            name: self._amounts(self._column(frame, name))
            for name in self.log_map.columns
            if name.partition(":")[0] in MONEY
        }
        for name in [name for name in amounts if name.startswith("profit")]:
            stake = name.replace("profit", "stake", 1)
            if stake not in amounts:
                raise FileError(f"{self.place}: the column {name} needs {stake} beside it")
            pairs = zip(amounts[stake], amounts.pop(name), strict=True)
            back = polars.Series([_payout(*pair) for pair in pairs], dtype=polars.String)
            amounts[name.replace("profit", "payout", 1)] = back
        if "bet" not in self.log_map.columns:
            return amounts
        bets = self._bets(self._column(frame, "bet"), bad)
        columns = {}
        for name in self._money_names():
            kind, _, subject = name.partition(":")
            columns[name] = amounts[kind].set((bets != subject).fill_null(True), None)
        return columns

    def _bets(self, column: "polars.Series", bad: dict[int, str]) -> "polars.Series":
        """Return the bet of each wager."""
        subjects = subjects_of(self.game) if self.game else []
        words = {
            text: subject_named(self.game, text) if self.game else None for text in column.unique() if text
        }
        return _in_words("bet", column, column, words, f"one of {', '.join(subjects)}", bad)

    def _amounts(self, texts: "polars.Series") -> "polars.Series":
        """Amounts without currency signs, separators of thousands and other decoration."""
        import polars

        if self.log_map.currency:
            texts = texts.str.replace_all(self.log_map.currency, "", literal=True).str.strip_chars()
        texts = texts.str.replace_all(r"^([+-]?)[$€£¥]\s*", "$1")
        if self.log_map.thousands:
            texts = texts.str.replace_all(self.log_map.thousands, "", literal=True)
        if self.log_map.decimal != ".":
            texts = texts.str.replace(self.log_map.decimal, ".", literal=True)
        texts = (
            texts.str.replace(r"^\((.*)\)$", "-$1").str.replace(r"^([0-9.]+)-$", "-$1").str.strip_prefix("+")
        )
        return texts.set((texts == "").fill_null(False), None).cast(polars.String)

    # ------------------------------------------------------------ numbers

    def _row_numbers(
        self, frame: "polars.DataFrame", tables: "polars.Series | None", lines: Numbers
    ) -> tuple[Numbers, Numbers]:
        """Return the rounds and the shoes of the rows, numbered by table."""
        import polars

        rounds, shoes = np.zeros((2, frame.height), dtype=np.int64)
        named = {
            what: self._column(frame, what)
            for what in ("id", "round", "shoe")
            if what in self.log_map.columns
        }
        none = polars.repeat(None, frame.height, dtype=polars.String, eager=True)
        of_round, of_shoe = named.get("round", named.get("id", none)), named.get("shoe", none)
        tables = none if tables is None else tables
        for name in tables.unique(maintain_order=True).to_list():
            rows = tables.eq_missing(name).arg_true().to_numpy()
            counter = self.numbering.setdefault(name or "", Numbering.new())
            mine = of_round.gather(rows), of_shoe.gather(rows)
            rounds[rows], shoes[rows] = self._row_numbers_of_table(counter, lines[rows], *mine)
        return rounds, shoes

    def _row_numbers_of_table(
        self, counter: Numbering, lines: Numbers, of_round: "polars.Series", of_shoe: "polars.Series"
    ) -> tuple[Numbers, Numbers]:
        """Return the rounds and the shoes of a table's rows, numbered from the counter on."""
        restarts = _restarts(of_round, counter.last_round)
        self._check_shoes(counter, lines, of_round, np.flatnonzero(restarts))
        new_shoe = _changes(of_shoe, counter.last_shoe)
        new_round = np.ones(len(lines), dtype=np.int64)
        if "bet" in self.log_map.columns or "player" in self.log_map.columns:  # a row is a wager
            new_round = new_shoe | _changes(of_round, counter.last_round)
        if self.log_map.shoes is Shoes.RESTART:
            new_shoe |= restarts
        if not counter.begun:
            new_shoe[0], new_round[0] = 0, 1
        shoes, rounds = counter.shoe + np.cumsum(new_shoe), counter.round + np.cumsum(new_round)
        counter.shoe, counter.round, counter.begun = int(shoes[-1]), int(rounds[-1]), True
        counter.last_round, counter.last_shoe = of_round[-1], of_shoe[-1]
        return rounds, shoes + 1

    def _check_shoes(
        self,
        counter: Numbering,
        lines: Numbers,
        of_round: "polars.Series",
        restarts: npt.NDArray[np.intp],
    ) -> None:
        """Refuse round numbers that restart in a log without shoes: the log is ambiguous."""
        columns = self.log_map.columns
        is_described = self.has_shoes or self.log_map.shoes is not None or "id" in columns
        if is_described or not restarts.size:
            return
        row = int(restarts[0])
        before = of_round[row - 1] if row else counter.last_round
        place = f"{self.place}, line {lines[row]}: the round {of_round[row]} comes after {before}"
        if 2 * restarts.size > len(of_round):
            raise FileError(
                f"{place}, and most rows after a higher one; put the rows in the order in which they were dealt"
            )
        raise InputError(
            f"{place}, and no column names shoes",
            "write {log_map} shoes=restart if a new shoe begins there, {log_map} shoes=none if each round is from a "
            "fresh shuffle",
            parameter="log_map",
        )


def _in_words(
    name: str,
    column: "polars.Series",
    texts: "polars.Series",
    words: Mapping[str, str | None],
    wanted: str,
    bad: dict[int, str],
) -> "polars.Series":
    """Return the meaning of each text; null for blanks and for unknown texts, which are added to ``bad``."""
    import polars

    read = texts.replace_strict(list(words), list(words.values()), default=None, return_dtype=polars.String)
    for row in (read.is_null() & (texts != "")).arg_true().to_list():
        bad.setdefault(row, f'{name}: found "{shortened(column[row])}"; write {wanted}')
    return read


def _changes(column: "polars.Series", last: str | None) -> Numbers:
    """Return 1 where a value differs from the preceding one. ``last``: the value before the first."""
    differs = column.ne_missing(column.shift(1)).to_numpy().astype(np.int64)
    differs[0] = column[0] != last
    return differs


def _restarts(column: "polars.Series", last: str | None) -> Numbers:
    """Return 1 where a whole number is lower than the preceding one."""
    import polars

    texts = polars.concat([polars.Series([last], dtype=polars.String), column.alias("")])
    numbers = texts.set(~texts.str.contains(r"^[0-9]{1,18}$").fill_null(False), None).cast(polars.Int64)
    return (numbers < numbers.shift(1)).fill_null(False).to_numpy()[1:].astype(np.int64)


@lru_cache(2**16)
def _payout(stake: str | None, profit: str | None) -> str | None:
    """Return the sum of stake and profit; a text that is not an amount is kept, and refused in its row."""
    if stake is None or profit is None:
        return None
    try:
        total = parse_net(stake) + parse_net(profit)
    except CombinatError:
        return profit
    return format_money(total) if total >= 0 else profit
