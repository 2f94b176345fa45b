"""A column of a batch: the whole number that an outcome adds to it."""

from collections.abc import Callable
from fractions import Fraction

from combinat.rules.bet import Bet, Pay
from combinat.rules.outcome import Outcome


class Column:
    """A figure to which every outcome adds a whole number: the value of the first line that covers it.

    ``otherwise``: what an outcome adds that no line covers.
    """

    def __init__(self, lines: list[tuple[Pay, int]], otherwise: int) -> None:
        self.lines, self.otherwise = lines, otherwise
        self.looks_at_result = any(pay.looks_at_result for pay, _ in lines)
        self.looks_at_first_four = any(pay.looks_at_first_four for pay, _ in lines)
        self.looks_at_thirds = any(pay.looks_at_thirds for pay, _ in lines)
        self.looks_at_pair_ranks = any(pay.looks_at_pair_ranks for pay, _ in lines)

    @classmethod
    def of_bet(cls, bet: Bet, net: Callable[[Fraction], int]) -> "Column":
        """A whole number for each net result of a bet."""
        return cls([(pay, net(pay.odds.net)) for pay in bet.pays], net(bet.rest))

    @classmethod
    def of_line(cls, bet: Bet, number: int) -> "Column":
        """1 for each outcome that a line of a bet's pay table covers."""
        return cls([(bet.pays[number], 1)], 0)

    @property
    def is_joint(self) -> bool:
        """Whether it looks at results and matches together, or at the ranks of pairs: only ``walk`` counts it."""
        return self.looks_at_pair_ranks or (self.looks_at_result and self.looks_at_first_four)

    @property
    def largest(self) -> int:
        """The most that an outcome adds, in size."""
        return max(abs(self.otherwise), *(abs(value) for _, value in self.lines))

    def value(self, outcome: Outcome) -> int:
        """What an outcome adds."""
        for pay, value in self.lines:
            if pay.covers(outcome):
                return value
        return self.otherwise
