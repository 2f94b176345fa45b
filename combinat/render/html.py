"""A document as one self-contained HTML file: no network, readable on a phone, printable, accessible.

The page is put together by functions of our own, and every text goes through one escaping function: so no
template language is in the path of the bytes that are compared at verification. It is complete without a script;
one that is given is named by its hash in the page's policy, and no other runs.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from combinat.render.blocks import (
    Block,
    Listing,
    Paragraph,
    Picture,
    Section,
    Standing,
    Table,
    Terms,
    in_words,
    walk,
)
from combinat.render.escape import for_html
from combinat.render.html_table import table_html
from combinat.render.html_words import caption_html, words_html
from combinat.render.numbering import slug
from combinat.render.script_page import in_html, policy
from combinat.render.svg import svg
from combinat.render.versions import difference

CONTENTS, DATA = "contents", "data"
"""The names of the places of the contents and of what the script finds."""

FIRST = 2
"""The level of the headings right under the title."""


class Live(msgspec.Struct, frozen=True, kw_only=True):
    """What makes a page answer: a script, the data it finds in the page, and other versions of the document.

    What the versions say otherwise, where the document switches, is added to the data as ``versions``.
    """

    script: str
    data: Mapping[str, Any]
    versions: Mapping[str, Section]


@cache
def style() -> str:
    """The style of every document."""
    return (Path(__file__).parent / "document.css").read_text("utf-8")


def html(document: Section, foot: str, live: Live | None = None) -> str:
    """The document as HTML: its title, the contents, its sections, and a line at its foot."""
    title = for_html(document.title)
    page = _Page(document, is_live=live is not None)
    script = f"\n{live.script.strip()}\n" if live else ""
    look = f"\n{style().strip()}\n"
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy(look, script)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        '<meta name="referrer" content="no-referrer">',
        f"<title>{title}</title>",
        f"<style>{look}</style>",
        "</head>",
        "<body>",
        f"<header>\n<h1>{title}</h1>\n</header>",
        f'<nav aria-label="Contents" id="{CONTENTS}">',
        f"<details{'' if page.begins_with_summary else ' open'}>",
        "<summary>Contents</summary>",
        "<ol>",
        *page.contents(),
        "</ol>",
        "</details>",
        "</nav>",
        "<main>",
        *page.blocks(document.blocks, document.title, FIRST),
        "</main>",
        f"<footer><p>{for_html(foot)}</p></footer>",
        *(_live(document, live, script) if live else ()),
        "</body>",
        "</html>",
    ]
    return "\n".join(lines) + "\n"


def _live(document: Section, live: Live, script: str) -> Iterator[str]:
    versions = {name: difference(document, version) for name, version in live.versions.items()}
    known = {name: version for name, version in versions.items() if version is not None}
    yield f'<script type="application/json" id="{DATA}">{in_html({**live.data, "versions": known})}</script>'
    yield f'<script type="module">{script}</script>'


class _Page:
    """The places of a page, and its lines."""

    def __init__(self, document: Section, *, is_live: bool) -> None:
        self._is_live = is_live
        self._sections = list(_placed(document))
        self._anchors = iter([anchor for _, _, anchor in self._sections])
        self._said = count()

    @property
    def begins_with_summary(self) -> bool:
        """Whether page one is the summary, which then is seen first."""
        return any(section.standing is Standing.SUMMARY for _, section, _ in self._sections[:1])

    def contents(self) -> Iterator[str]:
        """A line for each section right under the document."""
        for level, section, anchor in self._sections:
            if level == FIRST:
                yield f'<li><a href="#{anchor}">{for_html(section.heading)}</a></li>'

    def blocks(
        self, blocks: Sequence[Block], heading: str, level: int, *, switches: bool = False
    ) -> Iterator[str]:
        """The lines of blocks under a heading; ``switches``: what is said there can be another version's."""
        for block in blocks:
            match block:
                case Section():
                    yield f'<h{level} id="{next(self._anchors)}">{for_html(block.heading)}</h{level}>'
                    inside = switches or block.switches
                    yield from self.blocks(block.blocks, block.heading, level + 1, switches=inside)
                case Paragraph(words):
                    yield f"<p{self._line(switches)}>{words_html(words)}</p>"
                case Terms(said):
                    yield "<dl>"
                    for term, words in said.items():
                        yield f"<dt>{for_html(term)}</dt><dd{self._line(switches)}>{words_html(words)}</dd>"
                    yield "</dl>"
                case Picture():
                    yield from _picture(block)
                case Listing():
                    yield '<ul class="listing">'
                    yield from (f"<li>{words_html((entry,))}</li>" for entry in block.entries)
                    yield "</ul>"
                case Table():
                    yield from table_html(block, heading)

    def _line(self, switches: bool) -> str:
        return f' data-said="{next(self._said)}"' if switches and self._is_live else ""


def _placed(document: Section) -> Iterator[tuple[int, Section, str]]:
    """Every section with the level of its heading and the name of its place, in the order of the document."""
    every = list(walk(document.blocks, FIRST))
    taken = {block.anchor for _, block in every if isinstance(block, Section | Table | Picture)} | {
        CONTENTS,
        DATA,
    }
    for level, block in every:
        if isinstance(block, Section):
            anchor = block.anchor or slug(block.title, taken)
            taken.add(anchor)
            yield level, block, anchor


def _picture(picture: Picture) -> Iterator[str]:
    place = f' id="{for_html(picture.anchor)}"' if picture.anchor else ""
    narrow = ' class="narrow"' if picture.is_narrow else ""
    yield f"<figure{place}{narrow}>"
    yield f'<div class="scroll" tabindex="0" role="img" aria-label="{for_html(in_words(picture.alt))}">'
    yield svg(picture.drawing)
    yield "</div>"
    yield f"<figcaption>{caption_html(picture.label, picture.caption)}</figcaption>"
    yield "</figure>"
