"""Effects of removal: how the expected value of every bet moves when a card leaves the shoe."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np

from combinat.analysis.evaluate import Evaluation, evaluate
from combinat.errors import ShoeError
from combinat.rules.cards import RANKS, Rank
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

Cards = tuple[Rank, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """One bet or insurance state: its expected value, and how each removal changes it.

    ``effects``: the change, by the cards removed; None where there is no value before or after.
    """

    id: str
    expected_value: Fraction | None
    effects: dict[Cards, Fraction | None]

    def linear_error(self, cards: Cards) -> Fraction | None:
        """What the sum of the single effects gets wrong about removing these two together."""
        singles = [self.effects[(card,)] for card in cards]
        together = self.effects[cards]
        if together is None or None in singles:
            return None
        return sum((single for single in singles if single is not None), Fraction(0)) - together

    @property
    def most(self) -> list[Rank]:
        """The ranks whose removal matters most, the largest effect first."""
        known = {
            cards[0]: abs(effect)
            for cards, effect in self.effects.items()
            if len(cards) == 1 and effect is not None
        }
        return sorted(known, key=lambda rank: (-known[rank], RANKS.index(rank)))


def removals(game: Game, shoe: Shoe, *, pairs: bool = False, insurance: bool = False) -> tuple[Removal, ...]:
    """The effect of removing each rank that the shoe holds, and each two with ``pairs``.

    For every bet; with ``insurance`` for every insurance state instead.
    """
    removed: list[Cards] = [(rank,) for rank in RANKS if shoe[rank]]
    if pairs:
        removed += [
            (one, two) for one, two in combinations_with_replacement(RANKS, 2) if _holds(shoe, (one, two))
        ]
    if not removed:
        raise ShoeError("the shoe is empty: there is no card to remove")
    shoes = [shoe, *(shoe.minus(cards) for cards in removed)]
    found = evaluate(game, np.array([one.counts for one in shoes]), insurance=insurance)
    if insurance:
        names = [str(state) for state in found.states]
        values = [
            [_state_value(found, row, place) for row in range(len(shoes))] for place in range(len(names))
        ]
    else:
        names = list(found.bets)
        values = [[found.expected_value(row, name) for row in range(len(shoes))] for name in names]
    return tuple(
        Removal(
            id=name,
            expected_value=of_shoe,
            effects={
                cards: None if of_shoe is None or value is None else value - of_shoe
                for cards, value in zip(removed, after, strict=True)
            },
        )
        for name, (of_shoe, *after) in zip(names, values, strict=True)
    )


def _holds(shoe: Shoe, cards: Cards) -> bool:
    return all(shoe[card] >= cards.count(card) for card in cards)


def _state_value(found: Evaluation, shoe: int, place: int) -> Fraction | None:
    """The expected value of an insurance bet given its state; None: it cannot arise."""
    if found.state_ways is None or found.state_numerators is None or not found.state_ways[shoe, place]:
        return None
    unit = int(found.denominators[shoe]) // int(found.sample_spaces[shoe])
    return Fraction(int(found.state_numerators[shoe, place]), int(found.state_ways[shoe, place]) * unit)
