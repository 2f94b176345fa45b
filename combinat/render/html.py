"""A document as one self-contained HTML file: no network, readable on a phone, printable, accessible.

Every text goes through one escaping function. The page is complete without a script; the one script that it may hold
copies tables, and the page's policy names it by its hash.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from combinat.base.kinds import TEXT, Kind, Sort
from combinat.render.blocks import (
    Block,
    Cell,
    Column,
    Contents,
    Figure,
    Link,
    Meaning,
    Paragraph,
    Picture,
    Reference,
    Row,
    Section,
    Standing,
    Table,
    Terms,
    Words,
    has_link,
    in_words,
    walk,
)
from combinat.render.charts.svg import svg
from combinat.render.escape import for_address, for_html
from combinat.render.numbering import plain, slug
from combinat.render.web_page import web_page

CONTENTS = "contents"
"""The anchor of the contents."""

FIRST = 2
"""The level of the headings right under the title."""


@cache
def _file(name: str) -> str:
    """Return the style or the script of every document."""
    return (Path(__file__).parent / name).read_text("utf-8")


def html(document: Section, foot: str, *, copies_tables: bool = False) -> str:
    """Return the document as HTML: its title, the contents, its sections, and a line at its foot.

    ``copies_tables``: every table has a button that copies it as CSV.
    """
    sections = list(_placed(document))
    starts_with_summary = any(section.standing is Standing.SUMMARY for _, section, _ in sections[:1])
    anchors = iter([anchor for _, _, anchor in sections])
    body = (
        f"<header>\n<h1>{for_html(document.title)}</h1>\n</header>",
        f'<nav aria-label="Contents" id="{CONTENTS}">',
        f"<details{'' if starts_with_summary else ' open'}>",
        "<summary>Contents</summary>",
        "<ol>",
        *(
            f'<li><a href="#{anchor}">{for_html(section.heading)}</a></li>'
            for level, section, anchor in sections
            if level == FIRST
        ),
        "</ol>",
        "</details>",
        "</nav>",
        "<main>",
        *_blocks(document.blocks, document.title, FIRST, anchors),
        "</main>",
        f"<footer><p>{for_html(foot)}</p></footer>",
    )
    script = _file("copy.js") if copies_tables else ""
    return web_page(title=document.title, style=_file("document.css"), script=script, body=body)


def _placed(document: Section) -> Iterator[tuple[int, Section, str]]:
    """Yield every section with the level of its heading and its anchor, in the order of the document."""
    every = list(walk(document.blocks, FIRST))
    taken = {block.anchor for _, block in every if isinstance(block, Section | Table | Picture)} | {CONTENTS}
    for level, block in every:
        if isinstance(block, Section):
            anchor = block.anchor or slug(block.title, taken)
            taken.add(anchor)
            yield level, block, anchor


def _blocks(blocks: Sequence[Block], heading: str, level: int, anchors: Iterator[str]) -> Iterator[str]:
    """Yield the lines of blocks under a heading; ``anchors``: those of the sections to come."""
    for block in blocks:
        match block:
            case Section():
                yield f'<h{level} id="{next(anchors)}">{for_html(block.heading)}</h{level}>'
                yield from _blocks(block.blocks, block.heading, level + 1, anchors)
            case Paragraph(words):
                yield f"<p>{_words(words)}</p>"
            case Terms(said):
                yield "<dl>"
                for term, words in said.items():
                    yield f"<dt>{for_html(term)}</dt><dd>{_words(words)}</dd>"
                yield "</dl>"
            case Picture():
                yield from _picture(block)
            case Contents():
                yield '<ul class="listing">'
                yield from (f"<li>{_words((entry,))}</li>" for entry in block.entries)
                yield "</ul>"
            case Table():
                yield from _table(block, heading)


def _picture(picture: Picture) -> Iterator[str]:
    place = f' id="{for_html(picture.anchor)}"' if picture.anchor else ""
    narrow = ' class="narrow"' if picture.is_narrow else ""
    yield f"<figure{place}{narrow}>"
    yield f'<div class="scroll" tabindex="0" role="img" aria-label="{for_html(in_words(picture.alt))}">'
    yield svg(picture.drawing)
    yield "</div>"
    yield f"<figcaption>{_caption(picture.label, picture.caption)}</figcaption>"
    yield "</figure>"


# ---------------------------------------------------------------- tables and phrases

TALL = 25
"""A table of more rows scrolls in its own box, under its head."""

SHORT, LONG = 14, 36
"""A cell of words with more letters has room for some; with more again it is prose, and is broken into lines."""

MOST_CELLS, LONGEST_ANCHOR = 5, 60
"""Number of first cells of a row that form its anchor, and the anchor's maximum length."""


def _table(table: Table, heading: str) -> Iterator[str]:
    """Yield the lines of the table; ``heading``: its name if it has no caption."""
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
    said = _words(cell, column.kind)
    room = "" if look != "l" or len(said) <= SHORT else " some" if len(said) <= LONG else " long"
    return f'<td class="{look}{room}">{said}</td>'


def _row_head(cell: Cell, column: Column, name: str) -> str:
    """Return the first cell as the row head, with a link to its row outside the tab order."""
    said = _words(cell, column.kind)
    if not said:
        return f'<td class="{column.align}"></td>'
    long = " long" if len(in_words(cell, column.kind)) > LONG else ""
    linked = f'<a href="#{name}" tabindex="-1">{said}</a>' if name and not has_link(cell) else said
    return f'<th scope="row" class="{column.align}{long}">{linked}</th>'


def row_anchors(table: Table) -> list[str]:
    """Return an anchor for every row, unique in the table: its first cells, as few as distinguish the rows, or its number."""
    names = [""] * len(table.rows)
    for place, column in enumerate(table.columns[:MOST_CELLS]):
        said = (plain(in_words(row.cells[place], column.kind)) for row in table.rows)
        names = [f"{name}-{more}".strip("-")[:LONGEST_ANCHOR] for name, more in zip(names, said, strict=True)]
        if all(names) and len(set(names)) == len(names):
            return names
    return [f"row-{number}" for number in range(1, len(names) + 1)]


def _words(words: Words | Cell, kind: Kind = TEXT) -> str:
    """Return a phrase or a cell."""
    if isinstance(words, tuple | list) and has_link(words):
        return "".join(_part(part) for part in words)
    return for_html(in_words(words, kind))


def _caption(label: str, caption: Words) -> str:
    """Return a caption after its label."""
    return f"<b>{for_html(label)}.</b> {_words(caption)}" if label else _words(caption)


def _part(part: str | Figure | Link | Reference) -> str:
    match part:
        case Reference(to, name):
            return f'<a href="#{for_html(to)}">{for_html(name)}</a>'
        case Link(name, target):
            return f'<a href="{for_address(target)}">{for_html(name)}</a>'
        case _:
            return for_html(in_words(part))
