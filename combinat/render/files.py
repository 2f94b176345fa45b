"""Files, each written whole or not at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from combinat.errors import CombinatError


def write_whole(path: Path, text: str) -> Path:
    """Write a text file so that a reader sees the old file or the new one, never a part."""
    with replacing(path) as temporary:
        temporary.write_text(text.rstrip("\n") + "\n", encoding="utf-8", newline="\n")
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
        raise CombinatError(f"{path}: cannot be written ({error.strerror}); choose another place") from None
