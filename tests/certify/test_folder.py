"""Folders from strangers: what is read of them, and what is refused before it costs anything."""

import os
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat.base.errors import CertificateError, RejectedCertificateError
from combinat.certify import folder as reading
from combinat.certify.folder import files_in, is_plain, plain_files
from tests.certify.forger import Change, moved_away
from tests.certify.hostile_names import HOSTILE_NAMES
from tests.raises import noting_refusals, refusing
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


def linked(place: Path) -> None:
    place.symlink_to(place.with_name("elsewhere"))


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
    "a file that is a link": (moved_away(linked, "report.pdf"), RejectedCertificateError, '"report.pdf": '),
    "a folder that is a link": (moved_away(linked, "tables"), RejectedCertificateError, '"tables": '),
    "the folder is a link": (
        moved_away(linked),
        CertificateError,
        "",
    ),
    "a pipe": (lambda folder: os.mkfifo(folder / "pipe"), RejectedCertificateError, "pipe: "),
    "an empty folder": (
        lambda folder: (folder / "more" / "empty").mkdir(parents=True),
        RejectedCertificateError,
        '"more/empty/": ',
    ),
    "a file without end": (
        lambda folder: os.truncate(folder / "report.md", 10**12),
        RejectedCertificateError,
        "report.md: ",
    ),
    "nothing": (moved_away(lambda folder: None), CertificateError, ""),
    "a pipe in its place": (moved_away(os.mkfifo), CertificateError, ""),
    "an archive": (
        moved_away(lambda folder: folder.write_bytes(b"PK\x05\x06" + bytes(18))),
        CertificateError,
        "not a folder; ",
    ),
}


def test_what_is_no_folder_of_plain_files_is_refused_and_every_raise_is_reached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is waited for. A ``raise`` that no fault here reaches is a refusal that nobody has seen."""
    reached, wrong = noting_refusals(monkeypatch), {}
    for fault, (change, kind, names) in REFUSED.items():
        folder = written(FILES, tmp_path / fault / "report")
        change(folder)
        found = refusal_of(folder)
        if type(found) is not kind or not str(found).startswith(names):
            wrong[fault] = found
    assert wrong == {}
    monkeypatch.setattr(reading, "MOST_FILES", 1)
    refusal_of(written(FILES, tmp_path / "many"))
    (tmp_path / "no report" / "empty").mkdir(parents=True)
    assert type(refusal_of(tmp_path / "no report")) is CertificateError
    assert refusing(reading) - reached == set()


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
    monkeypatch.setattr(os, "scandir", Mock(side_effect=PermissionError))
    assert type(refusal_of(folder)) is CertificateError
