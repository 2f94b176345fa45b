"""Cards written as points alone: a ten is not told from a King, and so nothing is said of pairs."""

from collections.abc import Sequence
from dataclasses import replace

from combinat.audit.hand_log import LogColumn
from combinat.base.errors import HandLogError
from combinat.montecarlo.cell import Pairing
from combinat.montecarlo.observed import JointCell, Observed, Times
from combinat.rules.game import Game


def check_columns(place: str, columns: Sequence[LogColumn], game: Game) -> None:
    """Refuse what could only be settled by ranks."""
    for column in columns:
        if "@" not in column.subject and game.bet(column.subject).needs_ranks:
            raise HandLogError(
                f"{place}: the cards are written as points, and {column.subject} is settled by ranks; ignore its columns, or give ranks"
            )


def by_points(counted: Observed, game: Game) -> Observed:
    """What was observed, without what points do not tell."""
    cells: dict[JointCell, Times] = {}
    for cell, times in counted.cells.items():
        alike = cell._replace(pairs=Pairing.NONE)
        before = cells.get(alike, Times(0))
        cells[alike] = Times(before.rounds + times.rounds)
    bets = {bet_id: results for bet_id, results in counted.bets.items() if not game.bet(bet_id).needs_ranks}
    return replace(counted, bets=bets, cells=cells if counted.shoes is None else {}, cards={}, repeats=None)
