"""``--pays`` and ``--reading``: a game at other odds, or under other readings."""

from collections.abc import Sequence
from typing import Annotated

import typer

from combinat.base.errors import named
from combinat.cli.options import pairs
from combinat.rules.book.load import RuleBook, load_rule_book
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
    return paying(reread_book(load_rule_book(game), readings).game, pays)


def paying(game: Game, pays: Sequence[str] | None) -> Game:
    """The game at the odds asked for."""
    odds = pairs("--pays", "BET=ODDS", list(pays or ()), str)
    with named("pays"):
        return game.paying(odds)


def reread_book(book: RuleBook, readings: Sequence[str] | None) -> RuleBook:
    """A rule book under the other readings asked for."""
    with named("reading"):
        return book.reading(*(readings or ()))
