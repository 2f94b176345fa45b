"""combinat: exact combinatorial analysis of baccarat games."""

from typing import TYPE_CHECKING, Any

from combinat.errors import CombinatError

if TYPE_CHECKING:
    from combinat.analysis.analysis import Analysis, analyze
    from combinat.analysis.evaluate import Evaluation, evaluate
    from combinat.rules.game import Game
    from combinat.rules.reading import with_readings
    from combinat.rules.rulebook import load_game
    from combinat.rules.shoe import Shoe

__version__ = "0.4.0"

__all__ = [
    "Analysis",
    "CombinatError",
    "Evaluation",
    "Game",
    "Shoe",
    "__version__",
    "analyze",
    "evaluate",
    "load_game",
    "with_readings",
]

_LAZY = {
    "Game": "combinat.rules.game",
    "Shoe": "combinat.rules.shoe",
    "load_game": "combinat.rules.rulebook",
    "with_readings": "combinat.rules.reading",
    "Analysis": "combinat.analysis.analysis",
    "analyze": "combinat.analysis.analysis",
    "Evaluation": "combinat.analysis.evaluate",
    "evaluate": "combinat.analysis.evaluate",
}


def __getattr__(name: str) -> Any:
    """What only some programs need is imported when it is first asked for."""
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LAZY[name]), name)
