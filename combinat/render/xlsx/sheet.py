"""A sheet of the workbook: its columns and styles, and how rows and notes are written to it."""

import textwrap
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any, NamedTuple, Protocol

from combinat.render.xlsx.cells import Cell, Live, Styled, letter_of

_BAR = {"bold": True, "bg_color": "#1F3864", "font_color": "#FFFFFF", "left": 1, "left_color": "#FFFFFF"}
STYLES: dict[str, dict[str, Any]] = {
    "text": {},
    "exact": {"indent": 1},
    "bold": {"bold": True},
    "title": {"bold": True, "font_size": 14},
    "note": {"text_wrap": True, "valign": "top"},
    "head": _BAR | {"text_wrap": True, "valign": "top"},  # a filter's buttons lie at the bottom
    "upright": _BAR | {"rotation": 90, "valign": "bottom", "align": "center"},
    "block": {"bold": True, "bg_color": "#D9D9D9", "top": 1},
    "total": {"bold": True, "top": 1},
    "link": {"font_color": "#1F3864", "underline": 1},
    "centred": {"align": "center"},
    "check": {"align": "center", "num_format": '"TRUE";"TRUE";"FALSE"'},  # LibreOffice has no truth values
    "count": {"align": "right", "num_format": "@"},
    "whole": {"num_format": "0"},
    "ratio": {"num_format": "0.00"},
    "decimal": {"num_format": "0.000000"},
    "correlation": {"num_format": "0.00000"},
    "digits": {"num_format": "0.00000000000000E+00"},
    "percent": {"num_format": "0.0000%"},
    "signed": {"num_format": "+0.0000%;-0.0000%;0.0000%"},
    "starred": {"num_format": '+0.0000%" *";-0.0000%"  ";0.0000%"  "'},
    "change": {"num_format": "+0.00000%;-0.00000%;0%"},
    "good": {"bold": True, "bg_color": "#C6EFCE", "font_color": "#0B5D1E"},
    "bad": {"bold": True, "bg_color": "#FFC7CE", "font_color": "#9C0006"},
}
LIVE = {"bg_color": "#E8F1FA"}
A4, A3 = 9, 8


class Book(Protocol):
    """What a sheet needs of the workbook that it is part of."""

    sheets: dict[str, Any]
    held: dict[str, int]
    checks: list[tuple[str, str]]
    foot: str

    def format(self, style: str, over: str = "text", *, live: bool = False) -> Any:
        """The format of a style over another."""


class Column(NamedTuple):
    """A column: its head, width and style, and what must be said of it."""

    head: str
    width: int
    style: str = "text"
    note: str = ""


def columns_of(table: str, **notes: str) -> list[Column]:
    """Columns written a line each, as head, width and style; notes by the head's first word.

    >>> columns_of("Ways it wins | 20 | count", Ways="ordered")
    [Column(head='Ways it wins', width=20, style='count', note='ordered')]
    """
    found = []
    for line in table.strip().splitlines():
        head, width, style = (part.strip() for part in line.split("|"))
        found.append(Column(head, int(width), style, notes.pop(head.split()[0], "")))
    return found


class Sheet:
    """A sheet: its title, a line on it, the frozen head, rows, and at its end the notes on its columns."""

    HEAD = 3

    def __init__(
        self,
        book: Book,
        name: str,
        title: str,
        columns: Sequence[Column],
        *,
        frozen: int = 1,
        paper: int = A4,
        headed: bool = True,
        upright: bool = False,
    ) -> None:
        self.book, self.name, self.columns = book, name, columns
        self.cells, self.next = book.sheets[name], self.HEAD
        self.cells.write_string(0, 0, title, book.format("title"))
        for place, column in enumerate(columns):
            self.cells.set_column(place, place, column.width)
        if headed:
            for place, column in enumerate(columns):
                self.write(self.HEAD, place, column.head, "upright" if upright and place else "head")
                if column.note:
                    self.cells.write_comment(self.HEAD - 1, place, column.note, {"x_scale": 3, "y_scale": 2})
            self.cells.set_row(self.HEAD - 1, 100 if upright else 45)
            self.cells.freeze_panes(self.HEAD, frozen)
            self.cells.repeat_rows(0, self.HEAD - 1)
            self.next += 1
        self.cells.set_landscape()
        self.cells.set_paper(paper)
        self.cells.fit_to_pages(1, 0)
        self.cells.set_margins(left=0.5, right=0.5, top=0.6, bottom=0.7)
        self.cells.set_footer(f"&L&8{book.foot}&R&8&A, page &P of &N")

    def line(self, text: str) -> None:
        """Write the line under the title."""
        self.write(2, 0, text, "text")

    def row(self, *cells: Cell, style: str = "text") -> int:
        """Write a row, in this style over those of the columns; its number."""
        for place, (cell, column) in enumerate(zip_longest(cells, self.columns)):
            self.write(self.next, place, cell, column.style, style)
        self.next += 1
        return self.next - 1

    def write(self, row: int, place: int, cell: Cell, style: str, over: str = "text") -> None:
        """Write a cell by its kind: a text stays a text, whatever it looks like."""
        if isinstance(cell, Styled):
            cell, style = cell
        at, form = (row - 1, place), self.book.format(style, over, live=isinstance(cell, Live))
        if isinstance(cell, Live):
            self.cells.write_formula(*at, cell.formula, form, cell.value)
            self.book.held[self.name] = self.book.held.get(self.name, 0) + (style == "check")
        elif cell is None:
            self.cells.write_blank(*at, None, form)
        elif isinstance(cell, str):
            self.cells.write_string(*at, cell, form)
        else:
            self.cells.write_number(*at, float(cell), form)

    def paragraph(self, text: str, style: str = "note") -> None:
        """Write a paragraph across the first columns."""
        across, width = 0, 0
        while across < len(self.columns) and width < 110:
            width += self.columns[across].width
            across += 1
        self.cells.merge_range(self.next - 1, 0, self.next - 1, across - 1, text, self.book.format(style))
        self.cells.set_row(self.next - 1, 15 * len(textwrap.wrap(text, width * 6 // 5)))
        self.next += 1

    def mark(self, first: int, last: int, **condition: Any) -> None:
        """Mark the cells of some columns that meet a condition."""
        self.cells.conditional_format(self.HEAD, first, self.next - 2, last, condition)

    def finish(self, *, filtered: bool = True) -> None:
        """Set what covers the whole sheet, and write the notes."""
        last, wide = self.next - 1, len(self.columns) - 1
        if filtered:
            self.cells.autofilter(self.HEAD - 1, 0, last - 1, wide)
        for place, column in enumerate(self.columns):
            if column.style == "check":
                letter = letter_of(place)
                self.book.checks.append((self.name, f"${letter}${self.HEAD + 1}:${letter}${last}"))
                top = f"{letter}{self.HEAD + 1}"
                failed = {"criteria": f'=AND({top}<>"",NOT({top}))', "format": self.book.format("bad")}
                self.mark(place, place, type="formula", **failed)
        whole = f"A1:{letter_of(wide)}{last}"
        self.cells.ignore_errors({"number_stored_as_text": whole, "formula_differs": whole})
        notes = [f"{column.head}: {column.note}" for column in self.columns if column.note]
        if notes:
            self.next += 1
            self.line(f"Notes on the columns: at their heads, and below the table from row {self.next}.")
        for note in notes:
            self.paragraph(note)
