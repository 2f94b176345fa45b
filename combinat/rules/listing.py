"""The rule books that come with combinat, a line about each."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from combinat.errors import RuleBookError, shortened
from combinat.rules.prepared import prepared

if TYPE_CHECKING:
    from combinat.render.tabular import Exact


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


class _Listing(msgspec.Struct):
    """What a list says of a rule book, among all that the rule book states."""

    id: str
    effective: str
    decks: dict[str, Any]
    layouts: list[msgspec.Raw]
    bets: list[msgspec.Raw]
    insurance_terms: dict[str, Any] | None = None


def listed(path: Path) -> Listed:
    """A rule book that comes with combinat, in one line: read, and not checked, as a list needs no more."""
    try:
        content = path.read_bytes()
        book = prepared(path.stem, content, _Listing) or _read(content)
        terms = book.insurance_terms
        return Listed(
            id=book.id,
            effective=book.effective,
            decks=f"{book.decks['least']}-{book.decks['most']}",
            layouts=len(book.layouts),
            bets=len(book.bets),
            insurance=terms["name"] if terms is not None else "none",
        )
    except (OSError, ValueError, TypeError, LookupError) as error:
        raise RuleBookError(
            f"{path}: no rule book ({shortened(str(error))}); combinat rules {path.stem} says more"
        ) from None


def _read(content: bytes) -> _Listing:
    import tomllib  # only a rule book that was not prepared needs it

    book = tomllib.loads(content.decode("utf-8"))
    return _Listing(
        id=book["id"],
        effective=str(book["effective"]),
        decks=book["decks"],
        layouts=book["layouts"],
        bets=book["bets"],
        insurance_terms=book.get("insurance_terms"),
    )
