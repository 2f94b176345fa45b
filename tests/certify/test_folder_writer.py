"""A report put into its place: nothing of a user's is touched, and the old or the new one is whole at any moment."""

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from combinat.base.errors import CombinatError
from combinat.base.files import MARK, MARK_TEXT, write_new, write_whole
from combinat.certify import folder_writer
from combinat.certify.certificate import CollectionPredicate, sealed
from combinat.certify.folder_writer import (
    PlaceError,
    check_files,
    check_folder,
    place_files,
    place_folder,
    writing_to,
)
from tests.certify.forger import Change, moved_away
from tests.programs import contents
from tests.reports import Contents, read, written

PREDICATE = CollectionPredicate, {"games": ()}, dict[str, str]()


def sealed_files(words: str) -> Contents:
    """A small folder that vouches for itself."""
    files = {"report.md": words.encode(), "tables/bets.csv": words.encode() * 2, "README.md": b"index\n"}
    return sealed(files, *PREDICATE, None)


OLD, NEW = sealed_files("old"), sealed_files("new")
OVER_OLD, OVER_NEW = (sealed({"README.md": words}, *PREDICATE, None) for words in (b"old\n", b"new\n"))
NAMES = ("README.md", "SHA256SUMS", "certificate.json")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Where a report goes; an old one is there."""
    return written(OLD, tmp_path / "output" / "game")


# ---------------------------------------------------------------- what is put there


@pytest.mark.parametrize(("umask", "file", "folder"), [(0o077, 0o600, 0o700), (0o007, 0o660, 0o770)])
def test_the_umask_says_who_may_read(tmp_path: Path, umask: int, file: int, folder: int) -> None:
    """Reports where nothing was, and single files; a file that is written again keeps its permissions."""
    output = tmp_path / "new" / "output"
    before = os.umask(umask)
    try:
        place_folder(output / "game", NEW)
        place_files(output, OVER_NEW)
        write_new(output / "game.toml", "")
        chart = write_whole(output / "chart.svg", "")
        modes = {(path.is_dir(), path.stat().st_mode & 0o777) for path in (tmp_path / "new").rglob("*")}
        chart.chmod(0o604)
        assert write_whole(chart, "").stat().st_mode & 0o777 == 0o604
    finally:
        os.umask(before)
    assert modes == {(True, folder), (False, file)}
    assert (read(output / "game"), read(output).items() >= OVER_NEW.items()) == (NEW, True)


@pytest.mark.parametrize("old", [OLD, {}], ids=["a report", "an empty folder"])
def test_a_report_takes_the_place_of_an_old_one(tmp_path: Path, old: Contents) -> None:
    (tmp_path / "game").mkdir()
    written(old | {"../notes.txt": b"mine"}, tmp_path / "game")
    place_folder(tmp_path / "game", NEW)
    assert read(tmp_path / "game") == NEW
    assert sorted(os.listdir(tmp_path)) == ["game", "notes.txt"]


def test_files_over_the_folders(tmp_path: Path) -> None:
    out = tmp_path / "output"
    for files in (OVER_OLD, OVER_NEW, OVER_NEW):
        place_files(out, files)
        assert read(out) == files
        assert {path.stat().st_mode & 0o777 for path in out.iterdir()} == {0o644}
    (out / "game").mkdir()
    (out / "notes.txt").write_text("mine", "utf-8")
    place_files(out, OVER_OLD)
    assert sorted(os.listdir(out)) == sorted([*OVER_OLD, "game", "notes.txt"])


def test_the_bytes_are_on_the_disk_before_the_name_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that a power cut leaves the old or the new: every file of a report, and single files."""
    on_disk = set[tuple[int, int]]()

    def fsync(opened: int) -> None:
        assert not {"game", "new.toml"} & set(os.listdir(tmp_path))
        on_disk.add((os.fstat(opened).st_ino, os.fstat(opened).st_size))

    def reached(*paths: Path) -> bool:
        return {(path.stat().st_ino, path.stat().st_size) for path in paths} == on_disk

    monkeypatch.setattr(os, "fsync", fsync)
    place_folder(tmp_path / "game", NEW)
    assert reached(*(tmp_path / "game" / name for name in NEW))
    shutil.rmtree(tmp_path / "game")
    on_disk.clear()
    assert reached(write_whole(tmp_path / "chart.svg", "chart"))
    on_disk.clear()
    assert reached(write_new(tmp_path / "new.toml", "book"))


# ---------------------------------------------------------------- what is not ours


def nothing_but(name: str) -> Change:
    """A folder of the user's, with one file and nothing of ours."""

    def change(place: Path) -> None:
        shutil.rmtree(place)
        written({name: b"mine"}, place)

    return change


def with_file(name: str, content: bytes = b"mine") -> Change:
    return lambda place: written({name: content}, place)


def linked_to_an_empty_folder(place: Path) -> None:
    place.with_name("empty").mkdir()
    place.symlink_to("empty")


NOT_OURS: dict[str, tuple[Change, str]] = {
    "a folder of the user's": (nothing_but("main.py"), ""),
    "a file": (moved_away(Path.touch), ""),
    "a link": (moved_away(lambda place: place.symlink_to("elsewhere")), ""),
    "a link to nothing": (moved_away(lambda place: place.symlink_to("nowhere")), ""),
    "a link to an empty folder": (moved_away(linked_to_an_empty_folder), ""),
    "a file more": (with_file("notes.txt"), "notes.txt"),
    "a file more in a folder": (with_file("tables/notes.csv"), "tables/notes.csv"),
    "a hidden file": (with_file(".notes"), ""),
    "an empty folder": (lambda place: (place / "mine").mkdir(), ""),
    "a link inside": (lambda place: (place / "mine").symlink_to("/etc"), ""),
    "a file changed": (with_file("report.md"), "report.md"),
    "a file renamed": (
        lambda place: (place / "tables/bets.csv").rename(place / "tables/mine.csv"),
        "tables/mine.csv",
    ),
    "a file dropped": (lambda place: (place / "README.md").unlink(), "README.md"),
    "the sums changed": (with_file("SHA256SUMS"), "SHA256SUMS"),
    "the sums dropped": (lambda place: (place / "SHA256SUMS").unlink(), "SHA256SUMS"),
    "the certificate changed": (with_file("certificate.json", b"{}\n"), ""),
    "the certificate of another": (with_file("certificate.json", NEW["certificate.json"]), "SHA256SUMS"),
}
NOT_OURS_OVER: dict[str, tuple[Change, str]] = {
    "somebody else's": (nothing_but("README.md"), "README.md"),
    "changed": (with_file("README.md"), "README.md"),
    "the sums changed": (with_file("SHA256SUMS"), "SHA256SUMS"),
    "the certificate changed": (with_file("certificate.json"), "README.md"),
    "the certificate dropped": (lambda out: (out / "certificate.json").unlink(), "README.md"),
    "a link": (moved_away(lambda place: place.symlink_to("elsewhere"), "README.md"), "README.md"),
    "a pipe": (moved_away(os.mkfifo, "README.md"), "README.md"),
    "a folder": (moved_away(Path.mkdir, "README.md"), "README.md"),
}
"""Changes of a report, and of the files over the folders: each with the file that the refusal names."""

REPORT = OLD, check_folder, partial(place_folder, files=NEW)
OVER = OVER_OLD, partial(check_files, names=NAMES), partial(place_files, files=OVER_NEW)


@pytest.mark.parametrize(
    ("kind", "change", "named"),
    [
        *(pytest.param(REPORT, *fault, id=f"report: {name}") for name, fault in NOT_OURS.items()),
        *(pytest.param(OVER, *fault, id=f"over: {name}") for name, fault in NOT_OURS_OVER.items()),
    ],
)
def test_what_is_not_ours_is_refused_by_name_and_stays(
    tmp_path: Path, kind: tuple[Contents, Change, Change], change: Change, named: str
) -> None:
    old, *attempts = kind
    place = written(old, tmp_path / "output" / "game")
    change(place)
    before = contents(tmp_path)
    for attempt in attempts:
        with pytest.raises(PlaceError) as refusal:
            attempt(place)
        assert str(refusal.value).startswith(f"{place / named}: ")
        assert contents(tmp_path) == before


def test_a_place_that_cannot_be_read_is_refused(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(Path, "iterdir", Mock(side_effect=PermissionError))
        with pytest.raises(PlaceError):
            check_folder(place)
    monkeypatch.setattr(folder_writer, "MOST_FILE_BYTES", 1)
    with pytest.raises(PlaceError):
        check_files(written(OVER_OLD, place.parent), NAMES)


def test_a_place_that_cannot_be_written_to_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"mine")
    for attempt in (
        partial(place_folder, tmp_path / "file" / "game", NEW),
        partial(place_files, tmp_path / "file", OVER_NEW),
        writing_to(tmp_path / "file" / "game").__enter__,
    ):
        with pytest.raises(CombinatError):
            attempt()
    assert read(tmp_path) == {"file": b"mine"}


# ---------------------------------------------------------------- a change in the last moment


@pytest.mark.parametrize("can_exchange", [True, False])
def test_what_is_added_while_a_report_is_written_is_not_lost(
    place: Path, monkeypatch: pytest.MonkeyPatch, can_exchange: bool
) -> None:
    """A file that appears between the check and the exchange is there afterwards, and nothing was replaced."""
    real = folder_writer._exchanged

    def exchanged(one: Path, other: Path) -> bool:
        if not (place / "notes.txt").exists() and other == place and not (one / "notes.txt").exists():
            (place / "notes.txt").write_text("mine", "utf-8")
        return real(one, other) if can_exchange else False

    monkeypatch.setattr(folder_writer, "_exchanged", exchanged)
    with pytest.raises(PlaceError):
        place_folder(place, NEW)
    assert read(place) == OLD | {"notes.txt": b"mine"}
    assert os.listdir(place.parent) == ["game"]


def test_a_system_without_exchange_is_recognised(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What then happens at each step is below."""
    monkeypatch.setattr("ctypes.CDLL", lambda *arguments, **more: object())
    place_folder(place, NEW)
    assert read(place) == NEW
    assert os.listdir(place.parent) == ["game"]


# ---------------------------------------------------------------- a fault at any step


class Stopped(BaseException):
    """The end of the program, in the middle of a step."""


class Faults:
    """Every step that touches a file counts; at the last that is allowed, something happens."""

    def __init__(self, patched: pytest.MonkeyPatch, allowed: int, fault: BaseException) -> None:
        self.left, self.fault, self.over = allowed, fault, False
        for owner, name in (
            *((os, name) for name in ("mkdir", "unlink", "rename", "replace", "chmod", "rmdir")),
            (Path, "write_bytes"),
            (folder_writer, "_exchanged"),
        ):
            patched.setattr(owner, name, self.counted(getattr(owner, name)))

    def counted(self, real: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, as a step."""

        def step(*arguments: Any, **more: Any) -> Any:
            if self.over and isinstance(self.fault, Stopped):
                raise self.fault  # a program that was killed does nothing more
            if self.left == 0 and not self.over:
                self.over = True
                if real.__name__ == "write_bytes":
                    real(arguments[0], arguments[1][:1])  # a part of the file
                raise self.fault
            self.left -= not self.over
            return real(*arguments, **more)

        return step


def attempts(
    monkeypatch: pytest.MonkeyPatch,
    start: Callable[[int], Path],
    act: Callable[[Path], None],
    fault: BaseException,
) -> Iterator[Path]:
    """The same act again and again, each time with the fault at a later step, until it goes through."""
    for number in range(500):
        path = start(number)
        with monkeypatch.context() as patched:
            faults = Faults(patched, number, fault)
            with contextlib.suppress(CombinatError, Stopped, KeyboardInterrupt):
                act(path)
            if not faults.over:
                assert number > 8  # there were steps
                return
        yield path
    raise AssertionError("it never went through")


FAULTS = {
    "killed": Stopped(),
    "stopped by Ctrl-C": KeyboardInterrupt(),
    "a full disk": OSError(28, "No space left on device"),
}


@pytest.mark.parametrize("can_exchange", [True, False])
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_at_any_step_leaves_the_old_or_the_new_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str, can_exchange: bool
) -> None:
    """And the next run makes all well again, with nothing left aside."""
    if not can_exchange:
        monkeypatch.setattr(folder_writer, "_exchanged", lambda one, other: False)
    seen = set[str]()
    for path in attempts(
        monkeypatch,
        lambda number: written(OLD, tmp_path / str(number) / "game"),
        lambda path: place_folder(path, NEW),
        FAULTS[fault],
    ):
        if path.exists():
            assert read(path) in (OLD, NEW)
            seen.add("old" if read(path) == OLD else "new")
        else:  # for a moment nothing is there, on a system that cannot exchange; both are whole, aside
            assert (fault, can_exchange) == ("killed", False)
            (left,) = path.parent.iterdir()
            assert (read(left / "new"), read(left / "old")) == (NEW, OLD)
            seen.add("between")
        if fault != "killed" and path.exists() and read(path) == OLD:
            assert len(os.listdir(path.parent)) <= 2
        place_folder(path, NEW)
        assert read(path) == NEW
        assert os.listdir(path.parent) == ["game"]
    assert "old" in seen
    assert ("between" in seen) == ((fault, can_exchange) == ("killed", False))


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_at_any_step_is_made_good_over_the_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    """Each file is the old or the new one, whole; and the next run knows its own files again."""
    for path in attempts(
        monkeypatch,
        lambda number: written(OVER_OLD, tmp_path / str(number)),
        lambda path: place_files(path, OVER_NEW),
        FAULTS[fault],
    ):
        for name in NAMES:
            assert (path / name).read_bytes() in (OVER_OLD[name], OVER_NEW[name])
        check_files(path, NAMES)
        over = sealed({"README.md": fault.encode()}, *PREDICATE, None)
        place_files(path, over)
        assert read(path) == over


def test_a_report_that_a_kill_hid_is_put_back_first(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two renames nothing is in the place; when the next run fails too, the old report is there again."""
    left = written({MARK: MARK_TEXT}, place.parent / ".game.abcdefgh.combinat")
    place.rename(left / "old")
    monkeypatch.setattr(Path, "write_bytes", Mock(side_effect=OSError(28, "No space left on device")))
    with pytest.raises(CombinatError):
        place_folder(place, NEW)
    assert read(place) == OLD
    assert os.listdir(place.parent) == ["game"]
