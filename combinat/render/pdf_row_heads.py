"""The heads of rows in a PDF: the first cell of every row is tagged as the head of its row.

typst tags the heads of columns and has no way yet to tag those of rows. Its tags are plain objects of the file, so
they are changed there, and the places of all objects are counted again. Each cell's own list of heads goes: a reader
then finds the head of its column and that of its row by their scopes.
"""

import re

_CELL = re.compile(
    rb"(\d+ 0 obj\n<</Type/StructElem/S/)TD(/P \d+ 0 R/A\[)<</O/Table/Headers\[\(U\d+x(\d+)y\d+\)\]>>"
)
"""A cell of data as typst writes its tag: it names the head of its column."""

_ROW_HEAD = rb"<</O/Table/Scope/Row>>"
_PLACES = re.compile(rb"xref\n0 (\d+)\n((?:\d{10} \d{5} [nf]\r\n)+)trailer\n")
_START = re.compile(rb"startxref\n(\d+)\n%%EOF")


def with_row_heads(pdf: bytes) -> bytes:
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
