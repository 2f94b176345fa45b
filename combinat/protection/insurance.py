"""What a report says of the protection of insurance: a table of offers each, on a fresh shoe.

Figures are per round dealt, for a unit on every offer that is taken; all are exact or proven bounds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

from combinat.protection.ceiling import SufficientCut, shoe_ceilings, worst_cut
from combinat.protection.insurance_count import InsuranceLaw, removal_effects
from combinat.protection.insurance_play import InsurancePlay
from combinat.protection.summary import (
    PERFECT_LEFT,
    ROUND_LIMIT,
    SHOE_LIMIT,
    Beaten,
    PerfectAt,
    RoundCeiling,
    ShoeCeiling,
    SimpleCount,
    ceilings_shown,
    depths_counted,
    safe_left,
    shoe_ceilings_shown,
    simple_count,
    simple_tags,
    sufficient_cuts,
)
from combinat.rules.bounds import COUNTED_CARDS
from combinat.rules.game import Game
from combinat.rules.insurance import Insured
from combinat.rules.round import Stage
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import Hand


@dataclass(frozen=True, kw_only=True)
class Taken:
    """Offers that are taken on the fresh shoe: in which share of the rounds, and for what gain a round."""

    chance: Fraction
    gain: Fraction


@dataclass(frozen=True, kw_only=True)
class InsuranceProtection:
    """The insurance of one hand at one stage.

    ``by_totals``, ``by_cards``: taking what favours the player from the first round on, as both totals tell, or
    the cards on the table. ``count``: the simple count; it takes every offer of the table from a running count on,
    with the cards on the table counted. The rest is as for a bet.
    """

    FIGURES: ClassVar = ("beaten", "beaten_from", "cut_card")

    side: Hand
    stage: Stage
    cards: int
    by_totals: Taken
    by_cards: Taken
    count: SimpleCount
    perfect: PerfectAt
    ceilings: tuple[RoundCeiling, ...]
    shoe_ceilings: tuple[ShoeCeiling, ...]
    safe_left: int | None
    cut_cards: tuple[SufficientCut, ...]

    @property
    def name(self) -> str:
        """What the insurance is called as a bet."""
        return str(Insured(self.side, self.stage))

    @cached_property
    def cut_card(self) -> int | None:
        """The fewest cards behind the cut card that suffice with every number of decks; None: no number does."""
        return worst_cut(self.cut_cards)

    @cached_property
    def beaten(self) -> Beaten:
        """By whom it can be beaten, as far as this is known."""
        if self.by_cards.gain > 0:
            return Beaten.ANYONE
        if self.shoe_ceilings[0].gain <= SHOE_LIMIT:
            return Beaten.NO_ONE
        if self.count.beats_from is not None:
            return Beaten.COUNT
        return Beaten.COMPOSITION if self.perfect.gain > ROUND_LIMIT else Beaten.OPEN

    @cached_property
    def beaten_from(self) -> int | None:
        """The most cards left, of those looked at, from which it is beaten so."""
        if self.beaten is Beaten.ANYONE:
            return self.cards
        if self.beaten is Beaten.COUNT:
            return self.count.beats_from
        return self.perfect.left if self.beaten is Beaten.COMPOSITION else None


def insurance_protection(game: Game, shoe: Shoe, decks: Sequence[int]) -> tuple[InsuranceProtection, ...]:
    """The protection of every table of offers; none where the shoe is too large to go through its depths.

    ``decks``: the numbers of decks for which a sufficient cut card is given.
    """
    if shoe.size > COUNTED_CARDS:
        return ()
    played = [(table, InsurancePlay(game, table, shoe)) for table in game.insurance]
    return tuple(_protection(table.insured, play, shoe, decks) for table, play in played if play.groups)


def _protection(
    insured: Insured, play: InsurancePlay, shoe: Shoe, decks: Sequence[int]
) -> InsuranceProtection:
    by_totals, by_cards, perfect = play.by_totals(), play.by_cards(), play.perfect(PERFECT_LEFT)
    by_round = play.round_ceilings()
    by_shoe = shoe_ceilings(by_round)
    return InsuranceProtection(
        side=insured.hand,
        stage=insured.stage,
        cards=play.size,
        by_totals=Taken(chance=by_totals.chance, gain=by_totals.gain),
        by_cards=Taken(chance=by_cards.chance, gain=by_cards.gain),
        count=_count(play, shoe),
        perfect=PerfectAt(left=PERFECT_LEFT, favourable=perfect.chance, gain=perfect.gain),
        ceilings=ceilings_shown(by_round),
        shoe_ceilings=shoe_ceilings_shown(by_shoe),
        safe_left=safe_left(by_round),
        cut_cards=sufficient_cuts(
            decks, by_round, lambda number: play.on(Shoe.of_decks(number)).round_ceilings()
        ),
    )


def _count(play: InsurancePlay, shoe: Shoe) -> SimpleCount:
    """The simple count of a table of offers."""
    effects = removal_effects(play)
    tags = simple_tags(effects)
    law = InsuranceLaw(play, shoe, tags, max(depths_counted(play.size)))
    return simple_count(effects, tags, play.size, law.depth)
