"""Workbooks: sheets of texts, numbers and live formulas, with equal bytes on every machine.

Excel keeps 15 digits of a number and counts have up to 17. A count is therefore stored as text, and formulas read it
in two parts.
"""

import datetime
import io
import re
import textwrap
import zipfile
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import zip_longest
from typing import Any, NamedTuple

import xlsxwriter  # type: ignore[import-untyped]  # it carries no types
from xlsxwriter.utility import xl_col_to_name, xl_rowcol_to_cell  # type: ignore[import-untyped]

from combinat.base.paper import Paper
from combinat.render.escape import for_xlsx, for_xlsx_foot, visible

# ---------------------------------------------------------------- cells

Number = int | float | Fraction


class Live(NamedTuple):
    """A formula and its value, which a viewer that does not recalculate shows."""

    formula: str
    value: Number | str | bool


SheetCell = str | Number | Live | None
"""The content of a cell. A text stays a text, even if it looks like a number or a formula."""

LOW = 8
"""The number of digits in the low part of a count."""


def high_part(cell: str, count: int) -> Live:
    """All but the last digits of a count, from the cell that has it as text."""
    return Live(f'=VALUE("0"&LEFT({cell},MAX(0,LEN({cell})-{LOW})))', count // 10**LOW)


def low_part(cell: str, count: int) -> Live:
    """Return the last digits of a count, from the cell that has it as text."""
    return Live(f"=VALUE(RIGHT({cell},{LOW}))", count % 10**LOW)


def both_parts(high: str, low: str) -> str:
    """Return the number whose parts are in two cells or formulas."""
    return f"({high}*{10**LOW}+{low})"


class SheetColumn(NamedTuple):
    """A column of a sheet; ``beside``: it is not printed; formulas of printed columns read it."""

    head: str
    width: int
    style: str = "text"
    note: str = ""
    beside: bool = False


# ---------------------------------------------------------------- styles

_BAR = {"bold": True, "bg_color": "#1F3864", "font_color": "#FFFFFF", "left": 1, "left_color": "#FFFFFF"}
_INPUT = {"locked": False, "bg_color": "#FFF2CC", "font_color": "#1F3864", "border": 1, "bold": True}
STYLES: dict[str, dict[str, Any]] = {
    "text": {},
    "exact": {"indent": 1},
    "bold": {"bold": True},
    "title": {"bold": True, "font_size": 14},
    "note": {"text_wrap": True, "valign": "top"},
    "head": _BAR | {"text_wrap": True, "valign": "top"},
    "upright": _BAR | {"rotation": 90, "valign": "bottom", "align": "center"},
    "block": {"bold": True, "bg_color": "#D9D9D9", "top": 1},
    "total": {"bold": True, "top": 1},
    "centred": {"align": "center"},
    "odds in": _INPUT | {"num_format": "0.##########"},
    "decks in": _INPUT | {"num_format": "0", "align": "center"},
    "check": {"align": "center", "num_format": '"TRUE";"TRUE";"FALSE"'},  # LibreOffice has no truth values
    "count": {"align": "right", "num_format": "@"},
    "whole": {"num_format": "0"},
    "net": {"num_format": "0.##########"},
    "ratio": {"num_format": "0.00"},
    "decimal": {"num_format": "0.0000"},
    "correlation": {"num_format": "0.00000"},
    "percent": {"num_format": "0.0000%"},
    "signed": {"num_format": "+0.0000%;-0.0000%;0.0000%"},
    "good": {"bold": True, "bg_color": "#C6EFCE", "font_color": "#0B5D1E"},
    "bad": {"bold": True, "bg_color": "#FFC7CE", "font_color": "#9C0006"},
}
LIVE = {"bg_color": "#E8F1FA"}
"""The shade of a cell with a formula."""

PAPERS = {Paper.A4: (9, 8), Paper.LETTER: (1, 3)}
"""The format's numbers for a paper and for paper of twice its size."""

HIGHEST = 409
"""The largest height of a row."""

PAGE = 100
"""Rows on a printed page; with more of them the print would be too small to read."""

PERMITTED = dict.fromkeys(
    ("format_columns", "format_rows", "select_locked_cells", "select_unlocked_cells"), True
)
"""Actions that the protection of a sheet permits."""


# ---------------------------------------------------------------- sheets


class Book:
    """A workbook being written: its sheets by name, and its formats."""

    def __init__(self, workbook: Any, names: Sequence[str], foot: str, paper: Paper) -> None:
        self.workbook, self.foot, self.paper = workbook, foot, paper
        self.sheets: dict[str, Any] = {name: workbook.add_worksheet(name) for name in names}
        self.formats: dict[tuple[str, str, bool], Any] = {}

    def format(self, style: str, over: str = "text", *, live: bool = False) -> Any:
        """Return the format of a column's style with its row's over it; a cell with a formula is shaded."""
        if (style, over, live) not in self.formats:
            properties = {"valign": "vcenter", **STYLES[style], **STYLES[over], **(LIVE if live else {})}
            if live and properties.get("num_format") == "@":  # else a program may show the formula as text
                del properties["num_format"]
            self.formats[style, over, live] = self.workbook.add_format(properties)
        return self.formats[style, over, live]


class Sheet:
    """A sheet: a title, a line below it, the frozen head, rows, and the notes on its columns at its end.

    Rows are numbered from 1, places of columns from 0. ``large``: printed on paper of twice the size.
    """

    HEAD = 3

    def __init__(
        self,
        book: Book,
        name: str,
        title: "str | Live",
        columns: Sequence[SheetColumn],
        *,
        frozen: int = 1,
        large: bool = False,
        upright: bool = False,
    ) -> None:
        self.book, self.name, self.columns = book, name, columns
        self.printed = sum(not column.beside for column in columns)
        self.cells, self.next = book.sheets[name], self.HEAD + 1
        self.write(1, 0, title, "title")
        for place, column in enumerate(columns):
            self.cells.set_column(place, place, column.width)
            self.write(self.HEAD, place, column.head, "upright" if upright and place else "head")
        longest = max(len(column.head) for column in columns)
        self.cells.set_row(self.HEAD - 1, min(7 * longest + 20, HIGHEST) if upright else 45)
        self.cells.freeze_panes(self.HEAD, frozen)
        self.cells.repeat_rows(0, self.HEAD - 1)
        self.cells.set_landscape()
        self.cells.set_paper(PAPERS[book.paper][large])
        self.cells.set_margins(left=0.5, right=0.5, top=0.6, bottom=0.7)
        self.cells.set_footer(f"&L&8{for_xlsx_foot(book.foot)}&R&8&A, page &P of &N")

    def place(self, head: str) -> int:
        """Return the place of the column with this head."""
        return next(place for place, column in enumerate(self.columns) if column.head == head)

    def cell(self, head: str, row: int) -> str:
        """Return the name of a cell, for formulas of this sheet."""
        return str(xl_rowcol_to_cell(row - 1, self.place(head), row_abs=True, col_abs=True))

    def span(self, first: str, last: str, row: int) -> str:
        """Return the names of the cells of a row from one column to another."""
        return f"{self.cell(first, row)}:{self.cell(last, row)}"

    def far(self, cells: str) -> str:
        """Return the names of cells, for formulas of other sheets."""
        return f"'{self.name}'!{cells}"

    def row(self, *cells: SheetCell, style: str = "text") -> int:
        """Write a row, in this style over those of the columns, and return its number."""
        for place, (cell, column) in enumerate(zip_longest(cells, self.columns)):
            self.write(self.next, place, cell, column.style, style)
        self.next += 1
        return self.next - 1

    def heads(self, *heads: str) -> None:
        """Write the heads of another table, with the same columns or fewer."""
        for place, head in enumerate(heads):
            self.write(self.next, place, head, "head")
        self.cells.set_row(self.next - 1, 30)
        self.next += 1

    def write(self, row: int, place: int, cell: SheetCell, style: str, over: str = "text") -> None:
        """Write a cell by its type."""
        at, form = (row - 1, place), self.book.format(style, over, live=isinstance(cell, Live))
        if isinstance(cell, Live):
            value = float(cell.value) if isinstance(cell.value, Fraction) else cell.value
            self.cells.write_formula(*at, cell.formula, form, value)
        elif cell is None:
            self.cells.write_blank(*at, None, form)
        elif not isinstance(cell, str):
            self.cells.write_number(*at, float(cell), form)
        elif (text := for_xlsx(cell)).startswith("<r>") and text.endswith("</r>"):
            self.cells.write_rich_string(*at, text[:1], text[1:2], text[2:], form)  # else it would be markup
        else:
            self.cells.write_string(*at, text, form)

    def paragraph(self, text: str, style: str = "note") -> None:
        """Write a paragraph across the first columns."""
        across, width = 0, 0
        while across < self.printed and width < 110:
            width += self.columns[across].width
            across += 1
        if across > 1:  # merging would take a text that begins with "=" for a formula, so it is written after
            self.cells.merge_range(self.next - 1, 0, self.next - 1, across - 1, "", self.book.format(style))
        self.write(self.next, 0, text, style)
        lines = len(textwrap.wrap(text, width * 6 // 5))
        self.cells.set_row(self.next - 1, min(15 * lines, HIGHEST))
        self.next += 1

    def terms(self, said: Iterable[tuple[str, str]]) -> None:
        """Write terms and their texts, a row each."""
        for label, text in said:
            self.write(self.next, 0, label, "bold")
            self.write(self.next, 1, text, "text")
            self.next += 1

    def input(self, row: int, place: int, title: str, words: str, **allowed: Any) -> None:
        """Make a cell an input: the values allowed, and the message of a reader who selects it or is refused."""
        told = {f"{kind}_title": title for kind in ("input", "error")}
        told |= {f"{kind}_message": words for kind in ("input", "error")}
        self.cells.data_validation(row - 1, place, row - 1, place, allowed | told)

    def mark(self, first: str, last: str, row: int = HEAD + 1, **condition: Any) -> None:
        """Mark the cells that meet a condition, in the columns from one to another and the rows from this one on."""
        columns = (self.place(first), self.place(last))
        self.cells.conditional_format(row - 1, columns[0], self.next - 2, columns[1], condition)

    def mark_false(self, first: str, last: str, row: int = HEAD + 1) -> None:
        """Mark the checks of these columns that fail, from this row on."""
        top = f"{xl_col_to_name(self.place(first))}{row}"
        criteria = f"=AND(ISLOGICAL({top}),NOT({top}))"
        self.mark(first, last, row, type="formula", criteria=criteria, format=self.book.format("bad"))

    def finish(self) -> None:
        """Write the notes, set the print area, and protect all cells except the inputs."""
        whole = f"A1:{xl_col_to_name(len(self.columns) - 1)}{self.next - 1}"
        self.cells.ignore_errors({"number_stored_as_text": whole, "formula_differs": whole})
        notes = [f"{column.head}: {column.note}" for column in self.columns if column.note]
        self.next += bool(notes)
        for note in notes:
            self.paragraph(note)
        self.cells.print_area(0, 0, self.next - 2, self.printed - 1)
        self.cells.fit_to_pages(1, (self.next - 2) // PAGE + 1)
        self.cells.protect("", PERMITTED)


# ---------------------------------------------------------------- bytes

_PROPERTIES = "docProps/core.xml"
_DATES = re.compile(rb"<dcterms:(created|modified)[^>]*>[^<]*</dcterms:\1>")


def book_bytes(
    names: Sequence[str],
    fill: Callable[[Book], None],
    properties: dict[str, str],
    foot: str,
    created: datetime.date | None = None,
    paper: Paper = Paper.A4,
) -> bytes:
    """Return the workbook with these sheets, filled; ``created``: the date in its properties, which may have none."""
    written = io.BytesIO()
    with xlsxwriter.Workbook(written, {"in_memory": True}) as workbook:
        date = datetime.datetime.combine(created or datetime.date(1980, 1, 1), datetime.time())
        shown = {name: visible(text) for name, text in properties.items()}
        workbook.set_properties({**shown, "created": date})
        fill(Book(workbook, names, foot, paper))
    return _stored(written.getvalue(), dated=created is not None)


def _stored(package: bytes, *, dated: bool) -> bytes:
    """Return the package uncompressed, since compressed bytes depend on the machine's zlib; without its dates if undated."""
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as parts, zipfile.ZipFile(written, "w") as stored:
        for name in parts.namelist():
            info = zipfile.ZipInfo(name)  # dated 1980
            info.create_system = 0
            content = parts.read(name)
            stored.writestr(info, content if dated or name != _PROPERTIES else _DATES.sub(b"", content))
    return written.getvalue()
