"""The most that a full layout can cost the House in one round when players also insure, within the limits on insurance.

For every course the players take the insurance that wins on it. What they can win with the bets on the hands and that
insurance is a linear program: the stakes are the variables, every limit is one inequality. It is solved exactly.
All positions have the same limits, so that none of them can win more than the mean of the best stakes.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations

from combinat.analysis.insurance import moments
from combinat.engine.distribution import Course, Distribution, result, told_result
from combinat.rules.bet import Bet
from combinat.rules.game import Game
from combinat.rules.insurance import Base, Insured, Limit, Offer, Per, State
from combinat.rules.insurance_limits import in_force
from combinat.rules.outcome import Outcome
from combinat.rules.practice import DifferentialOf, InsuredHand
from combinat.rules.table_of_play import Hand
from combinat.table.exposure_ceiling import InsuredCeiling, Limits
from combinat.table.simplex import Inequality, largest

ZERO, ONE = Fraction(0), Fraction(1)

Winning = tuple[tuple[Insured, Offer], ...]
"""The insurance that wins in a round, each bet with its line."""


def insured_ceiling(
    game: Game, layout: str, limits: Limits, distribution: Distribution
) -> InsuredCeiling | None:
    """The most that the layout can cost with insurance; None: the game offers none on this layout."""
    bets = game.bets_on(layout)
    hands = {hand: bet for hand in Hand if (bet := game.bet_on(hand)) is not None and bet in bets}
    if game.insurance_terms is None or not game.offers or not hands:
        return None
    on_hands = cache(lambda nets, winning: _on_hands(game, hands, limits, dict(nets), winning))
    side = [bet for bet in bets if bet not in hands.values()]
    most = InsuredCeiling(loss=ZERO, stakes={}, insurance={})
    for outcome, course in _finished(distribution.telling_for(bets), bets):
        nets = tuple((hand, bet.net(outcome)) for hand, bet in hands.items())
        found = on_hands(nets, _winning(game, course))
        won = {bet.id: bet.net(outcome) for bet in side if bet.net(outcome) > 0}
        loss = sum((net * limits.bets[bet] * limits.positions for bet, net in won.items()), ZERO)
        if found is None:
            return InsuredCeiling(loss=None, stakes={}, insurance={})
        gain, stakes, insurance = found
        if most.loss is not None and loss + gain > most.loss:
            on_side = {bet: limits.bets[bet] * limits.positions for bet in won}
            most = InsuredCeiling(loss=loss + gain, stakes={**stakes, **on_side}, insurance=insurance)
    return most


def _finished(distribution: Distribution, bets: Sequence[Bet]) -> Iterator[tuple[Outcome, Course]]:
    """Every course that comes to an end, with its outcome."""
    result_of = told_result if any(bet.looks_at_thirds for bet in bets) else result
    for first_four, courses in distribution.courses.items():
        for course in courses:
            if not course.is_void:
                yield Outcome(result_of(course), first_four), course


def _winning(game: Game, course: Course) -> Winning:
    """The insurance that is open in this course and wins on it."""
    assert game.insurance_terms is not None, "looked at before"
    ended = result(course)
    return tuple(
        (Insured(hand, moment.stage), offer)
        for moment in moments(course, game.insurance_terms.open)
        for hand in Hand
        if (offer := game.offers.get(State(hand, *moment))) is not None and offer.net(hand, ended) > 0
    )


Found = tuple[Fraction, dict[str, Fraction], dict[str, Fraction]]
"""What bets on the hands and insurance win together, their stakes, and the stakes on insurance."""


def _on_hands(
    game: Game, hands: Mapping[Hand, Bet], limits: Limits, nets: Mapping[Hand, Fraction], winning: Winning
) -> Found | None:
    """The most that the bets on the hands and their insurance can win; None: there is no most.

    A limit holds only for insurance that is taken: so every choice of it is looked at by itself.
    """
    best: Found = (ZERO, {}, {})
    for staked in ((*hands,), *((hand,) for hand in hands if len(hands) > 1)):
        insurable = [(one, base) for one in winning if (base := _base(game, one[0].hand, staked)) is not None]
        for count in range(len(insurable) + 1):
            for taken in combinations(insurable, count):
                found = _program(game, hands, limits, nets, staked, taken)
                if found is None:
                    return None
                best = max(best, found, key=lambda one: one[0])
    return best


def _base(game: Game, hand: Hand, staked: Sequence[Hand]) -> Hand | None:
    """The hand on which the original bet of an insurance bet lies; None: without one there is no insurance."""
    if hand in staked:
        return hand
    return hand.other if game.practice.insured_hand is InsuredHand.EITHER and hand.other in staked else None


def _program(
    game: Game,
    hands: Mapping[Hand, Bet],
    limits: Limits,
    nets: Mapping[Hand, Fraction],
    staked: Sequence[Hand],
    taken: Sequence[tuple[tuple[Insured, Offer], Hand]],
) -> Found | None:
    names = [*(hands[hand].id for hand in staked), *(str(insured) for (insured, _), _ in taken)]
    gains = [*(nets[hand] for hand in staked), *(offer.odds.net for (_, offer), _ in taken)]
    solved = largest(gains, list(_inequalities(game, hands, limits, staked, taken)))
    if solved is None:
        return None
    stakes = dict(zip(names, solved, strict=True))
    ids = [hands[hand].id for hand in staked]
    return (
        sum((gain * stake for gain, stake in zip(gains, solved, strict=True)), ZERO),
        {name: stake for name, stake in stakes.items() if name in ids and stake},
        {name: stake for name, stake in stakes.items() if name not in ids and stake},
    )


def _inequalities(
    game: Game,
    hands: Mapping[Hand, Bet],
    limits: Limits,
    staked: Sequence[Hand],
    taken: Sequence[tuple[tuple[Insured, Offer], Hand]],
) -> Iterator[Inequality]:
    """Every limit on the stakes of all positions together: first the hands, then the insurance."""
    width = len(staked) + len(taken)

    def row(parts: Mapping[int, Fraction], most: Fraction) -> Inequality:
        return [parts.get(number, ZERO) for number in range(width)], most

    for number, hand in enumerate(staked):
        if hands[hand].id in limits.bets:
            yield row({number: ONE}, limits.bets[hands[hand].id] * limits.positions)
    if limits.differential is not None:
        by_box = game.practice.differential is DifferentialOf.BOX
        most = limits.differential * (limits.positions if by_box else 1)
        for number in range(len(staked)):
            yield row({other: ONE if other == number else -ONE for other in range(len(staked))}, most)
    assert game.insurance_terms is not None, "looked at before"
    for limit in in_force(game.insurance_terms.limits):
        for (insured, offer), base in taken:
            if not limit.applies_to(offer.odds):
                continue
            parts = {
                other: limit.amount(ONE, one.odds)
                for other, ((its, one), _) in enumerate(taken, start=len(staked))
                if limit.applies_to(one.odds) and _adds_up(limit, insured, its)
            }
            original = ONE / limits.positions if limit.per is Per.TABLE else ONE
            if limit.of is Base.ORIGINAL_BET:
                yield row({**parts, staked.index(base): -limit.share.part * original}, ZERO)
            elif (most_of := _of_the_table(limit, hands[base], limits)) is not None:
                yield row(parts, limit.share.part * most_of * original * limits.positions)


def _adds_up(limit: Limit, insured: Insured, other: Insured) -> bool:
    """Whether a limit on an insurance bet counts another one with it."""
    match limit.per:
        case Per.OFFER | Per.TABLE:
            return other == insured
        case Per.ROUND:
            return other.hand is insured.hand
        case Per.BOTH_HANDS:
            return True


def _of_the_table(limit: Limit, original: Bet, limits: Limits) -> Fraction | None:
    """The maximum of the table that a limit is a share of; None: none is given, and nothing is capped by it."""
    return limits.bets.get(original.id) if limit.of is Base.TABLE_MAXIMUM else limits.differential
