"""What a report says of a bet's protection: who can beat it, from which depth on, by how much, and the cut card.

All of it is exact or a proven bound, on a fresh shoe. A count is a simple one: the best balanced whole tags of at
most 2 in size, bet on either side of the mean where that gains. Where single cards change nothing, as with pairs, no
tags are the best: then the low ranks are counted against the high ones. Perfect play is given at one depth: it gains
no more at any earlier one.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

from combinat.protection.best_tags import HALVES, nearest_tags, share_seen
from combinat.protection.ceiling import (
    USUAL_DEALING,
    SufficientCut,
    cut_card_within,
    round_ceilings,
    shoe_ceilings,
    worst_cut,
)
from combinat.protection.compositions import OTHERS, TENS
from combinat.protection.count import DECK, CountLaw, Depth
from combinat.protection.perfect import PerfectBet, looks_at_pairs_alone, perfect_play
from combinat.protection.samples import Sample, sample_by_rank, samples
from combinat.protection.tags import Tags
from combinat.rules.bounds import COUNTED_CARDS
from combinat.rules.cards import RANKS, Rank
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

ROUND_LIMIT = Fraction(1, 1000)
"""What a round may gain a player, in units, without being called beatable."""

SHOE_LIMIT = Fraction(1, 10)
"""What a shoe may gain a player, in units, without being called beatable."""

LARGEST_TAG = 2
CUT_CARDS = (USUAL_DEALING.cut_card, 26, 52, 104, 208)
"""Cards behind a cut card; the first is the usual one."""

PERFECT_LEFT = USUAL_DEALING.fewest_left()
"""The depth of perfect play: the fewest cards with which a round can begin in a shoe with the usual cut card.

It gains less in any round that begins earlier, so that this is what one round of such a shoe can gain at most.
"""

CEILING_DEPTHS = (PERFECT_LEFT, 26, 52, 104, 208)

COUNT_DEPTHS = CEILING_DEPTHS[:4]
"""The depths of the simple count: those of perfect play, and half a deck left, one and two."""

FIRST_ORDER_LEFT = 26
"""The depth at which it is asked how much single effects of removal explain."""


class Beaten(StrEnum):
    """By whom a bet can be beaten in a shoe with the usual cut card."""

    ANYONE = "anyone"  # it favours the player from the first card on
    NO_ONE = "no-one"  # the ceiling over a shoe is within the limit
    COUNT = "count"  # the simple count gains more than the limit in a round
    COMPOSITION = "composition"  # it does not, but who knows every card gone does
    OPEN = "open"  # neither is known, and the ceiling leaves room


@dataclass(frozen=True, kw_only=True)
class CountAt:
    """Betting a unit by a count with this number of cards left: from one running count up, from another down.

    None: that side of the mean is not bet. ``unseen``: the cards that the counter has not seen when the bet is made,
    those left; for insurance without the cards on the table.
    """

    FIGURES: ClassVar = ("true_count_up", "true_count_down")

    left: int
    unseen: int
    bets_up: int | None
    bets_down: int | None
    chance: Fraction
    gain: Fraction

    @cached_property
    def true_count_up(self) -> Fraction | None:
        """The running count from which it bets upwards, divided by the decks unseen."""
        return None if self.bets_up is None else Fraction(self.bets_up * DECK, self.unseen)

    @cached_property
    def true_count_down(self) -> Fraction | None:
        """The running count from which it bets downwards, divided by the decks unseen."""
        return None if self.bets_down is None else Fraction(self.bets_down * DECK, self.unseen)


@dataclass(frozen=True, kw_only=True)
class SimpleCount:
    """A count: its tags by rank, the share they see of the best sum, and its gain at each depth.

    ``share`` None: single cards have no effects, and there is no best sum.
    """

    tags: tuple[int, ...]
    share: Fraction | None
    depths: tuple[CountAt, ...]

    @property
    def beats_from(self) -> int | None:
        """The most cards left, of those looked at, with which it gains more than the limit in a round."""
        return max((depth.left for depth in self.depths if depth.gain > ROUND_LIMIT), default=None)


@dataclass(frozen=True, kw_only=True)
class PerfectAt:
    """Perfect play with this number of cards left."""

    FIGURES: ClassVar = ("edge",)

    left: int
    favourable: Fraction
    gain: Fraction

    @cached_property
    def edge(self) -> Fraction | None:
        """The player's average edge where the bet is made; None: it never is."""
        return self.gain / self.favourable if self.favourable else None


@dataclass(frozen=True, kw_only=True)
class RoundCeiling:
    """The upper bound on any player's gain in a round that begins with this number of cards left."""

    left: int
    gain: Fraction


@dataclass(frozen=True, kw_only=True)
class ShoeCeiling:
    """The upper bound on any player's gain in a shoe with this number of cards behind the cut card."""

    behind: int
    gain: Fraction


@dataclass(frozen=True, kw_only=True)
class TwoCards:
    """How the expected value moves when these two cards are removed."""

    removed: tuple[Rank, Rank]
    change: Fraction


@dataclass(frozen=True, kw_only=True)
class BetProtection:
    """A bet on a fresh shoe.

    ``first_order``: the share of the variance of its expected value that single effects of removal explain; where
    that is less than half, ``worst`` and ``best`` are the two cards whose removal together moves it most.
    ``safe_left``: the fewest cards left at which no player can gain more than the limit in a round; None: there are none.
    ``cut_cards``: the fewest cards behind the cut card at which no player can gain more than the limit in a shoe, by decks.
    """

    FIGURES: ClassVar = ("beaten", "beaten_from", "cut_card")

    bet: str
    expected_value: Fraction
    cards: int
    count: SimpleCount
    perfect: PerfectAt | None
    ceilings: tuple[RoundCeiling, ...]
    shoe_ceilings: tuple[ShoeCeiling, ...]
    safe_left: int | None
    cut_cards: tuple[SufficientCut, ...]
    first_order: Fraction
    worst: TwoCards | None
    best: TwoCards | None

    @cached_property
    def cut_card(self) -> int | None:
        """The fewest cards behind the cut card that suffice with every number of decks; None: no number does."""
        return worst_cut(self.cut_cards)

    @cached_property
    def beaten(self) -> Beaten:
        """By whom the bet can be beaten, as far as this is known."""
        if self.expected_value > 0:
            return Beaten.ANYONE
        if self.shoe_ceilings[0].gain <= SHOE_LIMIT:
            return Beaten.NO_ONE
        if self.count.beats_from is not None:
            return Beaten.COUNT
        if self.perfect is not None and self.perfect.gain > ROUND_LIMIT:
            return Beaten.COMPOSITION
        return Beaten.OPEN

    @cached_property
    def beaten_from(self) -> int | None:
        """The most cards left, of those looked at, from which it is beaten so."""
        match self.beaten:
            case Beaten.ANYONE:
                return self.cards
            case Beaten.COUNT:
                return self.count.beats_from
            case Beaten.COMPOSITION if self.perfect is not None:
                return self.perfect.left
            case _:
                return None


def protection(game: Game, shoe: Shoe, decks: Sequence[int]) -> tuple[BetProtection, ...]:
    """The protection of every bet on a fresh shoe; none where the shoe is too large to go through its depths.

    ``decks``: the numbers of decks for which a sufficient cut card is given.
    """
    if shoe.size > COUNTED_CARDS:
        return ()
    by_bet, counter = samples(game, shoe), _Counter(game, shoe)
    playable = [bet.id for bet in game.bets if not bet.needs_ranks or looks_at_pairs_alone(bet)]
    played = {one.bet: one for one in perfect_play(game, shoe, PERFECT_LEFT, playable).bets}
    shoes = {number: Shoe.of_decks(number) for number in decks}
    on_decks = {
        sample: {number: sample.on(other) for number, other in shoes.items()} for sample in by_bet.values()
    }
    protected = []
    for bet in game.bets:
        sample = by_bet[bet.id]
        count, perfect = counter.count(bet.id, sample), played.get(bet.id)
        protected.append(_bet_protection(bet.id, sample, on_decks[sample], count, perfect))
    return tuple(protected)


def _bet_protection(
    bet: str,
    sample: Sample,
    on_decks: Mapping[int, Sample],
    count: SimpleCount,
    played: PerfectBet | None,
) -> BetProtection:
    size = sample.size
    by_round = round_ceilings(sample, bet)
    by_shoe = shoe_ceilings(by_round)
    variance = sample.variance(bet, FIRST_ORDER_LEFT)
    first_order = sample.first_order(bet, FIRST_ORDER_LEFT) / variance if variance else Fraction(1)
    pairs = _two_cards(sample, bet) if first_order < Fraction(1, 2) else []
    return BetProtection(
        bet=bet,
        expected_value=sample.mean(bet),
        cards=size,
        count=count,
        perfect=PerfectAt(left=PERFECT_LEFT, favourable=played.favourable, gain=played.gain)
        if played
        else None,
        ceilings=ceilings_shown(by_round),
        shoe_ceilings=shoe_ceilings_shown(by_shoe),
        safe_left=safe_left(by_round),
        cut_cards=sufficient_cuts(
            tuple(on_decks), by_round, lambda decks: round_ceilings(on_decks[decks], bet)
        ),
        first_order=first_order,
        worst=pairs[0] if pairs else None,
        best=pairs[-1] if pairs else None,
    )


def ceilings_shown(by_round: Mapping[int, Fraction]) -> tuple[RoundCeiling, ...]:
    """The ceilings at the depths that are shown."""
    lefts = [left for left in CEILING_DEPTHS if left < max(by_round)]
    return tuple(RoundCeiling(left=left, gain=by_round[left]) for left in lefts)


def shoe_ceilings_shown(by_shoe: Mapping[int, Fraction]) -> tuple[ShoeCeiling, ...]:
    """The ceilings over a shoe with the cut cards that are shown."""
    cut_cards = [behind for behind in CUT_CARDS if behind < max(by_shoe)]
    return tuple(ShoeCeiling(behind=behind, gain=by_shoe[behind]) for behind in cut_cards)


def sufficient_cuts(
    decks: Sequence[int],
    by_round: Mapping[int, Fraction],
    ceilings: Callable[[int], Mapping[int, Fraction]],
) -> tuple[SufficientCut, ...]:
    """The sufficient cut card for each number of decks, or None for a shoe that is too large.

    ``by_round``: the ceilings of the shoe itself. ``ceilings``: those of another number of decks.
    """
    cuts = []
    for number in decks:
        behind, cards = None, number * DECK
        if cards <= COUNTED_CARDS:
            of_decks = by_round if cards == max(by_round) else ceilings(number)
            behind = cut_card_within(shoe_ceilings(of_decks), SHOE_LIMIT)
        cuts.append(SufficientCut(decks=number, behind=behind))
    return tuple(cuts)


def safe_left(by_round: Mapping[int, Fraction]) -> int | None:
    """The fewest cards left, none fewer than those of perfect play, at which the ceiling is within the limit."""
    within = (left for left in by_round if left >= PERFECT_LEFT and by_round[left] <= ROUND_LIMIT)
    return min(within, default=None)


class _Counter:
    """The simple counts of the bets of a game on a shoe."""

    def __init__(self, game: Game, shoe: Shoe) -> None:
        self.game, self.shoe = game, shoe

    @cached_property
    def by_rank(self) -> Sample:
        """The bets that points decide, by rank: for tags that differ between tens and pictures."""
        return sample_by_rank(self.game, self.shoe)

    def count(self, bet: str, sample: Sample) -> SimpleCount:
        """The simple count of a bet."""
        effects = sample.removal_effects(bet)
        is_by_rank = len(effects) == len(RANKS)
        by_rank = tuple(effects) if is_by_rank else tuple(effects[rank.points] for rank in RANKS)
        tags = simple_tags(by_rank)
        if not is_by_rank and len({tags.values[number] for number in TENS}) > 1:
            sample, is_by_rank = self.by_rank, True
        by_kind = list(tags) if is_by_rank else [tags.values[number] for number in (TENS[0], *OTHERS)]
        law = CountLaw(sample, sample.bets.index(bet), by_kind, max(depths_counted(sample.size)))
        return simple_count(by_rank, tags, sample.size, law.depth)


def depths_counted(size: int) -> list[int]:
    """The depths of the simple count on a shoe of this number of cards."""
    return [left for left in COUNT_DEPTHS if left < size]


def simple_tags(effects: tuple[Fraction, ...]) -> Tags:
    """The tags of the simple count; where the effects of removal give none, low ranks against high."""
    return nearest_tags(effects, LARGEST_TAG) if any(effects) else HALVES


def simple_count(
    effects: tuple[Fraction, ...], tags: Tags, size: int, law: Callable[[int], Depth]
) -> SimpleCount:
    """The simple count with these tags; ``law``: its law by the number of cards with which a round begins."""
    depths = []
    for left in depths_counted(size):
        depth = law(left)
        depths.append(
            CountAt(
                left=left,
                unseen=depth.left,
                bets_up=depth.sides.least,
                bets_down=depth.sides.most,
                chance=depth.sides.chance,
                gain=depth.sides.gain,
            )
        )
    share = share_seen(effects, tags) if any(effects) else None
    return SimpleCount(tags=tags.values, share=share, depths=tuple(depths))


def _two_cards(sample: Sample, bet: str) -> list[TwoCards]:
    """Every two cards by rank, the one whose removal lowers the expected value most first."""
    changes = []
    for number, first in enumerate(RANKS):
        for second in RANKS[number:]:
            change = sample.removed(bet, (first, second)) - sample.mean(bet)
            changes.append(TwoCards(removed=(first, second), change=change))
    return sorted(changes, key=lambda two: (two.change, two.removed))
