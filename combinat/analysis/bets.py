"""The exact analysis of a bet: every outcome's ways, and the figures that follow from them."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from combinat.engine.distribution import Course, Distribution, summed
from combinat.rules.bet import LOST, RETURNED, Bet, Pay, holds, results_from
from combinat.rules.game import Game, VoidBets
from combinat.rules.odds import PUSH
from combinat.rules.outcome import FirstFour, Outcome

ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeLine:
    """One thing that can become of a bet: a line of its pay table, the loss, or a void round."""

    name: str
    odds: str
    net: Fraction
    ways: int
    probability: Fraction
    is_void: bool = False

    @property
    def contribution(self) -> Fraction:
        """What the line adds to the expected value."""
        return self.net * self.probability


@dataclass(frozen=True, slots=True, kw_only=True)
class BetAnalysis:
    """A bet on one shoe, per unit staked. All figures are exact."""

    id: str
    name: str
    outcomes: tuple[OutcomeLine, ...]

    @property
    def expected_value(self) -> Fraction:
        """The mean net result."""
        return self._moment(1)

    @property
    def house_edge(self) -> Fraction:
        """What the house keeps on average."""
        return -self.expected_value

    @property
    def return_to_player(self) -> Fraction:
        """What comes back on average, the stake included."""
        return 1 + self.expected_value

    @property
    def hit_frequency(self) -> Fraction:
        """How often the bet wins."""
        return sum((line.probability for line in self.outcomes if line.net > 0), ZERO)

    @property
    def returned(self) -> Fraction:
        """How often the stake comes back and nothing else: on a push or in a void round."""
        return sum((line.probability for line in self.outcomes if line.net == RETURNED), ZERO)

    @property
    def void(self) -> Fraction:
        """How often the round is void."""
        return sum((line.probability for line in self.outcomes if line.is_void), ZERO)

    @property
    def push(self) -> Fraction:
        """How often the pay table itself returns the stake."""
        return sum(
            (line.probability for line in self.outcomes if line.net == RETURNED and not line.is_void), ZERO
        )

    @property
    def edge_per_resolved_bet(self) -> Fraction | None:
        """The house edge on bets that are won or lost; None: none ever is."""
        return self.house_edge / (1 - self.returned) if self.returned < ONE else None

    @property
    def variance(self) -> Fraction:
        """The variance of the net result. Its square root is the standard deviation."""
        return self._moment(2) - self.expected_value**2

    @property
    def third_central_moment(self) -> Fraction:
        """What skewness is made of: divided by the standard deviation cubed, it is the skewness."""
        mean = self.expected_value
        return self._moment(3) - 3 * mean * self._moment(2) + 2 * mean**3

    @property
    def largest_payout(self) -> Fraction | None:
        """The most that a unit staked can win on this shoe; None: it cannot win."""
        return max((line.net for line in self.outcomes if line.ways and line.net > RETURNED), default=None)

    @property
    def fair_odds(self) -> Fraction | None:
        """The mean profit to 1, over the rounds won, at which neither side would gain; None: it never wins."""
        lost = sum((line.probability for line in self.outcomes if line.net == LOST), ZERO)
        return lost / self.hit_frequency if self.hit_frequency else None

    def _moment(self, power: int) -> Fraction:
        return sum((line.net**power * line.probability for line in self.outcomes), ZERO)


LOSES = "loses"


def bet_analysis(game: Game, bet: Bet, found: Distribution) -> BetAnalysis:
    """The bet on the shoe whose rounds were counted."""
    paid = [(pay, line_ways(pay, found)) for pay in bet.pays]
    lost = found.sample_space - found.void - sum(ways for _, ways in paid)

    def line(name: str, odds: str, net: Fraction, ways: int, is_void: bool = False) -> OutcomeLine:
        probability = Fraction(ways, found.sample_space)
        return OutcomeLine(name=name, odds=odds, net=net, ways=ways, probability=probability, is_void=is_void)

    outcomes = [line(pay.name or "wins", pay.odds, pay.odds.net, ways) for pay, ways in paid]
    outcomes.append(line(LOSES, "", LOST, lost))
    for (net,), ways in void_nets(game, [bet], found).items():
        name = "void" if net == RETURNED else f"void, {'won' if net > RETURNED else 'lost'}"
        outcomes.append(line(name, PUSH if net == RETURNED else "", net, ways, is_void=True))
    return BetAnalysis(id=bet.id, name=bet.name, outcomes=tuple(outcomes))


def line_ways(pay: Pay, found: Distribution) -> int:
    """How many ways a line of a pay table has; only the facts that it names are looked at."""
    of_result, of_first_four = pay.result_facts, pay.first_four_facts
    if not of_first_four:
        return sum(ways for result, ways in found.results.items() if holds(of_result, result))
    if not of_result:
        return sum(ways for match, ways in found.first_fours.items() if holds(of_first_four, match))
    return sum(ways for outcome, ways in found.outcomes.items() if pay.covers(outcome))


def void_nets(game: Game, bets: Sequence[Bet], found: Distribution) -> dict[tuple[Fraction, ...], int]:
    """What void rounds do to the bets, jointly: all come back, unless decided bets are read to stand.

    Until four cards are dealt nothing is decided: they settle the pairs (the clause on the deal).
    """
    if not found.void:
        return {}
    returned = (RETURNED,) * len(bets)
    if game.void.bets is VoidBets.RETURNED:
        return {returned: found.void}
    nets = [(returned, found.unopened)] if found.unopened else []
    for first_four, courses in found.courses.items():
        nets += [
            (tuple(_decided(bet, course, first_four) for bet in bets), ways)
            for course, ways in courses.items()
            if course.is_void
        ]
    return summed(nets)


def _decided(bet: Bet, course: Course, first_four: FirstFour) -> Fraction:
    """The net result to which every way of finishing the round would come; 0 where they differ."""
    player = (course.player, 0) if course.player_third is None else (course.player, 0, course.player_third)
    nets = {bet.net(Outcome(result, first_four)) for result in results_from(player, (course.banker, 0))}
    return nets.pop() if len(nets) == 1 else RETURNED
