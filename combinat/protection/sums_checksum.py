"""The text and the code of sums: by them a block that is dealt again is compared with what was kept of it."""

import hashlib
from collections.abc import Iterator
from functools import lru_cache

from combinat.protection.study import Block, Cell, Row, Rows, Sums

PRIME = 2**61 - 1
"""The code is counted modulo this."""


def block_of(sums: Sums) -> Block:
    """What is kept of a block."""
    text = "\n".join(" ".join(map(str, line)) for line in _lines(sums))
    return Block(
        sha256=hashlib.sha256(text.encode("ascii")).hexdigest(),
        code=code(sums),
        firsts=firsts(sums),
    )


def firsts(sums: Sums) -> Row:
    """Rounds, and for each player units bet and rounded gain, at the first position of the cut card."""
    players = [moments[0] for moments in sums.moments]
    return players[0][0], *(figure for row in players for figure in (row[1], row[2]))


def _lines(sums: Sums) -> Iterator[Row]:
    yield (sums.shoes,)
    for rows in (sums.rounds, sums.marks):
        yield (len(rows),)
        for cell in sorted(rows):
            yield *cell, *rows[cell]
    for moments in sums.moments:
        yield from moments


def code(sums: Sums) -> int:
    """A weighted sum of every number, the same for parts added up as for the whole: weights by their places."""
    total = sums.shoes * _weight("shoes", 0, 0)
    total += _coded("rounds", sums.rounds) + _coded("marks", sums.marks)
    for player, moments in enumerate(sums.moments):
        total += _coded(f"moments {player}", {(position, 0): row for position, row in enumerate(moments)})
    return total % PRIME


def _coded(what: str, rows: Rows) -> int:
    return sum(_of_cell(what, cell) * _within(what, row) for cell, row in rows.items())


def _of_cell(what: str, cell: Cell) -> int:
    return _weight(what, *cell)


def _within(what: str, row: Row) -> int:
    return sum(_weight(f"{what} column", column, 0) * number for column, number in enumerate(row)) % PRIME


@lru_cache(maxsize=2**17)
def _weight(what: str, one: int, two: int) -> int:
    digest = hashlib.sha256(f"{what} {one} {two}".encode("ascii")).digest()
    return int.from_bytes(digest[:8], "big") % PRIME
