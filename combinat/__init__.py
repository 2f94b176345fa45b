"""combinat: exact combinatorial analysis of baccarat games."""

from combinat.errors import CombinatError
from combinat.rules.game import Game
from combinat.rules.rulebook import load_game
from combinat.rules.shoe import Shoe

__version__ = "0.1.0"

__all__ = ["CombinatError", "Game", "Shoe", "__version__", "load_game"]
