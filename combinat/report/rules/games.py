"""The list of games, as people and programs read it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from combinat.base.kinds import COUNT, NUMBER, TEXT
from combinat.base.relation import Document, Field, Many, Relation
from combinat.render.blocks import Column, Table, table
from combinat.rules.book.listing import Listed

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


DECKS: "Relation[Game]" = Relation(
    "decks",
    Field("least", "least", NUMBER, "The fewest decks.", lambda game: game.decks.least),
    Field("most", "most", NUMBER, "The most decks.", lambda game: game.decks.most),
)

LISTED_GAMES: "Relation[Game]" = Relation(
    "games",
    Field("id", "game", TEXT, "The game's id."),
    Field("name", "name", TEXT, "The game's name."),
    Field(
        "version",
        "version",
        TEXT,
        "The version of its document.",
        lambda game: game.version or None,
        may_be_none=True,
    ),
    Field("effective", "in force", TEXT, "From when it is in force.", lambda game: game.in_force),
    Field("decks", "decks", DECKS, "How many decks the document allows.", lambda game: game),
    Field("bets", "bets", NUMBER, "Bets.", lambda game: len(game.bets)),
    Field("insurance_states", "insurance", NUMBER, "Insurance states.", lambda game: len(game.offers)),
)

GAMES: "Document[Sequence[Game]]" = Document(
    "combinat/games/1",
    "The rule books: combinat games.",
    Field("games", "games", Many(LISTED_GAMES), "Every rule book.", lambda games: games),
)


def games_json(games: Sequence["Game"]) -> dict[str, Any]:
    """Return the games as a document."""
    return GAMES.object(games)
