"""Bead plates: files of winners only, as the letters P, B and T or as words, one shoe per line."""

import re
from collections.abc import Iterator
from itertools import islice

from combinat.audit.reading.notation import winner_named
from combinat.audit.reading.rows import RowBatch, RowFile, streamed
from combinat.audit.reading.source import MOST_LINE, Source, Stream
from combinat.base.errors import shortened

LETTERS = {"P": "player", "B": "banker", "T": "tie"}
_BREAK = re.compile(r"[ ,;|\t\r\n-]+")
LINES = 500
"""Lines that are read at once."""

BEAD_BYTES = 4096
"""The first bytes, by which a bead plate is recognized."""


def is_beads(begin: bytes) -> bool:
    r"""Return whether a file is a bead plate, by its first bytes.

    >>> is_beads(b"PBBTP\nBBP\n"), is_beads(b"P,B,T,P,B"), is_beads(b"P,B\n5 4,K 7\n"), is_beads(b"B\n")
    (True, True, False, False)
    >>> is_beads(b"Banker\nPlayer\nTie\nBanker\nBanker\n"), is_beads(b"Player,Banker\nKS 5H,9C 8S\n")
    (True, False)
    """
    *words, last = re.split(_BREAK, begin.decode("ascii", "replace"))
    winners = [winner for word in words for winner in _winners(word)]
    of_last = _winners(last)
    winners += [] if len(begin) >= BEAD_BYTES and None in of_last else of_last  # the last word may be cut off
    return len(winners) >= 5 and None not in winners


def _winners(word: str) -> list[str | None]:
    """Return the winners in a text, one word or several letters, or None for any other text."""
    whole = winner_named(word)
    return [whole] if whole else [LETTERS.get(letter) for letter in word.upper()]


def bead_file(source: Source) -> RowFile:
    """Return the letters of a bead plate as rows: one winner per row, one shoe per line."""
    names = ["winner", "shoe"]

    def batches(file: Stream) -> Iterator[RowBatch]:
        import polars

        number, lines = 1, iter(lambda: file.readline(MOST_LINE), b"")
        while batch := list(islice(lines, LINES)):
            winners, mistakes = list[tuple[str, str]](), list[tuple[int, str]]()
            for line in batch:
                for word in _BREAK.split(line.decode("ascii", "replace")):
                    named = _winners(word)
                    winners += [(winner, str(number)) for winner in named if winner]
                    if None in named:
                        mistakes.append((number, f'found "{shortened(word)}"; write P, B or T'))
                number += line.endswith(b"\n")
            frame = polars.DataFrame(winners, schema=dict.fromkeys(names, polars.String), orient="row")
            yield RowBatch(frame["shoe"].cast(polars.Int64).to_numpy(), frame, mistakes)

    return RowFile(
        source=source,
        head={},
        names=names,
        size=source.size,
        batches=streamed(source, batches),
        line_word="line",
    )
