"""A progress bar on standard error, where a person is looking."""

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
    """What to call with the number of things done since the last call.

    ``total``: None where it is not known. ``rate``: with the number done a second. ``parts``: as so many of the total, else in per cent.
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
        """So many a second."""

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


class Shown(Progress):
    """Warnings and the bar on standard error, what has been written on standard output."""

    def warn(self, message: str) -> None:
        """Warn on standard error."""
        warn(message)

    def say(self, message: str) -> None:
        """Print a line."""
        say_line(message)

    def make_ready(self, shoes: int) -> None:
        """Load the kernel, and say what takes long, and what would take less."""
        make_ready(shoes)

    def bar(
        self, total: int | None, what: str, *, rate: bool = False, parts: bool = True
    ) -> AbstractContextManager[Advance]:
        """A bar where a person is looking."""
        return progress_bar(total, what, rate=rate, parts=parts)


SHOWN = Shown()


MANY = 20_000
"""Shoes from which on numba saves more time than it takes to load."""


def make_ready(shoes: int) -> None:
    """Load the kernel if there are shoes enough; say what takes long, and what would take less."""
    from combinat.engine import kernel

    if shoes > kernel.FEW and not kernel.load(say_compiling) and shoes >= MANY:
        say_without_numba()


def say_without_numba() -> None:
    """Say which extra would make a large batch faster."""
    tell(f"{MANY} shoes and more without numba: pip install '.[fast]' saves a third of the time")


def say_compiling() -> None:
    """Say that the kernel is being compiled, to a person who waits."""
    if sys.stderr.isatty():  # as with a progress bar: where a person is waiting
        tell("compiling for the first time: some seconds, and not again")
