"""The public ``convert``: a foreign hand log written in combinat's own columns and notation."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from combinat.audit.judging.terms import Statements, files_read
from combinat.audit.reading.hand_log import open_log
from combinat.audit.reading.log_map import HANDS, LogMapGiven
from combinat.audit.reading.notation import Notation
from combinat.audit.reading.rows import RowBatch
from combinat.audit.reading.source import Source
from combinat.audit.reading.values import Hands, hand_mistakes
from combinat.base.errors import FileError, InputError
from combinat.base.files import replacing
from combinat.base.output_paths import refuse_inputs
from combinat.engine.progress import SILENT, Progress
from combinat.montecarlo.log_writer import LOG_SUFFIXES, log_file
from combinat.rules.converters import as_path

if TYPE_CHECKING:
    import polars

SHOWN = 10
"""The number of unreadable rows that are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversion:
    """The number of rows written, and the columns as read."""

    rows: int
    read_as: tuple[tuple[str, str], ...]


def convert(
    file: str | Path,
    out: str | Path,
    *,
    game: str | None = None,
    log_map: LogMapGiven | None = None,
    progress: Progress = SILENT,
) -> Conversion:
    """Write a foreign hand log in combinat's own columns and notation, to .csv or .parquet.

    A file of which any row cannot be read is not written.

    >>> from combinat import convert
    >>> convert("log.csv", "log.txt")
    Traceback (most recent call last):
    combinat.base.errors.InputError: out: found "log.txt"; write a file name that ends in .csv or .parquet
    """
    source, place = Source.at(as_path("file", file)), as_path("out", out)
    if place.suffix not in LOG_SUFFIXES:
        raise InputError(
            f'found "{place}"', f"write a file name that ends in {' or '.join(LOG_SUFFIXES)}", parameter="out"
        )
    refuse_inputs("out", place, {"the log": Path(source.place), **files_read(game, log_map)})
    statements = Statements.of(game, log_map)
    judged_by, log = open_log(source, statements.game, statements.log_map)
    if not log.tells_ranks:
        raise FileError(
            f"{source.place}: the cards are written as points, which a hand log of ranks cannot hold; judge the file as it is"
        )
    head = {"game": judged_by.id} | {key: log.head[key] for key in sorted(log.head, key="note".__eq__)}
    count, unreadable, is_parquet = 0, list[tuple[int, str]](), place.suffix == ".parquet"
    with (
        replacing(place) as aside,
        log_file(aside, head, log.names, parquet=is_parquet) as write,
        progress.bar(log.size, "reading", parts=False) as advance,
    ):
        for batch in log.batches(advance):
            frame, lines = _in_ranks(batch, log.notation)
            count += batch.frame.height + len(batch.unreadable)
            unreadable += lines
            frame = frame if is_parquet else _without_formulas(frame)
            write(frame.write_csv(include_header=False))
        if unreadable:
            for line, why in unreadable[:SHOWN]:
                progress.warn(f"{log.line_word} {line}: {why}")
            raise FileError(
                f"{source.place}: {len(unreadable)} of {count} rows cannot be read; nothing was written"
            )
    return Conversion(rows=count, read_as=log.read_as)


def _in_ranks(rows: RowBatch, notation: Notation) -> tuple["polars.DataFrame", list[tuple[int, str]]]:
    """Rows with their cards as ranks, and the lines that cannot be read."""
    hands = [Hands.of(rows.frame[name], notation) for name in HANDS if name in rows.frame.columns]
    mistakes = hand_mistakes(of_hand.unreadable for of_hand in hands) if hands else {}
    unreadable = [*rows.unreadable, *((int(rows.lines[row]), why) for row, why in mistakes.items())]
    cards = {name: of_hand.cards for name, of_hand in zip(HANDS, hands, strict=False)}
    return rows.frame.with_columns(**cards), sorted(unreadable)


_FORMULA = r"^[\t\r\n]|^\s*[=+\-@\x{ff1d}\x{ff0b}\x{ff0d}\x{ff20}]"
_NUMBER = r"^\s*-?[0-9]+([./][0-9]+)?\s*$"


def _without_formulas(frame: "polars.DataFrame") -> "polars.DataFrame":
    """Rows with an apostrophe before texts that a spreadsheet would take for formulas."""
    import polars

    text = polars.col(polars.String)
    is_formula = text.str.contains(_FORMULA) & ~text.str.contains(_NUMBER)
    return frame.with_columns(polars.when(is_formula).then("'" + text).otherwise(text).name.keep())
