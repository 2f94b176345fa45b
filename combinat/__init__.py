"""combinat: exact combinatorial analysis of baccarat games.

The public names are in ``combinat/library/names.py``, typed in ``combinat/__init__.pyi``, and imported when first
asked for. ``docs/python.md`` shows them at work.
"""

import sys
from typing import Any

from combinat.library.front_door import FrontDoor, public
from combinat.library.names import HOMES

__version__ = "0.5.0"

__all__ = ["__version__", *sorted(HOMES)]


def __getattr__(name: str) -> Any:
    """What only some programs need is imported when it is first asked for."""
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return public(name)


def __dir__() -> list[str]:
    return __all__


sys.modules[__name__].__class__ = FrontDoor
