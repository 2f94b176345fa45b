"""Perfect play at a depth: a unit bet only where the composition left favours the player.

Over every composition of this number of cards, each with its exact chance: the mean of the expected value, which is
that of the whole shoe; how often it favours the player; and what betting only then gains a round. Nobody who
knows no more than the cards gone can gain more in the round dealt there.

Bets on pairs alone need no compositions. With ``n_r`` cards of each rank left, let ``S`` be the sum of
``n_r (n_r - 1)``, ``D`` of their squares and ``T`` of ``n_r (n_r - 1)(n_r - 2)(n_r - 3)``. Of all ways to deal four
cards, ``T`` make the same pair twice, ``S**2 - D`` two different ones, and ``S (N - 2)(N - 3)`` give a hand a pair. So
the value of a bet on pairs is a function of ``S`` and of a sum over the ranks, and their law is a convolution over the
thirteen ranks. For a bet on one hand's pair ``S`` alone decides: then the law is a row of lanes for each number of
cards, at any depth.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, lcm

import msgspec
import numpy as np

from combinat.analysis.evaluate import evaluate
from combinat.base.errors import InputError
from combinat.engine.distribution import falling
from combinat.engine.opening import first_four_of
from combinat.engine.walk import MOST_CARDS
from combinat.protection.compositions import (
    TENS,
    Kind,
    blocks,
    compositions,
    kinds_by_every_rank,
    kinds_by_points,
    kinds_by_rank,
    weighted_sums,
)
from combinat.protection.lanes import Lanes
from combinat.rules.bet import Bet
from combinat.rules.bounds import COMPOSITIONS, COUNTED_CARDS, PAIR_STATES
from combinat.rules.cards import RANKS
from combinat.rules.game import Game
from combinat.rules.outcome import FirstFour, Outcome, Result
from combinat.rules.shoe import Shoe

Advance = Callable[[int], None]
"""What is called with the number of compositions that were gone through since the last call."""


@dataclass(frozen=True, kw_only=True)
class PerfectBet:
    """A bet at a depth: its mean, how often it favours the player, and the gain of betting only then."""

    bet: str
    mean: Fraction
    favourable: Fraction
    gain: Fraction

    @property
    def edge(self) -> Fraction | None:
        """The player's average edge where the bet is made; None: it never is."""
        return self.gain / self.favourable if self.favourable else None


@dataclass(frozen=True, kw_only=True)
class PerfectPlay:
    """Bets at a depth of a shoe. ``compositions``: how many there are, by points."""

    left: int
    compositions: int
    bets: tuple[PerfectBet, ...]


def check_left(size: int, left: int) -> None:
    """Refuse a depth at which no whole round can be dealt, or which the shoe does not have."""
    if left < MOST_CARDS:
        raise InputError(
            f"found {left} cards left; a round may need {MOST_CARDS}: write {MOST_CARDS} or more"
        )
    if left > size:
        raise InputError(f"found {left} cards left; the shoe has {size}: write {size} or fewer")


def work(game: Game, shoe: Shoe, left: int, bets: Sequence[str]) -> int:
    """How many compositions ``perfect_play`` goes through, one by one; refused where they are too many."""
    check_left(shoe.size, left)
    levels = [(kinds, some) for kinds, some in _levels(game, shoe, left, bets) if kinds is not None and some]
    return sum(_checked_work(kinds, left, some) for kinds, some in levels)


def perfect_play(
    game: Game, shoe: Shoe, left: int, bets: Sequence[str], advance: Advance = lambda done: None
) -> PerfectPlay:
    """Perfect play of these bets with this number of cards left, over every composition."""
    check_left(shoe.size, left)
    results: dict[str, PerfectBet] = {}
    for kinds, some in _levels(game, shoe, left, bets):
        if not some:
            continue
        if kinds is None:
            results |= {bet.id: pair_play(bet, shoe, left) for bet in some}
        else:
            _checked_work(kinds, left, some)
            results |= _over_compositions(game, shoe, left, kinds, some, advance)
    return PerfectPlay(
        left=left,
        compositions=compositions(kinds_by_points(shoe, left), left),
        bets=tuple(results[bet] for bet in bets),
    )


def _levels(
    game: Game, shoe: Shoe, left: int, bets: Sequence[str]
) -> list[tuple[list[Kind] | None, list[Bet]]]:
    """The bets by what they look at: points; pairs alone (no kinds); both; the ranks of pairs."""
    wanted = [game.bet(bet) for bet in bets]
    by_points = [bet for bet in wanted if not bet.needs_ranks]
    by_pairs = [bet for bet in wanted if looks_at_pairs_alone(bet)]
    by_rank = [bet for bet in wanted if bet.looks_at_pair_ranks]
    joint = [bet for bet in wanted if bet not in by_points + by_pairs + by_rank]
    if shoe.size > COUNTED_CARDS:
        _check_large(shoe, left, [*by_points, *joint, *by_rank])
    return [
        (kinds_by_points(shoe, left) if by_points else [], by_points),
        (None, by_pairs),
        (kinds_by_rank(shoe, left) if joint else [], joint),
        (kinds_by_every_rank(shoe, left) if by_rank else [], by_rank),
    ]


def _check_large(shoe: Shoe, left: int, bets: Sequence[Bet]) -> None:
    """Refuse what is too much for certain, before the compositions of a large shoe are even counted.

    Their number grows up to half the shoe and falls again alike; and of no more cards than there are of any points,
    every split among the points is one.
    """
    held = [number for number in (*shoe.counts[: TENS[0]], sum(shoe.counts[TENS[0] :])) if number]
    few = min(left, shoe.size - left, *held)
    if bets and comb(few + len(held) - 1, few) > COMPOSITIONS:
        raise InputError(
            f"{left} cards left have more than {COMPOSITIONS} compositions for {', '.join(bet.id for bet in bets)}, "
            "and no more are gone through; write fewer cards, or ask for ceilings, which there are at every depth"
        )


def _checked_work(kinds: Sequence[Kind], left: int, bets: Sequence[Bet]) -> int:
    number = compositions(kinds, left)
    if number > COMPOSITIONS:
        names = ", ".join(bet.id for bet in bets)
        raise InputError(
            f"{left} cards left have {number} compositions for {names}, and at most {COMPOSITIONS} are gone "
            "through; write fewer cards, or ask for ceilings, which there are at every depth"
        )
    return number


def _over_compositions(
    game: Game, shoe: Shoe, left: int, kinds: Sequence[Kind], bets: Sequence[Bet], advance: Advance
) -> dict[str, PerfectBet]:
    asked = msgspec.structs.replace(game, bets=tuple(bets), insurance=())
    width = len(bets)
    sums, unit = [0] * (3 * width), 1
    for block in blocks(kinds, left):
        evaluation = evaluate(asked, block.counts)
        values = evaluation.numerators
        favourable = (values > 0).astype(values.dtype)
        columns = np.concatenate([values, favourable, np.maximum(values, 0)], axis=1)
        sums = [total + more for total, more in zip(sums, weighted_sums(block, columns), strict=True)]
        unit = evaluation.unit
        advance(len(columns))
    ways = comb(shoe.size, left)
    whole = ways * unit * falling(left, MOST_CARDS)
    return {
        bet.id: PerfectBet(
            bet=bet.id,
            mean=Fraction(sums[place], whole),
            favourable=Fraction(sums[place + width], ways),
            gain=Fraction(sums[place + 2 * width], whole),
        )
        for place, bet in enumerate(bets)
    }


# ---------------------------------------------------------------- bets on pairs

BY_RANK = {"player_pair", "banker_pair", "pairs"}
"""The facts about the first four cards in which ranks are compared with ranks."""


def looks_at_pairs_alone(bet: Bet) -> bool:
    """Whether nothing decides the bet but the pairs, by rank, among the first four cards."""
    facts = {fact for pay in bet.pays for fact in pay.named}
    return bool(facts) and facts <= BY_RANK


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """The net result of a bet on pairs over all ways to deal four cards, times ``unit``.

    It is ``always * (N)_4 + on_pair * S * (N-2)(N-3) + on_two * (S**2 - D) + on_twin * T``.
    """

    unit: int
    always: int
    on_pair: int
    on_two: int
    on_twin: int

    def total(self, left: int, pairs: int, rest: int) -> int:
        """The bet with this number of cards left; ``rest``: the sum of ``of_rank`` over the ranks."""
        opening = self.always * falling(left, 4) + self.on_pair * pairs * falling(left - 2, 2)
        return opening + self.on_two * pairs**2 + rest

    def of_rank(self, cards: int) -> int:
        """What the cards of one rank add beside their part of ``S``."""
        return self.on_twin * falling(cards, 4) - self.on_two * falling(cards, 2) ** 2


def weights(bet: Bet) -> Weights:
    """The bet's weights, from its net result on no pair, on one in either hand, on two, and on the same two."""
    ace, two = (RANKS[0], RANKS[0]), (RANKS[1], RANKS[1])
    unit = lcm(*(pay.odds.net.denominator for pay in bet.pays))

    def net(first_four: FirstFour) -> int:
        return int(bet.net(Outcome(Result(0, 0, 2, 2), first_four)) * unit)

    neither, either = net(first_four_of(None, None)), (first_four_of(ace, None), first_four_of(None, ace))
    one = sum(map(net, either))
    return Weights(
        unit=unit,
        always=neither,
        on_pair=one - 2 * neither,
        on_two=neither - one + net(first_four_of(ace, two)),
        on_twin=neither - one + net(first_four_of(ace, ace)),
    )


def pair_play(bet: Bet, shoe: Shoe, left: int) -> PerfectBet:
    """Perfect play of a bet on pairs with this number of cards left."""
    of_bet = weights(bet)
    simple = not of_bet.on_two and not of_bet.on_twin
    law = _pairs(shoe, left) if simple else _pairs_and_rest(shoe, left, of_bet)
    total = favourable = gained = 0
    for (pairs, rest), ways in law:
        value = of_bet.total(left, pairs, rest)
        total += ways * value
        if value > 0:
            favourable += ways
            gained += ways * value
    every = comb(shoe.size, left)
    whole = every * of_bet.unit * falling(left, 4)
    return PerfectBet(
        bet=bet.id,
        mean=Fraction(total, whole),
        favourable=Fraction(favourable, every),
        gain=Fraction(gained, whole),
    )


PairLaw = Iterator[tuple[tuple[int, int], int]]
"""``S`` and the rest, with the number of ways to leave such cards."""


def _pairs(shoe: Shoe, left: int) -> PairLaw:
    """The law of ``S`` alone: for each number of cards a row, its lane the number of pairs they make."""
    lanes = Lanes.up_to(comb(shoe.size, left))
    rows, to_come = {0: 1}, shoe.size
    for held in shoe.counts:
        to_come -= held
        longer: dict[int, int] = {}
        for cards, row in rows.items():
            for few in range(max(0, left - cards - to_come), min(held, left - cards) + 1):
                moved = lanes.shifted(row * comb(held, few), comb(few, 2))
                longer[cards + few] = longer.get(cards + few, 0) + moved
        rows = longer
    for pairs, ways in lanes.counts(rows[left]):
        yield (2 * pairs, 0), ways


def _pairs_and_rest(shoe: Shoe, left: int, of_bet: Weights) -> PairLaw:
    """The law of ``S`` and the rest together, state by state."""
    states: dict[int, dict[tuple[int, int], int]] = {0: {(0, 0): 1}}
    to_come = shoe.size
    for held in shoe.counts:
        to_come -= held
        longer: dict[int, dict[tuple[int, int], int]] = {}
        for cards, law in states.items():
            for few in range(max(0, left - cards - to_come), min(held, left - cards) + 1):
                ways, more, rest = comb(held, few), falling(few, 2), of_bet.of_rank(few)
                here = longer.setdefault(cards + few, {})
                for (pairs, sum_of_rest), before in law.items():
                    key = pairs + more, sum_of_rest + rest
                    here[key] = here.get(key, 0) + before * ways
        states = longer
        if sum(map(len, states.values())) > PAIR_STATES:
            raise InputError(
                f"{left} cards left have more than {PAIR_STATES} sets of pairs to tell apart; write fewer cards"
            )
    yield from states[left].items()
