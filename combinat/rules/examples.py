"""Statements of a rule book that can be checked: rounds with the line that covers them, and published figures."""

import re
from fractions import Fraction

import msgspec

from combinat.base.errors import InputError
from combinat.rules.bounds import DIGITS
from combinat.rules.odds import Text, as_written

_FIGURE = rf"(?a)(-?\d{{1,{DIGITS}}}(?:\.(\d{{1,{DIGITS}}}))?)(%?)"


class ExampleRound(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A finished round, and the line of a bet's pay table that covers it.

    ``line``: its name; ``wins`` where the only line has none; ``loses``, or ``returned``, where no line covers it.
    """

    player: Text
    """The cards of the Player Hand, such as K 5 3."""
    banker: Text
    """The cards of the Banker Hand."""
    bet: Text
    """The bet."""
    line: Text
    """The line that applies: its name (wins if the only line has none), loses or returned."""


class Published(str):
    """A figure as it is printed, with the digits that it is good for: ``"7.611%"``, ``"-0.0761"``.

    >>> Published.parse("7.61%").value, Published.parse("7.61%").half_digit
    (Fraction(761, 10000), Fraction(1, 20000))
    """

    EXPECTED = 'a figure in quotes, such as "7.611%"'
    __slots__ = ("half_digit", "value")
    value: Fraction
    half_digit: Fraction

    @classmethod
    def parse(cls, written: object) -> "Published":
        """The figure that a rule book states."""
        match = re.fullmatch(_FIGURE, written) if isinstance(written, str) else None
        if match is None:
            raise InputError(
                f"found {as_written(written)}; write a figure in quotes with the digits that it is good for, "
                'such as "7.611%" or "-0.0761"'
            )
        figure, parts = cls(written), 100 if match[3] else 1
        figure.value = Fraction(match[1]) / parts
        figure.half_digit = Fraction(1, 2 * 10 ** len(match[2] or "") * parts)
        return figure

    def is_met_by(self, exact: Fraction) -> bool:
        """Whether an exact value, rounded to these digits, is this figure; a half may go either way.

        >>> Published.parse("7.61%").is_met_by(Fraction("0.0761499")), Published.parse("7.61%").is_met_by(Fraction("0.07616"))
        (True, False)
        """
        return abs(exact - self.value) <= self.half_digit


FIGURES = ("house_edge", "expected_value", "return_to_player", "hit_frequency", "probability")


class Expect(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A published figure of a bet on a fresh shoe, and where it is published: one of these figures.

    ``probability`` is that of a line, which ``line`` names as an example does.
    """

    bet: Text
    """The bet."""
    decks: int
    """The decks of the fresh shoe."""
    source: Text
    """Where the figure is published."""
    line: str = ""
    """The line whose probability it is."""
    house_edge: Published | None = None
    """The house edge as printed."""
    expected_value: Published | None = None
    """The expected value as printed."""
    return_to_player: Published | None = None
    """The return to the player as printed."""
    hit_frequency: Published | None = None
    """The hit frequency as printed."""
    probability: Published | None = None
    """The probability of the line as printed."""

    @property
    def figures(self) -> dict[str, Published]:
        """The figures that it states, by name."""
        stated = {name: getattr(self, name) for name in FIGURES}
        return {name: figure for name, figure in stated.items() if figure is not None}
