"""Bead plates: files of winners only, as the letters P, B and T or as words, one shoe per line."""

import re
from collections.abc import Iterator
from itertools import islice

from combinat.audit.reading.notation import winner_named
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


def bead_lines(lines: Iterator[bytes]) -> Iterator[tuple[list[tuple[int, str]], list[tuple[int, str]]]]:
    """Yield batches of lines: the winners with their lines, and the mistakes with their lines."""
    number = 1
    while batch := list(islice(lines, LINES)):
        winners, mistakes = list[tuple[int, str]](), list[tuple[int, str]]()
        for line in batch:
            for word in _BREAK.split(line.decode("ascii", "replace")):
                named = _winners(word)
                winners += [(number, winner) for winner in named if winner]
                if None in named:
                    mistakes.append((number, f'found "{shortened(word)}"; write P, B or T'))
            number += line.endswith(b"\n")
        yield winners, mistakes
