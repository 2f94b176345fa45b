"""The tags of a count that sees the most of a bet: its effects of removal, and whole numbers near to them.

The best sum of one number for each card gone takes the effects of removal themselves. Whole tags see the share of
its variance that is the square of their correlation with the effects. Of all balanced whole tags up to a size the
best are found by going through them: at the same sum and the same sum of squares, larger tags belong to larger
effects, so that only tags in the order of the effects need to be looked at.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import lcm

from combinat.analysis.protection.compositions import OTHERS, TENS
from combinat.analysis.protection.samples import sample_of
from combinat.errors import ShoeError, TagsError
from combinat.rules.cards import RANKS
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe
from combinat.rules.tags import Tags

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
        raise ShoeError("the best tags are those of a fresh shoe; give whole decks, or tags")
    if not 1 <= largest <= LARGEST:
        raise TagsError(f"found {largest} as the largest tag; write 1 to {LARGEST}")
    sample = sample_of(game, bet, shoe)
    by_kind = sample.removal_effects(bet)
    effects = tuple(by_kind) if len(by_kind) == len(RANKS) else tuple(by_kind[rank.points] for rank in RANKS)
    if not any(effects):
        raise TagsError(
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
    """The balanced whole tags up to a size with the largest share, the tens and pictures with one tag; of equals, those met first."""
    parts = lcm(*(effect.denominator for effect in effects))
    whole = [int(effect * parts) for effect in effects]
    order = sorted(OTHERS, key=lambda number: (whole[number], number))
    tens, best, chosen = sum(whole[number] for number in TENS), (0, 1), (0,) * len(RANKS)
    for rising in combinations_with_replacement(range(-largest, largest + 1), len(OTHERS)):
        of_tens, rest = divmod(-sum(rising), len(TENS))
        if rest or abs(of_tens) > largest:
            continue
        seen = tens * of_tens + sum(tag * whole[number] for tag, number in zip(rising, order, strict=True))
        squares = len(TENS) * of_tens**2 + sum(tag * tag for tag in rising)
        if seen > 0 and seen**2 * best[1] > best[0] * squares:
            best = seen**2, squares
            by_rank = dict(zip(order, rising, strict=True)) | dict.fromkeys(TENS, of_tens)
            chosen = tuple(by_rank[number] for number in range(len(RANKS)))
    return Tags(chosen)
