"""The hands of a hand log: each different text is read once, in the notation of the log."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from combinat.audit.reading.amounts import coded
from combinat.audit.reading.notation import Notation, cards_in, likely
from combinat.base.errors import InputError
from combinat.montecarlo.cell import NO_CARD, Bytes
from combinat.rules.cards import RANKS, Rank, format_cards

if TYPE_CHECKING:
    import polars

MOST_HANDS = 100_000
"""Different texts whose cards are remembered: far more than there are hands."""


class Hand(NamedTuple):
    """The cards that a text names; or why it names none, or why they are not a finished hand."""

    cards: tuple[Rank, ...]
    unreadable: str = ""
    unfinished: str = ""

    @property
    def ranks(self) -> tuple[int, int, int]:
        """Three ranks by number."""
        if self.unreadable or self.unfinished:
            return 0, 0, NO_CARD
        first, second, *third = (RANKS.index(card) for card in self.cards)
        return first, second, third[0] if third else NO_CARD


@lru_cache(MOST_HANDS)
def _hand(text: str, notation: Notation) -> Hand:
    """The hand that a text names."""
    try:
        cards = cards_in(text, notation)
    except InputError as error:
        other = likely([text])
        return Hand(
            (), f"{error}{f'; it looks like {other.in_words}' if other not in (None, notation) else ''}"
        )
    if not cards:
        return Hand((), "found no cards")
    if 2 <= len(cards) <= 3:
        return Hand(cards)
    return Hand(
        cards,
        "",
        f"found {len(cards)} card{'' if len(cards) == 1 else 's'}; a finished hand has two or three",
    )


@dataclass(frozen=True, slots=True)
class Hands:
    """The hands of a column: the ranks of three cards by number, ``NO_CARD`` for a third that was not drawn.

    ``unreadable``: why a text does not name cards, by row; ``unfinished``: why the cards are not a finished hand.
    """

    ranks: tuple[Bytes, Bytes, Bytes]
    unreadable: Mapping[int, str]
    unfinished: Mapping[int, str]
    _different: Sequence[Hand]
    _places: npt.NDArray[np.uint32]

    @classmethod
    def of(cls, column: "polars.Series", notation: Notation, texts: list[str]) -> "Hands":
        """The hands of a column. ``texts``: those of the rows before, which are soon found again."""
        places = coded(column, texts)
        different = [_hand(text, notation) for text in (*texts, "")]
        unreadable, unfinished = dict[int, str](), dict[int, str]()
        for place, hand in enumerate(different):
            if why := hand.unreadable or hand.unfinished:
                rows = np.flatnonzero(places == place).tolist()
                (unreadable if hand.unreadable else unfinished).update(dict.fromkeys(rows, why))
        first, second, third = np.array([hand.ranks for hand in different], dtype=np.uint8).T
        ranks = first[places], second[places], third[places]
        return cls(ranks, unreadable, unfinished, different, places)

    @property
    def cards(self) -> "polars.Series":
        """The cards in standard notation."""
        import polars

        return polars.Series([format_cards(hand.cards) for hand in self._different]).gather(self._places)
