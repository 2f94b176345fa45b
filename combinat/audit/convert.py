"""The public ``convert``: a foreign hand log written in combinat's own columns and notation."""

from pathlib import Path

from combinat.audit.converters import LogMapGiven, as_log_map
from combinat.audit.reading.conversion import Conversion, converted
from combinat.base.errors import FileError, InputError
from combinat.base.output_paths import refuse_inputs
from combinat.engine.progress import SILENT, Progress
from combinat.montecarlo.output import LOG_SUFFIXES
from combinat.rules.converters import as_path


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
    source, place = as_path("file", file), as_path("out", out)
    if place.suffix not in LOG_SUFFIXES:
        raise InputError(
            f'found "{place}"', f"write a file name that ends in {' or '.join(LOG_SUFFIXES)}", parameter="out"
        )
    map_file = Path(log_map) if isinstance(log_map, str | Path) else None
    refuse_inputs("out", place, {"the log": source, "the map": map_file})
    conversion = converted(
        source, place, game, as_log_map(log_map), lambda total: progress.bar(total, "reading", parts=False)
    )
    for line, why in conversion.unreadable:
        progress.warn(f"{conversion.line_word} {line}: {why}")
    if conversion.unreadable_rows:
        raise FileError(
            f"{source}: {conversion.unreadable_rows} of {conversion.rows} rows cannot be read; nothing was written"
        )
    return conversion
