"""combinat: exact combinatorial analysis of baccarat games.

The public names are in ``combinat/library/names.py``, typed in ``combinat/__init__.pyi``, and imported when first
asked for. ``docs/python.md`` shows them at work.
"""

from typing import Any

from combinat.library.names import HOMES

__version__ = "0.3.0"

__all__ = ["__version__", *sorted(HOMES)]


def __getattr__(name: str) -> Any:
    """What only some programs need is imported when it is first asked for."""
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
