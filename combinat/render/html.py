"""A document as one self-contained HTML file: no network, readable on a phone, printable, accessible.

The page is put together by functions of our own, and every text goes through one escaping function: so no
template language is in the path of the bytes that are compared at verification.
"""

from collections.abc import Iterator
from urllib.parse import quote

from combinat.render.blocks import (
    Block,
    Cell,
    Column,
    Link,
    Listing,
    Meaning,
    Paragraph,
    Picture,
    Reference,
    Row,
    Section,
    Table,
    Terms,
    Words,
    in_words,
    walk,
)
from combinat.render.escape import for_html
from combinat.render.kinds import TEXT, Kind
from combinat.render.numbering import slug
from combinat.render.svg import svg

STYLE = """\
:root { color-scheme: light; --line: #ccc; --ink: #1a1a1a; --soft: #f4f4f6; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1rem; color: var(--ink); background: #fff;
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.25; } h2 { font-size: 1.3rem; margin-top: 2.5rem; border-bottom: 2px solid var(--line); }
h3 { font-size: 1.05rem; margin-top: 1.8rem; } h4 { font-size: 1rem; }
nav { background: var(--soft); padding: .75rem 1rem; border-radius: .4rem; } nav ol { margin: 0; padding-left: 1.2rem; list-style: none; columns: 2 18rem; }
a { color: #1f4e9c; }
.scroll { overflow-x: auto; margin: .8rem 0; } caption { text-align: left; padding: .2rem 0; color: #444; }
table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .55rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
thead th { background: var(--soft); border-bottom: 2px solid #888; } tbody th { font-weight: 600; white-space: nowrap; }
.r { text-align: right; white-space: nowrap; } .c { text-align: center; }
tr.favours-player td, tr.favours-player th { background: #e3f1e6; font-weight: 600; }
tr.to-sign td { min-width: 9rem; height: 2.4rem; vertical-align: bottom; }
ul.listing { columns: 2 22rem; font-size: .9rem; list-style: none; padding: 0; }
tr.total td, tr.total th { border-top: 2px solid #888; font-weight: 600; }
dl { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: .15rem 1rem; margin: .8rem 0; }
dt { font-weight: 600; } dd { margin: 0; overflow-wrap: anywhere; }
figure { margin: 1.2rem 0; } figure svg { width: 100%; height: auto; max-width: 52rem; } figcaption { font-size: .85rem; color: #444; }
footer { margin-top: 3rem; border-top: 1px solid var(--line); font-size: .8rem; color: #555; overflow-wrap: anywhere; }
@media (max-width: 40rem) { body { font-size: 15px; padding: .7rem; } dl { grid-template-columns: 1fr; } dt { margin-top: .4rem; } }
@media print { body { max-width: none; font-size: 9pt; } nav { break-after: page; } h2, h3 { break-after: avoid; }
  table { font-size: 7pt; } .scroll { overflow: visible; } tr, figure { break-inside: avoid; } a { color: inherit; text-decoration: none; } }
"""


def html(document: Section, foot: str) -> str:
    """The document as HTML: its title, the contents, its sections, and a line at its foot."""
    title = for_html(document.title)
    placed = list(_placed(document))
    contents = [
        f'<li><a href="#{anchor}">{for_html(block.heading)}</a></li>'
        for level, block, anchor in placed
        if level == 2 and isinstance(block, Section)
    ]
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title>",
        f"<style>\n{STYLE}</style>",
        "</head>",
        "<body>",
        f"<header>\n<h1>{title}</h1>\n</header>",
        '<nav aria-label="Contents">',
        "<ol>",
        *contents,
        "</ol>",
        "</nav>",
        "<main>",
        *_main(placed),
        "</main>",
        f"<footer><p>{for_html(foot)}</p></footer>",
        "</body>",
        "</html>",
    ]
    return "\n".join(lines) + "\n"


Placed = tuple[int, Block, str]
"""A block, the level of a heading there, and for a section the name of its place."""


def _placed(document: Section) -> Iterator[Placed]:
    every = list(walk(document.blocks, 2))
    taken = {block.anchor for _, block in every if isinstance(block, Section | Table | Picture)}
    for level, block in every:
        anchor = ""
        if isinstance(block, Section):
            anchor = block.anchor or slug(block.title, taken)
            taken.add(anchor)
        yield level, block, anchor


def _main(placed: list[Placed]) -> Iterator[str]:
    heading = ""
    for level, block, anchor in placed:
        match block:
            case Section():
                heading = block.heading
                yield f'<h{level} id="{anchor}">{for_html(heading)}</h{level}>'
            case Paragraph(words):
                yield f"<p>{_words(words)}</p>"
            case Terms(said):
                yield "<dl>"
                for term, words in said.items():
                    yield f"<dt>{for_html(term)}</dt><dd>{_words(words)}</dd>"
                yield "</dl>"
            case Picture():
                width = ' style="max-width: 30rem"' if block.is_narrow else ""
                label = for_html(in_words(block.alt))
                yield f'<figure role="img" aria-label="{label}"{_id(block.anchor)}{width}>'
                yield svg(block.drawing)
                yield f"<figcaption>{_caption(block.label, block.caption)}</figcaption>"
                yield "</figure>"
            case Listing():
                yield '<ul class="listing">'
                yield from (f"<li>{_words((entry,))}</li>" for entry in block.entries)
                yield "</ul>"
            case Table():
                yield from _table(block, block.titled or heading)


def _id(anchor: str) -> str:
    return f' id="{anchor}"' if anchor else ""


def _caption(label: str, caption: Words) -> str:
    return f"<b>{for_html(label)}.</b> {_words(caption)}" if label else _words(caption)


def _words(words: Words | Cell, kind: Kind = TEXT) -> str:
    """A phrase or a cell; what leads elsewhere in it can be followed."""
    if isinstance(words, tuple | list) and any(isinstance(part, Link | Reference) for part in words):
        return "".join(
            f'<a href="{_target(part)}">{for_html(part.name)}</a>'
            if isinstance(part, Link | Reference)
            else for_html(in_words(part))
            for part in words
        )
    return for_html(in_words(words, kind))


def _target(part: Link | Reference) -> str:
    return for_html(quote(part.target)) if isinstance(part, Link) else f"#{part.to}"


def _table(table: Table, label: str) -> Iterator[str]:
    heads = (
        f'<th scope="col" class="{column.align}">{for_html(column.head or "-")}</th>'
        for column in table.columns
    )
    named = for_html(label if table.label else f"Table: {label}")
    yield f'<div class="scroll"{_id(table.anchor)} tabindex="0" role="region" aria-label="{named}">'
    yield "<table>"
    if table.titled:
        yield f"<caption>{_caption(table.label, table.caption)}</caption>"
    yield f"<thead><tr>{''.join(heads)}</tr></thead>"
    yield "<tbody>"
    yield from (_row(row, table.columns) for row in table.rows)
    yield "</tbody>"
    yield "</table>"
    yield "</div>"


def _row(row: Row, columns: tuple[Column, ...]) -> str:
    meaning = "" if row.meaning is Meaning.PLAIN else f' class="{row.meaning}"'
    first, *rest = zip(row.cells, columns, strict=True)
    head = f'<th scope="row" class="{first[1].align}">{_words(first[0], first[1].kind)}</th>'
    body = "".join(f'<td class="{column.align}">{_words(cell, column.kind)}</td>' for cell, column in rest)
    return f"<tr{meaning}>{head}{body}</tr>"
