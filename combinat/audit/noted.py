"""What a replay notes of a log's rows: how many have which fault, and the first of each kind to be shown."""

from dataclasses import dataclass, field

from combinat.analysis.verdict import RowFault, WrongSettlement
from combinat.audit.notation import Notation, cards_in
from combinat.audit.rows import Rows
from combinat.base.errors import quoted
from combinat.rules.cards import Rank

SHOWN = 10
"""How many rows of each kind of fault are kept to be shown."""

HANDS = ("player_cards", "banker_cards")


@dataclass(slots=True)
class Noted:
    """The rows so far. ``declared``: results that they declare beside their cards; ``missing``: numbers in gaps."""

    rows: int = 0
    unreadable: int = 0
    repeated: int = 0
    impossible: int = 0
    declared: int = 0
    misdeclared: int = 0
    wrong: int = 0
    gaps: int = 0
    missing: int = 0
    first_unreadable: list[RowFault] = field(default_factory=list)
    first_repeated: list[RowFault] = field(default_factory=list)
    first_impossible: list[RowFault] = field(default_factory=list)
    first_misdeclared: list[RowFault] = field(default_factory=list)
    first_gaps: list[RowFault] = field(default_factory=list)
    first_wrong: list[WrongSettlement] = field(default_factory=list)

    def add_unreadable(self, count: int, faults: list[RowFault]) -> None:
        """So many rows cannot be read, the first of which are these."""
        self.unreadable += count
        self.first_unreadable = sorted([*self.first_unreadable, *faults])[:SHOWN]

    def add_repeated(self, count: int, faults: list[RowFault]) -> None:
        """So many rows give a round again, the first of which are these."""
        self.repeated += count
        self.first_repeated = sorted([*self.first_repeated, *faults])[:SHOWN]

    def forget_first(self) -> None:
        """What was shown is not shown again."""
        self.first_unreadable, self.first_impossible, self.first_misdeclared = [], [], []
        self.first_gaps, self.first_wrong, self.first_repeated = [], [], []


def row_fault(rows: Rows, row: int, message: str) -> RowFault:
    """What is wrong with a row, as it is shown."""
    return RowFault(
        line=int(rows.lines[row]),
        round=round_name(rows, row),
        cards=cards_shown(rows, row),
        message=quoted(message),
    )


def round_name(rows: Rows, row: int) -> str:
    """What a row calls its round: by the log's own name for it where it has one, and its table."""
    frame = rows.frame
    name = quoted(frame["id" if "id" in frame.columns else "round"][row] or "")
    return f"{quoted(frame['table'][row] or '')} {name}".strip() if "table" in frame.columns else name


def cards_shown(rows: Rows, row: int) -> str:
    """The cards of a row, as it writes them."""
    player, banker = (quoted(rows.frame[name][row] or "nothing") for name in HANDS)
    return f"Player {player}, Banker {banker}"


def hands_of(rows: Rows, row: int) -> list[tuple[Rank, ...]]:
    """The cards of a row that was read."""
    return [cards_in(rows.frame[name][row], Notation.RANK) for name in HANDS]
