"""Whole shoes, shuffled and dealt all at once.

How many cards a round takes depends on its first five alone. So that is told for every place of every shoe at
which a round could begin, and to follow the rounds of a shoe is to go from place to place.
"""

import numpy as np

from combinat.montecarlo.cell import STOOD, Bytes, Indices, Six, total
from combinat.montecarlo.chance import Chance
from combinat.montecarlo.dealer import ROUND, ThirdCardRules, burnt, shuffled_shoes
from combinat.rules.cards import RANKS, Rank

RANK_BITS = 4
"""The lowest bits of a key, which hold the rank of its card."""

MOST_SORTED = 2**11
"""Cards of a shoe that is shuffled by keys: of more, too many shoes would have two equal keys."""

TEN = RANKS.index(Rank.TEN)
"""The first of the ranks that are worth nothing."""

AT_ONCE = 2**15
"""Places that are looked up at once, so that they stay near the processor."""


def sorted_shoes(chance: Chance, pack: Bytes, shoes: int) -> Bytes:
    """So many shoes, shuffled: a row each, its cards from the top down.

    Each card is given a key of 28 random bits, and the cards are put in the order of their keys. Where no two keys
    of a shoe are equal, every order is equally likely; a shoe in which two are is shuffled again.
    """
    if len(pack) > MOST_SORTED:
        return np.ascontiguousarray(shuffled_shoes(chance, pack, shoes).T)
    keys = chance.bits(shoes * len(pack)).reshape(shoes, len(pack))
    keys >>= np.uint32(RANK_BITS)
    keys <<= np.uint32(RANK_BITS)
    keys |= pack
    keys.sort(axis=1)
    equal = ((keys[:, 1:] ^ keys[:, :-1]) < 2**RANK_BITS).any(axis=1)
    keys &= np.uint32(2**RANK_BITS - 1)
    decks: Bytes = keys.astype(np.uint8)
    again = np.flatnonzero(equal)
    if again.size:
        decks[again] = sorted_shoes(chance, pack, again.size)
    return decks


def cards_taken(drawing: ThirdCardRules) -> Bytes:
    """How many cards a round takes, by both totals of two cards and the points of the fifth card: a digit each."""
    totals = np.arange(100, dtype=np.uint8).repeat(10)
    fifth = np.tile(np.arange(10, dtype=np.uint8), 100)
    goes_on, banker_total = drawing.goes_on.take(totals), totals % 10
    player_draws = goes_on & drawing.player.take(totals // 10)
    third = np.where(player_draws, fifth, STOOD)
    banker_draws = (goes_on & drawing.banker[banker_total, third]) | drawing.against.take(totals)
    taken: Bytes = np.uint8(4) + player_draws + banker_draws
    return taken


def taken_from(decks: Bytes, drawing: ThirdCardRules) -> Bytes:
    """How many cards a round would take that begins at this place, for all places but the last few, shoe after shoe."""
    cards = decks.reshape(-1)
    points = (cards + np.uint8(1)) * (cards < TEN).view(np.uint8)
    two = total(points[:-2], points[2:])  # of a round's hand, whose cards are the next but one to each other
    places = len(points) - 4
    digits = np.multiply(two[:places], 100, dtype=np.uint16)
    digits += two[1 : places + 1] * np.uint8(10)
    digits += points[4:]
    taken, by_digits = np.empty(places, dtype=np.uint8), cards_taken(drawing)
    for some in range(0, places, AT_ONCE):
        taken[some : some + AT_ONCE] = by_digits.take(digits[some : some + AT_ONCE])
    return taken


def round_starts(decks: Bytes, drawing: ThirdCardRules, cut_card: int, burn: bool) -> tuple[Indices, Indices]:
    """Where the rounds of whole shoes begin, shoe after shoe, and the numbers of their shoes.

    The cut card lies so many cards from the end. The round during which it comes out is the last.
    """
    shoes, size = decks.shape
    taken, first = taken_from(decks, drawing), np.arange(shoes) * size
    place, cut = first + (burnt(decks.T) if burn else 0), first + (size - cut_card)
    places: list[Indices] = []
    while (place < cut).any():
        places.append(place)
        place = np.minimum(place + taken.take(place), cut)  # a shoe that is done stays at its cut card
    starts = np.stack(places, axis=1)
    dealt = starts < cut[:, None]
    return starts[dealt], np.repeat(np.arange(shoes), dealt.sum(axis=1))


def dealt_from(decks: Bytes, starts: Indices, drawing: ThirdCardRules) -> Six:
    """The rounds that begin at these places."""
    cards = decks.reshape(-1)
    return drawing.dealt(tuple(cards[turn:].take(starts) for turn in range(ROUND)))
