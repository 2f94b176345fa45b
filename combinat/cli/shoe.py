"""The shoe options, the same in every command."""

import os
from typing import Annotated

import typer

from combinat.base.errors import InputError, named
from combinat.cli.environment import DECKS
from combinat.cli.output import caution
from combinat.rules import bounds
from combinat.rules.converters import DECKS as DEFAULT_DECKS
from combinat.rules.converters import as_decks, as_shoe, other_decks, whole_number
from combinat.rules.document import Decks
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

DecksOption = Annotated[
    str | None,
    typer.Option("--decks", metavar="N", help="Decks in a fresh shoe. [default: 8]", show_default=False),
]
DecksRangeOption = Annotated[
    str | None,
    typer.Option(
        "--decks",
        metavar="N",
        help="Decks in a fresh shoe; 4-10 or 4,6,8 for a column each. [default: 8]",
        show_default=False,
    ),
]
RemovedOption = Annotated[
    str | None,
    typer.Option(
        "--removed", metavar="CARDS", help='Cards already gone, such as "A A 10 K".', show_default=False
    ),
]
CardsOption = Annotated[
    str | None,
    typer.Option(
        "--cards",
        metavar="COUNTS",
        help='The cards left, such as "A=31 2=32 K=32"; other ranks: 0.',
        show_default=False,
    ),
]


def shoe_from(
    game: Game, decks: str | None, removed: str | None, cards: str | None, option: str = "cards"
) -> Shoe:
    """The shoe that the options state; a number of decks that the document does not allow is warned of.

    ``option``: the one by which ``cards`` was given.
    """
    if cards is not None:
        if decks is not None or removed is not None:
            raise InputError("these are all cards left", "leave out {decks} and {removed}", parameter=option)
        with named(option):
            return Shoe.parse(cards)
    usual = os.environ.get(DECKS) or DEFAULT_DECKS
    what, given = (DECKS, usual) if decks is None else ("decks", decks)
    number = whole_number(what, given, 1, bounds.SHOE_DECKS)
    shoe = as_shoe(number, removed=removed)
    warn_of_decks(game, [number])
    return shoe


def several_decks(decks: str | None) -> list[int] | None:
    """The numbers of decks in a range such as ``4-10`` or a list such as ``4,6,8``; None for a single number or no option."""
    return None if decks is None or decks.isdigit() else as_decks(decks)


def warn_of_decks(game: Game, numbers: list[int]) -> None:
    """Warn of numbers of decks that the document does not allow."""
    warn_of_other_decks(game.id, game.decks, numbers)


def warn_of_other_decks(game_id: str, allowed: Decks, numbers: list[int]) -> None:
    """Warn of numbers of decks other than those allowed."""
    if warning := other_decks(game_id, allowed, numbers):
        caution(warning)
