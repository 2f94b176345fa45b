"""The folder that reports are written to: one run at a time, and "incomplete" is never a verdict on a report."""

from pathlib import Path
from unittest.mock import Mock

import pytest

from combinat.base.errors import CertificateError, CombinatError, RejectedCertificateError
from combinat.certify import folder_writer
from combinat.certify.folder_writer import (
    INCOMPLETE,
    _locked,
    delivered_files,
    mark_complete,
    mark_incomplete,
    writing_to,
)
from combinat.report.certified import write_report as reports
from tests.conftest import Run
from tests.paths import PLAIN_BOOK

REPORT = (
    *("report", str(PLAIN_BOOK), "--decks", "1", "--formats", "csv", "--simulation", "none"),
    *("--out", "out"),
)


@pytest.fixture(autouse=True)
def _impatient(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_writer, "PATIENCE", 0.0)


def test_a_second_run_into_one_folder_is_refused(run: Run) -> None:
    """While the first is running, verification does not judge either; afterwards both work."""
    with writing_to(Path("out")):
        refused = run(*REPORT)
        assert (refused.code, list(Path("out").iterdir())) == (2, [])
        assert run("verify", "out").code == 2
    assert run(*REPORT).code == 0
    assert run("verify", "out", "--figures-only").code == 0


def test_a_run_stopped_between_reports_and_collection_is_incomplete(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The report alone holds, the folder around it is no verdict, and the next run completes it."""
    assert run(*REPORT).code == 0
    with monkeypatch.context() as patched:
        patched.setattr(reports, "write_collection", Mock(side_effect=KeyboardInterrupt))
        assert run(*REPORT, "--reading", "six-must-win").code == 130
    assert run("verify", "out").code == 2
    assert run("verify", f"out/{PLAIN_BOOK.stem}", "--figures-only").code == 0
    Path("around").mkdir()
    Path("out").rename("around/out")
    assert run("verify", "around").code == 2
    Path("around/out").rename("out")
    assert run(*REPORT).code == 0
    assert not Path("out", INCOMPLETE).exists()
    assert run("verify", "out", "--figures-only").code == 0


def test_a_run_that_changes_nothing_leaves_no_mark(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "place_folder", Mock(side_effect=CombinatError("no space left")))
    assert run(*REPORT).code == 2
    assert not Path("out").exists()


def test_a_file_in_the_place_of_the_mark_is_left_alone() -> None:
    folder = Path("out")
    folder.mkdir()
    (folder / INCOMPLETE).write_bytes(b"mine")
    for change in (mark_incomplete, mark_complete):
        with pytest.raises(CombinatError):
            change(folder)
    assert (folder / INCOMPLETE).read_bytes() == b"mine"
    (folder / INCOMPLETE).unlink()
    assert (mark_incomplete(folder), mark_incomplete(folder)) == (True, False)
    mark_complete(folder)
    assert mark_incomplete(folder)


def test_a_reader_keeps_a_run_waiting_and_no_other_reader() -> None:
    folder = Path("out")
    folder.mkdir()
    with _locked(folder) as is_first, _locked(folder) as is_second:
        assert (is_first, is_second) == (True, True)
        with pytest.raises(CombinatError), writing_to(folder):
            pass
        with writing_to(folder / "inner"):
            pass
    (folder / "game").mkdir()
    for place in (folder, folder / "game"):
        with writing_to(folder), pytest.raises(CertificateError) as refused:
            delivered_files(place)
        assert not isinstance(refused.value, RejectedCertificateError)


def test_a_system_without_locks_reads_and_writes_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows: ``combinat verify`` needs no lock."""
    monkeypatch.setattr(folder_writer, "fcntl", None)
    with writing_to(Path("out")):
        Path("out/file").write_bytes(b"content")
        assert delivered_files(Path("out")) == {"file": b"content"}
