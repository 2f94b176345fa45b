"""A workbook as bytes: its sheets by name, its formats, its checks, and a packing that is the same anywhere."""

import datetime
import io
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from combinat.errors import CombinatError
from combinat.render.escape import visible
from combinat.render.xlsx.styles import LIVE, STYLES


@dataclass(frozen=True, slots=True, kw_only=True)
class BookFront:
    """What the workbook is: its properties, and the line at the foot of every page."""

    title: str
    author: str
    comments: str
    created: datetime.date
    foot: str


class Book:
    """The workbook as it is filled: its sheets by name, its formats, and the checks counted so far."""

    def __init__(self, workbook: Any, names: Sequence[str], foot: str) -> None:
        self.workbook, self.foot = workbook, foot
        self.sheets: dict[str, Any] = {name: workbook.add_worksheet(name) for name in names}
        self.formats: dict[tuple[str, str, bool], Any] = {}
        self.check_ranges: dict[str, list[str]] = {}
        self.check_counts: dict[str, int] = {}

    def format(self, style: str, over: str = "text", *, live: bool = False) -> Any:
        """A style's format under its row's, made when first asked for; a cell with a formula is shaded."""
        if (style, over, live) not in self.formats:
            shade = LIVE if live else {}
            properties = {"valign": "vcenter", **STYLES[style], **STYLES[over], **shade}
            self.formats[style, over, live] = self.workbook.add_format(properties)
        return self.formats[style, over, live]


def book_bytes(front: BookFront, names: Sequence[str], fill: Callable[[Book], None]) -> bytes:
    """The workbook with these sheets, filled: a function of what is written, whatever the machine or the day."""
    try:
        import xlsxwriter  # type: ignore[import-untyped]  # it carries no types
    except ImportError:
        raise CombinatError("a workbook needs xlsxwriter: pip install 'combinat[report]'") from None
    written = io.BytesIO()
    with xlsxwriter.Workbook(written, {"in_memory": True}) as workbook:
        workbook.set_properties(
            {
                "title": visible(front.title),
                "author": visible(front.author),
                "comments": visible(front.comments),
                "created": datetime.datetime.combine(front.created, datetime.time()),
            }
        )
        fill(Book(workbook, names, front.foot))
    return _stored(written.getvalue())


def _stored(package: bytes) -> bytes:
    """The package uncompressed: what a compressor makes of it depends on the machine's zlib."""
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as parts, zipfile.ZipFile(written, "w") as stored:
        for name in parts.namelist():
            info = zipfile.ZipInfo(name)  # dated 1980, whatever the day
            info.create_system = 0
            stored.writestr(info, parts.read(name))
    return written.getvalue()
