"""The counts file of ``combinat simulate`` or of another simulator: JSON, read strictly."""

import json
import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Annotated, Any

import msgspec

from combinat.audit.reading.guess import games_with
from combinat.audit.reading.source import Source
from combinat.base.errors import FileError, InputError
from combinat.base.money import parse_net
from combinat.base.strict_json import parsed_object
from combinat.montecarlo.cell import Pairing
from combinat.montecarlo.counts import COLUMNS, SCHEMA, Dealing, JointCell, Observed, Times
from combinat.montecarlo.tally import FIRST_CARDS
from combinat.rules.book.find import rule_book_paths
from combinat.rules.cards import RANKS
from combinat.rules.insurance import State
from combinat.rules.round import Stage
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import Hand

MOST_BYTES = 100_000_000

Number = Annotated[int, msgspec.Meta(ge=0, le=10**17)]
Points = Annotated[int, msgspec.Meta(ge=0, le=9)]


class Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The base of every object of the file: frozen, unknown keys refused."""


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
    """Return the contents of a counts file; refuse an incomplete or inconsistent file."""
    content = source.read(MOST_BYTES + 1)
    try:
        _require(len(content) <= MOST_BYTES, f"larger than {MOST_BYTES} bytes; a counts file is smaller")
        return parse_counts(content)
    except FileError as error:
        raise FileError(f"{source.place}: {error}") from None


def _require(fits: bool, message: str) -> None:
    """Refuse an inconsistent file."""
    if not fits:
        raise FileError(message)


def parse_counts(content: bytes) -> Observed:
    """Return the contents of a counts file, from its bytes."""
    raw = parsed_object(content, FileError, encoding=json.detect_encoding(content), whole_numbers=False)
    try:
        json.dumps(raw, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:  # a cut-off character is not UTF-8
        raise FileError(f"not readable as JSON: {error}") from None
    found = json.dumps(raw.get("schema"))[:100]
    _require(raw.get("schema") == SCHEMA, f'schema: found {found}; this combinat reads "{SCHEMA}"')
    if "game" not in raw and isinstance(raw.get("bets"), list):
        ids = [str(entry.get("id")) for entry in raw["bets"] if isinstance(entry, dict)]
        games = ", ".join(rule_book_paths())
        raise FileError(f"the file names no game{games_with(ids)}; write one of {games} under the key game")
    try:
        file = msgspec.convert(_with_squares(raw), CountsFile)
    except msgspec.ValidationError as error:
        raise FileError(_type_error_in_words(str(error))) from None
    _check(file)
    bets, net_squares = _bets(file)
    repeats = None if file.repeats is None else (file.repeats.neighbours, file.repeats.same)
    return Observed(
        game_id=file.game,
        rule_book_sha256=file.rule_book_sha256,
        shoe=Shoe(_by_rank("shoe.cards", file.shoe.cards, "cards", file.shoe.size)),
        rounds=file.rounds,
        dealing=file.dealing,
        bets=bets,
        insurance=_insurance(file),
        net_squares=net_squares,
        cells=_cells(file),
        cards=_cards(file),
        repeats=repeats,
        shoes=None if file.shoes is None else file.shoes.dealt,
        made_by=file.made_by or {},
    )


def _check(file: CountsFile) -> None:
    """Refuse parts that contradict each other."""
    whole, shoes, repeats = file.dealing is Dealing.SHOES, file.shoes, file.repeats
    _require(
        shoes is not None or not whole,
        'shoes: missing; with dealing "shoes" rounds depend on each other, so give the shoes dealt, the rounds '
        "counted of each, and the squares of every result; or cross-check a hand log, which needs none of this",
    )
    _require(
        shoes is None or whole, 'shoes: found with dealing "independent"; leave it out, or write "shoes"'
    )
    _require(
        repeats is None or not whole,
        'repeats: found with dealing "shoes"; they are judged for independent rounds only',
    )
    for text in (file.game, *(file.made_by or {}), *(file.made_by or {}).values()):
        found = json.dumps(text)[:100]
        _require(text.isprintable(), f"game and made_by: found {found}; write text that prints, on one line")
    _require(file.rounds > 0, "rounds: found 0; there is nothing to judge")
    if shoes is not None:
        _require(
            0 < shoes.dealt * shoes.rounds_each == file.rounds,
            f"shoes: {shoes.dealt} shoes with {shoes.rounds_each} rounds each; together they must be "
            f"{file.rounds} rounds",
        )
    _require(
        repeats is None or repeats.same <= repeats.neighbours < file.rounds,
        "repeats: same, neighbours and rounds cannot go together",
    )


def _with_squares(raw: dict[str, Any]) -> dict[str, Any]:
    """Return the file with every row of cells checked against the columns and extended to seven values."""
    cells = raw.get("cells")
    if not isinstance(cells, dict) or not isinstance(cells.get("rows"), list):
        return raw
    whole = raw.get("dealing") == Dealing.SHOES
    columns = [*COLUMNS, "squares"] if whole else list(COLUMNS)
    found = json.dumps(cells.get("columns"))
    _require(cells.get("columns") == columns, f"cells.columns: found {found}; write {json.dumps(columns)}")
    for number, row in enumerate(cells["rows"]):
        fits = isinstance(row, list) and len(row) == len(columns)
        _require(fits, f"cells.rows[{number}]: found {json.dumps(row)}; write {len(columns)} values")
    rows = cells["rows"] if whole else [[*row, None] for row in cells["rows"]]
    return raw | {"cells": cells | {"rows": rows}}


def _type_error_in_words(message: str) -> str:
    """Return the message of a wrong type, with its key first."""
    placed = re.fullmatch(r"(.*) - at `\$\.?(.*)`", message, re.DOTALL)
    reason, key = (placed[1], placed[2]) if placed else (message, "")
    where = f"{key}: " if key else ""
    if unknown := re.fullmatch(r"Object contains unknown field `(.*)`", reason):
        return f"{where}unknown key {unknown[1]}; leave it out, or see docs/formats.md for the keys of a counts file"
    if missing := re.fullmatch(r"Object missing required field `(.*)`", reason):
        return f"{where}the key {missing[1]} is missing"
    return f"{where}{reason[0].lower()}{reason[1:]}"


def _by_rank(where: str, counts: Mapping[str, int], unit: str, total: int) -> tuple[int, ...]:
    """Counts by rank that add up to a total."""
    for rank in counts:
        _require(rank in list(RANKS), f'{where}: found "{rank}"; write ranks {" ".join(RANKS)}')
    _check_sum(where, counts.values(), unit, total)
    return tuple(counts.get(rank, 0) for rank in RANKS)


def _check_sum(where: str, counts: Iterable[int], unit: str, total: int) -> None:
    """Refuse counts that do not add up."""
    found = sum(counts)
    _require(found == total, f"{where}: the counts add up to {found} {unit}; they must add up to {total}")


def _times(
    results: Iterable[ResultEntry], where: str, rounds: int, file: CountsFile
) -> dict[Fraction, Times]:
    """Return the number of rounds with each net result."""
    by_net: dict[Fraction, Times] = {}
    for entry in results:
        try:
            net = parse_net(entry.net)
        except InputError:
            example = 'write profit per unit staked, such as "-1", "19/20" or "0.95"'
            raise FileError(f'{where}.net: found "{entry.net}"; {example}') from None
        _require(net not in by_net, f"{where}: the net result {net} is given twice")
        by_net[net] = Times(entry.rounds, entry.squares)
        _check_squares(f"{where}, net {net}: squares", {Fraction(1): by_net[net]}, entry.squares, file)
    _check_sum(where, (times.rounds for times in by_net.values()), "rounds", rounds)
    return by_net


def _check_squares(
    where: str, times: Mapping[Fraction, Times], squares: Fraction | int | None, file: CountsFile
) -> None:
    """Refuse an impossible sum over shoes of a squared total.

    ``times``: how often each amount was added to the total. Its squares add up to at least total * total /
    shoes, and to at most the rounds of a shoe times the sum of the squares of the amounts.
    """
    if file.shoes is None:
        _require(squares is None, f'{where}: found without dealing "shoes"; leave it out')
        return
    if squares is None:
        raise FileError(f'{where}: missing; dealing "shoes" needs it')
    total = sum((amount * one.rounds for amount, one in times.items()), Fraction(0))
    most = sum((amount**2 * one.rounds for amount, one in times.items()), Fraction(0))
    _require(
        total**2 <= squares * file.shoes.dealt and squares <= file.shoes.rounds_each * most,
        f"{where}: {squares} cannot be, with these rounds in {file.shoes.dealt} shoes of {file.shoes.rounds_each}",
    )


def _bets(file: CountsFile) -> tuple[dict[str, dict[Fraction, Times]], dict[str, Fraction]]:
    """Return the results of each bet, and for whole shoes the sums of its squared net results."""
    bets, net_squares = dict[str, dict[Fraction, Times]](), dict[str, Fraction]()
    for entry in file.bets:
        _require(entry.id not in bets, f'bets: "{entry.id}" is given twice')
        bets[entry.id] = _times(entry.results, f"bet {entry.id}", file.rounds, file)
        where, text = f"bet {entry.id}: net_squares", entry.net_squares
        is_fraction = text is None or re.fullmatch(r"\d{1,30}(?:/[1-9]\d{0,17})?", text, re.ASCII)
        _require(bool(is_fraction), f'{where}: found "{text}"; write a fraction, such as "31425/4"')
        _check_squares(where, bets[entry.id], None if text is None else Fraction(text), file)
        if text is not None:
            net_squares[entry.id] = Fraction(text)
    _require(bool(bets), "bets: none given; give the results of one bet or more")
    return bets, net_squares


def _insurance(file: CountsFile) -> dict[State, dict[Fraction, Times]]:
    states: dict[State, dict[Fraction, Times]] = {}
    for entry in file.insurance:
        state, offered = (
            State(entry.side, entry.stage, entry.player_points, entry.banker_points),
            entry.offered,
        )
        where = f"insurance {state}"
        _require(state not in states, f"{where}: given twice")
        _require(offered <= file.rounds, f"{where}: offered {offered} times in {file.rounds} rounds")
        states[state] = _times(entry.results, where, offered, file)
    return states


def _cells(file: CountsFile) -> dict[JointCell, Times]:
    cells: dict[JointCell, Times] = {}
    for number, row in enumerate(file.cells.rows if file.cells else ()):
        cell, times, where = JointCell(*row[:5]), Times(*row[5:]), f"cells.rows[{number}]"
        _require(cell not in cells, f"{where}: this cell is given twice")
        cells[cell] = times
        _check_squares(f"{where}: squares", {Fraction(1): times}, times.squares, file)
    if file.cells:
        _check_sum("cells", (times.rounds for times in cells.values()), "rounds", file.rounds)
    return {cell: times for cell, times in cells.items() if times.rounds}


def _cards(file: CountsFile) -> dict[str, tuple[int, ...]]:
    cards: dict[str, tuple[int, ...]] = {}
    for slot, counts in (file.cards or {}).items():
        _require(slot in FIRST_CARDS, f'cards: found "{slot}"; write some of {", ".join(FIRST_CARDS)}')
        cards[slot] = _by_rank(f"cards.{slot}", counts, "rounds", file.rounds)
    return cards
