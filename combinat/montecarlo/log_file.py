"""The hand log as it is written: CSV as rows come, Parquet from that CSV at the end."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

HEAD_KEYS = ("game", "decks", "cards", "cut-card", "unit", "rounding", "note")
"""The keys of the head of a log: lines ``# key: value`` of CSV, metadata of Parquet."""


class LogWriter:
    """A hand log being written: CSV as rows come; Parquet from that CSV at the end."""

    def __init__(self, path: Path, head: Mapping[str, str], names: Sequence[str], parquet: bool) -> None:
        self.path, self.head, self.names, self.parquet = path, head, names, parquet
        self._rows = path.with_suffix(".csv.part") if parquet else path
        self._file: Any = None

    def __enter__(self) -> "LogWriter":
        self._file = self._rows.open("wb")
        lines = [] if self.parquet else [f"# {key}: {value}" for key, value in self.head.items()]
        self._file.write(("\n".join([*lines, ",".join(self.names)]) + "\n").encode())
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> None:
        self._file.close()
        try:
            if self.parquet and kind is None:
                import polars

                types = {
                    name: polars.Int64 if name in ("round", "shoe") else polars.String for name in self.names
                }
                lazy = polars.scan_csv(self._rows, schema=types)
                lazy.sink_parquet(self.path, metadata=dict(self.head))
        finally:
            if self.parquet:
                self._rows.unlink(missing_ok=True)

    def write(self, lines: Iterable[str]) -> None:
        """Add rows, each a line with its end."""
        self._file.write("".join(lines).encode())
