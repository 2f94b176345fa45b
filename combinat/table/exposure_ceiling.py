"""The most that a full layout can cost the House in one round within its limits, and the stakes that cost it.

For every outcome the players choose the stakes that win most on it. On each side bet that wins, that is its
limit at every position. On the hands, and on the insurance that wins, it is a linear program: the stakes are
the variables, every limit is an inequality. It is solved exactly. All positions have the same limits, so no
position can win more than the mean of the best stakes. Stakes on side bets that lose would only help the
House.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import NamedTuple

from combinat.analysis.bets import void_nets
from combinat.analysis.insurance import moments
from combinat.analysis.insurance_limits import in_force
from combinat.base.errors import InputError
from combinat.engine.distribution import Distribution
from combinat.rules.bet import Bet
from combinat.rules.deal_space import Course, result, result_with_thirds
from combinat.rules.game import Game
from combinat.rules.insurance import Base, Insured, Limit, Offer, Per, State
from combinat.rules.outcome import Outcome
from combinat.rules.table_of_play import Hand
from combinat.table.gaming_table import DisplayedLimits

ZERO, ONE = Fraction(0), Fraction(1)

Stakes = Mapping[str, Fraction]
"""The stakes of all positions together, by bet."""


class CostlyStakes(NamedTuple):
    """The cost of a round, and the stakes on bets and on insurance that cause it.

    ``loss`` is None if unbounded.
    """

    loss: Fraction | None
    stakes: Stakes
    insurance: Stakes


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutCeiling:
    """The most that a round can cost with this number of positions at these limits.

    ``choices``: the stakes with which a round costs this, each for other rounds. ``insured``: the same with
    insurance; None if no insurance is offered.
    """

    positions: int
    limits: DisplayedLimits
    loss: Fraction
    choices: tuple[Stakes, ...]
    insured: CostlyStakes | None

    @property
    def with_insurance(self) -> Fraction | None:
        """The most that a round can cost, insurance included; None if unbounded."""
        if self.insured is None:
            return self.loss
        return None if self.insured.loss is None else max(self.loss, self.insured.loss)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layout:
    """A full layout: its bets, and the most that all positions together may stake on each.

    ``hands``: the bets on the hands. ``differential``: the most by which they may differ; None if unlimited.
    """

    game: Game
    positions: int
    limits: DisplayedLimits
    bets: tuple[Bet, ...]
    hands: Mapping[Hand, Bet]
    most: Stakes
    differential: Fraction | None

    @property
    def side_bets(self) -> list[Bet]:
        return [bet for bet in self.bets if bet not in self.hands.values()]


def ceiling(
    game: Game, layout: str, positions: int, limits: DisplayedLimits, distribution: Distribution
) -> LayoutCeiling:
    """Return the most that the layout can cost in one round on the shoe of this distribution."""
    full = _full_layout(game, layout, positions, limits)
    without = _costliest(full, ((nets, ()) for nets in _nets(game, full.bets, distribution)))
    if without is None:
        raise InputError(
            f"{' and '.join(bet.id for bet in full.hands.values())} together can pay more than they take, so that "
            "the Differential does not bound them; give each a limit of its own"
        )
    insured: CostlyStakes | None = None
    if game.insurance_terms is not None and game.offers and full.hands:
        found = _costliest(full, _with_insurance(full, distribution.detailed_for(full.bets)))
        nothing = CostlyStakes(None if found is None else ZERO, {}, {})
        insured = found[0] if found else nothing
    return LayoutCeiling(
        positions=positions,
        limits=limits,
        loss=without[0].loss or ZERO if without else ZERO,
        choices=tuple(choice.stakes for choice in without),
        insured=insured,
    )


def _costliest(
    full: "_Layout", rounds: "Iterable[tuple[tuple[Fraction, ...], Winning]]"
) -> list[CostlyStakes] | None:
    """Return every choice of stakes with the largest cost.

    Empty if nothing costs anything, None if unbounded. ``rounds``: for each kind of round the net results of
    the bets, and the insurance that wins.
    """
    on_hands = cache(lambda nets, winning: _on_hands(full, dict(nets), winning))
    most, choices = ZERO, list[CostlyStakes]()
    for all_nets, winning in dict.fromkeys(rounds):
        nets = {bet.id: net for bet, net in zip(full.bets, all_nets, strict=True)}
        found = on_hands(tuple((hand, nets[bet.id]) for hand, bet in full.hands.items()), winning)
        if found is None:
            return None
        side = {bet.id: full.most[bet.id] for bet in full.side_bets if nets[bet.id] > 0}
        loss = (found.loss or ZERO) + sum((nets[bet] * stake for bet, stake in side.items()), ZERO)
        if loss > most:
            most, choices = loss, []
        choice = CostlyStakes(loss, {**side, **found.stakes}, found.insurance)
        if loss and loss == most and choice not in choices:
            choices.append(choice)
    return choices


def _full_layout(game: Game, layout: str, positions: int, limits: DisplayedLimits) -> _Layout:
    """Return the full layout at its limits; refuse a layout on which a bet has no limit."""
    bets = game.bets_on(layout)
    hands = {hand: bet for hand in Hand if (bet := game.bet_on(hand)) is not None and bet in bets}
    each = {bet.id: limits.most(game, bet.id) for bet in bets}
    most = {bet: amount * positions for bet, amount in each.items() if amount is not None}
    differential = limits.maximum_differential
    bounded = [] if differential is None else [bet.id for bet in hands.values()]
    missing = [bet for bet in each if bet not in most and bet not in bounded]
    if missing:
        raise InputError(f"no limit is given for {', '.join(missing)}; without one their cost has no bound")
    if differential is not None and game.practice.differential == "box":
        differential *= positions
    return _Layout(
        game=game,
        positions=positions,
        limits=limits,
        bets=bets,
        hands=hands,
        most=most,
        differential=differential,
    )


def _nets(game: Game, bets: tuple[Bet, ...], distribution: Distribution) -> Iterator[tuple[Fraction, ...]]:
    """Return every combination of net results that a round can have, the most likely outcomes first."""
    by_ways = sorted(distribution.detailed_for(bets).outcomes.items(), key=lambda counted: -counted[1])
    for outcome, _ in by_ways:
        yield tuple(bet.net(outcome) for bet in bets)
    yield from void_nets(game, bets, distribution)


# ---------------------------------------------------------------- with insurance

Winning = tuple[tuple[Insured, Offer], ...]
"""The insurance that wins in a round, each bet with its line."""


def _with_insurance(
    full: _Layout, distribution: Distribution
) -> Iterator[tuple[tuple[Fraction, ...], Winning]]:
    """Return the net results of the bets and the insurance that wins, for every finished course."""
    result_of = result_with_thirds if any(bet.looks_at_thirds for bet in full.bets) else result
    for first_four, courses in distribution.courses.items():
        for course in courses:
            if not course.is_void:
                outcome = Outcome(result_of(course), first_four)
                yield tuple(bet.net(outcome) for bet in full.bets), _winning(full.game, course)


def _winning(game: Game, course: Course) -> Winning:
    """Return the insurance that is open in this course and wins on it."""
    assert game.insurance_terms is not None, "checked before"
    ended = result(course)
    return tuple(
        (Insured(hand, moment.stage), offer)
        for moment in moments(course, game.insurance_terms.open)
        for hand in Hand
        if (offer := game.offers.get(State(hand, *moment))) is not None and offer.net(hand, ended) > 0
    )


# ---------------------------------------------------------------- the linear program


class _OpenInsurance(NamedTuple):
    """An insurance bet that is taken; ``base``: the hand whose bet limits it."""

    insured: Insured
    offer: Offer
    base: Hand


def _on_hands(full: _Layout, nets: Mapping[Hand, Fraction], winning: Winning) -> CostlyStakes | None:
    """Return the most that the bets on the hands and their insurance can win, or None if unbounded.

    A limit applies only to insurance that is taken, so every choice of insurance is tried separately.
    """
    best = CostlyStakes(ZERO, {}, {})
    for staked in ((*full.hands,), *((hand,) for hand in full.hands if len(full.hands) > 1)):
        insurable = [
            _OpenInsurance(insured, offer, base)
            for insured, offer in winning
            if (base := _base(full.game, insured.hand, staked)) is not None
        ]
        for count in range(len(insurable) + 1):
            for taken in combinations(insurable, count):
                found = _solved(full, nets, staked, taken)
                if found is None:
                    return None
                best = max(best, found, key=lambda one: one.loss or ZERO)
    return best


def _base(game: Game, hand: Hand, staked: Sequence[Hand]) -> Hand | None:
    """Return the hand whose bet an insurance bet insures, or None."""
    if hand in staked:
        return hand
    return hand.other if game.practice.insured_hand == "either" and hand.other in staked else None


def _solved(
    full: _Layout, nets: Mapping[Hand, Fraction], staked: Sequence[Hand], taken: Sequence[_OpenInsurance]
) -> CostlyStakes | None:
    """Return the best stakes on these hands and on this insurance, or None if unbounded."""
    gains = [*(nets[hand] for hand in staked), *(one.offer.odds.net for one in taken)]
    solved = largest(gains, list(_inequalities(full, staked, taken)))
    if solved is None:
        return None
    on_hands = zip((full.hands[hand].id for hand in staked), solved, strict=False)
    on_insurance = zip((str(one.insured) for one in taken), solved[len(staked) :], strict=True)
    return CostlyStakes(
        sum((gain * stake for gain, stake in zip(gains, solved, strict=True)), ZERO),
        {bet: stake for bet, stake in on_hands if stake},
        {bet: stake for bet, stake in on_insurance if stake},
    )


Inequality = tuple[Sequence[Fraction], Fraction]
"""A linear constraint: the weighted sum of the variables is at most the bound, which is 0 or more."""


def largest(gains: Sequence[Fraction], inequalities: Sequence[Inequality]) -> list[Fraction] | None:
    """Return the nonnegative variables with the largest gain within the inequalities, or None if unbounded.

    The simplex method on fractions, with Bland's rule, so that it always terminates.

    >>> one, two = Fraction(1), Fraction(2)
    >>> largest([one, two], [([one, one], Fraction(4)), ([one, two], Fraction(6)), ([one, Fraction(0)], Fraction(3))])
    [Fraction(2, 1), Fraction(2, 1)]
    >>> largest([one], [])
    """
    width, height = len(gains), len(inequalities)
    rows = [
        [*parts, *(Fraction(number == slack) for slack in range(height)), most]
        for number, (parts, most) in enumerate(inequalities)
    ]
    costs = [*(-gain for gain in gains), *[Fraction(0)] * (height + 1)]
    basis = [width + number for number in range(height)]
    while (column := next((at for at, cost in enumerate(costs[:-1]) if cost < 0), None)) is not None:
        ratios = [(row[-1] / row[column], basis[at], at) for at, row in enumerate(rows) if row[column] > 0]
        if not ratios:
            return None
        _, _, pivot = min(ratios)
        scale = rows[pivot][column]
        rows[pivot] = [value / scale for value in rows[pivot]]
        for at, row in enumerate(rows):
            if at != pivot and row[column]:
                rows[at] = [value - row[column] * of for value, of in zip(row, rows[pivot], strict=True)]
        costs = [value - costs[column] * of for value, of in zip(costs, rows[pivot], strict=True)]
        basis[pivot] = column
    values = dict(zip(basis, (row[-1] for row in rows), strict=True))
    return [values.get(number, Fraction(0)) for number in range(width)]


def _inequalities(
    full: _Layout, staked: Sequence[Hand], taken: Sequence[_OpenInsurance]
) -> Iterator[Inequality]:
    """Return every limit on the stakes of all positions together: first the hands, then the insurance."""
    width = len(staked) + len(taken)

    def row(parts: Mapping[int, Fraction], most: Fraction) -> Inequality:
        return [parts.get(number, ZERO) for number in range(width)], most

    for number, hand in enumerate(staked):
        if full.hands[hand].id in full.most:
            yield row({number: ONE}, full.most[full.hands[hand].id])
    if full.differential is not None:
        for number in range(len(staked)):
            yield row(
                {other: ONE if other == number else -ONE for other in range(len(staked))}, full.differential
            )
    terms = full.game.insurance_terms
    for limit in in_force(terms.limits) if terms is not None else ():
        for one in taken:
            if not limit.applies_to(one.offer.odds):
                continue
            parts = {
                number: limit.amount(ONE, other.offer.odds)
                for number, other in enumerate(taken, start=len(staked))
                if limit.applies_to(other.offer.odds) and _adds_up(limit, one.insured, other.insured)
            }
            share = limit.share.part / (full.positions if limit.per is Per.TABLE else 1)
            if limit.of is Base.ORIGINAL_BET:
                yield row({**parts, staked.index(one.base): -share}, ZERO)
            elif (most := _of_the_table(full, limit, one.base)) is not None:
                yield row(parts, share * most)


def _adds_up(limit: Limit, insured: Insured, other: Insured) -> bool:
    """Whether a limit on an insurance bet adds up another insurance bet with it."""
    match limit.per:
        case Per.OFFER | Per.TABLE:
            return other == insured
        case Per.ROUND:
            return other.hand is insured.hand
        case Per.BOTH_HANDS:
            return True


def _of_the_table(full: _Layout, limit: Limit, base: Hand) -> Fraction | None:
    """Return the table maximum that a limit is a share of, for all positions, or None if it is not stated."""
    if limit.of is Base.TABLE_MAXIMUM:
        return full.most.get(full.hands[base].id)
    most = full.limits.maximum_differential
    return None if most is None else most * full.positions
