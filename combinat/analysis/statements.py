"""Provable statements about a game: the counts of every bet and insurance state on fresh shoes.

The Coq sources. A statement is a claim, not a proof: it may be read from a file. The statements made here are
counted by the recursion.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

from combinat.analysis.bets import BetAnalysis
from combinat.analysis.odds import Analysis, one_round_analysis
from combinat.base.errors import CombinatError
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
    """An insurance state on one shoe: the ways in which it is reached, and the results of the bet there.

    ``house_edge`` is None if the state is never reached.
    """

    state: State
    reached: int
    wins: int
    loses: int
    house_edge: Fraction | None

    @property
    def returned(self) -> int:
        """The ways in which the insurance bet is returned."""
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
    """All statements about a game, and its rule book."""

    game: str
    rule_book_sha256: str
    shoes: tuple[ShoeStatement, ...]


def game_statement(
    game: Game, sha256: str, decks: Sequence[int], done: Callable[[int], None] = lambda shoes: None
) -> GameStatement:
    """Return the statements about a game on fresh shoes of these numbers of decks.

    ``sha256``: that of its rule book.
    """

    def stated() -> Iterator[ShoeStatement]:
        for number in decks:
            yield _shoe_statement(one_round_analysis(game, Shoe.of_decks(number)), number)
            done(1)

    return GameStatement(game=game.id, rule_book_sha256=sha256, shoes=tuple(stated()))


def _shoe_statement(analysis: Analysis, decks: int) -> ShoeStatement:
    return ShoeStatement(
        decks=decks,
        sample_space=analysis.sample_space,
        void=analysis.distribution.void,
        bets=tuple(map(_bet_statement, analysis.bets)),
        states=tuple(
            StateStatement(
                state=one.state, reached=one.ways, wins=one.won, loses=one.lost, house_edge=one.house_edge
            )
            for one in analysis.insurance
        ),
    )


def _bet_statement(bet: BetAnalysis) -> BetStatement:
    *lines, loses = (int(line.ways) for line in bet.outcomes if not line.is_void)
    return BetStatement(id=bet.id, lines=tuple(lines), loses=loses, house_edge=bet.house_edge)


PROGRAM = "check.py"
"""The program beside the sources that compiles them and what is stated."""


def proof_folder() -> Path:
    """Return the folder of the Coq sources: inside an installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "proof", package.parent / "proof"):
        if folder.is_dir():
            return folder
    raise CombinatError(
        f"no proof sources found: neither {package / 'proof'} nor the checkout's proof/ exists"
    )


@cache
def proof_sources() -> dict[str, bytes]:
    """Return the Coq sources by name."""
    return {path.name: path.read_bytes() for path in sorted(proof_folder().glob("*.v"))}


@cache
def checker_sha256() -> str:
    """Return the SHA-256 of the checker that goes with every report."""
    checker = Path(__file__).resolve().parent.parent / "certify" / "checker.py"
    return hashlib.sha256(checker.read_bytes()).hexdigest()
