"""The report: its sections, its pages, equal bytes, and old files that survive an interruption."""

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from combinat.render.document import Block, Figure, Format, Heading, Paragraph, Table, Terms, rendered
from combinat.render.html import html, own_names
from combinat.render.pdf import pdf, quoted
from tests.conftest import Run
from tests.documents import COMMISSION_2013, NONCOMMISSION_2025

SECTIONS = "ABCDEFGHIJKLMN"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole report of one game on one shoe, written by the program."""
    out = tmp_path_factory.mktemp("report")
    command = [sys.executable, "-m", "combinat", "report", COMMISSION_2013, "--decks", "8", "--out", str(out)]
    subprocess.run(
        command, check=True, capture_output=True, env={**os.environ, "PYTHONHASHSEED": "1", "TZ": "UTC"}
    )
    return out / COMMISSION_2013


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_every_file_is_there(folder: Path) -> None:
    names = set(files(folder))
    assert {
        "analysis.json",
        "report.md",
        "report.html",
        "report.pdf",
        "rules.md",
        "workbook.xlsx",
        "certificate.json",
        "SHA256SUMS",
        "tables/bets.csv",
        "figures/effects-of-removal.svg",
    } <= names


def test_equal_bytes_on_another_day_in_another_zone_with_another_seed(folder: Path, tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "combinat",
        "report",
        COMMISSION_2013,
        "--decks",
        "8",
        "--out",
        str(tmp_path),
    ]
    environment = {**os.environ, "PYTHONHASHSEED": "99", "TZ": "Pacific/Kiritimati", "SOURCE_DATE_EPOCH": "1"}
    subprocess.run(command, check=True, capture_output=True, env=environment)
    again, first = files(tmp_path / COMMISSION_2013), files(folder)
    assert again.keys() == first.keys()
    assert [name for name in first if first[name] != again[name]] == []


def test_the_report_has_sections_a_to_n(folder: Path) -> None:
    text = (folder / "report.md").read_text("utf-8")
    assert re.findall(r"^## ([A-Z])\. ", text, re.MULTILINE) == list(SECTIONS)
    assert "not a test laboratory's certification" in text


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


def test_the_page_needs_no_network_and_is_accessible(folder: Path) -> None:
    page = Page()
    page.feed((folder / "report.html").read_text("utf-8"))
    assert all(address.startswith("#") for address in page.addresses)
    assert "script" not in page.tags
    assert "link" not in page.tags
    assert len(page.ids) == len(set(page.ids))
    assert {address[1:] for address in page.addresses} <= set(page.ids)
    assert page.levels[0] == 1
    assert page.levels.count(1) == 1
    assert all(below <= above + 1 for above, below in zip(page.levels, page.levels[1:], strict=False))


def test_every_table_of_the_page_has_headers_and_every_picture_words(folder: Path) -> None:
    text = (folder / "report.html").read_text("utf-8")
    tables = re.findall(r"<table>.*?</table>", text, re.DOTALL)
    assert len(tables) > 20
    assert all('<th scope="col"' in table and '<th scope="row"' in table for table in tables)
    assert text.count('<figure role="img" aria-label="') == text.count("<svg") == 6


def test_the_pdf_is_pdf_a_with_its_title(folder: Path) -> None:
    content = (folder / "report.pdf").read_bytes()
    assert content.startswith(b"%PDF-1.")
    assert b"pdfaid:part" in content
    assert b"exact pay-table analysis" in content


def test_the_favourable_states_stand_out_in_words(folder: Path) -> None:
    text = (folder / "report.md").read_text("utf-8")
    assert "12 of 73 states favour the player" in text
    assert len(re.findall(r"\+8\.4397 \|.*\| PLAYER", text)) == 1


def test_an_interrupted_run_leaves_the_old_files_whole(
    folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from combinat.report import folder as writing

    before = files(folder)

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(writing, "checked_identities", stop)
    run("report", COMMISSION_2013, "--decks", "4", "--out", str(folder.parent), "--formats", "markdown")
    assert files(folder) == before
    assert sorted(path.name for path in folder.parent.iterdir()) == ["README.md", COMMISSION_2013]


def test_an_identity_that_fails_stops_the_report(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from combinat.report import identities

    monkeypatch.setattr(identities, "_removal_law", lambda analysis: False)
    monkeypatch.setattr("combinat.report.folder.analysis_json", lambda *_: {})
    ran = run("report", COMMISSION_2013, "--decks", "4", "--out", str(tmp_path))
    assert ran.code == 2
    assert ran.err.startswith("combinat: an identity fails, so nothing is written: removing a card at random")
    assert list(tmp_path.iterdir()) == []


def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a report of next to nothing, so that its writing can be tried."""
    from combinat.report import folder as writing

    monkeypatch.setattr(writing, "analysis_json", lambda *_: {})
    monkeypatch.setattr(writing, "checked_identities", lambda _: [])
    monkeypatch.setattr("combinat.report.filing.Filing.blocks", lambda *_: BLOCKS)
    monkeypatch.setattr(writing, "write_certificate", lambda *_: [])


def test_a_game_given_twice_is_written_once(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick(monkeypatch)
    ran = run(
        "report", "commission", COMMISSION_2013, "comm", "--out", str(tmp_path), "--formats", "markdown"
    )
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        f"wrote {tmp_path / COMMISSION_2013}: analysis.json, report.md, rules.md",
        f"wrote {tmp_path / 'README.md'}",
    ]
    assert (tmp_path / "README.md").read_text("utf-8").count(f"({COMMISSION_2013}/rules.md)") == 1


def test_the_index_keeps_the_games_of_an_earlier_run(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick(monkeypatch)
    for game in (NONCOMMISSION_2025, COMMISSION_2013):
        assert run("report", game, "--out", str(tmp_path), "--formats", "markdown").code == 0
    index = (tmp_path / "README.md").read_text("utf-8")
    assert index.index(f"({COMMISSION_2013}/report.md)") < index.index(f"({NONCOMMISSION_2025}/report.md)")


def test_a_full_disk_leaves_the_old_files_whole(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick(monkeypatch)
    old = tmp_path / COMMISSION_2013 / "rules.md"
    old.parent.mkdir()
    old.write_text("old", "utf-8")

    def full(source: object, target: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    ran = run("report", COMMISSION_2013, "--out", str(tmp_path), "--formats", "markdown")
    assert ran.code == 2
    assert ran.err == (
        f"combinat: {tmp_path / COMMISSION_2013 / 'analysis.json'}: cannot be written (No space left on device); "
        "choose another place\n"
    )
    assert files(tmp_path) == {f"{COMMISSION_2013}/rules.md": b"old"}


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        (
            "--formats",
            "docx",
            'combinat: --formats: found "docx"; write some of markdown, html, pdf, csv, xlsx, separated by commas',
        ),
        ("--decks", "four", 'combinat: --decks: found "four"; write a number or a range, such as 8 or 4-10'),
    ],
)
def test_bad_options_are_refused(run: Run, tmp_path: Path, option: str, value: str, message: str) -> None:
    ran = run("report", COMMISSION_2013, "--out", str(tmp_path), option, value)
    assert (ran.code, ran.err.strip()) == (2, message)


def test_what_is_not_installed_is_named_before_anything_is_computed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("combinat.cli.report.find_spec", lambda name: None if name == "typst" else object())
    ran = run("report", COMMISSION_2013, "--out", str(tmp_path))
    assert (ran.code, ran.err) == (2, "combinat: a report needs typst: pip install 'combinat[report]'\n")
    assert list(tmp_path.iterdir()) == []


BLOCKS: list[Block] = [
    Heading('A "title" with <marks> & #signs', 1),
    Paragraph("What it is: $5 *bold* _not_ `code` @me [x] \\ and more."),
    Heading("A. First"),
    Terms({"Term": "<said> of #it"}),
    Table(columns=("a", "b"), align="lr", rows=[["<x>", "1"], ["#y", "PLAYER"]]),
    Figure(
        name="dot",
        svg='<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect id="r" width="9" height="9"/></svg>',
        alt="a square",
        caption="A square.",
    ),
]


def test_marks_are_text_in_every_form(tmp_path: Path) -> None:
    from datetime import date

    page = html(BLOCKS, "foot")
    assert "A &#34;title&#34; with &lt;marks&gt; &amp; #signs" in page
    assert "<td" in page
    assert "&lt;x&gt;" in page
    for name in ("one.pdf", "two.pdf"):
        pdf(BLOCKS, game="g", sha256="0" * 64, foot="f", date=date(2020, 1, 2), path=tmp_path / name)
    assert (tmp_path / "one.pdf").read_bytes() == (tmp_path / "two.pdf").read_bytes()
    assert "![a square](figures/dot.svg)" in rendered(BLOCKS, Format.MARKDOWN)
    assert quoted('a"b') == '"a\\"b"'


def test_a_letter_that_the_pdf_cannot_show_is_refused(tmp_path: Path) -> None:
    from datetime import date

    from combinat.errors import CombinatError

    with pytest.raises(CombinatError, match="the PDF cannot be made"):
        pdf(
            [*BLOCKS, Paragraph("\u9592")],
            game="g",
            sha256="0" * 64,
            foot="f",
            date=date(2020, 1, 2),
            path=tmp_path / "x.pdf",
        )


def test_pictures_keep_their_names_apart() -> None:
    assert own_names('<g id="a"><use href="#a"/><p clip-path="url(#a)"/></g>', "x") == (
        '<g id="x-a"><use href="#x-a"/><p clip-path="url(#x-a)"/></g>'
    )
