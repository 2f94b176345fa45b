"""A file to judge: a path, which may be of any length, or bytes that someone holds; as it is, or compressed."""

import gzip
import hashlib
import io
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from combinat.base.errors import CombinatError, FileError
from combinat.base.files import open_plain

MARK = b"\xef\xbb\xbf"
"""What some programs put before UTF-8 text."""

GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
"""What compressed files begin with."""

MOST_LINE = 2**16
"""Bytes of a line: beyond it a file is no text of rows."""

ZSTD_PIECE = 2**10
"""Bytes of zstd that are unpacked at once: they come to 32 MiB at the most, four bytes to 128 KiB."""

MOST_UNPACKED, MOST_RATIO = 2**24, 32
"""Bytes that any compressed file may unpack to, and how many times its own size a larger one may: logs come to four to ten."""


class Stream(io.BufferedReader):
    """The bytes of a file from their beginning, decompressed; ``done`` is how many bytes of the file were used."""

    def __init__(self, raw: Any, below: BinaryIO) -> None:
        super().__init__(raw, 2**18)
        self._below = below

    @property
    def done(self) -> int:
        """How many bytes of the file itself have been read."""
        return self._below.tell()

    def close(self) -> None:
        """Close the file too."""
        super().close()
        self._below.close()


@dataclass(frozen=True, slots=True)
class Source:
    """A file: its name, what messages call it, and its bytes, from its path or from memory."""

    name: str
    place: str
    content: Path | bytes

    @classmethod
    def at(cls, path: Path) -> "Source":
        """The file at this path."""
        return cls(path.name, str(path), path)

    @classmethod
    def of(cls, name: str, content: bytes) -> "Source":
        """These bytes, under this name."""
        return cls(name, name, content)

    def open(self, refusal: type[CombinatError] = FileError) -> io.BufferedReader | io.BytesIO:
        """The bytes as they are, from their beginning; a file that cannot be read is refused with this error."""
        if isinstance(self.content, bytes):
            return io.BytesIO(self.content)
        try:
            return open_plain(self.content)
        except FileError as error:
            raise refusal(f"{self.place}: {error.why}") from None

    @contextmanager
    def stream(self, refusal: type[CombinatError] = FileError) -> Iterator[Stream]:
        """The bytes, decompressed; what cannot be read to its end is refused with this error."""
        below = self.open(refusal)
        try:
            begin = below.read(4)
            below.seek(0)
            raw: Any = below
            if begin.startswith(GZIP):
                raw = _Unpacked(gzip.GzipFile(fileobj=below), self.most_unpacked)
            elif begin == ZSTD:
                raw = _Unpacked(_zstd(self.place, below, refusal), self.most_unpacked)
            with Stream(raw, below) as stream:
                yield stream
        except (OSError, EOFError, zlib.error) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise refusal(f"{self.place}: cannot be read to its end ({why})") from None
        finally:
            below.close()

    def read(self, most: int, refusal: type[CombinatError] = FileError) -> bytes:
        """The first bytes, this many at most."""
        with self.stream(refusal) as file:
            return file.read(most)

    def unended_line(self) -> int | None:
        """The number of the last line of a text, where no line end comes after it."""
        lines, last = 0, b""
        with self.stream() as file:
            while read := file.read(2**20):
                lines += read.count(b"\n")
                last = read[-1:]
        return lines + 1 if last not in (b"", b"\n") else None

    @property
    def most_unpacked(self) -> int:
        """How many bytes a compressed file may unpack to."""
        return max(MOST_UNPACKED, MOST_RATIO * self.size)

    @property
    def size(self) -> int:
        """How many bytes there are, as they lie in the file."""
        return len(self.content) if isinstance(self.content, bytes) else self.content.stat().st_size

    @property
    def sha256(self) -> str:
        """The SHA-256 of the bytes as they lie in the file."""
        with self.open() as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    @property
    def is_regular(self) -> bool:
        """Whether it is a file, if it is anything at all."""
        return isinstance(self.content, bytes) or self.content.is_file() or not self.content.exists()

    @property
    def is_parquet(self) -> bool:
        """Whether it begins as Parquet does."""
        return self.read(4) == b"PAR1"

    @property
    def is_json(self) -> bool:
        """Whether it begins as JSON does, or is named so and does not begin as a hand log does."""
        begin = self._begin(4096)
        if begin[:1] in (b"{", b"["):
            return True
        is_log = begin.startswith(b"#") or b"round" in begin.partition(b"\n")[0]
        return self.name.endswith(".json") and not is_log

    @property
    def is_json_rows(self) -> bool:
        """Whether it is rows in JSON: a list, or an object a line, and so no counts file."""
        begin = self._begin(MOST_LINE)
        if begin.startswith(b"["):
            return True
        try:
            row = json.loads(begin.partition(b"\n")[0])
        except ValueError:
            return False
        except RecursionError:
            return True
        return isinstance(row, dict) and bool(row) and not {"schema", "bets", "cells", "insurance"} & set(row)

    def _begin(self, most: int) -> bytes:
        return self.read(most, FileError).removeprefix(MARK).lstrip()


class _Unpacked(io.RawIOBase):
    """Decompressed bytes, up to so many: a small file must not cost what a large one does."""

    def __init__(self, raw: Any, most: int) -> None:
        self._raw, self._most, self._count = raw, most, 0

    def readable(self) -> bool:
        return True

    def readinto(self, into: Any) -> int:
        count: int = self._raw.readinto(into)
        self._count += count
        if self._count > self._most:
            raise OSError(f"it unpacks to more than {self._most} bytes; unpack it, and give the file itself")
        return count


def _zstd(place: str, below: BinaryIO, refusal: type[CombinatError]) -> Any:
    import zstandard

    def new_frame() -> Any:
        return zstandard.ZstdDecompressor(max_window_size=2**27).decompressobj()

    class Decompressed(io.RawIOBase):
        """What zstandard gives, frame after frame, with its errors as those of a file."""

        def __init__(self) -> None:
            self._frame, self._ready, self._begun = new_frame(), b"", False

        def readable(self) -> bool:
            return True

        def readinto(self, into: Any) -> int:
            while not self._ready:
                if self._frame.eof:
                    rest, self._frame = self._frame.unused_data, new_frame()
                else:
                    rest = b""
                read = rest or below.read(ZSTD_PIECE)
                if not read:
                    if self._begun:
                        raise OSError("the compressed file is cut")
                    return 0
                try:
                    self._ready = self._frame.decompress(read)
                except zstandard.ZstdError as error:
                    raise OSError(str(error)) from None
                self._begun = not self._frame.eof
            count = min(len(into), len(self._ready))
            into[:count], self._ready = self._ready[:count], self._ready[count:]
            return count

    return Decompressed()
