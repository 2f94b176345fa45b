"""The hand log: one row a round, CSV or Parquet, read in batches so that any length fits in memory.

A CSV log may begin with lines ``# game: ID`` and ``# decks: 8`` or ``# cards: A=32 ...``; a Parquet log
has the same keys in its file metadata. Every value is read as text: nothing is rounded on the way in.
"""

import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, BinaryIO

import numpy as np
import numpy.typing as npt

from combinat.audit.source import Source
from combinat.errors import CombinatError, HandLogError, StatedTwiceError, near_matches
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe
from combinat.simulate.log_file import HEAD_KEYS, check_polars

if TYPE_CHECKING:
    import polars

BATCH_BYTES = 2**23
BATCH_ROWS = 2**16
MOST_LINE = 2**20
FIXED = ("round", "shoe", "player_cards", "banker_cards")


class Money(StrEnum):
    """What a column says of a bet."""

    NET = "net"
    STAKE = "stake"
    PAYOUT = "payout"


@dataclass(frozen=True, slots=True)
class LogColumn:
    """A column about a bet, or about insurance such as ``player@four-cards``."""

    money: Money
    subject: str

    def __str__(self) -> str:
        return f"{self.money}:{self.subject}"


@dataclass(frozen=True, slots=True)
class Rows:
    """Some rows of a log: their lines, their cells as text, and lines that are no rows at all."""

    lines: npt.NDArray[np.int64]
    frame: "polars.DataFrame"
    unreadable: Sequence[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class HandLog:
    """A hand log: what its head says, and how to read its rows."""

    source: Source
    head: Mapping[str, str]
    names: Sequence[str]
    size: int
    batches: Callable[[Callable[[int], None]], Iterator[Rows]]
    line_word: str

    @property
    def has_shoes(self) -> bool:
        """Whether rows name their shoe: then rounds come from whole shoes."""
        return "shoe" in self.names

    def shoe(self) -> Shoe | None:
        """The fresh shoe that the head names; None: it names none."""
        if "decks" in self.head and "cards" in self.head:
            raise HandLogError(f"{self.source.place}: give decks or cards, not both")
        if "cards" in self.head:
            try:
                return Shoe.parse(self.head["cards"])
            except CombinatError as error:
                raise HandLogError(f"{self.source.place}: cards: {error}") from None
        if "decks" in self.head:
            if not re.fullmatch(r"[1-9]\d{0,3}", self.head["decks"], re.ASCII):
                raise HandLogError(
                    f'{self.source.place}: decks: found "{self.head["decks"]}"; write a whole number'
                )
            return Shoe.of_decks(int(self.head["decks"]))
        return None

    def cut_card(self, shoe: Shoe, given: int | None) -> int | None:
        """The cards behind the cut card, where rounds come from whole shoes: as the head says, or as given.

        Where neither says it, a deck is assumed, of a small shoe a quarter.
        """
        named = self.head.get("cut-card")
        if not self.has_shoes:
            if named is not None or given is not None:
                raise HandLogError(
                    f"{self.source.place}: a cut card goes with a column shoe, and there is none"
                )
            return None
        if named is not None and not re.fullmatch(r"\d{1,5}", named, re.ASCII):
            raise HandLogError(
                f'{self.source.place}: cut-card: found "{named}"; write a whole number of cards'
            )
        if named is not None and given is not None:
            raise StatedTwiceError(f"{self.source.place}: the log names its cut card", "cut card")
        behind = int(named) if named is not None else min(52, shoe.size // 4) if given is None else given
        if behind >= shoe.size:
            raise HandLogError(
                f"{self.source.place}: {behind} cards behind the cut card leave none of {shoe.size} to deal"
            )
        return behind

    def columns(self, game: Game) -> list[LogColumn]:
        """The columns about bets, if the game knows them all."""
        subjects = [
            *(bet.id for bet in game.bets),
            *(str(table.insured) for table in game.insurance),
        ]
        columns: list[LogColumn] = []
        for name in self.names:
            if name in FIXED:
                continue
            money, _, subject = name.partition(":")
            if money not in list(Money) or subject not in subjects:
                known = [*FIXED, *(f"{kind}:{subject}" for subject in subjects for kind in Money)]
                near = near_matches(name, known)
                hint = f"; did you mean {near[0]}?" if near else "."
                raise HandLogError(
                    f'{self.source.place}: unknown column "{name}"{hint} The columns are {", ".join(FIXED)}, and net:, stake: or payout: '
                    f"with one of {', '.join(subjects)}"
                )
            columns.append(LogColumn(Money(money), subject))
        for column in columns:
            if column.money is not Money.NET:
                other = Money.STAKE if column.money is Money.PAYOUT else Money.PAYOUT
                if LogColumn(other, column.subject) not in columns:
                    raise HandLogError(
                        f"{self.source.place}: the column {column} needs {other}:{column.subject} beside it"
                    )
        return columns


def open_log(source: Source) -> HandLog:
    """A hand log whose head and columns are in order."""
    check_polars()
    log = _parquet(source) if source.is_parquet else _csv(source)
    missing = [name for name in ("round", "player_cards", "banker_cards") if name not in log.names]
    if missing:
        raise HandLogError(
            f"{source.place}: the column {missing[0]} is missing; found {', '.join(log.names)[:200] or 'no columns'}"
        )
    twice = [name for name in log.names if log.names.count(name) > 1]
    if twice:
        raise HandLogError(f'{source.place}: the column "{twice[0]}" is given twice')
    return log


# ---------------------------------------------------------------- CSV


def _csv(source: Source) -> HandLog:
    head: dict[str, str] = {}
    try:
        with source.open() as file:
            number, line = 1, _line(file, source, 1)
            while line.startswith("#"):
                key, colon, value = line.removeprefix("#").partition(":")
                key, value = key.strip(), value.strip()
                if not colon or key not in HEAD_KEYS or (key in head and key != "note"):
                    raise HandLogError(
                        f'{source.place}, line {number}: found "{line[:100]}"; write one of # game: ID, # decks: N, # cards: A=32 ..., '
                        "# cut-card: N, each once, or # note: TEXT"
                    )
                head[key] = value
                number += 1
                line = _line(file, source, number)
            start, size = file.tell(), source.size
    except OSError as error:
        raise HandLogError(f"{source.place}: cannot be read ({error.strerror})") from None
    names = [name.strip() for name in line.split(",")] if line else []
    return HandLog(
        source=source,
        head=head,
        names=names,
        size=size - start,
        batches=lambda advance: _csv_batches(source, names, start, number + 1, advance),
        line_word="line",
    )


def _line(file: BinaryIO, source: Source, number: int) -> str:
    raw = file.readline(MOST_LINE)
    where = f"{source.place}, line {number}"
    try:
        text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError:
        raise HandLogError(f"{where}: not UTF-8 text; give a CSV or Parquet hand log") from None
    if len(raw) == MOST_LINE or "\0" in text:
        raise HandLogError(f"{where}: no line of text; give a CSV or Parquet hand log")
    return text.strip("\r\n")


def _csv_batches(
    source: Source, names: Sequence[str], start: int, line: int, advance: Callable[[int], None]
) -> Iterator[Rows]:
    with source.open() as file:
        file.seek(start)
        rest = b""
        while True:
            read = file.read(BATCH_BYTES)
            content, rest = _whole_lines(rest + read) if read else (rest.rstrip(b"\r\n"), b"")
            if len(rest) > MOST_LINE:
                raise HandLogError(
                    f"{source.place}, line {line}: longer than {MOST_LINE} bytes; give a CSV hand log"
                )
            if content:
                rows, lines = _csv_rows(source, content if read else content + b"\n", names, line)
                line += lines
                yield rows
            advance(len(read))
            if not read:
                return


def _whole_lines(content: bytes) -> tuple[bytes, bytes]:
    """The lines that are whole, and the rest: a line begun, or blank lines, which may be the end of the file."""
    end, text = content.rfind(b"\n") + 1, len(content.rstrip(b"\r\n"))
    if end > text:
        end = content.find(b"\n", text) + 1 if text else 0
    return content[:end], content[end:]


def _csv_rows(source: Source, content: bytes, names: Sequence[str], first: int) -> tuple[Rows, int]:
    """The rows of whole lines; lines with other than one value a column are set aside."""
    import polars

    if b"\r\n" in content:
        content = content.replace(b"\r\n", b"\n")
    marks = np.frombuffer(content, dtype=np.uint8)
    ends = np.flatnonzero(marks == ord("\n"))
    commas = np.searchsorted(np.flatnonzero(marks == ord(",")), ends)
    cells = np.diff(commas, prepend=0) + 1
    # What no value needs: quotes, control characters, anything beyond ASCII.
    odd = np.flatnonzero((marks == ord('"')) | (marks > 126) | ((marks < 32) & (marks != ord("\n"))))
    strange = np.zeros(len(ends), dtype=np.bool_)
    strange[np.searchsorted(ends, odd)] = True
    bad = np.flatnonzero((cells != len(names)) | strange)
    unreadable = [
        (
            first + int(number),
            "quotes or characters that no value needs"
            if strange[number]
            else f"found {cells[number]} cell{'' if cells[number] == 1 else 's'}; the header has {len(names)}",
        )
        for number in bad
    ]
    lines = np.arange(first, first + len(ends), dtype=np.int64)
    if bad.size:
        split, left_out = content.split(b"\n"), set(bad.tolist())
        content = b"".join(row + b"\n" for number, row in enumerate(split[:-1]) if number not in left_out)
        lines = np.delete(lines, bad)
    if not len(lines):
        frame = polars.DataFrame(schema=dict.fromkeys(names, polars.String))
    else:
        frame = polars.read_csv(
            io.BytesIO(content),
            has_header=False,
            schema=dict.fromkeys(names, polars.String),
            quote_char=None,
            infer_schema=False,
        )
    if frame.height != len(lines):
        raise HandLogError(
            f"{source.place}: {len(lines)} lines were read as {frame.height} rows; give a CSV hand log"
        )
    return Rows(lines, frame, unreadable), len(ends)


# ---------------------------------------------------------------- Parquet


def _parquet(source: Source) -> HandLog:
    import polars

    held = source.content
    try:
        metadata = polars.read_parquet_metadata(io.BytesIO(held) if isinstance(held, bytes) else held)
        lazy = polars.scan_parquet(io.BytesIO(held) if isinstance(held, bytes) else held, glob=False)
        schema = lazy.collect_schema()
        rows = int(lazy.select(polars.len()).collect().item())
    except _refusals() as error:
        raise HandLogError(f"{source.place}: not readable as Parquet: {_first_line(error)}") from None
    wrong = [name for name, kind in schema.items() if not (kind == polars.String or kind.is_integer())]
    if wrong:
        raise HandLogError(
            f"{source.place}: the column {wrong[0]} holds {schema[wrong[0]]}; write text, so that nothing is rounded, or whole numbers"
        )
    names = list(schema)

    def batches(advance: Callable[[int], None]) -> Iterator[Rows]:
        for start in range(0, rows, BATCH_ROWS):
            try:
                frame = lazy.slice(start, BATCH_ROWS).select(polars.all().cast(polars.String)).collect()
            except _refusals() as error:
                raise HandLogError(f"{source.place}: not readable as Parquet: {_first_line(error)}") from None
            frame = frame.with_columns(
                polars.when(polars.all() != "").then(polars.all()).otherwise(None).name.keep()
            )
            yield Rows(np.arange(start + 1, start + 1 + frame.height, dtype=np.int64), frame, ())
            advance(frame.height)

    head = {key: metadata[key] for key in HEAD_KEYS if key in metadata}
    return HandLog(source=source, head=head, names=names, size=rows, batches=batches, line_word="row")


def _refusals() -> tuple[type[BaseException], ...]:
    """What a damaged Parquet file makes polars raise; a panic of its own is no ordinary error."""
    import polars

    return OSError, polars.exceptions.PolarsError, polars.exceptions.PanicException


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
