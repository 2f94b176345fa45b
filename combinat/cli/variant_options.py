"""``--pays`` and ``--reading``: a game at other odds, or under other readings."""

from collections.abc import Sequence
from typing import Annotated

import typer

from combinat.base.errors import named
from combinat.cli.options import pairs
from combinat.rules.book.load import load_game
from combinat.rules.game import Game

PaysOption = Annotated[
    list[str] | None,
    typer.Option(
        "--pays",
        metavar="BET=ODDS",
        help='Try other odds: big-tiger="45 to 1", tiger="13 to 1,20 to 1", or one line by its name: '
        '"tiger:three cards=push"; repeat for more.',
        show_default=False,
    ),
]
StatePaysOption = Annotated[
    list[str] | None,
    typer.Option(
        "--pays",
        metavar="STATE=ODDS",
        help="Try other odds: HAND:STAGE:OWN-OTHER=ODDS, the insured hand's points first and * for any, "
        'such as "banker:four-cards:6-5=5 to 2"; repeat for more.',
        show_default=False,
    ),
]

ReadingOption = Annotated[
    list[str] | None,
    typer.Option(
        "--reading",
        metavar="ID",
        help="Follow the other reading of this entry of the register (see `combinat rules GAME`); repeat for more.",
        show_default=False,
    ),
]


def varied_game(game: str, pays: Sequence[str] | None = None, readings: Sequence[str] | None = None) -> Game:
    """The game with this id or rule book, at the odds and under the readings asked for."""
    return paying(reread(load_game(game), readings), pays)


def game_at_insurance_odds(game: str, pays: Sequence[str] | None, readings: Sequence[str] | None) -> Game:
    """The game under the readings asked for, with other odds for some of its insurance states."""
    read = varied_game(game, None, readings)
    with named("pays"):
        for name in pairs("--pays", "STATE=ODDS", list(pays or ()), str):
            read.states_named(name)
    return paying(read, pays)


def paying(game: Game, pays: Sequence[str] | None) -> Game:
    """The game at the odds asked for."""
    odds = pairs("--pays", "BET=ODDS", list(pays or ()), str)
    with named("pays"):
        return game.paying(odds)


def reread(game: Game, readings: Sequence[str] | None) -> Game:
    """A rule book under the other readings asked for."""
    with named("reading"):
        return game.reading(*(readings or ()))
