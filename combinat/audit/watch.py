"""A hand log watched as it grows: each row is checked against the rules, and chance by evidence valid at any time.

A row that contradicts the rules is an alarm by itself. For chance there is ``RunningEvidence``: over the whole life of
a watch a right log raises an alarm with a probability of at most alpha, however often the evidence is evaluated.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np

from combinat.audit.evidence import SUBJECTS, RunningEvidence, level_of
from combinat.audit.judging.counting import certain_to_finish
from combinat.audit.judging.faults import SHOWN, Ledger
from combinat.audit.judging.judge import CrosscheckOptions
from combinat.audit.judging.replay import MOST_TABLES, LogTable, Piece, Replay
from combinat.audit.judging.serial import Last
from combinat.audit.reading.hand_log import HandLog, located, open_log, shoe_of
from combinat.audit.reading.rounds import Number, Numbering
from combinat.audit.reading.rows import BEAD_BYTES, is_beads
from combinat.audit.reading.source import COMPRESSED, MARK, Feed, GrowingFile, Source
from combinat.audit.verdict import FaultKind
from combinat.base.errors import FileError
from combinat.base.files import plain_bytes, write_whole
from combinat.base.money import format_money
from combinat.montecarlo.cell import chosen
from combinat.rules.book.load import RuleBook

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

Count = Annotated[int, msgspec.Meta(ge=0, lt=2**62)]


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


class Place(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How far a log was read. ``bytes``: of a file; None for standard input."""

    line: Annotated[int, msgspec.Meta(ge=1, lt=2**62)]
    bytes: Count | None = None
    tail_sha256: str | None = None


class TableState(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The state of a table."""

    last_round: Number
    last_shoe: Number
    last_number: Number
    used: list[Count]
    last_cards: str
    cards: list[int] | None
    winner: int | None


class GamblerState(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The money of a gambler and the counts from which it learns."""

    subject: str
    strength: int
    holds: float
    seen: list[list[float]]
    expected: list[list[float]]


class WatchState(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The state of a watch. ``faults``: their number by kind; ``undelivered``: alarms that could not be printed."""

    schema: str
    subject: WatchSubject
    place: Place
    rows: Count
    missing: Count
    faults: dict[FaultKind, Count]
    undelivered: list[str]
    rounds: Count
    highest: float
    tables: dict[str, TableState]
    numbering: dict[str, Numbering]
    gamblers: list[GamblerState]


def read_state(path: Path) -> WatchState:
    """Return the state in a file."""
    try:
        state = msgspec.json.decode(plain_bytes(path, MOST_BYTES, links=True), type=WatchState)
    except FileError as error:
        raise FileError(f"{path}: {error.why}") from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise FileError(f"{path}: no state of a watch: {error}; write it to another file") from None
    if state.schema != SCHEMA:
        raise FileError(f'{path}: schema: found "{state.schema}"; this version reads {SCHEMA}')
    return state


def write_state(path: Path, state: WatchState) -> None:
    """Write a state, whole or not at all."""
    write_whole(path, msgspec.json.format(msgspec.json.encode(state), indent=1).decode())


# ---------------------------------------------------------------- the watch


class Watch:
    """A log, watched as far as its lines have been added. ``undelivered``: alarms that were not printed yet, a line each."""

    def __init__(self, log: HandLog, book: RuleBook, options: CrosscheckOptions) -> None:
        game, place = book.game, log.source.place
        if log.lines is None or not log.has_cards:
            raise FileError(f"{place}: {ONLY_LINES}")
        self.log, self.alpha = log, options.alpha
        shoe, columns = shoe_of(log, game, options.shoe), log.columns(game)
        cut_card, chips = log.cut_card(shoe, options.cut_card), log.chips
        self.replay = Replay(game, shoe, columns, cut_card, chips, notation=log.notation, waits=False)
        self.ledger = Ledger()
        self.evidence = RunningEvidence(game, shoe, cut_card is not None, log.tells_ranks)
        self.translation = log.translation() if log.translation else None
        self.line = log.first_line
        self.undelivered: list[str] = []
        self._level = level_of(self.alpha.as_integer_ratio())
        self._met_at: int | None = None
        self._met_after = 0
        self.subject = WatchSubject(
            game=game.id,
            rule_book_sha256=book.sha256,
            shoe=str(shoe),
            cut_card=cut_card,
            rounding=None if chips is None else f"{chips[1]} to whole {format_money(chips[0])}",
            alpha=str(self.alpha),
            columns=list(log.names),
            read_as=list(log.read_as),
        )

    @property
    def has_alarmed(self) -> bool:
        """Whether the evidence has ever reached the level."""
        return self.evidence.highest >= self._level

    @property
    def unreadable(self) -> int:
        """The number of rows that could not be read."""
        return self.ledger.counts[FaultKind.UNREADABLE]

    @property
    def faults(self) -> dict[str, int]:
        """The number of faults that contradict the rules, by kind in words."""
        counts = {what: self.ledger.counts[kind] for kind, what in ALARMS.items()}
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
        """Add whole lines: alarms go to the undelivered; return the remarks on these lines."""
        assert self.log.lines is not None
        before = dict(self.ledger.counts)
        rows, lines = self.log.lines(content, self.line)
        self.line += lines
        with located(self.log.source.place):
            for piece in self.replay.add(self.translation.rows(rows) if self.translation else rows):
                self.ledger.add(piece.faults)
                self._add(piece)
        self.undelivered += [text for kind, what in ALARMS.items() for text in self._new(kind, what, before)]
        if self._met_at is not None:
            self.undelivered.append(f"line {self._met_at}: {self.against}")
        remarks = [text for kind, what in REMARKS.items() for text in self._new(kind, what, before)]
        self.ledger.forget_first()
        self._met_at = None
        return remarks

    def _new(self, kind: FaultKind, what: str, before: dict[FaultKind, int]) -> Iterator[str]:
        """A line for each of the first new faults of a kind, and the number of the others."""
        first = self.ledger.first[kind]
        for fault in first:
            message = fault.message
            if kind is FaultKind.SETTLEMENT:
                message = f"{message} {fault.paid}, due {fault.due} by {fault.clause}"
            yield f"line {fault.line}: {what}: {message}" + (f" ({fault.cards})" if fault.cards else "")
        more = self.ledger.counts[kind] - before[kind] - len(first)
        if more > 0 and kind is not FaultKind.GAP:
            yield f"{what}: {more} more, beyond the {SHOWN} that are listed"

    def _add(self, piece: Piece) -> None:
        """The rounds of a piece that could be dealt."""
        rounds, left, _ = certain_to_finish(piece, self.replay.whole_shoes)
        if not len(rounds):
            return
        had_alarmed, so_far = self.has_alarmed, self.evidence.rounds
        dealt, cells = chosen(piece.dealt, rounds), piece.cells[rounds]
        first = self.evidence.add(piece.table.last, left, dealt, cells, self._level)
        if first is not None and not had_alarmed:
            self._met_at, self._met_after = int(piece.rows.lines[rounds[first]]), so_far + first + 1

    def state(self, feed: Feed) -> WatchState:
        """Return the state of the watch."""
        place = Place(line=self.line)
        if isinstance(feed, GrowingFile):
            sha256 = hashlib.sha256(feed.tail).hexdigest()
            place = Place(line=self.line, bytes=feed.done, tail_sha256=sha256)
        return WatchState(
            schema=SCHEMA,
            subject=self.subject,
            place=place,
            rows=self.replay.rows,
            missing=self.replay.missing,
            faults=self.ledger.counts,
            undelivered=self.undelivered,
            rounds=self.evidence.rounds,
            highest=self.evidence.highest,
            tables={
                name: TableState(
                    last_round=table.last_round,
                    last_shoe=table.last_shoe,
                    last_number=table.last_number,
                    used=table.used.tolist(),
                    last_cards=table.last_cards,
                    cards=list(table.last.cards) if table.last.cards is not None else None,
                    winner=table.last.winner,
                )
                for name, table in self.replay.tables.items()
            },
            numbering=self.translation.numbering if self.translation else {},
            gamblers=[
                GamblerState(
                    subject=subject,
                    strength=strength,
                    holds=gambler.holds,
                    seen=gambler.seen.tolist(),
                    expected=gambler.expected.tolist(),
                )
                for (subject, strength), gambler in self.evidence.gamblers.items()
            ],
        )

    def go_on(self, path: Path, feed: Feed) -> None:
        """Go on where the state in a file left off; a state of another log is refused."""
        state = read_state(path)
        for key in WatchSubject.__struct_fields__:
            mine, theirs = getattr(self.subject, key), getattr(state.subject, key)
            if mine != theirs:
                raise FileError(
                    f"{path}: {key.replace('_', ' ')}: the state is of {_in_words(theirs)}, and this is "
                    f"{_in_words(mine)}; begin again with another state"
                )
        if isinstance(feed, GrowingFile):
            if state.place.bytes is None or state.place.tail_sha256 is None:
                raise FileError(f"{path}: the state is of standard input; begin again with another state")
            feed.go_on(state.place.bytes, state.place.tail_sha256)
            self.line = state.place.line
        elif state.place.bytes is not None:
            raise FileError(f"{path}: the state is of a file; begin again with another state")
        for where, fits in self._restored(state):
            if not fits:
                raise FileError(f"{path}: {where}: not as a watch writes it; begin again with another state")

    def _restored(self, state: WatchState) -> Iterator[tuple[str, bool]]:
        """Restore everything from a state; yield each part, and whether it has the form that a watch writes."""
        self.undelivered = list(state.undelivered)
        self.replay.rows, self.replay.missing = state.rows, state.missing
        yield "faults", state.faults.keys() == self.ledger.counts.keys()
        self.ledger.counts.update(state.faults)
        yield "tables", len(state.tables) <= MOST_TABLES
        for name, table in state.tables.items():
            cards = table.cards
            fits = len(table.used) == len(self.replay.shoe.counts) and table.winner in (None, 0, 1, 2)
            fits &= cards is None or (len(cards) == 6 and all(0 <= card <= 13 for card in cards))
            yield f"tables.{name}", fits
            self.replay.tables[name] = LogTable(
                last_round=table.last_round,
                last_shoe=table.last_shoe,
                used=np.array(table.used, dtype=np.int64),
                last_cards=table.last_cards,
                last_number=table.last_number,
                last=Last(cards=None if cards is None else tuple(cards), winner=table.winner),
            )
        yield "numbering", bool(state.numbering) <= (self.translation is not None)
        if self.translation is not None:
            self.translation.numbering.update(state.numbering)
        yield "highest", bool(np.isfinite(state.highest))
        self.evidence.rounds, self.evidence.highest = state.rounds, state.highest
        by_name = {(one.subject, one.strength): one for one in state.gamblers}
        yield "gamblers", by_name.keys() == self.evidence.gamblers.keys()
        for name_of, gambler in self.evidence.gamblers.items():
            theirs = by_name[name_of]
            for mine, rows in ((gambler.seen, theirs.seen), (gambler.expected, theirs.expected)):
                fits = len(rows) == len(mine) and all(len(row) == mine.shape[1] for row in rows)
                yield f"gamblers.{name_of[0]}", fits
                mine[:] = rows
                yield f"gamblers.{name_of[0]}", bool((np.isfinite(mine) & (mine >= 0)).all())
            yield f"gamblers.{name_of[0]}", bool(np.isfinite(theirs.holds))
            gambler.holds = theirs.holds


def _in_words(value: object) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= 100 else f"{text[:100]} ..."


def watch_of(
    content: bytes, place: str, game: RuleBook | None, options: CrosscheckOptions
) -> tuple[Watch, bytes] | None:
    """Return a watch on a log that begins with these lines, and the rows among them; None if there is no row yet."""
    source, begin = Source.of(place, content), content[:BEAD_BYTES]
    is_list = begin.removeprefix(MARK).lstrip().startswith(b"[")
    if begin.startswith(COMPRESSED) or is_list or is_beads(begin):
        raise FileError(f"{source.place}: {ONLY_LINES}")
    lines = content.splitlines(keepends=True)
    first = 0
    if not source.is_json:
        header = next((number for number, line in enumerate(lines) if not line.startswith(b"#")), len(lines))
        first = header + 1
    if not any(line.strip() for line in lines[first:]):
        return None
    book, log = open_log(source, game, options.log_map)
    watch = Watch(log, book, options)
    return watch, b"".join(lines[watch.line - 1 :])
