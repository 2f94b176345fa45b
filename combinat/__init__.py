"""combinat: exact combinatorial analysis of baccarat games.

The public names are in ``combinat/library/names.py``, typed in ``combinat/__init__.pyi``, and imported on first use.
``docs/python.md`` shows how to use them.
"""

from importlib import import_module
from typing import Any

from combinat.library.names import HOMES

__version__ = "0.5.0"

__all__ = ["__version__", *sorted(HOMES)]


def __getattr__(name: str) -> Any:
    """Import a public name on first use."""
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
