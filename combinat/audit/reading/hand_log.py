"""The hand log: one row per round in combinat's own columns, from any kind of file.

A log may begin with lines ``# game: ID`` and ``# decks: 8`` or ``# cards: A=32 ...``; a Parquet log has the
same keys in its file metadata; a map can state keys that the log lacks. A log with other columns, or with
cards in another notation, is translated while it is read.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from combinat.audit.reading.guess import bets_named, games_with, is_native, meaning, whole_map
from combinat.audit.reading.log_map import DECLARED, LogMap, Shoes
from combinat.audit.reading.notation import Notation
from combinat.audit.reading.records import json_lines_file, json_list_file, parquet_file
from combinat.audit.reading.rounds import Groupings, Translator, columns_by
from combinat.audit.reading.rows import BEAD_BYTES, RowBatch, RowFile, bead_file, csv_file, is_beads
from combinat.audit.reading.source import FileForm, Source
from combinat.base.errors import (
    CombinatError,
    FileError,
    InputError,
    RuleBookError,
    quoted,
    shortened,
)
from combinat.base.money import format_money, is_money, parse_money
from combinat.montecarlo.log_writer import HEAD_KEYS
from combinat.rules.book.find import rule_book_paths
from combinat.rules.book.load import load_game
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

Claims = tuple[tuple[str, str], ...]
"""The claims of a file about itself, by their keys."""

FIXED = ("round", "shoe", "player_cards", "banker_cards")
BESIDE = ("id", "table", "player", *DECLARED)
"""Further columns: the round's own name, the table, the player, declared results of the round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandLog(RowFile):
    """A hand log: its head and its rows. ``read_as``: the interpretation of a foreign log, in words.

    ``new_translator``: makes a new translator. ``claimed``: the claims of the file that affect its judgement;
    ``stated``: the keys that the auditor states. Where both state a key, the values are equal.
    """

    claimed: Claims = ()
    stated: frozenset[str] = frozenset()

    read_as: tuple[tuple[str, str], ...] = ()
    notation: Notation = Notation.RANK
    new_translator: Callable[[], Translator]

    @property
    def has_cards(self) -> bool:
        """Whether rows have cards; otherwise they have winners only."""
        return "player_cards" in self.names

    @property
    def tells_ranks(self) -> bool:
        """Whether the log records the ranks of cards, and therefore pairs."""
        return self.notation.tells_ranks

    @property
    def has_shoes(self) -> bool:
        """Whether rows name their shoe, so that rounds come from whole shoes."""
        return "shoe" in self.names

    def shoe(self) -> Shoe | None:
        """Return the fresh shoe that the head names, or None."""
        if "decks" in self.head and "cards" in self.head:
            raise FileError(f"{self.source.place}: give decks or cards, not both")
        if "cards" in self.head:
            try:
                return Shoe.parse(self.head["cards"])
            except CombinatError as error:
                raise FileError(f"{self.source.place}: cards: {error}") from None
        if "decks" in self.head:
            if not re.fullmatch(r"[1-9]\d{0,3}", self.head["decks"], re.ASCII):
                raise FileError(
                    f'{self.source.place}: decks: found "{self.head["decks"]}"; write a whole number'
                )
            return Shoe.of_decks(int(self.head["decks"]))
        return None


def open_rows(source: Source, given: LogMap | None = None) -> RowFile:
    """Return the rows of a file, not yet interpreted."""
    stated = given or LogMap()
    form = source.form
    readers: dict[FileForm, Callable[[], RowFile]] = {
        FileForm.PARQUET: lambda: parquet_file(source, stated.scale),
        FileForm.JSON_LIST: lambda: json_list_file(source),
        FileForm.JSON_LINES: lambda: json_lines_file(source),
    }
    if is_beads(source.read(BEAD_BYTES)):
        readers[form] = lambda: bead_file(source)
    rows = readers.get(form, lambda: csv_file(source, stated.delimiter))()
    names = list(rows.names)
    if not any(names):
        raise FileError(
            f"{source.place}: none of the first rows is a JSON object with a key for each column"
            if form in (FileForm.JSON_LIST, FileForm.JSON_LINES)
            else f"{source.place}: there is no header; give a CSV, JSON or Parquet hand log"
        )
    for name in names:
        if names.count(name) > 1:
            raise FileError(f'{source.place}: the column "{name}" is given twice')
    return rows


def open_log(
    source: Source, game: Game | None, log_map: LogMap, groupings: Groupings = ()
) -> tuple[Game, HandLog]:
    """Return the rule book and the hand log of a file.

    ``game``: required if the file and the map name none.
    """
    if not source.is_regular or source.form is FileForm.COUNTS:
        raise FileError(f"{source.place}: not a hand log; give a CSV, JSON or Parquet file of rounds")
    rows = open_rows(source, log_map)
    game = rule_book_of(source, rows.head.get("game"), game or log_map.game, rows)
    return game, hand_log(rows, game, log_map, groupings)


def hand_log(
    rows: RowFile, game: Game | None, given: LogMap | None = None, groupings: Groupings = ()
) -> HandLog:
    """Return the hand log of a file's rows, in combinat's columns. ``groupings``: the columns to group by."""
    stated = given or LogMap()
    apart = {name for grouping in groupings for name in grouping if name in rows.names}
    mapped = {name for names in stated.columns.values() for name in names}
    beside = sorted(name for name in apart if name not in mapped and meaning(name, game) is None)
    log_map, detected = whole_map(rows, game, LogMap(ignore=tuple(beside)).over(stated))
    by = columns_by(rows, log_map, groupings)
    has_plain_amounts = stated.decimal == "." and not stated.thousands + stated.currency
    is_plain = not detected and has_plain_amounts and stated.shoes is not Shoes.RESTART

    def new_translator() -> Translator:
        return Translator(log_map, game, rows.source.place, by, is_native=is_plain and is_native(rows))

    def batches(advance: Callable[[int], None]) -> Iterator[RowBatch]:
        return map(new_translator().rows, rows.batches(advance))

    return HandLog(
        source=rows.source,
        head=_head(rows, stated),
        names=rows.names if new_translator().is_native else new_translator().names,
        size=rows.size,
        batches=batches,
        line_word=rows.line_word,
        lines=rows.lines,
        first_line=rows.first_line,
        claimed=tuple((key, quoted(rows.head[key])) for key in HEAD_KEYS[:-1] if key in rows.head),
        stated=frozenset(_head_keys(stated)),
        read_as=detected,
        notation=log_map.cards_as or Notation.RANK,
        new_translator=new_translator,
    )


def _head_keys(log_map: LogMap) -> dict[str, str]:
    """Return the keys of a head that a map states."""
    keys = {
        "decks": log_map.decks,
        "cut-card": log_map.cut_card,
        "unit": None if log_map.unit is None else format_money(log_map.unit),
        "rounding": log_map.rounding,
    }
    return {key: str(value) for key, value in keys.items() if value is not None}


def _head(rows: RowFile, stated: LogMap) -> dict[str, str]:
    """Return the keys of the file and of a map; refuse a map that contradicts the file."""
    head = dict(rows.head)
    for key, value in _head_keys(stated).items():
        if key in head and not _is_same(head[key], value):
            raise FileError(
                f"{rows.source.place}: {key}: the log says {shortened(head[key])}, and the options or the map say {value}; leave out one"
            )
        head[key] = value
    return head


def _is_same(claimed: str, stated: str) -> bool:
    """Return whether two texts are the same word or the same amount."""
    return claimed == stated or (
        is_money(claimed) and is_money(stated) and parse_money(claimed) == parse_money(stated)
    )


# ---------------------------------------------------------------- the claims of a file


@contextmanager
def located(place: str) -> Iterator[None]:
    """Add the place of a file to errors raised within."""
    try:
        yield
    except FileError as error:
        raise FileError(str(error) if str(error).startswith(place) else f"{place}: {error}") from None


def rule_book_of(
    source: Source, named: str | None, given: Game | str | None, rows: RowFile | None = None
) -> Game:
    """Return the rule book to judge by: the one given, which must match the game that the file names."""
    if given is None and named is None:
        bets = games_with(bets_named(rows)) if rows is not None else ""
        raise InputError(
            f"{source.place}: the file names no game{bets}",
            f"add a line # game: ID, or give {{game}} ID, where ID is one of {', '.join(rule_book_paths())}",
            parameter="game",
        )
    if given is None and named not in rule_book_paths():
        raise InputError(
            f'{source.place}: the file names the game "{named}", which is none of {", ".join(rule_book_paths())}',
            "give its rule book with {game}",
            parameter="game",
        )
    game = given if isinstance(given, Game) else load_game(given or named or "")
    if named is not None and game.id != named:
        raise RuleBookError(
            f"{source.place}: the file is about {named}, and the rule book is that of {game.id}; give the rule book of that game"
        )
    return game
