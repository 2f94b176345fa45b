"""The power of an audit, as records: how many rounds show a known fault, and by what."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from combinat.rules.shoe import Shoe


class Source(StrEnum):
    """What an audit is given, from the most that can be told to the least."""

    LOG = "log"
    CELLS = "counts-by-cells"
    BETS = "counts-of-bets"
    RESULTS = "results-only"

    @property
    def in_words(self) -> str:
        """What it is, as a phrase."""
        return {
            Source.LOG: "a hand log with cards",
            Source.CELLS: "counts by cells",
            Source.BETS: "counts of bets alone",
            Source.RESULTS: "results only (Player, Banker, tie)",
        }[self]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What shows a fault: a contradiction or a test; the rounds that it needs, and how surely a run of rounds shows it.

    ``rounds``: None, however many there are it does not show it. ``power``: None, no run was asked about.
    """

    subject: str
    what: str
    rounds: int | None
    power: Fraction | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcePower:
    """What one kind of file shows of a fault. ``tests``: how many are made of it; ``sights``: the best first."""

    source: Source
    tests: int
    contradiction: Fraction
    sights: tuple[Sight, ...]

    @property
    def best(self) -> Sight | None:
        """What shows the fault first; None: nothing does."""
        return next((sight for sight in self.sights if sight.rounds is not None), None)

    @property
    def power(self) -> Fraction | None:
        """How surely a run of the rounds asked about shows it, by the best of all that is looked at."""
        powers = [sight.power for sight in self.sights if sight.power is not None]
        return max(powers, default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """How many rounds show a fault of a simulator of this game."""

    game: str
    game_name: str
    shoe: Shoe
    fault: str
    alpha: Fraction
    target: Fraction
    rounds: int | None
    sources: tuple[SourcePower, ...]
