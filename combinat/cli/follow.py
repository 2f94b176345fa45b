"""Following a log: look, say what is wrong, wait, look again."""

import sys
import time
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from combinat.cli.output import say_line, warn

if TYPE_CHECKING:
    from combinat.audit.reading.source import Feed
    from combinat.audit.watch import Watch, Watched

FollowOption = Annotated[
    bool,
    typer.Option(
        "--follow",
        help="Watch a log that grows by lines (CSV, JSON lines), by a test that may be looked at any time.",
    ),
]
StateOption = Annotated[
    Path | None,
    typer.Option(
        "--state",
        metavar="FILE",
        help="With --follow: keep in a file how far it came, and go on from there.",
        show_default=False,
    ),
]
EveryOption = Annotated[
    int | None,
    typer.Option(
        "--every",
        metavar="SECONDS",
        help="With --follow: how often to look; 0: once, at what is there, and leave. 2 unless it is given.",
        min=0,
        max=86_400,
        show_default=False,
    ),
]
EVERY = 2


def follow(file: Path, state: Path | None, every: int | None, **given: Any) -> int:
    """Follow a log until there is an alarm, or its end; the exit code."""
    from combinat.audit.reading.source import GrowingFile, Incoming
    from combinat.audit.watch import Watched

    feed = Incoming(sys.stdin.fileno()) if str(file) == "-" else GrowingFile(file)
    pause = EVERY if every is None else every
    begun = _begun(feed, Watched(**given), pause)
    if begun is None:
        warn(f"{feed.place}: no rows came, and nothing was judged")
        return 2
    watch, rows = begun
    if state is not None and state.exists():
        rows = _gone_on(watch, state, feed, rows)
        if watch.has_alarmed and not watch.undelivered:
            say_line(f"{feed.place}: {watch.against}")
            return 1
    return _watched(watch, feed, rows, state, pause)


def _begun(feed: "Feed", given: "Watched", pause: int) -> "tuple[Watch, bytes] | None":
    """The watch, as soon as there is a row."""
    from combinat.audit.watch import begun

    content = b""
    while True:
        lines = feed.more()
        content += lines
        started = begun(content, feed.place, given) if lines else None
        if started or feed.has_ended or (not lines and not pause):
            return started
        if not lines:
            time.sleep(pause)


def _gone_on(watch: "Watch", state: Path, feed: "Feed", rows: bytes) -> bytes:
    """Go on where the state left off; the rows that are new."""
    from combinat.audit.reading.source import GrowingFile
    from combinat.audit.watch import read_state

    watch.go_on(state, read_state(state), feed)
    return b"" if isinstance(feed, GrowingFile) else rows


def _watched(watch: "Watch", feed: "Feed", rows: bytes, state: Path | None, pause: int) -> int:
    from combinat.audit.watch import write_state

    while True:
        remarks = watch.look(rows) if rows else []
        has_alarmed = bool(watch.undelivered)
        try:  # say it first: a state that is behind finds the alarm again, one that is ahead would lose it
            _deliver(watch, feed)
            for remark in remarks:
                warn(f"{feed.place}, {remark}")
        finally:
            if state is not None and (rows or has_alarmed or not state.exists()):
                write_state(state, watch.state(feed))
        if has_alarmed:
            return 1
        rows = b"" if feed.has_ended else feed.more()
        if not rows and (feed.has_ended or not pause):
            return _left(watch, feed)
        if not rows:
            time.sleep(pause)


def _deliver(watch: "Watch", feed: "Feed") -> None:
    """Print the alarms that nobody was told yet; one that cannot be printed stays undelivered."""
    while watch.undelivered:
        say_line(f"{feed.place}, {watch.undelivered[0]}")
        del watch.undelivered[0]


def _left(watch: "Watch", feed: "Feed") -> int:
    """The end of the log, without a new alarm; faults that were found before still count."""
    faults = watch.faults
    if faults.against_the_rules:
        found = {
            "rounds given again": faults.repeated,
            "impossible deals": faults.impossible,
            "declared otherwise": faults.misdeclared,
            "wrong settlements": faults.wrong,
        }
        counts = ", ".join(f"{what} {count}" for what, count in found.items() if count)
        say_line(f"{feed.place}: no new alarm; faults found before: {counts}")
        return 1
    rounds, unreadable = watch.evidence.rounds, watch.faults.unreadable
    if unreadable:
        say_line(f"{feed.place}: no alarm in {rounds} rounds, and {unreadable} rows could not be read")
        return 2
    say_line(f"{feed.place}: no alarm in {rounds} rounds, at a level of {_level(watch.alpha)}")
    return 0


def _level(alpha: Fraction) -> str:
    from combinat.base.money import format_money

    return format_money(alpha)
