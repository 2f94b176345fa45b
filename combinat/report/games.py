"""The list of games, as people and programs read it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from combinat.base.kinds import COUNT
from combinat.render.blocks import Column, Table, table
from combinat.rules.book.load import Listed

if TYPE_CHECKING:
    from combinat.rules.game import Game


def games_table(games: Sequence[Listed]) -> Table:
    """One line a game."""
    columns = (
        Column("game"),
        Column("in force"),
        Column("decks"),
        Column("layouts", COUNT),
        Column("bets", COUNT),
        Column("insurance"),
    )
    return table(columns, games)


def games_json(games: Sequence["Game"]) -> dict[str, Any]:
    """The games under the schema ``combinat/games/1``."""
    return {
        "schema": "combinat/games/1",
        "games": [
            {
                "id": game.id,
                "name": game.name,
                "version": game.version or None,
                "effective": game.in_force,
                "decks": {"least": game.decks.least, "most": game.decks.most},
                "bets": len(game.bets),
                "insurance_states": len(game.offers),
            }
            for game in games
        ],
    }
