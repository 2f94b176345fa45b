"""A table as a terminal shows it: columns side by side under their heads, long words wrapped.

The layout is tabulate's ``simple``, which the tests hold it equal to. It is written out here because tabulate
takes longer to load than all the figures of a game take to count.
"""

import textwrap
from collections.abc import Sequence
from itertools import zip_longest

GAP = "  "
"""What stands between two columns."""


def text_table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], aligns: Sequence[str], widths: Sequence[int]
) -> str:
    """The table; ``aligns``: ``l`` or ``r`` for each column; ``widths``: from where on its cells wrap.

    >>> print(text_table(["bet", "pays"], [["player", "1"], ["tie bet", "8"]], "lr", [6, 4]))
    bet     pays
    ------  ----
    player     1
    tie        8
    bet
    """
    wrapped = [[_lines(cell, width) for cell, width in zip(row, widths, strict=True)] for row in rows]
    broad = [
        max(len(head), *(len(line) for row in wrapped for line in row[number])) if wrapped else len(head)
        for number, head in enumerate(heads)
    ]
    lines = [_line(heads, aligns if rows else "l" * len(heads), broad)]
    lines.append(GAP.join("-" * width for width in broad))
    for row in wrapped:
        lines += [_line(cells, aligns, broad) for cells in zip_longest(*row, fillvalue="")]
    return "\n".join(lines)


def _lines(cell: str, width: int) -> list[str]:
    if len(cell) <= width:
        return [cell.strip()]
    wrapper = textwrap.TextWrapper(width, break_long_words=False, break_on_hyphens=False)
    return [line.strip() for line in wrapper.wrap(cell)] or [""]


def _line(cells: Sequence[str], aligns: Sequence[str], widths: Sequence[int]) -> str:
    placed = (
        cell.rjust(width) if align == "r" else cell.ljust(width)
        for cell, align, width in zip(cells, aligns, widths, strict=True)
    )
    return GAP.join(placed).rstrip()
