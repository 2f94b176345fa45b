"""A progress bar on standard error, if it is a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from combinat.cli.output import is_quiet, say_line, tell, warn
from combinat.engine.progress import Advance, Progress


@contextmanager
def progress_bar(
    total: int | None, what: str, *, rate: bool = False, parts: bool = True
) -> Iterator[Callable[[int], None]]:
    """Yield a function to call with the number of items done since the last call.

    ``total``: None if unknown. ``rate``: show the number done per second. ``parts``: show the count, else per cent.
    """
    if is_quiet() or not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        ProgressColumn,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as RichProgress

    class Rate(ProgressColumn):
        """Items per second."""

        def render(self, task: Any) -> str:
            return f"{task.speed:,.0f} {what}/s" if task.speed else ""

    columns = [
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn() if parts else TaskProgressColumn(),
        *([Rate()] if rate else []),
        TimeRemainingColumn(),
    ]
    with RichProgress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=total)
        yield lambda done: progress.advance(task, done)


MANY = 20_000
"""Shoes from which on numba saves more time than it takes to load."""


class TerminalProgress(Progress):
    """Warnings and progress on standard error, names of files written on standard output."""

    def __init__(self) -> None:
        self._advised = False

    def warn(self, message: str) -> None:
        """Warn on standard error."""
        warn(message)

    def say(self, message: str) -> None:
        """Print a line."""
        say_line(message)

    def make_ready(self, shoes: int) -> None:
        """Load the kernel if there are enough shoes; once, name the extra that would save time."""
        from combinat.engine import kernel

        if shoes > kernel.FEW and not kernel.load() and shoes >= MANY and not self._advised:
            self._advised = True
            tell(f"{MANY} shoes and more without numba: pip install '.[fast]' saves a third of the time")

    def bar(
        self, total: int | None, what: str, *, rate: bool = False, parts: bool = True
    ) -> AbstractContextManager[Advance]:
        """A bar if standard error is a terminal."""
        return progress_bar(total, what, rate=rate, parts=parts)


ON_TERMINAL = TerminalProgress()
