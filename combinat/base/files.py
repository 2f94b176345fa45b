"""Files: each written whole or not at all, and each read only if it is a plain file of a bounded size.

A file is written in a temporary folder beside its place, whose name begins with a dot, and then put into its
place in one step. Its bytes are on the disk before that, so that a power cut leaves the old file or the new one. A mark in that folder is locked while its program runs. So the leftovers of a killed run
are recognised, and the next run that writes to the same place removes them.
"""

import errno
import io
import os
import re
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from combinat.base.errors import FileError

try:
    import fcntl
except ImportError:  # a system on which an open file cannot be removed
    fcntl = None  # type: ignore[assignment]

MARK = ".unfinished"
MARK_TEXT = b"a file that combinat had not finished; this folder may be removed\n"
ASIDE = ".combinat"
"""The end of the name of a folder that is written aside."""

Files = Mapping[str, bytes]
"""The files of a folder by name, with ``/`` between its parts."""


def _unusable(path: Path, why: str) -> FileError:
    return FileError(f"{path}: {why}", why)


def open_plain(path: Path, *, links: bool = True) -> io.BufferedReader:
    """Open a plain file for reading; refuse folders, pipes and devices without waiting for them.

    ``links``: whether a link at the end of the path is followed.
    """
    never = getattr(os, "O_NONBLOCK", 0) | (0 if links else getattr(os, "O_NOFOLLOW", 0))
    try:
        kind = stat.S_IFMT(os.stat(path, follow_symlinks=links).st_mode)
        if kind not in (
            stat.S_IFREG,
            stat.S_IFDIR,
            stat.S_IFLNK,
        ):  # opening a device can have side effects
            raise _unusable(path, "not a plain file")
        file = open(path, "rb", opener=lambda name, flags: os.open(name, flags | never))  # noqa: SIM115
    except (OSError, ValueError) as error:
        raise _unusable(path, f"cannot be read ({_why(error)})") from None
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise _unusable(path, "not a plain file")
    return file


def plain_bytes(path: Path, most: int, *, links: bool = False) -> bytes:
    """Return the bytes of a plain file, at most ``most``; ``links``: follow a link at the end of the path."""
    try:
        with open_plain(path, links=links) as file:
            content = file.read(most + 1)
    except OSError as error:
        raise _unusable(path, f"cannot be read ({_why(error)})") from None
    if len(content) > most:
        raise _unusable(path, f"larger than {most} bytes")
    return content


def is_same_file(one: Path, other: Path) -> bool:
    """Whether two paths lead to the same file, through any links."""
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):  # one of them does not exist, so it is not a link to the other
        return os.path.realpath(one) == os.path.realpath(other)


def write_whole(path: Path, text: str) -> Path:
    """Write a text file so that a reader sees the old file or the new one, never a part."""
    with replacing(path) as temporary:
        temporary.write_text(text.rstrip("\n") + "\n", encoding="utf-8", newline="\n")
    return path


def write_new(path: Path, text: str) -> Path:
    """Write a new text file, whole or not at all; never overwrite an existing one."""
    try:
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        path.parent.mkdir(parents=True, exist_ok=True)
        with unfinished_folder(path) as folder:
            temporary = folder / path.name
            temporary.write_bytes(text.encode("utf-8"))
            to_disk(temporary)
            os.link(temporary, path)  # unlike a move, a link never replaces an existing file
    except (OSError, ValueError) as error:
        if isinstance(error, FileExistsError) and os.path.lexists(path):
            raise _unusable(path, "exists already and is not changed; choose another name") from None
        raise _unusable(path, f"cannot be written ({_why(error)}); choose another place") from None
    return path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a file to write; it replaces ``path`` on success and is removed on failure.

    A link is followed, as in a shell; anything but a plain file is refused.
    """
    try:
        place = Path(os.path.realpath(path))
        if place.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if place.exists() and not place.is_file():
            raise _unusable(path, "cannot be written (not a plain file); choose another place")
        place.parent.mkdir(parents=True, exist_ok=True)
        with unfinished_folder(place) as folder:
            temporary = folder / place.name
            yield temporary
            to_disk(temporary)
            if place.exists():  # as in a shell, a rewritten file keeps its permissions
                temporary.chmod(stat.S_IMODE(place.stat().st_mode))
            os.replace(temporary, place)
    except OSError as error:
        raise _unusable(path, f"cannot be written ({_why(error)}); choose another place") from None


def to_disk(file: Path) -> None:
    """Have the bytes of a file on the disk, before its name takes the place of another. It takes 4 to 7 ms."""
    with file.open("rb+" if os.name == "nt" else "rb") as opened:
        os.fsync(opened.fileno())


@contextmanager
def unfinished_folder(place: Path) -> Iterator[Path]:
    """Yield a temporary folder beside a place, marked as unfinished and locked; it is removed at the end.

    The leftovers of killed runs are removed first.
    """
    import tempfile  # imported here: most commands write no file

    for left in leftovers(place):
        _remove(left)
    folder = Path(tempfile.mkdtemp(dir=place.parent, prefix=_aside_prefix(place), suffix=ASIDE))
    try:
        with (folder / MARK).open("wb") as mark:
            if fcntl is not None:
                fcntl.flock(mark, fcntl.LOCK_EX)
            mark.write(MARK_TEXT)
            mark.flush()
            yield folder
    finally:
        _remove(folder)


def _aside_prefix(place: Path) -> str:
    return f".{place.name[:50]}."  # the prefix stays short if the name is long


def leftovers(place: Path) -> list[Path]:
    """Return the temporary folders of killed runs beside a place: those with our mark that no program locks."""
    ours = re.compile(rf"{re.escape(_aside_prefix(place))}\w{{8}}{re.escape(ASIDE)}")
    return [
        entry
        for entry in place.parent.iterdir()
        if ours.fullmatch(entry.name) and entry.is_dir() and not entry.is_symlink() and _is_left_over(entry)
    ]


def _is_left_over(folder: Path) -> bool:
    if fcntl is None:
        return False
    try:
        with open_plain(folder / MARK, links=False) as mark:
            fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return mark.read(len(MARK_TEXT) + 1) in (MARK_TEXT, b"")
    except OSError:  # held
        return False
    except FileError:
        return not any(folder.iterdir())  # killed before the mark was set, or after it was removed


def _remove(folder: Path) -> None:
    """Remove a temporary folder, its mark last, so that an interrupted removal is recognised."""
    import shutil  # imported here: most commands write no file

    try:
        for entry in folder.iterdir():
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry)
            elif entry.name != MARK:
                entry.unlink(missing_ok=True)
        (folder / MARK).unlink(missing_ok=True)
        folder.rmdir()
    except OSError:
        pass  # the next run tries again


def _why(error: Exception) -> str:
    if isinstance(error, FileExistsError):  # of a folder that should have been made
        return os.strerror(errno.ENOTDIR)
    return str(error.strerror if isinstance(error, OSError) and error.strerror else error)
