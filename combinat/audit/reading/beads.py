"""A bead plate: nothing but the letters P, B and T, or words for them, a shoe a line."""

import re
from collections.abc import Iterator
from itertools import islice

import numpy as np

from combinat.audit.reading.notation import winner_named
from combinat.audit.reading.rows import RowBatch, RowFile, streamed
from combinat.audit.reading.source import MOST_LINE, Source, Stream
from combinat.base.errors import shortened

LETTERS = {"P": "player", "B": "banker", "T": "tie"}
_BREAK = re.compile(r"[ ,;|\t\r\n-]+")
LINES = 500
"""Lines that are read at once."""

FIRST_BYTES = 4096
"""The first bytes, by which a bead plate is recognized."""


def is_beads(begin: bytes) -> bool:
    r"""Whether a file is nothing but winners, as a bead plate has them: the letters P, B and T, or words.

    >>> is_beads(b"PBBTP\nBBP\n"), is_beads(b"P,B,T,P,B"), is_beads(b"P,B\n5 4,K 7\n"), is_beads(b"B\n")
    (True, True, False, False)
    >>> is_beads(b"Banker\nPlayer\nTie\nBanker\nBanker\n"), is_beads(b"Player,Banker\nKS 5H,9C 8S\n")
    (True, False)
    """
    *words, last = re.split(_BREAK, begin.decode("ascii", "replace"))
    winners = [winner for word in words for winner in _winners(word)]
    of_last = _winners(last)
    winners += [] if len(begin) >= FIRST_BYTES and None in of_last else of_last  # it may be half a word
    return len(winners) >= 5 and None not in winners


def _winners(word: str) -> list[str | None]:
    """The winners that a word names: one by its word, or many by letters; None for anything else."""
    whole = winner_named(word)
    return [whole] if whole else [LETTERS.get(letter) for letter in word.upper()]


def bead_plate(source: Source) -> RowFile:
    """The letters of a bead plate as rows: a winner each, and a shoe a line."""

    def batches(file: Stream) -> Iterator[RowBatch]:
        import polars

        number, lines = 1, iter(lambda: file.readline(MOST_LINE), b"")
        while some := list(islice(lines, LINES)):
            words = list[tuple[int, str, list[str | None]]]()
            for line in some:
                texts = _BREAK.split(line.decode("ascii", "replace"))
                words += [(number, text, _winners(text)) for text in texts]
                number += line.endswith(b"\n")
            bad = [
                (number, f'found "{shortened(word)}"; write P, B or T')
                for number, word, winners in words
                if None in winners
            ]
            good = [(number, winner) for number, _, winners in words for winner in winners if winner]
            frame = polars.DataFrame(
                {"winner": [winner for _, winner in good], "shoe": [str(number) for number, _ in good]},
                schema={"winner": polars.String, "shoe": polars.String},
            )
            yield RowBatch(np.array([number for number, _ in good], dtype=np.int64), frame, bad)

    return RowFile(
        source=source,
        head={},
        names=["winner", "shoe"],
        size=source.size,
        batches=streamed(source, batches),
        line_word="line",
    )
