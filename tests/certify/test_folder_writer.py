"""A report put into its place: nothing of a user's is touched, and the old or the new one is whole at any moment."""

import contextlib
import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from combinat.base.errors import CombinatError
from combinat.base.files import MARK, MARK_TEXT
from combinat.certify import folder_writer
from combinat.certify.certificate import THIS, WORDS, CollectionPredicate, sealed
from combinat.certify.folder_writer import (
    PlaceError,
    check_files,
    check_folder,
    place_files,
    place_folder,
)
from tests.reports import Contents, read, sha256, written

PREDICATE = CollectionPredicate(games=(), software=THIS, libraries=(), statement=WORDS[False])


def sealed_files(words: str) -> Contents:
    """A small folder that vouches for itself."""
    files = {"report.md": words.encode(), "tables/bets.csv": words.encode() * 2, "README.md": b"index\n"}
    return sealed(files, PREDICATE, None)


OLD, NEW = sealed_files("old"), sealed_files("new")
OVER_OLD, OVER_NEW = (sealed({"README.md": words}, PREDICATE, None) for words in (b"old\n", b"new\n"))
NAMES = ("README.md", "SHA256SUMS", "certificate.json")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Where a report goes; an old one is there."""
    return written(OLD, tmp_path / "output" / "game")


def state(path: Path) -> dict[str, str]:
    """Everything in a folder, to be compared."""
    return {
        entry.relative_to(path).as_posix(): f"-> {os.readlink(entry)}"
        if entry.is_symlink()
        else sha256(entry.read_bytes())
        if entry.is_file()
        else "folder"
        for entry in path.rglob("*")
    }


# ---------------------------------------------------------------- what is put there


def test_a_report_is_put_where_nothing_was(tmp_path: Path) -> None:
    """Who may read it is for the user's mask to say."""
    place = tmp_path / "new" / "output" / "game"
    before = os.umask(0o077)
    try:
        place_folder(place, NEW)
    finally:
        os.umask(before)
    assert read(tmp_path) == {f"new/output/game/{name}": content for name, content in NEW.items()}
    modes = {path.stat().st_mode & 0o777 for path in (place, *place.rglob("*")) if path.is_dir()}
    assert modes == {0o700}
    assert {path.stat().st_mode & 0o777 for path in place.rglob("*") if path.is_file()} == {0o600}


def test_a_report_takes_the_place_of_an_old_one(place: Path) -> None:
    (place.parent / "notes.txt").write_text("mine", "utf-8")
    place_folder(place, NEW)
    assert read(place) == NEW
    assert sorted(os.listdir(place.parent)) == ["game", "notes.txt"]


def test_an_empty_folder_is_a_place(tmp_path: Path) -> None:
    (tmp_path / "game").mkdir()
    place_folder(tmp_path / "game", NEW)
    assert read(tmp_path / "game") == NEW
    assert os.listdir(tmp_path) == ["game"]


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


# ---------------------------------------------------------------- what is not ours

Change = Callable[[Path], Any]


def source_folder(place: Path) -> None:
    """A folder of the user's that has the name of the game."""
    for name in OLD:
        (place / name).unlink()
    (place / "tables").rmdir()
    (place / "main.py").write_text("print()\n", "utf-8")


def moved_away(put: Callable[[Path], Any]) -> Change:
    """A change that moves the old thing away and puts another in its place."""

    def change(place: Path) -> None:
        place.rename(place.with_name("elsewhere"))
        put(place)

    return change


def certificate_of_another(place: Path) -> None:
    (place / "certificate.json").write_bytes(NEW["certificate.json"])


def written_in(name: str, content: bytes = b"mine") -> Change:
    def change(place: Path) -> None:
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_bytes(content)

    return change


CHANGED = "changed since combinat wrote it; move the folder away"
ELSE = "there is something else in the place of the report; move it away"
NOT_OURS: dict[str, tuple[Change, str]] = {
    "a folder of the user's": (
        source_folder,
        "{place}: not a report that combinat wrote (no certificate.json); move it away",
    ),
    "a file": (moved_away(lambda place: place.write_text("mine", "utf-8")), f"{{place}}: {ELSE}"),
    "a link": (moved_away(lambda place: place.symlink_to("elsewhere")), f"{{place}}: {ELSE}"),
    "a link to nothing": (moved_away(lambda place: place.symlink_to("nowhere")), f"{{place}}: {ELSE}"),
    "a file more": (
        written_in("notes.txt"),
        "{place}/notes.txt: not part of the report that is there; move it away",
    ),
    "a file more in a folder": (
        written_in("tables/notes.csv"),
        "{place}/tables/notes.csv: not part of the report that is there; move it away",
    ),
    "a hidden file": (
        written_in(".notes"),
        '{place}: not a report that combinat wrote (".notes": expected a plain name: no ".." or leading "." or '
        '"/", no "\\" or ":", printable characters only); move it away',
    ),
    "an empty folder": (
        lambda place: (place / "mine").mkdir(),
        '{place}: not a report that combinat wrote ("mine/": an empty folder; no report has one); move it away',
    ),
    "a link inside": (
        lambda place: (place / "mine").symlink_to("/etc"),
        '{place}: not a report that combinat wrote ("mine": a symbolic link; expected a plain file); move it away',
    ),
    "a file changed": (written_in("report.md"), f"{{place}}/report.md: {CHANGED}"),
    "a file less": (
        lambda place: (place / "tables" / "bets.csv").rename(place / "tables" / "mine.csv"),
        "{place}/tables/mine.csv: not part of the report that is there; move it away",
    ),
    "a file dropped": (
        lambda place: (place / "README.md").unlink(),
        "{place}/README.md: missing from the report that is there; move the folder away",
    ),
    "the sums changed": (written_in("SHA256SUMS"), f"{{place}}/SHA256SUMS: {CHANGED}"),
    "the sums dropped": (
        lambda place: (place / "SHA256SUMS").unlink(),
        "{place}/SHA256SUMS: missing from the report that is there; move the folder away",
    ),
    "the certificate changed": (
        written_in("certificate.json", b"{}\n"),
        "{place}: not a report that combinat wrote (Object missing required field `_type`); move it away",
    ),
    "the certificate of another": (certificate_of_another, f"{{place}}/SHA256SUMS: {CHANGED}"),
}


@pytest.mark.parametrize("fault", NOT_OURS)
def test_what_is_not_ours_is_refused_by_name_and_stays(place: Path, fault: str) -> None:
    change, message = NOT_OURS[fault]
    change(place)
    before = state(place.parent)
    for attempt in (partial(check_folder, place), partial(place_folder, place, NEW)):
        with pytest.raises(PlaceError) as refusal:
            attempt()
        assert str(refusal.value) == message.replace("{place}", str(place))
        assert state(place.parent) == before


OVER_ELSE = "there is something else in its place; move it away"
OVER_CHANGED = "not written by combinat, or changed since; move it away and nothing is lost"


def alone(place: Path) -> None:
    """A README.md of somebody else, and nothing of ours."""
    for name in NAMES:
        (place / name).unlink()
    (place / "README.md").write_text("# My project\n", "utf-8")


def in_place_of_readme(put: Callable[[Path], Any]) -> Change:
    return lambda out: moved_away(put)(out / "README.md")


NOT_OURS_OVER: dict[str, tuple[Change, str]] = {
    "somebody else's": (alone, f"README.md: {OVER_CHANGED}"),
    "changed": (written_in("README.md"), f"README.md: {OVER_CHANGED}"),
    "the sums changed": (written_in("SHA256SUMS"), f"SHA256SUMS: {OVER_CHANGED}"),
    "the certificate changed": (written_in("certificate.json"), f"README.md: {OVER_CHANGED}"),
    "the certificate dropped": (
        lambda out: (out / "certificate.json").unlink(),
        f"README.md: {OVER_CHANGED}",
    ),
    "a link": (in_place_of_readme(lambda place: place.symlink_to("elsewhere")), f"README.md: {OVER_ELSE}"),
    "a pipe": (in_place_of_readme(os.mkfifo), f"README.md: {OVER_ELSE}"),
    "a folder": (in_place_of_readme(Path.mkdir), f"README.md: {OVER_ELSE}"),
}


@pytest.mark.parametrize("fault", NOT_OURS_OVER)
def test_a_file_over_the_folders_that_is_not_ours_is_refused_and_stays(tmp_path: Path, fault: str) -> None:
    change, message = NOT_OURS_OVER[fault]
    out = written(OVER_OLD, tmp_path / "output")
    change(out)
    before = state(tmp_path)
    for attempt in (partial(check_files, out, NAMES), partial(place_files, out, OVER_NEW)):
        with pytest.raises(PlaceError) as refusal:
            attempt()
        assert str(refusal.value) == f"{out}/{message}"
        assert state(tmp_path) == before


def failing(number: int) -> Callable[..., Any]:
    def fail(*arguments: object, **more: object) -> Any:
        raise OSError(number, os.strerror(number))

    return fail


def test_a_place_that_cannot_be_read_is_refused(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(Path, "iterdir", failing(13))
        with pytest.raises(PlaceError, match="cannot be read"):
            check_folder(place)
    monkeypatch.setattr(folder_writer, "MOST_FILE_BYTES", 1)
    with pytest.raises(PlaceError, match="larger than 1 bytes"):
        check_files(written(OVER_OLD, place.parent), NAMES)


def test_a_place_that_cannot_be_written_to_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"mine")
    for attempt in (
        partial(place_folder, tmp_path / "file" / "game", NEW),
        partial(place_files, tmp_path / "file", OVER_NEW),
    ):
        with pytest.raises(CombinatError, match="cannot be written"):
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
    with pytest.raises(PlaceError) as refusal:
        place_folder(place, NEW)
    assert str(refusal.value) == f"{place}: changed while the new report was written; nothing was replaced"
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
        over = sealed({"README.md": fault.encode()}, PREDICATE, None)
        place_files(path, over)
        assert read(path) == over


def test_a_report_that_a_kill_hid_is_put_back_first(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two renames nothing is in the place; when the next run fails too, the old report is there again."""
    left = written({MARK: MARK_TEXT}, place.parent / ".game.abcdefgh.combinat")
    place.rename(left / "old")
    monkeypatch.setattr(Path, "write_bytes", failing(28))
    with pytest.raises(CombinatError, match="No space left on device"):
        place_folder(place, NEW)
    assert read(place) == OLD
    assert os.listdir(place.parent) == ["game"]
