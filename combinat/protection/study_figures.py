"""What a study comes to: rounds bet, edges and gains with their intervals, by position of the cut card and by depth.

Everything here follows from the exact sums, in fractions. The known means serve as control variates: the expected
value of a bet given the cards unseen, taken at the marks, is that of the fresh shoe on average, and so is the mean tag
of the cards unseen. Intervals are over shoes, which are independent; rounds of one shoe are not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import isqrt, lcm
from typing import ClassVar

from combinat.analysis.analysis import analyze
from combinat.analysis.insurance import StateAnalysis, insurance_analysis
from combinat.protection.student_t import reach
from combinat.protection.study import (
    BETS,
    EIGHT_DECKS,
    GAIN,
    ROUNDS,
    SCALE,
    VALUE,
    Player,
    Row,
    Study,
    Sums,
    Wager,
    products,
    squares_at,
    variables,
    wagers,
)
from combinat.rules.game import Game

SHOES_A_CONTROL, SHOES_AT_LEAST = 10, 30
"""Controls are used where there are ten shoes for each of them and thirty more: on fewer they fit chance itself."""

FINENESS = 2**20
"""Coefficients of control variates are rounded to parts of this: any coefficient gives the right mean."""

ZERO = Fraction(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fresh:
    """A wager on the fresh shoe: the mean net result a round, if a unit is put on it whenever it is on offer.

    ``variance``: of one such unit.
    """

    id: str
    expected_value: Fraction
    variance: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """An estimate, and the square of the half width of its interval; None: there is none, for nothing was ever bet.

    What did not happen in the shoes that were dealt may happen in others: of that an interval knows nothing.
    ``least``, ``most``: where the figure must lie, whatever the cards; value and interval are cut there.
    """

    value: Fraction
    half_width_squared: Fraction | None
    least: Fraction | None = None
    most: Fraction | None = None

    def between(self, least: Fraction | None, most: Fraction | None) -> "Estimate":
        """The same, of a figure that cannot lie beyond these."""
        value = self.value if least is None else max(self.value, least)
        value = value if most is None else min(value, most)
        return Estimate(value=value, half_width_squared=self.half_width_squared, least=least, most=most)

    @property
    def per_cent_squared(self) -> Fraction | None:
        """The square of the half width, where the estimate is read in per cent."""
        return None if self.half_width_squared is None else self.half_width_squared * 10**4

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        """From where to where the interval reaches, its half width rounded up to parts of 2**40."""
        square = self.half_width_squared or ZERO
        parts = square * 2**80
        width = Fraction(isqrt(parts.numerator // parts.denominator) + 1, 2**40) if square else ZERO
        low, high = self.value - width, self.value + width
        return (
            low if self.least is None else max(low, self.least),
            high if self.most is None else min(high, self.most),
        )

    def is_surely_within(self, limit: Fraction) -> bool:
        """Whether the whole interval lies at the limit or below."""
        room = limit - self.value
        return room >= 0 and self.half_width_squared is not None and room**2 >= self.half_width_squared

    def is_surely_above(self, limit: Fraction) -> bool:
        """Whether the whole interval lies above the limit."""
        over = self.value - limit
        return over > 0 and self.half_width_squared is not None and over**2 > self.half_width_squared


@dataclass(frozen=True, slots=True, kw_only=True)
class AtCut:
    """What a player comes to where the cut card lies so many cards from the end.

    ``control``: the share of the variance of the gain a shoe that the known means take away.
    """

    cut_card: int
    rounds: int
    offers: int
    bets: int
    share_bet: Estimate
    average_edge: Estimate | None
    gain_a_shoe: Estimate
    gain_a_hundred_rounds: Estimate
    control: Fraction

    @property
    def gain_a_round(self) -> Estimate:
        """The same for a single round."""
        square, whole = self.gain_a_hundred_rounds.half_width_squared, self.gain_a_hundred_rounds.value
        a_round = Estimate(value=whole / 100, half_width_squared=None if square is None else square / 10**4)
        return a_round.between(self.gain_a_hundred_rounds.least, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class AtDepth:
    """What a player comes to in the rounds with so many cards unseen, from least to most."""

    FIGURES: ClassVar = ("share_bet", "average_edge", "gain_a_hundred_rounds")

    least: int
    most: int
    rounds: int
    bets: int
    gain: Fraction

    @property
    def share_bet(self) -> Fraction:
        """In which share of these rounds a unit is bet."""
        return Fraction(self.bets, self.rounds)

    @property
    def average_edge(self) -> Fraction | None:
        """What a unit is worth when it is bet; None: it never is."""
        return self.gain / self.bets if self.bets else None

    @property
    def gain_a_hundred_rounds(self) -> Fraction:
        """What a hundred of these rounds bring."""
        return 100 * self.gain_a_round

    @property
    def gain_a_round(self) -> Fraction:
        """What one of these rounds brings."""
        return self.gain / self.rounds


@dataclass(frozen=True, kw_only=True)
class PlayerResult:
    """What one player comes to. ``deepest_cut``: the deepest position within the limit; None: none is, or none is asked."""

    wager: str
    player: str
    cuts: tuple[AtCut, ...]
    depths: tuple[AtDepth, ...]
    deepest_cut: int | None
    desirability_squared: Fraction | None

    @property
    def here(self) -> AtCut:
        """Where the cut card lies."""
        return self.cuts[0]


@dataclass(frozen=True, kw_only=True)
class StudyResults:
    """Everything that is said of a study."""

    fresh: tuple[Fresh, ...]
    players: tuple[PlayerResult, ...]
    limit: Fraction | None

    def of(self, wager: str) -> list[PlayerResult]:
        """What each player on a wager comes to."""
        return [result for result in self.players if result.wager == wager]


def results(game: Game, study: Study, sums: Sums, limit: Fraction | None) -> StudyResults:
    """Everything that follows from the sums of a study."""
    fresh = fresh_wagers(game, study)
    asked = {
        wager.id: _Wagered(study, sums, number, wager)
        for number, wager in enumerate(wagers(game, study.bets))
    }
    means = {one.id: one for one in fresh}
    players = []
    for number, player in enumerate(study.players):
        wager = asked[player.wager]
        players.append(_Betting(study, sums, number, player, wager, means[player.wager]).result(limit))
    return StudyResults(fresh=fresh, players=tuple(players), limit=limit)


def fresh_wagers(game: Game, study: Study) -> tuple[Fresh, ...]:
    """Every wager on the fresh shoe, exactly."""
    analysis = analyze(game, study.shoe)
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
    """A unit at every offer: its mean a round, and the variance of one such unit."""
    offered = sum((one.probability for one in states), ZERO)
    mean = sum(
        (one.probability * one.expected_value for one in states if one.expected_value is not None), ZERO
    )
    square = sum(
        (
            one.probability * (one.variance + one.expected_value**2)
            for one in states
            if one.variance is not None and one.expected_value is not None
        ),
        ZERO,
    )
    variance = square / offered - (mean / offered) ** 2 if offered else ZERO
    return Fresh(id=insured, expected_value=mean, variance=variance)


@dataclass(frozen=True)
class _Wagered:
    """A wager's share of the sums: its column, and its numerators over one denominator."""

    study: Study
    sums: Sums
    number: int
    wager: Wager

    @cached_property
    def weights(self) -> Mapping[int, int]:
        """By cards unseen, what a numerator is multiplied by, so that all stand over ``whole``."""
        return {unseen: self.whole // self.wager.denominator(unseen) for unseen in self._depths}

    @cached_property
    def whole(self) -> int:
        """A denominator of every expected value of the wager."""
        return lcm(*(self.wager.denominator(unseen) for unseen in self._depths))

    @cached_property
    def _depths(self) -> set[int]:
        return {unseen for rows in (self.sums.rounds, self.sums.marks) for _, unseen in rows}

    @cached_property
    def at_marks(self) -> list[Fraction]:
        """For each position of the cut card, the expected values at the marks from there on, added up."""
        tops = [0] * (len(self.study.positions) + 1)
        for (position, unseen), row in self.sums.marks.items():
            tops[position] += row[1 + self.number] * self.weights[unseen]
        return from_there_on([Fraction(top, self.whole) for top in tops], self.study)


def from_there_on(values: Sequence[Fraction], study: Study) -> list[Fraction]:
    """For each position of the cut card, the values at the marks from there on, added up."""
    total, added = ZERO, list[Fraction]()
    for value in reversed(values):
        total += value
        added.append(total)
    added.reverse()
    return added[study.first_mark : study.first_mark + len(study.positions)]


@dataclass(frozen=True)
class _Betting:
    """A player's share of the sums."""

    study: Study
    sums: Sums
    number: int
    player: Player
    wagered: _Wagered
    fresh: Fresh

    @cached_property
    def _columns(self) -> tuple[int, int]:
        """Where units bet and their numerators stand in a row of rounds."""
        first = 1 + len(self.study.bets) + 2 * self.number
        return first, first + 1

    def result(self, limit: Fraction | None) -> PlayerResult:
        """What the player comes to."""
        bands = self._bands()
        cuts = tuple(self._at_cut(number, *bands[number]) for number in range(len(self.study.positions)))
        share, per_hundred = cuts[0].share_bet.value, cuts[0].gain_a_hundred_rounds.value
        desirability, variance = None, self._variance()
        if share > 0 and variance:
            sign = 1 if per_hundred >= 0 else -1
            desirability = sign * 100 * per_hundred**2 / (share * variance)
        return PlayerResult(
            wager=self.player.wager,
            player=self.player.name,
            cuts=cuts,
            depths=self._depths(),
            deepest_cut=None if limit is None else _deepest(cuts, limit),
            desirability_squared=desirability,
        )

    def _variance(self) -> Fraction | None:
        """The variance of the net result of a unit that is bet; None: none is."""
        bets, tops = self._columns
        squares = squares_at(self.study) + self.number
        number = total = square = 0
        for (band, unseen), row in self.sums.rounds.items():
            if band:
                number += row[bets]
                total += row[tops] * self.wagered.weights[unseen]
                square += row[squares] * self.wagered.weights[unseen]
        if not number:
            return None
        whole = number * self.wagered.whole
        return Fraction(square, whole * self.wagered.wager.unit) - Fraction(total, whole) ** 2

    def _bands(self) -> list[tuple[int, int, int, Fraction]]:
        """For each position of the cut card: rounds, offers, units bet, and their expected values added up."""
        bets, tops = self._columns
        sums = [[0, 0, 0, 0] for _ in range(len(self.study.positions) + 1)]
        for (band, unseen), row in self.sums.rounds.items():
            counted = (
                row[0],
                row[1 + self.wagered.number],
                row[bets],
                row[tops] * self.wagered.weights[unseen],
            )
            sums[band] = [have + more for have, more in zip(sums[band], counted, strict=True)]
        added, total = list[tuple[int, int, int, Fraction]](), [0, 0, 0, 0]
        for of_band in reversed(sums[1:]):
            total = [have + more for have, more in zip(total, of_band, strict=True)]
            added.append((total[0], total[1], total[2], Fraction(total[3], self.wagered.whole)))
        return added[::-1]

    def _at_cut(self, position: int, rounds: int, offers: int, bets: int, gain: Fraction) -> AtCut:
        moments = self._moments(position)
        shoes = self.sums.shoes
        exact = {ROUNDS: Fraction(rounds, shoes), BETS: Fraction(bets, shoes), GAIN: gain / shoes}

        def ratio(top: int, bottom: int, times: int = 1) -> Estimate:
            target = {top: Fraction(1), bottom: -exact[top] / exact[bottom]}
            return moments.estimate(target, exact[top] / exact[bottom], exact[bottom], times)[0]

        a_shoe, control = moments.estimate({GAIN: Fraction(1)}, exact[GAIN], Fraction(1), 1)
        least = ZERO if self.player.count is None else None  # perfect play bets where it gains
        return AtCut(
            cut_card=self.study.positions[position],
            rounds=rounds,
            offers=offers,
            bets=bets,
            share_bet=ratio(BETS, ROUNDS).between(ZERO, Fraction(1)),
            average_edge=moments.edge(ratio(GAIN, BETS)).between(least, None) if bets else None,
            gain_a_shoe=a_shoe.between(least, None),
            gain_a_hundred_rounds=ratio(GAIN, ROUNDS, 100).between(least, None),
            control=control,
        )

    def _moments(self, position: int) -> "_Moments":
        """The moments at a position, and how far the controls are from their known means."""
        marks = len(self.study.positions) - position - self.study.first_mark
        shoes, errors = self.sums.shoes, dict[int, Fraction]()
        if marks > 0:
            errors[VALUE] = self.wagered.at_marks[position] / shoes - marks * self.fresh.expected_value
            if self.player.count is not None:
                cards, tags = self.study.shoe.counts, self.player.count.tags.values
                mean = Fraction(
                    sum(n * tag for n, tag in zip(cards, tags, strict=True)), self.study.shoe.size
                )
                errors[VALUE + 1] = self._tags_at_marks[position] / shoes - marks * mean
        if shoes < SHOES_A_CONTROL * len(errors) + SHOES_AT_LEAST:
            errors = {}
        return _Moments(shoes, variables(self.player), self.sums.moments[self.number][position], errors)

    @cached_property
    def _tags_at_marks(self) -> list[Fraction]:
        """For each position of the cut card, the mean tags of the cards unseen at the marks, added up."""
        assert self.player.count is not None
        column = 1 + len(self.study.bets) + self.study.counts.index(self.player.count)
        values = [ZERO] * (len(self.study.positions) + 1)
        for (position, unseen), row in self.sums.marks.items():
            values[position] += Fraction(row[column], unseen)
        return from_there_on(values, self.study)

    def _depths(self) -> tuple[AtDepth, ...]:
        """The rounds by cards unseen, half a deck at a time."""
        bets, tops = self._columns
        step = 26 * -(-self.study.shoe.size // EIGHT_DECKS)
        sums: dict[int, list[int]] = {}
        for (_, unseen), row in self.sums.rounds.items():
            some = sums.setdefault((unseen - 1) // step, [0, 0, 0])
            counted = (row[0], row[bets], row[tops] * self.wagered.weights[unseen])
            sums[(unseen - 1) // step] = [have + more for have, more in zip(some, counted, strict=True)]
        return tuple(
            AtDepth(
                least=place * step + 1,
                most=min((place + 1) * step, self.study.shoe.size),
                rounds=sums[place][0],
                bets=sums[place][1],
                gain=Fraction(sums[place][2], self.wagered.whole),
            )
            for place in sorted(sums)
        )


def _deepest(cuts: Sequence[AtCut], limit: Fraction) -> int | None:
    """The deepest cut card from which on, and further from the end, the whole interval is within the limit.

    A position at which nothing was bet has no interval: it is never the answer, and is passed over.
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


Target = Mapping[int, Fraction]
"""A figure of a shoe as a sum of the variables of the moments, each times a number."""


@dataclass(frozen=True)
class _Moments:
    """Sums and sums of products over shoes, and by how much the means of the controls miss what is known of them."""

    shoes: int
    number: int
    row: Row
    errors: Mapping[int, Fraction]

    @cached_property
    def _places(self) -> dict[tuple[int, int], int]:
        return {pair: self.number + place for place, pair in enumerate(products(self.number))}

    def _covariance(self, one: int, two: int) -> Fraction:
        both = self.row[self._places[min(one, two), max(one, two)]]
        scale = 2 ** (SCALE * ((one >= GAIN) + (two >= GAIN)))
        return Fraction(
            both * self.shoes - self.row[one] * self.row[two], self.shoes * (self.shoes - 1) * scale
        )

    def _between(self, one: Target, two: Target) -> Fraction:
        return sum((a * b * self._covariance(i, j) for i, a in one.items() for j, b in two.items()), ZERO)

    def estimate(
        self, target: Target, value: Fraction, per: Fraction, times: int
    ) -> tuple[Estimate, Fraction]:
        """The value, corrected by the controls, with its interval; and the share of the variance that they take away.

        ``target``: the figure of a shoe whose mean errs as the value does, times ``per``.
        """
        if not self.row[BETS]:
            return Estimate(value=value * times, half_width_squared=None), ZERO
        factors = self._factors(target)
        for control, factor in factors.items():
            value -= factor * self.errors[control] / per
        rest = {**target, **{control: -factor for control, factor in factors.items()}}
        variance, left = self._between(target, target), self._between(rest, rest)
        free = self.shoes - 1 - len(factors)
        of_rest = left * (self.shoes - 1) / free
        width = reach(free) ** 2 * of_rest / self.shoes / per**2 * times**2
        taken_away = 1 - left / variance if variance else ZERO
        return Estimate(value=value * times, half_width_squared=width), taken_away

    def edge(self, estimate: Estimate) -> Estimate:
        """The average edge, without an interval where all bets are of one shoe: it differs from no other."""
        only_one = self.row[self._places[BETS, BETS]] == self.row[BETS] ** 2
        return replace(estimate, half_width_squared=None) if only_one else estimate

    def _factors(self, target: Target) -> dict[int, Fraction]:
        """How much of each control is taken off the target: least squares, rounded."""
        alone = {control: Fraction(1) for control in self.errors}
        units: list[Target] = [{control: one} for control, one in alone.items()]
        matrix = [[self._between(one, two) for two in units] for one in units]
        right = [self._between(one, target) for one in units]
        return {
            control: Fraction(round(factor * FINENESS), FINENESS)
            for control, factor in zip(self.errors, _solved(matrix, right), strict=True)
        }


def _solved(matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction]:
    """The least squares factors for one control or two; 0 for one that does not vary, or only as the first does."""
    if not matrix:
        return []
    if len(matrix) == 1:
        return [right[0] / matrix[0][0] if matrix[0][0] else ZERO]
    (a, b), (_, c) = matrix
    determinant = a * c - b * b
    if not determinant:
        return [right[0] / a, ZERO] if a else [ZERO, right[1] / c if c else ZERO]
    return [(right[0] * c - right[1] * b) / determinant, (a * right[1] - b * right[0]) / determinant]
