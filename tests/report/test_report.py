"""The report: its sections, its pages, equal bytes, and what becomes of it when a run is interrupted."""

import datetime
import os
import re
import subprocess
import sys
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path

import pytest

from combinat.analysis import identities
from combinat.analysis.dossier import Dossier
from combinat.analysis.identities import Law
from combinat.certify.analysis_file import analysis_bytes
from combinat.certify.verification import checked_numbers
from combinat.errors import CombinatError
from combinat.render.blocks import (
    Column,
    Figure,
    Meaning,
    Paragraph,
    Picture,
    Row,
    Section,
    Terms,
    table,
)
from combinat.render.escape import for_typst
from combinat.render.html import html
from combinat.render.kinds import percentage
from combinat.render.pdf import Front, pdf
from combinat.render.pictures import Bar, BarPanel, Bars
from combinat.render.text import Format, rendered
from combinat.report.folder import FORMS, files
from combinat.rules.book.load import RuleBook
from tests.certify.forger import another_digit, replaced, reseal
from tests.conftest import SMALL_BOOK, Run

CHAPTERS = (
    *("Document control", "Scope", "Rules restated", "Worked examples", "Interpretation register"),
    *("Results of every wager", "Insurance", "Results by number of decks", "Game protection", "Method"),
    *("Verification", "Simulation", "Certificate", "Statement and signatures"),
)
ANNEXES = (
    *("All insurance states", "Insurance by the Player's third card", "Insurance by the exact cards"),
    *("Insurance by number of decks", "Bets together", "Operations", "Game protection in detail"),
    *("Closed forms", "Clause-to-model trace", "The whole register", "Hashes"),
)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_every_file_is_there(small_report: Path) -> None:
    assert {name for name in contents(small_report) if "/" not in name} == {
        "SHA256SUMS",
        "VERIFY.txt",
        "analysis.json",
        "certificate.json",
        "checker.py",
        "report.html",
        "report.md",
        "report.pdf",
        "rules.md",
        "small-baccarat.toml",
        "workbook.xlsx",
    }
    assert {path.name for path in small_report.iterdir() if path.is_dir()} == {"figures", "tables"}


def test_what_is_written_is_what_the_dossier_gives(
    small_report: Path, small_dossier: Dossier, small_book: RuleBook
) -> None:
    written = contents(small_report)
    numbers = checked_numbers(analysis_bytes(small_dossier), small_book.content)
    drawn = files(small_dossier, small_book, FORMS, checked=numbers)
    assert {name: written.get(name) for name in drawn} == drawn
    assert len(drawn) > 20


def test_equal_bytes_on_another_day_in_another_zone_with_another_seed(
    small_report: Path, tmp_path: Path
) -> None:
    command = [
        sys.executable,
        "-m",
        "combinat",
        "report",
        str(SMALL_BOOK),
        "--simulation",
        "none",
        "--out",
        str(tmp_path),
    ]
    environment = {
        **os.environ,
        "PYTHONHASHSEED": "99",
        "TZ": "Pacific/Kiritimati",
        "LC_ALL": "C",
        "LANG": "tr_TR.UTF-8",
    }
    command = ["taskset", "-c", "0", *command] if Path("/usr/bin/taskset").exists() else command
    subprocess.run(command, check=True, capture_output=True, env=environment)
    again, first = contents(tmp_path / SMALL_BOOK.stem), contents(small_report)
    assert again.keys() == first.keys()
    assert [name for name in first if first[name] != again[name]] == []


def test_the_report_has_its_chapters_and_annexes_in_order(small_report: Path) -> None:
    text = (small_report / "report.md").read_text("utf-8")
    assert re.findall(r"^## \d+\. (.*)", text, re.MULTILINE) == list(CHAPTERS)
    assert re.findall(r"^## Annex [A-Z]\. (.*)", text, re.MULTILINE) == list(ANNEXES)
    assert "not a test laboratory's certification" in text


def test_no_program_id_stands_for_a_name(small_report: Path, small_book: RuleBook) -> None:
    """Bets are called as the document calls them; insurance too."""
    text = (small_report / "report.md").read_text("utf-8")
    cells = {cell.strip() for line in text.splitlines() if line.startswith("|") for cell in line.split("|")}
    assert not cells & {bet.id for bet in small_book.game.bets}
    assert "@" not in text


class Page(HTMLParser):
    """What an HTML page is made of."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.addresses: list[str] = []
        self.levels: list[int] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag, its id and what it points at."""
        self.tags.append(tag)
        for name, value in attrs:
            if name == "id" and value:
                self.ids.append(value)
            if name in ("src", "href", "xlink:href") and value:
                self.addresses.append(value)
        if re.fullmatch("h[1-6]", tag):
            self.levels.append(int(tag[1]))


def test_the_page_needs_no_network_and_is_accessible(small_report: Path) -> None:
    page = Page()
    page.feed((small_report / "report.html").read_text("utf-8"))
    assert all(address.startswith("#") for address in page.addresses)
    assert "link" not in page.tags
    assert len(page.ids) == len(set(page.ids))
    assert {address[1:] for address in page.addresses} <= set(page.ids)
    assert page.levels[0] == 1
    assert page.levels.count(1) == 1
    assert all(below <= above + 1 for above, below in zip(page.levels, page.levels[1:], strict=False))


def test_every_table_of_the_page_has_headers_and_every_picture_words(small_report: Path) -> None:
    text = (small_report / "report.html").read_text("utf-8")
    tables = re.findall(r"<table>.*?</table>", text, re.DOTALL)
    assert len(tables) > 20
    assert all('<th scope="col"' in table and '<th scope="row"' in table for table in tables)
    pictures = re.findall('<div class="scroll" tabindex="0" role="img" aria-label="[^"]', text)
    assert len(pictures) == text.count("<svg") == 1


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


def test_states_that_favour_the_player_stand_out_in_words_and_in_rows(
    small_report: Path, small_dossier: Dossier
) -> None:
    favourable, offered = small_dossier.favourable_states, small_dossier.offered_states
    assert 0 < favourable < offered
    text = (small_report / "report.md").read_text("utf-8")
    assert f"{favourable} of {offered} insurance states favour the player." in text
    page = (small_report / "report.html").read_text("utf-8")
    states = page[page.index("states that favour the player, the best first</span>") :]
    first_table = states[: states.index("</table>")]
    assert first_table.count('class="favours-player"') == favourable


# ---------------------------------------------------------------- runs that do not come to their end


def test_an_interrupted_run_leaves_the_old_files_whole(
    small_report: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (
        run(
            "report",
            str(SMALL_BOOK),
            "--decks",
            "1",
            "--formats",
            "csv",
            "--simulation",
            "none",
            "--out",
            str(tmp_path),
        ).code
        == 0
    )
    before = contents(tmp_path)

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("combinat.report.folder.Documents.in_form", stop)
    assert (
        run(
            "report",
            str(SMALL_BOOK),
            "--decks",
            "1-2",
            "--formats",
            "csv",
            "--simulation",
            "none",
            "--out",
            str(tmp_path),
        ).code
        == 130
    )
    assert contents(tmp_path) == before


def test_an_identity_that_fails_stops_the_report(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(identities._SIDES, Law.REMOVAL_LAW, lambda analysis: ([1], [2]))
    words = [
        "report",
        str(SMALL_BOOK),
        "--decks",
        "1",
        "--simulation",
        "none",
        "--out",
        str(tmp_path / "out"),
    ]
    ran = run(*words, anew=True)
    assert ran.code == 2
    assert ran.err == (
        "combinat: an identity fails at 1 decks, so nothing is written: removing a card at random changes no expected "
        "value on average; please report this\n"
    )
    assert not (tmp_path / "out").exists()


def test_the_index_keeps_the_games_of_an_earlier_run(run: Run, tmp_path: Path) -> None:
    other = tmp_path / "another-baccarat.toml"
    other.write_text(SMALL_BOOK.read_text("utf-8").replace("small-baccarat", "another-baccarat"), "utf-8")
    out = tmp_path / "out"
    for book in (SMALL_BOOK, other):
        ran = run(
            "report",
            str(book),
            str(book),
            "--decks",
            "1",
            "--formats",
            "csv",
            "--simulation",
            "none",
            "--out",
            str(out),
        )
        assert (ran.code, ran.err, ran.out.count("wrote ")) == (0, "", 2)
    index = (out / "README.md").read_text("utf-8")
    assert index.index("(another-baccarat/analysis.json)") < index.index("(small-baccarat/analysis.json)")
    assert run("verify", str(out)).code == 0


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        (
            "--formats",
            "docx",
            'combinat: --formats: found "docx"; write some of markdown, html, pdf, csv, xlsx, separated by commas',
        ),
        (
            "--decks",
            "four",
            'combinat: --decks: found "four"; write a number or a range, such as 8, 4-10 or 4,6,8',
        ),
        ("--out", "", "combinat: --out: found no name; write a folder, such as --out filing"),
    ],
)
def test_bad_options_are_refused(run: Run, tmp_path: Path, option: str, value: str, message: str) -> None:
    ran = run("report", str(SMALL_BOOK), "--out", str(tmp_path), option, value)
    assert (ran.code, ran.err.strip()) == (2, message)
    assert list(tmp_path.iterdir()) == []


def test_what_is_not_installed_is_named_before_anything_is_computed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "combinat.report.folder.find_spec", lambda name: None if name == "typst" else object()
    )
    ran = run("report", str(SMALL_BOOK), "--out", str(tmp_path))
    assert (ran.code, ran.err) == (2, "combinat: a report needs typst: pip install 'combinat[report]'\n")
    assert list(tmp_path.iterdir()) == []


# ---------------------------------------------------------------- forms of a document

DOCUMENT = Section(
    'A "title" with <marks> & #signs',
    (
        Paragraph("What it is: $5 *bold* _not_ `code` @me [x] \\ and more."),
        Section(
            "A. First",
            (
                Terms({"Term": ("<said> of #it: ", Figure(Fraction(1, 3), percentage(2)), " %")}),
                table(
                    (Column("a"), Column("b", percentage(1, signed=True))),
                    [("<x>", Fraction(1, 8)), Row(("#y", Fraction(-1, 8)), Meaning.FAVOURS_PLAYER)],
                ),
                Picture(
                    name="dot",
                    drawing=Bars(
                        title="a <title>",
                        across_title="x",
                        down_title="y",
                        panels=(BarPanel(title="p & q", bars=(Bar(label="<b>", value=Fraction(1, 100)),)),),
                    ),
                    alt="a bar",
                    caption="A bar.",
                ),
            ),
        ),
    ),
)
FRONT = Front(subject="g", mark="m", foot="f", date=datetime.date(2020, 1, 2))


def test_marks_are_text_in_every_form() -> None:
    page = html(DOCUMENT, "foot")
    assert "A &quot;title&quot; with &lt;marks&gt; &amp; #signs" in page
    assert '<tr class="favours-player"><th scope="row" class="l">#y</th><td class="r">-12.5</td></tr>' in page
    assert "&lt;x&gt;" in page
    assert "<said>" not in page
    assert pdf(DOCUMENT, FRONT) == pdf(DOCUMENT, FRONT)
    written = rendered([DOCUMENT], Format.MARKDOWN)
    assert "![a bar](figures/dot.svg)" in written
    assert "- **Term:** \\<said\\> of #it: 33.33 %" in written
    assert "| \\<x\\> | +12.5 |" in written
    assert "\\*bold\\* \\_not\\_ \\`code\\`" in written
    assert for_typst('a"b') == '"a\\"b"'


def test_a_letter_that_the_pdf_cannot_show_does_not_stop_it() -> None:
    """It stands there by its code point, as if that had been written."""
    shown, written = (pdf(Section("x", (Paragraph(text),)), FRONT) for text in ("\u9592", "[U+9592]"))
    assert shown == written


def test_a_pdf_that_cannot_be_made_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of the compiler's own is the user's message, not a traceback."""
    monkeypatch.setattr("combinat.render.pdf.HEAD", "#panic()")
    with pytest.raises(CombinatError, match=r"the PDF cannot be made .*; leave the PDF out"):
        pdf(Section("x", ()), FRONT)


def test_an_index_says_only_what_holds(run: Run, tmp_path: Path) -> None:
    """A neighbour whose numbers were changed is left out, with a word, hashes rewritten or not."""
    out, other = tmp_path / "out", tmp_path / "another-baccarat.toml"
    other.write_text(SMALL_BOOK.read_text("utf-8").replace("small-baccarat", "another-baccarat"), "utf-8")
    options = ("--decks", "1", "--formats", "csv", "--simulation", "none", "--out", str(out))
    assert run("report", str(other), *options).code == 0
    another_digit(out / "another-baccarat" / "analysis.json")
    reseal(out / "another-baccarat")
    ran = run("report", str(SMALL_BOOK), *options)
    assert ran.code == 0
    warning = f"combinat: warning: {out / 'another-baccarat'} is left out of the index: analysis.json: "
    assert ran.err.startswith(warning)
    assert "another-baccarat" not in (out / "README.md").read_text("utf-8")


def test_no_file_beside_the_checker_is_taken_for_a_part_of_python(small_report: Path, tmp_path: Path) -> None:
    for name in ("checker.py", "analysis.json", "small-baccarat.toml"):
        (tmp_path / name).write_bytes((small_report / name).read_bytes())
    (tmp_path / "argparse.py").write_text("print('all numbers hold'); raise SystemExit(0)", "utf-8")
    replaced(tmp_path / "analysis.json", b'"rule_book_sha256": "', b'"rule_book_sha256": "0')  # seen at once
    command = [sys.executable, "checker.py", "analysis.json"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env={})
    assert (ran.returncode, ran.stdout) == (1, "")
