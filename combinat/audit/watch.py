"""A hand log followed as it grows: each row is checked against the rules, and chance by evidence that may be evaluated any time.

What the rules contradict is an alarm by itself. For chance there is ``RunningEvidence``: over the whole life of a watch a
right log raises it with a probability of at most alpha, however often it is evaluated.
"""

import hashlib
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np

from combinat.audit.evidence import SUBJECTS, RunningEvidence, level_of
from combinat.audit.judging.counting import certain_to_finish
from combinat.audit.judging.faults import SHOWN, Ledger
from combinat.audit.judging.judge import rule_book_of, shoe_of
from combinat.audit.judging.numbering import LogTable
from combinat.audit.judging.replay import MOST_TABLES, Piece, Replay
from combinat.audit.judging.serial import Last
from combinat.audit.reading.beads import FIRST_BYTES, is_beads
from combinat.audit.reading.hand_log import HandLog, check_columns, hand_log, opened
from combinat.audit.reading.log_map import LogMap
from combinat.audit.reading.rounds import Number, Numbering, Translator
from combinat.audit.reading.source import COMPRESSED, MARK, Feed, GrowingFile, Source
from combinat.audit.verdict import FaultKind
from combinat.base.errors import FileError
from combinat.base.files import plain_bytes, write_whole
from combinat.base.money import format_money
from combinat.montecarlo.cell import chosen
from combinat.rules.book.load import RuleBook
from combinat.rules.shoe import Shoe

SCHEMA = "combinat/watch/2"
MOST_BYTES = 2**24

Count = Annotated[int, msgspec.Meta(ge=0, lt=2**62)]


class WatchSubject(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is watched: a state of anything else is refused."""

    game: str
    rule_book_sha256: str
    shoe: str
    cut_card: int | None
    rounding: str | None
    alpha: str
    columns: list[str]
    read_as: list[tuple[str, str]]


class Place(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How far a log was read. ``bytes``: of a file; nothing of standard input."""

    line: Annotated[int, msgspec.Meta(ge=1, lt=2**62)]
    bytes: Count | None = None
    tail_sha256: str | None = None


class FaultCounts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Rows so far, and those that are something else."""

    rows: Count
    unreadable: Count
    impossible: Count
    misdeclared: Count
    wrong: Count
    missing: Count
    repeated: Count = 0

    @property
    def against_the_rules(self) -> int:
        """How many faults contradict the rules."""
        return self.impossible + self.misdeclared + self.wrong + self.repeated


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
    """What a gambler holds and has learnt."""

    subject: str
    strength: int
    holds: float
    seen: list[list[float]]
    expected: list[list[float]]


class WatchState(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A watch. ``undelivered``: alarms that could not be printed."""

    schema: str
    subject: WatchSubject
    place: Place
    faults: FaultCounts
    undelivered: list[str]
    rounds: Count
    highest: float
    tables: dict[str, TableState]
    numbering: dict[str, Numbering]
    gamblers: list[GamblerState]


def read_state(path: Path) -> WatchState:
    """The state in a file."""
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


def check_subject(path: Path, state: WatchState, subject: WatchSubject) -> None:
    """Refuse a state of something else than this."""
    for key in WatchSubject.__struct_fields__:
        mine, theirs = getattr(subject, key), getattr(state.subject, key)
        if mine != theirs:
            raise FileError(
                f"{path}: {key.replace('_', ' ')}: the state is of {_said(theirs)}, and this is {_said(mine)}; "
                "begin again with another state"
            )


def _said(value: object) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= 100 else f"{text[:100]} ..."


# ---------------------------------------------------------------- of what is watched


_KINDS = {
    "unreadable": FaultKind.UNREADABLE,
    "impossible": FaultKind.IMPOSSIBLE,
    "misdeclared": FaultKind.DECLARED,
    "wrong": FaultKind.SETTLEMENT,
    "repeated": FaultKind.REPEATED,
}


def faults_of(replay: Replay, ledger: Ledger) -> FaultCounts:
    """The rows of a log so far, and those with faults."""
    counts = {key: ledger.counts[kind] for key, kind in _KINDS.items()}
    return FaultCounts(rows=replay.rows, missing=replay.missing, **counts)


def tables_of(replay: Replay) -> dict[str, TableState]:
    """The state of each table."""
    return {
        name: TableState(
            last_round=table.last_round,
            last_shoe=table.last_shoe,
            last_number=table.last_number,
            used=table.used.tolist(),
            last_cards=table.last_cards,
            cards=list(table.last.cards) if table.last.cards is not None else None,
            winner=table.last.winner,
        )
        for name, table in replay.tables.items()
    }


def gamblers_of(evidence: RunningEvidence) -> list[GamblerState]:
    """What the gamblers hold."""
    return [
        GamblerState(
            subject=subject,
            strength=strength,
            holds=gambler.holds,
            seen=gambler.seen.tolist(),
            expected=gambler.expected.tolist(),
        )
        for (subject, strength), gambler in evidence.gamblers.items()
    ]


def restore(
    path: Path,
    state: WatchState,
    replay: Replay,
    ledger: Ledger,
    translation: Translator | None,
    evidence: RunningEvidence,
) -> None:
    """Restore everything from a state."""
    replay.rows, replay.missing = state.faults.rows, state.faults.missing
    for key, kind in _KINDS.items():
        ledger.counts[kind] = getattr(state.faults, key)
    held = np.array(replay.shoe.counts)
    for name, table in state.tables.items():
        fits = len(table.used) == len(held)
        fits &= table.cards is None or (
            len(table.cards) == 6 and all(0 <= card <= 13 for card in table.cards)
        )
        _check(path, f"tables.{name}", fits and table.winner in (None, 0, 1, 2))
        last = Last(cards=tuple(table.cards) if table.cards is not None else None, winner=table.winner)
        replay.tables[name] = LogTable(
            last_round=table.last_round,
            last_shoe=table.last_shoe,
            used=np.array(table.used, dtype=np.int64),
            last_cards=table.last_cards,
            last_number=table.last_number,
            last=last,
        )
    _check(path, "tables", len(state.tables) <= MOST_TABLES)
    _check(path, "numbering", bool(state.numbering) <= (translation is not None))
    for name, numbering in state.numbering.items():
        if translation is not None:
            translation.numbering[name] = numbering
    _restore_evidence(path, state, evidence)


def _restore_evidence(path: Path, state: WatchState, evidence: RunningEvidence) -> None:
    _check(path, "highest", bool(np.isfinite(state.highest)))
    evidence.rounds, evidence.highest = state.rounds, state.highest
    by_name = {(one.subject, one.strength): one for one in state.gamblers}
    _check(path, "gamblers", by_name.keys() == evidence.gamblers.keys())
    for name, gambler in evidence.gamblers.items():
        theirs = by_name[name]
        for mine, rows in ((gambler.seen, theirs.seen), (gambler.expected, theirs.expected)):
            fits = len(rows) == len(mine) and all(len(row) == mine.shape[1] for row in rows)
            _check(path, f"gamblers.{name[0]}", fits)
            mine[:] = rows
            _check(path, f"gamblers.{name[0]}", bool((np.isfinite(mine) & (mine >= 0)).all()))
        _check(path, f"gamblers.{name[0]}", bool(np.isfinite(theirs.holds)))
        gambler.holds = theirs.holds


def _check(path: Path, where: str, fits: bool) -> None:
    if not fits:
        raise FileError(f"{path}: {where}: not as a watch writes it; begin again with another state")


ONLY_LINES = (
    "only a log of cards that grows by lines can be followed, CSV or JSON lines, and not a JSON list, Parquet, "
    "a compressed file or results alone; judge it whole"
)


ALARMS = {
    FaultKind.REPEATED: "round given again",
    FaultKind.IMPOSSIBLE: "impossible deal",
    FaultKind.DECLARED: "declared otherwise",
    FaultKind.SETTLEMENT: "wrong settlement",
}
REMARKS = {FaultKind.UNREADABLE: "unreadable row", FaultKind.GAP: "gap"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """The options of a watch: the game and the shoe if the log names none, the level, the map."""

    game: RuleBook | str | None = None
    shoe: Shoe | None = None
    cut_card: int | None = None
    alpha: Fraction
    log_map: LogMap


class Watch:
    """A log, watched as far as its lines have been added. ``undelivered``: alarms that were not printed yet, a line each."""

    def __init__(self, log: HandLog, book: RuleBook, given: Watched) -> None:
        game, place = book.game, log.source.place
        if log.lines is None or not log.has_cards:
            raise FileError(f"{place}: {ONLY_LINES}")
        self.log, self.alpha = log, given.alpha
        self.shoe, columns = shoe_of(log, game, given.shoe), log.columns(game)
        if not log.tells_ranks:
            check_columns(place, columns, game)
        cut_card = log.cut_card(self.shoe, given.cut_card)
        chips, tells_ranks = log.chips, log.tells_ranks
        self.undelivered: list[str] = []
        self.replay = Replay(game, self.shoe, columns, cut_card, chips, tells_ranks=tells_ranks, waits=False)
        self.ledger = Ledger()
        self.evidence = RunningEvidence(game, self.shoe, cut_card is not None, tells_ranks)
        self.translation = log.translation() if log.translation else None
        self.line = log.first_line
        self._level = level_of(given.alpha.as_integer_ratio())
        self._met_at: int | None = None
        self._met_after = 0
        self.subject = WatchSubject(
            game=game.id,
            rule_book_sha256=book.sha256,
            shoe=str(self.shoe),
            cut_card=cut_card,
            rounding=None if chips is None else f"{chips[1]} to whole {format_money(chips[0])}",
            alpha=str(given.alpha),
            columns=list(log.names),
            read_as=list(log.read_as),
        )

    @property
    def has_alarmed(self) -> bool:
        """Whether the evidence has ever reached the level."""
        return self.evidence.highest >= self._level

    @property
    def faults(self) -> FaultCounts:
        """The rows so far, and those with faults."""
        return faults_of(self.replay, self.ledger)

    def look(self, content: bytes) -> list[str]:
        """Add whole lines: alarms go to the undelivered; the remarks on these lines."""
        assert self.log.lines is not None
        before = dict(self.ledger.counts)
        rows, lines = self.log.lines(content, self.line)
        self.line += lines
        try:
            for piece in self.replay.add(self.translation.rows(rows) if self.translation else rows):
                self.ledger.add(piece.faults)
                self._add(piece)
        except FileError as error:
            place = self.log.source.place
            raise FileError(str(error) if str(error).startswith(place) else f"{place}: {error}") from None
        self.undelivered += [text for kind in ALARMS for text in self._told(kind, before[kind])]
        if self._met_at is not None:
            self.undelivered.append(f"line {self._met_at}: {self.against}")
        remarks = [text for kind in REMARKS for text in self._told(kind, before[kind])]
        self.ledger.forget_first()
        self._met_at = None
        return remarks

    def _told(self, kind: FaultKind, before: int) -> list[str]:
        """A line for each of the first new faults of a kind, and how many more there are."""
        what, lines = {**ALARMS, **REMARKS}[kind], list[str]()
        for fault in self.ledger.first[kind]:
            said = fault.message
            if kind is FaultKind.SETTLEMENT:
                said = f"{said} {fault.paid}, due {fault.due} by {fault.clause}"
            lines.append(f"line {fault.line}: {what}: {said}" + (f" ({fault.cards})" if fault.cards else ""))
        more = self.ledger.counts[kind] - before - len(lines)
        if more > 0 and kind is not FaultKind.GAP:
            lines.append(f"{what}: {more} more, beyond the {SHOWN} that are listed")
        return lines

    @property
    def against(self) -> str:
        """The alarm of the evidence, in words."""
        return (
            f"off beyond chance in {SUBJECTS[self.evidence.richest]}: after {self._met_after or self.evidence.rounds} rounds the evidence reached "
            f"{round(1 / self.alpha)} to 1; the probability that a right log ever reaches it is at most {format_money(self.alpha)}"
        )

    def _add(self, piece: Piece) -> None:
        """The rounds of a piece that could be dealt."""
        rounds, left, _ = certain_to_finish(piece, self.replay.whole_shoes)
        if not len(rounds):
            return
        told, so_far = self.has_alarmed, self.evidence.rounds
        dealt, cells = chosen(piece.dealt, rounds), piece.cells[rounds]
        first = self.evidence.add(piece.table.last, left, dealt, cells, self._level)
        if first is not None and not told:
            self._met_at, self._met_after = int(piece.rows.lines[rounds[first]]), so_far + first + 1

    # ------------------------------------------------------------ where it stands

    def state(self, feed: Feed) -> WatchState:
        """The state of the watch."""
        place = Place(line=self.line)
        if isinstance(feed, GrowingFile):
            sha256 = hashlib.sha256(feed.tail).hexdigest()
            place = Place(line=self.line, bytes=feed.done, tail_sha256=sha256)
        return WatchState(
            schema=SCHEMA,
            subject=self.subject,
            place=place,
            faults=self.faults,
            undelivered=self.undelivered,
            rounds=self.evidence.rounds,
            highest=self.evidence.highest,
            tables=tables_of(self.replay),
            numbering=self.translation.numbering if self.translation else {},
            gamblers=gamblers_of(self.evidence),
        )

    def go_on(self, path: Path, state: WatchState, feed: Feed) -> None:
        """Go on where a state left off; one of another log is refused."""
        check_subject(path, state, self.subject)
        if isinstance(feed, GrowingFile):
            if state.place.bytes is None or state.place.tail_sha256 is None:
                raise FileError(f"{path}: the state is of standard input; begin again with another state")
            feed.go_on(state.place.bytes, state.place.tail_sha256)
            self.line = state.place.line
        elif state.place.bytes is not None:
            raise FileError(f"{path}: the state is of a file; begin again with another state")
        restore(path, state, self.replay, self.ledger, self.translation, self.evidence)
        self.undelivered = list(state.undelivered)


def begun(content: bytes, place: str, given: Watched) -> tuple[Watch, bytes] | None:
    """A watch on a log that begins with these lines, and the rows among them; None if there is no row yet."""
    source = Source.of(place, content)
    _check_kind(source, content)
    lines = content.splitlines(keepends=True)
    first = 0
    if not source.is_json:
        header = next((number for number, line in enumerate(lines) if not line.startswith(b"#")), len(lines))
        first = header + 1
    if not any(line.strip() for line in lines[first:]):
        return None
    rows = opened(source, given.log_map)
    book = rule_book_of(source, rows.head.get("game"), given.game or given.log_map.game)
    watch = Watch(hand_log(rows, book.game, given.log_map), book, given)
    return watch, b"".join(lines[watch.line - 1 :])


def _check_kind(source: Source, content: bytes) -> None:
    """Refuse early a file that is not a log of cards by lines."""
    begin = content[:FIRST_BYTES]
    is_list = begin.removeprefix(MARK).lstrip().startswith(b"[")
    if begin.startswith(COMPRESSED) or is_list or is_beads(begin):
        raise FileError(f"{source.place}: {ONLY_LINES}")
