"""``--reading``: the other reading of entries of a game's register, followed by a whole command."""

from collections.abc import Sequence
from typing import Annotated

import typer

from combinat.errors import NotInGameError, ReadingError
from combinat.rules.game import Game
from combinat.rules.reading import with_readings
from combinat.rules.rulebook import load_game

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
    return reread(load_game(game), readings)


def reread(game: Game, readings: Sequence[str] | None) -> Game:
    """A game under the other readings asked for."""
    try:
        return with_readings(game, readings or ())
    except (NotInGameError, ReadingError) as error:
        raise type(error)(f"--reading: {error}") from None
