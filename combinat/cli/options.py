"""Arguments and options that several commands share."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypeVar

import typer

from combinat.base.errors import CombinatError, InputError, named, shortened
from combinat.cli.environment import GAME
from combinat.render.text import Format

Value = TypeVar("Value")


_GAME: dict[str, Any] = {"metavar": "GAME", "show_default": False, "envvar": GAME, "show_envvar": False}
GameArgument = Annotated[
    str, typer.Argument(help="A game id, the beginning of one, or the path of a TOML rule book.", **_GAME)
]
GamesArgument = Annotated[
    list[str],
    typer.Argument(
        help="A game id, the beginning of one, or the path of a TOML rule book; up to four of them.", **_GAME
    ),
]
BetsOption = Annotated[
    list[str] | None,
    typer.Option("--bet", metavar="ID", help="Only this bet; repeat for more.", show_default=False),
]
FormatOption = Annotated[Format, typer.Option("--format", "-f", help="Output format.")]
LayoutOption = Annotated[
    str | None,
    typer.Option(
        "--layout",
        metavar="LAYOUT",
        help="Only the bets of this table layout, such as P.",
        show_default=False,
    ),
]


SHOE_LIMIT = "the largest acceptable gain of a player in a shoe, in units"
"""The help text of every ``--limit``."""


def refuse(why: str, *options: Mapping[str, Any]) -> None:
    """Refuse each of these options that has a value; ``why``: the reason."""
    for name, value in (item for given in options for item in given.items()):
        if value:
            raise InputError(why, f"leave out {{{name}}}")


def pairs(option: str, form: str, words: list[str], value: Callable[[str], Value]) -> dict[str, Value]:
    """The words of a repeatable option, of a form such as ``BET=AMOUNT``, each name once."""
    values: dict[str, Value] = {}
    for word in words:
        name, equals, text = word.partition("=")
        if not equals or not name or not text:
            raise CombinatError(f'{option}: found "{shortened(word)}"; write {form}')
        if name in values:
            raise CombinatError(f'{option}: "{shortened(name)}" is given twice; write it once')
        with named(f"{option.lstrip('-')} {shortened(name)}"):
            values[name] = value(text)
    return values
