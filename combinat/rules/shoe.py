"""The shoe: the cards left to deal, as a count per rank."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import SupportsIndex

import msgspec

from combinat.base.errors import InputError, in_words
from combinat.base.number import integer
from combinat.rules import bounds
from combinat.rules.cards import RANKS, Rank, parse_by_rank, parse_cards, parse_rank

COPIES_PER_DECK = 4
_NUMBER = r"(?a)\d{1,9}"


class Shoe(msgspec.Struct, frozen=True):
    """The number of cards left of each rank, in the order of ``RANKS``. A shoe never changes.

    ``len`` is the number of cards, and iterating gives them one by one, from the Aces to the Kings.

    >>> Shoe.of_decks(8).size
    416
    >>> len(Shoe.parse("A=2 K=1")), [str(card) for card in Shoe.parse("A=2 K=1")]
    (3, ['A', 'A', 'K'])
    >>> str(Shoe.of_decks(1).minus("A A K"))
    'A=2 2=4 3=4 4=4 5=4 6=4 7=4 8=4 9=4 10=4 J=4 Q=4 K=3'
    """

    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        if not isinstance(self.counts, tuple) or len(self.counts) != len(RANKS):
            raise InputError(
                f"found {in_words(self.counts)}; a shoe is a tuple of {len(RANKS)} counts, A to K; "
                "write Shoe.of([32] * 13), Shoe.of_decks(8) or Shoe.parse('A=31 2=32 K=32')"
            )
        for rank, count in zip(RANKS, self.counts, strict=True):
            _count(rank, count if isinstance(count, int) else None)

    @classmethod
    def of_decks(cls, decks: SupportsIndex) -> "Shoe":
        """Return a fresh shoe of ``decks`` packs of 52.

        >>> Shoe.of_decks(8).size
        416
        """
        number = integer(decks)
        if number is None or not 1 <= number <= bounds.SHOE_DECKS:
            raise InputError(
                f"found {in_words(decks)}; write a whole number of decks from 1 to {bounds.SHOE_DECKS}"
            )
        return cls((COPIES_PER_DECK * number,) * len(RANKS))

    @classmethod
    def of(cls, counts: Mapping[str, int] | Mapping[Rank, int] | Iterable[SupportsIndex]) -> "Shoe":
        """Return the shoe with these counts: a list or array of thirteen, A to K, or a mapping by rank.

        Ranks that a mapping does not name have no cards.

        >>> Shoe.of([32] * 13) == Shoe.of_decks(8)
        True
        >>> Shoe.of({"A": 2, "10": 1}).size
        3
        """
        if isinstance(counts, Mapping):
            by_rank = {_rank(name): _count(name, count) for name, count in counts.items()}
            if len(by_rank) < len(counts):
                raise InputError(f"found a rank twice in {in_words(counts)}; write each rank once")
            return cls(tuple(by_rank.get(rank, 0) for rank in RANKS))
        if isinstance(counts, str | bytes):
            raise InputError(f"found text, {in_words(counts)}; write Shoe.parse('A=31 2=32 K=32')")
        try:
            listed = list(counts)
        except TypeError:
            raise InputError(
                f"found {in_words(counts)}; write {len(RANKS)} counts, such as Shoe.of([32] * 13), "
                "or Shoe.of_decks(8)"
            ) from None
        if len(listed) != len(RANKS):
            raise InputError(
                f"found {len(listed)} counts; write {len(RANKS)}, A to K, such as Shoe.of([32] * 13)"
            )
        return cls(tuple(_count(rank, count) for rank, count in zip(RANKS, listed, strict=True)))

    @classmethod
    def parse(cls, text: str) -> "Shoe":
        """Return the shoe written as ``"A=31 2=32 ... K=32"``; ranks not named have no cards.

        >>> Shoe.parse("A=2 2=1").size
        3
        """
        if not isinstance(text, str):
            raise InputError(
                f"found {in_words(text)}; write text, such as Shoe.parse('A=31 2=32 K=32'), or use Shoe.of"
            )
        counts = parse_by_rank(text, _NUMBER, "A=31")
        if not counts:
            raise InputError('nothing given; write what is left, such as "A=31 2=32 K=32"')
        return cls(tuple(counts.get(rank, 0) for rank in RANKS))

    def minus(self, cards: str | Iterable[Rank]) -> "Shoe":
        """Return the shoe without these cards."""
        gone = _by_rank(cards, "to remove")
        for rank, count in gone.items():
            if count > self[rank]:
                raise InputError(f"cannot remove {in_words(count)} of {rank}: the shoe holds {self[rank]}")
        return Shoe(tuple(left - gone[rank] for rank, left in zip(RANKS, self.counts, strict=True)))

    def plus(self, cards: str | Iterable[Rank]) -> "Shoe":
        """Return the shoe with these cards put back.

        >>> Shoe.of_decks(1).minus("A A 10 K").plus("A A 10 K") == Shoe.of_decks(1)
        True
        """
        back = _by_rank(cards, "to put back")
        return Shoe(tuple(left + back[rank] for rank, left in zip(RANKS, self.counts, strict=True)))

    @property
    def size(self) -> int:
        """The number of cards left."""
        return sum(self.counts)

    @property
    def decks(self) -> int | None:
        """The number of whole decks, or None if it is not a fresh shoe."""
        decks = self.counts[0] // COPIES_PER_DECK
        return decks if decks and self.counts == (COPIES_PER_DECK * decks,) * len(RANKS) else None

    @property
    def by_points(self) -> tuple[int, ...]:
        """The number of cards left of each point value, 0 to 9."""
        counts = [0] * 10
        for rank, count in zip(RANKS, self.counts, strict=True):
            counts[rank.points] += count
        return tuple(counts)

    @property
    def in_short(self) -> str:
        """The shoe in a few words."""
        if self.decks:
            return f"{self.decks} deck{'' if self.decks == 1 else 's'}"
        return f"{self.size} card{'' if self.size == 1 else 's'}"

    def __getitem__(self, rank: Rank | str) -> int:
        return self.counts[RANKS.index(_rank(rank))]

    def __len__(self) -> int:
        return self.size

    def __bool__(self) -> bool:
        return True  # an empty shoe is a valid shoe

    def __iter__(self) -> Iterator[Rank]:
        return (rank for rank, count in zip(RANKS, self.counts, strict=True) for _ in range(count))

    def __str__(self) -> str:
        return " ".join(f"{rank}={count}" for rank, count in zip(RANKS, self.counts, strict=True))


def _by_rank(cards: object, what_for: str) -> Counter[Rank]:
    """Return the number of cards of each rank; ``cards``: text, ranks one by one, or a count by rank."""
    if not isinstance(cards, Iterable) or isinstance(cards, bytes):
        raise InputError(f"found {in_words(cards)}; write the cards {what_for}, such as 'A A 10 K'")
    cards_by_rank = Counter[Rank]()
    if isinstance(cards, Mapping):
        for name, count in cards.items():
            cards_by_rank[_rank(name)] += _count(name, count)
        return cards_by_rank
    return Counter(map(_rank, parse_cards(cards) if isinstance(cards, str) else cards))


def _rank(name: object) -> Rank:
    if isinstance(name, Rank):
        return name
    if not isinstance(name, str):
        raise InputError(f"found the rank {in_words(name)}; write one of {' '.join(RANKS)} as text")
    return parse_rank(name)


def _count(rank: object, count: object) -> int:
    """Return the count of a rank as an int; numpy's integers are accepted, other types are refused."""
    whole = integer(count)
    if whole is None or not 0 <= whole <= bounds.RANK_CARDS:
        raise InputError(
            f"shoe: found {in_words(count)} for the count of {rank}; "
            f"write a whole number from 0 to {bounds.RANK_CARDS}"
        )
    return whole
