"""A workbook as bytes: its sheets by name, its formats, and a packing that is the same anywhere."""

import datetime
import io
import re
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from combinat.base.paper import Paper
from combinat.render.escape import visible
from combinat.render.xlsx.styles import LIVE, STYLES


@dataclass(frozen=True, slots=True, kw_only=True)
class BookFront:
    """What the workbook is: its properties, the line at the foot of every page, and the paper.

    ``created``: the date that its maker gives it; None: it has none, and its properties show none.
    """

    title: str
    author: str
    comments: str
    foot: str
    created: datetime.date | None = None
    paper: Paper = Paper.A4


class Book:
    """The workbook as it is filled: its sheets by name, and its formats."""

    def __init__(self, workbook: Any, names: Sequence[str], front: BookFront) -> None:
        self.workbook, self.foot, self.paper = workbook, front.foot, front.paper
        self.sheets: dict[str, Any] = {name: workbook.add_worksheet(name) for name in names}
        self.formats: dict[tuple[str, str, bool], Any] = {}

    def format(self, style: str, over: str = "text", *, live: bool = False) -> Any:
        """A style's format under its row's, made when first asked for; a cell with a formula is shaded."""
        if (style, over, live) not in self.formats:
            properties = {"valign": "vcenter", **STYLES[style], **STYLES[over]}
            if live:
                properties |= LIVE
                if (
                    properties.get("num_format") == "@"
                ):  # a program may take a formula in a text cell for text
                    del properties["num_format"]
            self.formats[style, over, live] = self.workbook.add_format(properties)
        return self.formats[style, over, live]


def book_bytes(front: BookFront, names: Sequence[str], fill: Callable[[Book], None]) -> bytes:
    """The workbook with these sheets, filled: a function of what is written, whatever the machine or the day."""
    import xlsxwriter  # type: ignore[import-untyped]  # it carries no types

    written = io.BytesIO()
    with xlsxwriter.Workbook(written, {"in_memory": True}) as workbook:
        workbook.set_properties(
            {
                "title": visible(front.title),
                "author": visible(front.author),
                "comments": visible(front.comments),
                "created": datetime.datetime.combine(front.created or _NO_DATE, datetime.time()),
            }
        )
        fill(Book(workbook, names, front))
    return _stored(written.getvalue(), dated=front.created is not None)


_NO_DATE = datetime.date(1980, 1, 1)
"""What the library is given where there is no date; it is taken out again."""

_PROPERTIES = "docProps/core.xml"
_DATES = re.compile(rb"<dcterms:(created|modified)[^>]*>[^<]*</dcterms:\1>")


def _stored(package: bytes, *, dated: bool) -> bytes:
    """The package uncompressed: what a compressor makes of it depends on the machine's zlib.

    The library dates every workbook; from one that has no date the dates are taken out.
    """
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as parts, zipfile.ZipFile(written, "w") as stored:
        for name in parts.namelist():
            info = zipfile.ZipInfo(name)  # dated 1980, whatever the day
            info.create_system = 0
            content = parts.read(name)
            stored.writestr(info, content if dated or name != _PROPERTIES else _DATES.sub(b"", content))
    return written.getvalue()
