"""The files of an untrusted folder: plain names, bounded sizes, no links.

No link is followed, no pipe waited for, no endless file read to its end. The contents are kept in memory, so
that every later check uses the same bytes.
"""

import os
import stat
import unicodedata
from itertools import islice
from pathlib import Path

from combinat.base.errors import CertificateError, FileError, RejectedCertificateError
from combinat.base.files import plain_bytes
from combinat.base.strict_json import quoted

MOST_FILES = 10_000
MOST_FILE_BYTES = 256_000_000
MOST_BYTES = 1_000_000_000
"""Limits far above any report: a folder that exceeds one is refused before it costs time or memory."""

_OF_A_REPORT = ("certificate.json", "analysis.json")
"""A folder with one of these says that it is a report, a study or a collection, and has to be one in every part."""

PLAIN_NAME = 'a plain name: no ".." or leading "." or "/", no "\\" or ":", printable characters only'


def is_plain(name: str) -> bool:
    r"""Whether a name, with ``/`` between its parts, can only be that of a file inside a folder.

    >>> [is_plain(name) for name in ("tables/bets.csv", "../x", "/x", "a//b", "C:x", "a\\b", "x\0", "")]
    [True, False, False, False, False, False, False, False]
    """
    parts = name.split("/")
    return (
        name.isprintable()
        and unicodedata.is_normalized("NFC", name)
        and not {"\\", ":"} & set(name)
        and all(part and part[0] not in ". " and part[-1] not in ". " for part in parts)
    )


def _is_left_by_macos(name: str) -> bool:
    parts = name.rstrip("/").split("/")
    return "__MACOSX" in parts or parts[-1] == ".DS_Store" or parts[-1].startswith("._")


def _is_being_written(name: str) -> bool:
    return name.rpartition("/")[2].startswith(".") and name.endswith(".combinat")


def files_in(path: Path) -> dict[str, bytes]:
    """Return every file of a folder, by name.

    An archive is refused: programs differ in what they extract from some archives, so that a verdict on one would
    not be a verdict on the files that a reader sees.
    """
    if path.is_symlink():
        raise CertificateError("a symbolic link; give the folder itself")
    if path.is_file():
        raise CertificateError("not a folder; extract an archive and verify the extracted folder")
    contents: dict[str, bytes] = {}
    left = MOST_BYTES
    for name in plain_files(path):
        contents[name] = _content(path, name, min(left, MOST_FILE_BYTES))
        left -= len(contents[name])
    return contents


def plain_files(folder: Path) -> list[str]:
    """Return the names of all files in a folder; refuse a folder that holds anything but plain files.

    In a report this is a fault. Any other folder does not claim to be a report and cannot be checked.
    """
    names: list[str] = []
    seen, waiting = 0, [""]
    while waiting:
        inside = waiting.pop()
        entries = _entries(folder, inside)
        if inside and not entries:
            raise _refusal(folder, inside, f"{quoted(inside)}: an empty folder; no report has one")
        for name, mode in entries:
            seen += 1
            if seen > MOST_FILES:
                raise _refusal(folder, "", f"more than {MOST_FILES} files; no report has so many")
            if stat.S_ISLNK(mode):
                raise _refusal(folder, name, f"{quoted(name)}: a symbolic link; expected a plain file")
            if _is_left_by_macos(name):
                raise _refusal(folder, name, f"{quoted(name)}: left there by macOS; remove it")
            if _is_being_written(name):
                raise CertificateError(
                    f"{quoted(name)}: a report is being written, or a run was stopped; "
                    "let it end, or run combinat report again, which cleans up"
                )
            if not is_plain(name):
                raise _refusal(folder, name, f"{quoted(name)}: expected {PLAIN_NAME}")
            if stat.S_ISDIR(mode):
                waiting.append(f"{name}/")
            elif stat.S_ISREG(mode):
                names.append(name)
            else:
                raise _refusal(folder, name, f"{name}: a device or a pipe; expected a plain file")
    return sorted(names)


def _refusal(folder: Path, name: str, what: str) -> CertificateError:
    """Return the error for a fault at this name inside a folder."""
    around = (folder, *(folder / parent for parent in _parents(name)))
    if any(os.path.lexists(place / file) for place in around for file in _OF_A_REPORT):
        return RejectedCertificateError(what)
    return CertificateError(f"{what}; this folder is not a report; give the folder of one")


def _entries(folder: Path, inside: str) -> list[tuple[str, int]]:
    """Return the entries of a subfolder, each with its mode, in order."""
    try:
        with os.scandir(folder / inside) as entries:
            return sorted(
                (inside + entry.name, entry.stat(follow_symlinks=False).st_mode)
                for entry in islice(entries, MOST_FILES + 1)
            )
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise CertificateError(f"{inside or folder}: cannot be read ({why})") from None


def _content(folder: Path, name: str, most: int) -> bytes:
    try:
        return plain_bytes(folder / name, most)
    except FileError as error:
        raise _refusal(folder, name, f"{name}: {error.why}") from None


def _parents(name: str) -> list[str]:
    """Return the parent folders of a file or folder."""
    parts = name.removesuffix("/").split("/")
    return ["/".join(parts[:number]) for number in range(1, len(parts))]
