"""Which rows could have been dealt: their cards are two hands, the Table of Play deals them so, the shoe holds them."""

from dataclasses import dataclass

import numpy as np

from combinat.analysis.verdict import FaultKind
from combinat.audit.faults import Faults
from combinat.audit.noted import SHOWN, Noted, hands_of, row_fault
from combinat.audit.rows import Rows
from combinat.audit.settled import Flags, Hands, Settled, played
from combinat.base.errors import RoundError
from combinat.montecarlo.cell import Indices, Six, cells
from combinat.montecarlo.tally import Tallies
from combinat.rules.cards import RANKS
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe


@dataclass(frozen=True, slots=True)
class DealtRows:
    """Rows with their hands by number and by rank, and their cells."""

    numbers: tuple[Indices, Indices]
    dealt: Six
    cells: Indices
    are_hands: Flags

    @classmethod
    def of(cls, hands: Hands, numbers: tuple[Indices, Indices]) -> "DealtRows":
        """The rows whose hands have these numbers."""
        dealt = Six(hands.ranks(numbers[0]), hands.ranks(numbers[1]))
        faults = hands.faults
        are_hands = ~hands.are(faults, numbers[0]) & ~hands.are(faults, numbers[1])
        return cls(numbers, dealt, cells(dealt), are_hands)


def unread_hands(hands: Hands, numbers: tuple[Indices, Indices]) -> dict[int, str]:
    """The rows whose cards cannot be read."""
    unread = hands.unreadable
    bad: dict[int, str] = {}
    for name, of_hand in zip(("Player Hand", "Banker Hand"), numbers, strict=True):
        for row in np.flatnonzero(hands.are(unread, of_hand)).tolist():
            message = f"{name}: {unread[int(of_hand[row])]}"
            bad[row] = f"{bad[row]}; {message}" if row in bad else message
    return bad


@dataclass(frozen=True, slots=True)
class Dealer:
    """Who says which rows of a game could have been dealt, and notes the others."""

    game: Game
    shoe: Shoe
    whole_shoes: bool
    hands: Hands
    settled: Settled
    noted: Noted
    faults: Faults

    def possible(
        self, rows: Rows, of_rows: DealtRows, shoes: Tallies, readable: Flags, over: Tallies
    ) -> Flags:
        """The readable rows that could have been dealt. ``over``: a rank of which each drew too many, or -1."""
        known = readable & of_rows.are_hands
        against = known & self.settled.impossible[of_rows.cells]
        impossible = np.flatnonzero(readable & (~known | against | (over >= 0))).tolist()
        self.noted.impossible += len(impossible)
        place = np.flatnonzero(against)
        self.faults.add_cells(rows, place, of_rows.cells[place])
        room = SHOWN - len(self.noted.first_impossible)
        for number, row in enumerate(impossible):
            clause = ""
            if not known[row]:
                message = self._no_hands(rows, row, of_rows)
            elif against[row]:
                if number >= room and not self.faults.are_listed:
                    continue
                message = self._refusal(rows, row)
                clause = self.faults.cell_cause(of_rows.cells[row]).clause
            else:
                message = self._too_many(rows, row, int(over[row]), int(shoes[row]))
            if number < room:
                self.noted.first_impossible.append(row_fault(rows, row, message))
            self.faults.add_row(rows, row, FaultKind.IMPOSSIBLE, message, clause)
        return known & ~against & (over < 0)

    def _no_hands(self, rows: Rows, row: int, of_rows: DealtRows) -> str:
        """Why the cards of a row are no two hands."""
        hands = zip(
            ("Player Hand", "Banker Hand"), (int(of_hand[row]) for of_hand in of_rows.numbers), strict=True
        )
        faults = self.hands.faults
        message = "; ".join(f"{name}: {faults[hand]}" for name, hand in hands if hand in faults)
        self.faults.causes.add(FaultKind.IMPOSSIBLE, message, 1, int(rows.lines[row]))
        return message

    def _too_many(self, rows: Rows, row: int, over: int, shoe: int) -> str:
        """That a row draws more of a rank than there were."""
        rank = RANKS[over]
        held = f"than the {self.shoe[rank]} that the shoe holds"
        alike = f"more of {rank} in one shoe {held}"
        self.faults.causes.add(FaultKind.IMPOSSIBLE, alike, 1, int(rows.lines[row]))
        return f"more of {rank} in {f'shoe {shoe}' if self.whole_shoes else 'the round'} {held}"

    def _refusal(self, rows: Rows, row: int) -> str:
        """Why the Table of Play could not have dealt this row."""
        try:
            played(self.game, *hands_of(rows, row))
        except RoundError as error:
            return str(error)
        raise AssertionError(f"row {row} can be dealt")  # its cell said otherwise
