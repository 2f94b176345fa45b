"""A table in HTML: in a box that scrolls by itself, each row a place that can be linked to."""

from collections.abc import Iterator

from combinat.base.kinds import Sort
from combinat.render.blocks import Cell, Column, Meaning, Row, Table, in_words
from combinat.render.escape import for_html
from combinat.render.html_words import has_link, words_html
from combinat.render.rows import row_names

TALL = 25
"""A table of more rows scrolls in its own box, under its head."""

SHORT, LONG = 14, 36
"""A cell of words with more letters has room for some; with more again it is prose, and is broken into lines."""


def table_html(table: Table, heading: str) -> Iterator[str]:
    """The lines of the table; ``heading``: what it is called where it has no caption."""
    heads = (
        f'<th scope="col" class="{column.align}">{for_html(column.head or "-")}</th>'
        for column in table.columns
    )
    named = table.titled if table.label else f"Table: {table.titled or heading}"
    place = f' id="{for_html(table.anchor)}"' if table.anchor else ""
    box = "scroll tall" if len(table.rows) > TALL else "scroll"
    yield f'<div class="{box}"{place} tabindex="0" role="region" aria-label="{for_html(named)}">'
    yield "<table>"
    if table.titled:
        label = f"<b>{for_html(table.label)}.</b> " if table.label else ""
        yield f"<caption><span>{label}<span>{for_html(table.caption)}</span></span></caption>"
    yield f"<thead><tr>{''.join(heads)}</tr></thead>"
    yield "<tbody>"
    names = (
        [f"{table.anchor}-{name}" for name in row_names(table)] if table.anchor else [""] * len(table.rows)
    )
    yield from (_row(row, table.columns, name) for row, name in zip(table.rows, names, strict=True))
    yield "</tbody>"
    yield "</table>"
    yield "</div>"


def _row(row: Row, columns: tuple[Column, ...], name: str) -> str:
    place = f' id="{name}"' if name else ""
    meaning = "" if row.meaning is Meaning.PLAIN else f' class="{row.meaning}"'
    first, *rest = zip(row.cells, columns, strict=True)
    head = _row_head(*first, name)
    body = "".join(_cell(cell, column) for cell, column in rest)
    return f"<tr{place}{meaning}>{head}{body}</tr>"


def _cell(cell: Cell, column: Column) -> str:
    """A cell that is no head; a column of prose has room for it."""
    look = {Sort.HASH: "hash", Sort.ODDS: "o"}.get(column.kind.sort, column.align)
    said = words_html(cell, column.kind)
    room = "" if look != "l" or len(said) <= SHORT else " some" if len(said) <= LONG else " long"
    return f'<td class="{look}{room}">{said}</td>'


def _row_head(cell: Cell, column: Column, name: str) -> str:
    """The first cell, which leads to its row, out of the way of those who go from link to link; an empty one heads none."""
    said = words_html(cell, column.kind)
    if not said:
        return f'<td class="{column.align}"></td>'
    long = " long" if len(in_words(cell, column.kind)) > LONG else ""
    linked = f'<a href="#{name}" tabindex="-1">{said}</a>' if name and not has_link(cell) else said
    return f'<th scope="row" class="{column.align}{long}">{linked}</th>'
