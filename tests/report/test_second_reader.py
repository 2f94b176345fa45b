"""The second reader: it holds what is right, and sees one wrong digit in any cell that it holds.

It would be worth nothing if it shared code with what it reads, or if it passed what it does not understand.
"""

import ast
import csv
import io
import json
import re
import shutil
import sys
import tomllib
import zipfile
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import inf, nextafter
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat.base import number
from combinat.certify.analysis_file import read_dossier
from combinat.certify.dossier import Dossier
from combinat.render import pdf
from combinat.render.csv_table import for_programs
from combinat.report.folder import MEMOS, Documents, Form
from combinat.report.tables import tables
from combinat.report.workbook import workbook
from combinat.rules.book.load import load_game
from combinat.rules.game import Game
from tests.report import second_reader
from tests.report.hostile_book import (
    as_analysis,
    never_winning,
    rule_book,
    small_dossier,
    stems,
    without_insurance,
)
from tests.report.hostile_book import small_game as load_small_book
from tests.report.hostile_book import small_workbook as written
from tests.report.second_reader import (
    DOCUMENTS,
    FAVOURS_PLAYER,
    DifferenceError,
    PageTable,
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


# ---------------------------------------------------------------- the documents of a report


@pytest.fixture(scope="module")
def page(small_report: Path) -> list[PageTable]:
    """The tables of the page of the small report."""
    return tables_of((small_report / "report.html").read_text("utf-8"))


@pytest.fixture(scope="module")
def of_the_page(small_report: Path) -> tuple[Any, dict[str, Any]]:
    """Its analysis and its rule book."""
    rules = tomllib.loads((small_report / "small-baccarat.toml").read_text("utf-8"))
    return json.loads((small_report / "analysis.json").read_bytes()), rules


def with_another(page: list[PageTable], place: int, **parts: Any) -> list[PageTable]:
    """The tables of a page, one of them with other parts."""
    return [*page[:place], page[place]._replace(**parts), *page[place + 1 :]]


def with_another_cell(page: list[PageTable], place: int, row: int, column: int) -> list[PageTable]:
    """The tables of a page, one cell of them with another last digit or one letter more."""
    rows = [[*cells] for cells in page[place].rows]
    rows[row][column] = altered(rows[row][column])
    return with_another(page, place, rows=rows)


def test_one_wrong_cell_of_the_page_is_seen(page: list[PageTable], of_the_page: tuple[Any, Any]) -> None:
    """Every cell of the first and last rows of the derived tables, notes aside; their marks; a missing table."""
    forged = 0
    for place, table in enumerate(page):
        if not any(derived.is_in(table) for derived in derived_tables(of_the_page[0])):
            continue
        columns = len(table.rows[0]) - (table.head[-1] == "note")
        wrong = [with_another_cell(page, place, row, at) for row in (0, -1) for at in range(columns)]
        wrong += [with_another(page, place, rows=table.rows[:-1]), [*page[:place], *page[place + 1 :]]]
        if any(FAVOURS_PLAYER in classes for classes in table.classes):
            wrong.append(with_another(page, place, classes=[[] for _ in table.classes]))
        for forgery in wrong:
            with pytest.raises(DifferenceError, match=r"^report\.html, section "):
                compared_page(forgery, *of_the_page)
        forged += len(wrong)
    assert forged > 230


def test_one_wrong_number_of_another_table_is_seen(
    page: list[PageTable], of_the_page: tuple[Any, Any]
) -> None:
    """The longest number of each table whose numbers are of the analysis, anywhere: exact, rounded or a count."""
    forged = 0
    for place, table in enumerate(page):
        if any(derived.is_in(table) for derived in derived_tables(of_the_page[0])):
            continue
        cells = [
            (len(cell), row, at)
            for row, cells in enumerate(table.rows)
            for at, cell in enumerate(cells)
            if re.fullmatch(r"[-+]?\d+([./]\d+)?", cell)
        ]
        if cells and max(cells)[0] > 6:
            with pytest.raises(DifferenceError, match=r"^report\.html, "):
                compared_page(with_another_cell(page, place, *max(cells)[1:]), *of_the_page)
            forged += 1
    assert forged > 9


def test_what_the_page_quotes_is_of_the_rule_book(
    page: list[PageTable], of_the_page: tuple[Any, Any]
) -> None:
    """Clauses and limits are numbers that stand in the rule book alone."""
    assert compared_page(page, *of_the_page) > 1_800
    with pytest.raises(DifferenceError, match=r"analysis\.json has no "):
        compared_page(page, of_the_page[0], {})


@pytest.mark.parametrize("name", ["report.md", "report.pdf"])
def test_one_wrong_row_of_a_document_is_seen(
    small_report: Path, page: list[PageTable], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """In every table: a digit that differs, a row that is missing, a row too many."""
    if name == "report.md":
        text = (small_report / name).read_text("utf-8")
    else:
        text = pdf_text((small_report / name).read_bytes())
        monkeypatch.setattr(second_reader, "pdf_text", lambda content: text)

    def compared(tables: list[PageTable]) -> int:
        return compared_markdown(text, tables) if name == "report.md" else compared_pdf(b"", tables)

    assert compared(page) > 1_500
    for place, table in enumerate(page):
        *others, last = table.rows
        changed = [[*others, [f"9{last[0]}9", *last[1:]]], [*table.rows, ["one more"]]]
        if len(others) > 1:
            changed.append([*others[:-1], last])
        for rows in changed:
            with pytest.raises(DifferenceError, match=rf"^{name}, "):
                compared(with_another(page, place, rows=rows))


def test_a_pdf_that_prints_an_8_for_a_3_is_seen(
    page: list[PageTable], small_dossier: Dossier, small_game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the cells of tables."""
    phrase = pdf._phrase

    def mistaken(words: Any, *column: Any) -> Any:
        said = phrase(words, *column)
        return said.replace("3", "8") if column and isinstance(said, str) else said

    monkeypatch.setattr(pdf, "_phrase", mistaken)
    wrong = Documents(small_dossier, small_game).in_form(Form.PDF)["report.pdf"]
    with pytest.raises(
        DifferenceError, match=r"^report.pdf, .*, row \d+: the row of report.html is not there"
    ):
        compared_pdf(wrong, page)


ALTERED = {
    "rules.md": rb"\d(?= to 1 )",
    ".svg": rb"(?<=\.\d)\d(?=</text>)",
    "memo.html": rb"\d(?=</td>)",
    "memo.md": rb"(?<=\.\d{3})\d(?= \|)",
}
"""The digit of a document that is taken away; of others, the last."""


def test_a_folder_is_compared_by_hand(
    small_report: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """0: what the program writes holds; 1: a cell differs; 2: there is nothing to compare."""
    folder = Path(shutil.copytree(small_report, tmp_path / "copy"))
    game = folder / "small-baccarat.toml"
    documents = Documents(read_dossier((folder / "analysis.json").read_bytes()), load_game(game))
    for form in MEMOS.values():
        for name, content in documents.in_form(form).items():
            (folder / name).write_bytes(content)
    assert main([str(folder)]) == 0
    *lines, last = capsys.readouterr().out.splitlines()
    counted = [int(line.removesuffix(" cells").rpartition(": ")[2]) for line in lines]
    assert [line.partition(":")[0] for line in lines] == list(DOCUMENTS)
    assert min(counted[:5]) > 800
    assert min(counted) >= 8
    assert last == f"{sum(counted)} cells compared; all are what analysis.json says"
    (figure,) = (folder / "figures").iterdir()
    for path, code, names in (
        (folder / "tables" / "bets.csv", 1, "bets.csv, line 9, normal_from: "),
        (game, 1, "small-baccarat.toml, its SHA-256"),
        (folder / "analysis.json", 2, "found schema "),
        (folder / "rules.md", 1, "rules.md, the odds of the bets"),
        (figure, 1, "figures, the lowest and highest house edges"),
        (folder / "memo.html", 1, "memo.html, its tables"),
        (folder / "memo.md", 1, "memo.md, Summary"),
    ):
        content = path.read_bytes()
        digit = ALTERED.get(path.name, ALTERED.get(path.suffix, rb"\d(?=\D*\Z)|(?<=analysis/)\d"))
        path.write_bytes(re.sub(digit, b"", content, count=1))
        assert main([str(folder)]) == code
        assert names in "".join(capsys.readouterr()), path
        path.write_bytes(content)
    for name in (game.name, "report.html"):
        (folder / name).unlink()
        assert main([str(folder)]) == 2
        assert f"compared with {name}" in capsys.readouterr().err
    shutil.rmtree(folder / "figures")
    for name in {*DOCUMENTS[2:]} - {"figures"}:
        (folder / name).unlink()
    assert main([str(folder)]) == 0
    shutil.rmtree(folder / "tables")
    assert main([str(folder)]) == main([str(tmp_path / "none")]) == main([]) == 2


def test_an_index_is_compared_with_the_games_below_it(
    small_report: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Path(shutil.copytree(small_report.parent, tmp_path / "copy"))
    assert main([str(folder)]) == 0
    assert "index: " in capsys.readouterr().out
    for path in (folder / "index.html", folder / "README.md"):
        content = path.read_bytes()
        path.write_bytes(re.sub(rb"(?<=\.)\d(?=\d{3}(</td>| \|))", b"x", content, count=1))
        assert main([str(folder)]) == 1
        assert "README.md, its tables" in capsys.readouterr().out
        path.write_bytes(content)
    page = folder / "index.html"
    wrong = re.sub(r"(?<=\.\d{3})\d(?=</td>)", lambda digit: str(9 - int(digit[0])), page.read_text("utf-8"))
    page.write_text(wrong, "utf-8")
    tables = [table.rows for table in tables_of(wrong)]
    with mock.patch.object(second_reader, "markdown_tables", return_value=tables):  # as if both had it
        assert main([str(folder)]) == 1
    assert "index.html, house edge, " in capsys.readouterr().out


@pytest.mark.parametrize("changed", [never_winning, without_insurance])
def test_figures_and_rows_that_do_not_exist_are_left_out(changed: Callable[[Dossier], Dossier]) -> None:
    """A bet that never wins, a state that never arises, a game without insurance: in tables and workbook."""
    whole = changed(small_dossier())
    assert compared_tables(stems(whole), as_analysis(whole))
    assert compared_workbook(workbook(whole, load_small_book()), as_analysis(whole), rule_book())
