"""``--reading``: the other reading of entries of a game's register, followed by a whole command."""

from collections.abc import Sequence
from typing import Annotated

import typer

from combinat.base.errors import NotInGameError, ReadingError
from combinat.rules.book.load import RuleBook, load_rule_book
from combinat.rules.game import Game

ReadingOption = Annotated[
    list[str] | None,
    typer.Option(
        "--reading",
        metavar="ID",
        help="Follow the other reading of this entry of the register (see `combinat rules GAME`); repeat for more.",
        show_default=False,
    ),
]


def read_game(game: str, readings: Sequence[str] | None) -> Game:
    """The game with this id or rule book, under the other readings asked for."""
    return reread_book(load_rule_book(game), readings).game


def reread_book(book: RuleBook, readings: Sequence[str] | None) -> RuleBook:
    """A rule book under the other readings asked for."""
    try:
        return book.read_otherwise(readings or ())
    except (NotInGameError, ReadingError) as error:
        raise type(error)(f"--reading: {error}") from None
