"""The tags of a count that sees the most of a bet: its effects of removal, and whole numbers near to them.

The best sum of one number for each card gone takes the effects of removal themselves. Whole tags see the share of
its variance that is the square of their correlation with the effects. The search is complete: every rank has a tag
of its own, and of all ways to give the same thirteen tags to the ranks, which have the same sum and the same sum of
squares, none sees more than the one in which larger tags belong to larger effects (the rearrangement inequality). So
only tags in the order of the effects need to be compared: 2,380 for tags of at most 2, 1,144,066 for tags of at most 5.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import lcm
from operator import mul

from combinat.base.errors import InputError
from combinat.protection.samples import sample_of
from combinat.protection.tags import Tags
from combinat.rules.cards import RANKS
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

LARGEST = 5
"""The largest size of whole tags that are looked for."""

HALVES = Tags((*[1] * 6, 0, *[-1] * 6))
"""Tags for a bet of which single cards change nothing, as for pairs: A to 6 against 8 to K."""


@dataclass(frozen=True, kw_only=True)
class BestTags:
    """Whole tags up to a size, and the share they see of what the effects of removal, by rank, would see."""

    effects: tuple[Fraction, ...]
    tags: Tags
    share: Fraction


def best_tags(game: Game, bet: str, shoe: Shoe, largest: int) -> BestTags:
    """The best balanced whole tags for a bet, none larger than this in size."""
    if shoe.decks is None:
        raise InputError("the best tags are those of a fresh shoe; give whole decks, or tags")
    if not 1 <= largest <= LARGEST:
        raise InputError(f"found {largest} as the largest tag; write 1 to {LARGEST}")
    sample = sample_of(game, bet, shoe)
    effects = sample.removal_effects(bet)
    if not any(effects):
        raise InputError(
            f"{bet}: removing one card changes nothing, whichever it is, so its effects give no tags; write tags, "
            f'such as "{HALVES}"'
        )
    tags = nearest_tags(effects, largest)
    return BestTags(effects=effects, tags=tags, share=share_seen(effects, tags))


def share_seen(effects: tuple[Fraction, ...], tags: Tags) -> Fraction:
    """The square of the correlation between effects and tags, rank by rank; tags that are all equal see nothing."""
    mean = Fraction(sum(tags), len(RANKS))
    of_tags = sum((tag - mean) ** 2 for tag in tags)
    average = sum(effects, Fraction(0)) / len(RANKS)
    of_effects = sum((effect - average) ** 2 for effect in effects)
    both = sum(
        ((tag - mean) * (effect - average) for tag, effect in zip(tags, effects, strict=True)), Fraction(0)
    )
    return Fraction(both**2, of_tags * of_effects) if of_tags and of_effects else Fraction(0)


def nearest_tags(effects: tuple[Fraction, ...], largest: int) -> Tags:
    """The balanced whole tags up to a size with the largest share.

    Of equals, those with the smallest sum of squares; of these, the first when read in the order of the effects.
    """
    parts = lcm(*(effect.denominator for effect in effects))
    whole = [int(effect * parts) for effect in effects]
    order = sorted(range(len(RANKS)), key=lambda number: (whole[number], number))
    rising_effects = [whole[number] for number in order]
    best, chosen = (0, 1), (0,) * len(RANKS)
    for rising in combinations_with_replacement(range(-largest, largest + 1), len(RANKS)):
        if sum(rising):
            continue
        covariance = sum(map(mul, rising, rising_effects))
        squares = sum(map(mul, rising, rising))
        if covariance <= 0:
            continue
        ahead = covariance**2 * best[1] - best[0] * squares
        if ahead > 0 or (ahead == 0 and squares < best[1]):
            best, chosen = (covariance**2, squares), rising
    by_rank = dict(zip(order, chosen, strict=True))
    return Tags(tuple(by_rank[number] for number in range(len(RANKS))))
