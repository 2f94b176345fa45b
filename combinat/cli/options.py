"""Arguments and options that several commands share: the game, its variants, the shoe; and the values that they state together."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, TypeVar

import typer

from combinat.base.errors import CombinatError, InputError, named, shortened
from combinat.cli.command import GAME
from combinat.cli.output import caution
from combinat.rules import bounds
from combinat.rules.book.load import load_game
from combinat.rules.converters import DECKS as DEFAULT_DECKS
from combinat.rules.converters import as_decks, as_shoe, other_decks, whole_number
from combinat.rules.document import Decks
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

Value = TypeVar("Value")

DECKS = "COMBINAT_DECKS"
"""The environment variable with the default number of decks."""

_GAME: dict[str, Any] = {"metavar": "GAME", "envvar": GAME, "show_envvar": False}
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
    list[str] | None, typer.Option("--bet", metavar="ID", help="Only this bet; repeat for more.")
]
StakeOption = Annotated[
    list[str] | None, typer.Option(metavar="BET=AMOUNT", help="A stake; repeat for more.")
]
LayoutOption = Annotated[
    str | None,
    typer.Option("--layout", metavar="LAYOUT", help="Only the bets of this table layout, such as P."),
]

SHOE_LIMIT = "the largest acceptable gain of a player in a shoe, in units"
"""The help text of a ``--limit`` on gains."""


def refuse(why: str, options: Mapping[str, Any], write: str = "") -> None:
    """Refuse the first of these options that has a value; ``why``: the reason. ``write``: Default: leave it out."""
    for name, value in options.items():
        if value:
            raise InputError(why, write or f"leave out {{{name}}}", parameter=name)


def pairs(
    option: str, form: str, words: Sequence[str] | None, value: Callable[[str], Value]
) -> dict[str, Value]:
    """The words of a repeatable option, of a form such as ``BET=AMOUNT``, each name once."""
    values: dict[str, Value] = {}
    for word in words or ():
        name, equals, text = word.partition("=")
        if not equals or not name or not text:
            raise CombinatError(f'{option}: found "{shortened(word)}"; write {form}')
        if name in values:
            raise CombinatError(f'{option}: "{shortened(name)}" is given twice; write it once')
        with named(f"{option.lstrip('-')} {shortened(name)}"):
            values[name] = value(text)
    return values


def stakes_of(words: Sequence[str] | None) -> dict[str, str]:
    """The amounts that ``--stake`` states, by bet."""
    return pairs("--stake", "BET=AMOUNT", words, str)


# ---------------------------------------------------------------- variants of a game

PaysOption = Annotated[
    list[str] | None,
    typer.Option(
        "--pays",
        metavar="BET=ODDS",
        help='Try other odds: big-tiger="45 to 1", tiger="13 to 1,20 to 1", or one line by its name: '
        '"tiger:three cards=push"; repeat for more.',
    ),
]
StatePaysOption = Annotated[
    list[str] | None,
    typer.Option(
        "--pays",
        metavar="STATE=ODDS",
        help="Try other odds: HAND:STAGE:OWN-OTHER=ODDS, the insured hand's points first and * for any, "
        'such as "banker:four-cards:6-5=5 to 2"; repeat for more.',
    ),
]
ReadingOption = Annotated[
    list[str] | None,
    typer.Option(
        "--reading",
        metavar="ID",
        help="Use the other reading of an ambiguous clause, by its id in the register (see `combinat rules GAME`); "
        "repeat for more.",
    ),
]


def varied_game(game: str, readings: Sequence[str] | None = None, pays: Sequence[str] | None = None) -> Game:
    """The game with this id or rule book, under these readings and at these odds."""
    return at_odds(under_readings(load_game(game), readings), pays)


def game_at_insurance_odds(game: str, readings: Sequence[str] | None, pays: Sequence[str] | None) -> Game:
    """The game under these readings, with other odds for some of its insurance states."""
    read = varied_game(game, readings)
    with named("pays"):
        for name in pairs("--pays", "STATE=ODDS", pays, str):
            read.states_named(name)
    return at_odds(read, pays)


def at_odds(game: Game, pays: Sequence[str] | None) -> Game:
    """The game at these odds."""
    odds = pairs("--pays", "BET=ODDS", pays, str)
    with named("pays"):
        return game.paying(odds)


def under_readings(game: Game, readings: Sequence[str] | None) -> Game:
    """The game under these other readings."""
    with named("reading"):
        return game.reading(*(readings or ()))


# ---------------------------------------------------------------- shoes

DecksOption = Annotated[
    str | None, typer.Option("--decks", metavar="N", help="Decks in a fresh shoe. [default: 8]")
]
DecksRangeOption = Annotated[
    str | None,
    typer.Option(
        "--decks", metavar="N", help="Decks in a fresh shoe; 4-10 or 4,6,8 for a column each. [default: 8]"
    ),
]
AllowedDecksOption = Annotated[
    str | None,
    typer.Option(
        metavar="N", help="Numbers of decks, such as 4-10 or 4,6,8. [default: all that the document allows]"
    ),
]
RemovedOption = Annotated[
    str | None, typer.Option("--removed", metavar="CARDS", help='Cards already gone, such as "A A 10 K".')
]
CardsOption = Annotated[
    str | None,
    typer.Option(
        "--cards", metavar="COUNTS", help='The cards left, such as "A=31 2=32 K=32"; other ranks: 0.'
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
