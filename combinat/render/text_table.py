"""A table as a terminal shows it: columns side by side under their heads, long words wrapped.

The layout is tabulate's ``simple``; the tests compare the two. It is written here because tabulate takes longer to
load than all figures of a game take to count.
"""

import textwrap
from collections.abc import Sequence
from itertools import zip_longest

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
