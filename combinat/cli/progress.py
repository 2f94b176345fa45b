"""A progress bar on standard error, where a person is looking."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from combinat.cli.output import is_quiet


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
        Progress,
        ProgressColumn,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

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
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=total)
        yield lambda done: progress.advance(task, done)
