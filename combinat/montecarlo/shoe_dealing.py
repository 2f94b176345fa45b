"""How a whole shoe is dealt: which cards are burnt first, where the cut card lies, how many rounds follow it."""

import re
from dataclasses import dataclass

from combinat.base.errors import InputError, shortened

ROUND = 6
"""The most cards that a round takes."""

MOST_AFTER = 10
"""The most rounds that may follow the one in which the cut card comes."""

MOST_BURNT = 100
"""The most cards that a burn rule may name."""

FIRST_CARD = "first-card"
NONE = "none"
_NUMBER = re.compile(r"[1-9]\d{0,2}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Burn:
    """The cards that leave a shoe before its first round.

    ``first_card``: the first is turned over, and as many as its value follow it face down (ten for 10, J, Q, K).
    Else so many ``cards`` go face down. Nobody sees what lies face down.
    """

    first_card: bool = False
    cards: int = 0

    @classmethod
    def parse(cls, text: str) -> "Burn":
        """The rule that a text names.

        >>> str(Burn.parse("first-card")), str(Burn.parse("none")), Burn.parse("5").most
        ('first-card', 'none', 5)
        """
        if text == FIRST_CARD:
            return cls(first_card=True)
        if text == NONE:
            return cls()
        if _NUMBER.fullmatch(text) and int(text) <= MOST_BURNT:
            return cls(cards=int(text))
        raise InputError(
            f'found "{shortened(text)}"; write {FIRST_CARD} (it is shown, and its value in cards is burnt), '
            f"{NONE}, or a number of cards up to {MOST_BURNT}"
        )

    @property
    def most(self) -> int:
        """The most cards that it takes."""
        return 11 if self.first_card else self.cards

    @property
    def in_words(self) -> str:
        """The rule as a phrase."""
        if self.first_card:
            return (
                "the first card is shown, and as many as its value are burnt face down (ten for 10, J, Q, K)"
            )
        return f"{self.cards} cards are burnt face down" if self.cards else "no card is burnt"

    def __str__(self) -> str:
        return FIRST_CARD if self.first_card else str(self.cards) if self.cards else NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeDealing:
    """How a shoe is dealt. The cut card lies ``cut_card`` cards from the end.

    It has come when no more than those cards are left. The round in which that happens is finished, and
    ``after`` more are dealt: a cut card that lies on top when a round is about to begin is counted to the round before.
    """

    cut_card: int
    burn: Burn
    after: int

    def check(self, size: int) -> None:
        """Refuse what leaves no round of a shoe of this size, or one that might not be finished."""
        self.check_after()
        self.check_room(size)
        self.check_cut(size)

    def check_after(self) -> None:
        """Refuse too many rounds after the cut card."""
        if not 0 <= self.after <= MOST_AFTER:
            raise InputError(
                f"found {self.after} rounds after the cut card; write a number from 0 to {MOST_AFTER}"
            )

    def check_room(self, size: int) -> None:
        """Refuse a shoe in which no cut card leaves a round before it."""
        if self.most_cut(size) < self.least_cut():
            burnt = f" and {self.burn.most} may be burnt" if self.burn.most else ""
            raise InputError(
                f"{size} cards leave no round before a cut card: {self.least_cut()} must lie behind it{burnt}; "
                "take a larger shoe"
            )

    def check_cut(self, size: int) -> None:
        """Refuse a cut card with no round before it, or with too few cards behind it for the rounds from it on."""
        least, most = self.least_cut(), self.most_cut(size)
        if not least <= self.cut_card <= most:
            raise InputError(
                f"the cut card must lie {least} to {most} cards from the end of {size} cards, so that a round is "
                f"dealt before it and every round can be finished; found {self.cut_card}"
            )

    def least_cut(self) -> int:
        """The nearest to the end that the cut card can lie: the rounds from it on take six cards each at most.

        So it holds too where a cut card that lies on top is counted to the round that is about to begin.
        """
        return ROUND * (1 + self.after)

    def fewest_left(self) -> int:
        """The fewest cards with which a round can begin.

        Before the cut card has come, a round begins with one card more than lie behind it, or more. That round and
        those after it, but for the last, may take six cards each.

        >>> ShoeDealing(cut_card=14, burn=Burn(), after=1).fewest_left()
        9
        """
        return self.cut_card + 1 - ROUND * self.after

    def most_cut(self, size: int) -> int:
        """The furthest from the end that it can lie: a card is left before it, whatever is burnt."""
        return size - self.burn.most - 1
