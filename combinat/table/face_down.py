"""Cards that were drawn, in part face down: nobody has seen what those are."""

from collections.abc import Iterable
from dataclasses import dataclass

from combinat.base.errors import CardError
from combinat.rules.cards import Rank, parse_rank, point_total
from combinat.rules.round import Round
from combinat.rules.table_of_play import Hand, TableOfPlay

Card = Rank | None
"""A card; None: it lies face down."""

Cards = tuple[Card, ...]

FACE_DOWN = "?"
"""How people write a card that lies face down."""


def parse_drawn(text: str) -> Cards:
    """The cards in ``text``, separated by spaces or commas, a question mark for each that lies face down.

    >>> [str(card) for card in parse_drawn("9 ?, k")]
    ['9', 'None', 'K']
    """
    return tuple(_card(word) for word in text.replace(",", " ").split())


def _card(word: str) -> Card:
    try:
        return None if word == FACE_DOWN else parse_rank(word)
    except CardError as error:
        raise CardError(f"{error}, or {FACE_DOWN} for one that lies face down") from None


def format_drawn(cards: Iterable[Card]) -> str:
    """The cards as ``parse_drawn`` reads them."""
    return " ".join(FACE_DOWN if card is None else card for card in cards)


def seen(cards: Iterable[Card]) -> tuple[Rank, ...]:
    """The cards that lie face up."""
    return tuple(card for card in cards if card is not None)


@dataclass(frozen=True, slots=True)
class Hands:
    """The cards of both hands, in the order each received them."""

    player: Cards = ()
    banker: Cards = ()

    @property
    def face_down(self) -> int:
        """How many of them lie face down."""
        return (*self.player, *self.banker).count(None)

    def with_card(self, hand: Hand, card: Card) -> "Hands":
        """The hands after one more card."""
        if hand is Hand.PLAYER:
            return Hands((*self.player, card), self.banker)
        return Hands(self.player, (*self.banker, card))

    def points(self, hand: Hand) -> int | None:
        """The Point Total of a hand as it stands; None: a card of it lies face down."""
        cards = self.player if hand is Hand.PLAYER else self.banker
        return None if None in cards else point_total(card.points for card in seen(cards))

    def face_up(self, table: TableOfPlay) -> Round:
        """The cards that lie face up, as a round."""
        return Round(seen(self.player), seen(self.banker), table)

    def __str__(self) -> str:
        return f"Player {format_drawn(self.player) or '-'}, Banker {format_drawn(self.banker) or '-'}"
