"""Phrases and tables in HTML: every text escaped; a table in a box that scrolls by itself, an anchor for each row."""

import re
from collections.abc import Iterator

from combinat.base.kinds import TEXT, Kind, Sort
from combinat.render.blocks import Cell, Column, Figure, Link, Meaning, Reference, Row, Table, Words, in_words
from combinat.render.escape import for_address, for_html

TALL = 25
"""A table of more rows scrolls in its own box, under its head."""

SHORT, LONG = 14, 36
"""A cell of words with more letters has room for some; with more again it is prose, and is broken into lines."""


MOST_CELLS, LONGEST_ANCHOR = 5, 60
"""Number of first cells of a row that form its anchor, and the anchor's maximum length."""


def table_html(table: Table, heading: str) -> Iterator[str]:
    """Yield the lines of the table; ``heading``: what it is called where it has no caption."""
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
        [f"{table.anchor}-{name}" for name in row_anchors(table)] if table.anchor else [""] * len(table.rows)
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
    """Return a cell that is no head; a column of prose has room for it."""
    look = {Sort.HASH: "hash", Sort.ODDS: "o"}.get(column.kind.sort, column.align)
    said = words_html(cell, column.kind)
    room = "" if look != "l" or len(said) <= SHORT else " some" if len(said) <= LONG else " long"
    return f'<td class="{look}{room}">{said}</td>'


def _row_head(cell: Cell, column: Column, name: str) -> str:
    """Return the first cell as the row head, with a link to its row outside the tab order."""
    said = words_html(cell, column.kind)
    if not said:
        return f'<td class="{column.align}"></td>'
    long = " long" if len(in_words(cell, column.kind)) > LONG else ""
    linked = f'<a href="#{name}" tabindex="-1">{said}</a>' if name and not has_link(cell) else said
    return f'<th scope="row" class="{column.align}{long}">{linked}</th>'


def row_anchors(table: Table) -> list[str]:
    """Return an anchor for every row, unique in the table: its first cells, as few as distinguish the rows, or its number."""
    names = [""] * len(table.rows)
    for place, column in enumerate(table.columns[:MOST_CELLS]):
        said = (_slug(in_words(row.cells[place], column.kind)) for row in table.rows)
        names = [f"{name}-{more}".strip("-")[:LONGEST_ANCHOR] for name, more in zip(names, said, strict=True)]
        if all(names) and len(set(names)) == len(names):
            return names
    return [f"row-{number}" for number in range(1, len(names) + 1)]


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def words_html(words: Words | Cell, kind: Kind = TEXT) -> str:
    """Return a phrase or a cell."""
    if isinstance(words, tuple | list) and has_link(words):
        return "".join(_part(part) for part in words)
    return for_html(in_words(words, kind))


def has_link(words: Words | Cell) -> bool:
    """Return whether something in a phrase can be followed."""
    return isinstance(words, tuple | list) and any(isinstance(part, Link | Reference) for part in words)


def caption_html(label: str, caption: Words) -> str:
    """Return a caption after its label."""
    return f"<b>{for_html(label)}.</b> {words_html(caption)}" if label else words_html(caption)


def _part(part: str | Figure | Link | Reference) -> str:
    match part:
        case Reference(to, name):
            return f'<a href="#{for_html(to)}">{for_html(name)}</a>'
        case Link(name, target):
            return f'<a href="{for_address(target)}">{for_html(name)}</a>'
        case _:
            return for_html(in_words(part))
