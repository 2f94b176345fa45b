"""A second way to count, sharing nothing with the engine.

Six cards are always dealt, whether the round needs them or not, so that every sequence has equal weight
and nothing is scaled. The third cards are chosen first; what the first four cards can come to is then
counted from the shoe without them. The Table of Play is written out here once more, as conditions.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import product

Key = tuple[int, int, int, int]
"""Player points, Banker points, Player cards, Banker cards."""


def banker_draws(banker: int, third: int | None) -> bool:
    """The Banker Hand's rule, third card by third card; None: the Player Hand stood."""
    if third is None:
        return banker <= 5
    if banker <= 2:
        return True
    if banker == 3:
        return third != 8
    if banker == 4:
        return 2 <= third <= 7
    if banker == 5:
        return 4 <= third <= 7
    return banker == 6 and third in (6, 7)


def ended(player: int, banker: int, fifth: int, sixth: int) -> Key:
    """How a round with these two-card totals ends when these two cards lie ready."""
    if player >= 8 or banker >= 8:
        return player, banker, 2, 2
    if player <= 5:
        if banker_draws(banker, fifth):
            return (player + fifth) % 10, (banker + sixth) % 10, 3, 3
        return (player + fifth) % 10, banker, 3, 2
    if banker_draws(banker, None):
        return player, (banker + fifth) % 10, 2, 3
    return player, banker, 2, 2


def results(by_points: Sequence[int]) -> Counter[Key]:
    """The ways of every result, for a shoe given by points that has six cards or more."""
    ways_of: Counter[Key] = Counter()
    for fifth, sixth in product(range(10), repeat=2):
        left = list(by_points)
        ways = left[fifth]
        left[fifth] -= 1
        ways *= left[sixth]
        left[sixth] -= 1
        if not ways:
            continue
        for (player, banker), opening in totals(left).items():
            ways_of[ended(player, banker, fifth, sixth)] += ways * opening
    return +ways_of  # without what cannot happen


def totals(left: Sequence[int]) -> Counter[tuple[int, int]]:
    """The ordered ways to deal two cards to each hand, by the two totals."""
    dealt: Counter[tuple[int, int]] = Counter()
    for one in range(10):
        for two in range(one, 10):
            first = left[one] * (left[two] - (one == two)) * (1 if one == two else 2)
            if not first:
                continue
            rest = list(left)
            rest[one] -= 1
            rest[two] -= 1
            pairs: Counter[int] = Counter()
            for three in range(10):
                for four in range(three, 10):
                    pairs[(three + four) % 10] += (
                        rest[three] * (rest[four] - (three == four)) * (1 if three == four else 2)
                    )
            for total, ways in pairs.items():
                dealt[(one + two) % 10, total] += first * ways
    return dealt
