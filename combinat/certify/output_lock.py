"""The folder that reports are written to: one run at a time, and marked while its collection may not fit its reports.

The lock is the system's lock on the folder itself, so that nothing of it stays behind when a run is killed. The mark is a
file. It is there from the moment before the first report is replaced until the collection over the reports is written
again, and it stays where a run stops in between: verification then says that the folder is incomplete.
"""

import contextlib
import errno
import fcntl
import os
import time
from collections.abc import Iterator, Set
from pathlib import Path

from combinat.base.errors import CertificateError, CombinatError, FileError
from combinat.base.files import plain_bytes, replacing

MARK = ".incomplete.combinat"
MARK_TEXT = b"combinat report has not finished in this folder; run it again\n"
MOST_MARK = 10_000
PATIENCE = 2.0
"""Seconds for which a run waits for a reader of the folder; another run holds it for longer."""


@contextlib.contextmanager
def writing_to(folder: Path) -> Iterator[None]:
    """Hold a folder for one run of reports; it is made if it is missing, and removed again if nothing is written."""
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise _unwritable(folder, error) from None
    try:
        if not _is_locked(handle, fcntl.LOCK_EX, PATIENCE):
            raise CombinatError(
                f"{folder}: another combinat is writing to it; let it end, or choose another place"
            )
        yield
    finally:
        os.close(handle)
        with contextlib.suppress(OSError):
            for place in missing:
                place.rmdir()  # only if it is empty


@contextlib.contextmanager
def reading_from(folder: Path) -> Iterator[None]:
    """Keep runs of reports from changing a folder, or the report that it is, while it is read."""
    with contextlib.ExitStack() as held:
        for place in (folder, folder.absolute().parent):
            try:
                handle = os.open(place, os.O_RDONLY | os.O_DIRECTORY)
            except OSError:
                continue  # what cannot be opened is said where it is read
            held.callback(os.close, handle)
            if not _is_locked(handle, fcntl.LOCK_SH, 0):
                raise CertificateError("a report is being written here; let it end, and verify then")
        yield


def _is_locked(handle: int, kind: int, patience: float) -> bool:
    """Whether the lock is ours; a file system without locks has nobody to keep out."""
    until = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(handle, kind | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES):
                return True
            if time.monotonic() >= until:
                return False
            time.sleep(0.05)
        else:
            return True


def mark_incomplete(folder: Path) -> bool:
    """Mark a folder whose reports are about to change, until its collection is written again; False: it was marked."""
    try:
        file = (folder / MARK).open("xb")
    except FileExistsError:
        _check_mark(folder)
        return False
    except OSError as error:
        raise _unwritable(folder, error) from None
    try:
        with file:
            file.write(MARK_TEXT)
    except OSError as error:
        (folder / MARK).unlink()  # the disk is full, and nothing was changed yet
        raise _unwritable(folder, error) from None
    return True


def mark_files(folder: Path, files: Set[tuple[str, str]]) -> None:
    """Mark a folder in which these files, each with its SHA-256, are about to be put into their place."""
    if os.path.lexists(folder / MARK):
        _check_mark(folder)
    with replacing(folder / MARK) as aside:
        aside.write_bytes(
            MARK_TEXT + "".join(f"{sha256}  {name}\n" for name, sha256 in sorted(files)).encode()
        )


def marked_files(folder: Path) -> set[tuple[str, str]]:
    """Return the files that the mark of a folder names, each with its SHA-256."""
    try:
        lines = plain_bytes(folder / MARK, MOST_MARK).decode("utf-8", "replace").splitlines()[1:]
    except FileError:
        return set()
    return {(name, sha256) for sha256, _, name in (line.partition("  ") for line in lines)}


def mark_complete(folder: Path) -> None:
    """Take the mark off a folder whose collection fits its reports."""
    if os.path.lexists(folder / MARK):
        _check_mark(folder)
        (folder / MARK).unlink()


def _check_mark(folder: Path) -> None:
    """Refuse a file of someone else's in the place of the mark; one that is cut short is a killed run's."""
    with contextlib.suppress(FileError):
        content = plain_bytes(folder / MARK, MOST_MARK)
        if content.startswith(MARK_TEXT) or MARK_TEXT.startswith(content):
            return
    raise CombinatError(f"{folder / MARK}: there is something else in its place; move it away")


def _unwritable(folder: Path, error: OSError) -> CombinatError:
    return CombinatError(f"{folder}: cannot be written ({error.strerror}); choose another place")
