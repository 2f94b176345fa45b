"""Documents in the written formats: text for a terminal, Markdown, CSV, LaTeX, JSON."""

import textwrap
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any
from urllib.parse import quote

from combinat.base.kinds import TEXT, Kind
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
    Section,
    Table,
    Terms,
    Words,
    cells,
    each_table,
    in_words,
    walk,
)
from combinat.render.escape import (
    for_address,
    for_json,
    for_latex,
    for_latex_comment,
    for_markdown,
    for_text,
    visible,
)
from combinat.render.table_options import csv_tables, table_options, with_options
from combinat.render.text_table import text_table


class Format(StrEnum):
    """The formats in which a table is printed."""

    TEXT = "text"
    MARKDOWN = "markdown"
    CSV = "csv"
    JSON = "json"
    LATEX = "latex"


def rendered(blocks: Sequence[Block], form: Format, main: str = "") -> str:
    """Blocks in one of their written formats, without a newline at the end.

    CSV carries the tables alone; LaTeX has the headings as comments. The options in force apply to their tables.
    ``main``: the name of the table that CSV holds where it can hold one only; without it the first.
    """
    if form is Format.CSV:
        from combinat.render.csv_table import csv_table, for_programs  # only here

        blocks = with_options(each_table(blocks, for_programs))
        return "\n\n".join(map(csv_table, csv_tables(blocks, main)))
    blocks = with_options(blocks)
    every = list(walk(blocks))
    if form is Format.LATEX:
        return "\n\n".join(_latex(block) for _, block in every if isinstance(block, Section | Table))
    one = _markdown if form is Format.MARKDOWN else _text
    return "\n\n".join(one(level, block) for level, block in every)


def as_json(payload: Mapping[str, Any]) -> str:
    """Return a JSON document as people read it."""
    import json  # only here

    return for_json(json.dumps(payload, indent=2, ensure_ascii=False))


def _text(level: int, block: Block) -> str:
    match block:
        case Section():
            heading = for_text(block.heading)
            heading = _filled(heading) if table_options().is_terminal else heading
            broad = max(map(len, heading.splitlines()), default=0)
            shown = f"{BOLD}{heading}{PLAIN}" if table_options().is_styled else heading
            return shown if level > 2 else f"{shown}\n{('=' if level == 1 else '-') * broad}"
        case Paragraph(words):
            return _filled(for_text(in_words(words)))
        case Terms(said):
            lines = (for_text(f"{term}: {in_words(words)}") for term, words in said.items())
            return "\n".join(_filled(line, "  ") for line in lines)
        case Table():
            caption = f"{_filled(for_text(block.titled))}\n\n" if block.titled else ""
            return caption + _text_table(block)
        case Picture():
            return for_text(f"[{block.titled}]")
        case Contents():
            return "\n".join(_filled(for_text(entry.name), "  ") for entry in block.entries)


BOLD, RED, PLAIN = "\x1b[1m", "\x1b[31m", "\x1b[0m"
"""Styles of a terminal."""

RED_ROWS = (Meaning.FAVOURS_PLAYER, Meaning.FAILED)

PROSE = 20
"""The width down to which a column of words is narrowed before spare columns are dropped."""


def _text_table(block: Table) -> str:
    """Return the table with its words wrapped to fit; in a terminal that is too narrow, without its spare columns."""
    options = table_options()
    rows = [list(map(for_text, cells(row, block.columns))) for row in block.rows]
    every = range(len(block.columns))
    kept = [place for place in every if not (block.columns[place].is_spare and options.is_terminal)]
    made: list[list[str]] = []
    for places, least in ((every, PROSE), (kept, PROSE), (kept, 1)):
        columns = [block.columns[place] for place in places]
        heads = [for_text(column.head) for column in columns]
        shown = [[row[place] for place in places] for row in rows]
        made = text_table(heads, shown, [column.align for column in columns], options.width, least)
        if max(len(line) for lines in made for line in lines) <= options.width:
            break
    looks = ["", *(RED if options.is_styled and row.meaning in RED_ROWS else "" for row in block.rows)]
    styled = (
        f"{look}{line}{look and PLAIN}" for look, lines in zip(looks, made, strict=True) for line in lines
    )
    return "\n".join(styled)


def line_of_text(text: str, indent: str = "") -> str:
    """Return a text that is one line in a file or a pipe; in a terminal it is broken between words, if it must be."""
    options = table_options()
    if not options.breaks_lines or len(text) <= options.width:
        return text
    return textwrap.fill(
        text, options.width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _filled(text: str, indent: str = "") -> str:
    """Return a text in lines that fit the terminal; those after the first are indented."""
    return textwrap.fill(text, table_options().width, subsequent_indent=indent, break_on_hyphens=False)


def _markdown(level: int, block: Block) -> str:
    match block:
        case Section():
            return f"{_anchor(block.anchor)}{'#' * level} {for_markdown(block.heading)}"
        case Paragraph(words):
            return _markdown_words(words, begins_line=True)
        case Terms(said):
            return "\n".join(
                f"- **{for_markdown(term)}:** {_markdown_words(words)}" for term, words in said.items()
            )
        case Table():
            caption = f"{_markdown_caption(block.label, block.caption)}\n\n" if block.titled else ""
            rows = [
                [_markdown_cell(cell, column) for cell, column in zip(row.cells, block.columns, strict=True)]
                for row in block.rows
            ]
            heads = [for_markdown(column.head) for column in block.columns]
            return _anchor(block.anchor) + caption + _markup(block, heads, rows, "pipe")
        case Picture():
            alt = for_markdown(in_words(block.alt))
            caption = _markdown_caption(block.label, in_words(block.caption))
            return f"{_anchor(block.anchor)}![{alt}](figures/{quote(block.name)}.svg)\n\n{caption}"
        case Contents():
            return "\n".join(f"- {_followed(entry)}" for entry in block.entries)


def _anchor(name: str) -> str:
    """Return the place of what follows; a name holds small letters, digits and hyphens alone."""
    return f'<a id="{name}"></a>\n\n' if name else ""


def _markdown_caption(label: str, caption: str) -> str:
    return f"**{label}.** {for_markdown(caption)}" if label else for_markdown(caption, begins_line=True)


def _markdown_cell(cell: Cell, column: Column) -> str:
    if isinstance(cell, tuple):
        return _markdown_words(cell, kind=column.kind)
    return for_markdown(in_words(cell, column.kind))


def _markdown_words(words: Words, *, kind: Kind = TEXT, begins_line: bool = False) -> str:
    """Return a phrase; what leads elsewhere in it can be followed."""
    if isinstance(words, str | Figure) or not any(isinstance(part, Link | Reference) for part in words):
        return for_markdown(in_words(words, kind), begins_line=begins_line)
    texts = [visible(in_words(part)) if isinstance(part, str | Figure) else "" for part in words]
    return "".join(
        _followed(part)
        if isinstance(part, Link | Reference)
        else for_markdown(
            text,
            is_inside=(place > 0 or not text[:1].isspace())
            and (place < len(words) - 1 or not text[-1:].isspace()),
            begins_line=begins_line and place == 0,
        ).replace("!", "\\!")  # a link after an exclamation mark would be a picture
        for place, (part, text) in enumerate(zip(words, texts, strict=True))
    )


def _followed(part: Link | Reference) -> str:
    target = for_address(part.target) if isinstance(part, Link) else f"#{part.to}"
    return f"[{for_markdown(part.name)}]({target})"


def _latex(block: Section | Table) -> str:
    if isinstance(block, Section):
        return f"% {for_latex_comment(block.heading)}"
    caption = f"% {for_latex_comment(block.titled)}\n" if block.titled else ""
    rows = [list(map(for_latex, cells(row, block.columns))) for row in block.rows]
    heads = [for_latex(column.head) for column in block.columns]
    return caption + _markup(block, heads, rows, "latex")


def _markup(block: Table, heads: Sequence[str], rows: Sequence[Sequence[str]], form: str) -> str:
    from combinat.render.markup_table import markup_table  # text and CSV do without

    return markup_table(heads, rows, [column.align for column in block.columns], form)
