"""The thirteen ranks and their points. Suits never matter in these games.

The points of a card are not data: all four documents state the same (3.2 in 2024 and 2025, 3.8 in 2013).
"""

import re
from collections.abc import Iterable
from enum import StrEnum

from combinat.base.errors import InputError, shortened


class Rank(StrEnum):
    """A card's rank, in the order of the shoe: A, 2 to 10, J, Q, K.

    >>> " ".join(Rank), Rank("K").points, Rank.ACE.points
    ('A 2 3 4 5 6 7 8 9 10 J Q K', 0, 1)
    """

    ACE = "A"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    TEN = "10"
    JACK = "J"
    QUEEN = "Q"
    KING = "K"

    @property
    def points(self) -> int:
        """The points of the card: an Ace 1, a 2 to 9 its face value, the others 0.

        A 10 has its face value in the Tiger Buffalo documents (3.2.2); its last digit is 0, and only
        the last digit of a total counts (Point Total: 1.20 and 1.19 in 2024, 1.23 in 2025).
        The 2013 document values it at zero outright (3.8). Picture cards are worth 0 in all of them.
        """
        return POINTS[self]


RANKS: tuple[Rank, ...] = tuple(Rank)
POINTS: dict[Rank, int] = {rank: number if number < 10 else 0 for number, rank in enumerate(RANKS, start=1)}


def point_total(cards: Iterable[int]) -> int:
    """Return the Point Total of card points: the last digit of their sum.

    >>> point_total([7, 8])
    5
    """
    return sum(cards) % 10


def parse_cards(text: str) -> tuple[Rank, ...]:
    """Return the cards in ``text``, separated by spaces or commas.

    >>> [str(rank) for rank in parse_cards("9 4, k")]
    ['9', '4', 'K']
    """
    return tuple(parse_rank(word) for word in text.replace(",", " ").split())


def parse_rank(word: str) -> Rank:
    """Return the rank that ``word`` names.

    >>> parse_rank("10").points
    0
    """
    try:
        return Rank(word.upper())
    except ValueError:
        raise InputError(f'card "{shortened(word)}" does not exist; write one of {" ".join(RANKS)}') from None


def parse_by_rank(text: str, pattern: str, example: str) -> dict[Rank, int]:
    """Return the integer of each rank in ``"A=31 2=32"``; ``pattern`` matches one; ``example``: for messages.

    >>> {str(rank): number for rank, number in parse_by_rank("a=1, K=3", "[0-9]", "A=31").items()}
    {'A': 1, 'K': 3}
    """
    numbers: dict[Rank, int] = {}
    for word in text.replace(",", " ").split():
        name, equals, number = word.partition("=")
        if not equals or not re.fullmatch(pattern, number):
            raise InputError(
                f'found "{shortened(word)}"; write a rank, = and a whole number, such as {example}'
            )
        rank = parse_rank(name)
        if rank in numbers:
            raise InputError(f"{rank} is given twice; write each rank once")
        numbers[rank] = int(number)
    return numbers


def format_cards(cards: Iterable[Rank]) -> str:
    """Return the cards as ``parse_cards`` reads them."""
    return " ".join(cards)
