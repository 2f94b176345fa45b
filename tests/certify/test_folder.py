"""Folders from strangers: what is read of them, and what is refused before it costs anything."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat.certify import folder as reading
from combinat.certify.folder import files_in, is_plain, plain_files
from combinat.errors import CertificateError, RejectedCertificateError
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
        CertificateError,
        "a symbolic link; give the folder itself",
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


# ---------------------------------------------------------------- what is no folder


@pytest.mark.parametrize(
    "content", [b"PK\x05\x06" + bytes(18), b"mine", b""], ids=["archive", "file", "empty"]
)
def test_a_file_is_refused_unread(tmp_path: Path, content: bytes) -> None:
    """Also an archive: other programs read some of them differently."""
    path = tmp_path / "report.zip"
    path.write_bytes(content)
    path.chmod(0)
    assert type(refusal_of(path)) is CertificateError


# ---------------------------------------------------------------- every refusal is reached


def test_every_raise_is_reached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ``raise`` that nothing here reaches is a refusal that nobody has seen."""

    def refusals() -> Iterator[BaseException]:
        for number, (change, _, _) in enumerate(REFUSED.values()):
            folder = written(FILES, tmp_path / f"{number}" / "report")
            change(folder)
            yield refusal_of(folder)
        (tmp_path / "report.zip").touch()
        yield refusal_of(tmp_path / "report.zip")
        monkeypatch.setattr(reading, "MOST_FILE_BYTES", 1)
        yield refusal_of(written(FILES, tmp_path / "large"))
        monkeypatch.setattr(reading, "MOST_FILES", 1)
        yield refusal_of(tmp_path / "large")

    assert unreached([reading], refusals()) == set()
