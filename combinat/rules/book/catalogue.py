"""The rule books that come with combinat, a line about each."""

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from combinat.rules.book.load import load_game

if TYPE_CHECKING:
    from combinat.base.relation import Exact


class Listed(NamedTuple):
    """A rule book in one line.

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

    def to_dicts(self) -> "list[dict[str, Exact]]":
        """A row."""
        return [self._asdict()]


def listed(path: Path) -> Listed:
    """A rule book that comes with combinat, in one line."""
    game = load_game(path)
    return Listed(
        id=game.id,
        effective=game.in_force,
        decks=f"{game.decks.least}-{game.decks.most}",
        layouts=len(game.layouts),
        bets=len(game.bets),
        insurance=game.insurance_terms.name if game.insurance_terms else "none",
    )
