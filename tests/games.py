"""Games that are read once and shoes that are counted once, for all the tests of a process."""

from functools import lru_cache

from combinat import Shoe, load_game
from combinat.engine.distribution import Distribution
from combinat.engine.walk import walk
from combinat.rules.cards import RANKS, Rank

loaded = lru_cache(maxsize=50)(load_game)
walked = lru_cache(maxsize=100)(walk)
WORTH = (Rank.KING, *RANKS[:9])
"""A card of each number of points."""

EIGHT = Shoe.of_decks(8)
"""A fresh shoe of eight decks."""


def dealt(cards: str) -> Distribution:
    """The rounds of a shoe that is written as text."""
    return walked(Shoe.parse(cards))
