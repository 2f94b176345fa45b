"""Betting a unit in some rounds of a shoe, and bounds on what that gains."""

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple


@dataclass(frozen=True, kw_only=True)
class Betting:
    """Betting a unit in some rounds: the share of rounds in which it is bet, and the gain a round dealt."""

    chance: Fraction
    gain: Fraction

    @property
    def edge(self) -> Fraction | None:
        """The player's average edge when the bet is made, or None if it never is."""
        return self.gain / self.chance if self.chance else None


NOTHING = Betting(chance=Fraction(0), gain=Fraction(0))


class GainRange(NamedTuple):
    """Bounds on the gain of perfect play in a round; equal where it is known exactly."""

    least: Fraction
    most: Fraction
