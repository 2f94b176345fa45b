"""The files of a folder, or of a zip archive of one, read as a stranger's: plain names, bounded sizes, no links.

No link is followed, no pipe waited for, no endless file read to its end. What is read is held in memory, so
that every later check is of the same bytes.
"""

import io
import os
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from combinat.errors import CertificateError, MalformedCertificateError, RejectedCertificateError, shown
from combinat.render.files import FileError, plain_bytes
from combinat.render.strict_json import quoted

MOST_FILES = 10_000
MOST_FILE_BYTES = 256_000_000
MOST_BYTES = 1_000_000_000
"""Limits far above any report: a folder that exceeds one is refused before it costs time or memory."""
_MOST_AT_ONCE = 2_000_000
"""The most bytes that are read of an archive at once: its list of files is, before any file of it is looked at."""

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
    return name.startswith(".") and name.endswith(".combinat")


def files_in(path: Path) -> dict[str, bytes]:
    """Every file of a folder, or of a zip archive, by name."""
    if path.is_file() and not path.is_symlink():
        return _archived(path)
    if path.is_symlink():
        raise RejectedCertificateError("a symbolic link; expected the folder itself")
    contents: dict[str, bytes] = {}
    left = MOST_BYTES
    for name in plain_files(path):
        contents[name] = _content(path, name, min(left, MOST_FILE_BYTES))
        left -= len(contents[name])
    return contents


def plain_files(folder: Path) -> list[str]:
    """The names of all files in a folder; where there is anything but plain files, it is refused.

    In a report that is a fault of it. Elsewhere nobody said that the folder is one, and it cannot be checked.
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
    """What is to be raised for something amiss at this name inside a folder."""
    around = (folder, *(folder / parent for parent in _parents(name)))
    if any(os.path.lexists(place / file) for place in around for file in _OF_A_REPORT):
        return RejectedCertificateError(what)
    return CertificateError(f"{what}; no report is around it: give a report's own folder")


def _entries(folder: Path, inside: str) -> list[tuple[str, int]]:
    """What stands in a folder inside the folder, each with its mode, in order."""
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


class _Archive(io.BufferedReader):
    """A file of which never more than so much is read at once."""

    def read(self, size: int | None = -1, /) -> bytes:
        """As many bytes, or all that are left."""
        wanted = _MOST_AT_ONCE + 1 if size is None or size < 0 else min(size, _MOST_AT_ONCE + 1)
        content = super().read(wanted)
        if len(content) > _MOST_AT_ONCE:
            raise zipfile.BadZipFile("its list of files is too long")
        return content


_UNREADABLE = (
    *(OSError, ValueError, NotImplementedError, RuntimeError, EOFError, OverflowError),
    *(zipfile.BadZipFile, zlib.error, struct.error),
)
"""What the library of archives raises where one is damaged, encrypted or of an unknown kind."""


def _archived(path: Path) -> dict[str, bytes]:
    """The files of a zip archive; a folder that holds all of them is left out of their names."""
    try:
        with _Archive(io.FileIO(path)) as file, zipfile.ZipFile(file) as archive:
            _check_plain(archive)
            contents = dict(_members(archive))
    except _UNREADABLE as error:
        raise MalformedCertificateError(
            f"neither a folder nor a zip archive that can be read ({shown(str(error)[:200])})"
        ) from None
    while len(tops := {name.partition("/")[0] for name in contents}) == 1 and all(map(_is_inside, contents)):
        (top,) = tops
        contents = {name.removeprefix(f"{top}/"): content for name, content in contents.items()}
    return dict(sorted(contents.items()))


def _is_inside(name: str) -> bool:
    return "/" in name


_HEADER, _DESCRIBED, _DESCRIPTION = 30, 8, (0, 12, 16, 20, 24)
"""The bytes before a file's name; the flag of a file whose sizes stand behind it; and how long those may be."""

_HARMLESS = (0x5455, 0x7875, 0x000A, 0x5855)
"""Further fields of a file that tell times and owners, and nothing that is read here."""


def _check_plain(archive: zipfile.ZipFile) -> None:
    """Refuse an archive that other programs may read otherwise: hidden parts, a remark, other names."""
    if archive.comment:
        raise RejectedCertificateError("the archive carries a remark of its own; expected its files alone")
    expected = 0
    for member in sorted(archive.infolist(), key=lambda member: member.header_offset):
        gap = member.header_offset - expected
        if gap < 0 or gap not in (_DESCRIPTION if expected else (0,)):
            raise RejectedCertificateError(
                "the archive holds more than its files; expected nothing else in it"
            )
        for kind in _further_fields(member.extra):
            if kind not in _HARMLESS:
                raise RejectedCertificateError(
                    f"{quoted(member.orig_filename)}: names or sizes of another kind in the archive"
                )
        name = member.orig_filename.encode("utf-8" if member.flag_bits & 0x800 else "cp437")
        local = _local(archive, member)
        if local[_HEADER : _HEADER + len(name)] != name:
            raise RejectedCertificateError(f"{quoted(member.orig_filename)}: under two names in the archive")
        expected = member.header_offset + len(local) + member.compress_size
    if archive.start_dir - expected not in _DESCRIPTION:
        raise RejectedCertificateError("the archive holds more than its files; expected nothing else in it")


def _local(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """What stands before a file in the archive: fixed bytes, its name, further fields."""
    file = archive.fp
    assert file is not None  # it was opened just now
    file.seek(member.header_offset)
    head = file.read(_HEADER)
    if len(head) < _HEADER or head[:4] != b"PK\x03\x04":
        raise zipfile.BadZipFile("a file of it has no beginning")
    name, further = struct.unpack("<HH", head[26:30])
    return head + file.read(name + further)


def _further_fields(extra: bytes) -> Iterator[int]:
    while len(extra) >= 4:
        kind, size = struct.unpack("<HH", extra[:4])
        yield kind
        extra = extra[4 + size :]
    if extra:
        raise zipfile.BadZipFile("a further field of it is cut short")


def _members(archive: zipfile.ZipFile) -> Iterator[tuple[str, bytes]]:
    """Every file of an archive, by the same rules as those of a folder."""
    members = archive.infolist()
    if len(members) > MOST_FILES:
        raise RejectedCertificateError(f"more than {MOST_FILES} files; no report has so many")
    seen: set[str] = set()
    folders = {f"{parent}/" for member in members for parent in _parents(member.orig_filename)}
    left = MOST_BYTES
    for member in members:
        name = member.orig_filename  # as it is written: the library cuts a name at a zero byte
        if _is_left_by_macos(name):
            raise RejectedCertificateError(f"{quoted(name)}: left there by macOS; remove it and pack again")
        if not is_plain(name.removesuffix("/")):
            raise RejectedCertificateError(f"{quoted(name)}: expected {PLAIN_NAME}")
        if name in seen:
            raise RejectedCertificateError(f"{quoted(name)}: twice in the archive")
        seen.add(name)
        if stat.S_ISLNK(member.external_attr >> 16):
            raise RejectedCertificateError(f"{quoted(name)}: a symbolic link; expected a plain file")
        if name.endswith("/"):
            if name not in folders:
                raise RejectedCertificateError(f"{quoted(name)}: an empty folder; no report has one")
            continue
        most = min(left, MOST_FILE_BYTES)
        if member.file_size > most:
            raise RejectedCertificateError(f"{name}: larger than {most} bytes; no report has such a file")
        left -= member.file_size
        yield name, _member(archive, member)


_ENCRYPTED = 1
"""The flag of a file of an archive that needs a password."""


def _parents(name: str) -> list[str]:
    """The folders that a file or a folder is in."""
    parts = name.removesuffix("/").split("/")
    return ["/".join(parts[:number]) for number in range(1, len(parts))]


def _member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """A file of an archive; never more of it is unpacked than the archive says that there is."""
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise NotImplementedError(f"{member.filename} is packed in a way that is not read here")
    if member.flag_bits & _ENCRYPTED:
        raise NotImplementedError(f"{member.filename} is encrypted")
    with archive.open(member) as file:
        return b"".join(iter(lambda: file.read(1_000_000), b""))
