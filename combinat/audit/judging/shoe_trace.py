"""The trace of a shoe of a log: the requested shoe, or the first with a fault, or the first."""

from dataclasses import dataclass, field, replace
from fractions import Fraction

import msgspec
import numpy as np
import numpy.typing as npt

from combinat.analysis.evaluate import evaluate
from combinat.audit.judging.cells import facts_of
from combinat.audit.judging.faults import HANDS
from combinat.audit.judging.replay import Piece
from combinat.audit.judging.terms import LogTerms
from combinat.audit.verdict import ShoeTrace, TracedRound
from combinat.base.errors import FileError, InputError, in_words, quoted
from combinat.base.number import integer
from combinat.engine.walk import MOST_CARDS

MOST_SHOWN = 150
"""Rounds of a shoe that are shown: more than ten decks deal."""


def as_shoe_name(shoe: object) -> str | None:
    """Return the name of a shoe of a log, or None."""
    if shoe is None or isinstance(shoe, str):
        return shoe
    number = integer(shoe)
    if number is None:
        raise InputError(
            f"found {in_words(shoe)}",
            'write the number of a shoe, such as 3 or "T1:3"',
            parameter="shoe_shown",
        )
    return str(number)


@dataclass(slots=True)
class _TracedShoe:
    """The rounds of a shoe so far."""

    table: str
    shoe: int
    is_faulty: bool
    all_rounds: int = 0
    rounds: list[TracedRound] = field(default_factory=list)
    left: list[npt.NDArray[np.int64]] = field(default_factory=list)


class ShoeTracer:
    """The tracer of a shoe. ``wanted``: its number, preceded by ``TABLE:`` in a log of several tables."""

    def __init__(self, terms: LogTerms, wanted: str | None = None) -> None:
        bets = tuple(bet for bet in terms.game.bets if terms.tells_ranks or not bet.needs_ranks)
        self.game = msgspec.structs.replace(terms.game, bets=bets, insurance=())
        self.whole_shoes, self.wanted = terms.whole_shoes, wanted
        self._kept: _TracedShoe | None = None

    def add(self, piece: Piece) -> None:
        """Add rows of one table, in whole shoes."""
        if not self.whole_shoes:
            return
        table, shoes = quoted(piece.name), piece.shoes
        number = self._choice(table, shoes, piece)
        if number is None:
            return
        mine = np.flatnonzero(shoes == number)
        is_faulty = bool(piece.faulty[mine].any())
        if self._kept is None or (self._kept.table, self._kept.shoe) != (table, number):
            self._kept = _TracedShoe(table, number, is_faulty)
        self._keep(self._kept, mine[piece.first[mine]], piece)

    def _choice(self, table: str, shoes: npt.NDArray[np.int64], piece: Piece) -> int | None:
        """Return the number of the shoe to keep among these rows, or None."""
        kept = self._kept
        if self.wanted is not None:
            name, colon, number = self.wanted.rpartition(":")
            is_table = (kept is None or kept.table == table) and (not colon or name == table)
            is_here = is_table and number.isdecimal() and (shoes == int(number)).any()
            return int(number) if is_here else None
        if kept is not None and kept.is_faulty:  # a faulty log may have more rows than a shoe can deal
            return kept.shoe if kept.table == table and (shoes == kept.shoe).any() else None
        if piece.faulty.any():
            return int(shoes[piece.faulty][0])
        return int(shoes[0]) if kept is None else None

    def _keep(self, kept: _TracedShoe, mine: npt.NDArray[np.intp], piece: Piece) -> None:
        """Keep rounds of the shoe, up to the number that the trace shows."""
        kept.all_rounds += len(mine)
        mine = mine[: MOST_SHOWN - len(kept.rounds)]
        frame, facts = piece.rows.frame, facts_of(piece.cells[mine])
        name = "id" if "id" in frame.columns else "round"
        for number, row in enumerate(mine.tolist()):
            possible = bool(piece.possible[row])
            kept.rounds.append(
                TracedRound(
                    line=int(piece.rows.lines[row]),
                    name=quoted(frame[name][row] or ""),
                    cards=" / ".join(quoted(frame[hand][row] or "") for hand in HANDS),
                    winner=facts["winner"][number] if possible else None,
                    player_pair=possible and facts["player_pair"][number] == "yes",
                    banker_pair=possible and facts["banker_pair"][number] == "yes",
                    is_faulty=bool(piece.faulty[row]),
                    edges=None,
                )
            )
            kept.left.append(piece.left[row].copy())

    def record(self) -> ShoeTrace | None:
        """Return the shoe with the exact house edges before each round, or None if there is no shoe."""
        kept = self._kept
        if kept is None:
            if self.wanted is not None:
                raise FileError(
                    f'there is no shoe "{quoted(self.wanted)}" to show; give its number, as in 3, or with its table, as in T1:3'
                )
            return None
        left = np.array(kept.left).reshape(len(kept.rounds), -1)
        enough = np.flatnonzero(left.sum(axis=1) >= MOST_CARDS)
        enough = enough if self.game.bets else enough[:0]
        edges: dict[int, tuple[Fraction, ...]] = {}
        if len(enough):
            values = evaluate(self.game, left[enough])
            for place, row in enumerate(enough.tolist()):
                edges[row] = tuple(-values.expected_value(place, bet.id) for bet in self.game.bets)
        return ShoeTrace(
            table=kept.table,
            shoe=str(kept.shoe),
            all_rounds=kept.all_rounds,
            bets=tuple(bet.id for bet in self.game.bets),
            rounds=tuple(replace(one, edges=edges.get(number)) for number, one in enumerate(kept.rounds)),
        )
