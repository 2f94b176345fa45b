"""The list of games, as people and programs read it."""

from collections.abc import Sequence
from typing import Any

from combinat.render.blocks import Column, Table, table
from combinat.render.kinds import COUNT
from combinat.rules.game import Game


def games_table(games: Sequence[Game]) -> Table:
    """One line a game."""
    columns = (
        Column("game"),
        Column("in force"),
        Column("decks"),
        Column("layouts", COUNT),
        Column("bets", COUNT),
        Column("insurance"),
    )
    rows = [
        (
            game.id,
            str(game.effective),
            f"{game.decks.least}-{game.decks.most}",
            len(game.layouts),
            len(game.bets),
            game.insurance_terms.name if game.insurance_terms else "none",
        )
        for game in games
    ]
    return table(columns, rows)


def games_json(games: Sequence[Game]) -> dict[str, Any]:
    """The games under the schema ``combinat/games/1``."""
    return {
        "schema": "combinat/games/1",
        "games": [
            {
                "id": game.id,
                "name": game.name,
                "version": game.version or None,
                "effective": str(game.effective),
                "decks": {"least": game.decks.least, "most": game.decks.most},
                "bets": len(game.bets),
                "insurance_states": len(game.offers),
            }
            for game in games
        ],
    }
