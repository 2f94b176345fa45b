"""Games that are read once and shoes that are counted once, for all the tests of a process."""

from functools import lru_cache

from combinat import Game, Shoe, load_game
from combinat.analysis.insurance import StateAnalysis, insurance_analysis
from combinat.engine.distribution import Distribution
from combinat.engine.walk import walk
from combinat.rules.cards import RANKS, Rank
from combinat.rules.insurance import State

loaded = lru_cache(maxsize=50)(load_game)
walked = lru_cache(maxsize=100)(walk)
WORTH = (Rank.KING, *RANKS[:9])
"""A card of each number of points."""

EIGHT = Shoe.of_decks(8)
"""A fresh shoe of eight decks."""


def dealt(cards: str) -> Distribution:
    """The rounds of a shoe that is written as text."""
    return walked(Shoe.parse(cards))


def states_on(game: Game, shoe: Shoe) -> dict[State, StateAnalysis]:
    """Every state of a game on a shoe."""
    return {one.state: one for one in insurance_analysis(game, walked(shoe))}
