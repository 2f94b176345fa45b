"""What is expected: the exact probability of everything that can be observed."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from combinat.analysis.analysis import Analysis, analyze
from combinat.analysis.insurance import StateAnalysis, insurance_analysis, moments
from combinat.engine.distribution import summed
from combinat.montecarlo.cell import WINNERS, Pairing
from combinat.montecarlo.observed import JointCell, Times
from combinat.rules.bet import Bet
from combinat.rules.deal_space import Course, result, told_result
from combinat.rules.facts import PAIR_RANK_FACTS
from combinat.rules.game import Game
from combinat.rules.insurance import State
from combinat.rules.outcome import FirstFour, Outcome, Pairs
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import Hand

_BY_POINTS = ("player_point_pair", "banker_point_pair", "point_pairs")


def pairing_of(first_four: FirstFour) -> Pairing:
    """The pairs by rank among the first four cards."""
    if first_four.pairs is Pairs.SINGLE:
        return Pairing.PLAYER if first_four.player_pair else Pairing.BANKER
    return {Pairs.NONE: Pairing.NONE, Pairs.DOUBLE: Pairing.BOTH, Pairs.TWIN: Pairing.TWIN}[first_four.pairs]


def cell_of(course: Course, pairing: Pairing) -> JointCell:
    """The cell of a course of the engine."""
    return JointCell(course.player, course.player_third, course.banker, course.banker_third, pairing)


@dataclass(frozen=True)
class Expected:
    """A game on a fresh shoe, exactly. ``tells_ranks``: whether cells tell pairs, which cards by points do not."""

    analysis: Analysis
    tells_ranks: bool = True

    @classmethod
    def of(cls, game: Game, shoe: Shoe, tells_ranks: bool = True) -> "Expected":
        """The game on this shoe."""
        return cls(analyze(game, shoe, by_recursion=True), tells_ranks)

    def _cell(self, course: Course, first_four: FirstFour) -> JointCell:
        return cell_of(course, pairing_of(first_four) if self.tells_ranks else Pairing.NONE)

    @property
    def game(self) -> Game:
        """The game."""
        return self.analysis.game

    @cached_property
    def states(self) -> dict[State, StateAnalysis]:
        """Every insurance state."""
        return {state.state: state for state in insurance_analysis(self.game, self.analysis.distribution)}

    @cached_property
    def cells(self) -> dict[JointCell, Fraction]:
        """The probability of every cell that a round can come to."""
        ways = summed(
            (self._cell(course, first_four), ways)
            for first_four, courses in self.analysis.distribution.courses.items()
            for course, ways in courses.items()
        )
        return {cell: Fraction(count, self.analysis.sample_space) for cell, count in ways.items()}

    @cached_property
    def coincidences(self) -> tuple[Fraction, Fraction]:
        """The chances that two and that three independent rounds come to one cell."""
        twice, thrice = (sum((chance**of for chance in self.cells.values()), Fraction(0)) for of in (2, 3))
        return twice, thrice

    @cached_property
    def winners(self) -> dict[str, Fraction]:
        """How likely each winner is."""
        ways = dict.fromkeys(WINNERS, 0)
        for ended, count in self.analysis.distribution.results.items():
            ways[str(ended.winner)] += count
        return {winner: Fraction(count, self.analysis.sample_space) for winner, count in ways.items()}

    @cached_property
    def by_winner(self) -> dict[str, dict[str, Fraction]]:
        """The bets that the winner alone decides, with the net result for each winner."""
        outcomes = self.analysis.distribution.telling_for(self.game.bets).outcomes
        bets = {}
        for bet in self.game.bets:
            nets = {(str(outcome.result.winner), bet.net(outcome)) for outcome in outcomes}
            if len(nets) == len({winner for winner, _ in nets}):
                bets[bet.id] = dict(nets)
        return bets

    def knows(self, cells: Mapping[JointCell, Times]) -> bool:
        """Whether a round can come to each of the cells in which there were rounds."""
        return all(cell in self.cells for cell, times in cells.items() if times.rounds)

    def bet(self, bet_id: str) -> dict[Fraction, Fraction]:
        """The probability of each net result of a bet."""
        chances: dict[Fraction, Fraction] = {}
        for line in self.analysis.bet(bet_id).outcomes:
            chances[line.net] = chances.get(line.net, Fraction(0)) + line.probability
        return {net: chance for net, chance in chances.items() if chance}

    def state(self, state: State) -> dict[Fraction, Fraction]:
        """The probability of each net result of an insurance state, in all rounds."""
        analysis, offer = self.states[state], self.game.offers[state]
        ways = {
            Fraction(-1): analysis.lost,
            Fraction(0): analysis.ways - analysis.won - analysis.lost,
            offer.odds.net: analysis.won,
        }
        return {net: Fraction(count, analysis.sample_space) for net, count in ways.items() if count}

    @cached_property
    def _settled(self) -> dict[JointCell, tuple[Course, FirstFour]]:
        """A course and a first four that stand for each cell."""
        return {
            self._cell(course, first_four): (course, first_four)
            for first_four, courses in self.analysis.distribution.courses.items()
            for course in courses
        }

    def can_recount(self, bet: Bet) -> bool:
        """Whether cells say all that the bet is settled on: not where it looks at pairs by points, or at their ranks."""
        named = {fact for pay in bet.pays for fact in pay.named}
        return named.isdisjoint({*_BY_POINTS, *PAIR_RANK_FACTS})

    def outcomes(self, cells: Mapping[JointCell, Times]) -> dict[Outcome, int]:
        """The outcomes of the rounds of these cells; of pairs by points they say nothing."""
        thirds = any(bet.looks_at_thirds for bet in self.game.bets)
        result_of = told_result if thirds else result
        return summed(
            (Outcome(result_of(course), first_four), times.rounds)
            for cell, times in cells.items()
            if times.rounds
            for course, first_four in [self._settled[cell]]
        )

    def recounted(self, bet: Bet, outcomes: Mapping[Outcome, int]) -> dict[Fraction, int]:
        """A bet's net results as the rules settle these rounds."""
        return summed((bet.net(outcome), rounds) for outcome, rounds in outcomes.items())

    def recounted_states(self, cells: Mapping[JointCell, Times]) -> dict[State, dict[Fraction, int]]:
        """The net results of every insurance state as the rules settle the rounds of these cells."""
        nets: dict[State, dict[Fraction, int]] = {state: {} for state in self.states}
        terms, offers = self.game.insurance_terms, self.game.offers
        if terms is None:
            return nets
        for cell, times in cells.items():
            if not times.rounds:
                continue
            course, _ = self._settled[cell]
            for moment in moments(course, terms.open):
                for side in Hand:
                    state = State(side, *moment)
                    if state in nets:
                        net = offers[state].net(side, result(course))
                        nets[state][net] = nets[state].get(net, 0) + times.rounds
        return nets
