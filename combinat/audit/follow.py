"""The public ``follow``: a hand log that grows, watched as far as it is there now."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from combinat.audit import watch as watching
from combinat.audit.converters import (
    LogMapGiven,
    as_book_or_none,
    as_cut_card,
    as_log_map,
    as_shoe_or_none,
    files_read,
)
from combinat.audit.judging.judge import CrosscheckOptions
from combinat.audit.reading.source import Feed, GrowingFile
from combinat.audit.watch import Watch, watch_of
from combinat.base.money import Amount
from combinat.base.output_paths import refuse_inputs
from combinat.base.relation import Exact
from combinat.base.tabular import Tabular
from combinat.rules.book.load import RuleBook
from combinat.rules.converters import GameGiven, ShoeGiven, as_path, as_probability


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed(Tabular):
    """A log that grows, as far as it was read: new alarms and remarks, each in one line.

    ``rounds``: all rounds judged so far; ``faults``: all faults that contradict the rules so far; ``unreadable``: rows
    that could not be read. A right log raises an alarm, over all calls together, with a probability of at most
    ``alpha``.

    >>> import tempfile
    >>> from combinat import follow, simulate
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     followed = follow(simulate("commission-insurance-2013", f"{folder}/log.csv", rounds=50))
    >>> followed.rounds, followed.has_alarmed, followed.remarks
    (50, False, ())
    """

    path: Path
    alpha: Fraction
    rounds: int = 0
    alarms: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    faults: int = 0
    unreadable: int = 0

    @property
    def has_alarmed(self) -> bool:
        """Whether there was an alarm, now or before: as long as the log holds faults."""
        return bool(self.alarms or self.faults)

    def to_dicts(self) -> list[dict[str, Exact]]:
        """Return a row for each alarm and each remark."""
        kinds = (("alarm", self.alarms), ("remark", self.remarks))
        return [{"kind": kind, "message": message} for kind, messages in kinds for message in messages]

    def __repr__(self) -> str:
        alarms = f"{len(self.alarms)} alarms" if self.alarms else "no alarm"
        unreadable = f", {self.unreadable} rows could not be read" if self.unreadable else ""
        return f"<Followed {self.path}: {alarms} in {self.rounds} rounds{unreadable}>"


def follow(
    file: str | Path,
    *,
    state: str | Path | None = None,
    game: GameGiven | None = None,
    shoe: ShoeGiven | None = None,
    cut_card: int | None = None,
    alpha: Amount = "0.001",
    log_map: LogMapGiven | None = None,
) -> Followed:
    """Watch a log that grows by lines (CSV, JSON lines), as far as it is there now.

    ``state``: a file that keeps the state of the watch. With it, call again as often as you like: only new rows are
    read, and the probability of a false alarm over all calls together is at most ``alpha``. The other parameters are
    those of ``crosscheck``.

    >>> import tempfile
    >>> from combinat import follow, simulate
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     log = simulate("commission-insurance-2013", f"{folder}/log.csv", rounds=100)
    ...     follow(log, state=f"{folder}/state.json").alarms
    ()
    """
    place, kept = as_path("file", file), None if state is None else as_path("state", state)
    if kept is not None:
        refuse_inputs("state", kept, {"the log to follow": place, **files_read(game, log_map)})
    options = CrosscheckOptions(
        shoe=as_shoe_or_none(shoe, None, None),
        cut_card=as_cut_card(cut_card),
        alpha=as_probability("alpha", alpha, Fraction(1, 2)),
        log_map=as_log_map(log_map),
    )
    feed = GrowingFile(place)
    started = start(feed, as_book_or_none(game), options, kept)
    if started is None:
        return Followed(path=place, alpha=options.alpha)
    watch, rows = started
    alarms = [watch.against] if watch.has_alarmed else []
    remarks = [remark for look in looks(watch, feed, rows) for remark in look]
    alarms += watch.undelivered
    watch.undelivered.clear()
    if kept is not None:
        watching.write_state(kept, watch.state(feed))
    return Followed(
        path=place,
        alpha=options.alpha,
        rounds=watch.evidence.rounds,
        alarms=tuple(alarms),
        remarks=tuple(remarks),
        faults=sum(watch.faults.values()),
        unreadable=watch.unreadable,
    )


def start(
    feed: Feed, game: RuleBook | None, options: CrosscheckOptions, state: Path | None, pause: int = 0
) -> tuple[Watch, bytes] | None:
    """Return a watch and the rows to add first, as soon as there is a row; None if none came.

    ``state``: the file of an earlier watch, from which to go on. ``pause``: seconds between attempts; 0 for one attempt.
    """
    content, started = b"", None
    while started is None and not feed.has_ended:
        lines = feed.more()
        content += lines
        if lines:
            started = watch_of(content, feed.place, game, options)
        elif not pause:
            break
        else:
            time.sleep(pause)
    if started is None or state is None or not state.exists():
        return started
    watch, rows = started
    watch.go_on(state, feed)
    return watch, b"" if isinstance(feed, GrowingFile) else rows


def looks(watch: Watch, feed: Feed, rows: bytes, pause: int = 0) -> Iterator[list[str]]:
    """Add rows as they come; yield the remarks on them. ``pause``: seconds between attempts; 0 to stop without new rows."""
    yield watch.look(rows) if rows else []
    while not feed.has_ended:
        if rows := feed.more():
            yield watch.look(rows)
        elif pause:
            time.sleep(pause)
        else:
            return
