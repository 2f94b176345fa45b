"""Ceilings: upper bounds on any player's gain, at a depth and over a whole shoe.

The expected value of a bet given the cards left is a martingale, so what perfect play gains in a round, the
mean of the larger of it and 0, can only grow with depth. That mean is at most ``(root of the mean square +
mean) / 2``, and the mean square is known exactly at every depth. The root is taken a little too large, never
too small.

Over a shoe: a round takes four cards or more, so the moment at which it begins and those after each of its
first three cards belong to it alone. Its gain is at most the mean of perfect play at these four moments.
Added up over all rounds, no moment is counted twice: the gain is at most a quarter of the ceilings at all
depths together.

A count gives lower ceilings. Let ``m`` be the mean of ``X`` at a running count, and ``s`` a number not below
``|m|`` nor below a constant ``c``. Then ``|X| <= (X**2 + s**2) / (2 s)``, so that the mean of ``|X|`` there
is at most ``(v + m**2 + s**2) / (2 s)``, where ``v`` is the variance of ``X`` there. All ``v`` together, each
weighed with the probability of its count, are the mean square of ``X`` less that of ``m``. So the mean of
``|X|`` is at most the mean of ``|m|``, or ``(c**2 + m**2) / (2 c)`` where ``|m|`` is below ``c``, and that
difference divided by ``2 c``. The best ``c`` is the level to which the difference fills the counts up, the
smallest ``m**2`` first.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import isqrt

from combinat.engine.walk import MOST_CARDS
from combinat.montecarlo.shoes import Burn, ShoeDealing
from combinat.protection.count_law import Depth
from combinat.protection.inputs import check_left
from combinat.protection.samples import Sample

PARTS = 10**12
"""Ceilings are whole numbers of these parts of a unit: rounded up."""

SHORTEST_ROUND = 4
"""The fewest cards that a round takes."""

USUAL_DEALING = ShoeDealing(cut_card=14, burn=Burn(), after=1)
"""The dealing that ceilings over a shoe assume, for every position of the cut card."""


def root_in_parts(above: int, below: int) -> int:
    """Return the fewest parts that are not below the square root of a quotient.

    >>> root_in_parts(1, 4), root_in_parts(2, 1)
    (500000000000, 1414213562374)
    """
    square = -(-above * PARTS**2 // below)
    root = isqrt(square)
    return root + (root * root < square)


def rounded_up(gain: Fraction) -> Fraction:
    """Return a gain, rounded up to a part."""
    return Fraction(-(-gain.numerator * PARTS // gain.denominator), PARTS)


def half_above(root: int, mean: Fraction) -> Fraction:
    """Return half of the sum of a root in parts and a mean, rounded up to a part."""
    return rounded_up((Fraction(root, PARTS) + mean) / 2)


def ceiling(sample: Sample, bet: str, left: int) -> Fraction:
    """Return the upper bound on any player's gain in a round that begins with this number of cards left."""
    check_left(sample.size, left)
    return half_above(root_in_parts(*sample.square_over(bet, left)), sample.mean(bet))


def ceiling_by_count(depth: Depth, square: tuple[int, int], mean: Fraction) -> Fraction:
    """Return the upper bound on any player's gain at a depth, from the law of a count; ``square``: the mean square, as a quotient."""
    every, whole = depth.counts[0].every, depth.counts[0].whole
    unexplained, sizes = -(-square[0] * every * PARTS**2 // square[1]), []
    for count in depth.counts:
        size, more = divmod(abs(count.net) * PARTS, count.ways * whole)
        unexplained -= count.ways * size**2
        sizes.append((size + (more > 0), count.ways))
    filled, ways_filled = unexplained, 0
    for size, ways in sorted(sizes):
        if filled <= size**2 * ways_filled:
            break
        filled, ways_filled = filled + ways * size**2, ways_filled + ways
    level = isqrt(filled // ways_filled) + 1 if ways_filled else 1  # any level above 0 gives an upper bound
    twice = sum(ways * (2 * size * level if size >= level else level**2 + size**2) for size, ways in sizes)
    return half_above(-(-(twice + unexplained) // (2 * level * every)), mean)


def shoe_ceilings(of_round: Callable[[int], Fraction], size: int) -> dict[int, Fraction]:
    """Return the upper bound on any player's gain in a whole shoe of this size, by the cards behind the cut card.

    One round is dealt after the one in which the cut card comes, which may take six of the cards behind it:
    so a round begins with ``behind - 6`` cards at least, and its first three cards leave three fewer. Where
    fewer than six are left, the ceiling at six holds: what is gained there is gained in a round that began
    before.
    """
    parts = {left: int(of_round(left) * PARTS) for left in range(MOST_CARDS, size + 1)}
    above, total = dict[int, int](), 0
    for left in range(size, MOST_CARDS - 1, -1):
        above[left] = total = total + parts[left]
    ceilings = {}
    for behind in range(USUAL_DEALING.least_cut(), size):
        lowest = behind - MOST_CARDS - (SHORTEST_ROUND - 1)
        too_few = max(0, MOST_CARDS - lowest)
        together = above[max(lowest, MOST_CARDS)] + too_few * parts[MOST_CARDS]
        ceilings[behind] = Fraction(together, SHORTEST_ROUND * PARTS)
    return ceilings


def cut_card_within(ceilings: Mapping[int, Fraction], limit: Fraction) -> int | None:
    """Return the fewest cards behind the cut card with which no player can gain more than the limit in a shoe."""
    above, below = limit.numerator, limit.denominator
    within = (
        behind
        for behind, gain in sorted(ceilings.items())
        if gain.numerator * below <= above * gain.denominator
    )
    return next(within, None)
