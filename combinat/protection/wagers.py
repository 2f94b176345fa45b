"""The wagers of a game as a counter sees them: its bets, and each insurance table as one more.

The simple count of a wager has balanced integer tags of at most 2 in size: those that correlate best with the effects
of removal. If single cards change nothing, as for pairs, no tags are the best: then the low ranks are counted against
the high ones.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property

import msgspec

from combinat.base.errors import InputError
from combinat.protection.best_tags import HALVES, nearest_tags, share_seen
from combinat.protection.ceiling import round_ceilings
from combinat.protection.compositions import compositions, kinds_by_points
from combinat.protection.count_law import CountLaw, Depth
from combinat.protection.insurance_count import InsuranceLaw, removal_effects
from combinat.protection.insurance_play import InsurancePlay
from combinat.protection.pairs import looks_at_pairs_alone, pair_play, weights
from combinat.protection.perfect import perfect_play
from combinat.protection.samples import Sample, sample_by_rank, samples
from combinat.protection.tags import Tags
from combinat.rules.bounds import COUNTED_CARDS
from combinat.rules.game import Game
from combinat.rules.insurance import Insured
from combinat.rules.shoe import Shoe

LARGEST_TAG = 2

ONE_PAIR_LEFT, TWO_PAIRS_LEFT = 64, 26
"""The most cards left for which perfect play of a bet on one pair, and on two pairs, takes less than a second."""

QUICK_COMPOSITIONS = 100_000
"""The most compositions by points for which perfect play of all bets takes less than a second."""

Law = Callable[[int], Depth]
"""The law of a count by the number of cards with which a round begins."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Wager:
    """A bet or an insurance table on a fresh shoe.

    ``mean``: the expected value of a round with a unit on every offer; ``offered``: the share of rounds with an offer.
    ``at_once``: the gain of a round on the fresh shoe for a player who takes only the offers that favour the player.
    ``effects``: by rank, the change of the mean when a card leaves the shoe. ``ceilings``: the ceilings of a round by
    cards left, on any fresh shoe. ``law``: the law of a count with these tags, up to a number of cards left.
    ``perfect``: the gain of perfect play by cards left, at the depths from this number of cards on at which it is
    computed quickly. ``mean_square``: of the expected value, by cards left, as a quotient; None for insurance.
    """

    id: str
    mean: Fraction
    offered: Fraction
    at_once: Fraction
    effects: tuple[Fraction, ...]
    ceilings: Callable[[Shoe], dict[int, Fraction]]
    law: Callable[[Tags, int], Law]
    perfect: Callable[[int], dict[int, Fraction]] = lambda fewest: {}
    mean_square: Callable[[int], tuple[int, int]] | None = None

    @property
    def house_edge(self) -> Fraction:
        """The house edge of a unit on every offer."""
        return -self.mean / self.offered

    @cached_property
    def tags(self) -> Tags:
        """The tags of the simple count."""
        return nearest_tags(self.effects, LARGEST_TAG) if any(self.effects) else HALVES

    @property
    def share(self) -> Fraction | None:
        """The share that these tags see of the variance that the effects see, or None if there are no effects."""
        return share_seen(self.effects, self.tags) if any(self.effects) else None


def wagers(game: Game, shoe: Shoe, only: Sequence[str] = ()) -> list[Wager]:
    """Return the bets and insurance tables of a game, or only those with these ids."""
    if shoe.size > COUNTED_CARDS:
        raise InputError(
            f"found a shoe of {shoe.size} cards; counts and ceilings take at most {COUNTED_CARDS}",
            parameter="decks",
        )
    some = msgspec.structs.replace(
        game,
        bets=tuple(bet for bet in game.bets if not only or bet.id in only),
        insurance=tuple(table for table in game.insurance if not only or str(table.insured) in only),
    )
    plays = {table.insured: InsurancePlay(some, table, shoe) for table in some.insurance}
    return [*bet_wagers(some, shoe, samples(some, shoe)), *insurance_wagers(plays, shoe).values()]


def bet_wagers(game: Game, shoe: Shoe, by_bet: Mapping[str, Sample]) -> list[Wager]:
    """Return the bets of a game; ``by_bet``: their samples."""

    @cache
    def by_rank() -> Sample:
        return sample_by_rank(game, shoe)

    @cache
    def by_points(left: int) -> dict[str, Fraction]:
        if compositions(kinds_by_points(shoe, left), left) > QUICK_COMPOSITIONS:
            return {}
        some = [bet.id for bet in game.bets if not bet.needs_ranks]
        return {play.bet: play.gain for play in perfect_play(game, shoe, left, some)}

    return [_bet(game, shoe, bet.id, by_bet[bet.id], by_rank, by_points) for bet in game.bets]


def insurance_wagers(plays: Mapping[Insured, InsurancePlay], shoe: Shoe) -> dict[Insured, Wager]:
    """Return the insurance tables that offer anything."""
    return {insured: _insurance(insured, play, shoe) for insured, play in plays.items() if play.groups}


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

    def perfect(fewest: int) -> dict[int, Fraction]:
        wanted = game.bet(bet)
        if not looks_at_pairs_alone(wanted):
            return {fewest: gain} if (gain := by_points(fewest).get(bet)) is not None else {}
        most = ONE_PAIR_LEFT if weights(wanted).is_of_one_pair else TWO_PAIRS_LEFT
        lefts = range(fewest, min(most, shoe.size) + 1)
        return {left: play.gain for left, play in pair_play(wanted, shoe, lefts).items()} if lefts else {}

    mean = sample.mean(bet)
    return Wager(
        id=bet,
        mean=mean,
        offered=Fraction(1),
        at_once=max(mean, Fraction(0)),
        effects=sample.removal_effects(bet),
        ceilings=lambda other: round_ceilings(sample if other == shoe else sample.on(other), bet),
        law=law,
        perfect=perfect,
        mean_square=lambda left: sample.square_over(bet, left),
    )


def _insurance(insured: Insured, play: InsurancePlay, shoe: Shoe) -> Wager:
    return Wager(
        id=str(insured),
        mean=play.mean_gain(play.held),
        offered=play.offered,
        at_once=play.by_cards().gain,
        effects=removal_effects(play),
        ceilings=lambda other: (play if other == shoe else play.on(other)).round_ceilings(),
        law=lambda tags, most: InsuranceLaw(play, shoe, tags, most).depth,
    )
