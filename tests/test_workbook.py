"""The workbook, read back with the standard library and recalculated by a small evaluator of its formulas.

The evaluator reads numbers as Excel does: ``VALUE`` keeps 15 digits of a text, arithmetic is in double
precision. So a formula that lost digits of a count would be seen here. That every value is the one that
``analysis.json`` says is the second reader's part.
"""

import hashlib
import io
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable
from dataclasses import replace
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod, sqrt
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat import CombinatError, __version__
from combinat.certify.analysis_file import analysis_bytes
from combinat.render.xlsx.book import Book, BookFront, book_bytes
from combinat.render.xlsx.cells import significant, significant_root
from combinat.render.xlsx.sheet import Sheet, SheetColumn
from combinat.report.tables import tables_files
from combinat.report.workbook import workbook
from tests.second_reader import SheetCell as Cell
from tests.second_reader import Value, compared_workbook, workbook_cells
from tests.test_report_tables import (
    as_analysis,
    never_winning,
    small_book,
    small_dossier,
    without_insurance,
)

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"

Sheets = dict[str, dict[str, Cell]]
"""Every cell that holds something, by sheet and place."""


@cache
def written() -> bytes:
    return workbook(small_dossier(), small_book().game)


def parts(package: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(package)) as zipped:
        return {name: zipped.read(name) for name in zipped.namelist()}


def sheet_parts(package: bytes) -> dict[str, ElementTree.Element]:
    """The XML of every sheet by its name, in order."""
    files = parts(package)
    targets = {
        link.attrib["Id"]: link.attrib["Target"]
        for link in ElementTree.fromstring(files["xl/_rels/workbook.xml.rels"])
    }
    return {
        sheet.attrib["name"]: ElementTree.fromstring(files["xl/" + targets[sheet.attrib[RELATION]]])
        for sheet in ElementTree.fromstring(files["xl/workbook.xml"]).iter(f"{MAIN}sheet")
    }


def sheets(package: bytes) -> Sheets:
    return {
        name: {f"{chr(ord('A') + column - 1)}{row}": cell for (row, column), cell in cells.items()}
        for name, cells in workbook_cells(package).items()
    }


@cache
def read() -> Sheets:
    return sheets(written())


def rows(cells: dict[str, Cell], columns: str) -> dict[int, list[Value]]:
    """The values of these columns by row number, from the first row under the head."""
    last = max(int(place[1:]) for place in cells)
    empty = Cell(None)
    return {
        row: [cells.get(f"{letter}{row}", empty).value for letter in columns] for row in range(4, last + 1)
    }


# ---------------------------------------------------------------- a small evaluator

TOKEN = re.compile(
    r"""(?P<text>"[^"]*")|(?:'(?P<sheet>[^']+)'!)?(?P<first>\$?[A-Z]{1,2}\$?\d+)(?::(?P<last>\$?[A-Z]{1,2}\$?\d+))?"""
    r"""|(?P<name>[A-Z]+)(?=\()|(?P<truth>TRUE|FALSE)|(?P<number>\d+(?:\.\d+)?(?:E-?\d+)?)|(?P<sign><=|[-+*/^&=<>(),])"""
)
SIGNS = {"^": "**", "&": "+", "=": "=="}


def in_python(formula: str, here: str) -> str:
    """The formula as a Python expression; one that is not well formed is refused."""
    words, at = [], 0
    while at < len(formula):
        token = TOKEN.match(formula, at)
        assert token, f"{formula} at {formula[at:]}"
        at = token.end()
        if token["first"]:
            places = [place.replace("$", "") for place in (token["first"], token["last"]) if place]
            words.append(f"{'span' if token['last'] else 'cell'}{(token['sheet'] or here, *places)!r}")
        elif token["truth"]:
            words.append(token["truth"].capitalize())
        elif token["number"]:
            words.append(f"float('{token['number']}')")
        else:
            words.append(SIGNS.get(token[0], token[0]))
    return "".join(words)


def places(first: str, last: str) -> list[str]:
    (left, top), (right, bottom) = ((place[0], int(place[1:])) for place in (first, last))
    across = range(ord(left), ord(right) + 1)
    return [f"{chr(letter)}{row}" for row, letter in product(range(top, bottom + 1), across)]


class Recalculated:
    """A workbook whose formulas are worked out anew."""

    def __init__(self, workbook: Sheets) -> None:
        self.workbook, self.known = workbook, dict[tuple[str, str], Any]()

    def cell(self, sheet: str, place: str) -> Any:
        """What a cell comes to; 0 where it is empty."""
        if (sheet, place) not in self.known:
            cell = self.workbook[sheet].get(place, Cell(0.0))
            names = {"cell": self.cell, "span": self.span, **FUNCTIONS}
            value = eval(in_python(cell.formula, sheet), names) if cell.formula else cell.value
            self.known[sheet, place] = value
        return self.known[sheet, place]

    def span(self, sheet: str, first: str, last: str) -> list[Any]:
        """What the cells of a range come to."""
        return [self.cell(sheet, place) for place in places(first, last)]


def meets(value: Any, criterion: Any) -> bool:
    if criterion == ">0":
        return bool(value > 0)
    return type(value) is type(criterion) and bool(value == criterion)


def value_of(text: str) -> float:
    """A number as Excel reads it: digits after the fifteenth are lost."""
    assert re.fullmatch(r"[0-9]+", text)
    digits = text.lstrip("0")
    return float(digits[:15] + "0" * (len(digits) - 15) if len(digits) > 15 else text)


FUNCTIONS: dict[str, Any] = {
    "ABS": abs,
    "COUNTIF": lambda cells, wanted: float(sum(meets(cell, wanted) for cell in cells)),
    "IF": lambda condition, yes, no: yes if condition else no,
    "LEFT": lambda text, count: text[: int(count)],
    "LEN": lambda text: float(len(text)),
    "MAX": max,
    "RIGHT": lambda text, count: text[-int(count) :],
    "SQRT": sqrt,
    "SUM": sum,
    "SUMIF": lambda cells, wanted, summed: sum(
        number for cell, number in zip(cells, summed, strict=True) if meets(cell, wanted)
    ),
    "SUMPRODUCT": lambda *columns: sum(prod(line) for line in zip(*columns, strict=True)),
    "VALUE": value_of,
}


def test_every_formula_comes_to_its_cached_value() -> None:
    again, formulas, exactly = Recalculated(read()), 0, 0
    for sheet, cells in read().items():
        for place, cell in cells.items():
            if not cell.formula:
                continue
            value, formulas = again.cell(sheet, place), formulas + 1
            if isinstance(cell.value, float):
                assert abs(value - cell.value) <= 2e-15 * abs(cell.value), (sheet, place)
                exactly += value == cell.value
            else:
                assert value == cell.value, (sheet, place)
                exactly += 1
    assert formulas > 400
    assert exactly > formulas * 9 / 10


def test_probabilities_and_returns_are_the_nearest_numbers_there_are() -> None:
    """One division of whole numbers that are held exactly: no digit is lost, however many the count has."""
    again = Recalculated(read())
    compared = 0
    for sheet in ("Outcomes", "Outcomes 1 deck", "Outcomes 10 decks"):
        for row, (ways, probability, share) in rows(read()[sheet], "FNO").items():
            if isinstance(ways, str) and isinstance(probability, str) and isinstance(share, str):
                assert again.cell(sheet, f"G{row}") == int(ways)
                assert again.cell(sheet, f"H{row}") == float(Fraction(probability))
                assert again.cell(sheet, f"K{row}") == float(Fraction(share))
                compared += 1
    assert compared == (3 + 1 + 2 + 1) * 3


def test_a_count_read_whole_would_lose_digits() -> None:
    assert value_of("19206486926827299") == 19206486926827200
    assert value_of("000000192064869") == 192064869


@pytest.mark.parametrize("count", [0, 7, 12345678, 123456789])
def test_a_short_count_is_read_too(count: int) -> None:
    formula = read()["Outcomes"]["G5"].formula
    assert "F5" in formula
    assert Recalculated({"S": {"F5": Cell(str(count)), "G5": Cell(0.0, formula)}}).cell("S", "G5") == count


# ---------------------------------------------------------------- what the cells hold


def test_every_value_is_what_the_analysis_says() -> None:
    rule_book = tomllib.loads(small_book().content.decode())
    assert compared_workbook(written(), as_analysis(small_dossier()), rule_book) > 1_000


def test_counts_are_text_cells() -> None:
    """No number in the file has more digits than Excel keeps, but the sums of two parts."""
    for sheet, cells in read().items():
        for place, cell in cells.items():
            if isinstance(cell.value, float) and not cell.formula:
                assert abs(cell.value) < 10**15, (sheet, place)
            assert not (isinstance(cell.value, str) and cell.value.startswith("#")), (sheet, place)
    assert Cell("19206486926827200") in read()["Outcomes 10 decks"].values()


def test_the_summary_points_to_the_outcomes() -> None:
    assert re.fullmatch(r"'Outcomes'!\$H\$\d+", read()["Bets"]["F5"].formula)
    by_decks = read()["House edge by decks"]
    assert [by_decks[place].value for place in ("A3", "B3", "C3", "D3")] == [
        "Bet",
        "1 deck",
        "8 decks",
        "10 decks",
    ]
    assert by_decks["B5"].formula.startswith("'Outcomes 1 deck'!")


def test_a_rank_that_does_not_matter_is_not_named() -> None:
    first, *rest = small_dossier().removal
    changes = tuple(replace(change, change=Fraction(0)) for change in first.changes)
    whole = replace(small_dossier(), removal=(replace(first, changes=changes), *rest))
    cells = sheets(workbook(whole, small_book().game))["Removal"]
    most = {row[0]: row[1] for row in rows(cells, "AP").values()}
    assert most["player"] == "none"
    assert re.fullmatch(r"[\dA]+, [\dA]+, [\dA]+", str(most["lucky-six"]))


def test_the_cover_says_what_it_is_and_that_every_check_holds() -> None:
    cells = read()["Cover"]
    words = " ".join(str(cell.value) for cell in cells.values())
    for said in (
        small_book().sha256,
        f"combinat {__version__}",
        "not a test laboratory's certification",
        "up to 17 digits",
        "Excel keeps 15 digits",
        "rounded once, half to even",
        "Every check holds.",
    ):
        assert said in words
    checks = [cell.value for cells in read().values() for cell in cells.values() if cell.value is True]
    lines, figures = 3 + 2 + 2, 9 * 2
    assert len(checks) == (2 * lines + figures) * 3 + 14 + 33
    assert [float(len(checks))] * 2 == [
        cell.value for cell in cells.values() if cell.formula.startswith("SUM(")
    ]


def test_the_trick_is_explained_on_the_sheet() -> None:
    for sheet in ("Outcomes", "Insurance", "Third card"):
        assert any(
            "VALUE(all but its last 8 digits) x 100000000 + VALUE(its last 8 digits)" in str(cell.value)
            for cell in read()[sheet].values()
        )
    comments = [text for name, text in parts(written()).items() if "xl/comments" in name]
    assert sum(b"The text is read in two parts" in text for text in comments) == 3 + 2


# ---------------------------------------------------------------- what is wrong shows


@pytest.mark.parametrize(("place", "more"), [("F5", 1), ("F7", 1), ("F8", 1000), ("E5", 1), ("E4", 1)])
def test_a_changed_number_fails_a_check(place: str, more: int) -> None:
    """One card sequence more of 2230518282592256, or a net or stake one higher."""
    cells = read()["Outcomes"]
    old = cells[place].value
    changed = str(int(old) + more) if isinstance(old, str) else (old or 0) + more
    again = Recalculated({"Outcomes": {**cells, place: Cell(changed)}})
    assert False in [again.cell("Outcomes", check) for check in ("J8", "M8")]


def test_a_failed_check_shows_on_the_cover() -> None:
    (verdict,) = [place for place, cell in read()["Cover"].items() if cell.value == "Every check holds."]
    values = {
        sheet: {place: cell if sheet == "Cover" else Cell(cell.value) for place, cell in cells.items()}
        for sheet, cells in read().items()
    }
    assert Recalculated(values).cell("Cover", verdict) == "Every check holds."
    values["Third card"]["P5"] = Cell(False)
    assert Recalculated(values).cell("Cover", verdict) == "NOT EVERY CHECK HOLDS."


def test_what_does_not_exist_is_said_in_words() -> None:
    whole = never_winning(small_dossier())
    package = workbook(whole, small_book().game)
    cells = sheets(package)
    assert ["player", "Fair odds to 1"] not in rows(cells["Outcomes"], "AB").values()
    assert rows(cells["Bets"], "AILMN")[4] == ["player", "none", "none", None, None]
    assert rows(cells["Joint"], "BC")[4] == [1.0, "none"]
    assert rows(cells["Insurance"], "AJMN")[5] == ["player", None, "never", None]
    assert rows(cells["Insurance by decks"], "EFGH")[4] == ["never", "never", "never", "none"]
    assert compared_workbook(package, as_analysis(whole))


def test_without_xlsxwriter_the_way_out_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    with pytest.raises(CombinatError, match=r"a workbook needs xlsxwriter: pip install 'combinat\[report\]'"):
        workbook(small_dossier(), small_book().game)


# ---------------------------------------------------------------- what a stranger wrote


def test_a_text_stays_a_text_whatever_it_looks_like() -> None:
    """The small book's texts are formulas and markup; no cell but ours is a formula."""
    texts = {cell.value for cells in read().values() for cell in cells.values() if not cell.formula}
    assert {
        "=1+1 <b>Small</b> | Baccarat: exact pay-table analysis",
        "+House & Söhne",
        '@Lucky, "Six" _x0041_',
        "=tie",
        "clause =1.2, <1.3>",
    } <= texts
    assert any(str(text).startswith("Question: =1+1; must") for text in texts)


BARE = BookFront(title="", author="", comments="", created=small_book().game.effective, foot="a & b")


def bare(fill: Callable[[Sheet], object]) -> bytes:
    """A workbook of one sheet."""

    def filled(book: Book) -> None:
        fill(Sheet(book, "S", "=title", [SheetColumn("=head", 60), SheetColumn("@head", 60)]))

    return book_bytes(BARE, ["S"], filled)


@pytest.mark.parametrize("text", ["=1+1", "{=1+1}", "@x", "+1", "-1", "http://x.y", "internal:S!A1", "1e5"])
def test_cells_and_paragraphs_take_a_text_as_it_is(text: str) -> None:
    def fill(sheet: Sheet) -> None:
        sheet.row(text, text)
        sheet.paragraph(text)

    package = bare(fill)
    cells = sheets(package)["S"]
    assert [cells[place] for place in ("A4", "B4", "A5")] == [Cell(text)] * 3
    assert [cells[place] for place in ("A1", "A3", "B3")] == [Cell("=title"), Cell("=head"), Cell("@head")]
    assert b"hyperlink" not in parts(package)["xl/worksheets/sheet1.xml"]
    assert b"a &amp;&amp; b" in parts(package)["xl/worksheets/sheet1.xml"]


def test_a_text_that_is_too_long_is_cut_and_says_so() -> None:
    """Of a text that a cell cannot hold, nothing goes in silence."""
    package = bare(lambda sheet: sheet.paragraph("\N{WINKING FACE}" * 20_000))
    text = str(sheets(package)["S"]["A4"].value)
    assert text.endswith("\N{WINKING FACE} ... (cut: a cell holds no more)")
    assert len(text.encode("utf-16-le")) in (2 * 32_766, 2 * 32_767)


# ---------------------------------------------------------------- how it is made up

ALWAYS = ["Cover", "Bets", "House edge by decks", "Outcomes", "Joint"]
INSURANCE = ["Insurance", "Insurance by decks", "Third card"]
LAST = ["Interpretations", "Removal", "Formulas", "Outcomes 1 deck", "Outcomes 10 decks"]


def test_the_sheets() -> None:
    """A game without insurance has no sheet about it."""
    assert list(read()) == [*ALWAYS, *INSURANCE, *LAST]
    whole = without_insurance(small_dossier())
    assert list(workbook_cells(workbook(whole, small_book().game))) == [*ALWAYS, *LAST]


def test_sheets_are_frozen_filtered_and_set_up_for_printing() -> None:
    for name, root in sheet_parts(written()).items():
        (page,) = root.iter(f"{MAIN}pageSetup")
        assert page.get("orientation") == "landscape"
        assert page.get("fitToHeight") == (None if name == "Cover" else "0")
        assert small_book().sha256 in (root.findtext(f".//{MAIN}oddFooter") or "")
        if name != "Cover":
            (pane,) = root.iter(f"{MAIN}pane")
            assert (pane.get("ySplit"), pane.get("state")) == ("3", "frozen")
        filtered = name not in ("Cover", "Joint", "Interpretations")
        assert bool(list(root.iter(f"{MAIN}autoFilter"))) is filtered


def test_favourable_states_are_marked_by_word_and_by_shade() -> None:
    words = [row for row in rows(read()["Insurance"], "M").values() if row != [None]]
    assert words.count(["PLAYER"]) == sum(
        state.favours_player for state in small_dossier().reference.insurance
    )
    assert 0 < words.count(["PLAYER"]) < words.count(["house"])
    (marked,) = [
        condition
        for condition in sheet_parts(written())["Insurance"].iter(f"{MAIN}conditionalFormatting")
        if "".join(condition.itertext()) == "$N4>0"
    ]
    assert marked.get("sqref") == "A4:W18"


def test_the_same_dossier_gives_the_same_bytes_anywhere(tmp_path: Path) -> None:
    """Another process, in another time zone and language, with another hash seed."""
    (tmp_path / "analysis.json").write_bytes(analysis_bytes(small_dossier()))
    (tmp_path / "good.toml").write_bytes(small_book().content)
    script = (
        "import hashlib, sys; from pathlib import Path; from combinat import load_game\n"
        "from combinat.certify.analysis_file import read_dossier\n"
        "from combinat.report.tables import tables_files; from combinat.report.workbook import workbook\n"
        "dossier = read_dossier(Path('analysis.json').read_bytes())\n"
        "files = [workbook(dossier, load_game(Path('good.toml'))), *tables_files(dossier).values()]\n"
        "print(*(hashlib.sha256(content).hexdigest() for content in files))"
    )
    root = str(Path(__file__).resolve().parent.parent)
    elsewhere = {"TZ": "Pacific/Kiritimati", "PYTHONHASHSEED": "4711", "LC_ALL": "C", "LANG": "tr_TR.UTF-8"}
    ran = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | elsewhere | {"PYTHONPATH": root},
        cwd=tmp_path,
        check=True,
        timeout=60,
        capture_output=True,
        text=True,
    )
    files = [written(), *tables_files(small_dossier()).values()]
    assert ran.stdout.split() == [hashlib.sha256(content).hexdigest() for content in files]


def test_dates_are_the_rule_book_s_and_nothing_is_compressed() -> None:
    assert parts(written())["docProps/core.xml"].decode().count("2025-01-31T00:00:00Z") == 2
    with zipfile.ZipFile(io.BytesIO(written())) as zipped:
        for info in zipped.infolist():
            assert (info.compress_type, info.create_system) == (zipfile.ZIP_STORED, 0)
            assert info.date_time == (1980, 1, 1, 0, 0, 0)


# ---------------------------------------------------------------- fifteen digits

FIFTEEN = Context(prec=15, rounding=ROUND_HALF_EVEN)


def fifteen(value: Fraction) -> float:
    """The value with 15 significant digits, by another road."""
    return float(FIFTEEN.divide(Decimal(value.numerator), Decimal(value.denominator)))


@given(st.integers(-(10**14), 10**14), st.integers(1, 10**20))
def test_fifteen_digits_are_rounded_once(top: int, bottom: int) -> None:
    value = Fraction(top, bottom)
    shown = significant(value)
    assert Decimal(shown) == FIFTEEN.divide(Decimal(value.numerator), Decimal(value.denominator))
    assert float(shown) == fifteen(value)


@given(st.integers(1, 10**12), st.integers(1, 10**12))
def test_fifteen_digits_of_a_root(top: int, bottom: int) -> None:
    square = Fraction(top, bottom)
    shown = Fraction(significant_root(square))
    unit = Fraction(10) ** (Decimal(significant_root(square)).adjusted() - 14)
    assert (shown - unit / 2) ** 2 <= square <= (shown + unit / 2) ** 2
