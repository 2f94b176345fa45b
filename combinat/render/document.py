"""A document: headings, paragraphs and tables, and their forms as text, Markdown, CSV and LaTeX.

Cells are text already: a number is rounded where it is computed for show, never here.
"""

import csv
import io
import json
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import tabulate

tabulate.MIN_PADDING = 0  # a header takes no more room than its words

WIDTH = 100
"""The columns of the terminal that text output fits."""


class Format(StrEnum):
    """The formats in which a table is printed."""

    TEXT = "text"
    MARKDOWN = "markdown"
    CSV = "csv"
    JSON = "json"
    LATEX = "latex"


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; level 1 is the document's own."""

    text: str
    level: int = 2


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph."""

    text: str


@dataclass(frozen=True, slots=True)
class Terms:
    """Words, each with what is said of it."""

    said: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table: column names, an alignment letter for each (``l``, ``r`` or ``c``), rows of text."""

    columns: Sequence[str]
    align: str
    rows: Sequence[Sequence[str]]
    caption: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A picture as SVG, with the words that stand for it where it cannot be seen."""

    name: str
    svg: str
    alt: str
    caption: str


Block = Heading | Paragraph | Terms | Table | Figure
_PROSE = 20
"""A column as wide as this may be wrapped."""

_ALIGN = {"l": "left", "r": "right", "c": "center"}


def rendered(blocks: Sequence[Block], form: Format) -> str:
    """The document in one of its written formats, without a newline at its end.

    CSV carries the tables alone; LaTeX has the headings as comments.
    """
    if form is Format.CSV:
        return "\n\n".join(_csv(block) for block in blocks if isinstance(block, Table))
    if form is Format.LATEX:
        return "\n\n".join(_latex(block) for block in blocks if isinstance(block, Heading | Table))
    one = _markdown if form is Format.MARKDOWN else _text
    return "\n\n".join(one(block) for block in blocks)


def table_of(records: Sequence[Mapping[str, Any]]) -> Table:
    """Records as a table, a column for each key: what JSON says, for CSV."""
    columns = list(records[0]) if records else ["nothing to show"]

    def cell(value: Any) -> str:
        if isinstance(value, list):
            return " ".join(map(str, value))
        return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)

    rows = [[cell(record[column]) for column in columns] for record in records]
    return Table(columns=columns, align="l" * len(columns), rows=rows)


def as_json(payload: dict[str, Any]) -> str:
    """A JSON document as people read it."""
    return json.dumps(payload, indent=2, ensure_ascii=False)


def _text(block: Block) -> str:
    match block:
        case Heading(text, level):
            return text if level > 2 else f"{text}\n{('=' if level == 1 else '-') * len(text)}"
        case Paragraph(text):
            return textwrap.fill(text, WIDTH, break_on_hyphens=False)
        case Terms(said):
            lines = (f"{term}: {text}" for term, text in said.items())
            return "\n".join(
                textwrap.fill(line, WIDTH, subsequent_indent="  ", break_on_hyphens=False) for line in lines
            )
        case Table():
            caption = f"{block.caption}\n\n" if block.caption else ""
            return caption + _laid_out(block, "simple", _widths(block))
        case Figure():
            return f"[{block.caption}]"


def _markdown(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"{'#' * level} {text}"
        case Paragraph(text):
            return text
        case Terms(said):
            return "\n".join(f"- **{term}:** {text.replace('<', '&lt;')}" for term, text in said.items())
        case Table():
            caption = f"{block.caption}\n\n" if block.caption else ""
            return caption + _laid_out(block, "pipe")
        case Figure():
            return f"![{block.alt}](figures/{block.name}.svg)\n\n{block.caption}"


def _latex(block: Heading | Table) -> str:
    if isinstance(block, Heading):
        return f"% {block.text}"
    caption = f"% {block.caption}\n" if block.caption else ""
    return caption + _laid_out(block, "latex_booktabs")


def _widths(table: Table) -> list[int]:
    """The columns' widths, columns of prose narrowed until the table fits ``WIDTH``; their cells then wrap."""
    widths = [max(map(len, column)) for column in zip(table.columns, *table.rows, strict=True)]
    gaps = 2 * (len(widths) - 1)
    while sum(widths) + gaps > WIDTH and max(widths) > _PROSE:
        widths[widths.index(max(widths))] -= 1
    return widths


def _laid_out(table: Table, form: str, widths: Sequence[int] | None = None) -> str:
    laid_out = tabulate.tabulate(
        table.rows,
        headers=list(table.columns),
        tablefmt=form,
        disable_numparse=True,
        colalign=[_ALIGN[letter] for letter in table.align] if table.rows else None,
        maxcolwidths=list(widths) if widths else None,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(line.rstrip() for line in laid_out.splitlines())


def _csv(table: Table) -> str:
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows(table.rows)
    return written.getvalue().rstrip("\n")
