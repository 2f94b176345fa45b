"""Files: each written whole or not at all, and each read only if it is a plain file of a bounded size."""

import os
import stat
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from combinat.errors import CombinatError

Files = Mapping[str, bytes]
"""The files of a folder by name, with ``/`` between its parts."""


class FileError(CombinatError):
    """A file that cannot be read or written; ``why`` says so without its name."""

    def __init__(self, path: Path, why: str) -> None:
        self.path, self.why = path, why
        super().__init__(f"{path}: {why}")


def plain_bytes(path: Path, most: int) -> bytes:
    """The bytes of a plain file of at most so many: no link at its end, no pipe, no device, no endless file."""
    never = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | never)) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise FileError(path, "not a plain file")
            content = file.read(most + 1)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise FileError(path, f"cannot be read ({why})") from None
    if len(content) > most:
        raise FileError(path, f"larger than {most} bytes")
    return content


def write_whole(path: Path, text: str) -> Path:
    """Write a text file so that a reader sees the old file or the new one, never a part."""
    with replacing(path) as temporary:
        temporary.write_text(text.rstrip("\n") + "\n", encoding="utf-8", newline="\n")
    return path


def write_bytes_whole(path: Path, content: bytes) -> Path:
    """Write a file so that a reader sees the old file or the new one, never a part."""
    with replacing(path) as temporary:
        temporary.write_bytes(content)
    return path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A file to write in the place of ``path``: it takes its place when all went well, else it is gone."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=f".{path.name}")
        os.close(handle)
        temporary = Path(name)
        try:
            yield temporary
            temporary.chmod(0o644)
            os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise FileError(path, f"cannot be written ({error.strerror}); choose another place") from None
