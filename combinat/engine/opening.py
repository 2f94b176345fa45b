"""The first four cards of a round, counted by the points of each hand and by their matches."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import NamedTuple

from combinat.rules.cards import RANKS, Rank
from combinat.rules.outcome import FirstFour
from combinat.rules.round import Round
from combinat.rules.shoe import Shoe

Match = tuple[Rank, Rank] | None
"""A hand's first two cards where they match in some way; all others are alike."""


Opening = tuple[tuple[int, int], tuple[int, int], FirstFour]
"""The first four cards: the Player's and the Banker's by points, and how they match."""


class Two(NamedTuple):
    """Two cards as a hand's first two: by rank number (without their order), points and match."""

    first: int
    second: int
    points: tuple[int, int]
    match: Match


def _two(first: int, second: int) -> Two:
    ranks = RANKS[first], RANKS[second]
    low, high = sorted(rank.points for rank in ranks)
    return Two(first, second, (low, high), ranks if low == high else None)


EVERY_TWO = [_two(first, second) for first, second in combinations_with_replacement(range(len(RANKS)), 2)]


def openings(shoe: Shoe, dealt: Round, *, pair_ranks: bool = False) -> dict[Opening, int]:
    """Return every opening that the shoe can deal, with its ordered ways; cards already dealt are fixed.

    ``pair_ranks``: pairs of different ranks are counted separately.
    """
    dealt_ways: dict[Opening, int] = {}
    counts = list(shoe.counts)
    for player, player_ways, taken in two_cards(dealt.player[:2], counts):
        for number in taken:
            counts[number] -= 1
        for banker, banker_ways, _ in two_cards(dealt.banker[:2], counts):
            opening = player.points, banker.points, first_four_of(player.match, banker.match, pair_ranks)
            dealt_ways[opening] = dealt_ways.get(opening, 0) + player_ways * banker_ways
        for number in taken:
            counts[number] += 1
    return dealt_ways


def two_cards(known: Sequence[Rank], counts: Sequence[int]) -> Iterator[tuple[Two, int, tuple[int, ...]]]:
    """Yield every first two cards of a hand with these known cards, their ordered ways, and new cards."""
    numbers = [RANKS.index(rank) for rank in known]
    if len(numbers) == 2:
        yield _two(*numbers), 1, ()
    elif len(numbers) == 1:
        for number, cards in enumerate(counts):
            if cards:
                yield _two(numbers[0], number), cards, (number,)
    else:
        for two in EVERY_TWO:
            first, second, _, _ = two
            ways = (
                2 * counts[first] * counts[second] if first != second else counts[first] * (counts[first] - 1)
            )
            if ways:
                yield two, ways, (first, second)


@cache
def first_four_of(player: Match, banker: Match, pair_ranks: bool = False) -> FirstFour:
    """Return the match of the first four cards; two cards that do not match represent all others."""
    unlike = Rank.ACE, Rank.TWO
    return FirstFour.of(player or unlike, banker or unlike, by_rank=pair_ranks)
