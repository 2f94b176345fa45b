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
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    aligns: Sequence[str],
    widths: Sequence[int],
    gap: str = GAP,
) -> str:
    """The table; ``aligns``: ``l`` or ``r`` for each column; ``widths``: from where on its head and cells wrap.

    >>> print(text_table(["bet", "pays"], [["player", "1"], ["tie bet", "8"]], "lr", [6, 4]))
    bet     pays
    ------  ----
    player     1
    tie        8
    bet
    """
    wrapped = [[_lines(cell, width) for cell, width in zip(row, widths, strict=True)] for row in rows]
    titles = [_lines(head, width) for head, width in zip(heads, widths, strict=True)]
    broad = [
        max(len(line) for cell in (titles[number], *(row[number] for row in wrapped)) for line in cell)
        for number in range(len(heads))
    ]
    deep = max(map(len, titles), default=0)
    stood = [[""] * (deep - len(title)) + title for title in titles]  # on the line under them
    lines = [
        _line(line, aligns if rows else "l" * len(heads), broad, gap) for line in zip(*stood, strict=True)
    ]
    lines.append(gap.join("-" * width for width in broad))
    for row in wrapped:
        lines += [_line(cells, aligns, broad, gap) for cells in zip_longest(*row, fillvalue="")]
    return "\n".join(lines)


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
