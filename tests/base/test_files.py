"""Files: only plain ones are read; what is written is the whole new file, or the old one is left as it was."""

import contextlib
import fcntl
import os
from pathlib import Path

import pytest

from combinat.base import files
from combinat.base.errors import FileError
from combinat.base.files import open_plain, plain_bytes, replacing


def test_a_file_is_replaced_by_a_rename_and_left_alone_by_a_failure(tmp_path: Path) -> None:
    """Another name for the old file still shows the old content: nothing was written into it."""
    file, other_name = tmp_path / "a.csv", tmp_path / "old"
    file.write_text("old", "utf-8")
    os.link(file, other_name)
    with contextlib.suppress(RuntimeError), replacing(file) as temporary:
        temporary.write_text("half", "utf-8")
        raise RuntimeError
    assert file.read_text("utf-8") == "old"
    with replacing(file) as temporary:
        temporary.write_text("new", "utf-8")
    assert (file.read_text("utf-8"), other_name.read_text("utf-8")) == ("new", "old")
    assert sorted(os.listdir(tmp_path)) == ["a.csv", "old"]


def test_a_link_in_the_place_is_followed(here: Path) -> None:
    """As the shell does: the link stays a link, and the file that it leads to is replaced whole."""
    Path("there").mkdir()
    Path("there/file").write_text("old")
    Path("link").symlink_to("there/file")
    files.write_whole(Path("link"), "new")
    assert Path("link").is_symlink()
    assert Path("there/file").read_text() == "new\n"


def left_over(name: str, *, mark: bytes | None = files.MARK_TEXT) -> Path:
    """What a killed run leaves beside a place."""
    folder = Path(f".{name}.abcdefgh{files.ASIDE}")
    folder.mkdir()
    if mark is not None:
        (folder / files.MARK).write_bytes(mark)
        (folder / f"{name}.csv.part").write_text("half")
    return folder


@pytest.mark.parametrize("mark", [files.MARK_TEXT, b"", None], ids=["marked", "mark begun", "unmarked"])
def test_what_a_killed_run_left_is_removed_by_the_next(here: Path, mark: bytes | None) -> None:
    left_over("sim.json", mark=mark)
    files.write_whole(Path("sim.json"), "new")
    assert [path.name for path in here.iterdir()] == ["sim.json"]


def test_what_is_not_provably_ours_is_left_alone(here: Path) -> None:
    """Another place's, a folder without our mark or with another, and one that a running program holds."""
    left_over("other.json")
    held = left_over("sim.json")
    strange = {
        ".sim.json.hgfedcba.combinat/mine.txt": b"mine",
        ".sim.json.aaaaaaaa.combinat/.unfinished": b"my own mark",
        ".sim.json.abcdefgh": b"a file",
    }
    for name, content in strange.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_bytes(content)
    with (held / files.MARK).open("rb") as mark:
        fcntl.flock(mark, fcntl.LOCK_EX)
        before = sorted(here.rglob("*"))
        files.write_whole(Path("sim.json"), "new")
        assert sorted(here.rglob("*")) == sorted([*before, here / "sim.json"])
    files.write_whole(Path("sim.json"), "newer")
    assert not held.exists()
    assert {name: Path(name).read_bytes() for name in strange} == strange


def test_a_name_of_any_length_can_be_written(here: Path) -> None:
    path = Path("é" * 125 + ".csv")
    assert len(os.fsencode(path)) == 254
    files.write_whole(path, "x")
    assert list(here.iterdir()) == [here / path]


def test_only_plain_files_are_opened(here: Path) -> None:
    """A link is followed where that is wanted, and only to a plain file."""
    Path("file").write_bytes(b"abc")
    Path("link").symlink_to("file")
    os.mkfifo("pipe")
    Path("to-pipe").symlink_to("pipe")
    assert plain_bytes(Path("link"), 3, links=True) == b"abc"
    Path("to-device").symlink_to("/dev/zero")
    others = ("pipe", "to-pipe", ".", "none", "/dev/zero", "/dev/null", "/dev/tty", "to-device")
    for path in ("link", *others):
        with pytest.raises(FileError):
            plain_bytes(Path(path), 3)
    for path in others:
        with pytest.raises(FileError):
            open_plain(Path(path))
    with pytest.raises(FileError, match="larger than 2 bytes"):
        plain_bytes(Path("file"), 2)
