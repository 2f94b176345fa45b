"""Shell completion: games, and the bets, layouts, readings and incidents of the game on the command line."""

import inspect
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, get_args

import typer

from combinat.base.errors import CombinatError
from combinat.rules.book.find import rule_book_paths

if TYPE_CHECKING:
    from combinat.rules.game import Game

Ids = Callable[["Game"], Iterable[str]]


def complete_words(command: Callable[..., None]) -> None:
    """Complete the words of a command: each parameter that has no completion gets one by its name."""
    for name, annotation in inspect.get_annotations(command).items():
        for info in get_args(annotation)[1:]:
            if info.autocompletion is None:
                info.autocompletion = _completion(name, info.metavar or "")


def _completion(name: str, metavar: str) -> Callable[..., list[str]] | None:
    if metavar == "GAME":
        return _games
    if metavar == "BET" or (name == "bet" and metavar == "ID"):
        return _of_game(lambda game: (bet.id for bet in game.bets))
    if name == "line":
        return _lines
    if metavar.startswith("HAND@STAGE"):
        ending = "=" if "=" in metavar else ""
        return _of_game(
            lambda game: dict.fromkeys(f"{state.side}@{state.stage}{ending}" for state in game.offers)
        )
    if metavar.startswith("BET="):
        return _of_game(lambda game: (f"{bet.id}=" for bet in game.bets))
    return _of_game(_BY_NAME[name]) if name in _BY_NAME else None


_BY_NAME: dict[str, Ids] = {
    "layout": lambda game: (layout.id for layout in game.layouts),
    "reading": lambda game: (entry.id for entry in game.interpretations),
    "incident": lambda game: game.incident_ids,
    "procedure": lambda game: (procedure.id for procedure in game.procedures),
}


def _games(incomplete: str) -> list[str]:
    return [game for game in rule_book_paths() if game.startswith(incomplete)]


def _of_game(ids: Ids) -> Callable[..., list[str]]:
    """A function that completes a word with ids of the game on the command line."""

    def complete(ctx: typer.Context, incomplete: str) -> list[str]:
        from combinat.rules.book.load import load_game

        game = _argument(ctx, "game", 0)
        try:
            return [one for one in ids(load_game(game)) if one.startswith(incomplete)] if game else []
        except CombinatError:
            return []  # nobody reads a message while a word is completed

    return complete


def _lines(ctx: typer.Context, incomplete: str) -> list[str]:
    """The named lines of the bet on the command line."""
    bet = _argument(ctx, "bet", 1)
    complete = _of_game(lambda game: (pay.name for pay in game.bet(bet or "").pays if pay.name))
    return complete(ctx, incomplete)


def _argument(ctx: typer.Context, name: str, place: int) -> Any:
    """An argument, also if the line ends in an option without a value and typer has not read its arguments."""
    given = ctx.params.get(name)
    return (given[0] if isinstance(given, list) and given else given) or next(iter(ctx.args[place:]), None)
