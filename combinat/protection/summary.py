"""The protection section of a report: who can beat each wager, from which depth on, by how much, and the cut card.

All of it is exact or a proven bound, on a fresh shoe. A count is the simple one, bet on either side of the
mean if that gains. Perfect play is given at one depth: it gains no more at any earlier one. Figures of
insurance are per round dealt, for a unit on every offer that is taken.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import msgspec

from combinat.analysis.removal import RemovalEffect, removals
from combinat.protection.ceiling import (
    USUAL_DEALING,
    RoundCeiling,
    SufficientCut,
    cut_card_within,
    shoe_ceilings,
    worst_cut,
)
from combinat.protection.count import SimpleCount, simple_count
from combinat.protection.count_law import Betting
from combinat.protection.inputs import LIMIT
from combinat.protection.insurance_play import insurance_play
from combinat.protection.pairs import looks_at_pairs_alone
from combinat.protection.perfect import perfect_play
from combinat.protection.samples import samples
from combinat.protection.wagers import Wager, bet_wagers, insurance_wagers
from combinat.rules.bounds import COUNTED_CARDS
from combinat.rules.game import Game
from combinat.rules.insurance import Insured
from combinat.rules.round import Stage
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import Hand

ROUND_LIMIT = Fraction(1, 1000)
"""The gain of a round, in units, up to which a wager is not called beatable."""

CUT_CARDS = (USUAL_DEALING.cut_card, 26, 52, 104, 208)
"""Cards behind a cut card; the first is the usual one."""

PERFECT_LEFT = USUAL_DEALING.fewest_left()
"""The depth of perfect play: the fewest cards with which a round can begin in a shoe with the usual cut card.

It gains less in any round that begins earlier, so it is the most that one round of such a shoe can gain.
"""

CEILING_DEPTHS = (PERFECT_LEFT, 26, 52, 104, 208)

COUNT_DEPTHS = CEILING_DEPTHS[:4]
"""The depths of the simple count: those of perfect play, and half a deck left, one and two."""

FIRST_ORDER_LEFT = 26
"""The depth for the share of the variance that single effects of removal explain."""


class Beaten(StrEnum):
    """The player who can beat a wager."""

    ANYONE = "anyone"  # it favours the player from the first card on
    NO_ONE = "no-one"  # the ceiling over a shoe is within the limit
    COUNT = "count"  # the simple count gains more than the limit
    COMPOSITION = "composition"  # it does not, but a player who tracks every card does
    OPEN = "open"  # neither is known, and the ceiling is above the limit


@dataclass(frozen=True, kw_only=True)
class PerfectAt:
    """Perfect play with this number of cards left."""

    FIGURES: ClassVar = ("edge",)

    left: int
    favourable: Fraction
    gain: Fraction

    @cached_property
    def edge(self) -> Fraction | None:
        """The player's average edge when the bet is made, or None if it never is."""
        return self.gain / self.favourable if self.favourable else None


@dataclass(frozen=True, kw_only=True)
class ShoeCeiling:
    """The upper bound on any player's gain in a shoe with this number of cards behind the cut card."""

    behind: int
    gain: Fraction


@dataclass(frozen=True, kw_only=True)
class Protected:
    """A wager on a fresh shoe.

    ``safe_left``: the fewest cards left at which no player can gain more than the limit in a round, or None.
    ``cut_cards``: by decks, the fewest cards behind the cut card at which no player can gain more than the
    limit in a shoe.
    """

    FIGURES: ClassVar = ("beaten", "beaten_from", "cut_card")

    cards: int
    count: SimpleCount
    perfect: PerfectAt | None
    ceilings: tuple[RoundCeiling, ...]
    shoe_ceilings: tuple[ShoeCeiling, ...]
    safe_left: int | None
    cut_cards: tuple[SufficientCut, ...]

    @property
    def name(self) -> str:
        """The id of the wager."""
        raise NotImplementedError  # pragma: no cover

    @property
    def favours_player(self) -> bool:
        """Whether it favours the player from the first card on."""
        raise NotImplementedError  # pragma: no cover

    @cached_property
    def cut_card(self) -> int | None:
        """The fewest cards behind the cut card that suffice with every number of decks, or None."""
        return worst_cut(self.cut_cards)

    @cached_property
    def beaten(self) -> Beaten:
        """The player who can beat it, as far as this is known."""
        return self._verdict[0]

    @cached_property
    def beaten_from(self) -> int | None:
        """The most cards left, of those examined, from which it is beaten."""
        return self._verdict[1]

    @cached_property
    def _verdict(self) -> tuple[Beaten, int | None]:
        if self.favours_player:
            return Beaten.ANYONE, self.cards
        if self.shoe_ceilings[0].gain <= LIMIT:
            return Beaten.NO_ONE, None
        if counted := [depth.left for depth in self.count.depths if depth.gain > ROUND_LIMIT]:
            return Beaten.COUNT, max(counted)
        if self.perfect is not None and self.perfect.gain > ROUND_LIMIT:
            return Beaten.COMPOSITION, self.perfect.left
        return Beaten.OPEN, None


@dataclass(frozen=True, kw_only=True)
class BetProtection(Protected):
    """A bet on a fresh shoe.

    ``first_order``: the share of the variance of its expected value that single effects of removal explain.
    If it is less than half, ``worst`` and ``best`` are the two cards whose removal together changes it most.
    """

    bet: str
    expected_value: Fraction
    first_order: Fraction
    worst: RemovalEffect | None
    best: RemovalEffect | None

    @property
    def name(self) -> str:
        """The bet's id."""
        return self.bet

    @property
    def favours_player(self) -> bool:
        """Whether it favours the player from the first card on."""
        return self.expected_value > 0


@dataclass(frozen=True, kw_only=True)
class InsuranceProtection(Protected):
    """The insurance of one hand at one stage.

    ``by_totals``, ``by_cards``: taking the offers that favour the player from the first round on, judged by
    both totals, or by the cards on the table. The simple count takes every offer of the table from a running
    count on, with the cards on the table counted.
    """

    perfect: PerfectAt
    side: Hand
    stage: Stage
    by_totals: Betting
    by_cards: Betting

    @property
    def name(self) -> str:
        """The insurance as a bet, such as ``player@four-cards``."""
        return str(Insured(self.side, self.stage))

    @property
    def favours_player(self) -> bool:
        """Whether an offer favours the player from the first round on."""
        return self.by_cards.gain > 0


def protection(game: Game, shoe: Shoe, decks: Sequence[int]) -> tuple[BetProtection, ...]:
    """Return the protection of every bet on a fresh shoe, or nothing for a shoe with too many depths.

    ``decks``: the numbers of decks for which a sufficient cut card is given.
    """
    if shoe.size > COUNTED_CARDS:
        return ()
    by_bet = samples(game, shoe)
    playable = [bet.id for bet in game.bets if not bet.needs_ranks or looks_at_pairs_alone(bet)]
    played = {one.bet: one for one in perfect_play(game, shoe, PERFECT_LEFT, playable)}
    protected = []
    for wager in bet_wagers(game, shoe, by_bet):
        sample, play = by_bet[wager.id], played.get(wager.id)
        variance = sample.variance(wager.id, FIRST_ORDER_LEFT)
        first_order = sample.first_order(wager.id, FIRST_ORDER_LEFT) / variance if variance else Fraction(1)
        pairs = _two_cards(game, shoe, wager.id) if first_order < Fraction(1, 2) else []
        protected.append(
            BetProtection(
                bet=wager.id,
                expected_value=wager.mean,
                perfect=PerfectAt(left=PERFECT_LEFT, favourable=play.favourable, gain=play.gain)
                if play
                else None,
                first_order=first_order,
                worst=pairs[0] if pairs else None,
                best=pairs[-1] if pairs else None,
                **_common(wager, shoe, decks),
            )
        )
    return tuple(protected)


def insurance_protection(game: Game, shoe: Shoe, decks: Sequence[int]) -> tuple[InsuranceProtection, ...]:
    """Return the protection of every insurance table, or nothing for a shoe with too many depths."""
    if shoe.size > COUNTED_CARDS:
        return ()
    plays = {table.insured: insurance_play(game, table, shoe) for table in game.insurance}
    protected = []
    for insured, wager in insurance_wagers(plays, shoe).items():
        play = plays[insured]
        perfect = play.perfect(PERFECT_LEFT)
        protected.append(
            InsuranceProtection(
                side=insured.hand,
                stage=insured.stage,
                by_totals=play.by_totals(),
                by_cards=play.by_cards(),
                perfect=PerfectAt(left=PERFECT_LEFT, favourable=perfect.chance, gain=perfect.gain),
                **_common(wager, shoe, decks),
            )
        )
    return tuple(protected)


def _common(wager: Wager, shoe: Shoe, decks: Sequence[int]) -> dict[str, Any]:
    """Return the fields that bets and insurance tables have in common."""
    by_round = wager.ceilings(shoe)
    by_shoe = shoe_ceilings(by_round)
    safe = (left for left in by_round if left >= PERFECT_LEFT and by_round[left] <= ROUND_LIMIT)
    return {
        "cards": shoe.size,
        "count": simple_count(wager, shoe, [left for left in COUNT_DEPTHS if left < shoe.size]),
        "ceilings": tuple(
            RoundCeiling(left=left, gain=by_round[left]) for left in CEILING_DEPTHS if left < shoe.size
        ),
        "shoe_ceilings": tuple(
            ShoeCeiling(behind=behind, gain=by_shoe[behind]) for behind in CUT_CARDS if behind < shoe.size
        ),
        "safe_left": min(safe, default=None),
        "cut_cards": tuple(_sufficient(wager, shoe, by_shoe, number) for number in decks),
    }


def _sufficient(wager: Wager, shoe: Shoe, by_shoe: Mapping[int, Fraction], decks: int) -> SufficientCut:
    """Return the sufficient cut card for a number of decks; none for a shoe that is too large."""
    other = Shoe.of_decks(decks)
    if other.size > COUNTED_CARDS:
        return SufficientCut(decks=decks, behind=None)
    ceilings = by_shoe if other == shoe else shoe_ceilings(wager.ceilings(other))
    return SufficientCut(decks=decks, behind=cut_card_within(ceilings, LIMIT))


def _two_cards(game: Game, shoe: Shoe, bet: str) -> Sequence[RemovalEffect]:
    """Return the removals of two cards, sorted by the change of the expected value that they cause."""
    alone = msgspec.structs.replace(game, bets=(game.bet(bet),), insurance=())
    (effects,) = removals(alone, shoe, pairs=True)
    two = [effect for effect in effects.changes if len(effect.removed) == 2]
    return sorted(two, key=lambda effect: (effect.change or 0, effect.removed))
