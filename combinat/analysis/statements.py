"""What is stated of a game and can be proved: the counts of every bet and insurance state on fresh shoes.

A statement is a claim and not yet true: it may be read from a file. Those made here are what the recursion counts.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from combinat.analysis.analysis import Analysis, analyze
from combinat.analysis.bets import BetAnalysis
from combinat.analysis.insurance import StateAnalysis, insurance_analysis
from combinat.rules.game import Game
from combinat.rules.insurance import State
from combinat.rules.shoe import Shoe


@dataclass(frozen=True, slots=True, kw_only=True)
class BetStatement:
    """A bet on one shoe: the ways of each line of its pay table, those in which it loses, and its edge."""

    id: str
    lines: tuple[int, ...]
    loses: int
    house_edge: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class StateStatement:
    """An insurance state on one shoe: how often it is reached, and what then becomes of the bet.

    ``house_edge`` is None where it is never reached.
    """

    state: State
    reached: int
    wins: int
    loses: int
    house_edge: Fraction | None

    @property
    def returned(self) -> int:
        """The ways in which the insurance bet comes back."""
        return self.reached - self.wins - self.loses


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeStatement:
    """A fresh shoe: its sample space, its void rounds, its bets and its insurance states."""

    decks: int
    sample_space: int
    void: int
    bets: tuple[BetStatement, ...]
    states: tuple[StateStatement, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStatement:
    """All that is stated of a game, and the rule book that it is stated of."""

    game: str
    rule_book_sha256: str
    shoes: tuple[ShoeStatement, ...]


def game_statement(
    game: Game, sha256: str, decks: Sequence[int], done: Callable[[int], None] = lambda shoes: None
) -> GameStatement:
    """What holds for a game on fresh shoes of these numbers of decks; ``sha256``: of its rule book."""

    def stated() -> Iterator[ShoeStatement]:
        for number in decks:
            yield _shoe_statement(analyze(game, Shoe.of_decks(number)), number)
            done(1)

    return GameStatement(game=game.id, rule_book_sha256=sha256, shoes=tuple(stated()))


def _shoe_statement(analysis: Analysis, decks: int) -> ShoeStatement:
    states = insurance_analysis(analysis.game, analysis.distribution)
    return ShoeStatement(
        decks=decks,
        sample_space=analysis.sample_space,
        void=analysis.distribution.void,
        bets=tuple(map(_bet_statement, analysis.bets)),
        states=tuple(map(_state_statement, states)),
    )


def _bet_statement(bet: BetAnalysis) -> BetStatement:
    *lines, loses = (int(line.ways) for line in bet.outcomes if not line.is_void)
    return BetStatement(id=bet.id, lines=tuple(lines), loses=loses, house_edge=bet.house_edge)


def _state_statement(state: StateAnalysis) -> StateStatement:
    return StateStatement(
        state=state.state, reached=state.ways, wins=state.won, loses=state.lost, house_edge=state.house_edge
    )
