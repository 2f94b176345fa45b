"""A hand log watched as it grows: rows against the rules at once, chance by evidence that may be looked at any time.

What the rules contradict is an alarm by itself. For chance there is ``Evidence``: over the whole life of a watch a
right log raises it with a probability of alpha at the most, however often one looks.
"""

import hashlib
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from combinat.audit.evidence import SUBJECTS, Evidence, level_of
from combinat.audit.judging.counting import certain_to_finish
from combinat.audit.judging.faults import SHOWN, Ledger
from combinat.audit.judging.judge import rule_book_of, shoe_of
from combinat.audit.judging.replay import Piece, Replay
from combinat.audit.reading.beads import FIRST_BYTES, is_beads
from combinat.audit.reading.feed import COMPRESSED, Feed, GrowingFile
from combinat.audit.reading.hand_log import HandLog, check_columns, hand_log, opened
from combinat.audit.reading.log_map import LogMap
from combinat.audit.reading.source import MARK, Source
from combinat.audit.verdict import FaultKind
from combinat.audit.watch_state import (
    SCHEMA,
    FaultCounts,
    Place,
    State,
    Subject,
    check_subject,
    faults_of,
    gamblers_of,
    numbering_of,
    restore,
    tables_of,
)
from combinat.base.errors import FileError
from combinat.montecarlo.cell import chosen
from combinat.rules.book.load import RuleBook
from combinat.rules.money import format_money
from combinat.rules.shoe import Shoe

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
    """What is said beside the log: the game and the shoe where it names none, the level, what its columns hold."""

    game: RuleBook | str | None = None
    shoe: Shoe | None = None
    cut_card: int | None = None
    alpha: Fraction
    log_map: LogMap


class Watch:
    """A log, watched as far as its lines have been added. ``undelivered``: alarms that nobody was told yet, a line each."""

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
        self.evidence = Evidence(game, self.shoe, cut_card is not None, tells_ranks)
        self.translation = log.translation() if log.translation else None
        self.line = log.first_line
        self._level = level_of(given.alpha.as_integer_ratio())
        self._met_at: int | None = None
        self._met_after = 0
        self.subject = Subject(
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
        """Whether the evidence has come to the level, now or at any time before."""
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
        """What the evidence says against the log."""
        return (
            f"off beyond chance in {SUBJECTS[self.evidence.richest]}: after {self._met_after or self.evidence.rounds} rounds the evidence has met "
            f"{round(1 / self.alpha)} to 1, which a right log ever does with a chance of {format_money(self.alpha)} at the most"
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

    def state(self, feed: Feed) -> State:
        """Where the watch stands."""
        place = Place(line=self.line)
        if isinstance(feed, GrowingFile):
            sha256 = hashlib.sha256(feed.tail).hexdigest()
            place = Place(line=self.line, bytes=feed.done, tail_sha256=sha256)
        return State(
            schema=SCHEMA,
            subject=self.subject,
            place=place,
            faults=self.faults,
            undelivered=self.undelivered,
            rounds=self.evidence.rounds,
            highest=self.evidence.highest,
            tables=tables_of(self.replay),
            numbering=numbering_of(self.translation),
            gamblers=gamblers_of(self.evidence),
        )

    def go_on(self, path: Path, state: State, feed: Feed) -> None:
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
    """A watch on a log that begins with these lines, and the rows among them; None: there is no row yet."""
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
    """Refuse what is no log of cards by lines, as soon as that is seen."""
    begin = content[:FIRST_BYTES]
    is_list = begin.removeprefix(MARK).lstrip().startswith(b"[")
    if begin.startswith(COMPRESSED) or is_list or is_beads(begin):
        raise FileError(f"{source.place}: {ONLY_LINES}")
