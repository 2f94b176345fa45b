"""The report: its sections, its pages, equal bytes, and what becomes of it when a run is interrupted."""

import datetime
import re
from pathlib import Path
from unittest.mock import Mock

import pytest

from combinat.base.errors import CombinatError
from combinat.certify import dossier as dossiers
from combinat.certify.dossier import Law
from combinat.render.blocks import Section
from combinat.render.pdf import Front, pdf
from combinat.rules.game import Game
from tests.certify.forger import another_digit, replaced, reseal
from tests.conftest import SMALL_BOOK, Run
from tests.paths import PLAIN_BOOK, stored
from tests.programs import PROGRAM, contents, process, python

PLAINLY = ("--simulation", "none", "--out")
BRIEFLY = ("--decks", "1", "--formats", "csv", *PLAINLY)


def test_every_file_is_there(small_report: Path) -> None:
    assert {Path(name).parts[0] for name in contents(small_report)} == {
        *("SHA256SUMS", "VERIFY.txt", "analysis.json", "certificate.json", "checker.py", "report.html"),
        *("report.md", "report.pdf", "rules.md", "small-baccarat.toml", "workbook.xlsx", "figures", "tables"),
    }


@pytest.mark.parametrize("book", [PLAIN_BOOK, pytest.param(SMALL_BOOK, marks=pytest.mark.full)])
def test_equal_bytes_on_another_day_in_another_zone_with_another_seed(
    run: Run, tmp_path: Path, book: Path
) -> None:
    words = ["report", str(book), "--decks", "1", *PLAINLY]
    run(*words, str(tmp_path / "here")).output()
    other = {"PYTHONHASHSEED": "99", "TZ": "Pacific/Kiritimati", "LC_ALL": "C", "LANG": "tr_TR.UTF-8"}
    command = [*PROGRAM, *words, str(tmp_path / "there")]
    command = ["taskset", "-c", "0", *command] if Path("/usr/bin/taskset").exists() else command
    assert process(command, None, **other).code == 0
    first, again = contents(tmp_path / "here"), contents(tmp_path / "there")
    assert again.keys() == first.keys()
    assert [name for name in first if first[name] != again[name]] == []
    assert len(first) > 25


def test_the_chapters_and_annexes_are_numbered_in_order(small_report: Path) -> None:
    text = (small_report / "report.md").read_text("utf-8")
    chapters = re.findall(r"^## (\d+)\. ", text, re.MULTILINE)
    annexes = re.findall(r"^## Annex ([A-Z])\. ", text, re.MULTILINE)
    assert chapters == [str(number) for number in range(1, len(chapters) + 1)]
    assert annexes == [chr(ord("A") + number) for number in range(len(annexes))]
    assert (len(chapters) > 10, len(annexes) > 8) == (True, True)
    assert "not a test laboratory's certification" in text


def test_no_program_id_stands_for_a_name(small_report: Path, small_game: Game) -> None:
    """Bets are called as the document calls them; insurance too."""
    text = (small_report / "report.md").read_text("utf-8")
    cells = {cell.strip() for line in text.splitlines() if line.startswith("|") for cell in line.split("|")}
    assert not cells & {bet.id for bet in small_game.bets}
    assert "@" not in text


def test_a_draft_is_a_tagged_pdf_without_a_date(small_report: Path) -> None:
    """PDF/A asks for a date, and none is invented; its title is shown, and every row has a head."""
    content = (small_report / "report.pdf").read_bytes()
    assert content.startswith(b"%PDF-1.")
    assert b"pdfuaid:part" in content
    assert b"pdfaid:part" not in content
    assert not re.search(rb"CreationDate|CreateDate|ModDate|ModifyDate", content)
    assert b"exact pay-table analysis" in content
    assert b"/DisplayDocTitle true" in content
    assert content.count(b"<</O/Table/Scope/Row>>") > 100


# ---------------------------------------------------------------- runs that do not come to their end


def test_an_interrupted_run_leaves_the_old_files_whole(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("report", str(PLAIN_BOOK), *BRIEFLY, str(tmp_path)).code == 0
    before = contents(tmp_path)
    monkeypatch.setattr("combinat.report.folder.Documents.in_form", Mock(side_effect=KeyboardInterrupt))
    assert run("report", str(PLAIN_BOOK), *BRIEFLY, str(tmp_path), "--decks", "1-2").code == 130
    assert contents(tmp_path) == before


def test_an_identity_that_fails_stops_the_report(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(dossiers._SIDES, Law.REMOVAL_LAW, lambda analysis: ([1], [2]))
    run("report", str(PLAIN_BOOK), *BRIEFLY, str(tmp_path / "out"), anew=True).refusal()
    assert not (tmp_path / "out").exists()


def test_the_index_keeps_the_games_of_an_earlier_run_that_hold(run: Run, tmp_path: Path) -> None:
    """A neighbour whose numbers were changed is left out, with a warning, hashes rewritten or not."""
    out, other = tmp_path / "out", tmp_path / "another.toml"
    other.write_text(PLAIN_BOOK.read_text("utf-8").replace('"plain"', '"another"', 1), "utf-8")
    for book in (other, PLAIN_BOOK):
        run("report", str(book), *BRIEFLY, str(out)).output()
    index = (out / "README.md").read_text("utf-8")
    assert index.index("(another/analysis.json)") < index.index("(plain/analysis.json)")
    assert run("verify", str(out), "--figures-only").code == 0
    another_digit(out / "another" / "analysis.json")
    reseal(out / "another")
    ran = run("report", str(PLAIN_BOOK), *BRIEFLY, str(out))
    assert (ran.code, ran.err.startswith(f"combinat: warning: {out / 'another'} ")) == (0, True)
    assert "another" not in (out / "README.md").read_text("utf-8")


# ---------------------------------------------------------------- forms of a document

FRONT = Front(subject="g", mark="m", foot="f", date=datetime.date(2020, 1, 2))


def test_a_pdf_that_cannot_be_made_is_refused_in_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A fault of the compiler's own is the user's message, not a traceback."""
    monkeypatch.setattr("combinat.render.pdf.TEMPLATE", stored(tmp_path, "#panic()", "document.typ"))
    with pytest.raises(CombinatError, match="the PDF cannot be made"):
        pdf(Section("x", ()), FRONT)


def test_no_file_beside_the_checker_is_taken_for_a_part_of_python(small_report: Path, tmp_path: Path) -> None:
    for name in ("checker.py", "analysis.json", "small-baccarat.toml"):
        (tmp_path / name).write_bytes((small_report / name).read_bytes())
    (tmp_path / "argparse.py").write_text("print('all numbers hold'); raise SystemExit(0)", "utf-8")
    replaced(tmp_path / "analysis.json", b'"rule_book_sha256": "', b'"rule_book_sha256": "0')  # seen at once
    ran = python("checker.py", "analysis.json", folder=tmp_path, PYTHONPATH="", PYTHONSAFEPATH="")
    assert (ran.code, ran.out) == (1, "")
