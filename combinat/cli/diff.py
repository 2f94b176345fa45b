"""``combinat diff``: what one rule book changes in another."""

from pathlib import Path
from typing import Annotated

import typer

from combinat.analysis.rule_book_changes import rule_book_changes
from combinat.base.errors import CombinatError
from combinat.cli.options import FormatOption, known_games
from combinat.cli.output import say
from combinat.cli.shoe import DecksOption, warn_of_decks, whole_decks
from combinat.render.text import Format, as_json, rendered
from combinat.report.rule_book_changes import changes_csv, changes_document, changes_json
from combinat.rules.book.load import load_game
from combinat.rules.game import Game

REFERENCE_DECKS = 8


def diff(
    games: Annotated[
        list[str],
        typer.Argument(
            metavar="GAME [GAME]",
            help="Two game ids or TOML files, the earlier and the later; or one with a base, to compare it with its base.",
            autocompletion=known_games,
            show_default=False,
        ),
    ],
    decks: DecksOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Two rule books side by side: all that the second adds, takes out and changes.

    Each with its clause on both sides and, for bets and insurance, the exact effect on the house edge.
    """
    before, after = _pair(games)
    number = whole_decks(decks) if decks is not None else REFERENCE_DECKS
    for game in (before, after):
        warn_of_decks(game, [number])
    changes = rule_book_changes(before, after, number)
    if form is Format.JSON:
        say(as_json(changes_json(before, after, changes, number)))
    elif form is Format.CSV:
        say(rendered([changes_csv(changes)], form))
    else:
        say(rendered([changes_document(before, after, changes, number)], form))


def _pair(games: list[str]) -> tuple[Game, Game]:
    """The two games to compare; of one that has a base, the base and it."""
    if len(games) == 2:
        return load_game(games[0]), load_game(games[1])
    if len(games) != 1:
        raise CombinatError(f"diff takes two games, or one that has a base; found {len(games)}")
    after = load_game(games[0])
    if not after.varies:
        raise CombinatError(f"diff takes two games: {after.id} has no base to compare it with")
    beside = Path(games[0]).parent / after.varies
    return load_game(beside if after.varies.endswith(".toml") else after.varies), after
