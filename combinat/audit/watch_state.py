"""Where a watch stands, as a file: all that it needs to go on as if it had never stopped."""

from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np

from combinat.audit.evidence import Evidence
from combinat.audit.judging.faults import Ledger
from combinat.audit.judging.numbering import Table
from combinat.audit.judging.replay import MOST_TABLES, Replay
from combinat.audit.judging.serial import Last
from combinat.audit.reading.translation import Counter, Translation
from combinat.audit.verdict import FaultKind
from combinat.base.errors import FileError
from combinat.base.files import plain_bytes, write_whole

SCHEMA = "combinat/watch/2"
MOST_BYTES = 2**24

Count = Annotated[int, msgspec.Meta(ge=0, lt=2**62)]
Number = Annotated[int, msgspec.Meta(ge=-1, lt=2**62)]
"""The number of a round or a shoe; -1: there was none yet."""


class Subject(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
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
    """Where a table stands."""

    last_round: Number
    last_shoe: Number
    last_number: Number
    used: list[Count]
    last_cards: str
    cards: list[int] | None
    winner: int | None


class Numbering(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How far a table's rounds were numbered."""

    round: Number
    shoe: Number
    last_round: str | None
    last_shoe: str | None
    begun: bool


class GamblerState(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a gambler holds and has learnt."""

    subject: str
    strength: int
    holds: float
    seen: list[list[float]]
    expected: list[list[float]]


class State(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A watch. ``undelivered``: alarms that could not be printed."""

    schema: str
    subject: Subject
    place: Place
    faults: FaultCounts
    undelivered: list[str]
    rounds: Count
    highest: float
    tables: dict[str, TableState]
    numbering: dict[str, Numbering]
    gamblers: list[GamblerState]


def read_state(path: Path) -> State:
    """The state in a file."""
    try:
        state = msgspec.json.decode(plain_bytes(path, MOST_BYTES, links=True), type=State)
    except FileError as error:
        raise FileError(f"{path}: {error.why}") from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise FileError(f"{path}: no state of a watch: {error}; write it to another file") from None
    if state.schema != SCHEMA:
        raise FileError(f'{path}: schema: found "{state.schema}"; this version reads {SCHEMA}')
    return state


def write_state(path: Path, state: State) -> None:
    """Write a state, whole or not at all."""
    write_whole(path, msgspec.json.format(msgspec.json.encode(state), indent=1).decode())


def check_subject(path: Path, state: State, subject: Subject) -> None:
    """Refuse a state of something else than this."""
    for key in Subject.__struct_fields__:
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
    """Where each table stands."""
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


def numbering_of(translation: Translation | None) -> dict[str, Numbering]:
    """How far each table's rounds were numbered."""
    if translation is None:
        return {}
    return {
        name: Numbering(
            round=counter.round,
            shoe=counter.shoe,
            last_round=counter.last_round,
            last_shoe=counter.last_shoe,
            begun=counter.begun,
        )
        for name, counter in translation.counters.items()
    }


def gamblers_of(evidence: Evidence) -> list[GamblerState]:
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
    state: State,
    replay: Replay,
    ledger: Ledger,
    translation: Translation | None,
    evidence: Evidence,
) -> None:
    """Put everything where a state says that it stood."""
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
        replay.tables[name] = Table(
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
            translation.counters[name] = Counter(**msgspec.structs.asdict(numbering))
    _restore_evidence(path, state, evidence)


def _restore_evidence(path: Path, state: State, evidence: Evidence) -> None:
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
