"""Pictures as data: the exact values that a picture shows, without any drawing.

Every value is a share (1/40 is drawn as 2.5 per cent); None is a value that does not exist.
"""

from dataclasses import dataclass
from fractions import Fraction

MOST_PANELS, MOST_RANGES = 21, 45
"""Maximum number of panels or ranges in a picture, so that it fits one page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A bar: up for a gain, down for a loss."""

    label: str
    value: Fraction | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BarPanel:
    """Bars that share one scale, under a title of their own."""

    title: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """Small panels of bars, three across, each with a scale of its own."""

    title: str
    across_title: str
    down_title: str
    panels: tuple[BarPanel, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LinePanel:
    """Values at whole numbers, in ascending order, joined by a line."""

    title: str
    points: tuple[tuple[int, Fraction], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """Small panels of lines, three across, each with a scale of its own; ``is_narrow``: two, as wide as a phone."""

    title: str
    across_title: str
    down_title: str
    panels: tuple[LinePanel, ...]
    is_narrow: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """From where to where a value goes, and its middle; ``favours``: somewhere it is on the player's side."""

    label: str
    low: Fraction
    middle: Fraction
    high: Fraction
    favours: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranges:
    """Ranges under one another, on one scale; ``is_of_the_house``: what is above zero is the house's gain."""

    title: str
    across_title: str
    rows: tuple[Range, ...]
    is_of_the_house: bool = False


Drawing = Bars | Lines | Ranges
