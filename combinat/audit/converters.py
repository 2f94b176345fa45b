"""Converters of the audit's parameters: the map of a log, groupings, the shoe, the cut card."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from combinat.audit.reading.log_map import LogMap, parsed_map, read_map
from combinat.audit.reading.rounds import Groupings, parse_groupings
from combinat.base.errors import InputError, in_words
from combinat.base.number import integer
from combinat.rules.converters import (
    GameGiven,
    ShoeGiven,
    as_document,
    as_path,
    as_shoe,
    rule_books_read,
    whole_number,
)
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

LogMapGiven = str | Path | Mapping[str, Any] | LogMap
"""The meaning of the columns of a foreign log: the path of a TOML file, or its keys in a dict."""

MOST_CARDS = 10**9


def as_document_or_none(game: GameGiven | None) -> Game | None:
    """Return the rule book of a game, or None if the file names it."""
    return None if game is None else as_document(game)


def as_shoe_or_none(shoe: ShoeGiven | None, decks: int | str | None, cards: str | None) -> Shoe | None:
    """Return the shoe, or None if the file names it."""
    if shoe is None and decks is None and cards is None:
        return None
    return as_shoe(shoe, decks=decks, cards=cards)


def as_cut_card(cut_card: object) -> int | None:
    """Return the number of cards behind the cut card, or None if the file names it."""
    return None if cut_card is None else whole_number("cut_card", cut_card, 0, MOST_CARDS)


def as_log_map(given: object) -> LogMap:
    """Return the map of a log: itself, from a TOML file, or from its keys."""
    if given is None or isinstance(given, LogMap):
        return given or LogMap()
    if isinstance(given, str | Path):
        return read_map(as_path("log_map", given))
    if not isinstance(given, Mapping):
        raise InputError(
            f"found {in_words(given)}",
            'write the path of a TOML file, or its keys, such as {"columns": {"round": "hand"}}',
            parameter="log_map",
        )
    return parsed_map({str(key).replace("_", "-"): value for key, value in given.items()}, "log_map")


def as_groupings(by: object) -> Groupings:
    """Return the columns to group a log by."""
    if by is None:
        return ()
    names = [by] if isinstance(by, str) else by
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise InputError(
            f"found {in_words(by)}",
            'write names of columns, such as "table,day" or ["table", "dealer+day"]',
            parameter="by",
        )
    return parse_groupings(",".join(names))


def as_shoe_name(shoe: object) -> str | None:
    """Return the name of a shoe of a log, or None."""
    if shoe is None or isinstance(shoe, str):
        return shoe
    number = integer(shoe)
    if number is None:
        raise InputError(
            f"found {in_words(shoe)}",
            'write the number of a shoe, such as 3 or "T1:3"',
            parameter="shoe_shown",
        )
    return str(number)


def files_read(game: GameGiven | None, log_map: object) -> dict[str, Path | None]:
    """Return the files that are read beside a log, by their role."""
    map_file = Path(log_map) if isinstance(log_map, str | Path) else None
    return {**({} if game is None else rule_books_read(game)), "the map": map_file}
