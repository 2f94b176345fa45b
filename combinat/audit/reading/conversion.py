"""A foreign log written as the house's own: the same rounds, in columns and notation that need no map."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from combinat.audit.reading.hand_log import hand_log, opened
from combinat.audit.reading.hands import Hands
from combinat.audit.reading.log_map import HANDS, LogMap
from combinat.audit.reading.notation import Notation
from combinat.audit.reading.rows import RowBatch
from combinat.audit.reading.source import Source
from combinat.base.errors import FileError, InputError
from combinat.base.files import replacing
from combinat.montecarlo.log_file import LogWriter
from combinat.rules.book.load import load_rule_book

if TYPE_CHECKING:
    import polars

SHOWN = 10
"""How many rows that cannot be read are kept to be shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversion:
    """What was written, how it was read, and the first rows that could not be."""

    rows: int
    unreadable_rows: int
    unreadable: tuple[tuple[int, str], ...]
    read_as: tuple[tuple[str, str], ...]
    line_word: str


_FORMULA = r"^[\t\r\n]|^\s*[=+\-@\x{ff1d}\x{ff0b}\x{ff0d}\x{ff20}]"
_NUMBER = r"^\s*-?[0-9]+([./][0-9]+)?\s*$"


def _without_formulas(frame: "polars.DataFrame") -> "polars.DataFrame":
    """Rows with an apostrophe before texts that a spreadsheet would take for formulas."""
    import polars

    text = polars.col(polars.String)
    is_formula = text.str.contains(_FORMULA) & ~text.str.contains(_NUMBER)
    return frame.with_columns(polars.when(is_formula).then("'" + text).otherwise(text).name.keep())


def _in_ranks(rows: RowBatch, notation: Notation) -> tuple["polars.DataFrame", list[tuple[int, str]]]:
    """Rows with their cards as ranks, and the lines that cannot be read."""
    unreadable, frame = dict(rows.unreadable), rows.frame
    for name in HANDS:
        if name in frame.columns:
            hands = Hands.of(frame[name], notation, [])
            unreadable |= {int(rows.lines[row]): f"{name}: {why}" for row, why in hands.unreadable.items()}
            frame = frame.with_columns(hands.cards.alias(name))
    return frame, sorted(unreadable.items())


class _UnreadableError(FileError):
    """Rows that cannot be read, so that nothing is written."""


def converted(
    path: Path,
    out: Path,
    game: str | None,
    given: LogMap,
    bar: Callable[[int], AbstractContextManager[Callable[[int], None]]],
) -> Conversion:
    """Write the log at this path as a native one, whole or not at all."""
    rows = opened(Source.at(path), given)
    name = game or given.game or rows.head.get("game")
    if name is None:
        raise InputError(
            f"{path}: the file names no game", "add a line # game: ID, or give {game}", parameter="game"
        )
    book = load_rule_book(name)
    log = hand_log(rows, book.game, given)
    if not log.tells_ranks:
        raise FileError(
            f"{path}: the cards are written as points, which a hand log of ranks cannot hold; judge the file as it is"
        )
    head = {"game": book.game.id} | {
        key: value for key, value in log.head.items() if key not in ("game", "note")
    }
    head |= {"note": log.head["note"]} if "note" in log.head else {}
    count, unreadable = 0, list[tuple[int, str]]()
    bad = 0
    try:
        with (
            replacing(out) as aside,
            LogWriter(aside, head, log.names, parquet=out.suffix == ".parquet") as writer,
            bar(log.size) as advance,
        ):
            for some in log.batches(advance):
                count += some.frame.height + len(some.unreadable)
                frame, lines = _in_ranks(some, log.notation)
                bad += len(lines)
                unreadable = [*unreadable, *lines][:SHOWN]
                frame = frame if out.suffix == ".parquet" else _without_formulas(frame)
                writer.write([frame.write_csv(include_header=False)])
            if bad:
                raise _UnreadableError("rows that cannot be read")
    except _UnreadableError:
        pass
    return Conversion(
        rows=count,
        unreadable_rows=bad,
        unreadable=tuple(unreadable),
        read_as=log.read_as,
        line_word=log.line_word,
    )
