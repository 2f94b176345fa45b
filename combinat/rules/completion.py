"""What a round can still come to, and which bets that decides.

A bet is decided when every way in which the round can still go brings it the same result: it has conclusively won
(at whatever odds), conclusively lost, or comes back.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from itertools import product

from combinat.rules.bet import RETURNED, Bet, results_from
from combinat.rules.cards import RANKS, point_total
from combinat.rules.outcome import FirstFour, Outcome
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


@lru_cache(maxsize=64)
def possible_outcomes(dealt: Round) -> frozenset[Outcome]:
    """Every outcome to which a round can still come, were there cards of every rank."""
    missing = [2 - min(len(hand), 2) for hand in (dealt.player, dealt.banker)]
    openings = set()
    for drawn in product(RANKS, repeat=sum(missing)):
        player = (*dealt.player, *drawn[: missing[0]])
        banker = (*dealt.banker, *drawn[missing[0] :])
        totals = [point_total(rank.points for rank in hand[:2]) for hand in (player, banker)]
        openings.add((FirstFour.of(player[:2], banker[:2]), *totals))
    thirds = [tuple(rank.points for rank in hand[2:]) for hand in (dealt.player, dealt.banker)]
    return frozenset(
        Outcome(result, first_four)
        for first_four, player_total, banker_total in openings
        for result in results_from((player_total, 0, *thirds[0]), (banker_total, 0, *thirds[1]), dealt.table)
    )


def decided_bets(bets: Sequence[Bet], dealt: Round) -> Mapping[str, BetResult | None]:
    """What the cards on the table have made of each bet; None: it is open. The shoe is taken to have every card."""
    outcomes = possible_outcomes(dealt)
    return {bet.id: common_result(bet.net(outcome) for outcome in outcomes) for bet in bets}
