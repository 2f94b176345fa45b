"""A file to judge: a path of any size or bytes in memory, plain or compressed."""

import gzip
import hashlib
import io
import json
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from combinat.base.errors import FileError
from combinat.base.files import open_plain

MARK = b"\xef\xbb\xbf"
"""The byte order mark, which some programs put before UTF-8 text."""

GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
"""The first bytes of compressed files."""

MOST_LINE = 2**16
"""The longest line of a text, in bytes."""

PIECE = 2**18
"""Bytes that are decompressed at once."""

ZSTD_PIECE = 2**10
"""Bytes of zstd that are decompressed at once: at most 32 MiB of output, 128 KiB for each four bytes."""

MOST_UNPACKED, MOST_RATIO = 2**24, 32
"""The size to which any compressed file may unpack, and the ratio that a larger one may have: logs have four
to ten."""


class Stream(io.BufferedReader):
    """The bytes of a file from their beginning, decompressed."""

    def __init__(self, raw: Any, below: BinaryIO) -> None:
        super().__init__(raw, 2**18)
        self._below = below

    @property
    def done(self) -> int:
        """Return the number of bytes read from the underlying file."""
        return self._below.tell()

    def close(self) -> None:
        """Close the stream and the underlying file."""
        super().close()
        self._below.close()


@dataclass(frozen=True, slots=True)
class Source:
    """A file: its name, its place in messages, and its bytes, from its path or from memory."""

    name: str
    place: str
    content: Path | bytes

    @classmethod
    def at(cls, path: Path) -> "Source":
        """Return the file at this path."""
        return cls(path.name, str(path), path)

    @classmethod
    def of(cls, name: str, content: bytes) -> "Source":
        """These bytes, under this name."""
        return cls(name, name, content)

    def open(self) -> io.BufferedReader | io.BytesIO:
        """Return the bytes as they are, from their beginning."""
        if isinstance(self.content, bytes):
            return io.BytesIO(self.content)
        try:
            return open_plain(self.content)
        except FileError as error:
            raise FileError(f"{self.place}: {error.why}") from None

    @contextmanager
    def stream(self) -> Iterator[Stream]:
        """Open the bytes, decompressed."""
        below = self.open()
        try:
            begin = below.read(4)
            below.seek(0)
            raw: Any = below
            if begin.startswith(GZIP):
                pieces = iter(partial(gzip.GzipFile(fileobj=below).read1, PIECE), b"")
                raw = _Unpacked(pieces, self.most_unpacked)
            elif begin == ZSTD:
                raw = _Unpacked(zstd_pieces(below), self.most_unpacked)
            with Stream(raw, below) as stream:
                yield stream
        except (OSError, EOFError, zlib.error) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise FileError(f"{self.place}: cannot be read to its end ({why})") from None
        finally:
            below.close()

    def read(self, most: int) -> bytes:
        """Return the first bytes, this many at most."""
        with self.stream() as file:
            return file.read(most)

    def unended_line(self) -> int | None:
        """Return the number of the last line of a text if it has no line end, or None."""
        lines, last = 0, b""
        with self.stream() as file:
            while read := file.read(2**20):
                lines += read.count(b"\n")
                last = read[-1:]
        return lines + 1 if last not in (b"", b"\n") else None

    @property
    def most_unpacked(self) -> int:
        """The maximum size of a decompressed file in bytes."""
        return max(MOST_UNPACKED, MOST_RATIO * self.size)

    @property
    def size(self) -> int:
        """The size of the file in bytes, as stored."""
        return len(self.content) if isinstance(self.content, bytes) else self.content.stat().st_size

    @property
    def sha256(self) -> str:
        """The SHA-256 of the bytes as stored."""
        with self.open() as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    @property
    def is_regular(self) -> bool:
        """Whether the path is a regular file or does not exist."""
        return isinstance(self.content, bytes) or self.content.is_file() or not self.content.exists()

    @property
    def form(self) -> "FileForm":
        """The form of the content, by its beginning; the name counts only where the content is unclear."""
        if self.read(4) == b"PAR1":
            return FileForm.PARQUET
        begin = self.read(MOST_LINE).removeprefix(MARK).lstrip()
        if begin.startswith(b"["):
            return FileForm.JSON_LIST
        line = begin.partition(b"\n")[0]
        is_log = line.startswith(b"#") or b"round" in line
        if not begin.startswith(b"{") and (is_log or not self.name.endswith(".json")):
            return FileForm.DELIMITED
        try:
            row = json.loads(line)
        except ValueError:
            return FileForm.COUNTS
        except RecursionError:
            return FileForm.JSON_LINES
        is_row = isinstance(row, dict) and row and not {"schema", "bets", "cells", "insurance"} & set(row)
        return FileForm.JSON_LINES if is_row else FileForm.COUNTS


class FileForm(StrEnum):
    """The form of a file."""

    COUNTS = "counts"
    JSON_LIST = "list"
    JSON_LINES = "lines"
    PARQUET = "parquet"
    DELIMITED = "delimited"  # also a bead plate


class _Unpacked(io.RawIOBase):
    """Decompressed pieces as a file, up to a limit that protects against decompression bombs."""

    def __init__(self, pieces: Iterator[bytes], most: int) -> None:
        self._pieces, self._most, self._count, self._ready = pieces, most, 0, b""

    def readable(self) -> bool:
        return True

    def readinto(self, into: Any) -> int:
        while not self._ready:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._ready = piece
            self._count += len(piece)
            if self._count > self._most:
                raise OSError(
                    f"it unpacks to more than {self._most} bytes; unpack it, and give the file itself"
                )
        count = min(len(into), len(self._ready))
        into[:count], self._ready = self._ready[:count], self._ready[count:]
        return count


def zstd_pieces(below: BinaryIO) -> Iterator[bytes]:
    """Yield the contents of each zstd frame."""
    import zstandard

    rest = b""
    while rest := rest or below.read(ZSTD_PIECE):
        frame = zstandard.ZstdDecompressor(max_window_size=2**27).decompressobj()
        while not frame.eof:
            if not rest:
                raise OSError("the compressed file is cut")
            try:
                yield frame.decompress(rest)
            except zstandard.ZstdError as error:
                raise OSError(str(error)) from None
            rest = frame.unused_data if frame.eof else below.read(ZSTD_PIECE)


# ---------------------------------------------------------------- logs that grow


MOST_READ = 2**23
"""Bytes of a growing log that are read at once."""


def whole_lines(content: bytes) -> tuple[bytes, bytes]:
    """Return the complete lines, and the rest: an incomplete line, or blank lines that may end the file."""
    end, text = content.rfind(b"\n") + 1, len(content.rstrip(b"\r\n"))
    if end > text:
        end = content.find(b"\n", text) + 1 if text else 0
    return content[:end], content[end:]


TAIL = 4096
"""The bytes before the last position that are compared, to see whether the file is still the same."""

COMPRESSED = (GZIP, ZSTD, b"PAR1")


@dataclass(slots=True)
class GrowingFile:
    """A file that grows. ``done``: the number of bytes read; ``tail``: the last of them.

    The file has no final end.
    """

    path: Path
    done: int = 0
    tail: bytes = b""
    has_ended: bool = field(default=False, init=False)

    @property
    def place(self) -> str:
        """The place for messages."""
        return str(self.path)

    def more(self) -> bytes:
        """Return the complete lines written since the last call."""
        before = max(0, self.done - TAIL)
        try:
            with open_plain(self.path) as file:
                file.seek(before)
                tail, content = file.read(self.done - before), file.read(MOST_READ)
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
        """Continue from a saved state; refuse a file that has changed since."""
        try:
            with open_plain(self.path) as file:
                file.seek(max(0, done - TAIL))
                tail = file.read(min(done, TAIL))
        except OSError:  # the offset is too large for a file
            tail = b""
        if len(tail) < min(done, TAIL) or hashlib.sha256(tail).hexdigest() != tail_sha256:
            raise FileError(
                f"{self.place}: not the file that the state is of, up to byte {done}; begin again with another state"
            )
        self.done, self.tail = done, tail


@dataclass(slots=True)
class Incoming:
    """Lines from a descriptor, such as standard input, until it is closed."""

    descriptor: int
    place: str = "standard input"
    has_ended: bool = field(default=False, init=False)
    _rest: bytes = b""

    def more(self) -> bytes:
        """Return complete lines as soon as there are any; at the end, also an incomplete line."""
        while not self.has_ended:
            read = os.read(self.descriptor, MOST_READ)
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
