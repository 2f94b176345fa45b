"""The subject of a figure in the records of a dossier.

A record of the dossier lists in ``FIGURES`` the properties that belong to it. They are computed once and kept, so
that every document shows the very number that stands in the dossier.
"""

from dataclasses import dataclass

from combinat.rules.insurance import State


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureSubject:
    """A bet, a state, or insurance at some odds (under a procedure that has limits of its own)."""

    bet: str | None = None
    state: State | None = None
    odds: str | None = None
    procedure: str | None = None

    def __str__(self) -> str:
        if self.odds is not None:
            return f"insurance at {self.odds}" + (f" under {self.procedure}" if self.procedure else "")
        return str(self.state) if self.state is not None else self.bet or ""
