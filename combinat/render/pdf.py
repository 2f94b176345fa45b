"""A document as PDF, by typst: ``document.typ`` is the template and reads the document as JSON.

With a date it is PDF/A-2a and PDF/UA-1; without one it is PDF/UA-1 alone, since PDF/A requires a date. Equal bytes: the
date is given, and only typst's own fonts are used.
"""

import datetime
import json
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

from combinat.base.errors import CombinatError
from combinat.base.paper import Paper
from combinat.render.blocks import (
    Block,
    Cell,
    Contents,
    Meaning,
    Paragraph,
    Picture,
    Reference,
    Section,
    Table,
    Terms,
    Words,
    in_words,
    walk,
)
from combinat.render.charts.svg import svg
from combinat.render.escape import code_point, visible

TEMPLATE = Path(__file__).parent / "document.typ"
ARCHIVE: Final = "a-2a"
ACCESSIBLE: Final = "ua-1"
"""The kinds of PDF/A and of PDF/UA."""

PAPERS = {Paper.A4: "a4", Paper.LETTER: "us-letter"}
"""The sizes of paper, by typst's names for them."""

SHORT = 170
"""A table of at most this height, in points, stays on one page; a taller one would leave a gap before it."""

LONGEST_WORD = 34
"""A word with more letters may be broken anywhere, a number after its commas; a hash is not broken."""

LONGEST_SUBJECT = 80
"""The part of a subject that fits the head of a page."""

BREAK = "\u200b"
"""A place where a line may end; ``visible`` has left no such character in a text."""

SHOWN = "\xff"
"""The last of the characters that typst's fonts have without a gap."""

PUNCTUATION = "\u2013\u2014\u2018\u2019\u201c\u201d\u2022\u2026\u20ac\u2212\u2264\u2265"
"""Characters beyond it that they have too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Front:
    """The texts at the edges of every page, the date of the file, and its paper; ``is_one_page``: set more closely."""

    subject: str
    mark: str
    foot: str
    date: datetime.date | None = None
    paper: Paper = Paper.A4
    is_one_page: bool = False


def pdf(document: Section, front: Front) -> bytes:
    """Return the document as PDF.

    If typst's fonts lack a character of it, every character beyond Latin-1 is shown by its code point.
    """
    import typst

    try:
        return _compiled(document, front)
    except typst.TypstError:
        pass
    try:
        return _compiled(document, front, shows_code_points=True)
    except typst.TypstError as error:
        raise CombinatError(f"the PDF cannot be made ({error}); leave the PDF out") from None


def _compiled(document: Section, front: Front, *, shows_code_points: bool = False) -> bytes:
    import typst

    date = front.date
    stamp = None if date is None else datetime.datetime(date.year, date.month, date.day, tzinfo=datetime.UTC)
    with tempfile.TemporaryDirectory() as folder:
        for name, source in sources(document, front, shows_code_points=shows_code_points).items():
            (Path(folder) / name).write_text(source, encoding="utf-8")
        made = typst.compile(
            str(Path(folder) / TEMPLATE.name),
            root=folder,
            ignore_system_fonts=True,
            format="pdf",
            pdf_standards=[ACCESSIBLE] if stamp is None else [ARCHIVE, ACCESSIBLE],
            timestamp=None if stamp is None else int(stamp.timestamp()),
        )
        return _with_row_heads(bytes(made))


def sources(document: Section, front: Front, *, shows_code_points: bool = False) -> dict[str, str]:
    """Return the files that typst reads: the template, the document as JSON, and its pictures."""
    subject = visible(front.subject)
    date = front.date
    data = {
        "title": visible(document.title),
        "shown_title": _text(document.title),
        "date": None if date is None else [date.year, date.month, date.day],
        "paper": PAPERS[front.paper],
        "one_page": front.is_one_page,
        "short": SHORT,
        "subject": subject if len(subject) <= LONGEST_SUBJECT else f"{subject[: LONGEST_SUBJECT - 3]}...",
        "mark": visible(front.mark),
        "foot": visible(front.foot),
        "blocks": list(_blocks(document.blocks)),
    }
    pictures = [block for _, block in walk(document.blocks) if isinstance(block, Picture)]
    made = {"document.json": json.dumps(data, ensure_ascii=False, separators=(",", ":"))}
    made |= {f"{picture.name}.svg": svg(picture.drawing) for picture in pictures}
    if shows_code_points:
        made = {name: text.translate(_code_points(text)) for name, text in made.items()}
    return {TEMPLATE.name: TEMPLATE.read_text("utf-8"), **made}


def _code_points(text: str) -> Mapping[int, str]:
    """Return the characters of a text that a font may lack, each with its code point; for ``str.translate``."""
    strange = {letter for letter in text if letter > SHOWN} - {*PUNCTUATION, BREAK}
    return {ord(letter): code_point(letter) for letter in strange}


# ---------------------------------------------------------------- texts

_LONG = re.compile(rf"\S{{{LONGEST_WORD + 1},}}")
_HASH = re.compile(r"[0-9a-f]{64}[.,;:)]?")
_NUMBER = re.compile(r"[-+]?[\d,./]+")


def _text(text: str) -> str:
    """Return a text with the places where a line may end within its long words."""
    return _LONG.sub(lambda word: _broken(word[0]), visible(text))


def _broken(word: str) -> str:
    if _HASH.fullmatch(word):
        return word
    if _NUMBER.fullmatch(word) and ("," in word or "/" in word):
        return re.sub(r"([,/])", rf"\1{BREAK}", word)
    return BREAK.join(word)


def _phrase(words: Words | Cell, column: Any = None) -> Any:
    """Return a phrase or a cell: a text, or the list of its parts with references."""
    if isinstance(words, tuple | list) and any(isinstance(part, Reference) for part in words):
        return [
            {"to": part.to, "name": _text(part.name)}
            if isinstance(part, Reference)
            else _text(part if isinstance(part, str) else part.text())
            for part in words
        ]
    return _text(in_words(words) if column is None else in_words(words, column.kind))


# ---------------------------------------------------------------- blocks


def _blocks(blocks: Sequence[Block]) -> Iterator[dict[str, Any]]:
    for block, following in zip_longest(blocks, blocks[1:]):
        match block:
            case Section():
                yield {
                    "type": "section",
                    "heading": _text(block.heading),
                    "anchor": block.anchor,
                    "blocks": list(_blocks(block.blocks)),
                }
            case Paragraph(words):
                before_table = isinstance(following, Table | Picture)
                yield {"type": "paragraph", "words": _phrase(words), "before_table": before_table}
            case Terms(said, across):
                terms = [[_text(term), _phrase(words)] for term, words in said.items()]
                yield {"type": "terms", "terms": terms, "across": across}
            case Contents():
                yield {"type": "listing", "what": block.what}
            case Picture():
                yield _picture(block)
            case Table():
                yield _table(block, before_text=isinstance(following, Paragraph))


def _picture(picture: Picture) -> dict[str, Any]:
    box = _VIEW_BOX.search(svg(picture.drawing))
    return {
        "type": "picture",
        "file": f"{picture.name}.svg",
        "alt": visible(in_words(picture.alt)),
        "ratio": float(box[2]) / float(box[1]) if box else 1.0,
        **_titled(picture.label, picture.caption, picture.anchor),
    }


_VIEW_BOX = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')


def _table(table: Table, *, before_text: bool) -> dict[str, Any]:
    """Return a table; ``before_text``: a paragraph follows and stays with it."""
    meanings = {row.meaning for row in table.rows}
    return {
        "type": "table",
        "heads": [_text(column.head) for column in table.columns],
        "aligns": [column.align for column in table.columns],
        "rows": [
            {
                "meaning": row.meaning,
                "cells": [
                    _phrase(cell, column) for cell, column in zip(row.cells, table.columns, strict=True)
                ],
            }
            for row in table.rows
        ],
        "is_bold": bool(meanings & {Meaning.FAVOURS_PLAYER, Meaning.FAILED, Meaning.TOTAL}),
        "to_sign": Meaning.TO_SIGN in meanings,
        "titled": bool(table.titled),
        "before_text": before_text,
        **_titled(table.label, table.caption, table.anchor),
    }


def _titled(label: str, caption: Words, anchor: str) -> dict[str, Any]:
    return {"label": label, "caption": _phrase(caption), "anchor": anchor}


# ---------------------------------------------------------------- the heads of rows

# typst tags the heads of columns and has no way yet to tag those of rows. Its tags are plain objects of the file, so
# they are changed there, and the places of all objects are counted again. Each cell's own list of heads goes: a reader
# then finds the head of its column and that of its row by their scopes.

_CELL = re.compile(
    rb"(\d+ 0 obj\n<</Type/StructElem/S/)TD(/P \d+ 0 R/A\[)<</O/Table/Headers\[\(U\d+x(\d+)y\d+\)\]>>"
)
"""A cell of data as typst writes its tag: it names the head of its column."""

_ROW_HEAD = rb"<</O/Table/Scope/Row>>"
_PLACES = re.compile(rb"xref\n0 (\d+)\n((?:\d{10} \d{5} [nf]\r\n)+)trailer\n")
_START = re.compile(rb"startxref\n(\d+)\n%%EOF")


def _with_row_heads(pdf: bytes) -> bytes:
    """Return the same file, the first cell of every row a head of its row."""
    start = _START.search(pdf, len(pdf) - 64)
    places = _PLACES.match(pdf, int(start[1])) if start else None
    if places is None:  # a file that typst writes in another way keeps its tags
        return pdf
    at = {
        number: int(line[:10])
        for number, line in enumerate(places[2].split(b"\r\n")[:-1])
        if line[17:18] == b"n"
    }
    order = sorted(at, key=lambda number: at[number])
    ends = [at[number] for number in order[1:]] + [places.start()]
    parts = [pdf[: at[order[0]]]]
    length, moved = len(parts[0]), dict[int, int]()
    for number, end in zip(order, ends, strict=True):
        moved[number] = length
        parts.append(_CELL.sub(_tagged, pdf[at[number] : end], count=1))
        length += len(parts[-1])
    lines = (
        b"%010d 00000 n\r\n" % moved[number] if number in moved else b"0000000000 65535 f\r\n"
        for number in range(int(places[1]))
    )
    table = b"xref\n0 %s\n%strailer\n" % (places[1], b"".join(lines))
    tail = _START.sub(b"startxref\n%d\n%%%%EOF" % length, pdf[places.end() :])
    return b"".join(parts) + table + tail


def _tagged(cell: re.Match[bytes]) -> bytes:
    is_first = cell[3] == b"0"
    return cell[1] + (b"TH" if is_first else b"TD") + cell[2] + (_ROW_HEAD if is_first else b"")
