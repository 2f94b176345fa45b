"""The shoes that tests share, and strategies for more."""

from collections import Counter

from hypothesis import strategies as st

from combinat import Shoe
from tests.oracle.dealer import RANKS

SMALL = (
    "2=1 4=1 5=1 6=1 7=1 8=1 Q=1",
    "2=1 3=1 5=1 6=1 7=2 9=1",
    "A=1 2=1 4=1 5=1 6=1 8=1 K=1",
    "2=1 3=1 4=1 6=1 7=1 9=2",
    "4=1 5=2 6=2 9=1 Q=1",
    "A=1 3=1 4=1 6=1 7=1 8=1 9=1",
    "2=4 3=1 6=1 10=1",
    "K=3 Q=2 6=1 10=1",  # pairs worth the same
    "A=2 2=1 3=1 4=1",  # five cards: not always enough
    "5=1 6=1 K=2",  # four
    "A=2 K=1",  # three: never enough
    "A=0",
    "A=6",  # every round is the same
)
"""Shoes small enough to deal every round. Together they meet every line of every pay table."""

FRESH = "A=32 2=32 3=32 4=32 5=32 6=32 7=32 8=32 9=32 10=32 J=32 Q=32 K=32"
DEPLETED = "A=31 2=7 3=19 4=0 5=32 6=4 7=28 8=1 9=13 10=2 J=30 Q=5 K=0"
LARGE = (
    FRESH,
    "A=16 2=16 3=16 4=16 5=16 6=16 7=16 8=16 9=16 10=16 J=16 Q=16 K=16",
    DEPLETED,
    "6=40 K=300",
)
"""Shoes for laws, and for counting by points."""

UNFINISHABLE = (
    "A=2 K=2",  # never a fifth card
    "A=4",  # a twin, every time
    "A=4 K=1",
    "A=2 2=1 3=1 4=1",
    "5=1 6=1 K=2",
    "6=2 10=1 J=1 K=1",
    "2=2 4=1 7=1 8=1",
    "A=1 3=2 6=1 9=1",
    "A=3",  # never four cards
    "A=0",
)
"""Shoes that cannot always finish a round."""


def shoe_of(cards: list[str]) -> Shoe:
    """A shoe of these cards."""
    counts = Counter(cards)
    return Shoe(tuple(counts[card] for card in RANKS))


def small_shoes(least: int = 0, most: int = 8) -> st.SearchStrategy[Shoe]:
    """Shoes of few cards, with ranks missing; many cannot finish every round."""
    return st.lists(st.sampled_from(RANKS), min_size=least, max_size=most).map(shoe_of)


def shoes_of_few_ranks(most: int = 6, ranks: int = 4) -> st.SearchStrategy[Shoe]:
    """Shoes of six cards or more, of few ranks: quick to count, with many cards of a rank."""
    counts = st.dictionaries(st.sampled_from(RANKS), st.integers(1, most), min_size=1, max_size=ranks)
    shoes = counts.map(lambda cards: Shoe(tuple(cards.get(rank, 0) for rank in RANKS)))
    return shoes.filter(lambda shoe: shoe.size >= 6)


def depleted_shoes(decks: int = 8) -> st.SearchStrategy[Shoe]:
    """Shoes of six cards or more, up to so many decks."""
    shoes = st.tuples(*[st.integers(0, 4 * decks)] * len(RANKS)).map(Shoe)
    return shoes.filter(lambda shoe: shoe.size >= 6)
