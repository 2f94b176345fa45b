"""The exact analysis of a bet: every outcome's ways, and the figures that follow from them."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from operator import contains
from typing import ClassVar

import msgspec

from combinat.analysis.figure import Whole
from combinat.base.errors import NotInGameError, shortened
from combinat.base.tabular import Exact, Tabular, in_percent, root_in_text
from combinat.engine.distribution import Course, Distribution, results_beyond, summed
from combinat.rules.bet import LOST, RETURNED, Bet, Pay
from combinat.rules.document import VoidBets
from combinat.rules.game import Game
from combinat.rules.odds import PUSH
from combinat.rules.outcome import FirstFour, Outcome

ZERO, ONE = Fraction(0), Fraction(1)

ROUNDS_FOR_SKEWNESS = 25
"""Rounds that a sum needs to be near the normal, for a skewness of 1; they grow with its square (Cochran)."""


ROOT_PLACES = 12
"""Decimals of figures that are roots, and so have no exact ones."""


class OutcomeLine(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One thing that can become of a bet: a line of its pay table, the loss, or a void round.

    >>> from combinat import analyze
    >>> line = analyze("commission-insurance-2013")["player-pair"]["wins"]
    >>> line.net, line.probability, line.ways
    (Fraction(11, 1), Fraction(31, 415), 373374329013504)
    """

    FIGURES: ClassVar = ("contribution", "share_of_return", "true_odds")

    name: str
    odds: str
    net: Fraction
    ways: Whole
    probability: Fraction
    is_void: bool = False

    @cached_property
    def contribution(self) -> Fraction:
        """What the line adds to the expected value."""
        return self.net * self.probability

    @cached_property
    def share_of_return(self) -> Fraction:
        """What the line adds to the return to player: the stake comes back with the profit."""
        return (1 + self.net) * self.probability

    @cached_property
    def true_odds(self) -> Fraction | None:
        """The odds to 1 against the line: the other ways to its own; None: it has no ways."""
        return (1 - self.probability) / self.probability if self.probability else None

    def __repr__(self) -> str:
        return f"<OutcomeLine {self.name}: net {self.net}, probability {in_percent(self.probability)}>"


class BetAnalysis(Tabular, msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A bet on one shoe, per unit staked. All figures are exact.

    Iterating gives its outcomes; ``bet["wins"]`` is the one of that name.

    >>> from combinat import analyze
    >>> bet = analyze("commission-insurance-2013")["player-pair"]
    >>> bet.house_edge, bet.variance, bet.standard_deviation
    (Fraction(43, 415), Fraction(1714176, 172225), '3.154856488941')
    """

    FIGURES: ClassVar = (
        *("expected_value", "house_edge", "return_to_player", "hit_frequency", "push", "void", "returned"),
        *("edge_per_resolved_bet", "variance", "third_central_moment", "skewness_signed_square"),
        *("largest_payout", "fair_odds", "total_probability", "normal_from"),
    )

    id: str
    name: str
    outcomes: tuple[OutcomeLine, ...]

    @cached_property
    def expected_value(self) -> Fraction:
        """The mean net result."""
        return self._moment(1)

    @cached_property
    def house_edge(self) -> Fraction:
        """What the house keeps on average."""
        return -self.expected_value

    @cached_property
    def return_to_player(self) -> Fraction:
        """What comes back on average, the stake included."""
        return 1 + self.expected_value

    @cached_property
    def hit_frequency(self) -> Fraction:
        """How often the bet wins."""
        return sum((line.probability for line in self.outcomes if line.net > 0), ZERO)

    @cached_property
    def returned(self) -> Fraction:
        """How often the stake comes back and nothing else: on a push or in a void round."""
        return sum((line.probability for line in self.outcomes if line.net == RETURNED), ZERO)

    @cached_property
    def void(self) -> Fraction:
        """How often the round is void."""
        return sum((line.probability for line in self.outcomes if line.is_void), ZERO)

    @cached_property
    def push(self) -> Fraction:
        """How often the pay table itself returns the stake."""
        return sum(
            (line.probability for line in self.outcomes if line.net == RETURNED and not line.is_void), ZERO
        )

    @cached_property
    def edge_per_resolved_bet(self) -> Fraction | None:
        """The house edge on bets that are won or lost; None: none ever is."""
        return self.house_edge / (1 - self.returned) if self.returned < ONE else None

    @cached_property
    def variance(self) -> Fraction:
        """The variance of the net result. Its square root is the standard deviation."""
        return self._moment(2) - self.expected_value**2

    @cached_property
    def third_central_moment(self) -> Fraction:
        """What skewness is made of: divided by the standard deviation cubed, it is the skewness."""
        mean = self.expected_value
        return self._moment(3) - 3 * mean * self._moment(2) + 2 * mean**3

    @cached_property
    def skewness_signed_square(self) -> Fraction | None:
        """The square of the skewness, with the skewness's sign; None: the bet never varies."""
        third = self.third_central_moment
        return third * abs(third) / self.variance**3 if self.variance else None

    @cached_property
    def largest_payout(self) -> Fraction | None:
        """The most that a unit staked can win on this shoe; None: it cannot win."""
        return max((line.net for line in self.outcomes if line.ways and line.net > RETURNED), default=None)

    @cached_property
    def fair_odds(self) -> Fraction | None:
        """The mean profit to 1, over the rounds won, at which neither side would gain; None: it never wins."""
        lost = sum((line.probability for line in self.outcomes if line.net == LOST), ZERO)
        return lost / self.hit_frequency if self.hit_frequency else None

    @cached_property
    def normal_from(self) -> Whole | None:
        """From how many rounds on a normal distribution is a fair picture of their sum, by Cochran's rule.

        25 times the square of the skewness, rounded up, and 1 at least; None: the bet never varies.
        """
        square = self.skewness_signed_square
        return None if square is None else Whole(max(1, -int(-ROUNDS_FOR_SKEWNESS * abs(square) // 1)))

    @cached_property
    def total_probability(self) -> Fraction:
        """The probabilities of all its outcomes together: 1."""
        return sum((line.probability for line in self.outcomes), ZERO)

    @property
    def standard_deviation(self) -> str:
        """The standard deviation, correctly rounded to 12 decimals; its exact square is ``variance``."""
        return root_in_text(self.variance, ROOT_PLACES)

    @property
    def skewness(self) -> str | None:
        """The skewness, correctly rounded to 12 decimals; its exact square is ``skewness_signed_square``.

        None: the bet never varies.
        """
        square = self.skewness_signed_square
        return None if square is None else root_in_text(square, ROOT_PLACES)

    def __iter__(self) -> Iterator[OutcomeLine]:
        return iter(self.outcomes)

    def __len__(self) -> int:
        return len(self.outcomes)

    def __contains__(self, what: object) -> bool:
        return any(line.name == what for line in self) if isinstance(what, str) else what in self.outcomes

    def __getitem__(self, name: str) -> OutcomeLine:
        for line in self.outcomes:
            if line.name == name:
                return line
        known = ", ".join(f'"{line.name}"' for line in self.outcomes)
        raise NotInGameError(f'{self.id} has no outcome "{shortened(str(name))}"; it has {known}')

    def to_dicts(self) -> list[dict[str, Exact]]:
        """A row for each outcome."""
        return [
            {
                "bet": self.id,
                "outcome": line.name,
                "odds": str(line.odds),
                "net": line.net,
                "ways": int(line.ways),
                "probability": line.probability,
                "contribution": line.contribution,
            }
            for line in self.outcomes
        ]

    def summary(self) -> dict[str, Exact]:
        """The figures of the bet as one row."""
        return {
            "id": self.id,
            "name": self.name,
            "expected_value": self.expected_value,
            "house_edge": self.house_edge,
            "return_to_player": self.return_to_player,
            "hit_frequency": self.hit_frequency,
            "returned": self.returned,
            "variance": self.variance,
            "standard_deviation": self.standard_deviation,
            "skewness_signed_square": self.skewness_signed_square,
            "skewness": self.skewness,
        }

    def __repr__(self) -> str:
        return (
            f"<BetAnalysis {self.id}: house edge {in_percent(self.house_edge)}, "
            f"wins {in_percent(self.hit_frequency)}>"
        )

    def _moment(self, power: int) -> Fraction:
        return sum((line.net**power * line.probability for line in self.outcomes), ZERO)


def bet_analysis(game: Game, bet: Bet, distribution: Distribution) -> BetAnalysis:
    """The bet on the shoe whose rounds were counted."""
    paid = [(pay, line_ways(pay, distribution)) for pay in bet.pays]
    rest = distribution.sample_space - distribution.void - sum(ways for _, ways in paid)

    def line(name: str, odds: str, net: Fraction, ways: int, is_void: bool = False) -> OutcomeLine:
        probability = Fraction(ways, distribution.sample_space)
        return OutcomeLine(
            name=name, odds=odds, net=net, ways=Whole(ways), probability=probability, is_void=is_void
        )

    outcomes = [line(bet.line_name(pay), pay.odds, pay.odds.net, ways) for pay, ways in paid]
    outcomes.append(line(bet.line_name(None), "" if bet.rest else PUSH, bet.rest, rest))
    for (net,), ways in void_nets(game, [bet], distribution).items():
        name = "void" if net == RETURNED else f"void, {'won' if net > RETURNED else 'lost'}"
        outcomes.append(line(name, PUSH if net == RETURNED else "", net, ways, is_void=True))
    return BetAnalysis(id=bet.id, name=bet.name, outcomes=tuple(outcomes))


def line_ways(pay: Pay, distribution: Distribution) -> int:
    """How many ways a line of a pay table has; only the facts that it names are looked at."""
    told = distribution.telling(thirds=pay.looks_at_thirds, pair_ranks=pay.looks_at_pair_ranks)
    if pay.looks_at_result and pay.looks_at_first_four:
        return sum(ways for outcome, ways in told.outcomes.items() if pay.covers(outcome))
    if pay.looks_at_first_four:
        return sum(ways for match, ways in told.first_fours.items() if pay.covers_first_four(match))
    if pay.exceptions:
        return sum(ways for ended, ways in told.results.items() if pay.covers_result(ended))
    accepted = tuple(pay.result_facts.values())
    return sum(
        ways
        for values, ways in told.results_by(tuple(pay.result_facts)).items()
        if all(map(contains, accepted, values))
    )


def void_nets(game: Game, bets: Sequence[Bet], distribution: Distribution) -> dict[tuple[Fraction, ...], int]:
    """What void rounds do to the bets, jointly: all come back, unless decided bets are read to stand."""
    if not distribution.void:
        return {}
    returned = (RETURNED,) * len(bets)
    if game.void.bets is not VoidBets.DECIDED_STAND:
        return {returned: distribution.void}
    from combinat.rules.completion import decided_net  # only a shoe that runs out needs it

    nets = [
        (tuple(decided_net(bet, dealt) or RETURNED for bet in bets), ways)
        for dealt, ways in distribution.unopened.items()
    ]
    for first_four, courses in distribution.telling_for(bets).courses.items():
        nets += [
            (tuple(_decided(game, bet, course, first_four) for bet in bets), ways)
            for course, ways in courses.items()
            if course.is_void
        ]
    return summed(nets)


def _decided(game: Game, bet: Bet, course: Course, first_four: FirstFour) -> Fraction:
    """The net result to which every way of finishing the round would come; 0 where they differ."""
    results = results_beyond(course, game.table_of_play, thirds=bet.looks_at_thirds)
    nets = {bet.net(Outcome(result, first_four)) for result in results}
    return nets.pop() if len(nets) == 1 else RETURNED
