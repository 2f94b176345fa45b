"""Folders and archives from strangers: what is read of them, and what is refused before it costs anything."""

import io
import os
import random
import stat
import struct
import warnings
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, BinaryIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat.certify import folder as reading
from combinat.certify.folder import files_in, is_plain, plain_files
from combinat.errors import CertificateError, MalformedCertificateError, RejectedCertificateError
from tests.certify.test_certificate import HOSTILE_NAMES, PLAIN
from tests.reports import unreached, written

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
    with pytest.raises(CertificateError) as refusal:
        files_in(path)
    assert str(refusal.value).isprintable()
    str(refusal.value).encode("utf-8")
    return refusal.value


def test_the_files_of_a_folder(folder: Path) -> None:
    assert files_in(folder) == FILES
    assert plain_files(folder) == sorted(FILES)


def test_a_folder_is_read_from_inside(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_hostile_name_is_not_plain(name: str) -> None:
    assert not is_plain(name)


# ---------------------------------------------------------------- folders

Change = Callable[[Path], Any]


def linked(name: str) -> Change:
    """A file of the folder moved out of it, a link to it in its place."""

    def change(folder: Path) -> None:
        (folder / name).rename(folder.parent / "outside")
        (folder / name).symlink_to(folder.parent / "outside")

    return change


def folder_linked(folder: Path) -> None:
    folder.rename(folder.parent / "elsewhere")
    folder.symlink_to(folder.parent / "elsewhere")


def emptied(folder: Path) -> None:
    (folder / "more" / "empty").mkdir(parents=True)


def gone(folder: Path) -> None:
    for name in FILES:
        (folder / name).unlink()
    (folder / "tables").rmdir()
    folder.rmdir()


REFUSED: dict[str, tuple[Change, type[CertificateError], str]] = {
    "a hidden file": (
        lambda folder: (folder / ".hidden").write_bytes(b""),
        RejectedCertificateError,
        f'".hidden": expected {PLAIN}',
    ),
    "a file of macOS": (
        lambda folder: (folder / ".DS_Store").write_bytes(b""),
        RejectedCertificateError,
        '".DS_Store": left there by macOS; remove it',
    ),
    "a report that is being written": (
        lambda folder: (folder / ".game.abcdefgh.combinat").mkdir(),
        CertificateError,
        '".game.abcdefgh.combinat": a report is being written, or a run was stopped; let it end, or run combinat report '
        "again, which cleans up",
    ),
    "a hidden folder": (
        lambda folder: (folder / ".git").mkdir(),
        RejectedCertificateError,
        f'".git": expected {PLAIN}',
    ),
    "a file of odd name": (
        lambda folder: (folder / "\x1b[2J\udcff.md").write_bytes(b""),
        RejectedCertificateError,
        f'"\\u001b[2J\\udcff.md": expected {PLAIN}',
    ),
    "a file that is a link": (
        linked("report.pdf"),
        RejectedCertificateError,
        '"report.pdf": a symbolic link; expected a plain file',
    ),
    "a folder that is a link": (
        linked("tables"),
        RejectedCertificateError,
        '"tables": a symbolic link; expected a plain file',
    ),
    "the folder is a link": (
        folder_linked,
        RejectedCertificateError,
        "a symbolic link; expected the folder itself",
    ),
    "a pipe": (
        lambda folder: os.mkfifo(folder / "pipe"),
        RejectedCertificateError,
        "pipe: a device or a pipe; expected a plain file",
    ),
    "an empty folder": (
        emptied,
        RejectedCertificateError,
        '"more/empty/": an empty folder; no report has one',
    ),
    "nothing": (gone, CertificateError, "{folder}: cannot be read (No such file or directory)"),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_what_is_no_folder_of_plain_files_is_refused_in_these_words(folder: Path, fault: str) -> None:
    change, refused, message = REFUSED[fault]
    change(folder)
    refusal = refusal_of(folder)
    assert type(refusal) is refused
    assert str(refusal) == message.replace("{folder}", str(folder))


def test_a_pipe_in_the_place_of_the_folder_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert str(refusal_of(tmp_path / "pipe")) == f"{tmp_path / 'pipe'}: cannot be read (Not a directory)"


LIMITS = [
    ("MOST_FILES", 4, "more than 4 files; no report has so many"),
    ("MOST_FILE_BYTES", 20, "report.pdf: larger than 20 bytes"),
    ("MOST_BYTES", 40, "report.pdf: larger than 26 bytes"),
]


@pytest.mark.parametrize(("limit", "most", "message"), LIMITS)
def test_what_is_too_large_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, limit: str, most: int, message: str
) -> None:
    monkeypatch.setattr(reading, limit, most)
    assert str(refusal_of(folder)) == message


def test_a_file_without_end_is_left_early(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sparse file of a terabyte costs a moment."""
    monkeypatch.setattr(reading, "MOST_FILE_BYTES", 1_000_000)
    with (folder / "report.md").open("r+b") as sparse:
        sparse.truncate(10**12)
    assert str(refusal_of(folder)) == "report.md: larger than 1000000 bytes"


def test_a_folder_that_cannot_be_listed_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "scandir", denied)
    assert str(refusal_of(folder)) == f"{folder}: cannot be read (Permission denied)"


def denied(*arguments: object, **more: object) -> Any:
    raise PermissionError(13, "Permission denied")


def test_no_file_outside_is_opened(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a certificate names: what is opened is what stands in the folder."""
    opened: list[Path] = []
    real = os.open

    def open_and_tell(path: str | Path, flags: int, *rest: Any, **more: Any) -> int:
        opened.append(Path(path))
        return real(path, flags, *rest, **more)

    monkeypatch.setattr(os, "open", open_and_tell)
    files_in(folder)
    assert sorted(opened) == [folder / name for name in sorted(FILES)]


# ---------------------------------------------------------------- archives


def packed(path: Path, files: dict[str, bytes], inside: str = "", method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(inside + name, content)
    return path


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED])
@pytest.mark.parametrize("inside", ["", "report/"])
def test_an_archive_is_read_like_its_folder(tmp_path: Path, inside: str, method: int) -> None:
    """With a folder in it that holds everything, and without."""
    large = FILES | {"large.bin": bytes(3_000_000)}  # more than is read at once
    assert files_in(packed(tmp_path / "x.zip", large, inside, method)) == large


def test_two_folders_in_an_archive_keep_their_names(tmp_path: Path) -> None:
    files = {"one/report.md": b"1", "two/report.md": b"2"}
    assert files_in(packed(tmp_path / "x.zip", files)) == files


def test_an_archive_may_list_its_folders_and_stand_deep(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.mkdir("a")
        archive.mkdir("a/report")
        archive.mkdir("a/report/tables")
        archive.writestr("a/report/tables/bets.csv", b"x")
        archive.writestr("a/report/report.md", b"y")
    assert files_in(tmp_path / "x.zip") == {"tables/bets.csv": b"x", "report.md": b"y"}


def test_an_archive_of_the_usual_programs_is_read(tmp_path: Path) -> None:
    """Times and owners in further fields, sizes behind the files: Info-ZIP and streams write such archives."""
    with (tmp_path / "x.zip").open("wb") as file, zipfile.ZipFile(Stream(file), "w") as archive:
        for name in ("a.md", "b.md"):
            member = zipfile.ZipInfo(name)
            member.extra = struct.pack("<HHBI", 0x5455, 5, 1, 0)
            archive.writestr(member, b"x" * 100)
    assert files_in(tmp_path / "x.zip") == {"a.md": b"x" * 100, "b.md": b"x" * 100}


class Stream:
    """A file that cannot be wound back: sizes then stand behind what was written."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file

    def write(self, content: bytes, /) -> int:
        """Write on."""
        return self.file.write(content)

    def flush(self) -> None:
        """Nothing is held back."""

    def close(self) -> None:
        """Whoever opened the file closes it."""


@pytest.mark.parametrize("name", [name for name in HOSTILE_NAMES if name not in ("", "\ud800", "tables/")])
def test_a_hostile_name_in_an_archive_is_refused(tmp_path: Path, name: str) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        member = zipfile.ZipInfo("x")
        member.filename = name  # as it is: the library would cut it at a zero byte
        archive.writestr(member, b"secret")
    refusal = refusal_of(tmp_path / "x.zip")
    assert isinstance(refusal, RejectedCertificateError)
    assert str(refusal).endswith(f": expected {PLAIN}")


def remarked(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.comment = b"approved"
        archive.writestr("report.md", b"x")


def behind_something(path: Path) -> None:
    """A document of another kind with an archive behind it."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("report.md", b"x")
    path.write_bytes(b"%PDF-1.7 another document" + path.read_bytes())


def unlisted(path: Path) -> None:
    """A file that stands in the archive and not in its list."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("report.md", b"a forged one, longer than any description of sizes")
        archive.writestr("report.html", b"x")
        del archive.filelist[0]


def listed_last(path: Path) -> None:
    """Bytes between the last file and the list."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("report.md", b"x")
        archive.fp.write(b"hidden")  # type: ignore[union-attr]  # it is open
        archive.start_dir += 6


def named_otherwise(path: Path) -> None:
    """The field by which some programs give a file another name."""
    with zipfile.ZipFile(path, "w") as archive:
        member = zipfile.ZipInfo("report.md")
        member.extra = struct.pack("<HHBI", 0x7075, 5 + 9, 1, 0) + b"hidden.md"
        archive.writestr(member, b"x")


def of_two_names(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("report.md", b"x")
    path.write_bytes(path.read_bytes().replace(b"report.md", b"hidden.md", 1))


def without_beginning(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("report.md", b"x")
    path.write_bytes(path.read_bytes().replace(b"PK\x03\x04", b"PK\x03\x05", 1))


def cut_field(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        member = zipfile.ZipInfo("report.md")
        archive.writestr(member, b"x")
        member.extra = b"xy"


def left_by_macos(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("__MACOSX/._report.md", b"x")


def twice(path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        packed(path, {"report.md": b"1"})
        with zipfile.ZipFile(path, "a") as archive:
            archive.writestr("report.md", b"2")


def linked_inside(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        member = zipfile.ZipInfo("report.md")
        member.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(member, "/etc/passwd")


def empty_folder(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("report.md", b"")
        archive.mkdir("more")


def hostile_folder(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../../", b"")


def encrypted(path: Path) -> None:
    packed(path, {"report.md": b"x"}, method=zipfile.ZIP_STORED)
    content = bytearray(path.read_bytes())
    content[6] |= 1
    content[content.index(b"PK\1\2") + 8] |= 1
    path.write_bytes(content)


def bzipped(path: Path) -> None:
    packed(path, {"report.md": b"x"}, method=zipfile.ZIP_BZIP2)


def declared(size: int) -> Change:
    """An archive that says of its file that it has this size."""

    def change(path: Path) -> None:
        packed(path, {"report.md": bytes(1000)})
        content = bytearray(path.read_bytes())
        struct.pack_into("<L", content, content.index(b"PK\1\2") + 24, size)
        path.write_bytes(content)

    return change


def broken_stream(path: Path) -> None:
    packed(path, {"report.md": bytes(1000)})
    content = bytearray(path.read_bytes())
    content[39:45] = b"\xff" * 6
    path.write_bytes(content)


def without_end(path: Path) -> None:
    """A list of files that is said to be of gigabytes, in a sparse file of such a size."""
    with path.open("wb") as file:
        file.truncate(3_000_000_000)
        file.seek(0, io.SEEK_END)
        file.write(struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 9, 9, 3_000_000_000, 0, 0))


MORE = "the archive holds more than its files; expected nothing else in it"
NO_ARCHIVE = "neither a folder nor a zip archive that can be read ("
ARCHIVES: dict[str, tuple[Change, type[CertificateError], str]] = {
    "no archive": (
        lambda path: path.write_bytes(b"PDF"),
        MalformedCertificateError,
        f"{NO_ARCHIVE}File is not a zip file)",
    ),
    "nothing": (
        lambda path: path.write_bytes(b""),
        MalformedCertificateError,
        f"{NO_ARCHIVE}File is not a zip file)",
    ),
    "a remark": (remarked, RejectedCertificateError, "the archive carries a remark of its own"),
    "something before it": (behind_something, RejectedCertificateError, MORE),
    "a file that is not listed": (unlisted, RejectedCertificateError, MORE),
    "something before the list": (listed_last, RejectedCertificateError, MORE),
    "a second name": (
        named_otherwise,
        RejectedCertificateError,
        '"report.md": names or sizes of another kind in the archive',
    ),
    "two names": (of_two_names, RejectedCertificateError, '"report.md": under two names in the archive'),
    "no beginning": (
        without_beginning,
        MalformedCertificateError,
        f"{NO_ARCHIVE}a file of it has no beginning)",
    ),
    "a cut field": (cut_field, MalformedCertificateError, NO_ARCHIVE),
    "macOS": (
        left_by_macos,
        RejectedCertificateError,
        '"__MACOSX/._report.md": left there by macOS; remove it and pack again',
    ),
    "a file twice": (twice, RejectedCertificateError, '"report.md": twice in the archive'),
    "a link": (
        linked_inside,
        RejectedCertificateError,
        '"report.md": a symbolic link; expected a plain file',
    ),
    "an empty folder": (
        empty_folder,
        RejectedCertificateError,
        '"more/": an empty folder; no report has one',
    ),
    "a folder that leads out": (hostile_folder, RejectedCertificateError, f'"../../": expected {PLAIN}'),
    "encrypted": (encrypted, MalformedCertificateError, f"{NO_ARCHIVE}report.md is encrypted)"),
    "another packing": (
        bzipped,
        MalformedCertificateError,
        f"{NO_ARCHIVE}report.md is packed in a way that is not read here)",
    ),
    "a file that is said to be huge": (
        declared(4_000_000_000),
        RejectedCertificateError,
        "report.md: larger than 256000000 bytes; no report has such a file",
    ),
    "a file that is larger than is said": (
        declared(10),
        MalformedCertificateError,
        f"{NO_ARCHIVE}Bad CRC-32",
    ),
    "a broken stream": (
        broken_stream,
        MalformedCertificateError,
        f"{NO_ARCHIVE}Error -3 while decompressing",
    ),
    "a list without end": (
        without_end,
        MalformedCertificateError,
        f"{NO_ARCHIVE}its list of files is too long",
    ),
}


@pytest.mark.parametrize("fault", ARCHIVES)
def test_what_is_no_archive_of_plain_files_is_refused_in_these_words(tmp_path: Path, fault: str) -> None:
    change, refused, message = ARCHIVES[fault]
    change(tmp_path / "x.zip")
    refusal = refusal_of(tmp_path / "x.zip")
    assert type(refusal) is refused
    assert str(refusal).startswith(message)


def test_a_small_archive_of_a_large_file_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is refused by the size that it says it has, and no byte of it is unpacked."""
    monkeypatch.setattr(reading, "MOST_FILE_BYTES", 99_999)
    path = packed(tmp_path / "x.zip", {"report.md": bytes(100_000)})
    monkeypatch.setattr(zipfile.ZipFile, "open", denied)
    assert str(refusal_of(path)) == "report.md: larger than 99999 bytes; no report has such a file"


def test_many_files_that_are_large_together_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MOST_BYTES", 150)
    path = packed(tmp_path / "x.zip", {"1": bytes(100), "2": bytes(100)})
    assert str(refusal_of(path)) == "2: larger than 50 bytes; no report has such a file"
    monkeypatch.setattr(reading, "MOST_FILES", 1)
    assert str(refusal_of(path)) == "more than 1 files; no report has so many"


def test_an_archive_with_any_byte_changed_is_read_or_refused(tmp_path: Path) -> None:
    """No damage is a fault of the program, and none changes a file: its own sum is held against it."""
    path = packed(tmp_path / "x.zip", FILES, "report/")
    content = path.read_bytes()
    chance = random.Random(7)
    for _ in range(400):
        damaged = bytearray(content)
        for _ in range(chance.randint(1, 3)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        path.write_bytes(damaged[: chance.choice([len(damaged), chance.randrange(len(damaged))])])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                contents = files_in(path)
            except CertificateError:
                continue
        assert set(contents.values()) <= set(FILES.values())


# ---------------------------------------------------------------- every refusal is reached


def test_every_raise_is_reached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ``raise`` that nothing here reaches is a refusal that nobody has seen."""

    def refusals() -> Iterator[BaseException]:
        for number, (change, _, _) in enumerate(REFUSED.values()):
            folder = written(FILES, tmp_path / f"{number}" / "report")
            change(folder)
            yield refusal_of(folder)
        for number, (change, _, _) in enumerate(ARCHIVES.values()):
            change(tmp_path / f"{number}.zip")
            yield refusal_of(tmp_path / f"{number}.zip")
        monkeypatch.setattr(reading, "MOST_FILE_BYTES", 1)
        yield refusal_of(written(FILES, tmp_path / "large"))
        monkeypatch.setattr(reading, "MOST_FILES", 1)
        yield refusal_of(tmp_path / "large")
        yield refusal_of(packed(tmp_path / "many.zip", FILES))

    assert unreached([reading], refusals()) == set()
