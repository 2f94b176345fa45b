"""What faults come from: rows that fail alike, put together and counted.

A cause of an impossible deal is what the Table of Play says of its cell, of a wrong settlement the bet with what was
paid and due a unit, of a declared result its column, of an unreadable row the message without what was found.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

from combinat.analysis.verdict import Cause, FaultKind
from combinat.rules.game import Game
from combinat.rules.money import format_money
from combinat.rules.table_of_play import STOOD, Hand

MOST_CAUSES = 1_000
"""Causes that are told apart; beyond them rows are counted together."""

OTHERS = "other causes"

_FOUND = re.compile(
    r'"[^"]*"(?=[;,: ]|$)|".*"|(?<=found )\d+|(?<=after )\d+|(?<=column )\d+|(?<=cards: ).*', re.DOTALL
)
"""What of a message belongs to its row."""


@dataclass(frozen=True, slots=True)
class CellCause:
    """Why a cell cannot have been dealt: totals that are told alike differ in ``total`` alone."""

    before: str
    total: int | None
    after: str
    clause: str


def cell_cause(game: Game, player: int, banker: int, player_third: int, banker_third: int) -> CellCause:
    """Why the Table of Play cannot have dealt a round of these totals and third cards (``STOOD``: none).

    >>> from combinat import load_game
    >>> cell_cause(load_game("commission-insurance-2013"), 5, 3, 0, STOOD)
    CellCause(before='Banker ', total=3, after=' stood against a ten', clause='3.7')
    """
    table = game.table_of_play
    if player in table.natural or banker in table.natural:
        hand = Hand.PLAYER if player_third != STOOD else Hand.BANKER
        return CellCause(f"{hand.value.capitalize()} drew after a natural", None, "", game.table_clause)
    if table.player[player] != (player_third != STOOD):
        return CellCause("Player ", player, f" {_did(player_third)}", game.table_clause)
    against = f" against {_third(player_third)}" if player_third != STOOD else " after Player stood"
    clause = game.table_clause if player_third != STOOD else game.stood_clause
    return CellCause("Banker ", banker, f" {_did(banker_third)}{against}", clause)


def _did(third: int) -> str:
    return "stood" if third == STOOD else "drew"


def _third(points: int) -> str:
    return {0: "a ten", 1: "an ace", 8: "an 8"}.get(points, f"a {points}")


def ranges(totals: Iterable[int]) -> str:
    """Totals as they are read, runs of them put together.

    >>> ranges([3, 0, 1, 2]), ranges([5]), ranges([0, 1, 3, 5, 6])
    ('0 to 3', '5', '0 to 1, 3 and 5 to 6')
    """
    ordered = sorted(set(totals))
    starts = [ordered[0], *(after for before, after in pairwise(ordered) if after != before + 1)]
    ends = [*(before for before, after in pairwise(ordered) if after != before + 1), ordered[-1]]
    runs = [str(a) if a == b else f"{a} to {b}" for a, b in zip(starts, ends, strict=True)]
    return runs[0] if len(runs) == 1 else f"{', '.join(runs[:-1])} and {runs[-1]}"


def shape(message: str) -> str:
    """A message without what was found in its row.

    >>> shape('round: found 5 after 7; give each round a higher one')
    'round: found ... after ...; give each round a higher one'
    >>> shape('Player Hand: card "X" does not exist; write one of A 2')
    'Player Hand: card ... does not exist; write one of A 2'
    """
    return _FOUND.sub("...", message)


def paid(net: Fraction) -> str:
    """What a unit came to, in words.

    >>> [paid(net) for net in (Fraction(-1), Fraction(0), Fraction(19, 20), Fraction(-1, 2))]
    ['lost', 'returned', 'paid 0.95 to 1', 'net -0.5']
    """
    if net in (-1, 0):
        return "lost" if net else "returned"
    return f"paid {_decimal(net)} to 1" if net > 0 else f"net {_decimal(net)}"


def due(net: Fraction | None) -> str:
    """What a unit is to come to, in words; None: nothing was on offer.

    >>> [due(net) for net in (Fraction(-1), Fraction(0), Fraction(19, 20), None)]
    ['to be lost', 'to be returned', 'due 0.95 to 1', 'not on offer']
    """
    if net is None:
        return "not on offer"
    return f"to be {paid(net)}" if net in (-1, 0) else f"due {_decimal(net)} to 1"


def _decimal(value: Fraction) -> str:
    """A ratio as a decimal where it is a short one, else as a fraction."""
    return format_money(value) if 10**9 % value.denominator == 0 else str(value)


@dataclass(slots=True)
class _Counted:
    rows: int = 0
    first_line: int = 0
    totals: set[int] = field(default_factory=set)


class Causes:
    """The causes of the faults so far."""

    def __init__(self) -> None:
        self._counted: dict[tuple[FaultKind, str, str, str], _Counted] = {}

    def add(self, kind: FaultKind, message: str, rows: int, first_line: int, clause: str = "") -> None:
        """Count rows that fail so."""
        self._add((kind, message, "", clause), rows, first_line)

    def add_cell(self, cause: CellCause, rows: int, first_line: int) -> None:
        """Count rows of a cell that cannot have been dealt."""
        counted = self._add((FaultKind.IMPOSSIBLE, cause.before, cause.after, cause.clause), rows, first_line)
        if cause.total is not None:
            counted.totals.add(cause.total)

    def _add(self, key: tuple[FaultKind, str, str, str], rows: int, first_line: int) -> _Counted:
        if key not in self._counted and len(self._counted) >= MOST_CAUSES:
            key = (key[0], OTHERS, "", "")
        counted = self._counted.setdefault(key, _Counted(first_line=first_line))
        counted.rows += rows
        counted.first_line = min(counted.first_line, first_line)
        return counted

    def record(self) -> tuple[Cause, ...]:
        """The causes, the one of most rows first."""
        causes = (
            Cause(
                kind=kind,
                message=f"{before}{ranges(counted.totals) if counted.totals else ''}{after}",
                rows=counted.rows,
                first_line=counted.first_line,
                clause=clause,
            )
            for (kind, before, after, clause), counted in self._counted.items()
        )
        return tuple(sorted(causes, key=lambda cause: (-cause.rows, cause.first_line, cause.message)))
