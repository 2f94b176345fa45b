"""Card notations of other programs: ranks, suits, numbers, words.

The notation is recognized by the text alone.
"""

import re
from collections.abc import Callable, Sequence
from enum import StrEnum

from combinat.base.errors import InputError, shortened
from combinat.rules.cards import RANKS, Rank


class Notation(StrEnum):
    """A way to write the cards of a hand."""

    RANK = "rank"  # K 5 10, also T for ten and 1 for an Ace, with any separator or none
    RANK_SUIT = "rank-suit"  # KS 5H 10D, TD, 0D, K♠
    SUIT_RANK = "suit-rank"  # SK H5 D10
    WORDS = "words"  # King of Spades, five, 10 of Hearts
    NUMBER = "1-13"  # 1 is an Ace, 11 to 13 are Jack, Queen, King
    FROM_ZERO = "0-12"  # 0 is an Ace, 12 a King
    INDEX = "0-51"  # suit after suit: the remainder by 13 is the rank, 0 an Ace
    INDEX_FROM_1 = "1-52"
    INDEX_BY_RANK = "0-51-by-rank"  # rank after rank: 0 to 3 are the Aces
    INDEX_BY_RANK_FROM_1 = "1-52-by-rank"
    POINTS = "0-9"  # points; ten, Jack, Queen and King are all 0

    @property
    def in_words(self) -> str:
        """A description with examples."""
        return _LOOKS[self]

    @property
    def tells_ranks(self) -> bool:
        """Whether the notation records ranks, and therefore pairs."""
        return self is not Notation.POINTS


_LOOKS = {
    Notation.RANK: "ranks, such as K 5 10 or K5T",
    Notation.RANK_SUIT: "rank and suit, such as KS 5H TD",
    Notation.SUIT_RANK: "suit and rank, such as SK H5 DT",
    Notation.WORDS: "words, such as King of Spades, five",
    Notation.NUMBER: "numbers 1 to 13, 1 an Ace and 13 a King",
    Notation.FROM_ZERO: "numbers 0 to 12, 0 an Ace and 12 a King",
    Notation.INDEX: "numbers 0 to 51, suit after suit, the remainder by 13 the rank",
    Notation.INDEX_FROM_1: "numbers 1 to 52, suit after suit",
    Notation.INDEX_BY_RANK: "numbers 0 to 51, rank after rank, 0 to 3 the Aces",
    Notation.INDEX_BY_RANK_FROM_1: "numbers 1 to 52, rank after rank, 1 to 4 the Aces",
    Notation.POINTS: "points 0 to 9, which do not tell a ten from a King",
}

NO_CARD = frozenset({"", "-", "--", "none", "null", "nan", "na", "n/a", "x"})
"""Texts in the column of a third card that was not drawn."""

NO_THIRD = frozenset({"0", "00", "none", "null", "nan", "na"})
"""Texts in the place of a third card that was not drawn; 0 is a card in some notations."""

MOST_TEXT = 200
"""Characters of a hand: three cards in words are fewer."""

_SEPARATORS = re.compile(r"[\s,;|/+\-_.:&()\[\]{}'\"]+")
_RANK = r"10|[2-9ATJQK]"
_SUIT = "[SHDC♠♥♦♣♤♡♢♧]"
_RUNS = {
    Notation.RANK: re.compile(f"({_RANK})", re.IGNORECASE),
    Notation.RANK_SUIT: re.compile(rf"({_RANK}|1|0){_SUIT}\ufe0f?", re.IGNORECASE),
    Notation.SUIT_RANK: re.compile(rf"{_SUIT}\ufe0f?({_RANK}|1(?!0)|0)", re.IGNORECASE),
    Notation.POINTS: re.compile("([0-9])"),
}
"""A card in a text without separators."""

_WORDS = {
    word: rank
    for rank, words in zip(
        RANKS,
        [
            "ace one",
            "two deuce",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "jack",
            "queen",
            "king",
        ],
        strict=True,
    )
    for word in words.split()
}
_SPOKEN = frozenset(
    ["of", "spades", "hearts", "diamonds", "clubs", "spade", "heart", "diamond", "club", "the", "and"]
)

_LETTERS = {str(rank): rank for rank in RANKS} | {"T": Rank.TEN, "1": Rank.ACE}


def _number_cards(first: int, last: int, rank: Callable[[int], int]) -> dict[str, Rank]:
    """Return the cards of these numbers, by their possible spellings."""
    return {
        text: RANKS[rank(number)]
        for number in range(first, last + 1)
        for text in (str(number), f"{number:02}")
    }


_NUMBERS = {
    Notation.NUMBER: _number_cards(1, 13, lambda number: number - 1),
    Notation.FROM_ZERO: _number_cards(0, 12, lambda number: number),
    Notation.INDEX: _number_cards(0, 51, lambda number: number % 13),
    Notation.INDEX_FROM_1: _number_cards(1, 52, lambda number: (number - 1) % 13),
    Notation.INDEX_BY_RANK: _number_cards(0, 51, lambda number: number // 4),
    Notation.INDEX_BY_RANK_FROM_1: _number_cards(1, 52, lambda number: (number - 1) // 4),
    Notation.POINTS: _number_cards(0, 9, lambda number: (number - 1) % 10),
}


_ZEROS = {
    notation: frozenset({"0", "00"})
    for notation in (Notation.FROM_ZERO, Notation.INDEX, Notation.INDEX_BY_RANK, Notation.POINTS)
}


def cards_in(text: str, notation: Notation) -> tuple[Rank, ...]:
    """Return the cards that a text names in this notation.

    >>> [str(card) for card in cards_in("K♠-5H, TD", Notation.RANK_SUIT)]
    ['K', '5', '10']
    >>> [str(card) for card in cards_in("K54", Notation.RANK)], cards_in("13 5", Notation.NUMBER)[0].value
    (['K', '5', '4'], 'K')
    >>> [str(card) for card in cards_in("0 7", Notation.POINTS)], len(cards_in("12,7,0", Notation.NUMBER))
    (['10', '7'], 2)
    """
    if len(text) > MOST_TEXT:
        raise InputError(f'found "{shortened(text)}", which is no hand of two or three cards')
    parts = [part for part in _SEPARATORS.split(text.strip()) if part]
    if notation is Notation.WORDS:
        return tuple(_card_in_words(part, text) for part in parts if part.casefold() not in _SPOKEN)
    if len(parts) == 3 and parts[2].casefold() in NO_THIRD - _ZEROS.get(notation, frozenset()):
        parts = parts[:2]
    if len(parts) == 1:
        return _cards_of(parts[0], notation)
    return tuple(_card_of(part, notation) for part in parts)


def _card_of(part: str, notation: Notation) -> Rank:
    """Return the card between two separators."""
    card, *others = _cards_of(part, notation)
    if others:
        raise InputError(f'card "{shortened(part)}" is none of {notation.in_words}')
    return card


def _cards_of(part: str, notation: Notation) -> tuple[Rank, ...]:
    """Return the cards between two separators: one card, or several in a run."""
    if notation in _NUMBERS and part in _NUMBERS[notation]:
        return (_NUMBERS[notation][part],)
    if notation is Notation.RANK and part.upper() in _LETTERS:
        return (_LETTERS[part.upper()],)
    run = _RUNS.get(notation)
    if run is None or run.sub("", part):
        raise InputError(f'card "{shortened(part)}" is none of {notation.in_words}')
    known = _NUMBERS[notation] if notation is Notation.POINTS else _LETTERS | {"0": Rank.TEN}
    return tuple(known[name.upper()] for name in run.findall(part))


def _card_in_words(part: str, text: str) -> Rank:
    try:
        return _LETTERS.get(part.upper()) or _WORDS[part.casefold()]
    except KeyError:
        raise InputError(f'card "{shortened(part)}" of "{shortened(text)}" is no card in words') from None


def reads(text: str, notation: Notation) -> tuple[Rank, ...] | None:
    """Return the hand of two or three cards that a text names in this notation, or None."""
    try:
        cards = cards_in(text, notation)
    except InputError:
        return None
    return cards if 2 <= len(cards) <= 3 else None


def fitting_notations(hands: Sequence[str]) -> list[Notation]:
    """Return the notations that read all of these hands, in the order of ``Notation``.

    Numbers are recognized by their range: numbers up to 13 are not read as 0 to 51, and numbers up to 9 are
    not read as 0 to 12.

    >>> [str(fit) for fit in fitting_notations(["TS 5H", "KD 9C"])], [str(fit) for fit in fitting_notations(["13 5", "1 2 ?"])]
    (['rank-suit'], [])
    """
    return [
        notation
        for notation in notations_in_range(hands)
        if hands and all(reads(hand, notation) is not None for hand in hands)
    ]


def notations_in_range(hands: Sequence[str]) -> list[Notation]:
    """Return the notations whose range of numbers is close to that of these hands."""
    numbers = (part for hand in hands for part in _SEPARATORS.split(hand) if re.fullmatch(r"\d{1,2}", part))
    largest = max(map(int, numbers), default=-1)
    return [
        notation
        for notation in Notation
        if not (notation.value.startswith(("0-51", "1-52")) and largest <= 13)
        and not (notation is Notation.FROM_ZERO and largest <= 9)
    ]


def distinct_readings(hands: Sequence[str], fits: Sequence[Notation]) -> list[Notation]:
    """Return the notations that read these hands differently, one for each different reading."""
    seen: dict[tuple[tuple[Rank, ...] | None, ...], Notation] = {}
    for notation in fits:
        seen.setdefault(tuple(reads(hand, notation) for hand in hands), notation)
    return list(seen.values())


def only_notation(hands: Sequence[str]) -> Notation | None:
    """Return the only notation that reads these hands, or None if there is no such notation or several."""
    ways = distinct_readings(hands, fitting_notations(hands))
    return ways[0] if len(ways) == 1 else None


WINNER_WORDS = {
    f"{word}{more}": winner
    for winner, words in {
        "player": ("player", "p", "punto"),
        "banker": ("banker", "b", "banco", "bank"),
        "tie": ("tie", "t", "draw", "tied", "egalite"),
    }.items()
    for word in words
    for more in ("", " win", " wins")
}
"""The words for each winner."""


def winner_named(text: str) -> str | None:
    """Return the winner that a text names, or None.

    >>> winner_named("Banker wins"), winner_named("T"), winner_named("12.50")
    ('banker', 'tie', None)
    """
    return WINNER_WORDS.get(text.strip().lower())
