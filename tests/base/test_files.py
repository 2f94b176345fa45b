"""A file that is written is the whole new one, or the old one is left as it was."""

import contextlib
import os
from pathlib import Path

from combinat.render.files import replacing


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
