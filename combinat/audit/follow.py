"""The watch of a growing hand log: exact checks of each row, and evidence that is valid at any time.

A row that contradicts the rules is an alarm by itself. ``RunningEvidence`` tests the distribution of rounds:
over the whole life of a watch, the probability of a false alarm is at most alpha, however often the evidence
is evaluated.
"""

import hashlib
import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated

import msgspec

from combinat.audit.evidence import SUBJECTS, Finite, Gambler, RunningEvidence, level_of
from combinat.audit.judging.faults import SHOWN
from combinat.audit.judging.ledger import Ledger
from combinat.audit.judging.replay import Piece, pieces
from combinat.audit.judging.sequence import MOST_TABLES, Count, LogTable, by_table
from combinat.audit.judging.terms import LogTerms, Statements, files_read, shoe_of
from combinat.audit.reading.hand_log import HandLog, located, open_log
from combinat.audit.reading.log_map import LogMapGiven
from combinat.audit.reading.rounds import Numbering
from combinat.audit.reading.rows import BEAD_BYTES, is_beads
from combinat.audit.reading.source import COMPRESSED, Feed, FileForm, GrowingFile, Source
from combinat.audit.verdict import FaultKind
from combinat.base.errors import FileError
from combinat.base.files import plain_bytes, write_whole
from combinat.base.money import Amount, format_money
from combinat.base.output_paths import refuse_inputs
from combinat.base.relation import Exact
from combinat.base.tabular import Tabular
from combinat.rules.converters import GameGiven, ShoeGiven, as_path, as_probability
from combinat.rules.game import Game

SCHEMA = "combinat/watch/3"
MOST_BYTES = 2**24

ALARMS = {
    FaultKind.REPEATED: "round given again",
    FaultKind.IMPOSSIBLE: "impossible deal",
    FaultKind.DECLARED: "declared otherwise",
    FaultKind.SETTLEMENT: "wrong settlement",
}
"""The faults that raise an alarm, in words."""

REMARKS = {FaultKind.UNREADABLE: "unreadable row", FaultKind.GAP: "gap"}
"""The faults that are only remarked."""

ONLY_LINES = (
    "only a log of cards that grows by lines can be followed, CSV or JSON lines, and not a JSON list, Parquet, "
    "a compressed file or results alone; judge it whole"
)

# ---------------------------------------------------------------- the state


class WatchSubject(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The subject of a watch: a state of another subject is refused."""

    game: str
    rule_book_sha256: str
    shoe: str
    cut_card: int | None
    rounding: str | None
    alpha: str
    columns: list[str]
    read_as: list[tuple[str, str]]


class Place(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The position up to which a log was read. ``bytes``: of a file; None for standard input."""

    line: Annotated[int, msgspec.Meta(ge=1, lt=2**62)]
    bytes: Count | None = None
    tail_sha256: str | None = None


class WatchState(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The state of a watch. ``faults``: their number by kind; ``undelivered``: alarms that could not be printed."""

    schema: str
    subject: WatchSubject
    place: Place
    rows: Count
    missing: Count
    faults: dict[FaultKind, Count]
    undelivered: list[str]
    rounds: Count
    highest: Finite
    tables: dict[str, LogTable]
    numbering: dict[str, Numbering]
    gamblers: list[Gambler]


def read_state(path: Path) -> WatchState:
    """Return the state in a file."""
    try:
        state = msgspec.json.decode(plain_bytes(path, MOST_BYTES, links=True), type=WatchState)
    except FileError as error:
        raise FileError(f"{path}: {error.why}") from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise FileError(f"{path}: not a state of a followed log: {error}; write it to another file") from None
    if state.schema != SCHEMA:
        raise FileError(f'{path}: schema: found "{state.schema}"; this version reads {SCHEMA}')
    return state


def write_state(path: Path, state: WatchState) -> None:
    """Write a state atomically."""
    write_whole(path, msgspec.json.format(msgspec.json.encode(state), indent=1).decode())


# ---------------------------------------------------------------- the watch


class Watch:
    """A watch on a log: its terms, and its state so far."""

    def __init__(self, log: HandLog, game: Game, statements: Statements, alpha: Fraction) -> None:
        place = log.source.place
        if log.lines is None or not log.has_cards:
            raise FileError(f"{place}: {ONLY_LINES}")
        self.log, self.alpha = log, alpha
        self.terms = LogTerms.of(log, game, shoe_of(log, game, statements), statements.cut_card)
        self.evidence, self.translator = RunningEvidence(self.terms), log.new_translator()
        self._level = level_of(alpha)
        self._met_at: int | None = None
        self._met_after = 0
        chips = self.terms.chips
        self.state = WatchState(
            schema=SCHEMA,
            subject=WatchSubject(
                game=game.id,
                rule_book_sha256=game.sha256,
                shoe=str(self.terms.shoe),
                cut_card=self.terms.cut_card,
                rounding=None if chips is None else f"{chips[1]} to whole {format_money(chips[0])}",
                alpha=str(alpha),
                columns=list(log.names),
                read_as=list(log.read_as),
            ),
            place=Place(line=log.first_line),
            rows=0,
            missing=0,
            faults=dict.fromkeys(FaultKind, 0),
            undelivered=[],
            rounds=0,
            highest=self.evidence.highest,
            tables={},
            numbering=self.translator.numbering,
            gamblers=list(self.evidence.gamblers.values()),
        )

    @property
    def has_alarmed(self) -> bool:
        """Whether the evidence has ever reached the level."""
        return self.evidence.highest >= self._level

    @property
    def unreadable(self) -> int:
        """The number of rows that could not be read."""
        return self.state.faults[FaultKind.UNREADABLE]

    @property
    def faults(self) -> dict[str, int]:
        """The number of faults that contradict the rules, by kind in words."""
        counts = {what: self.state.faults[kind] for kind, what in ALARMS.items()}
        return {what: count for what, count in counts.items() if count}

    @property
    def against(self) -> str:
        """The alarm of the evidence, in words."""
        rounds = self._met_after or self.evidence.rounds
        return (
            f"off beyond chance in {SUBJECTS[self.evidence.richest]}: after {rounds} rounds the evidence reached "
            f"{round(1 / self.alpha)} to 1; the probability that a right log ever reaches it is at most "
            f"{format_money(self.alpha)}"
        )

    def look(self, content: bytes) -> list[str]:
        """Add complete lines, append alarms to those that are undelivered, and return the remarks on these lines."""
        assert self.log.lines is not None
        state, ledger, self._met_at = self.state, Ledger(), None
        rows, lines = self.log.lines(content, state.place.line)
        state.place.line += lines
        with located(self.log.source.place):
            batches = ledger.reading([self.translator.rows(rows)])
            parts = (part for batch in batches for part in by_table(batch))
            for piece in pieces(self.terms, parts, state.tables):
                ledger.add(piece)
                self._add(piece)
        state.rows += ledger.rows
        state.missing += ledger.missing
        for kind, count in ledger.counts.items():
            state.faults[kind] += count
        state.undelivered += [text for kind, what in ALARMS.items() for text in _lines(ledger, kind, what)]
        if self._met_at is not None:
            state.undelivered.append(f"line {self._met_at}: {self.against}")
        return [text for kind, what in REMARKS.items() for text in _lines(ledger, kind, what)]

    def _add(self, piece: Piece) -> None:
        """Add the rounds of a piece that could be dealt."""
        rounds, had_alarmed, so_far = piece.certain_rounds, self.has_alarmed, self.evidence.rounds
        if not len(rounds):
            return
        dealt, cells = piece.dealt.take(rounds), piece.cells[rounds]
        first = self.evidence.add(piece.table, piece.left_before, dealt, cells, self._level)
        if first is not None and not had_alarmed:
            self._met_at, self._met_after = int(piece.rows.lines[rounds[first]]), so_far + first + 1

    def at(self, feed: Feed) -> WatchState:
        """Return the state of the watch, up to the present position in the log."""
        if isinstance(feed, GrowingFile):
            self.state.place.bytes = feed.done
            self.state.place.tail_sha256 = hashlib.sha256(feed.tail).hexdigest()
        self.state.rounds, self.state.highest = self.evidence.rounds, self.evidence.highest
        return self.state

    def go_on(self, path: Path, feed: Feed) -> None:
        """Continue from the state in a file; refuse a state of another log."""
        state = read_state(path)
        for key in WatchSubject.__struct_fields__:
            mine, theirs = getattr(self.state.subject, key), getattr(state.subject, key)
            if mine != theirs:
                raise FileError(
                    f"{path}: {key.replace('_', ' ')}: the state is of {_in_words(theirs)}, and this is "
                    f"{_in_words(mine)}; begin again with another state"
                )
        if isinstance(feed, GrowingFile):
            if state.place.bytes is None or state.place.tail_sha256 is None:
                raise FileError(f"{path}: the state is of standard input; begin again with another state")
            feed.go_on(state.place.bytes, state.place.tail_sha256)
        elif state.place.bytes is not None:
            raise FileError(f"{path}: the state is of a file; begin again with another state")
        else:
            state.place.line = self.state.place.line
        gamblers = {(one.subject, one.strength): one for one in state.gamblers}
        mine = {name: gambler.shape for name, gambler in self.evidence.gamblers.items()}
        fits = {
            "faults": state.faults.keys() == self.state.faults.keys(),
            "tables": len(state.tables) <= MOST_TABLES,
            "numbering": not (state.numbering and self.translator.is_native),
            "gamblers": {name: one.shape for name, one in gamblers.items()} == mine,
        }
        for key, does_fit in fits.items():
            if not does_fit:
                raise FileError(f"{path}: {key}: not as a watch writes it; begin again with another state")
        self.state, self.evidence.gamblers, self.translator.numbering = state, gamblers, state.numbering
        self.evidence.rounds, self.evidence.highest = state.rounds, state.highest


def _lines(ledger: Ledger, kind: FaultKind, what: str) -> Iterator[str]:
    """Yield a line for each of the first faults of a kind, and the number of the others."""
    first = ledger.first[kind]
    for fault in first:
        message = fault.message
        if kind is FaultKind.SETTLEMENT:
            message = f"{message} {fault.paid}, due {fault.due} by {fault.clause}"
        yield f"line {fault.line}: {what}: {message}" + (f" ({fault.cards})" if fault.cards else "")
    more = ledger.counts[kind] - len(first)
    if more > 0 and kind is not FaultKind.GAP:
        yield f"{what}: {more} more, beyond the {SHOWN} that are listed"


def _in_words(value: object) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= 100 else f"{text[:100]} ..."


def watch_of(
    content: bytes, place: str, statements: Statements, alpha: Fraction
) -> tuple[Watch, bytes] | None:
    """Return a watch on a log that begins with these lines, and the rows among them.

    None if there is no row yet.
    """
    source, begin = Source.of(place, content), content[:BEAD_BYTES]
    if begin.startswith(COMPRESSED) or source.form is FileForm.JSON_LIST or is_beads(begin):
        raise FileError(f"{source.place}: {ONLY_LINES}")
    lines = content.splitlines(keepends=True)
    first = 0
    if source.form is FileForm.DELIMITED:
        header = next((number for number, line in enumerate(lines) if not line.startswith(b"#")), len(lines))
        first = header + 1
    if not any(line.strip() for line in lines[first:]):
        return None
    game, log = open_log(source, statements.game, statements.log_map)
    return Watch(log, game, statements, alpha), b"".join(lines[log.first_line - 1 :])


# ---------------------------------------------------------------- the question


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed(Tabular):
    """A log that grows, as far as it was read: new alarms and remarks, each in one line.

    ``rounds``: all rounds judged so far; ``faults``: all faults that contradict the rules so far;
    ``unreadable``: rows that could not be read. A right log raises an alarm, over all calls together, with a
    probability of at most ``alpha``.

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

    ``state``: a file that keeps the state of the watch. With it, call again as often as you like: only new
    rows are read, and the probability of a false alarm over all calls together is at most ``alpha``. The
    other parameters are those of ``crosscheck``.

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
    statements = Statements.of(game, log_map, shoe=shoe, cut_card=cut_card)
    level = as_probability("alpha", alpha, Fraction(1, 2))
    feed = GrowingFile(place)
    started = start(feed, statements, level, kept)
    if started is None:
        return Followed(path=place, alpha=level)
    watch, rows = started
    alarms = [watch.against] if watch.has_alarmed else []
    remarks = [remark for look in watch_rows(watch, feed, rows) for remark in look]
    alarms += watch.state.undelivered
    watch.state.undelivered.clear()
    if kept is not None:
        write_state(kept, watch.at(feed))
    return Followed(
        path=place,
        alpha=level,
        rounds=watch.evidence.rounds,
        alarms=tuple(alarms),
        remarks=tuple(remarks),
        faults=sum(watch.faults.values()),
        unreadable=watch.unreadable,
    )


def start(
    feed: Feed, statements: Statements, alpha: Fraction, state: Path | None, pause: int = 0
) -> tuple[Watch, bytes] | None:
    """Return a watch and the rows to add first, as soon as there is a row; None if none came.

    ``state``: the file of an earlier watch, from which to go on. ``pause``: seconds between attempts; 0 for
    one attempt.
    """
    content, started = b"", None
    while started is None and not feed.has_ended:
        lines = feed.more()
        content += lines
        if lines:
            started = watch_of(content, feed.place, statements, alpha)
        elif not pause:
            break
        else:
            time.sleep(pause)
    if started is None or state is None or not state.exists():
        return started
    watch, rows = started
    watch.go_on(state, feed)
    return watch, b"" if isinstance(feed, GrowingFile) else rows


def watch_rows(watch: Watch, feed: Feed, rows: bytes, pause: int = 0) -> Iterator[list[str]]:
    """Add rows as they come; yield the remarks on them.

    ``pause``: seconds between attempts; 0 to stop without new rows.
    """
    yield watch.look(rows) if rows else []
    while not feed.has_ended:
        if rows := feed.more():
            yield watch.look(rows)
        elif pause:
            time.sleep(pause)
        else:
            return
