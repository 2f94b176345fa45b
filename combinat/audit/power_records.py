"""The power of an audit, as records: how many rounds show a known fault, and by what."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from combinat.rules.shoe import Shoe


class FileKind(StrEnum):
    """The kinds of files, from the most informative to the least."""

    LOG = "log"
    CELLS = "counts-by-cells"
    BETS = "counts-of-bets"
    RESULTS = "results-only"

    @property
    def in_words(self) -> str:
        """What it is, as a phrase."""
        return {
            FileKind.LOG: "a hand log with cards",
            FileKind.CELLS: "counts by cells",
            FileKind.BETS: "counts of bets alone",
            FileKind.RESULTS: "results only (Player, Banker, tie)",
        }[self]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """A contradiction or a test that shows a fault: the rounds that it needs, and the power of a run of rounds.

    ``rounds`` is None if no number of rounds is enough; ``power`` is None without a run.
    """

    subject: str
    what: str
    rounds: int | None
    power: Fraction | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcePower:
    """The power of one kind of file. ``tests``: the number of its tests; ``sights``: the best first."""

    source: FileKind
    tests: int
    contradiction: Fraction
    sights: tuple[Sight, ...]

    @property
    def best(self) -> Sight | None:
        """The test or contradiction that shows the fault first, or None."""
        return next((sight for sight in self.sights if sight.rounds is not None), None)

    @property
    def power(self) -> Fraction | None:
        """The power of a run of ``rounds``, by the best test or contradiction."""
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
