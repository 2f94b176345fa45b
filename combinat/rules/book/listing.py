"""The list of rule books that come with combinat. It builds no game: a checked file has the keys that it reads."""

import tomllib
from pathlib import Path
from typing import NamedTuple

from combinat.base.relation import Exact
from combinat.base.tabular import Records
from combinat.rules.book.find import is_checked, rule_book_paths


class Listed(NamedTuple):
    """The summary of a rule book, one line of a list.

    >>> from combinat import games
    >>> games()[0].id, games()[0].decks, games()[0].bets
    ('commission-insurance-2013', '4-8', 5)
    """

    id: str
    effective: str
    decks: str
    layouts: int
    bets: int
    insurance: str

    @property
    def key(self) -> str:
        """The game's id."""
        return self.id

    def to_dicts(self) -> list[dict[str, Exact]]:
        """A row."""
        return [self._asdict()]


def listed(path: Path) -> Listed:
    """Return the summary of a rule book that comes with combinat."""
    content = path.read_bytes()
    if not is_checked(content, path.stem):
        from combinat.rules.book.load import load_rule_book  # a shipped rule book is checked already

        content = load_rule_book(path).content
    book = tomllib.loads(content.decode("utf-8"))
    decks = book["decks"]
    return Listed(
        id=book["id"],
        effective=str(book.get("effective", "not stated")),
        decks=f"{decks['least']}-{decks['most']}",
        layouts=len(book["layouts"]),
        bets=len(book["bets"]),
        insurance=book["insurance_terms"]["name"] if "insurance_terms" in book else "none",
    )


def games() -> Records[Listed]:
    """Return the games that come with combinat, one line for each.

    >>> [game.id for game in games()][0]
    'commission-insurance-2013'
    """
    return Records(listed(path) for path in rule_book_paths().values())
