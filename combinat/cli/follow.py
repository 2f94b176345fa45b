"""``combinat crosscheck --follow``: print the alarms of a log that grows, until the first one or the end."""

import sys
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from combinat.cli.output import say_line, warn

if TYPE_CHECKING:
    from combinat.audit.follow import Watch
    from combinat.audit.judging.terms import Statements
    from combinat.audit.reading.source import Feed

FollowOption = Annotated[
    bool,
    typer.Option(
        "--follow",
        help="Watch a log that grows by lines (CSV, JSON lines), by a test that is valid at any time.",
    ),
]
StateOption = Annotated[
    Path | None,
    typer.Option(
        "--state",
        metavar="FILE",
        help="With --follow: a file that saves the state; a later run continues from it.",
    ),
]
EveryOption = Annotated[
    int | None,
    typer.Option(
        "--every",
        metavar="SECONDS",
        help="With --follow: seconds between checks; 0: check once and exit. [default: 2]",
        min=0,
        max=86_400,
    ),
]
EVERY = 2


def follow(
    file: Path, state: Path | None, every: int | None, statements: "Statements", alpha: Fraction
) -> int:
    """Follow a log until there is an alarm, or its end; return the exit code."""
    from combinat.audit.follow import start, watch_rows, write_state
    from combinat.audit.reading.source import GrowingFile, Incoming

    feed = Incoming(sys.stdin.fileno()) if str(file) == "-" else GrowingFile(file)
    pause = EVERY if every is None else every
    started = start(feed, statements, alpha, state, pause)
    if started is None:
        warn(f"{feed.place}: no rows came, and nothing was judged")
        return 2
    watch, rows = started
    if watch.has_alarmed and not watch.state.undelivered:
        say_line(f"{feed.place}: {watch.against}")
        return 1
    for remarks in watch_rows(watch, feed, rows, pause):
        has_alarmed = bool(watch.state.undelivered)
        try:  # print first: a state that is behind finds the alarm again, one that is ahead would lose it
            while watch.state.undelivered:
                say_line(f"{feed.place}, {watch.state.undelivered[0]}")
                del watch.state.undelivered[0]
            for remark in remarks:
                warn(f"{feed.place}, {remark}")
        finally:
            if state is not None:
                write_state(state, watch.at(feed))
        if has_alarmed:
            return 1
    return _without_alarm(watch, feed)


def _without_alarm(watch: "Watch", feed: "Feed") -> int:
    """Report a log that ended without a new alarm; earlier faults still count."""
    from combinat.base.money import format_money

    if watch.faults:
        counts = ", ".join(f"{what} {count}" for what, count in watch.faults.items())
        say_line(f"{feed.place}: no new alarm; faults found before: {counts}")
        return 1
    rounds = f"{feed.place}: no alarm in {watch.evidence.rounds} rounds"
    if watch.unreadable:
        say_line(f"{rounds}, and {watch.unreadable} rows could not be read")
        return 2
    say_line(f"{rounds}, at a level of {format_money(watch.alpha)}")
    return 0
