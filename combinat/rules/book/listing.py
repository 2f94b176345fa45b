"""The list of rule books that come with combinat. It builds no game: a checked file has the keys that it reads."""

import tomllib
from pathlib import Path
from typing import NamedTuple

from combinat.base.kinds import NUMBER, TEXT
from combinat.base.relation import Exact, Field, Relation
from combinat.base.tabular import Records
from combinat.rules.book.find import is_checked, rule_book_paths


class Listed(NamedTuple):
    """The summary of a rule book, one line of a list.

    >>> from combinat import games
    >>> games()[0].id, games()[0].decks, games()[0].bets
    ('commission-insurance-2013', '4-8', 5)
    """

    id: str
    name: str
    version: str | None
    effective: str
    least: int
    most: int
    layouts: int
    bets: int
    insurance: str

    def __repr__(self) -> str:
        return f"<Listed {self.id}: {self.bets} bets>"

    @property
    def key(self) -> str:
        """The game's id."""
        return self.id

    @property
    def decks(self) -> str:
        """The fewest and the most decks, as a span."""
        return f"{self.least}-{self.most}"

    @property
    def insurance_states(self) -> int:
        """The insurance states that it offers: the one figure for which its game is built."""
        from combinat.rules.book.load import load_game  # the list of games does without

        return len(load_game(self.id).offers)

    def to_dicts(self) -> list[dict[str, Exact]]:
        """A row, as the list shows it."""
        return [{field.name: field.of(self) for field in LISTED.view("terminal")}]


DECKS: Relation[Listed] = Relation(
    "decks",
    Field("least", "least", NUMBER, "The fewest decks."),
    Field("most", "most", NUMBER, "The most decks."),
)

LISTED: Relation[Listed] = Relation(
    "games",
    Field("id", "game", TEXT, "The game's id.", views="terminal"),
    Field("name", "name", TEXT, "The game's name."),
    Field("version", "version", TEXT, "The version of its document.", may_be_none=True),
    Field("effective", "in force", TEXT, "From when it is in force.", views="terminal"),
    Field("decks", "decks", TEXT, "How many decks the document allows.", views="terminal", for_people=True),
    Field("decks", "decks", DECKS, "How many decks the document allows.", lambda game: game),
    Field("layouts", "layouts", NUMBER, "Layouts.", views="terminal"),
    Field("bets", "bets", NUMBER, "Bets.", views="terminal"),
    Field("insurance", "insurance", TEXT, "The name of its insurance, or none.", views="terminal"),
    Field("insurance_states", "insurance states", NUMBER, "Insurance states."),
)
"""The rule books that come with combinat, a row each."""


def summary(path: Path) -> Listed:
    """Return the summary of a rule book that comes with combinat."""
    content = path.read_bytes()
    if not is_checked(content, path.stem):
        from combinat.rules.book.load import load_game  # a shipped rule book is checked already

        content = load_game(path).content
    game = tomllib.loads(content.decode("utf-8"))
    decks = game["decks"]
    return Listed(
        id=game["id"],
        name=game["name"],
        version=game.get("version") or None,
        effective=str(game.get("effective", "not stated")),
        least=decks["least"],
        most=decks["most"],
        layouts=len(game["layouts"]),
        bets=len(game["bets"]),
        insurance=game["insurance_terms"]["name"] if "insurance_terms" in game else "none",
    )


def games() -> Records[Listed]:
    """Return the games that come with combinat, one line for each.

    >>> [game.id for game in games()][0]
    'commission-insurance-2013'
    """
    return Records(summary(path) for path in rule_book_paths().values())
