"""The figures of a study: shares of rounds bet, edges and gains with their intervals, by position of the cut card.

Every figure is a ratio of totals over all blocks, in fractions. Blocks are independent of one another, so an
interval comes from the jackknife: the figure is computed again without each block in turn, and the spread of
these results gives its standard error.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import isqrt, lcm

import numpy as np

from combinat.analysis.insurance import StateAnalysis, insurance_analysis
from combinat.analysis.odds import one_round_analysis
from combinat.base.kinds import FRACTION, NUMBER, TEXT, decimal, percentage, root
from combinat.base.relation import Field, Many, Relation
from combinat.engine.arrays import Array
from combinat.protection.study import (
    Blocks,
    Study,
    StudyWager,
    denominators,
    wagers,
)
from combinat.rules.game import Game

QUANTILE = Fraction(20096, 10**4)
"""Student's 97.5 per cent quantile for 49 degrees of freedom, those of the fewest blocks; rounded up."""

PARTS = 2**40
"""Results without a block are rounded to parts of this: they serve for intervals alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fresh:
    """A wager on the fresh shoe: the mean net of a round, if a unit is staked at every offer; the variance of a unit."""

    id: str
    expected_value: Fraction
    variance: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A ratio of totals, and the square of the half width of its 95 per cent interval.

    None: there is no interval, because fewer than two blocks contribute to the figure.
    """

    value: Fraction
    half_width_squared: Fraction | None

    def times(self, factor: int) -> "Estimate":
        """Return the estimate of a multiple of the figure."""
        square = self.half_width_squared
        return Estimate(
            value=self.value * factor, half_width_squared=None if square is None else square * factor**2
        )

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        """Both ends of the interval, its half width rounded up to parts of 2**40."""
        parts = (self.half_width_squared or Fraction(0)) * PARTS**2
        width = Fraction(isqrt(parts.numerator // parts.denominator) + 1, PARTS) if parts else Fraction(0)
        return self.value - width, self.value + width

    def is_surely_within(self, limit: Fraction) -> bool:
        """Return whether the whole interval is at the limit or below."""
        room = limit - self.value
        return room >= 0 and self.half_width_squared is not None and room**2 >= self.half_width_squared

    def is_surely_above(self, limit: Fraction) -> bool:
        """Return whether the whole interval is above the limit."""
        over = self.value - limit
        return over > 0 and self.half_width_squared is not None and over**2 > self.half_width_squared


@dataclass(frozen=True, slots=True, kw_only=True)
class AtCut:
    """A player's results with the cut card at one position."""

    cut_card: int
    rounds: int
    offers: int
    bets: int
    share_bet: Estimate
    average_edge: Estimate | None
    gain_a_shoe: Estimate
    gain_a_round: Estimate

    @property
    def gain_a_hundred_rounds(self) -> Estimate:
        """The gain in 100 rounds."""
        return self.gain_a_round.times(100)


@dataclass(frozen=True, slots=True, kw_only=True)
class BetweenCuts:
    """A player's results in the rounds that are dealt with the cut card at ``cut_card``, but not at ``next_cut``.

    ``next_cut`` is the next position, or the size of the shoe. The order of the positions is that of depth.
    """

    cut_card: int
    next_cut: int
    rounds: int
    bets: int
    gain: Fraction

    @property
    def share_bet(self) -> Fraction:
        """The share of these rounds in which a unit is staked."""
        return Fraction(self.bets, self.rounds or 1)

    @property
    def average_edge(self) -> Fraction | None:
        """The expected value of a staked unit; None: none is staked."""
        return self.gain / self.bets if self.bets else None

    @property
    def gain_a_round(self) -> Fraction:
        """The gain in one of these rounds."""
        return self.gain / (self.rounds or 1)


@dataclass(frozen=True, kw_only=True)
class PlayerResult:
    """The results of one player.

    ``deepest_cut``: the deepest position within the limit; None: no position is.
    """

    wager: str
    player: str
    cuts: tuple[AtCut, ...]
    depths: tuple[BetweenCuts, ...]
    deepest_cut: int | None
    desirability_squared: Fraction | None

    @property
    def here(self) -> AtCut:
        """The results with the cut card at its own position."""
        return self.cuts[0]


ESTIMATE: Relation[Estimate] = Relation(
    "estimates",
    Field("value", "value", FRACTION, "The ratio of totals."),
    Field("half_width_squared", "+-", FRACTION, "The square of half the width of its 95 % interval.", may_be_none=True),
)  # fmt: skip

AT_CUTS: Relation[AtCut] = Relation(
    "results by cut card",
    Field("cut_card", "cut card", NUMBER, "Cards behind the cut card.", views="cut"),
    Field("rounds", "rounds", NUMBER, "Rounds dealt.", views="cut"),
    Field("offers", "offers", NUMBER, "Rounds in which the bet was on offer."),
    Field("bets", "bets", NUMBER, "Units staked."),
    Field("share_bet", "bets %", ESTIMATE, "Share of rounds in which a unit is staked."),
    Field(
        "average_edge", "player's edge %", ESTIMATE, "The player's edge of a staked unit.", may_be_none=True
    ),
    Field("gain_a_shoe", "a shoe", ESTIMATE, "Gain of a shoe, in units."),
    Field("gain_a_round", "a round", ESTIMATE, "Gain of a round, in units."),
)

BETWEEN_CUTS: Relation[BetweenCuts] = Relation(
    "results by depth",
    Field("cut_card", "cut card", NUMBER, "The rounds dealt with the cut card at this position ...", views="page"),
    Field("next_cut", "to", NUMBER, "... but not at this one.", views="page"),
    Field("rounds", "rounds", NUMBER, "Rounds dealt.", views="page"),
    Field("bets", "bets", NUMBER, "Units staked."),
    Field("gain", "gain", FRACTION, "Their gain, in units."),
    Field("share_bet", "bets %", percentage(3), "Share of rounds in which a unit is staked.", views="page"),
    Field("average_edge", "player's edge %", percentage(3, signed=True), "The player's edge of a staked unit.", views="page", may_be_none=True),
    Field("gain_a_round", "a round", FRACTION, "Gain of a round, in units."),
    Field("gain_of_100", "100 rounds", decimal(4, signed=True), "Gain of 100 rounds.", lambda row: 100 * row.gain_a_round, views="page", for_people=True),
)  # fmt: skip

PLAYERS: Relation[PlayerResult] = Relation(
    "players",
    Field("wager", "bet", TEXT, "The bet, or the insurance such as player@four-cards.", views="often gains page cut limit"),
    Field("player", "strategy", TEXT, "Perfect play, or the name of a count.", views="often gains page cut limit"),
    Field("cuts", "cut cards", Many(AT_CUTS), "By position of the cut card."),
    Field("depths", "depths", Many(BETWEEN_CUTS), "By depth."),
    Field("deepest_cut", "deepest cut card", NUMBER, "The deepest position within the limit.", may_be_none=True),
    Field("desirability_squared", "DI", FRACTION, "The square of the desirability index.", may_be_none=True),
)  # fmt: skip

FRESH: Relation[Fresh] = Relation(
    "bets on the fresh shoe",
    Field("id", "bet", TEXT, "The bet.", views="page"),
    Field("expected_value", "expected value", FRACTION, "The mean net of a round, a unit on every offer.", views="page"),
    Field("percent", "%", percentage(6), "The same.", lambda row: row.expected_value, views="page", for_people=True),
    Field("variance", "variance", FRACTION, "The variance of a unit."),
    Field("deviation", "std dev", root(6), "The standard deviation.", lambda row: row.variance, views="page", for_people=True),
)  # fmt: skip


def player_results(game: Game, study: Study, blocks: Blocks, limit: Fraction) -> tuple[PlayerResult, ...]:
    """Return the figures of every player that follow from the sums of a study's blocks."""
    asked = {wager.id: wager for wager in wagers(game, study.bets)}
    return tuple(
        _player_result(study, blocks, number, asked[player.wager], limit)
        for number, player in enumerate(study.players)
    )


def fresh_wagers(game: Game, study: Study) -> tuple[Fresh, ...]:
    """Return every wager on the fresh shoe, exactly."""
    analysis = one_round_analysis(game, study.shoe)
    states = insurance_analysis(game, analysis.distribution) if game.insurance else ()
    made = {
        bet.id: Fresh(id=bet.id, expected_value=bet.expected_value, variance=bet.variance)
        for bet in analysis.bets
    }
    for table in game.insurance:
        some = [one for one in states if (one.state.side, one.state.stage) == (table.side, table.stage)]
        made[str(table.insured)] = _fresh_insurance(str(table.insured), some)
    return tuple(made[wager] for wager in study.bets)


def _fresh_insurance(insured: str, states: Sequence[StateAnalysis]) -> Fresh:
    """Return an insurance table: a unit at every offer."""
    offered, mean, square = Fraction(0), Fraction(0), Fraction(0)
    for state in states:
        if state.expected_value is not None and state.variance is not None:
            offered += state.probability
            mean += state.probability * state.expected_value
            square += state.probability * (state.variance + state.expected_value**2)
    variance = square / offered - (mean / offered) ** 2 if offered else Fraction(0)
    return Fresh(id=insured, expected_value=mean, variance=variance)


def _player_result(
    study: Study, blocks: Blocks, number: int, wager: StudyWager, limit: Fraction
) -> PlayerResult:
    """Return the figures of a player; ``number``: the player's place among the players."""
    player, place = study.players[number], study.bets.index(wager.id)
    over = denominators(study, wager)
    whole = lcm(*over)
    # By block and band, the gains and the squares over the common denominator of all bands.
    by_band = np.array(
        [
            [
                (
                    *(band.rounds, band.offers[place], band.bets[number]),
                    *(sums[number] * (whole // part) for sums in (band.gains, band.squares)),
                )
                for band, part in zip(block, over, strict=True)
            ]
            for block in blocks
        ],
        dtype=object,
    )
    # With the cut card at a position, the rounds of its band and of those above are dealt.
    by_cut = by_band[:, ::-1].cumsum(axis=1)[:, ::-1]
    cuts = tuple(_at_cut(study, cut, by_cut[:, at], whole) for at, cut in enumerate(study.positions))
    depths = tuple(
        BetweenCuts(cut_card=cut, next_cut=above, rounds=rounds, bets=bets, gain=Fraction(gain, whole))
        for (cut, above), (rounds, _, bets, gain, _) in zip(
            pairwise((*study.positions, study.shoe.size)), by_band.sum(axis=0).tolist(), strict=True
        )
    )
    *_, bets, _, square = by_cut[:, 0].sum(axis=0).tolist()
    return PlayerResult(
        wager=wager.id,
        player=player.name,
        cuts=cuts,
        depths=depths,
        deepest_cut=_deepest(cuts, limit),
        desirability_squared=_desirability(cuts[0], Fraction(square, bets * whole * wager.unit))
        if bets
        else None,
    )


def _desirability(here: AtCut, mean_square: Fraction) -> Fraction | None:
    """Return the square of the desirability index, with its sign; None: the bets made do not vary."""
    gain, edge = here.gain_a_round.value, here.average_edge
    variance = mean_square - (edge.value if edge else Fraction(0)) ** 2
    sign = 1 if gain >= 0 else -1
    return sign * 10**6 * gain**2 / (here.share_bet.value * variance) if variance else None


def _at_cut(study: Study, cut: int, blocks: Array, whole: int) -> AtCut:
    """Return the figures with the cut card at a position, from the sums of each block there."""
    rounds, offers, bets, gains, _ = blocks.T.tolist()
    shoes = [study.shoes_of(number) for number in range(len(blocks))]
    has_bets = sum(bets) > 0
    return AtCut(
        cut_card=cut,
        rounds=sum(rounds),
        offers=sum(offers),
        bets=sum(bets),
        share_bet=ratio(bets, rounds, 1, has_bets),
        average_edge=ratio(gains, bets, whole, has_bets) if has_bets else None,
        gain_a_shoe=ratio(gains, shoes, whole, has_bets),
        gain_a_round=ratio(gains, rounds, whole, has_bets),
    )


def ratio(tops: Sequence[int], bottoms: Sequence[int], whole: int, has_interval: bool = True) -> Estimate:
    """Return the ratio of two totals over blocks, the first in parts of ``whole``, with its jackknife interval.

    >>> estimate = ratio([3, 5, 4], [10, 10, 10], 1)
    >>> estimate.value, round(estimate.half_width_squared / QUANTILE**2, 6)
    (Fraction(2, 5), Fraction(3333, 1000000))
    """
    top, bottom, blocks = sum(tops), sum(bottoms), len(tops)
    value = Fraction(top, bottom * whole)
    if not has_interval or blocks < 2 or bottom in bottoms:
        return Estimate(value=value, half_width_squared=None)
    without = [
        (top - one) * PARTS // ((bottom - other) * whole) for one, other in zip(tops, bottoms, strict=True)
    ]
    spread = blocks * sum(one * one for one in without) - sum(without) ** 2
    variance = Fraction(spread * (blocks - 1), (blocks * PARTS) ** 2)
    return Estimate(value=value, half_width_squared=QUANTILE**2 * variance)


def _deepest(cuts: Sequence[AtCut], limit: Fraction) -> int | None:
    """Return the deepest cut card at which, and at every position further from the end, the interval is within the limit.

    A position at which nothing was bet has no interval: it is skipped, and never the result.
    """
    deepest = None
    for cut in reversed(cuts):
        gain = cut.gain_a_shoe
        if gain.half_width_squared is None:
            continue
        if not gain.is_surely_within(limit):
            break
        deepest = cut.cut_card
    return deepest
