"""combinat: exact combinatorial analysis of baccarat games.

The public names are in ``combinat/library/names.py``, typed in ``combinat/__init__.pyi``, and imported when first
asked for. ``docs/python.md`` shows them at work.
"""

import sys
from types import ModuleType
from typing import Any

from combinat.library.names import HOMES

__version__ = "0.4.0"

__all__ = ["__version__", *sorted(HOMES)]


def __getattr__(name: str) -> Any:
    """What only some programs need is imported when it is first asked for."""
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__


class _Room(ModuleType):
    # A room of the house that has the name of a public function: called, asked for its words or its
    # signature, it is that function.
    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        return self._function.__doc__

    @property
    def __signature__(self) -> Any:
        from inspect import signature

        return signature(self._function)

    @property
    def _function(self) -> Any:
        return __getattr__(self.__name__.rpartition(".")[2])

    def __call__(self, *given: Any, **named: Any) -> Any:
        return self._function(*given, **named)


class _FrontDoor(ModuleType):
    """``simulate`` is a function and a room: once the room is imported it stands here, and still is that function."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in HOMES and type(value) is ModuleType:
            value.__class__ = _Room
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _FrontDoor
