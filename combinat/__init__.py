"""combinat: exact combinatorial analysis of baccarat games."""

from typing import TYPE_CHECKING, Any

from combinat.errors import CombinatError
from combinat.rules.game import Game
from combinat.rules.rulebook import load_game
from combinat.rules.shoe import Shoe

if TYPE_CHECKING:
    from combinat.analysis.analysis import Analysis, analyze

__version__ = "0.1.0"

__all__ = ["Analysis", "CombinatError", "Game", "Shoe", "__version__", "analyze", "load_game"]

_LAZY = {"Analysis": "combinat.analysis.analysis", "analyze": "combinat.analysis.analysis"}


def __getattr__(name: str) -> Any:
    """What only some programs need is imported when it is first asked for."""
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LAZY[name]), name)
