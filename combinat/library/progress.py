"""Warnings and progress of a long question: Python shows none, the command line shows both."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

Advance = Callable[[int], None]


class Progress:
    """Silent: the default in Python."""

    def warn(self, message: str) -> None:
        """Say something that the reader should know."""

    def say(self, message: str) -> None:
        """Say what has been written."""

    def make_ready(self, shoes: int) -> None:
        """Load the compiled kernel if there are shoes enough."""
        from combinat.engine import kernel

        if shoes > kernel.FEW:
            kernel.load(lambda: None)

    def bar(
        self, total: int | None, what: str, *, rate: bool = False, parts: bool = True
    ) -> AbstractContextManager[Advance]:
        """What to call with the number of things done since the last call."""
        return nullcontext(lambda done: None)


SILENT = Progress()
