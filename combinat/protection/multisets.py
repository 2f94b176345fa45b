"""Multisets of cards as rows of counts, a column for each kind of card."""

from functools import cache
from itertools import combinations_with_replacement

import numpy as np

from combinat.engine.arrays import Ints


@cache
def multisets_of(kinds: int, cards: int) -> Ints:
    """Every multiset of this number of cards, a row each.

    >>> multisets_of(2, 2).tolist()
    [[2, 0], [1, 1], [0, 2]]
    """
    drawn = list(combinations_with_replacement(range(kinds), cards))
    rows = np.zeros((len(drawn), kinds), dtype=np.int64)
    for place in range(cards):
        rows[np.arange(len(drawn)), [one[place] for one in drawn]] += 1
    return rows


def places_of(multisets: Ints, cards: int) -> Ints:
    """The row of each of these multisets among all of this number of cards.

    >>> places_of(np.array([[0, 2], [1, 1]]), 2).tolist()
    [2, 1]
    """
    kinds = multisets.shape[1]
    # Read as digits, the rows fall from the first to the last.
    digits = -((cards + 1) ** np.arange(kinds - 1, -1, -1))
    places: Ints = np.searchsorted(multisets_of(kinds, cards) @ digits, multisets @ digits)
    return places
