"""What a round can still come to, and which bets that decides.

A bet is decided when every way in which the round can still go brings it the same result: it has conclusively won
(at whatever odds), conclusively lost, or comes back.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from itertools import product

from combinat.rules.bet import RETURNED, Bet, results_from
from combinat.rules.cards import RANKS, Rank, point_total
from combinat.rules.outcome import FirstFour, Outcome, Result
from combinat.rules.round import Round


class BetResult(StrEnum):
    """What becomes of a bet."""

    WON = "won"
    LOST = "lost"
    RETURNED = "returned"

    @classmethod
    def of(cls, net: Fraction) -> "BetResult":
        """What a net result per unit staked is called."""
        return cls.RETURNED if net == RETURNED else cls.WON if net > RETURNED else cls.LOST


def common_result(nets: Iterable[Fraction]) -> BetResult | None:
    """The result that all these nets are; None: they differ.

    >>> common_result([Fraction(12), Fraction(20)]), common_result([Fraction(12), Fraction(-1)])
    (<BetResult.WON: 'won'>, None)
    """
    results = {BetResult.of(net) for net in nets}
    return results.pop() if len(results) == 1 else None


def is_outcome(result: BetResult | None) -> bool:
    """Whether a bet with this result has conclusively won or lost; one that comes back has done neither."""
    return result in (BetResult.WON, BetResult.LOST)


def _hands(known: Sequence[Rank]) -> list[tuple[Rank, ...]]:
    """A hand with two cards or more for each way in which one can be completed, as far as outcomes tell them apart.

    Two cards that are worth the same may match or be a pair; of all others the total alone matters.
    """
    alike: dict[tuple[int, tuple[Rank, ...]], tuple[Rank, ...]] = {}
    for drawn in product(RANKS, repeat=2 - min(len(known), 2)):
        hand = (*known, *drawn)
        first, second = hand[:2]
        match = hand[:2] if first.points == second.points else ()
        alike[point_total((first.points, second.points)), match] = hand
    return list(alike.values())


@lru_cache(maxsize=64)
def possible_outcomes(
    dealt: Round, thirds: bool = False, pair_ranks: bool = False
) -> Mapping[FirstFour, frozenset[Result]]:
    """Every outcome to which a round can still come, were there cards of every rank: results by the first four cards."""
    openings: dict[FirstFour, set[tuple[tuple[int, ...], tuple[int, ...]]]] = {}
    for player, banker in product(_hands(dealt.player), _hands(dealt.banker)):
        points = _points(player), _points(banker)
        first_four = FirstFour.of(player[:2], banker[:2], by_rank=pair_ranks)
        openings.setdefault(first_four, set()).add(points)
    every = set().union(*openings.values())
    results = {hands: frozenset(results_from(*hands, dealt.table, thirds=thirds)) for hands in every}
    return {
        first_four: frozenset().union(*(results[hands] for hands in openings_of))
        for first_four, openings_of in openings.items()
    }


def _points(hand: tuple[Rank, ...]) -> tuple[int, ...]:
    """The total of the first two cards as if one of them were worth nothing, and the third card's points."""
    return point_total(rank.points for rank in hand[:2]), 0, *(rank.points for rank in hand[2:])


def decided_bets(bets: Sequence[Bet], dealt: Round) -> Mapping[str, BetResult | None]:
    """What the cards on the table have made of each bet; None: it is open. The shoe is taken to have every card."""
    return {bet.id: common_result(_nets(bet, dealt)) for bet in bets}


@lru_cache(maxsize=64)
def _possible_results(dealt: Round, thirds: bool) -> frozenset[Result]:
    return frozenset().union(*possible_outcomes(dealt, thirds).values())


def _nets(bet: Bet, dealt: Round) -> Iterator[Fraction]:
    if not bet.needs_ranks:
        return (bet.result_net(result) for result in _possible_results(dealt, bet.looks_at_thirds))
    outcomes = possible_outcomes(dealt, bet.looks_at_thirds, bet.looks_at_pair_ranks)
    return (bet.net(Outcome(result, four)) for four, of_four in outcomes.items() for result in of_four)


def decided_net(bet: Bet, dealt: Round) -> Fraction | None:
    """The net result to which every way of finishing the round would bring the bet; None: they differ."""
    nets = set(_nets(bet, dealt))
    return nets.pop() if len(nets) == 1 else None
