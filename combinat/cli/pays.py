"""``--pays``: other odds than the document's, for a whole bet or for one of its lines."""

from typing import Annotated

import typer

from combinat.analysis.other_odds import with_odds
from combinat.base.errors import OddsError
from combinat.cli.options import pairs
from combinat.rules.game import Game
from combinat.rules.odds import Odds

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

Tried = dict[str, list[Odds]]


def tried_from(pays: list[str] | None) -> Tried:
    """The odds that the option states, by bet, or by bet and line."""
    return pairs("--pays", "BET=ODDS", pays or [], _several_odds)


def _several_odds(text: str) -> list[Odds]:
    return [Odds.parse(one.strip()) for one in text.split(",")]


def game_paying(game: Game, tried: Tried) -> Game:
    """The game with the odds tried."""
    try:
        return with_odds(game, tried)
    except OddsError as error:
        raise OddsError(f"--pays {error}") from None
