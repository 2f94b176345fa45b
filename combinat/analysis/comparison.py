"""Games side by side: the house edge of each bet, and how it differs from the first game's."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain

from combinat.analysis.analysis import Analysis


@dataclass(frozen=True, kw_only=True)
class Compared:
    """A bet in several games. ``house_edges``: one a game; None: the game does not have the bet."""

    bet: str
    house_edges: tuple[Fraction | None, ...]

    @cached_property
    def differences(self) -> tuple[Fraction | None, ...]:
        """By how much each game after the first has another house edge than the first."""
        first, *others = self.house_edges
        return tuple(None if first is None or edge is None else edge - first for edge in others)


def compared(analyses: Sequence[Analysis]) -> tuple[Compared, ...]:
    """Every bet that one of the games has."""
    edges = [{bet.id: bet.house_edge for bet in analysis.bets} for analysis in analyses]
    return tuple(
        Compared(bet=bet_id, house_edges=tuple(of_game.get(bet_id) for of_game in edges))
        for bet_id in dict.fromkeys(chain(*edges))
    )
