"""A table that fits the width of a terminal: its heads wrapped, closer together, its words wrapped, folded.

Nothing is cut and nothing is left out: what has no room beside the rest stands below it, after the columns that
tell the rows apart.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from combinat.render.text_table import GAP, text_table

_PROSE = 20
"""A column as wide as this may be wrapped."""

CLOSE = " "
"""What stands between two columns where two spaces are too many."""

_GLUE = "\u00a0"  # by its number: names of letters are slow to look up
"""What holds a per cent sign to its word, and the cards of a hand; no text that is printed has one."""

_CARD = "(?:10|[2-9AJQK])"
_HAND = re.compile(rf"(?<![^\s(])(?:[A-Z][a-z]+ )?{_CARD}(?: {_CARD}){{1,2}}(?![^\s,;:.)])")
"""The cards of a hand and whose they are, which stay together."""

_MOST_KEYS = 4
"""How many of the first columns may tell the rows apart."""

Texts = Sequence[str]


def fits(widths: Sequence[int], most: int, gap: str = GAP) -> bool:
    """Whether columns of these widths have room side by side."""
    return sum(widths) + len(gap) * (len(widths) - 1) <= most


def fitted(heads: Texts, rows: Sequence[Texts], aligns: Texts, most: int) -> list[int]:
    """The columns' widths, narrowed until the table fits; their cells then wrap.

    First columns of prose, then, if that makes it fit, any column of words; none below its head or its longest
    word, so that the table may still be wider.
    """
    columns = list(zip(*rows, strict=True)) or [()] * len(heads)
    widths = [max(map(len, (head, *column))) for head, column in zip(heads, columns, strict=True)]
    longest = [
        max(len(word) for word in (head, *" ".join(column).split(" ")))
        for head, column in zip(heads, columns, strict=True)
    ]
    first = _narrowed(widths, [max(least, _PROSE) for least in longest], most)
    least_of_words = [
        least if align == "l" else width for least, width, align in zip(longest, first, aligns, strict=True)
    ]
    second = _narrowed(first, least_of_words, most)
    return second if fits(second, most) else first


def has_room(heads: Texts, rows: Sequence[Texts], aligns: Texts, most: int) -> bool:
    """Whether the table has room in one piece with no cell broken into lines."""
    return _Band(heads, [list(map(_glued, row)) for row in rows], aligns, most).has_room_unwrapped


def folded(heads: Texts, rows: Sequence[Texts], aligns: Texts, most: int) -> str:
    """The table in at most so many columns of letters: in one piece if it can be, else in bands below each other."""
    rows = [list(map(_glued, row)) for row in rows]
    whole = _Band(heads, rows, aligns, most)
    keys = list(range(_keys(rows, len(heads))))
    if whole.has_room and not whole.tears_keys(keys):
        return whole.text
    bands: list[list[int]] = [[]]
    for number in range(len(keys), len(heads)):
        if bands[-1] and not whole.of([*keys, *bands[-1], number]).has_room_unwrapped:
            bands.append([])
        bands[-1].append(number)
    even = _even([number for band in bands for number in band], len(bands))
    if all(whole.of([*keys, *band]).has_room_unwrapped for band in even):
        bands = even
    elif whole.has_room:
        return whole.text
    return "\n\n".join(whole.of([*keys, *band]).text for band in bands)


def _glued(cell: str) -> str:
    """A cell in which the cards of a hand cannot be torn apart."""
    return _HAND.sub(lambda hand: hand[0].replace(" ", _GLUE), cell)


def _even(columns: Sequence[int], bands: int) -> list[list[int]]:
    """The columns in so many bands, as many in each as in the others."""
    deep, more = divmod(len(columns), bands)
    starts = [number * deep + min(number, more) for number in range(bands + 1)]
    return [list(columns[start:end]) for start, end in pairwise(starts)]


class _Band:
    """Some columns of a table, and how they are laid out."""

    def __init__(self, heads: Texts, rows: Sequence[Texts], aligns: Texts, most: int) -> None:
        self.heads, self.rows, self.aligns, self.most = heads, rows, aligns, most
        layouts = list(self._layouts())
        fitting = [one for one in layouts if fits(one[1], most, one[2])] or layouts[-1:]
        self.layout = next((one for one in fitting if not self._tears(one[1])), fitting[0])

    def tears_keys(self, keys: Sequence[int]) -> bool:
        """Whether what tells most rows apart is broken into lines, in a table that has no prose beside it."""
        _, widths, _ = self.layout
        others = (row[number] for row in self.rows for number in range(len(widths)) if number not in keys)
        torn = [row for row in self.rows if any(len(row[number]) > widths[number] for number in keys)]
        return 2 * len(torn) > len(self.rows) and all(len(cell) < _PROSE for cell in others)

    def _tears(self, widths: Sequence[int]) -> bool:
        """Whether a cell of a few words is broken into lines, where columns closer together would spare it."""
        cells = ((cell, width) for row in self.rows for cell, width in zip(row, widths, strict=True))
        return any(width < len(cell) < _PROSE for cell, width in cells)

    @property
    def has_room(self) -> bool:
        """Whether it is as narrow as it must be."""
        _, widths, gap = self.layout
        return fits(widths, self.most, gap)

    @property
    def has_room_unwrapped(self) -> bool:
        """Whether it is so with no cell wrapped."""
        _, widths, gap = self.layout
        cells = ((cell, width) for row in self.rows for cell, width in zip(row, widths, strict=True))
        return fits(widths, self.most, gap) and all(len(cell) <= width for cell, width in cells)

    @property
    def text(self) -> str:
        """The columns as they are printed."""
        heads, widths, gap = self.layout
        return text_table(heads, self.rows, self.aligns, widths, gap).replace(_GLUE, " ")

    def of(self, columns: Sequence[int]) -> "_Band":
        """Some of its columns."""
        rows = [[row[number] for number in columns] for row in self.rows]
        heads, aligns = ([texts[number] for number in columns] for texts in (self.heads, self.aligns))
        return _Band(heads, rows, aligns, self.most)

    def _layouts(self) -> Iterator[tuple[Texts, list[int], str]]:
        """Heads, widths and gaps, from the best to the narrowest; a number is never broken."""
        columns = list(zip(*self.rows, strict=True)) or [()] * len(self.heads)
        glued = [head.replace(" %", f"{_GLUE}%") for head in self.heads]
        wide = [max(map(len, (head, *column))) for head, column in zip(self.heads, columns, strict=True)]
        whole, broken = (
            [max(map(len, (*head.split(" "), *column))) for head, column in zip(heads, columns, strict=True)]
            for heads in (glued, self.heads)
        )
        yield glued, _narrowed(wide, whole, self.most), GAP
        words = fitted(self.heads, self.rows, self.aligns, self.most)
        yield self.heads, words, GAP
        yield glued, whole, CLOSE
        yield self.heads, broken, CLOSE
        least = [
            max(map(len, (*head.split(" "), *(" ".join(column).split(" ") if align == "l" else column))))
            for head, column, align in zip(self.heads, columns, self.aligns, strict=True)
        ]
        yield self.heads, _narrowed(words, least, self.most), GAP
        yield self.heads, _narrowed(broken, least, self.most, CLOSE), CLOSE


def _keys(rows: Sequence[Texts], columns: int) -> int:
    """How many of the first columns tell the rows apart; one, where four do not."""
    for keys in range(1, min(_MOST_KEYS, columns - 1) + 1):
        if len({tuple(row[:keys]) for row in rows}) == len(rows):
            return keys
    return 1


def _narrowed(widths: Sequence[int], floors: Sequence[int], most: int, gap: str = GAP) -> list[int]:
    """Widths, the largest of those above their floor taken down one by one until they fit."""
    narrowed = list(widths)
    spare = [number for number, floor in enumerate(floors) if narrowed[number] > floor]
    while spare and not fits(narrowed, most, gap):
        narrowed[max(spare, key=lambda number: (narrowed[number], -number))] -= 1
        spare = [number for number in spare if narrowed[number] > floors[number]]
    return narrowed
