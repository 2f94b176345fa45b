"""The columns of a table on a printed page: how wide each is, and how large the letters are."""

from collections.abc import Sequence
from typing import NamedTuple

from combinat.render.letters import LATIN

PROSE = 34
"""A term with more letters than this is prose and wraps; a word of a column has at least this many."""

WIDEST = 15
"""A column that is wider than this, in sizes of its letters, is prose and wraps."""

MOST_PROSE = 60
"""How much of a line a column of prose asks for at most, against others of its kind."""

MOST_WORD = 34
"""A word that is wider than this, in sizes of its letters, may be broken: a hash is not."""

BODY = 9
"""The size of the letters of a table, unless it is too wide for that."""

SMALLEST = 0.5
"""The smallest size of letters: a table of very many columns fits the line all the same."""

INSET = 6.5
"""The points that a column takes beside its letters."""

APART = 7
"""The points that a column of words stands off from numbers before it."""

BOLD = 1.08
"""How much wider bold letters are."""


class Layout(NamedTuple):
    """The size of the letters, the columns as typst has them, and how long a word may be in each."""

    size: float
    columns: list[str]
    longest: list[int]


def laid_out(
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    width: float,
    apart: Sequence[bool],
    *,
    is_to_sign: bool,
) -> Layout:
    """Columns that share a line: prose wraps, heads wrap, and the letters shrink only if the rest does not fit.

    ``apart``: which columns stand off from the one before; ``is_to_sign``: columns in which nothing stands yet share
    what is left of the line.
    """
    said = list(zip(*rows, strict=True)) or [()] * len(heads)
    needed = [
        max(1.0, *(em(cell) for cell in column), *(BOLD * em(word) for word in ("", *head.split())))
        for head, column in zip(heads, said, strict=True)
    ]
    room = width - INSET * len(heads) - APART * sum(apart)
    widest = WIDEST if sum(needed) * BODY > room else max(needed)  # where all of it fits, nothing need wrap
    prose = [
        one > widest or (is_to_sign and not any(column)) for one, column in zip(needed, said, strict=True)
    ]
    letters = sum(min(one, widest) for one in needed)
    size = max(SMALLEST, min(BODY, room / letters))
    taken = sum(one for one, wide in zip(needed, prose, strict=True) if not wide)
    left = room / size - taken
    words = [_word(column) if wide else 0.0 for column, wide in zip(said, prose, strict=True)]
    whole = [  # a column of one long word, such as a hash, has room for it where the others still have some
        word > WIDEST and left - word >= WIDEST * (sum(prose) - 1) for word in words
    ]
    if sum(whole) > 1:
        whole = [False] * len(whole)
    left -= sum(word for word, kept in zip(words, whole, strict=True) if kept)
    each = max(PROSE, int(left / max(1, sum(prose) - sum(whole)) / em("n")))
    spare = 0 if any(prose) else room / size - letters
    wanted = [max(0.0, BOLD * em(head) - one) for head, one in zip(heads, needed, strict=True)]
    share = min(1.0, spare / sum(wanted)) if sum(wanted) else 0.0
    columns = [
        f"{min(max(one, WIDEST), MOST_PROSE):.0f}fr"
        if wide and not kept
        else f"{(word if kept else one + share * more) * size + INSET + APART * off:.1f}pt"
        for one, more, wide, off, word, kept in zip(needed, wanted, prose, apart, words, whole, strict=True)
    ]
    return Layout(size, columns, [2 * PROSE if kept else each for kept in whole])


def _word(column: Sequence[str]) -> float:
    """How wide the widest word of a column is, of those that are not broken."""
    return max(
        (wide for cell in column for word in cell.split() if (wide := em(word)) <= MOST_WORD), default=0.0
    )


def em(text: str) -> float:
    """How wide a text is, of the size of its letters: roughly, and rather too wide."""
    return sum(
        _EM.get(letter, 0.72 if letter.isupper() else 0.5 if letter <= LATIN else 1.1) for letter in text
    )


_EM = {
    **dict.fromkeys("ijl.,;:'|!()[]- /", 0.32),
    **dict.fromkeys("0123456789", 0.48),
    **dict.fromkeys("mwMW%@", 0.88),
    "\u200b": 0.0,
}
"""Letters that are narrower or wider than most."""
