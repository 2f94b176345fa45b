"""The counts file of ``combinat simulate`` or of another simulator: JSON, read strictly."""

import json
import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Annotated, Any

import msgspec

from combinat.audit.reading.source import Source
from combinat.base.errors import FileError, InputError
from combinat.base.money import parse_net
from combinat.base.strict_json import parsed_object
from combinat.montecarlo.cell import Pairing
from combinat.montecarlo.counts import COLUMNS, SCHEMA, Dealing, JointCell, Observed, Times
from combinat.montecarlo.tally import FIRST_CARDS
from combinat.rules.cards import RANKS
from combinat.rules.insurance import State
from combinat.rules.round import Stage
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import Hand

MOST_BYTES = 100_000_000

Number = Annotated[int, msgspec.Meta(ge=0, le=10**17)]
Points = Annotated[int, msgspec.Meta(ge=0, le=9)]


class Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What every object of the file is: frozen, with a closed set of keys."""


class ShoeEntry(Entry, frozen=True, kw_only=True):
    """The shoe that rounds were dealt from, fresh."""

    size: Number
    cards: dict[str, Number]


class ResultEntry(Entry, frozen=True, kw_only=True):
    """A net result, and in how many rounds it came."""

    net: str
    rounds: Number
    squares: Number | None = None


class BetEntry(Entry, frozen=True, kw_only=True):
    """A bet's net results."""

    id: str
    results: tuple[ResultEntry, ...]
    net_squares: str | None = None


class StateEntry(Entry, frozen=True, kw_only=True):
    """An insurance state: how often it was offered, and the net results of taking it each time."""

    side: Hand
    stage: Stage
    player_points: Points
    banker_points: Points
    offered: Number
    results: tuple[ResultEntry, ...]


class CellsEntry(Entry, frozen=True, kw_only=True):
    """The joint cells, as rows under named columns."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Points, Points | None, Points, Points | None, Pairing, Number, Number | None], ...]


class RepeatsEntry(Entry, frozen=True, kw_only=True):
    """Neighbouring rounds, and those of them that fell into one joint cell."""

    neighbours: Number
    same: Number


class ShoesEntry(Entry, frozen=True, kw_only=True):
    """Whole shoes: how many, and how many rounds of each are counted."""

    dealt: Number
    rounds_each: Number


class CountsFile(Entry, frozen=True, kw_only=True):
    """A counts file."""

    schema: str
    game: str
    shoe: ShoeEntry
    rounds: Number
    dealing: Dealing
    bets: tuple[BetEntry, ...]
    insurance: tuple[StateEntry, ...] = ()
    cells: CellsEntry | None = None
    cards: dict[str, dict[str, Number]] | None = None
    repeats: RepeatsEntry | None = None
    shoes: ShoesEntry | None = None
    rule_book_sha256: str | None = None
    made_by: dict[str, str] | None = None


def read_counts(source: Source) -> Observed:
    """The contents of a counts file that is complete and consistent."""
    content = source.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise FileError(f"{source.place}: larger than {MOST_BYTES} bytes; a counts file is smaller")
    try:
        return parse_counts(content)
    except FileError as error:
        raise FileError(f"{source.place}: {error}") from None


def parse_counts(content: bytes) -> Observed:
    """The contents of a counts file, from its bytes."""
    raw = parsed_object(content, FileError, encoding=json.detect_encoding(content), whole_numbers=False)
    try:
        json.dumps(raw, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:  # half a character is no text
        raise FileError(f"not readable as JSON: {error}") from None
    schema = raw.get("schema")
    if schema != SCHEMA:
        raise FileError(f'schema: found {json.dumps(schema)[:100]}; this combinat reads "{SCHEMA}"')
    try:
        file = msgspec.convert(_with_squares(raw), CountsFile)
    except msgspec.ValidationError as error:
        raise FileError(_explained(str(error))) from None
    whole = file.dealing is Dealing.SHOES
    if whole and file.shoes is None:
        raise FileError(
            'shoes: missing; with dealing "shoes" rounds depend on each other, so give the shoes dealt, the rounds counted of each, '
            "and the squares of every result; or cross-check a hand log, which needs none of this"
        )
    if not whole and file.shoes is not None:
        raise FileError('shoes: found with dealing "independent"; leave it out, or write "shoes"')
    if whole and file.repeats is not None:
        raise FileError('repeats: found with dealing "shoes"; they are judged for independent rounds only')
    texts = (file.game, *(file.made_by or {}), *(file.made_by or {}).values())
    if strange := [text for text in texts if not text.isprintable()]:
        raise FileError(
            f"game and made_by: found {json.dumps(strange[0])[:100]}; write text that prints, on one line"
        )
    if file.rounds == 0:
        raise FileError("rounds: found 0; there is nothing to judge")
    shoe, shoes = _shoe(file.shoe), _shoes(file)
    return Observed(
        game_id=file.game,
        rule_book_sha256=file.rule_book_sha256,
        shoe=shoe,
        rounds=file.rounds,
        dealing=file.dealing,
        bets=_bets(file),
        insurance=_insurance(file),
        net_squares=_net_squares(file),
        cells=_cells(file),
        cards=_cards(file),
        repeats=_repeats(file),
        shoes=shoes,
        made_by=file.made_by or {},
    )


def _with_squares(raw: dict[str, Any]) -> dict[str, Any]:
    """The file with every row of its cells checked against the columns, and extended to seven values."""
    cells = raw.get("cells")
    if not isinstance(cells, dict) or not isinstance(cells.get("rows"), list):
        return raw
    whole = raw.get("dealing") == Dealing.SHOES
    columns = [*COLUMNS, "squares"] if whole else list(COLUMNS)
    if cells.get("columns") != columns:
        raise FileError(
            f"cells.columns: found {json.dumps(cells.get('columns'))}; write {json.dumps(columns)}"
        )
    for number, row in enumerate(cells["rows"]):
        if not isinstance(row, list) or len(row) != len(columns):
            raise FileError(f"cells.rows[{number}]: found {json.dumps(row)}; write {len(columns)} values")
    rows = cells["rows"] if whole else [[*row, None] for row in cells["rows"]]
    return raw | {"cells": cells | {"rows": rows}}


def _explained(message: str) -> str:
    placed = re.fullmatch(r"(.*) - at `\$\.?(.*)`", message, re.DOTALL)
    reason, key = (placed[1], placed[2]) if placed else (message, "")
    where = f"{key}: " if key else ""
    if unknown := re.fullmatch(r"Object contains unknown field `(.*)`", reason):
        return f"{where}unknown key {unknown[1]}; leave it out, or see docs/formats.md for the keys of a counts file"
    if missing := re.fullmatch(r"Object missing required field `(.*)`", reason):
        return f"{where}the key {missing[1]} is missing"
    return f"{where}{reason[0].lower()}{reason[1:]}"


def _shoe(entry: ShoeEntry) -> Shoe:
    shoe = Shoe(_by_rank("shoe.cards", entry.cards))
    if shoe.size != entry.size:
        raise FileError(f"shoe: size is {entry.size}, but the cards add up to {shoe.size}")
    return shoe


def _by_rank(where: str, counts: Mapping[str, int]) -> tuple[int, ...]:
    if unknown := [rank for rank in counts if rank not in list(RANKS)]:
        raise FileError(f'{where}: found "{unknown[0]}"; write ranks {" ".join(RANKS)}')
    return tuple(counts.get(rank, 0) for rank in RANKS)


def _net(text: str, where: str) -> Fraction:
    try:
        return parse_net(text)
    except InputError:
        raise FileError(
            f'{where}: found "{text}"; write profit per unit staked, such as "-1", "19/20" or "0.95"'
        ) from None


def _times(
    results: Iterable[ResultEntry], where: str, rounds: int, file: CountsFile
) -> dict[Fraction, Times]:
    by_net: dict[Fraction, Times] = {}
    for entry in results:
        net = _net(entry.net, f"{where}.net")
        if net in by_net:
            raise FileError(f"{where}: the net result {net} is given twice")
        by_net[net] = Times(entry.rounds, entry.squares)
        _check_squares(f"{where}, net {net}", by_net[net], file)
    counted = sum(times.rounds for times in by_net.values())
    if counted != rounds:
        raise FileError(f"{where}: the results add up to {counted} rounds; they must add up to {rounds}")
    return by_net


def _check_squares(where: str, times: Times, file: CountsFile) -> None:
    """Refuse squares that no shoes can have: with n times in all, from n * n / shoes to n * rounds of each."""
    if (times.squares is None) is (file.shoes is not None):
        what = 'are missing; dealing "shoes" needs them' if file.shoes else 'go with dealing "shoes" only'
        raise FileError(f"{where}: squares {what}")
    if file.shoes is None or times.squares is None:
        return
    most = file.shoes.rounds_each * times.rounds
    if not times.rounds**2 <= times.squares * file.shoes.dealt or not times.squares <= most:
        raise FileError(
            f"{where}: {times.rounds} rounds in {file.shoes.dealt} shoes of {file.shoes.rounds_each} cannot have squares of {times.squares}"
        )


def _check_net_squares(where: str, entry: BetEntry, squares: Fraction, file: CountsFile) -> None:
    """Refuse a sum of squares of net results that no shoes can have."""
    if file.shoes is None:
        return
    nets = [(_net(result.net, where), result.rounds) for result in entry.results]
    total = sum((net * rounds for net, rounds in nets), Fraction(0))
    most = file.shoes.rounds_each * sum((net**2 * rounds for net, rounds in nets), Fraction(0))
    if not total**2 <= squares * file.shoes.dealt or not squares <= most:
        raise FileError(f"{where}: {squares} cannot be, with these results in {file.shoes.dealt} shoes")


def _bets(file: CountsFile) -> dict[str, dict[Fraction, Times]]:
    bets: dict[str, dict[Fraction, Times]] = {}
    for entry in file.bets:
        if entry.id in bets:
            raise FileError(f'bets: "{entry.id}" is given twice')
        bets[entry.id] = _times(entry.results, f"bet {entry.id}", file.rounds, file)
    if not bets:
        raise FileError("bets: none given; give the results of one bet or more")
    return bets


def _insurance(file: CountsFile) -> dict[State, dict[Fraction, Times]]:
    states: dict[State, dict[Fraction, Times]] = {}
    for entry in file.insurance:
        state = State(entry.side, entry.stage, entry.player_points, entry.banker_points)
        if state in states:
            raise FileError(f"insurance {state}: given twice")
        if entry.offered > file.rounds:
            raise FileError(f"insurance {state}: offered {entry.offered} times in {file.rounds} rounds")
        states[state] = _times(entry.results, f"insurance {state}", entry.offered, file)
    return states


def _net_squares(file: CountsFile) -> dict[str, Fraction]:
    squares: dict[str, Fraction] = {}
    for entry in file.bets:
        where = f"bet {entry.id}: net_squares"
        if (entry.net_squares is None) is (file.shoes is not None):
            what = 'missing; dealing "shoes" needs it' if file.shoes else 'goes with dealing "shoes" only'
            raise FileError(f"{where}: {what}")
        if entry.net_squares is not None:
            if not re.fullmatch(r"\d{1,30}(?:/[1-9]\d{0,17})?", entry.net_squares, re.ASCII):
                raise FileError(f'{where}: found "{entry.net_squares}"; write a fraction, such as "31425/4"')
            squares[entry.id] = Fraction(entry.net_squares)
            _check_net_squares(where, entry, squares[entry.id], file)
    return squares


def _cells(file: CountsFile) -> dict[JointCell, Times]:
    cells: dict[JointCell, Times] = {}
    for number, row in enumerate(file.cells.rows if file.cells else ()):
        cell, rounds, squares = JointCell(*row[:5]), row[5], row[6]
        if cell in cells:
            raise FileError(f"cells.rows[{number}]: this cell is given twice")
        cells[cell] = Times(rounds, squares)
        _check_squares(f"cells.rows[{number}]", cells[cell], file)
    counted = sum(times.rounds for times in cells.values())
    if file.cells and counted != file.rounds:
        raise FileError(f"cells: they add up to {counted} rounds; they must add up to {file.rounds}")
    return {cell: times for cell, times in cells.items() if times.rounds}


def _cards(file: CountsFile) -> dict[str, tuple[int, ...]]:
    cards: dict[str, tuple[int, ...]] = {}
    for slot, counts in (file.cards or {}).items():
        if slot not in FIRST_CARDS:
            raise FileError(f'cards: found "{slot}"; write some of {", ".join(FIRST_CARDS)}')
        cards[slot] = _by_rank(f"cards.{slot}", counts)
        if sum(cards[slot]) != file.rounds:
            raise FileError(
                f"cards.{slot}: they add up to {sum(cards[slot])} rounds; they must add up to {file.rounds}"
            )
    return cards


def _repeats(file: CountsFile) -> tuple[int, int] | None:
    if file.repeats is None:
        return None
    if not file.repeats.same <= file.repeats.neighbours < file.rounds:
        raise FileError("repeats: same, neighbours and rounds cannot go together")
    return file.repeats.neighbours, file.repeats.same


def _shoes(file: CountsFile) -> int | None:
    if file.shoes is None:
        return None
    dealt, each = file.shoes.dealt, file.shoes.rounds_each
    if not dealt or dealt * each != file.rounds:
        raise FileError(
            f"shoes: {dealt} shoes with {each} rounds each; together they must be {file.rounds} rounds"
        )
    return dealt
