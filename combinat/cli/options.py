"""Arguments and options that several commands share."""

from collections.abc import Callable
from typing import Annotated, TypeVar

import typer

from combinat.base.errors import CombinatError, named, shortened
from combinat.cli.shared import GAME
from combinat.render.text import Format
from combinat.rules.book.find import rule_book_paths

Value = TypeVar("Value")


def known_games(incomplete: str) -> list[str]:
    """Game ids for shell completion."""
    return [game for game in rule_book_paths() if game.startswith(incomplete)]


GameArgument = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A game id, the beginning of one, or a path to a TOML rule book.",
        show_default=False,
        envvar=GAME,
        show_envvar=False,
    ),
]
FormatOption = Annotated[Format, typer.Option("--format", "-f", help="The format of what is printed.")]
LayoutOption = Annotated[
    str | None, typer.Option("--layout", help="Only what this table layout offers.", show_default=False)
]


SHOE_LIMIT = "the most that may be gained in a shoe, in units"
"""What ``--limit`` says wherever it is an option."""


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
