"""A bead plate: nothing but the letters P, B and T, a shoe a line."""

from collections.abc import Callable, Iterator

import numpy as np

from combinat.audit.rows import BATCH_BYTES, RowFile, Rows
from combinat.audit.source import Source, Stream

LETTERS = {"P": "player", "B": "banker", "T": "tie"}
_BREAKS = b" ,;|\t\r-"


def is_beads(begin: bytes) -> bool:
    r"""Whether a file is nothing but the letters P, B and T, as a bead plate has them.

    >>> is_beads(b"PBBTP\nBBP\n"), is_beads(b"P,B,T,P,B"), is_beads(b"P,B\n5 4,K 7\n"), is_beads(b"B\n")
    (True, True, False, False)
    """
    letters = begin.upper().translate(None, _BREAKS + b"\n")
    return len(letters) >= 5 and not letters.translate(None, b"PBT")


def bead_plate(source: Source) -> RowFile:
    """The letters of a bead plate as rows: a winner each, and a shoe a line."""

    def batches(advance: Callable[[int], None]) -> Iterator[Rows]:
        import polars

        with source.stream() as file:
            done = 0
            for first, lines in _lines(file, BATCH_BYTES // 8):
                letters = [
                    (number, letter)
                    for number, line in enumerate(lines, first)
                    for letter in line.upper().translate(None, _BREAKS + b"\n").decode("ascii", "replace")
                ]
                bad = [
                    (number, f'found "{letter}"; write P, B or T')
                    for number, letter in letters
                    if letter not in LETTERS
                ]
                good = [(number, LETTERS[letter]) for number, letter in letters if letter in LETTERS]
                frame = polars.DataFrame(
                    {"winner": [winner for _, winner in good], "shoe": [str(number) for number, _ in good]},
                    schema={"winner": polars.String, "shoe": polars.String},
                )
                yield Rows(np.array([number for number, _ in good], dtype=np.int64), frame, bad)
                advance(file.done - done)
                done = file.done

    return RowFile(
        source=source,
        head={},
        names=["winner", "shoe"],
        size=source.size,
        batches=batches,
        line_word="line",
    )


def _lines(file: Stream, most: int) -> Iterator[tuple[int, list[bytes]]]:
    """The lines in groups, with the number of each group's first; a very long line in pieces."""
    number, lines, size = 1, list[bytes](), 0
    for line in iter(lambda: file.readline(most), b""):
        lines.append(line)
        size += len(line)
        if size >= most:
            yield number, lines
            number, lines, size = number + sum(one.endswith(b"\n") for one in lines), [], 0
    if lines:
        yield number, lines
