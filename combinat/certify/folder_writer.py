"""Writing reports to their folders: no user file is touched, and a reader sees the old report or the new one.

One run writes to a folder at a time. The lock is the system's lock on the folder itself, so no lock file
remains when a run is killed. A mark, ``.incomplete.combinat``, is in the folder from before its first report
is replaced until the collection above the reports is written again; verification reports a marked folder as
incomplete.

A folder is replaced only if it is an unchanged combinat report: every file in it is named by its own
certificate, with its hash. The new folder is written beside it, under a name that begins with a dot, and put
in its place in one step if the system can exchange two folders. Files above the folders are replaced one by
one, each whole, their certificate last; meanwhile the folder's mark names their hashes.

The next run removes the leftovers of a killed run if no running program locks them and they are provably
ours: marked as unfinished, or a complete report. If a kill left nothing in the place, a complete temporary
report is put back. Nothing else is ever removed.
"""

import contextlib
import ctypes
import errno
import fcntl
import hashlib
import os
import re
import secrets
import shutil
import time
from collections.abc import Iterator, Set
from pathlib import Path

from combinat.base.errors import CertificateError, CombinatError, FileError
from combinat.base.files import Files, plain_bytes, replacing
from combinat.certify.certificate import CERTIFICATE, SUMS, named_files, sums
from combinat.certify.folder import MOST_FILE_BYTES, files_in

MARK = ".unfinished"
MARK_TEXT = b"a report that combinat had not finished; it may be removed\n"
ASIDE = ".combinat"
"""The end of the name of a folder that is written aside."""


class PlaceError(CombinatError):
    """A path that combinat may not write to."""


# ---------------------------------------------------------------- one run at a time, and the mark

INCOMPLETE = ".incomplete.combinat"
INCOMPLETE_TEXT = b"combinat report has not finished in this folder; run it again\n"
MOST_MARK = 10_000
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
    """Keep runs of reports from changing a folder while it is read."""
    with contextlib.ExitStack() as held:
        for place in (folder, folder.absolute().parent):
            try:
                handle = os.open(place, os.O_RDONLY | os.O_DIRECTORY)
            except OSError:
                continue  # a folder that cannot be opened is reported when it is read
            held.callback(os.close, handle)
            if not _is_locked(handle, fcntl.LOCK_SH, 0):
                raise CertificateError("a report is being written here; let it end, and verify then")
        yield


def _is_locked(handle: int, kind: int, patience: float) -> bool:
    """Whether the lock was obtained; always True on a file system without locks."""
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
    """Mark a folder whose reports are about to change; return False if it was marked already."""
    try:
        file = (folder / INCOMPLETE).open("xb")
    except FileExistsError:
        _check_mark(folder)
        return False
    except OSError as error:
        raise _unwritable(folder, error) from None
    try:
        with file:
            file.write(INCOMPLETE_TEXT)
    except OSError as error:
        (folder / INCOMPLETE).unlink()  # the disk is full; nothing was changed yet
        raise _unwritable(folder, error) from None
    return True


def mark_files(folder: Path, files: Set[tuple[str, str]]) -> None:
    """Mark a folder in which these files, each with its SHA-256, are about to be replaced."""
    if os.path.lexists(folder / INCOMPLETE):
        _check_mark(folder)
    with replacing(folder / INCOMPLETE) as aside:
        aside.write_bytes(
            INCOMPLETE_TEXT + "".join(f"{sha256}  {name}\n" for name, sha256 in sorted(files)).encode()
        )


def marked_files(folder: Path) -> set[tuple[str, str]]:
    """Return the files that the mark of a folder names, each with its SHA-256."""
    try:
        lines = plain_bytes(folder / INCOMPLETE, MOST_MARK).decode("utf-8", "replace").splitlines()[1:]
    except FileError:
        return set()
    return {(name, sha256) for sha256, _, name in (line.partition("  ") for line in lines)}


def mark_complete(folder: Path) -> None:
    """Remove the mark from a folder whose collection matches its reports."""
    if os.path.lexists(folder / INCOMPLETE):
        _check_mark(folder)
        (folder / INCOMPLETE).unlink()


def _check_mark(folder: Path) -> None:
    """Refuse a user's file in the place of the mark; a truncated mark is from a killed run."""
    with contextlib.suppress(FileError):
        content = plain_bytes(folder / INCOMPLETE, MOST_MARK)
        if content.startswith(INCOMPLETE_TEXT) or INCOMPLETE_TEXT.startswith(content):
            return
    raise CombinatError(f"{folder / INCOMPLETE}: there is something else in its place; move it away")


def _unwritable(folder: Path, error: OSError) -> CombinatError:
    return CombinatError(f"{folder}: cannot be written ({error.strerror}); choose another place")


def delivered_files(path: Path) -> dict[str, bytes]:
    """Return every file of a folder that a user names, possibly by a link; refuse a folder being written."""
    folder = path.resolve() if path.is_symlink() else path
    with reading_from(folder):
        return files_in(folder)


# ---------------------------------------------------------------- ownership


def check_folder(path: Path) -> None:
    """Refuse a place for a report that holds anything but an unchanged combinat report."""
    try:
        if not os.path.lexists(path):
            return
        if path.is_symlink() or not path.is_dir():
            raise PlaceError(f"{path}: there is something else in the place of the report; move it away")
        if any(path.iterdir()):
            _check_ours(path)
    except OSError as error:
        raise PlaceError(f"{path}: cannot be read ({error.strerror}); move it away") from None


def check_files(folder: Path, names: tuple[str, ...]) -> None:
    """Refuse a folder in which one of these files exists and is not an unchanged file of ours."""
    there = [name for name in names if os.path.lexists(folder / name)]
    if not there:
        return
    contents: dict[str, bytes] = {}
    for name in there:
        if (folder / name).is_symlink() or not (folder / name).is_file():
            raise PlaceError(f"{folder / name}: there is something else in its place; move it away")
        try:
            contents[name] = plain_bytes(folder / name, MOST_FILE_BYTES)
        except FileError as error:
            raise PlaceError(f"{error}; move it away") from None
    ours = _named_by(contents.get(CERTIFICATE, b""))
    ours |= marked_files(folder)  # a killed run may have replaced some of its files
    for name, content in contents.items():
        if (name, _sha256(content)) not in ours:
            raise PlaceError(
                f"{folder / name}: not written by combinat, or changed since; move it away and nothing is lost"
            )


def _named_by(certificate: bytes) -> set[tuple[str, str]]:
    """Return the files that a certificate names, itself included, each with its hash.

    Empty if it is not a certificate.
    """
    try:
        digests = named_files(certificate)
    except CertificateError:
        return set()
    own = {CERTIFICATE: _sha256(certificate), SUMS: _sha256(sums(digests, certificate))}
    return set({**digests, **own}.items())


def _check_ours(path: Path) -> None:
    try:
        contents = files_in(path)
        if CERTIFICATE not in contents:
            raise PlaceError(f"{path}: not a report that combinat wrote (no {CERTIFICATE}); move it away")
        digests = named_files(contents[CERTIFICATE])
    except CertificateError as error:
        raise PlaceError(f"{path}: not a report that combinat wrote ({error}); move it away") from None
    if contents.get(SUMS) != sums(digests, contents[CERTIFICATE]):
        raise PlaceError(f"{path / SUMS}: changed since combinat wrote it; move the folder away")
    for name, content in contents.items():
        if name in (CERTIFICATE, SUMS):
            continue
        if name not in digests:
            raise PlaceError(f"{path / name}: not part of the report that is there; move it away")
        if digests[name] != _sha256(content):
            raise PlaceError(f"{path / name}: changed since combinat wrote it; move the folder away")
    if missing := digests.keys() - contents.keys():
        raise PlaceError(
            f"{path / min(missing)}: missing from the report that is there; move the folder away"
        )


def _is_whole(folder: Path) -> bool:
    """Whether a folder is an unchanged combinat report."""
    try:
        _check_ours(folder)
    except (CombinatError, OSError):
        return False
    return True


def _is_named(folder: Path) -> bool:
    """Whether the certificate in a folder names every file of it except the mark."""
    try:
        ours = _named_by(plain_bytes(folder / CERTIFICATE, MOST_FILE_BYTES))
        return all(
            (file.relative_to(folder).as_posix(), _sha256(plain_bytes(file, MOST_FILE_BYTES))) in ours
            for file in folder.rglob("*")
            if file.name != MARK and (file.is_symlink() or not file.is_dir())
        )
    except (CombinatError, OSError):
        return False


def _is_ours(folder: Path) -> bool:
    """Whether a temporary folder may be removed: marked as unfinished, or empty, or a complete report."""
    mark = _mark(folder)
    if mark:
        return mark == MARK_TEXT
    with contextlib.suppress(OSError):
        if (
            mark is not None
        ):  # stopped while being marked: it holds nothing else yet, or a report to be removed
            return all(entry.name == MARK for entry in folder.iterdir()) or _is_named(folder)
        return not any(folder.iterdir()) or _is_whole(folder)
    return False


def _mark(folder: Path) -> bytes | None:
    """Return the content of the mark of a temporary folder, or None if it has no mark."""
    try:
        return plain_bytes(folder / MARK, len(MARK_TEXT))
    except FileError:
        return None


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


# ---------------------------------------------------------------- placing


def place_folder(path: Path, files: Files) -> None:
    """Write a report's folder, replacing an old one of ours; a reader sees the old report or the new one."""
    check_folder(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _clean(path)
        with _aside(path) as made:
            _fill(made, files)
            (made / MARK).unlink()
            _put(made, path)
    except OSError as error:
        raise CombinatError(f"{path}: cannot be written ({error.strerror}); choose another place") from None


def place_files(folder: Path, files: Files) -> None:
    """Write the files above the folders atomically, the certificate last; then the folder is complete."""
    check_files(folder, tuple(files))
    names = sorted(files, key=lambda name: (name == CERTIFICATE, name == SUMS, name))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        mark_files(folder, {(name, _sha256(files[name])) for name in names})
        for name in names:
            with replacing(folder / name) as aside:
                aside.write_bytes(files[name])
        mark_complete(folder)
    except OSError as error:
        raise CombinatError(f"{folder}: cannot be written ({error.strerror}); choose another place") from None


def _fill(made: Path, files: Files) -> None:
    """Write the files, with the permissions of the umask."""
    for name, content in files.items():
        file = made / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


@contextlib.contextmanager
def _aside(path: Path) -> Iterator[Path]:
    """Yield a temporary folder beside the place, marked as unfinished and locked; remove it at the end.

    It is removed only if it is ours: by then it holds the old report, or a new one that could not be placed.
    """
    made = path.parent / f".{path.name}.{secrets.token_hex(4)}{ASIDE}"
    made.mkdir()
    handle = os.open(made, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # a system without locks: no other run will clean up either
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        (made / MARK).write_bytes(MARK_TEXT)
        yield made
    finally:
        try:
            if _is_ours(made):
                _remove(made)
        finally:
            os.close(handle)


def _put(made: Path, path: Path) -> None:
    """Put the new folder into its place, in exchange for the old one.

    The old folder is checked once more when nobody can reach it by its name: if it is not ours after all,
    because something was added meanwhile, it goes back.
    """
    if not os.path.lexists(path):
        os.rename(made, path)
    elif _exchanged(made, path):
        if not _is_ours(made):
            _exchanged(made, path)
            raise PlaceError(f"{path}: changed while the new report was written; nothing was replaced")
    else:  # the system cannot exchange folders: for a moment the place is empty
        old = made.with_name(f"{made.name}.old{ASIDE}")
        os.rename(path, old)
        try:
            if not _is_ours(old):
                raise PlaceError(f"{path}: changed while the new report was written; nothing was replaced")
            os.rename(made, path)
        except BaseException:
            os.rename(old, path)
            raise
        _remove(old)


_AT_THE_CURRENT_FOLDER, _EXCHANGE = -100, 2


def _exchanged(one: Path, other: Path) -> bool:
    """Whether the system exchanged two folders in one step."""
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if rename is None:
        return False
    here = _AT_THE_CURRENT_FOLDER
    return bool(rename(here, os.fsencode(one), here, os.fsencode(other), _EXCHANGE) == 0)


# ---------------------------------------------------------------- leftovers of killed runs


def _clean(path: Path) -> None:
    """Remove the leftovers of killed runs beside the place.

    Put a complete report back if the place is empty.
    """
    for folder in _left_aside(path):
        if not os.path.lexists(path) and _is_whole(folder):
            os.rename(folder, path)
        elif _is_ours(folder):
            _remove(folder)


def _left_aside(path: Path) -> list[Path]:
    """Return the temporary folders beside a place that no running program locks."""
    named = re.compile(rf"\.{re.escape(path.name)}\.\w{{8}}{re.escape(ASIDE)}(\.old{re.escape(ASIDE)})?")
    with contextlib.suppress(OSError):
        return [
            entry
            for entry in sorted(path.parent.iterdir())
            if named.fullmatch(entry.name) and entry.is_dir() and not entry.is_symlink() and _is_free(entry)
        ]
    return []


def _is_free(folder: Path) -> bool:
    """Whether it is certain that no running program locks a folder."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    else:
        return True
    finally:
        os.close(handle)


def _remove(folder: Path) -> None:
    """Remove a folder of ours; an interrupted removal leaves a marked folder."""
    with contextlib.suppress(OSError):
        (folder / MARK).write_bytes(MARK_TEXT)
    with contextlib.suppress(OSError):
        for entry in folder.iterdir():
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry, ignore_errors=True)
            elif entry.name != MARK:
                entry.unlink()
        if all(entry.name == MARK for entry in folder.iterdir()):
            (folder / MARK).unlink(missing_ok=True)
            folder.rmdir()
