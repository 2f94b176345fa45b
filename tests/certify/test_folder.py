"""Folders from strangers: what is read of them, and what is refused before it costs anything."""

import os
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat.certify import folder as reading
from combinat.certify.folder import files_in, is_plain, plain_files
from combinat.errors import CertificateError, MalformedCertificateError, RejectedCertificateError
from tests.certify.hostile_names import HOSTILE_NAMES
from tests.paths import TESTS
from tests.raises import unreached
from tests.reports import written

FILES = {
    "certificate.json": b"{}\n",
    "report.md": b"# A report\n",
    "report.pdf": bytes(range(0, 256, 8)),
    "tables/bets.csv": b"bet,edge\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return written(FILES, tmp_path / "report")


def refusal_of(path: Path) -> CertificateError:
    """The refusal, which can be printed."""
    with pytest.raises(CertificateError) as refusal:
        files_in(path)
    assert str(refusal.value).isprintable()
    str(refusal.value).encode("utf-8")
    return refusal.value


def test_the_files_of_a_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its path or from inside; nothing outside of the folder is opened."""
    opened: list[Path] = []
    real = os.open

    def open_and_tell(path: str | Path, flags: int, *rest: Any, **more: Any) -> int:
        opened.append(Path(path))
        return real(path, flags, *rest, **more)

    monkeypatch.setattr(os, "open", open_and_tell)
    assert files_in(folder) == FILES
    assert sorted(opened) == [folder / name for name in sorted(FILES)]
    assert plain_files(folder) == sorted(FILES)
    monkeypatch.chdir(folder)
    assert files_in(Path()) == FILES


@given(st.text())
def test_a_plain_name_stays_in_its_folder(name: str) -> None:
    """On every system: the name has no root, no drive, no way up, and is one name only."""
    if is_plain(name):
        for path in (PurePosixPath(name), PureWindowsPath(name)):
            assert path.anchor == ""  # neither a drive nor a root
            assert ".." not in path.parts
            assert path.as_posix() == name
        assert os.path.normpath(f"/folder/{name}") == f"/folder/{name}"
    else:
        assert name == "" or not name.isalnum() or not name.isascii()


def test_a_hostile_name_is_not_plain() -> None:
    assert [name for name in HOSTILE_NAMES if is_plain(name)] == []


# ---------------------------------------------------------------- folders

Change = Callable[[Path], Any]


def linked(name: str) -> Change:
    """A file of the folder moved out of it, a link to it in its place."""

    def change(folder: Path) -> None:
        (folder / name).rename(folder.parent / "outside")
        (folder / name).symlink_to(folder.parent / "outside")

    return change


def folder_replaced(make: Change) -> Change:
    """Something else in the place of the folder."""

    def change(folder: Path) -> None:
        folder.rename(folder.parent / "elsewhere")
        make(folder)

    return change


def endless(folder: Path) -> None:
    """A sparse file of a terabyte."""
    with (folder / "report.md").open("r+b") as sparse:
        sparse.truncate(10**12)


REFUSED: dict[str, tuple[Change, type[CertificateError], str]] = {
    "a hidden file": (
        lambda folder: (folder / ".hidden").write_bytes(b""),
        RejectedCertificateError,
        '".hidden": ',
    ),
    "a file of macOS": (
        lambda folder: (folder / ".DS_Store").write_bytes(b""),
        RejectedCertificateError,
        '".DS_Store": ',
    ),
    "a report that is being written": (
        lambda folder: (folder / ".game.abcdefgh.combinat").mkdir(),
        CertificateError,
        '".game.abcdefgh.combinat": ',
    ),
    "a hidden folder": (lambda folder: (folder / ".git").mkdir(), RejectedCertificateError, '".git": '),
    "a file of odd name": (
        lambda folder: (folder / "\x1b[2J\udcff.md").write_bytes(b""),
        RejectedCertificateError,
        '"\\u001b[2J\\udcff.md": ',
    ),
    "a file that is a link": (linked("report.pdf"), RejectedCertificateError, '"report.pdf": '),
    "a folder that is a link": (linked("tables"), RejectedCertificateError, '"tables": '),
    "the folder is a link": (
        folder_replaced(lambda folder: folder.symlink_to(folder.parent / "elsewhere")),
        RejectedCertificateError,
        "",
    ),
    "a pipe": (lambda folder: os.mkfifo(folder / "pipe"), RejectedCertificateError, "pipe: "),
    "an empty folder": (
        lambda folder: (folder / "more" / "empty").mkdir(parents=True),
        RejectedCertificateError,
        '"more/empty/": ',
    ),
    "a file without end": (endless, RejectedCertificateError, "report.md: "),
    "nothing": (folder_replaced(lambda folder: None), CertificateError, ""),
    "a pipe in its place": (folder_replaced(os.mkfifo), CertificateError, ""),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_what_is_no_folder_of_plain_files_is_refused(folder: Path, fault: str) -> None:
    """And nothing is waited for."""
    change, refused, names = REFUSED[fault]
    change(folder)
    refusal = refusal_of(folder)
    assert type(refusal) is refused
    assert str(refusal).startswith(names)


LIMITS = [("MOST_FILES", 4, ""), ("MOST_FILE_BYTES", 20, "report.pdf: "), ("MOST_BYTES", 40, "report.pdf: ")]


@pytest.mark.parametrize(("limit", "most", "names"), LIMITS)
def test_what_is_too_large_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, limit: str, most: int, names: str
) -> None:
    monkeypatch.setattr(reading, limit, most - 1)
    assert str(refusal_of(folder)).startswith(names)
    monkeypatch.setattr(reading, limit, sum(map(len, FILES.values())))
    assert files_in(folder) == FILES


def test_a_folder_that_cannot_be_listed_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "scandir", denied)
    assert type(refusal_of(folder)) is CertificateError


def denied(*arguments: object, **more: object) -> Any:
    raise PermissionError(13, "Permission denied")


# ---------------------------------------------------------------- archives


def packed(path: Path, files: dict[str, bytes], inside: str = "", extra: bytes = b"") -> Path:
    """A zip archive; ``extra``: a further field of each file."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            member = zipfile.ZipInfo(inside + name)
            member.extra = extra
            archive.writestr(member, content)
    return path


def edited(old: bytes, new: bytes) -> Change:
    """An archive with its first bytes like these replaced."""

    def change(path: Path) -> None:
        packed(path, {"report.md": bytes(1000)})
        path.write_bytes(path.read_bytes().replace(old, new, 1))

    return change


def declared(size: int) -> Change:
    """An archive that claims this size of its file."""

    def change(path: Path) -> None:
        content = bytearray(packed(path, {"report.md": bytes(1000)}).read_bytes())
        struct.pack_into("<L", content, content.index(b"PK\1\2") + 24, size)
        path.write_bytes(content)

    return change


def with_a_remark(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.comment = b"approved"
        archive.writestr("report.md", b"x")


def with_an_empty_folder(path: Path) -> None:
    packed(path, {"report.md": b""})
    with zipfile.ZipFile(path, "a") as archive:
        archive.mkdir("more")


def unlisted(path: Path) -> None:
    """A file in the archive that is not in its list."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("report.md", b"a forged one, longer than any description of sizes")
        archive.writestr("report.html", b"x")
        del archive.filelist[0]


def listed_late(path: Path) -> None:
    """Bytes between the last file and the list."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("report.md", b"x")
        archive.fp.write(b"hidden")  # type: ignore[union-attr]  # it is open
        archive.start_dir += 6


def cut_field(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        member = zipfile.ZipInfo("report.md")
        archive.writestr(member, b"x")
        member.extra = b"xy"


def without_end(path: Path) -> None:
    """A list of files that claims gigabytes, in a sparse file of that size."""
    with path.open("wb") as file:
        file.seek(3_000_000_000)
        file.write(struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 9, 9, 3_000_000_000, 0, 0))


OTHER_NAME = struct.pack("<HHBI", 0x7075, 5 + 9, 1, 0) + b"hidden.md"
ARCHIVES: dict[str, tuple[Change, type[CertificateError]]] = {
    "a remark": (with_a_remark, RejectedCertificateError),
    "something before it": (edited(b"PK", b"%PDF-1.7 another document PK"), RejectedCertificateError),
    "a file that is not listed": (unlisted, RejectedCertificateError),
    "something before the list": (listed_late, RejectedCertificateError),
    "a second name": (lambda path: packed(path, FILES, extra=OTHER_NAME), RejectedCertificateError),
    "two names": (edited(b"report.md", b"hidden.md"), RejectedCertificateError),
    "no beginning": (edited(b"PK\x03\x04", b"PK\x03\x05"), MalformedCertificateError),
    "a cut field": (cut_field, MalformedCertificateError),
    "macOS": (lambda path: packed(path, FILES, "__MACOSX/._"), RejectedCertificateError),
    "an empty folder": (with_an_empty_folder, RejectedCertificateError),
    "a file that is declared huge": (declared(4_000_000_000), RejectedCertificateError),
    "a file that is larger than declared": (declared(10), MalformedCertificateError),
    "a list without end": (without_end, MalformedCertificateError),
}


@pytest.mark.parametrize("fault", ARCHIVES)
def test_what_is_no_archive_of_plain_files_is_refused(tmp_path: Path, fault: str) -> None:
    change, refused = ARCHIVES[fault]
    change(tmp_path / "x.zip")
    assert type(refusal_of(tmp_path / "x.zip")) is refused


@pytest.mark.parametrize("inside", ["", "report/"])
def test_an_archive_is_read_like_its_folder(tmp_path: Path, inside: str) -> None:
    """Also with the further fields that the usual programs write."""
    times = struct.pack("<HHBI", 0x5455, 5, 1, 0)
    assert files_in(packed(tmp_path / "x.zip", FILES, inside, times)) == FILES


# ---------------------------------------------------------------- every refusal is reached


def test_every_raise_is_reached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ``raise`` that no fault here reaches is a refusal that nobody has seen."""
    refusals: list[BaseException] = []
    for fault, (change, *_) in REFUSED.items():
        folder = written(FILES, tmp_path / fault / "report")
        change(folder)
        refusals.append(refusal_of(folder))
    for fault, (make, _) in ARCHIVES.items():
        make(tmp_path / f"{fault}.zip")
        refusals.append(refusal_of(tmp_path / f"{fault}.zip"))
    for archive in sorted((TESTS / "hostile" / "archives").glob("*.zip")):
        if archive.stem not in (
            "a-certificate-alone",
            "nothing-in-it",
        ):  # read, and refused by what is in them
            refusals.append(refusal_of(archive))
    monkeypatch.setattr(reading, "MOST_FILES", 1)
    refusals.append(refusal_of(written(FILES, tmp_path / "many")))
    refusals.append(refusal_of(packed(tmp_path / "many.zip", FILES)))
    assert unreached([reading], refusals) == set()
