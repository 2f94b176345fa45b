"""Documents in the written formats: text for a terminal, Markdown, CSV, LaTeX, JSON."""

import csv
import io
import json
import re
import textwrap
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any
from urllib.parse import quote

import tabulate

from combinat.render.blocks import (
    Block,
    Cell,
    Column,
    Figure,
    Link,
    Paragraph,
    Picture,
    Section,
    Table,
    Terms,
    cells,
    in_words,
    table,
    walk,
)
from combinat.render.escape import (
    for_csv,
    for_json,
    for_latex,
    for_latex_comment,
    for_markdown,
    for_text,
    visible,
)
from combinat.render.kinds import FRACTION, TEXT

tabulate.MIN_PADDING = 0  # a header takes no more room than its words
tabulate.WIDE_CHARS_MODE = False  # else a library that happens to be there would change the bytes of a report

WIDTH = 100
"""The columns of the terminal that text output fits."""


class Format(StrEnum):
    """The formats in which a table is printed."""

    TEXT = "text"
    MARKDOWN = "markdown"
    CSV = "csv"
    JSON = "json"
    LATEX = "latex"


_PROSE = 20
"""A column as wide as this may be wrapped."""

_ALIGN = {"l": "left", "r": "right"}


def rendered(blocks: Sequence[Block], form: Format) -> str:
    """Blocks in one of their written formats, without a newline at the end.

    CSV carries the tables alone; LaTeX has the headings as comments.
    """
    every = list(walk(blocks))
    if form is Format.CSV:
        return "\n\n".join(_csv(block) for _, block in every if isinstance(block, Table))
    if form is Format.LATEX:
        return "\n\n".join(_latex(block) for _, block in every if isinstance(block, Section | Table))
    one = _markdown if form is Format.MARKDOWN else _text
    return "\n\n".join(one(level, block) for level, block in every)


def as_json(payload: Mapping[str, Any]) -> str:
    """A JSON document as people read it."""
    return for_json(json.dumps(payload, indent=2, ensure_ascii=False))


def table_of(records: Sequence[Mapping[str, Any]]) -> Table:
    """Records as a table, a column for each key: what JSON says, for CSV."""
    columns = list(records[0]) if records else ["nothing to show"]

    def cell(value: Any) -> str:
        if isinstance(value, list):
            return " ".join(map(str, value))
        return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)

    def figure(text: str) -> Figure:
        return Figure(text, FRACTION if _NUMBER.fullmatch(text) else TEXT)

    return table(
        [Column(name) for name in columns],
        [[figure(cell(record[column])) for column in columns] for record in records],
    )


_NUMBER = re.compile(r"-?\d+(/\d+|\.\d+)?", re.ASCII)


def _text(level: int, block: Block) -> str:
    match block:
        case Section(title):
            heading = for_text(title)
            return heading if level > 2 else f"{heading}\n{('=' if level == 1 else '-') * len(heading)}"
        case Paragraph(words):
            return textwrap.fill(for_text(in_words(words)), WIDTH, break_on_hyphens=False)
        case Terms(said):
            lines = (for_text(f"{term}: {in_words(words)}") for term, words in said.items())
            return "\n".join(
                textwrap.fill(line, WIDTH, subsequent_indent="  ", break_on_hyphens=False) for line in lines
            )
        case Table():
            caption = f"{for_text(block.caption)}\n\n" if block.caption else ""
            rows = [list(map(for_text, cells(row, block.columns))) for row in block.rows]
            heads = [for_text(column.head) for column in block.columns]
            return caption + _laid_out(block, heads, rows, "simple", _widths(heads, rows))
        case Picture():
            return for_text(f"[{in_words(block.caption)}]")


def _markdown(level: int, block: Block) -> str:
    match block:
        case Section(title):
            return f"{'#' * level} {for_markdown(title)}"
        case Paragraph(words):
            return for_markdown(in_words(words), begins_line=True)
        case Terms(said):
            return "\n".join(
                f"- **{for_markdown(term)}:** {for_markdown(in_words(words))}" for term, words in said.items()
            )
        case Table():
            caption = f"{for_markdown(block.caption, begins_line=True)}\n\n" if block.caption else ""
            rows = [
                [_markdown_cell(cell, column) for cell, column in zip(row.cells, block.columns, strict=True)]
                for row in block.rows
            ]
            heads = [for_markdown(column.head) for column in block.columns]
            return caption + _laid_out(block, heads, rows, "pipe")
        case Picture():
            alt = for_markdown(in_words(block.alt))
            caption = for_markdown(in_words(block.caption), begins_line=True)
            return f"![{alt}](figures/{quote(block.name)}.svg)\n\n{caption}"


def _markdown_cell(cell: Cell, column: Column) -> str:
    if isinstance(cell, tuple) and any(isinstance(part, Link) for part in cell):
        return "".join(  # a link after an exclamation mark would be a picture
            f"[{for_markdown(part.name)}]({quote(part.target)})"
            if isinstance(part, Link)
            else for_markdown(in_words(part), is_inside=0 < place < len(cell) - 1).replace("!", "\\!")
            for place, part in enumerate(cell)
        )
    return for_markdown(in_words(cell, column.kind))


def _latex(block: Section | Table) -> str:
    if isinstance(block, Section):
        return f"% {for_latex_comment(block.title)}"
    caption = f"% {for_latex_comment(block.caption)}\n" if block.caption else ""
    rows = [list(map(for_latex, cells(row, block.columns))) for row in block.rows]
    return caption + _laid_out(block, [for_latex(column.head) for column in block.columns], rows, _BOOKTABS)


def _begin_tabular(widths: Sequence[int], aligns: Sequence[str]) -> str:
    return f"\\begin{{tabular}}{{{''.join(align[:1] for align in aligns)}}}\n\\toprule"


_BOOKTABS = tabulate.TableFormat(
    lineabove=_begin_tabular,
    linebelowheader=tabulate.Line("\\midrule", "", "", ""),
    linebetweenrows=None,
    linebelow=tabulate.Line("\\bottomrule\n\\end{tabular}", "", "", ""),
    headerrow=tabulate.DataRow("", "&", "\\\\"),
    datarow=tabulate.DataRow("", "&", "\\\\"),
    padding=1,
    with_header_hide=None,
)
"""The layout of tabulate's ``latex_booktabs``, whose escapes are not enough."""


def _widths(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    """The columns' widths, columns of prose narrowed until the table fits ``WIDTH``; their cells then wrap."""
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    gaps = 2 * (len(widths) - 1)
    while sum(widths) + gaps > WIDTH and max(widths) > _PROSE:
        widths[widths.index(max(widths))] -= 1
    return widths


def _laid_out(
    block: Table,
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    form: str | tabulate.TableFormat,
    widths: Sequence[int] | None = None,
) -> str:
    laid_out = tabulate.tabulate(
        rows,
        headers=list(heads),
        tablefmt=form,
        disable_numparse=True,
        colalign=[_ALIGN[column.align] for column in block.columns] if rows else None,
        maxcolwidths=list(widths) if widths else None,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(line.rstrip() for line in laid_out.splitlines())


def _csv(block: Table) -> str:
    """The table as CSV. A figure that does not exist is an empty cell; words cannot be taken for formulas."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow([for_csv(column.head) for column in block.columns])
    for row in block.rows:
        writer.writerow(
            [
                ""
                if cell is None or (isinstance(cell, Figure) and cell.value is None)
                else _csv_cell(cell, column)
                for cell, column in zip(row.cells, block.columns, strict=True)
            ]
        )
    return written.getvalue().rstrip("\n")


def _csv_cell(cell: Cell, column: Column) -> str:
    text = in_words(cell, column.kind)
    kind = cell.kind or column.kind if isinstance(cell, Figure) else column.kind
    return visible(text) if kind.is_number else for_csv(text)
