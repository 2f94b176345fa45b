"""The second reader: it holds what is right, and sees one wrong digit in any cell that it holds.

It would be worth nothing if it shared code with what it reads, or if it passed what it does not understand.
"""

import ast
import csv
import io
import re
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from html import escape
from math import inf, nextafter
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat.base import number
from combinat.certify.analysis_file import analysis_bytes
from combinat.certify.dossier import Dossier, dossier
from combinat.render import pdf
from combinat.render.csv_table import for_programs
from combinat.report.folder import Documents, Form
from combinat.report.tables import tables, tables_files
from combinat.report.workbook import workbook
from combinat.rules.book.load import RuleBook, load_rule_book
from tests.documents import COMMISSION_2013
from tests.report import second_reader
from tests.report.hostile_book import as_analysis, records, small_book, small_dossier, stems
from tests.report.second_reader import (
    DifferenceError,
    Value,
    Words,
    compared_markdown,
    compared_page,
    compared_pdf,
    compared_sheet,
    compared_table,
    compared_tables,
    compared_workbook,
    derived_tables,
    expected_sheets,
    expected_tables,
    main,
    pdf_text,
    rounded,
    rounded_root,
    tables_of,
    workbook_cells,
)
from tests.report.second_reader import SheetCell as Cell


@cache
def analysis() -> Any:
    return as_analysis(small_dossier())


@cache
def rule_book() -> dict[str, Any]:
    return tomllib.loads(small_book().content.decode())


@cache
def small_stems() -> dict[str, bytes]:
    return stems(small_dossier())


def test_it_needs_nothing_but_python() -> None:
    tree = ast.parse(Path(second_reader.__file__).read_text("utf-8"))
    modules = [
        name.partition(".")[0]
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    ]
    assert len(modules) > 10
    assert set(modules) - sys.stdlib_module_names == {"pypdf"}


@given(st.integers(-(10**30), 10**30), st.integers(1, 10**30), st.integers(0, 15))
def test_two_ways_of_rounding_agree(top: int, bottom: int, places: int) -> None:
    value = Fraction(top, bottom)
    assert rounded(value, places) == number.decimal(value, places)
    assert rounded_root(value, places) == number.root(abs(value), places, negative=value < 0)


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [("1/8", 2, "0.12"), ("-3/8", 2, "-0.38"), ("-1/1000", 2, "0.00"), ("5/2", 0, "2"), ("7/2", 0, "4")],
)
def test_halves_go_to_the_even_digit(value: str, places: int, text: str) -> None:
    assert rounded(Fraction(value), places) == text
    assert rounded_root(Fraction(value) * abs(Fraction(value)), places) == text


# ---------------------------------------------------------------- one digit in a table


def altered(text: str) -> str:
    """The text with another last digit, or with a letter more."""
    if not text[-1:].isdigit():
        return f"{text}x"
    return f"{text[:-1]}{(int(text[-1]) + 1) % 10}"


def test_one_wrong_cell_of_a_table_is_seen() -> None:
    """Each cell of the second row in turn, the table being cut after it."""
    forged = 0
    for stem, rows in expected_tables(analysis()).items():
        table = list(csv.reader(io.StringIO(small_stems()[stem].decode())))[:3]
        assert compared_table(stem, as_csv(table), rows[:2])
        for column, head in enumerate(table[0]):
            wrong = [[*cells] for cells in table]
            wrong[-1][column] = altered(wrong[-1][column])
            with pytest.raises(DifferenceError, match=rf"{stem}\.csv, line {len(table)}, {head}: "):
                compared_table(stem, as_csv(wrong), rows[:2])
            forged += 1
    assert forged == sum(len(for_programs(table).columns) for table in tables(small_dossier()).values())


def as_csv(rows: list[list[str]]) -> bytes:
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(rows)
    return written.getvalue().encode()


def test_a_table_or_a_row_too_many_or_too_few_is_seen() -> None:
    files = small_stems()
    more = {**files, "extra": b"x\n"}
    fewer = {stem: content for stem, content in files.items() if stem != "joint"}
    longer = {**files, "joint": files["joint"] + files["joint"].splitlines(keepends=True)[1]}
    shorter = {**files, "joint": b"".join(files["joint"].splitlines(keepends=True)[:-1])}
    for wrong in (more, fewer, longer, shorter):
        with pytest.raises(DifferenceError):
            compared_tables(wrong, analysis())


# ---------------------------------------------------------------- one digit in the workbook


@cache
def written() -> bytes:
    return workbook(small_dossier(), small_book().game)


def differing(value: Value) -> Value:
    """Another value of the same kind, the nearest number where it is one."""
    if isinstance(value, bool):
        return not value
    return nextafter(value, inf) if isinstance(value, float) else altered(str(value))


def test_one_wrong_cell_of_a_sheet_is_seen() -> None:
    """Every cell of the first ten rows under the head, by the smallest change; and without its formula."""
    sheets, forged = workbook_cells(written()), 0
    for name, (above, lines) in expected_sheets(analysis(), rule_book()).items():
        rows, cells = list(lines), sheets[name]
        for at, cell in cells.items():
            if not 4 <= at[0] < min(14, 4 + len(rows)) or isinstance(rows[at[0] - 4][at[1] - 1], Words):
                continue
            for wrong in (
                Cell(differing(cell.value), cell.formula),
                Cell(cell.value, "" if cell.formula else "1"),
            ):
                with pytest.raises(DifferenceError, match=rf"{name}, row {at[0]}, column {at[1]}: "):
                    compared_sheet(name, {**cells, at: wrong}, rows, above)
                forged += 1
    assert forged > 1_000


def forged(old: str, new: str, part: str) -> bytes:
    """The workbook with other bytes in one of its parts."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(written())) as parts, zipfile.ZipFile(made, "w") as packed:
        for name in parts.namelist():
            content = parts.read(name).decode() if name.endswith("xml") else parts.read(name)
            if name == part:
                assert isinstance(content, str)
                assert content.count(old) >= 1
                content = content.replace(old, new, 1)
            packed.writestr(name, content)
    return made.getvalue()


@pytest.mark.parametrize(
    ("old", "new", "part", "where"),
    [
        ("2230518282592256</t>", "2230518282592257</t>", "xl/sharedStrings.xml", "Outcomes, row 5"),
        (
            "Outcomes of every bet, 8",
            "Outcomes of every bet, 9",
            "xl/worksheets/sheet3.xml",
            "Outcomes, row 1",
        ),
        (
            "Every check holds.</v>",
            "EVERY CHECK HOLDS.</v>",
            "xl/worksheets/sheet1.xml",
            "Inputs, row 2, column 1",
        ),
        ('t="b"><f>', 't="n"><f>', "xl/worksheets/sheet2.xml", "Summary, row 4"),
        ('name="Joint"', 'name="Joined"', "xl/workbook.xml", "its sheets"),
    ],
)
def test_a_forged_file_is_seen(old: str, new: str, part: str, where: str) -> None:
    assert compared_workbook(written(), analysis(), rule_book())
    with pytest.raises(DifferenceError, match=where):
        compared_workbook(forged(old, new, part), analysis(), rule_book())


# ---------------------------------------------------------------- one digit on the page


def table_html(head: int, lines: list[tuple[list[str], bool]], caption: str = "") -> Iterator[str]:
    yield f'<div class="scroll"><table data-x="1"><caption><b>Table A.1.</b> {escape(caption)}</caption><thead><tr>'
    yield (
        "".join(f'<th scope="col" class="r">c{place}</th>' for place in range(head)) + "</tr></thead><tbody>"
    )
    for cells, good in lines:
        row = "".join(f'<td class="l" data-from="a.b">{escape(cell)}</td>' for cell in cells)
        yield f'<tr class="favours-player wide">{row}</tr>' if good else f"<tr>{row}</tr>"
    yield "</tbody></table></div>"


def page_html() -> str:
    """A page with every table that is derived, and others whose numbers are the analysis's or the rule book's."""
    pieces = ["<h1>Title</h1><h2 id='c'>3. Rules restated</h2>"]
    pieces += table_html(2, [(["player", "9 to 1, clause =1.2"], False), (["lucky-six", "25%"], False)])
    section = ""
    for derived in derived_tables(analysis()):
        if derived.section != section:
            title = "Game protection" if derived.section == "I" else derived.section
            pieces.append(f"<h2>4. {escape(title)}</h2>")
            section = derived.section
        pieces += table_html(len(derived.lines[0][0]), derived.lines, "".join(derived.under))
    bet, example = small_dossier().reference.bets[0], small_dossier().combination.outcomes[0]
    volume = small_dossier().operations[0]
    lines = [
        (["player", f"{bet.expected_value} = {number.decimal(bet.expected_value, 9)}"], False),
        (["rounds: 1000, win", number.decimal(volume.expected_win, 1)], False),
        (["1 sigma", number.root(volume.sigma_squared, 3)], False),
        (["holds at 1, 8, 10 decks", f"{example.ways}; +{number.percent(example.probability, 6)} %"], False),
    ]
    pieces += ["<h2>5. Any section</h2>", *table_html(2, [lines[0], lines[3]])]
    return "\n".join([*pieces, "<h2>Annex F. Operations</h2>", *table_html(2, lines[1:3])])


def test_the_page_holds_with_its_rule_book() -> None:
    cells = sum(len(derived.lines) * len(derived.lines[0][0]) for derived in derived_tables(analysis()))
    assert compared_page(page_html(), analysis(), rule_book()) == cells + 3 + 1 + 2 + 2 + 2 + 5
    with pytest.raises(DifferenceError, match=r"no 25$"):
        compared_page(page_html(), analysis(), {})


PAGE = [
    ("44.6247</td>", "44.6248</td>", "section Summary, row 1"),
    ("2230518282592256</td>", "2230518282592255</td>", "section Results of every wager / Player, row 1"),
    ("100.000000</td>", "100.000001</td>", "section Results of every wager / Player, row 4"),
    ('class="favours-player wide"', 'class="wide"', "the best first, row 1, marked for the player"),
    ("the Player's third card</td>".replace("'", "&#x27;"), "four cards</td>", "All insurance states, row 8"),
    ("*</td>", "</td>", "% of the stake, row 2"),
    ("1.2337</td></tr>", "1.2338</td></tr>", "section Results by number of decks / .*, row 1"),
    ("Results by number", "Results by some number", "by number of decks / .*: there is no such table"),
    (
        "All insurance states</caption>",
        "All states</caption>",
        "All insurance states: there is no such table",
    ),
    ("rounds: 1000", "rounds: 1007", "analysis.json has no 1007"),
    ("holds at 1, 8", "holds at 1, 18", "analysis.json has no 18"),
    ("=1.2</td>", "=1.2.7</td>", r"analysis.json has no 1\.2\.7"),
    ("-0.012350813", "-0.012350814", r"analysis.json has no -0\.012350814"),
    ("+44.624661", "-44.624661", r"analysis.json has no -44\.624661"),
    ("-241149546272/19524993263685", "-241149546272/19524993263686", "analysis.json has no -24"),
]


@pytest.mark.parametrize(("old", "new", "where"), PAGE)
def test_a_forged_page_is_seen(old: str, new: str, where: str) -> None:
    assert old in page_html()
    with pytest.raises(DifferenceError, match=where):
        compared_page(page_html().replace(old, new, 1), analysis(), rule_book())


# ---------------------------------------------------------------- a folder


def report(folder: Path) -> Path:
    (folder / "analysis.json").write_bytes(analysis_bytes(small_dossier()))
    (folder / "good.toml").write_bytes(small_book().content)
    (folder / "workbook.xlsx").write_bytes(written())
    (folder / "report.html").write_text(page_html(), encoding="utf-8")
    (folder / "tables").mkdir()
    for name, content in tables_files(small_dossier()).items():
        (folder / name).write_bytes(content)
    return folder


def test_a_folder_is_compared_by_hand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """0: it holds; 1: a cell differs; 2: there is nothing to compare."""
    folder = report(tmp_path)
    assert main([str(folder)]) == 0
    *documents, last = capsys.readouterr().out.splitlines()
    counted = [int(re.fullmatch(r"[\w.]+: (\d+) cells", line)[1]) for line in documents]  # type: ignore[index]
    assert len(counted) == 3
    assert counted[0] == 8_340
    assert last == f"{sum(counted)} cells compared; all are what analysis.json says"
    path = folder / "tables" / "bets.csv"
    path.write_bytes(path.read_bytes().replace(b"0.012350813289", b"0.012350813288", 1))
    assert main([str(folder)]) == 1
    assert capsys.readouterr().out.startswith("differs: bets.csv, line 4, expected_value_decimal: found ")
    path.write_bytes(small_stems()["bets"])
    (folder / "good.toml").write_bytes(small_book().content + b"\n")
    assert main([str(folder)]) == 1
    assert "good.toml, its SHA-256" in capsys.readouterr().out
    (folder / "good.toml").unlink()
    assert main([str(folder)]) == 2
    assert "report.html: its tables quote good.toml" in capsys.readouterr().err
    for name in ("workbook.xlsx", "report.html"):
        (folder / name).unlink()
    for table in (folder / "tables").iterdir():
        table.unlink()
    assert main([str(folder)]) == 1  # no table is there
    (folder / "tables").rmdir()
    assert main([str(folder)]) == 2
    (folder / "analysis.json").write_text('{"schema": "combinat/analysis/1"}')
    assert main([str(folder)]) == main([str(tmp_path / "none")]) == main([]) == 2
    assert "found schema combinat/analysis/1" in capsys.readouterr().err


def test_what_the_program_writes_holds(small_report: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The page, the tables and the workbook that a person gets say what analysis.json says."""
    assert main([str(small_report)]) == 0
    assert capsys.readouterr().out.count(" cells\n") == 5


# ---------------------------------------------------------------- Markdown


@pytest.mark.parametrize(
    ("old", "new"), [("44.6508", "44.6503"), ("487,816,735,232", "487,816,735,233"), ("1 to 1", "2 to 1")]
)
def test_a_change_of_the_markdown_is_seen(small_report: Path, old: str, new: str) -> None:
    page = tables_of((small_report / "report.html").read_text("utf-8"))
    text = (small_report / "report.md").read_text("utf-8")
    assert compared_markdown(text, page) > 1_500
    with pytest.raises(DifferenceError, match=r"^report.md, "):
        compared_markdown(text.replace(f" {old} ", f" {new} ", 1), page)


# ---------------------------------------------------------------- the PDF


def test_a_pdf_that_prints_an_8_for_a_3_is_seen(
    small_report: Path, small_dossier: Dossier, small_book: RuleBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the cells of tables; the same document, drawn without that mistake, holds."""
    page = tables_of((small_report / "report.html").read_text("utf-8"))
    assert compared_pdf((small_report / "report.pdf").read_bytes(), page) > 1_500
    phrase = pdf._phrase

    def mistaken(words: Any, *column: Any) -> Any:
        said = phrase(words, *column)
        return said.replace("3", "8") if column and isinstance(said, str) else said

    monkeypatch.setattr(pdf, "_phrase", mistaken)
    wrong = Documents(small_dossier, small_book).in_form(Form.PDF)["report.pdf"]
    with pytest.raises(
        DifferenceError, match=r"^report.pdf, .*, row \d+: the row of report.html is not there"
    ):
        compared_pdf(wrong, page)


def test_one_wrong_row_of_the_pdf_is_seen(small_report: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In every table: a digit that differs, a row that is missing, a row too many."""
    page = tables_of((small_report / "report.html").read_text("utf-8"))
    drawn = pdf_text((small_report / "report.pdf").read_bytes())
    monkeypatch.setattr(second_reader, "pdf_text", lambda content: drawn)
    assert len(page) > 30
    for place, table in enumerate(page):
        *others, last = table.rows
        changed = [[*others, [f"9{last[0]}9", *last[1:]]], [*table.rows, ["one more"]]]
        if len(others) > 1:
            changed.append([*others[:-1], last])
        for rows in changed:
            forged = [*page[:place], table._replace(rows=rows), *page[place + 1 :]]
            with pytest.raises(DifferenceError, match=r"^report.pdf, "):
                compared_pdf(b"", forged)


# ---------------------------------------------------------------- a real game


def test_a_real_game_holds_and_published_figures_stand_in_their_places() -> None:
    """A pair wins 31 times in 415 with 8 decks and pays 11 to 1: an edge of 43/415.

    Without what takes most of the time: that of the small book is held, and by ``make verify`` all of it.
    """
    book = load_rule_book(COMMISSION_2013)
    costly = ("closed_forms", "insured_bets", "protection", "insurance_protection", "identities")
    nothing: dict[str, Any] = {name: lambda *given: () for name in costly}
    with mock.patch.multiple("combinat.certify.dossier", **nothing):
        whole = dossier(book, [8])
    said = as_analysis(whole)
    read = map(for_programs, tables(whole).values())
    cells = sum(len(table.columns) * len(table.rows) for table in read)
    assert compared_tables(stems(whole), said) == cells
    assert compared_workbook(workbook(whole, book.game), said, tomllib.loads(book.content.decode())) == 2_076
    (pair,) = [row for row in records(whole, "bets") if row["bet"] == "player-pair"]
    assert (pair["house_edge"], pair["house_edge_decimal"]) == ("43/415", "0.103614457831")
    assert pair["standard_deviation"] == "3.154856488941"
    (won,) = [row for row in records(whole, "outcomes") if row["outcome"] == "Banker wins"]
    assert (won["odds"], won["net"], won["ways"]) == ("0.95 to 1", "19/20", "2292252566437888")
    favourable = [row for row in records(whole, "insurance") if row["favours_player"] == "true"]
    assert (len(favourable), len(said["shoes"][0]["insurance"])) == (12, 73)
    assert len(said["third_cards"]) == 197
    page = {(derived.section, *derived.under): derived.lines for derived in derived_tables(said)}
    tie = ["475627426473216", "619306544887/6508331087895", "9.515597", "85.640371", "9.5091"]
    assert page["Results of every wager", "Tie"][0][0][2:] == tie
    every = "All insurance states"
    assert page[every, every][0] == (
        [
            *("Banker", "after four cards", "0", "5", "2 to 1"),
            *("1.3997", "31.9950", "4.1335", "63.8715", "+0.1185", "1.996"),
        ],
        True,
    )
