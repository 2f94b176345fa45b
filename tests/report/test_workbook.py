"""The workbook, read back with the standard library and worked out anew by a small spreadsheet of our own.

That every value is the one that ``analysis.json`` says is the second reader's part; that LibreOffice comes to the same
is ``make slow M=spreadsheet``.
"""

import datetime
import io
import zipfile
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from xml.etree import ElementTree

import pytest
from xlsxwriter.utility import xl_col_to_name  # type: ignore[import-untyped]

from combinat import __version__
from combinat.base.paper import Paper
from combinat.certify.filing import Issue, parsed_filing, template
from combinat.render.xlsx import PAGE, Book, Sheet, SheetColumn, book_bytes
from combinat.report.workbook import workbook
from tests.report.hostile_book import (
    never_winning,
    small_dossier,
    small_game,
    without_insurance,
)
from tests.report.hostile_book import small_workbook as written
from tests.report.second_reader import SheetCell as Cell
from tests.report.second_reader import workbook_cells
from tests.report.spreadsheet import Spreadsheet, value_of

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


HOLDS, FAILS = "Every check holds", "NOT EVERY CHECK HOLDS"


@cache
def read() -> dict[str, dict[tuple[int, int], Cell]]:
    return workbook_cells(written())


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


def column(sheet: str, head: str) -> int:
    """The column with this head."""
    (place,) = [place for (row, place), cell in read()[sheet].items() if row == 3 and cell.value == head]
    return place


def row_of(sheet: str, *cells: str) -> int:
    """The first row that begins with these texts."""
    rows = (row for row, place in sorted(read()[sheet]) if place == 1 and row > 3)
    return next(
        row
        for row in rows
        if all(
            read()[sheet].get((row, place), Cell("")).value == text
            for place, text in enumerate(cells, start=1)
        )
    )


# ---------------------------------------------------------------- worked out anew


def test_every_formula_comes_to_its_cached_value() -> None:
    again, formulas = Spreadsheet(read()), 0
    for sheet, cells in read().items():
        for place, cell in cells.items():
            if not cell.formula:
                continue
            value, formulas = again.value(sheet, place), formulas + 1
            if isinstance(cell.value, float):
                assert abs(value - cell.value) <= max(1e-14 * abs(cell.value), 1e-15), (sheet, place)
            else:
                assert value == cell.value, (sheet, place)
    assert formulas > 400


def test_other_odds_drive_every_number_of_decks() -> None:
    """20 to 1 for Lucky Six, and 2.5 to 1 for a line of insurance; the figures are those of exact fractions."""
    name = '@Lucky, "Six" _x0041_'
    inputs, used = row_of("Inputs", name), "F"
    offer = row_of("Inputs", "Insurance of the Player Hand, after four cards")
    others = {("Inputs", f"{used}{inputs}"): 20.0, ("Inputs", f"{used}{offer}"): 2.5}
    again = Spreadsheet(read(), others)
    row = row_of("Summary", name)
    for shoe in small_dossier().shoes:
        bet = shoe.bets[1]
        mean = sum(
            (Fraction(20) if line.odds and line.net > 0 else line.net) * line.probability
            for line in bet.outcomes
        )
        place = column("Summary", f"House edge, {shoe.decks} deck{'s' if shoe.decks > 1 else ''}")
        assert again.value("Summary", (row, place)) == pytest.approx(float(-mean), abs=1e-14)
    assert again.value("Summary", (row, column("Summary", "Exact house edge"))) == "odds changed"
    assert again.cell("Checks", "A2").startswith(HOLDS)
    state = row_of("Insurance", "Player Hand", "four cards")
    (known,) = [
        one
        for one in small_dossier().reference.insurance
        if one.state.side == "player" and one.state.stage == "four-cards"
        if [float(one.state.player_points), float(one.state.banker_points)]
        == [read()["Insurance"][state, place].value for place in (3, 4)]
    ]
    assert known.wins is not None
    assert known.loses is not None
    place = column("Insurance", "Expected value")
    expected = float(Fraction(5, 2) * known.wins - known.loses)
    assert again.value("Insurance", (state, place)) == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("number", [0, 2])
def test_another_number_of_decks_is_shown(number: int) -> None:
    shoe = small_dossier().shoes[number]
    again = Spreadsheet(read(), {("Outcomes", "B2"): float(shoe.decks)})
    assert again.cell("Outcomes", "A1") == f"Outcomes of every bet, {shoe.decks} deck{'s' * (shoe.decks > 1)}"
    assert again.cell("Outcomes", "E4") == str(shoe.sample_space)
    line = shoe.bets[0].outcomes[0]
    assert again.cell("Outcomes", "E5") == str(line.ways)
    assert again.cell("Outcomes", "F5") == f"{line.ways}/{shoe.sample_space}"
    assert again.cell("Outcomes", "G5") == float(line.probability)
    row, place = row_of("Summary", shoe.bets[1].name), column("Summary", "Exact house edge")
    assert again.value("Summary", (row, place)) == str(shoe.bets[1].house_edge)
    met = again.value("Insurance", (4, column("Insurance", "Reached")))
    assert met == pytest.approx(float(shoe.insurance[0].probability), rel=1e-14)
    assert again.cell("Checks", "A2").startswith(HOLDS)


def test_a_count_read_whole_would_lose_digits() -> None:
    """The spreadsheet of the tests keeps 15 digits, as Excel does."""
    assert value_of("19206486926827299") == 19206486926827200
    assert value_of("000000192064869") == 192064869


# ---------------------------------------------------------------- what is wrong shows


@pytest.mark.parametrize("decks", [1, 8, 10])
@pytest.mark.parametrize("more", [1, -1, 10**8])
def test_one_card_sequence_too_many_fails_a_check(decks: int, more: int) -> None:
    """Of 2230518282592256 and more: to the last digit, whatever Excel keeps."""
    place = column("Outcomes", f"Ways, {decks} deck{'s' * (decks > 1)}")
    letter = chr(ord("A") + place - 1)
    ways = str(int(str(read()["Outcomes"][5, place].value)) + more)
    again = Spreadsheet(read(), {("Outcomes", f"{letter}5"): ways})
    assert again.cell("Checks", "A2").startswith(FAILS)


@pytest.mark.parametrize(
    ("sheet", "head", "text"),
    [
        ("Outcomes", "Ways, 8 decks", "4998398275503361"),
        ("Summary", "Exact house edge, 8 decks", "1/99"),
        ("Insurance", "Exact expected value, 10 decks", "1/99"),
        ("Inputs", "Odds in the document", "7 to 5"),
    ],
)
def test_what_a_check_is_held_against(sheet: str, head: str, text: str) -> None:
    letters = xl_col_to_name(column(sheet, head) - 1)
    again = Spreadsheet(read(), {(sheet, f"{letters}4"): text})
    assert again.cell("Checks", "A2").startswith(HOLDS if sheet == "Inputs" else FAILS)
    assert again.cell("Inputs", "A2") == again.cell("Checks", "A2")


def test_what_does_not_exist_is_said_in_words() -> None:
    whole = never_winning(small_dossier())
    package = workbook(whole, small_game())
    cells = workbook_cells(package)
    assert cells["Summary"][4, column("Summary", "Fair odds to 1")].value == "never"
    assert cells["Insurance"][4, column("Insurance", "Expected value")].value == "never"
    assert cells["Joint"][4, 3].value == "none"
    again = Spreadsheet(cells)
    assert again.cell("Checks", "A2").startswith(HOLDS)


# ---------------------------------------------------------------- what a stranger wrote


def test_a_text_stays_a_text_whatever_it_looks_like() -> None:
    """The small book's texts are formulas and markup; no cell but ours is a formula."""
    texts = {cell.value for cells in read().values() for cell in cells.values() if not cell.formula}
    assert {
        "=1+1 <b>Small</b> | Baccarat: exact pay-table analysis",
        '@Lucky, "Six" _x0041_',
        "=tie",
        "@4.2",
    } <= texts


def bare(fill: Callable[[Sheet], object]) -> bytes:
    """A workbook of one sheet."""

    def filled(book: Book) -> None:
        fill(Sheet(book, "S", "=title", [SheetColumn("=head", 60), SheetColumn("@head", 60)]))

    return book_bytes(["S"], filled, {}, "a & b")


# ---------------------------------------------------------------- how it is made up

SHEETS = ["Inputs", "Summary", "Outcomes", "Insurance", "Joint", "Checks"]


def test_the_sheets() -> None:
    """A game without insurance has no sheet about it."""
    assert list(read()) == SHEETS
    package = workbook(without_insurance(small_dossier()), small_game())
    assert list(workbook_cells(package)) == [name for name in SHEETS if name != "Insurance"]


def test_the_workbook_names_its_rule_book_and_its_standing() -> None:
    words = " ".join(str(cell.value) for cell in read()["Inputs"].values())
    for said in (
        *(small_game().sha256, "draft, not issued", "+House & Söhne", f"combinat {__version__}"),
        "not a test laboratory's certification",
    ):
        assert said in words


@pytest.mark.parametrize(("date", "said"), [("", "draft, not issued"), ("date = 2026-03-01", "1 March 2026")])
def test_who_files_it(date: str, said: str) -> None:
    text = template(small_game()).replace("# date = 2026-11-17", date)
    filing = parsed_filing(text.encode(), "filing.toml", small_game())
    cells = workbook_cells(workbook(small_dossier(), small_game(), Issue(filing=filing)))["Inputs"]
    assert {filing.document, filing.revision.revision, said} < {cell.value for cell in cells.values()}


def test_all_but_the_inputs_are_protected_without_a_password() -> None:
    """The odds, a number each, and the number of decks, one of a list."""
    formats = ElementTree.fromstring(parts(written())["xl/styles.xml"]).find(f"{MAIN}cellXfs")
    assert formats is not None
    is_open = [form.find(f"{MAIN}protection") is not None for form in formats]
    open_cells: set[tuple[str, str]] = set()
    checked: set[tuple[str, str]] = set()
    for name, root in sheet_parts(written()).items():
        (protection,) = root.iter(f"{MAIN}sheetProtection")
        assert (protection.get("sheet"), protection.get("password")) == ("1", None)
        cells = root.iter(f"{MAIN}c")
        open_cells |= {(name, cell.attrib["r"]) for cell in cells if is_open[int(cell.get("s", "0"))]}
        checked |= {(name, one.attrib["sqref"]) for one in root.iter(f"{MAIN}dataValidation")}
    lines = sum(
        bool(line.odds) and line.net > 0 for bet in small_dossier().reference.bets for line in bet.outcomes
    )
    offers = sum(len(table.offers) for table in small_game().insurance)
    inputs = {("Inputs", f"F{row}") for row in range(4, 4 + lines + offers)}
    assert open_cells == checked == inputs | {("Outcomes", "B2")}
    (choice,) = sheet_parts(written())["Outcomes"].iter(f"{MAIN}formula1")
    assert choice.text == '"1,8,10"'


def test_it_is_printed_a_page_a_sheet() -> None:
    """Landscape, as wide as a page, the head on each; only a very long sheet takes more."""
    for name, root in sheet_parts(written()).items():
        (page,) = root.iter(f"{MAIN}pageSetup")
        assert page.get("orientation") == "landscape", name
        assert (page.get("fitToWidth"), page.get("fitToHeight")) == (None, None)  # one and one
        assert small_game().sha256 in (root.findtext(f".//{MAIN}oddFooter") or "")

    def fill(sheet: Sheet) -> None:
        for _ in range(PAGE):
            sheet.row("x")
        sheet.finish()

    (long,) = sheet_parts(bare(fill)).values()
    assert next(long.iter(f"{MAIN}pageSetup")).get("fitToHeight") == "2"


def test_favourable_states_are_marked_by_word_and_by_shade() -> None:
    place = column("Insurance", "Favours")
    words = [cell.value for (row, at), cell in read()["Insurance"].items() if at == place and row > 3]
    assert words.count("PLAYER") == sum(state.favours_player for state in small_dossier().reference.insurance)
    assert 0 < words.count("PLAYER") < words.count("house")
    assert list(sheet_parts(written())["Insurance"].iter(f"{MAIN}conditionalFormatting"))


def test_nothing_is_dated_but_by_who_issues_it_and_nothing_is_compressed() -> None:
    assert b"dcterms:" not in parts(written())["docProps/core.xml"].replace(b"xmlns:dcterms", b"")
    issue = Issue(date=datetime.date(2026, 3, 1), paper=Paper.LETTER)
    issued = workbook(small_dossier(), small_game(), issue)
    papers = [next(root.iter(f"{MAIN}pageSetup")).get("paperSize") for root in sheet_parts(issued).values()]
    assert papers == ["1", "3", "3", "3", "1", "1"]  # letter, and twice its size
    assert parts(issued)["docProps/core.xml"].decode().count("2026-03-01T00:00:00Z") == 2
    with zipfile.ZipFile(io.BytesIO(written())) as zipped:
        for info in zipped.infolist():
            assert (info.compress_type, info.create_system) == (zipfile.ZIP_STORED, 0)
            assert info.date_time == (1980, 1, 1, 0, 0, 0)
