"""How the rounds of a simulation or a log were dealt."""

from enum import StrEnum


class Dealing(StrEnum):
    """How rounds were dealt."""

    INDEPENDENT = "independent"  # a fresh shuffle for every round
    SHOES = "shoes"  # whole shoes, many rounds from each

    @property
    def in_words(self) -> str:
        """How, as a phrase."""
        return (
            "a fresh shuffle for every round" if self is Dealing.INDEPENDENT else "many rounds from each shoe"
        )
