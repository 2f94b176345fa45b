"""A table as a terminal shows it: columns side by side under their heads, long words wrapped.

The layout is tabulate's ``simple``; the tests compare the two. It is written here because tabulate takes longer to
load than all figures of a game take to count.
"""

import textwrap
from collections.abc import Sequence
from itertools import zip_longest

GAP, NARROW_GAP = "  ", " "
"""Between two columns; the narrow one where a terminal has no room for the other."""

PROSE = 20
"""The width down to which a column of words is narrowed before anything else."""


def fits(widths: Sequence[int], most: int, gap: str = GAP) -> bool:
    """Whether columns of these widths fit side by side."""
    return sum(widths) + len(gap) * (len(widths) - 1) <= most


def natural_widths(
    heads: Sequence[str], rows: Sequence[Sequence[str]], *, wraps_heads: bool = False
) -> list[int]:
    """The widths of columns whose cells do not wrap; ``wraps_heads``: their heads do, between words."""
    columns = list(zip(*rows, strict=True)) or [()] * len(heads)
    return [
        max(map(len, (*(head.split(" ") if wraps_heads else [head]), *column)))
        for head, column in zip(heads, columns, strict=True)
    ]


def narrowed(
    widths: Sequence[int],
    rows: Sequence[Sequence[str]],
    aligns: Sequence[str],
    most: int,
    gap: str = GAP,
    least: int = PROSE,
) -> list[int]:
    """The widths with columns of words narrowed until all fit, none below ``least`` or its longest word."""
    columns = list(zip(*rows, strict=True)) or [()] * len(widths)
    floors = [
        max(least, *map(len, " ".join(column).split(" "))) if align == "l" else width
        for column, align, width in zip(columns, aligns, widths, strict=True)
    ]
    made = list(widths)
    while not fits(made, most, gap):
        over = [at for at, floor in enumerate(floors) if made[at] > floor]
        if not over:
            break
        made[max(over, key=lambda at: (made[at], -at))] -= 1
    return made


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
