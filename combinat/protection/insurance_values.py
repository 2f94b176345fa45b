"""Insurance as each offer arises: its exact value given every card that is seen, for many rounds at once.

After four cards at most two more can come, after the Player's third card at most one. So the expected net result
of a unit is a small sum over the points of those cards, and its numerator is a whole number:
over ``unit * M * (M - 1)`` after four cards, over ``unit * M`` after the third card, with ``M`` cards unseen.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from math import lcm

import numpy as np
import numpy.typing as npt

from combinat.engine.arrays import Ints
from combinat.rules.deal_space import Course, deal_space, result
from combinat.rules.game import Game
from combinat.rules.insurance import InsuranceTable, Offer, Open, State
from combinat.rules.outcome import Result
from combinat.rules.round import Stage
from combinat.rules.table_of_play import TOTALS, Hand, TableOfPlay

Flags = npt.NDArray[np.bool_]

SMALL_NET = 2**15
"""The square of a net below this, times the square of 65,535 cards, the largest shoe, has less than 63 bits."""

NO_THIRD = 10
"""In place of a third card's points: none was drawn."""


@dataclass(frozen=True, kw_only=True, eq=False)
class InsuranceValues:
    """What one insurance table is worth, by both totals of the first four cards, and by the third card's points.

    ``is_open[player, banker, third]``: an offer is open; the third is ``NO_THIRD`` after four cards.
    ``nets[player, banker, third, next, after]``: the net result of a unit in parts of ``unit``, by the points of the
    next card and of the one after it, whether or not the round takes them.
    """

    stage: Stage
    unit: int
    is_open: Flags
    nets: Ints

    @classmethod
    def of(cls, game: Game, table: InsuranceTable) -> "InsuranceValues":
        """The values of a table of the game."""
        unit = lcm(*(offer.odds.net.denominator for offer in table.offers))
        is_open = np.zeros((10, 10, NO_THIRD + 1), dtype=np.bool_)
        nets = np.zeros((10, 10, NO_THIRD + 1, 10, 10), dtype=np.int64)
        thirds = (NO_THIRD,) if table.stage is Stage.FOUR_CARDS else TOTALS
        for player in TOTALS:
            for banker in TOTALS:
                for third in thirds:
                    start = Course(player, banker, None if third == NO_THIRD else third)
                    offer = _offer(game, table.side, table.stage, start)
                    if offer is None:
                        continue
                    is_open[player, banker, third] = True
                    results = _results(game.table_of_play, start)
                    net_of = {
                        ended: int(offer.net(table.side, ended) * unit) for ended in set(results.values())
                    }
                    for (first, second), ended in results.items():
                        nets[player, banker, third, first, second] = net_of[ended]
        return cls(stage=table.stage, unit=unit, is_open=is_open, nets=nets)

    def denominator(self, unseen: int) -> int:
        """What a numerator stands over, by the cards unseen before the round."""
        if self.stage is Stage.FOUR_CARDS:
            return self.unit * (unseen - 4) * (unseen - 5)
        return self.unit * (unseen - 5)

    def squared(self) -> "InsuranceValues":
        """The same with the squares of the nets, for the mean square of a unit; Python integers where they are large."""
        nets = self.nets.astype(object) if int(abs(self.nets).max(initial=0)) >= SMALL_NET else self.nets
        return replace(self, nets=nets**2)

    def numerators(self, player: Ints, banker: Ints, third: Ints, left: Ints) -> tuple[Flags, Ints]:
        """Where an offer is open, and what a unit is worth there; 0 elsewhere.

        ``left``: the cards unseen by points, without any on the table at that moment.
        """
        column = third if self.stage is Stage.PLAYER_THIRD_CARD else np.full_like(third, NO_THIRD)
        is_open: Flags = self.is_open[player, banker, column]
        values = np.zeros(len(player), dtype=self.nets.dtype)
        rows = np.flatnonzero(is_open)
        nets, cards = self.nets[player[rows], banker[rows], column[rows]], left[rows]
        if self.stage is Stage.FOUR_CARDS:
            after_one = np.einsum("rij,rj->ri", nets, cards) - np.einsum("rii->ri", nets)
            values[rows] = (after_one * cards).sum(axis=1)
        else:
            values[rows] = (nets[:, :, 0] * cards).sum(axis=1)
        return is_open, values


def _offer(game: Game, side: Hand, stage: Stage, start: Course) -> Offer | None:
    """What is offered for a hand once these cards are on the table; None: nothing, or they cannot be."""
    table, terms = game.table_of_play, game.insurance_terms
    first_two = start._replace(player_third=None)
    if start.player_third is not None and first_two.next_hand(table) is not Hand.PLAYER:
        return None
    if terms is None or (terms.open is Open.CARD_TO_COME and start.next_hand(table) is None):
        return None
    return game.offers.get(State(side, stage, result(start).player_points, start.banker))


@lru_cache(maxsize=2048)
def _results(table: TableOfPlay, start: Course) -> dict[tuple[int, int], Result]:
    """The result by the points of the next two cards, whether or not the round takes them."""
    space = deal_space(table)
    return {
        (fifth, sixth): result(space.ending(start, (fifth, sixth)))
        for fifth, sixth in product(TOTALS, repeat=2)
    }
