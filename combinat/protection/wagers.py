"""The wagers of a game as a counter sees them: its bets, and each insurance table as one more.

The simple count of a wager has balanced integer tags of at most 2 in size: those that correlate best with the
effects of removal. If single cards change nothing, as for pairs, no tags are the best: then the low ranks are
counted against the high ones.

The best sum of one number for each card gone takes the effects of removal themselves. Whole tags see the
share of its variance that is the square of their correlation with the effects. The search is complete: every
rank has a tag of its own, and of all ways to give the same thirteen tags to the ranks, which have the same
sum and the same sum of squares, none sees more than the one in which larger tags belong to larger effects
(the rearrangement inequality). So only tags in the order of the effects need to be compared: 2,380 for tags
of at most 2, 1,144,066 for tags of at most 5.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations_with_replacement
from math import lcm
from operator import mul

import msgspec

from combinat.analysis.insurance import StateAnalysis, insurance_analysis
from combinat.base.errors import InputError
from combinat.engine.pairs import pair_distribution
from combinat.protection.betting import Betting, GainRange
from combinat.protection.ceiling import USUAL_DEALING, ceiling
from combinat.protection.compositions import compositions, kinds_by_points, perfect_play
from combinat.protection.count_law import CountLaw, Depth
from combinat.protection.inputs import Tags
from combinat.protection.insurance_count import InsuranceLaw, removal_effects
from combinat.protection.insurance_play import FavourableOffers, InsurancePlay, insurance_play
from combinat.protection.pairs import looks_at_pairs_alone, pair_play, weights
from combinat.protection.samples import Sample, sample_by_rank, samples
from combinat.rules.cards import RANKS
from combinat.rules.game import Game
from combinat.rules.insurance import Insured
from combinat.rules.shoe import Shoe

LARGEST = 5
"""The largest absolute value of the integer tags in the search."""

HALVES = Tags((*[1] * 6, 0, *[-1] * 6))
"""Tags for a bet of which single cards change nothing, as for pairs: A to 6 against 8 to K."""


def best_tags(wager: "Wager", shoe: Shoe, largest: int) -> Tags:
    """Return the best balanced whole tags for a bet, none larger than this in size."""
    if shoe.decks is None:
        raise InputError("the best tags are those of a fresh shoe; give whole decks, or tags")
    if not any(wager.removal_effects):
        raise InputError(
            f"{wager.id}: removing one card changes nothing, whichever it is, so its effects give no tags; write tags, "
            f'such as "{HALVES}"'
        )
    return nearest_tags(wager.removal_effects, largest)


def share_seen(effects: tuple[Fraction, ...], tags: Tags) -> Fraction:
    """Return the square of the correlation between effects and tags, rank by rank; tags that are all equal see nothing."""
    mean = Fraction(sum(tags), len(RANKS))
    of_tags = sum((tag - mean) ** 2 for tag in tags)
    average = sum(effects, Fraction(0)) / len(RANKS)
    of_effects = sum((effect - average) ** 2 for effect in effects)
    both = sum(
        ((tag - mean) * (effect - average) for tag, effect in zip(tags, effects, strict=True)), Fraction(0)
    )
    return Fraction(both**2, of_tags * of_effects) if of_tags and of_effects else Fraction(0)


def nearest_tags(effects: tuple[Fraction, ...], largest: int) -> Tags:
    """Return the balanced whole tags up to a size with the largest share.

    Of equals, those with the smallest sum of squares; of these, the first when read in the order of the
    effects.
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


LARGEST_TAG = 2

ONE_PAIR_LEFT, TWO_PAIRS_LEFT = 64, 26
"""The most cards left for which perfect play of a bet on one pair, and on two pairs, takes less than a second."""

QUICK_COMPOSITIONS = 1_000_000
"""The most compositions by points for which perfect play of all bets takes about a second: those of 14 cards left."""

EXPLAINED_LEFT = 26
"""The cards left for which the share of the variance that single cards explain is stated."""

INSURANCE_LEFT = 104
"""The most cards left for which perfect play of an offer that one card decides takes a tenth of a second."""

Law = Callable[[int], Depth]
"""The law of a count by the number of cards with which a round begins."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Wager:
    """A bet or an insurance table on a fresh shoe.

    ``mean``: the expected value of a round with a unit on every offer; ``offered``: the share of rounds with
    an offer. ``at_once``: the gain of a round on the fresh shoe for a player who takes only the offers that
    favour the player. ``effects``: computes the effects of removal; ``explained``: the share of the variance of
    the expected value that they explain. ``ceiling``: of a round, by cards left. ``law``: the law of a count with
    these tags, up to a number of cards left. ``perfect``: bounds on the gain of perfect play by cards left, at
    those of these depths at which they are computed quickly. ``mean_square``: of the expected value, by cards
    left, as a quotient; None for insurance. ``offers``: of insurance, those that favour the player.
    """

    id: str
    mean: Fraction
    offered: Fraction
    at_once: Fraction
    effects: Callable[[], tuple[Fraction, ...]]
    ceiling: Callable[[int], Fraction]
    law: Callable[[Tags, int], Law]
    perfect: Callable[[Sequence[int]], dict[int, GainRange]]
    explained: Callable[[], Fraction | None] = lambda: None
    mean_square: Callable[[int], tuple[int, int]] | None = None
    offers: Callable[[], FavourableOffers | None] = lambda: None

    @property
    def house_edge(self) -> Fraction:
        """The house edge of a unit on every offer."""
        return -self.mean / self.offered

    @cached_property
    def removal_effects(self) -> tuple[Fraction, ...]:
        """By rank: the change of the mean when a card leaves the shoe."""
        return self.effects()

    @cached_property
    def tags(self) -> Tags:
        """The tags of the simple count."""
        return nearest_tags(self.removal_effects, LARGEST_TAG) if any(self.removal_effects) else HALVES

    def share(self, tags: Tags) -> Fraction | None:
        """Return the share that tags see of the variance that the effects see, or None if there are no effects."""
        return share_seen(self.removal_effects, tags) if any(self.removal_effects) else None


def wagers(game: Game, shoe: Shoe, only: Sequence[str] = ()) -> list[Wager]:
    """Return the bets of a game and the insurance tables that offer anything, or only those with these ids."""
    some = msgspec.structs.replace(
        game,
        bets=tuple(bet for bet in game.bets if not only or bet.id in only),
        insurance=tuple(table for table in game.insurance if not only or str(table.insured) in only),
    )
    by_bet = samples(some, shoe)

    @cache
    def by_rank() -> Sample:
        return sample_by_rank(some, shoe)

    @cache
    def by_points(left: int) -> dict[str, Fraction]:
        if compositions(kinds_by_points(shoe, left), left) > QUICK_COMPOSITIONS:
            return {}
        decided = [bet.id for bet in some.bets if not bet.needs_ranks]
        return {bet: play.gain for bet, play in perfect_play(some, shoe, left, decided).items()}

    @cache
    def states() -> tuple[StateAnalysis, ...]:
        return insurance_analysis(some, pair_distribution(shoe, some.table_of_play))

    plays = [(str(table.insured), insurance_play(some, table, shoe)) for table in some.insurance]
    return [
        *(_bet(some, shoe, bet.id, by_bet[bet.id], by_rank, by_points) for bet in some.bets),
        *(_insurance(insured, play, shoe, states) for insured, play in plays if play.groups),
    ]


def _bet(
    game: Game,
    shoe: Shoe,
    bet: str,
    sample: Sample,
    by_rank: Callable[[], Sample],
    by_points: Callable[[int], dict[str, Fraction]],
) -> Wager:
    def law(tags: Tags, most: int) -> Law:
        by_kind = sample.by_kind(tags)
        if by_kind is None:
            return CountLaw(by_rank(), bet, list(tags), most).depth
        return CountLaw(sample, bet, by_kind, most).depth

    def perfect(lefts: Sequence[int]) -> dict[int, GainRange]:
        wanted = game.bet(bet)
        if looks_at_pairs_alone(wanted):
            most = ONE_PAIR_LEFT if weights(wanted).is_of_one_pair else TWO_PAIRS_LEFT
            dense = range(min(lefts), min(most, shoe.size) + 1)
            gains = (
                {left: play.gain for left, play in pair_play(wanted, shoe, dense).items()} if dense else {}
            )
        else:
            gains = {left: by_points(left)[bet] for left in lefts if bet in by_points(left)}
        return {left: GainRange(gain, gain) for left, gain in gains.items()}

    mean = sample.mean(bet)
    return Wager(
        id=bet,
        mean=mean,
        offered=Fraction(1),
        at_once=max(mean, Fraction(0)),
        effects=lambda: sample.removal_effects(bet),
        ceiling=lambda left: ceiling(sample, bet, left),
        law=law,
        perfect=perfect,
        explained=lambda: _explained(sample, bet),
        mean_square=lambda left: sample.square_over(bet, left),
    )


def _explained(sample: Sample, bet: str) -> Fraction | None:
    if sample.size <= EXPLAINED_LEFT:
        return None
    variance = sample.variance(bet, EXPLAINED_LEFT)
    return sample.first_order(bet, EXPLAINED_LEFT) / variance if variance else Fraction(1)


def _insurance(
    insured: str, play: InsurancePlay, shoe: Shoe, states: Callable[[], tuple[StateAnalysis, ...]]
) -> Wager:
    def offers() -> FavourableOffers:
        by_totals = [
            (one.probability, one.expected_value)
            for one in states()
            if str(Insured(one.state.side, one.state.stage)) == insured
            and one.expected_value is not None
            and one.favours_player
        ]
        return FavourableOffers(
            by_totals=Betting(
                chance=sum((chance for chance, _ in by_totals), Fraction(0)),
                gain=sum((chance * value for chance, value in by_totals), Fraction(0)),
            ),
            by_cards=play.by_cards(),
            last_round=play.perfect(min(USUAL_DEALING.fewest_left(), shoe.size)),
        )

    return Wager(
        id=insured,
        mean=play.mean_gain(play.held),
        offered=play.offered,
        at_once=play.by_cards().gain,
        effects=lambda: removal_effects(play),
        ceiling=play.ceiling,
        law=lambda tags, most: InsuranceLaw(play, shoe, tags, most).depth,
        perfect=lambda lefts: {left: play.perfect_range(left) for left in lefts if left <= INSURANCE_LEFT},
        offers=offers,
    )
