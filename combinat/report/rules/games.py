"""The list of games, as people and programs read it."""

from collections.abc import Sequence
from typing import Any

from combinat.base.relation import Document, Field, Many
from combinat.render.blocks import Table
from combinat.report.relation_tables import view_table
from combinat.rules.book.listing import LISTED, Listed


def games_table(games: Sequence[Listed]) -> Table:
    """One line a game."""
    return view_table(LISTED, games)


GAMES: Document[Sequence[Listed]] = Document(
    "combinat/games/1",
    "The rule books: combinat games.",
    Field("games", "games", Many(LISTED), "Every rule book.", lambda games: games),
)


def games_json(games: Sequence[Listed]) -> dict[str, Any]:
    """Return the games as a document."""
    return GAMES.object(games)
