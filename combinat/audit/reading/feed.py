"""A log that grows: the lines that have come since one last looked, from a file or from standard input."""

import hashlib
import os
from dataclasses import dataclass, field
from pathlib import Path

from combinat.audit.reading.rows import BATCH_BYTES, whole_lines
from combinat.audit.reading.source import GZIP, MOST_LINE, ZSTD
from combinat.base.errors import FileError
from combinat.base.files import open_plain

TAIL = 4096
"""So many bytes before the place that was reached tell whether a file is still the same."""

COMPRESSED = (GZIP, ZSTD, b"PAR1")


@dataclass(slots=True)
class GrowingFile:
    """A file to whose end others write. ``done``: the bytes that were read; ``tail``: the last of them.

    It never has an end of its own.
    """

    path: Path
    done: int = 0
    tail: bytes = b""
    has_ended: bool = field(default=False, init=False)

    @property
    def place(self) -> str:
        """What messages call it."""
        return str(self.path)

    def more(self) -> bytes:
        """Whole lines that have come since."""
        before = max(0, self.done - TAIL)
        try:
            with open_plain(self.path) as file:
                file.seek(before)
                tail, content = file.read(self.done - before), file.read(BATCH_BYTES)
        except (FileError, OSError) as error:
            why = error.why if isinstance(error, FileError) else error.strerror
            raise FileError(f"{self.place}: {why}") from None
        if tail != self.tail:
            raise FileError(
                f"{self.place}: no longer the file that was followed, up to byte {self.done}; begin again with another state"
            )
        lines, rest = whole_lines(content)
        _check_rest(self.place, rest)
        self.done += len(lines)
        self.tail = (tail + lines)[-TAIL:]
        return lines

    def go_on(self, done: int, tail_sha256: str) -> None:
        """Go on where a state left it, if the file is the one that it was."""
        try:
            with open_plain(self.path) as file:
                file.seek(max(0, done - TAIL))
                tail = file.read(min(done, TAIL))
        except OSError:  # no file is so long
            tail = b""
        if len(tail) < min(done, TAIL) or hashlib.sha256(tail).hexdigest() != tail_sha256:
            raise FileError(
                f"{self.place}: not the file that the state is of, up to byte {done}; begin again with another state"
            )
        self.done, self.tail = done, tail


@dataclass(slots=True)
class Incoming:
    """Lines that come by a descriptor, such as standard input, until it is closed."""

    descriptor: int
    place: str = "standard input"
    has_ended: bool = field(default=False, init=False)
    _rest: bytes = b""

    def more(self) -> bytes:
        """Whole lines, as soon as there are any; at the end also a line that was not finished."""
        while not self.has_ended:
            read = os.read(self.descriptor, BATCH_BYTES)
            if not read:
                self.has_ended = True
                last, self._rest = self._rest.rstrip(b"\r\n"), b""
                return last + b"\n" if last else b""
            lines, self._rest = whole_lines(self._rest + read)
            _check_rest(self.place, self._rest)
            if lines:
                return lines
        return b""


Feed = GrowingFile | Incoming
"""Where lines come from: ``more`` gives those that have come since."""


def _check_rest(place: str, rest: bytes) -> None:
    if rest.startswith(COMPRESSED):
        raise FileError(f"{place}: compressed, or Parquet; only lines of text can be followed")
    if len(rest) > MOST_LINE:
        raise FileError(f"{place}: a line longer than {MOST_LINE} bytes; give a CSV hand log")
