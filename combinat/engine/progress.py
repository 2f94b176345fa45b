"""Warnings and progress of a long computation: silent in Python, shown by the command line."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

Advance = Callable[[int], None]


class Progress:
    """Silent progress: the default in Python."""

    def warn(self, message: str) -> None:
        """Show a warning."""

    def say(self, message: str) -> None:
        """Show a message."""

    def make_ready(self, shoes: int) -> None:
        """Load the compiled kernel if there are enough shoes."""
        from combinat.engine import kernel

        if shoes > kernel.FEW:
            kernel.load()

    def bar(
        self, total: int | None, what: str, *, rate: bool = False, parts: bool = True
    ) -> AbstractContextManager[Advance]:
        """Return a function to call with the number of items done since the last call."""
        return nullcontext(lambda done: None)


SILENT = Progress()
