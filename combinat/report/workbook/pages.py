"""The sheets of a workbook being written: their columns, and the cells that formulas refer to.

A head with ``{decks}`` stands for one column for each number of decks.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from combinat.certify.dossier import Dossier
from combinat.certify.filing import Issue
from combinat.render.xlsx import Book, Live, Sheet, SheetColumn, both_parts
from combinat.report.analysis.odds import decks_in_words
from combinat.rules.game import Game
from combinat.rules.insurance import InsuranceTable, Offer

INPUTS, SUMMARY, OUTCOMES = "Inputs", "Summary", "Outcomes"
INSURANCE, JOINT, CHECKS = "Insurance", "Joint", "Checks"
CONTENTS = {
    INPUTS: "the odds that every other sheet uses",
    SUMMARY: "every bet: hit frequency and house edge, at every number of decks",
    OUTCOMES: "every outcome of every bet, at the number of decks selected there",
    INSURANCE: "every insurance state at that number of decks, and its expected value at every number",
    JOINT: "correlations between the bets of one round",
    CHECKS: "whether the odds are those of the document, the ways add up, and the figures are exact",
}
"""The sheets in their order, with the content of each."""

USED, AS_DOCUMENT = "Odds used, to 1", "As in the document"
NET, PROBABILITY, MEAN = "Net used", "Probability", "Contribution to return"
WAYS, HIGH, LOW_PART = "Ways, {decks}", "High part, {decks}", "Low part, {decks}"
# ---------------------------------------------------------------- cells

Key = tuple[str, int] | tuple[InsuranceTable, Offer]
"""A line of odds: of a bet by its id and the line's number, or of an insurance table."""

SPACE = 4
"""The row of all card sequences on the sheet of outcomes."""

HOLDS, CHANGED, NEVER = "Every check holds.", "odds changed", "never"
CHOSEN = f"'{OUTCOMES}'!$B$2"
"""The number of decks selected on the sheet of outcomes."""


@dataclass(frozen=True)
class Pages:
    """The sheets of a workbook, and the rows that formulas of other sheets refer to."""

    dossier: Dossier
    game: Game
    issue: Issue
    book: Book
    sheets: dict[str, Sheet] = field(default_factory=dict)
    odds_rows: dict[Key, int] = field(default_factory=dict)
    bet_rows: dict[str, tuple[int, int]] = field(default_factory=dict)
    """The first and the last row of a bet's outcomes; the row of their total is the next."""

    @property
    def chosen(self) -> int:
        """The place of the reference shoe among the shoes."""
        return self.dossier.decks.index(self.dossier.reference_decks)

    @property
    def shoes(self) -> range:
        """The places of the shoes."""
        return range(len(self.dossier.decks))

    def heads(self, head: str) -> list[str]:
        """Return the heads of the columns for each number of decks."""
        return [head.format(decks=decks_in_words(number)) for number in self.dossier.decks]

    def columns(self, columns: Iterable[SheetColumn], *, named: bool = False) -> list[SheetColumn]:
        """Return the columns, those by number of decks repeated; ``named``: after one for the names of bets."""
        longest = max(len(bet.name) for bet in self.dossier.reference.bets)
        names = [SheetColumn("Bet", min(max(24, longest + 2), 80))] if named else []
        return names + [
            column._replace(head=head)
            for column in columns
            for head in (self.heads(column.head) if "{decks}" in column.head else [column.head])
        ]

    def title(self, words: str) -> Live:
        """Return the title of a sheet, which ends with the number of decks selected."""
        return Live(
            f'="{words}"&{CHOSEN}&IF({CHOSEN}=1," deck"," decks")',
            f"{words}{decks_in_words(self.dossier.reference_decks)}",
        )

    def across(self, name: str, head: str, row: int) -> str:
        """Return the cells of a row for every number of decks."""
        heads = self.heads(head)
        return self.sheets[name].span(heads[0], heads[-1], row)

    def block(self, name: str, head: str, first: int, last: int) -> str:
        """Return the cells of some rows for every number of decks, for formulas of other sheets."""
        sheet, heads = self.sheets[name], self.heads(head)
        return sheet.far(f"{sheet.cell(heads[0], first)}:{sheet.cell(heads[-1], last)}")

    # ------------------------------------------------------------ the sheets of inputs and outcomes

    def used(self, key: Key) -> str:
        """Return the cell with the odds used on a line."""
        inputs = self.sheets[INPUTS]
        return inputs.far(inputs.cell(USED, self.odds_rows[key]))

    def is_changed(self, keys: Sequence[Key]) -> str:
        """Return whether the odds used on any of some lines, which are consecutive, differ from the document's."""
        if not keys:
            return "FALSE"
        inputs = self.sheets[INPUTS]
        first, last = (inputs.cell(AS_DOCUMENT, self.odds_rows[key]) for key in (keys[0], keys[-1]))
        return f"NOT(AND({inputs.far(f'{first}:{last}')}))"

    @property
    def which(self) -> str:
        """The cell with the place, from 1, of the number of decks selected."""
        outcomes = self.sheets[OUTCOMES]
        return outcomes.far(outcomes.cell(self.heads(HIGH)[0], 2))

    def sequences(self, shoe: int) -> str:
        """Return the number of card sequences of a shoe."""
        outcomes = self.sheets[OUTCOMES]
        heads = (self.heads(HIGH)[shoe], self.heads(LOW_PART)[shoe])
        return both_parts(*(outcomes.far(outcomes.cell(head, SPACE)) for head in heads))

    def of_bet(self, bet: str, head: str) -> str:
        """Return a column of a bet's outcomes."""
        outcomes, (first, last) = self.sheets[OUTCOMES], self.bet_rows[bet]
        return outcomes.far(f"{outcomes.cell(head, first)}:{outcomes.cell(head, last)}")


def is_exact(live: str, exact: str, changed: str) -> str:
    """Return a formula for whether a figure equals the exact fraction, given as text; skipped if odds were changed."""
    at = f'FIND("/",{exact})'
    value = f"IFERROR(VALUE(LEFT({exact},{at}-1))/VALUE(MID({exact},{at}+1,99)),VALUE({exact}))"
    return f'IF({changed},"{CHANGED}",ABS({live}-{value})<=1E-12*MAX(1,ABS({value})))'
