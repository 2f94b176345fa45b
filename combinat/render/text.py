"""Documents in the written formats; text is drawn here.

The layout of a table is tabulate's ``simple``; the tests compare the two. It is written here because tabulate takes
longer to load than all figures of a game take to count.
"""

import textwrap
from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import zip_longest
from typing import Any

from combinat.render.blocks import (
    Block,
    Contents,
    Meaning,
    Paragraph,
    Picture,
    Section,
    Table,
    Terms,
    cells,
    each_table,
    in_words,
    walk,
)
from combinat.render.escape import for_json, for_text
from combinat.render.table_options import csv_tables, table_options, with_options


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
    if form is not Format.TEXT:
        from combinat.render.markup import latex, markdown  # tabulate takes long to load

        if form is Format.MARKDOWN:
            return "\n\n".join(markdown(level, block) for level, block in every)
        return "\n\n".join(latex(block) for _, block in every if isinstance(block, Section | Table))
    return "\n\n".join(_text(level, block) for level, block in every)


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


# ---------------------------------------------------------------- tables of a terminal

GAPS = "  ", " "
"""The space between two columns, and where there is no room for it."""


def text_table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], aligns: Sequence[str], width: int, least: int = 1
) -> list[list[str]]:
    r"""Return the lines of the head, then of each row; ``aligns``: ``l`` or ``r`` for each column.

    ``width``: columns of words wrap to fit it, none narrower than ``least`` or its longest word.

    >>> for lines in text_table(["bet", "pays"], [["player", "1"], ["tie bet", "8"]], "lr", 11):
    ...     print(*lines, sep="\n")
    bet    pays
    ------ ----
    player    1
    tie       8
    bet
    """
    gap, widths = _widths(heads, rows, aligns, width, least)
    wrapped = [[_lines(cell, most) for cell, most in zip(row, widths, strict=True)] for row in rows]
    titles = [_lines(head, most) for head, most in zip(heads, widths, strict=True)]
    broad = [
        max(len(line) for cell in (title, *(row[place] for row in wrapped)) for line in cell)
        for place, title in enumerate(titles)
    ]
    deep = max(map(len, titles), default=0)
    stood = [[""] * (deep - len(title)) + title for title in titles]  # on the line under them
    aligned = aligns if rows else "l" * len(heads)
    head = [_line(line, aligned, broad, gap) for line in zip(*stood, strict=True)]
    head.append(gap.join("-" * most for most in broad))
    return [
        head,
        *([_line(cells, aligns, broad, gap) for cells in zip_longest(*row, fillvalue="")] for row in wrapped),
    ]


def _widths(
    heads: Sequence[str], rows: Sequence[Sequence[str]], aligns: Sequence[str], width: int, least: int
) -> tuple[str, list[int]]:
    """Return the gap and the width of each column: heads wrap first, then words, the widest column first."""
    columns = list(zip(*rows, strict=True)) or [()] * len(heads)
    cells = [max(map(len, column), default=0) for column in columns]
    widths = [max(len(head), cell) for head, cell in zip(heads, cells, strict=True)]
    if sum(widths) + len(GAPS[0]) * (len(widths) - 1) <= width:
        return GAPS[0], widths
    words = [max(map(len, head.split(" "))) for head in heads]
    widths = [max(word, cell) for word, cell in zip(words, cells, strict=True)]
    floors = [
        max(word, min(most, least), *map(len, " ".join(column).split(" "))) if align == "l" else most
        for word, column, align, most in zip(words, columns, aligns, widths, strict=True)
    ]
    for gap in GAPS if least > 1 else GAPS[1:]:  # words in shreds cost more than a narrow gap
        made = list(widths)
        while (over := sum(made) + len(gap) * (len(made) - 1) > width) and made != floors:
            wide = [place for place, floor in enumerate(floors) if made[place] > floor]
            made[max(wide, key=lambda place: (made[place], -place))] -= 1
        if not over:
            break
    return gap, made


def _lines(cell: str, width: int) -> list[str]:
    if len(cell) <= width:
        return [cell.strip()]
    wrapper = textwrap.TextWrapper(width, break_long_words=False, break_on_hyphens=False)
    return [line.strip() for line in wrapper.wrap(cell)] or [""]


def _line(cells: Sequence[str], aligns: Sequence[str], widths: Sequence[int], gap: str) -> str:
    placed = (
        cell.rjust(width) if align == "r" else cell.ljust(width)
        for cell, align, width in zip(cells, aligns, widths, strict=True)
    )
    return gap.join(placed).rstrip()
