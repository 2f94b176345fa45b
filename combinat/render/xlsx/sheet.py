"""A sheet of a workbook: its columns, and how rows and notes are written to it."""

import textwrap
from collections.abc import Sequence
from fractions import Fraction
from itertools import zip_longest
from typing import Any, NamedTuple

from combinat.render.escape import for_xlsx, for_xlsx_foot
from combinat.render.xlsx.book import Book
from combinat.render.xlsx.cells import Live, SheetCell, Styled, letter_of

A4, A3 = 9, 8

HIGHEST = 409
"""How high a row can be."""


class SheetColumn(NamedTuple):
    """A column of a sheet: its head, width and style, and what must be said of it."""

    head: str
    width: int
    style: str = "text"
    note: str = ""


def columns_of(table: str, **notes: str) -> list[SheetColumn]:
    """Columns written a line each, as head, width and style; notes by the head's first word.

    >>> columns_of("Ways it wins | 20 | count", Ways="ordered")
    [SheetColumn(head='Ways it wins', width=20, style='count', note='ordered')]
    """
    columns = []
    for line in table.strip().splitlines():
        head, width, style = (part.strip() for part in line.split("|"))
        columns.append(SheetColumn(head, int(width), style, notes.pop(head.split()[0], "")))
    return columns


class Sheet:
    """A sheet: its title, a line on it, the frozen head, rows, and at its end the notes on its columns."""

    HEAD = 3

    def __init__(
        self,
        book: Book,
        name: str,
        title: str,
        columns: Sequence[SheetColumn],
        *,
        frozen: int = 1,
        paper: int = A4,
        headed: bool = True,
        upright: bool = False,
    ) -> None:
        self.book, self.name, self.columns = book, name, columns
        self.cells, self.next = book.sheets[name], self.HEAD
        self.write(1, 0, title, "title")
        for place, column in enumerate(columns):
            self.cells.set_column(place, place, column.width)
        if headed:
            for place, column in enumerate(columns):
                self.write(self.HEAD, place, column.head, "upright" if upright and place else "head")
                if column.note:
                    self.cells.write_comment(
                        self.HEAD - 1, place, for_xlsx(column.note), {"x_scale": 3, "y_scale": 2}
                    )
            self.cells.set_row(self.HEAD - 1, 100 if upright else 45)
            self.cells.freeze_panes(self.HEAD, frozen)
            self.cells.repeat_rows(0, self.HEAD - 1)
            self.next += 1
        self.cells.set_landscape()
        self.cells.set_paper(paper)
        self.cells.fit_to_pages(1, 0)
        self.cells.set_margins(left=0.5, right=0.5, top=0.6, bottom=0.7)
        self.cells.set_footer(f"&L&8{for_xlsx_foot(book.foot)}&R&8&A, page &P of &N")

    def line(self, text: str) -> None:
        """Write the line under the title."""
        self.write(2, 0, text, "text")

    def row(self, *cells: SheetCell, style: str = "text") -> int:
        """Write a row, in this style over those of the columns; its number."""
        for place, (cell, column) in enumerate(zip_longest(cells, self.columns)):
            self.write(self.next, place, cell, column.style, style)
        self.next += 1
        return self.next - 1

    def write(self, row: int, place: int, cell: SheetCell, style: str, over: str = "text") -> None:
        """Write a cell by its kind: a text stays a text, whatever it looks like."""
        if isinstance(cell, Styled):
            cell, style = cell
        at, form = (row - 1, place), self.book.format(style, over, live=isinstance(cell, Live))
        if isinstance(cell, Live):
            value = float(cell.value) if isinstance(cell.value, Fraction) else cell.value
            self.cells.write_formula(*at, cell.formula, form, value)
            if style == "check":
                self.book.check_counts[self.name] = self.book.check_counts.get(self.name, 0) + 1
        elif cell is None:
            self.cells.write_blank(*at, None, form)
        elif isinstance(cell, str):
            self._write_text(at, for_xlsx(cell), form)
        else:
            self.cells.write_number(*at, float(cell), form)

    def _write_text(self, at: tuple[int, int], text: str, form: Any) -> None:
        """Write a text; one that the library would take for its own markup goes in parts."""
        if text.startswith("<r>") and text.endswith("</r>"):
            self.cells.write_rich_string(*at, text[:1], text[1:2], text[2:], form)
        else:
            self.cells.write_string(*at, text, form)

    def link(self, row: int, name: str) -> None:
        """Write a link to another sheet into the first cell of a row."""
        self.cells.write_url(row - 1, 0, f"internal:'{name}'!A1", self.book.format("link"), name)

    def on_one_page(self) -> None:
        """Print the sheet on one page, without its grid."""
        self.cells.fit_to_pages(1, 1)
        self.cells.hide_gridlines(2)

    def paragraph(self, text: str, style: str = "note") -> None:
        """Write a paragraph across the first columns."""
        across, width = 0, 0
        while across < len(self.columns) and width < 110:
            width += self.columns[across].width
            across += 1
        if across > 1:  # merging would take a text that begins with "=" for a formula, so it is written after
            self.cells.merge_range(self.next - 1, 0, self.next - 1, across - 1, "", self.book.format(style))
        self.write(self.next, 0, text, style)
        lines = len(textwrap.wrap(text, width * 6 // 5))
        self.cells.set_row(self.next - 1, min(15 * lines, HIGHEST))
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
                self._finish_checks(place, last)
        whole = f"A1:{letter_of(wide)}{last}"
        self.cells.ignore_errors({"number_stored_as_text": whole, "formula_differs": whole})
        notes = [f"{column.head}: {column.note}" for column in self.columns if column.note]
        if notes:
            self.next += 1
            self.line(f"Notes on the columns: at their heads, and below the table from row {self.next}.")
        for note in notes:
            self.paragraph(note)

    def _finish_checks(self, place: int, last: int) -> None:
        """Mark the checks of a column that fail, and have the book count them."""
        letter, top = letter_of(place), self.HEAD + 1
        ranges = self.book.check_ranges.setdefault(self.name, [])
        ranges.append(f"'{self.name}'!${letter}${top}:${letter}${last}")
        criteria = f'=AND({letter}{top}<>"",NOT({letter}{top}))'
        self.mark(place, place, type="formula", criteria=criteria, format=self.book.format("bad"))
