"""The exact probability of every observable event, by the rules or with a known fault."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from combinat.analysis.insurance import StateAnalysis, insurance_analysis
from combinat.analysis.odds import Analysis, one_round_analysis
from combinat.engine.distribution import summed
from combinat.montecarlo.cell import WINNERS, Pairing
from combinat.montecarlo.counts import JointCell, Times
from combinat.montecarlo.fault import Fault, FaultForm
from combinat.montecarlo.tally import FIRST_CARDS
from combinat.rules.deal_space import Course
from combinat.rules.game import Game
from combinat.rules.insurance import State
from combinat.rules.outcome import FirstFour, Pairs
from combinat.rules.shoe import Shoe


def pairing_of(first_four: FirstFour) -> Pairing:
    """Return the pairs by rank among the first four cards."""
    if first_four.pairs is Pairs.SINGLE:
        return Pairing.PLAYER if first_four.player_pair else Pairing.BANKER
    return {Pairs.NONE: Pairing.NONE, Pairs.DOUBLE: Pairing.BOTH, Pairs.TWIN: Pairing.TWIN}[first_four.pairs]


T = TypeVar("T", int, Fraction)

Key = tuple[Any, ...]
"""A name of events that exclude each other, such as ``("bet", "tie")``: the net results of the Tie."""

Chances = Mapping[Any, Fraction]
"""The chances of such events in a round."""


def _whether(chance: Fraction) -> Chances:
    return {True: chance, False: 1 - chance}


def by_ending(cells: Mapping[JointCell, T]) -> dict[tuple[int, ...], T]:
    """Return the cells, summed by final result: the points and the numbers of cards of both hands."""
    ends: dict[tuple[int, ...], T] = {}
    for cell, amount in cells.items():
        key = (
            (cell.player + (cell.player_third or 0)) % 10,
            (cell.banker + (cell.banker_third or 0)) % 10,
            cell.player_third is None,
            cell.banker_third is None,
        )
        ends[key] = ends[key] + amount if key in ends else amount
    return ends


@dataclass(frozen=True)
class Expected:
    """The exact probabilities of a round of a game on a fresh shoe.

    ``tells_ranks``: whether cells record pairs; cards by points do not. ``fault``: a known fault with which
    rounds are dealt and written; the analysis is of rounds dealt with it.
    """

    analysis: Analysis
    tells_ranks: bool = True
    fault: Fault | None = None

    @classmethod
    def of(cls, game: Game, shoe: Shoe, tells_ranks: bool = True) -> "Expected":
        """Return the probabilities of the game on this shoe, cached with the tables derived from them."""
        return _expected(game, shoe, tells_ranks)

    def _cell(self, course: Course, first_four: FirstFour) -> JointCell:
        pairs = pairing_of(first_four) if self.tells_ranks else Pairing.NONE
        return JointCell(course.player, course.player_third, course.banker, course.banker_third, pairs)

    @property
    def game(self) -> Game:
        """The game."""
        return self.analysis.game

    @cached_property
    def states(self) -> dict[State, StateAnalysis]:
        """Every insurance state."""
        return {state.state: state for state in insurance_analysis(self.game, self.analysis.distribution)}

    def met(self, states: Iterable[State]) -> list[State]:
        """Return those of these states that can arise."""
        return [state for state in states if state in self.states and self.states[state].probability]

    @cached_property
    def cells(self) -> dict[JointCell, Fraction]:
        """The probability of every possible cell."""
        ways = summed(
            (self._cell(course, first_four), ways)
            for first_four, courses in self.analysis.distribution.courses.items()
            for course, ways in courses.items()
        )
        return {cell: Fraction(count, self.analysis.sample_space) for cell, count in ways.items()}

    @property
    def _share(self) -> Fraction:
        return (self.fault and self.fault.share) or Fraction(0)

    @property
    def _repeated_share(self) -> Fraction:
        """The share of rounds that repeat the preceding round."""
        is_repeating = self.fault is not None and self.fault.kind is FaultForm.DUPLICATES
        return self._share / (1 + self._share) if is_repeating else Fraction(0)

    def chances(self, key: Key) -> Chances:
        """Return the probability of each event of a key in a round, with the fault if there is one."""
        if key not in self._chances:
            self._chances[key] = self._compute_chances(key)
        return self._chances[key]

    @cached_property
    def _chances(self) -> dict[Key, Chances]:
        return {}

    def _compute_chances(self, key: Key) -> Chances:
        match key:
            case ("cells",) | ("each cell",):
                return self.cells
            case ("endings",):
                return by_ending(self.cells)
            case ("card", _):
                shoe = self.analysis.shoe if self.fault is None else self.fault.of_shoe(self.analysis.shoe)
                return {rank: Fraction(count, shoe.size) for rank, count in enumerate(shoe.counts) if count}
            case ("same cell",):
                return _whether(self._repeated_share + (1 - self._repeated_share) * self.coincidences[0])
            case ("same rank", *cards):
                return _whether(self._same_rank(*map(str, cards)))
            case ("after", winner):
                return self._after(str(winner))
            case ("runs",):
                return _whether(1 - sum((self._after(winner)[winner] for winner in WINNERS), Fraction(0)))
            case ("bet", bet):
                return self._paid_nets(str(bet))
        nets = self.state(key[1])
        offered = sum(nets.values(), Fraction(0))
        if key[0] == "offered":
            return _whether(offered)
        return nets if key[0] == "insurance" or offered == 1 else {**nets, None: 1 - offered}

    def _same_rank(self, now: str, before: str) -> Fraction:
        """Return the probability that a card has the rank of a card of the preceding round."""
        shoe = self.analysis.shoe
        alike = sum((Fraction(count, shoe.size) ** 2 for count in shoe.counts), Fraction(0))
        pairs = sum(count * (count - 1) for count in shoe.counts)
        in_one = Fraction(1) if now == before else Fraction(pairs, shoe.size * (shoe.size - 1))
        chance = self._repeated_share * in_one + (1 - self._repeated_share) * alike
        if self.fault is not None and self.fault.kind is FaultForm.COPIES and now == FIRST_CARDS[0]:
            return self._share * in_one + (1 - self._share) * chance
        return chance

    def _after(self, winner: str) -> dict[str, Fraction]:
        """Return the probability that a round has this winner and the next round each winner."""
        first = self.winners[winner]
        return {
            name: first * (self._repeated_share * (name == winner) + (1 - self._repeated_share) * chance)
            for name, chance in self.winners.items()
        }

    def _paid_nets(self, bet_id: str) -> dict[Fraction, Fraction]:
        """Return the net results of a bet as paid: with a fault, some wins are paid at other odds."""
        due, fault = self.bet(bet_id), self.fault
        if (
            fault is None
            or fault.kind is not FaultForm.PAID_WRONG
            or fault.bet != bet_id
            or fault.net is None
        ):
            return due
        moved = {net: chance * self._share if net > 0 else Fraction(0) for net, chance in due.items()}
        paid = {net: chance - moved[net] for net, chance in due.items()}
        return {**paid, fault.net: paid.get(fault.net, Fraction(0)) + sum(moved.values())}

    @cached_property
    def coincidences(self) -> tuple[Fraction, Fraction]:
        """The chances that two and that three independent rounds have one cell."""
        twice, thrice = (sum((chance**of for chance in self.cells.values()), Fraction(0)) for of in (2, 3))
        return twice, thrice

    @property
    def repeat_variance(self) -> Fraction:
        """The variance, per pair, of the number of consecutive rounds with equal cells."""
        twice, thrice = self.coincidences
        return twice * (1 - twice) + 2 * (thrice - twice**2)

    @cached_property
    def winners(self) -> dict[str, Fraction]:
        """The probability of each winner."""
        ways = dict.fromkeys(WINNERS, 0)
        for ended, count in self.analysis.distribution.results.items():
            ways[str(ended.winner)] += count
        return {winner: Fraction(count, self.analysis.sample_space) for winner, count in ways.items()}

    @cached_property
    def by_winner(self) -> dict[str, dict[str, Fraction]]:
        """The bets that depend only on the winner, with the net result for each winner."""
        outcomes = self.analysis.distribution.detailed_for(self.game.bets).outcomes
        bets = {}
        for bet in self.game.bets:
            nets = {(str(outcome.result.winner), bet.net(outcome)) for outcome in outcomes}
            if len(nets) == len({winner for winner, _ in nets}):
                bets[bet.id] = dict(nets)
        return bets

    def knows(self, cells: Mapping[JointCell, Times]) -> bool:
        """Return whether every cell that occurred is possible."""
        return all(cell in self.cells for cell, times in cells.items() if times.rounds)

    def bet(self, bet_id: str) -> dict[Fraction, Fraction]:
        """Return the probability of each net result of a bet."""
        chances: dict[Fraction, Fraction] = {}
        for line in self.analysis.bet(bet_id).outcomes:
            chances[line.net] = chances.get(line.net, Fraction(0)) + line.probability
        return {net: chance for net, chance in chances.items() if chance}

    def state(self, state: State) -> dict[Fraction, Fraction]:
        """Return the probability of each net result of an insurance state, in all rounds."""
        analysis, offer = self.states[state], self.game.offers[state]
        ways = {
            Fraction(-1): analysis.lost,
            Fraction(0): analysis.ways - analysis.won - analysis.lost,
            offer.odds.net: analysis.won,
        }
        return {net: Fraction(count, analysis.sample_space) for net, count in ways.items() if count}


@lru_cache(maxsize=4)
def _expected(game: Game, shoe: Shoe, tells_ranks: bool) -> Expected:
    return Expected(one_round_analysis(game, shoe, by_recursion=True), tells_ranks)
