"""Bets on pairs alone: perfect play at any depth, without going through compositions.

With ``n_r`` cards of each rank left, let ``S`` be the sum of ``n_r (n_r - 1)``, ``D`` of their squares and
``T`` of ``n_r (n_r - 1)(n_r - 2)(n_r - 3)``. Of all ways to deal four cards, ``T`` make the same pair twice,
``S**2 - D`` two different ones, and ``S (N - 2)(N - 3)`` give a hand a pair. So the value of a bet on pairs
is a function of ``S`` and of a sum over the ranks, and their distribution is a convolution over the thirteen
ranks. For a bet on one hand's pair ``S`` alone decides: then the distribution is a row of lanes for each
number of cards.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb, lcm

from combinat.base.errors import InputError
from combinat.engine.distribution import falling
from combinat.engine.opening import first_four_of
from combinat.protection.betting import Betting
from combinat.protection.lanes import Lanes
from combinat.rules.bet import Bet
from combinat.rules.bounds import PAIR_STATES
from combinat.rules.cards import RANKS
from combinat.rules.outcome import FirstFour, Outcome, Result
from combinat.rules.shoe import Shoe

BY_RANK = {"player_pair", "banker_pair", "pairs"}
"""The facts about the first four cards in which ranks are compared with ranks."""


def looks_at_pairs_alone(bet: Bet) -> bool:
    """Return whether nothing decides the bet but the pairs, by rank, among the first four cards."""
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

    @property
    def is_of_one_pair(self) -> bool:
        """Whether ``S`` alone decides."""
        return not self.on_two and not self.on_twin

    def total(self, left: int, pairs: int, rest: int) -> int:
        """Return the bet with this number of cards left; ``rest``: the sum of ``of_rank`` over the ranks."""
        opening = self.always * falling(left, 4) + self.on_pair * pairs * falling(left - 2, 2)
        return opening + self.on_two * pairs**2 + rest

    def of_rank(self, cards: int) -> int:
        """The contribution of the cards of one rank besides their part of ``S``."""
        return self.on_twin * falling(cards, 4) - self.on_two * falling(cards, 2) ** 2


def weights(bet: Bet) -> Weights:
    """Return the bet's weights, from its net result on no pair, on one in either hand, on two, and on the same two."""
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


def pair_play(bet: Bet, shoe: Shoe, lefts: range) -> dict[int, Betting]:
    """Return perfect play of a bet on pairs, by the number of cards left."""
    of_bet = weights(bet)
    laws = _pairs(shoe, lefts) if of_bet.is_of_one_pair else _pairs_and_rest(shoe, lefts, of_bet)
    return {left: _perfect(shoe, left, of_bet, law) for left, law in laws}


def _perfect(shoe: Shoe, left: int, of_bet: Weights, law: "PairLaw") -> Betting:
    favourable = gained = 0
    for (pairs, rest), ways in law:
        value = of_bet.total(left, pairs, rest)
        if value > 0:
            favourable += ways
            gained += ways * value
    every = comb(shoe.size, left)
    return Betting(
        chance=Fraction(favourable, every),
        gain=Fraction(gained, every * of_bet.unit * falling(left, 4)),
    )


PairLaw = Iterable[tuple[tuple[int, int], int]]
"""``S`` and the rest, with the number of ways to leave such cards."""


def _few(held: int, cards: int, to_come: int, lefts: range) -> range:
    """Return the numbers of cards of a rank that may be left, with these cards left of the ranks before it."""
    return range(max(0, lefts[0] - cards - to_come), min(held, lefts[-1] - cards) + 1)


def _pairs(shoe: Shoe, lefts: range) -> Iterator[tuple[int, PairLaw]]:
    """Yield the law of ``S`` alone: for each number of cards a row, its lane the number of pairs they make."""
    lanes = Lanes.up_to(max(comb(shoe.size, left) for left in lefts))
    rows, to_come = {0: 1}, shoe.size
    for held in shoe.counts:
        to_come -= held
        longer: dict[int, int] = {}
        for cards, row in rows.items():
            for few in _few(held, cards, to_come, lefts):
                moved = lanes.shifted(row * comb(held, few), comb(few, 2))
                longer[cards + few] = longer.get(cards + few, 0) + moved
        rows = longer
    for left in lefts:
        yield left, (((2 * pairs, 0), ways) for pairs, ways in lanes.counts(rows[left]))


def _pairs_and_rest(shoe: Shoe, lefts: range, of_bet: Weights) -> Iterator[tuple[int, PairLaw]]:
    """Yield the law of ``S`` and the rest together, state by state."""
    states: dict[int, dict[tuple[int, int], int]] = {0: {(0, 0): 1}}
    to_come = shoe.size
    for held in shoe.counts:
        to_come -= held
        longer: dict[int, dict[tuple[int, int], int]] = {}
        for cards, law in states.items():
            for few in _few(held, cards, to_come, lefts):
                ways, more, rest = comb(held, few), falling(few, 2), of_bet.of_rank(few)
                here = longer.setdefault(cards + few, {})
                for (pairs, sum_of_rest), before in law.items():
                    key = pairs + more, sum_of_rest + rest
                    here[key] = here.get(key, 0) + before * ways
        states = longer
        if sum(map(len, states.values())) > PAIR_STATES:
            raise InputError(
                f"{lefts[-1]} cards left have more than {PAIR_STATES} sets of pairs to tell apart; write fewer cards"
            )
    yield from ((left, states[left].items()) for left in lefts)
