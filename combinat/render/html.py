"""A document as one self-contained HTML file: no network, readable on a phone, printable, accessible.

Every text goes through one escaping function. The page is complete without a script; the one script that it may hold
copies tables, and the page's policy names it by its hash.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from combinat.render.blocks import (
    Block,
    Contents,
    Paragraph,
    Picture,
    Section,
    Standing,
    Table,
    Terms,
    in_words,
    walk,
)
from combinat.render.charts.svg import svg
from combinat.render.escape import for_html
from combinat.render.html_table import caption_html, table_html, words_html
from combinat.render.numbering import slug
from combinat.render.script_page import policy

CONTENTS = "contents"
"""The anchor of the contents."""

FIRST = 2
"""The level of the headings right under the title."""


@cache
def _file(name: str) -> str:
    """Return the style or the script of every document."""
    return "\n" + (Path(__file__).parent / name).read_text("utf-8").strip() + "\n"


def html(document: Section, foot: str, *, copies_tables: bool = False) -> str:
    """Return the document as HTML: its title, the contents, its sections, and a line at its foot.

    ``copies_tables``: every table has a button that copies it as CSV.
    """
    title = for_html(document.title)
    sections = list(_placed(document))
    starts_with_summary = any(section.standing is Standing.SUMMARY for _, section, _ in sections[:1])
    style, script = _file("document.css"), _file("copy.js") if copies_tables else ""
    anchors = iter([anchor for _, _, anchor in sections])
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy(style, script)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        '<meta name="referrer" content="no-referrer">',
        f"<title>{title}</title>",
        f"<style>{style}</style>",
        "</head>",
        "<body>",
        f"<header>\n<h1>{title}</h1>\n</header>",
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
        *([f'<script type="module">{script}</script>'] if script else []),
        "</body>",
        "</html>",
    ]
    return "\n".join(lines) + "\n"


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
                yield f"<p>{words_html(words)}</p>"
            case Terms(said):
                yield "<dl>"
                for term, words in said.items():
                    yield f"<dt>{for_html(term)}</dt><dd>{words_html(words)}</dd>"
                yield "</dl>"
            case Picture():
                yield from _picture(block)
            case Contents():
                yield '<ul class="listing">'
                yield from (f"<li>{words_html((entry,))}</li>" for entry in block.entries)
                yield "</ul>"
            case Table():
                yield from table_html(block, heading)


def _picture(picture: Picture) -> Iterator[str]:
    place = f' id="{for_html(picture.anchor)}"' if picture.anchor else ""
    narrow = ' class="narrow"' if picture.is_narrow else ""
    yield f"<figure{place}{narrow}>"
    yield f'<div class="scroll" tabindex="0" role="img" aria-label="{for_html(in_words(picture.alt))}">'
    yield svg(picture.drawing)
    yield "</div>"
    yield f"<figcaption>{caption_html(picture.label, picture.caption)}</figcaption>"
    yield "</figure>"
