"""Writing reports to their folders: no user file is touched, and a reader sees the old report or the new one.

One run writes to a folder at a time. The lock is the system's lock on the folder itself, so no lock file
remains when a run is killed. A mark, ``.incomplete.combinat``, is in the folder from before its first report
is replaced until the collection above the reports is written again; verification reports a marked folder as
incomplete.

A folder is replaced only if it is an unchanged combinat report: every file in it is named by its own
certificate, with its hash. The new folder is written aside (``combinat.base.files``) and put in its place in one step
if the system can exchange two folders. If a kill left nothing in the place, the next run puts the old report back.
Files above the folders are replaced one by one, each whole, their certificate last; meanwhile the folder's mark
names their hashes.
"""

import contextlib
import ctypes
import errno
import hashlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

from combinat.base.errors import CertificateError, CombinatError, FileError
from combinat.base.files import Files, leftovers, plain_bytes, replacing, to_disk, unfinished_folder
from combinat.certify.certificate import CERTIFICATE, SUMS, named_files, sums
from combinat.certify.folder import MOST_FILE_BYTES, files_in

try:
    import fcntl
except ImportError:  # Windows has no locks on folders
    fcntl = None  # type: ignore[assignment]


class PlaceError(CombinatError):
    """A path that combinat may not write to."""


def _unwritable(folder: Path, error: OSError) -> CombinatError:
    return CombinatError(f"{folder}: cannot be written ({error.strerror}); choose another place")


# ---------------------------------------------------------------- one run at a time

PATIENCE = 2.0
"""Seconds for which a run waits for a reader of the folder; another run holds it for longer."""


@contextlib.contextmanager
def writing_to(folder: Path) -> Iterator[None]:
    """Lock a folder for one run of reports.

    Create it if missing, and remove it again if nothing is written.
    """
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(folder, error) from None
    try:
        with _locked(folder, is_writer=True) as is_locked:
            if not is_locked:
                raise CombinatError(
                    f"{folder}: another combinat is writing to it; let it end, or choose another place"
                )
            yield
    finally:
        with contextlib.suppress(OSError):
            for place in missing:
                place.rmdir()  # only if it is empty


def delivered_files(path: Path) -> dict[str, bytes]:
    """Return every file of a folder that a user names, possibly by a link; refuse a folder being written."""
    folder = path.resolve() if path.is_symlink() else path
    with _locked(folder) as is_free, _locked(folder.absolute().parent) as is_parent_free:
        if not (is_free and is_parent_free):
            raise CertificateError("a report is being written here; let it end, and verify then")
        return files_in(folder)


@contextlib.contextmanager
def _locked(folder: Path, *, is_writer: bool = False) -> Iterator[bool]:
    """Lock a folder for one writer or several readers; yield False if another program has locked it."""
    handle = None
    with contextlib.suppress(
        OSError
    ):  # a folder that cannot be opened is reported when it is read or written
        handle = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
    try:
        yield handle is None or fcntl is None or _is_locked(handle, is_writer=is_writer)
    finally:
        if handle is not None:
            os.close(handle)


def _is_locked(handle: int, *, is_writer: bool) -> bool:
    """Whether the lock was obtained; always True on a file system without locks."""
    until = time.monotonic() + (PATIENCE if is_writer else 0)
    while True:
        try:
            fcntl.flock(handle, (fcntl.LOCK_EX if is_writer else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES):
                return True
            if time.monotonic() >= until:
                return False
            time.sleep(0.05)
        else:
            return True


# ---------------------------------------------------------------- the mark of an incomplete folder

INCOMPLETE = ".incomplete.combinat"
INCOMPLETE_TEXT = "combinat report has not finished in this folder; run it again\n"
MOST_MARK = 10_000


def mark_incomplete(folder: Path, *files: tuple[str, str]) -> bool:
    """Mark a folder whose reports are about to change; return False if it was marked already.

    ``files``: those above the reports that are about to be replaced, each with its SHA-256.
    """
    is_first = _marked_files(folder) is None
    with replacing(folder / INCOMPLETE) as temporary:
        text = INCOMPLETE_TEXT + "".join(f"{sha256}  {name}\n" for name, sha256 in files)
        temporary.write_bytes(text.encode())
    return is_first


def mark_complete(folder: Path) -> None:
    """Remove the mark from a folder whose collection matches its reports."""
    if _marked_files(folder) is not None:
        (folder / INCOMPLETE).unlink()


def _marked_files(folder: Path) -> set[tuple[str, str]] | None:
    """Return the files that the mark of a folder names, each with its SHA-256; None: there is no mark."""
    place = folder / INCOMPLETE
    if not os.path.lexists(place):
        return None
    with contextlib.suppress(FileError):
        text = plain_bytes(place, MOST_MARK).decode("utf-8", "replace")
        if text.startswith(INCOMPLETE_TEXT):
            lines = (line.partition("  ") for line in text.splitlines()[1:])
            return {(name, sha256) for sha256, _, name in lines}
    raise PlaceError(f"{place}: there is something else in its place; move it away")


# ---------------------------------------------------------------- ownership


def check_folder(path: Path) -> None:
    """Refuse a place for a report that holds anything but an unchanged combinat report."""
    try:
        if not os.path.lexists(path):
            return
        if path.is_symlink() or not path.is_dir():
            raise PlaceError(f"{path}: there is something else in the place of the report; move it away")
        if any(path.iterdir()):
            _check_report(path)
    except OSError as error:
        raise PlaceError(f"{path}: cannot be read ({error.strerror}); move it away") from None


def _check_report(path: Path) -> None:
    """Refuse a folder whose files are not exactly those that its certificate names."""
    try:
        contents = files_in(path)
        if CERTIFICATE not in contents:
            raise CertificateError(f"no {CERTIFICATE}")
        ours = _named_by(contents[CERTIFICATE])
    except CertificateError as error:
        raise PlaceError(f"{path}: not a report that combinat wrote ({error}); move it away") from None
    for name, content in contents.items():
        if name not in ours:
            raise PlaceError(f"{path / name}: not part of the report that is there; move it away")
        if ours[name] != _sha256(content):
            raise PlaceError(f"{path / name}: changed since combinat wrote it; move the folder away")
    if missing := ours.keys() - contents.keys():
        raise PlaceError(
            f"{path / min(missing)}: missing from the report that is there; move the folder away"
        )


def _is_ours(folder: Path) -> bool:
    """Whether a folder is empty or an unchanged combinat report, so that it may be replaced."""
    try:
        check_folder(folder)
    except PlaceError:
        return False
    return True


def check_files(folder: Path, names: tuple[str, ...]) -> None:
    """Refuse a folder in which one of these files exists and is not an unchanged file of ours."""
    contents: dict[str, bytes] = {}
    for name in names:
        place = folder / name
        if not os.path.lexists(place):
            continue
        if place.is_symlink() or not place.is_file():
            raise PlaceError(f"{place}: there is something else in its place; move it away")
        try:
            contents[name] = plain_bytes(place, MOST_FILE_BYTES)
        except FileError as error:
            raise PlaceError(f"{error}; move it away") from None
    ours = _marked_files(folder) or set()  # a killed run may have replaced some of its files
    with contextlib.suppress(CertificateError):
        ours |= _named_by(contents.get(CERTIFICATE, b"")).items()
    for name, content in contents.items():
        if (name, _sha256(content)) not in ours:
            raise PlaceError(
                f"{folder / name}: not written by combinat, or changed since; move it away and nothing is lost"
            )


def _named_by(certificate: bytes) -> dict[str, str]:
    """Return the SHA-256 of every file that belongs to a certificate, itself and its sums included."""
    digests = named_files(certificate)
    return {**digests, CERTIFICATE: _sha256(certificate), SUMS: _sha256(sums(digests, certificate))}


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


# ---------------------------------------------------------------- writing


def place_folder(path: Path, files: Files) -> None:
    """Write a report's folder, replacing an old one of ours; a reader sees the old report or the new one."""
    check_folder(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for left in leftovers(path):
            if not os.path.lexists(path) and (left / "old").is_dir() and _is_ours(left / "old"):
                os.rename(left / "old", path)
        with unfinished_folder(path) as folder:
            for name, content in files.items():
                file = folder / "new" / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content)
                to_disk(file)
            _put(folder, path)
    except OSError as error:
        raise _unwritable(path, error) from None


def _put(folder: Path, path: Path) -> None:
    """Put the new report of a temporary folder into its place; the old one is then in that folder.

    The old one is checked once more when nobody can reach it by its name: if it is not ours after all,
    because something was added meanwhile, it goes back.
    """
    new, old = folder / "new", folder / "old"
    changed = PlaceError(f"{path}: changed while the new report was written; nothing was replaced")
    if not os.path.lexists(path):
        os.rename(new, path)
    elif _exchanged(new, path):
        if not _is_ours(new):
            _exchanged(new, path)
            raise changed
    else:  # the system cannot exchange folders: for a moment the place is empty
        os.rename(path, old)
        try:
            if not _is_ours(old):
                raise changed
            os.rename(new, path)
        except BaseException:
            os.rename(old, path)
            raise


_AT_THE_CURRENT_FOLDER, _EXCHANGE = -100, 2


def _exchanged(one: Path, other: Path) -> bool:
    """Whether the system exchanged two folders in one step."""
    rename = getattr(ctypes.CDLL(None), "renameat2", None) if os.name == "posix" else None
    if rename is None:
        return False
    here = _AT_THE_CURRENT_FOLDER
    return bool(rename(here, os.fsencode(one), here, os.fsencode(other), _EXCHANGE) == 0)


def place_files(folder: Path, files: Files) -> None:
    """Write the files above the folders atomically, the certificate last; then the folder is complete."""
    check_files(folder, tuple(files))
    names = sorted(files, key=lambda name: (name == CERTIFICATE, name == SUMS, name))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        mark_incomplete(folder, *((name, _sha256(files[name])) for name in names))
        for name in names:
            with replacing(folder / name) as temporary:
                temporary.write_bytes(files[name])
        mark_complete(folder)
    except OSError as error:
        raise _unwritable(folder, error) from None
