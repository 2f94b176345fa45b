"""The list of games as data: the JSON of ``combinat games``, which builds no game."""

from collections.abc import Sequence

from combinat.base.relation import Document, Field, Many
from combinat.rules.book.listing import LISTED, Listed

GAMES: Document[Sequence[Listed]] = Document(
    "combinat/games/1",
    "The rule books: combinat games.",
    Field("games", "games", Many(LISTED), "Every rule book.", lambda games: games),
)
