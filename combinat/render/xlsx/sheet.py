"""A sheet of a workbook: its columns, how rows and notes are written to it, what of it is printed."""

import textwrap
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import zip_longest
from typing import Any, NamedTuple

from combinat.base.paper import Paper
from combinat.render.escape import for_xlsx, for_xlsx_foot
from combinat.render.xlsx.book import Book
from combinat.render.xlsx.cells import Live, SheetCell, Styled, letter_of

PAPERS = {Paper.A4: (9, 8), Paper.LETTER: (1, 3)}
"""The numbers that the format has for a paper and for twice its size."""

HIGHEST = 409
"""How high a row can be."""

PAGE = 100
"""So many rows go on one page; more of them would be too small to read."""

_USABLE = {
    "format_columns": True,
    "format_rows": True,
    "select_locked_cells": True,
    "select_unlocked_cells": True,
}
"""What a reader may still do with a sheet whose cells are protected."""


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
    """A sheet: its title, a line on it, the frozen head, rows, and at its end the notes on its columns.

    ``large``: it is printed on paper of twice the size. ``beside``: columns that are not printed, behind those that are: what the formulas of the printed ones read.
    """

    HEAD = 3

    def __init__(
        self,
        book: Book,
        name: str,
        title: "str | Live",
        columns: Sequence[SheetColumn],
        beside: Sequence[SheetColumn] = (),
        *,
        frozen: int = 1,
        large: bool = False,
        upright: bool = False,
    ) -> None:
        self.book, self.name, self.printed = book, name, len(columns)
        self.columns = [*columns, *beside]
        self.cells, self.next = book.sheets[name], self.HEAD + 1
        self.write(1, 0, title, "title")
        for place, column in enumerate(self.columns):
            self.cells.set_column(place, place, column.width)
            self.write(self.HEAD, place, column.head, "upright" if upright and place else "head")
        longest = max(len(column.head) for column in self.columns)
        self.cells.set_row(self.HEAD - 1, min(7 * longest + 20, HIGHEST) if upright else 45)
        self.cells.freeze_panes(self.HEAD, frozen)
        self.cells.repeat_rows(0, self.HEAD - 1)
        self.cells.set_landscape()
        self.cells.set_paper(PAPERS[book.paper][large])
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

    def heads(self, *heads: str) -> None:
        """Write the heads of another table, with the same columns or fewer."""
        for place, head in enumerate(heads):
            self.write(self.next, place, head, "head")
        self.cells.set_row(self.next - 1, 30)
        self.next += 1

    def write(self, row: int, place: int, cell: SheetCell, style: str, over: str = "text") -> None:
        """Write a cell by its kind: a text stays a text, whatever it looks like."""
        if isinstance(cell, Styled):
            cell, style = cell
        at, form = (row - 1, place), self.book.format(style, over, live=isinstance(cell, Live))
        if isinstance(cell, Live):
            value = float(cell.value) if isinstance(cell.value, Fraction) else cell.value
            self.cells.write_formula(*at, cell.formula, form, value)
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
        """Write what something is called and what it is, a line each."""
        for label, text in said:
            self.write(self.next, 0, label, "bold")
            self.write(self.next, 1, text, "text")
            self.next += 1

    def input_list(self, row: int, place: int, values: Sequence[int], told: tuple[str, str]) -> None:
        """Have a cell take one of some numbers; ``told``: what a reader is told, in a few words and in more."""
        allowed = {"validate": "list", "source": list(values)}
        self.cells.data_validation(row - 1, place, row - 1, place, allowed | _told(told))

    def input_number(self, row: int, place: int, most: int, told: tuple[str, str]) -> None:
        """Have a cell take a number from 0 up to ``most``."""
        allowed = {"validate": "decimal", "criteria": "between", "minimum": 0, "maximum": most}
        self.cells.data_validation(row - 1, place, row - 1, place, allowed | _told(told))

    def mark(self, rows: tuple[int, int], columns: tuple[int, int], **condition: Any) -> None:
        """Mark the cells of some rows and columns that meet a condition."""
        self.cells.conditional_format(rows[0] - 1, columns[0], rows[1] - 1, columns[1], condition)

    def mark_false(self, rows: tuple[int, int], place: int, across: int = 1) -> None:
        """Mark the checks of some columns that fail."""
        first = f"{letter_of(place)}{rows[0]}"
        criteria = f"=AND(ISLOGICAL({first}),NOT({first}))"
        form = self.book.format("bad")
        self.mark(rows, (place, place + across - 1), type="formula", criteria=criteria, format=form)

    def finish(self) -> None:
        """Write the notes, set what is printed, and protect all but the inputs."""
        last, wide = self.next - 1, len(self.columns) - 1
        whole = f"A1:{letter_of(wide)}{last}"
        self.cells.ignore_errors({"number_stored_as_text": whole, "formula_differs": whole})
        notes = [f"{column.head}: {column.note}" for column in self.columns if column.note]
        if notes:
            self.next += 1
        for note in notes:
            self.paragraph(note)
        self.cells.print_area(0, 0, self.next - 2, self.printed - 1)
        self.cells.fit_to_pages(1, (self.next - 2) // PAGE + 1)
        self.cells.protect("", _USABLE)


def _told(told: tuple[str, str]) -> dict[str, str]:
    """What a reader is told of an input, and again where it is refused."""
    title, words = told
    return {"input_title": title, "input_message": words, "error_title": title, "error_message": words}
