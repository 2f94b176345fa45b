"""A file to judge: a path, which may be of any length, or bytes that someone holds."""

import hashlib
import io
from dataclasses import dataclass
from pathlib import Path

from combinat.errors import CombinatError, CountsError, HandLogError
from combinat.render.files import FileError, open_plain

MARK = b"\xef\xbb\xbf"
"""What some programs put before UTF-8 text."""


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

    def open(self, refusal: type[CombinatError] = HandLogError) -> io.BufferedReader | io.BytesIO:
        """The bytes, from their beginning; a file that cannot be read is refused with this error."""
        if isinstance(self.content, bytes):
            return io.BytesIO(self.content)
        try:
            return open_plain(self.content)
        except FileError as error:
            raise refusal(f"{self.place}: {error.why}") from None

    def read(self, most: int, refusal: type[CombinatError] = HandLogError) -> bytes:
        """The first bytes, this many at most."""
        try:
            with self.open(refusal) as file:
                return file.read(most)
        except OSError as error:
            raise refusal(f"{self.place}: cannot be read ({error.strerror})") from None

    @property
    def size(self) -> int:
        """How many bytes there are."""
        return len(self.content) if isinstance(self.content, bytes) else self.content.stat().st_size

    @property
    def sha256(self) -> str:
        """The SHA-256 of the bytes."""
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
        begin = self.read(4096, CountsError).removeprefix(MARK).lstrip()
        if begin[:1] in (b"{", b"["):
            return True
        is_log = begin.startswith(b"#") or b"round" in begin.partition(b"\n")[0]
        return self.name.endswith(".json") and not is_log
