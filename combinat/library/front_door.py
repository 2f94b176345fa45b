"""The front door: a public name is imported when it is first asked for, also where a room has the same name."""

from importlib import import_module
from types import ModuleType
from typing import Any

from combinat.library.names import HOMES


def public(name: str) -> Any:
    """What a public name stands for."""
    return getattr(import_module(HOMES[name]), name)


class _Room(ModuleType):
    # A room of the house that has the name of a public function: called, or asked for its words or its
    # signature, it is that function.
    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        return str(self._function.__doc__)

    @property
    def __signature__(self) -> Any:
        from inspect import signature  # only who looks at it needs it

        return signature(self._function)

    @property
    def _function(self) -> Any:
        return public(self.__name__.rpartition(".")[2])

    def __call__(self, *given: Any, **named: Any) -> Any:
        return self._function(*given, **named)


class FrontDoor(ModuleType):
    """``simulate`` is a function and a room: once the room is imported it stands here, and still is that function."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in HOMES and type(value) is ModuleType:
            value.__class__ = _Room
        super().__setattr__(name, value)
