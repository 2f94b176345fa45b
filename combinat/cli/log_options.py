"""The options that describe a foreign log: ``--map FILE`` and ``--set KEY=VALUE``."""

import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from combinat.base.errors import InputError, shortened

if TYPE_CHECKING:
    from combinat.audit.reading.log_map import LogMap

MapOption = Annotated[
    Path | None,
    typer.Option("--map", metavar="FILE", help="A TOML file that describes the columns of a foreign log."),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="A key of the map, such as columns.round=hand, ignore=others, cards-as=rank-suit, cut-card=14; repeat for more.",
    ),
]
GameOption = Annotated[
    str | None,
    typer.Option(metavar="GAME", help="The game, if the file names none or has a rule book of its own."),
]
DecksOption = Annotated[
    str | None,
    typer.Option(
        metavar="N",
        help="Decks of the shoe, if the log names none; also confirms decks that the game does not allow.",
    ),
]
CardsOption = Annotated[
    str | None,
    typer.Option(
        metavar="COUNTS", help='Or its cards when fresh, such as "A=31 2=32 K=32"; also confirms them.'
    ),
]

_MARKS = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "space": " "}
_HANDS = ("player_cards", "banker_cards")
_NUMBERS = ("decks", "cut-card", "scale")


def log_map_of(file: Path | None, settings: Sequence[str] | None) -> "LogMap":
    """The map that a file and settings state together; a setting overrides the file."""
    from combinat.audit.reading.log_map import parsed_map, read_map

    stated = parsed_map(_keys(settings or ()), "--set")
    return stated.over(read_map(file)) if file is not None else stated


def _keys(settings: Sequence[str]) -> dict[str, Any]:
    """The keys of a map that settings state."""
    keys: dict[str, Any] = {}
    for text in settings:
        key, equals, value = text.partition("=")
        if not equals or not key or not value:
            write = "write KEY=VALUE, such as columns.round=hand"
            raise InputError(f'found "{shortened(text)}"', write, parameter="settings")
        table, dot, column = key.partition(".")
        if table == "columns" and dot:
            parts = value.split("+") if column in _HANDS else [value]
            keys.setdefault("columns", {})[column] = parts[0] if len(parts) == 1 else parts
        elif key == "ignore" and value != "others":
            keys["ignore"] = [*keys.get("ignore", ()), *value.split(",")]
        elif key in _NUMBERS and value.isascii() and value.isdigit():
            keys[key] = int(value[:9])
        else:
            keys[key] = _MARKS.get(value, value)
    return keys


@contextmanager
def at_hand(file: Path) -> Iterator[Path]:
    """The file; standard input is copied to a file first, since a log is read more than once."""
    if str(file) != "-":
        yield file
        return
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "standard-input"
        with place.open("wb") as copy:
            shutil.copyfileobj(sys.stdin.buffer, copy)
        yield place
