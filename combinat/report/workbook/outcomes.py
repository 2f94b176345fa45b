"""The sheet of outcomes: every bet, its outcomes and their ways, at a number of decks that is chosen on it."""

from collections.abc import Mapping
from dataclasses import dataclass

from combinat.analysis.bets import BetAnalysis
from combinat.certify.dossier import Dossier
from combinat.render.xlsx.book import Book
from combinat.render.xlsx.cells import LOW, Live, SheetCell, cell_at, high_part, low_part
from combinat.render.xlsx.sheet import Sheet, columns_of
from combinat.report.workbook.inputs import Inputs
from combinat.report.workbook.words import NEVER, OUTCOME_COLUMNS, OUTCOMES, WAYS_NOTE, by_decks, name_column

PRINTED = 9
SPACE = 4
"""The row of all card sequences."""

NET, PROBABILITY = 3, 6
"""The columns of the net used and of the probability."""

CHOSEN = f"'{OUTCOMES}'!$B$2"
"""The number of decks that is chosen."""


@dataclass(frozen=True)
class OutcomeLines:
    """The rows of a bet's outcomes, and of their total."""

    first: int
    last: int
    total: int


@dataclass(frozen=True)
class Outcomes:
    """Where things stand on the sheet: the outcomes of every bet by its id, and the shoes."""

    decks: int
    lines: Mapping[str, OutcomeLines]

    @property
    def which(self) -> str:
        """The cell that says which of the numbers of decks is chosen, counted from 1."""
        return f"'{OUTCOMES}'!{cell_at(2, PRINTED + self.decks)}"

    def sequences(self, shoe: int) -> str:
        """The number of card sequences of a shoe."""
        high, low = (f"'{OUTCOMES}'!{cell_at(SPACE, place)}" for place in self.parts(shoe))
        return f"({high}*{10**LOW}+{low})"

    def text(self, shoe: int) -> str:
        """The cell with the number of card sequences of a shoe, as text."""
        return f"'{OUTCOMES}'!{cell_at(SPACE, PRINTED + shoe)}"

    def parts(self, shoe: int) -> tuple[int, int]:
        """The columns of the high and of the low parts of a shoe's ways."""
        return PRINTED + self.decks + shoe, PRINTED + 2 * self.decks + shoe

    def of(self, bet: str, place: int) -> str:
        """A column of a bet's outcomes."""
        lines = self.lines[bet]
        return f"'{OUTCOMES}'!{cell_at(lines.first, place)}:{cell_at(lines.last, place)}"


def write_outcomes(book: Book, dossier: Dossier, inputs: Inputs) -> Outcomes:
    """Write the outcomes of every bet, with the ways at every number of decks beside them."""
    decks, number = dossier.decks, len(dossier.decks)
    columns = [name_column(dossier)]
    columns += columns_of(
        OUTCOME_COLUMNS,
        Ways=WAYS_NOTE,
        Fraction="the ways out of all card sequences; not in lowest terms.",
        Contribution="net used x probability; their total is the expected value.",
    )
    beside = [
        *by_decks("Ways, ", decks, 20, "count"),
        *by_decks("High part, ", decks, 14, "whole"),
        *by_decks("Low part, ", decks, 12, "whole"),
    ]
    title = Live('="Outcomes of every bet, "&$B$2&IF($B$2=1," deck"," decks")', _title(dossier))
    sheet = Sheet(book, OUTCOMES, title, columns, beside, frozen=2, large=True)
    _write_choice(sheet, dossier)
    spaces = [int(shoe.sample_space) for shoe in dossier.shoes]
    shown = _Shown(number, dossier.decks.index(dossier.reference_decks))
    sheet.row(
        *("all card sequences", None, None, None, shown.text(SPACE, spaces), None, None, None, None),
        *shown.beside(SPACE, spaces),
        style="block",
    )
    lines = {
        bets[0].id: _write_bet(sheet, bets, spaces, inputs, shown)
        for bets in zip(*(shoe.bets for shoe in dossier.shoes), strict=True)
    }
    sheet.finish()
    return Outcomes(number, lines)


def _title(dossier: Dossier) -> str:
    decks = dossier.reference_decks
    return f"Outcomes of every bet, {decks} deck{'' if decks == 1 else 's'}"


def _write_choice(sheet: Sheet, dossier: Dossier) -> None:
    """Write the number of decks that is chosen, and which of the numbers it is."""
    number, reference = len(dossier.decks), dossier.reference_decks
    sheet.write(2, 0, "Number of decks:", "bold")
    sheet.write(2, 1, reference, "decks in")
    sheet.write(2, 2, "chosen in the marked cell, for this sheet, Summary and Insurance", "text")
    sheet.input_list(2, 1, dossier.decks, ("Number of decks", "One of those that the report is about."))
    for place, decks in enumerate(dossier.decks):
        sheet.write(2, PRINTED + place, decks, "whole")
    listed = f"{cell_at(2, PRINTED)}:{cell_at(2, PRINTED + number - 1)}"
    which = dossier.decks.index(reference) + 1
    sheet.write(2, PRINTED + number, Live(f"=MATCH($B$2,{listed},0)", which), "whole")


@dataclass(frozen=True)
class _Shown:
    """The ways of a row at every number of decks, and those at the number chosen."""

    decks: int
    chosen: int

    def text(self, row: int, ways: list[int]) -> Live:
        """The ways at the number of decks chosen, as text."""
        return Live(self._chosen(row, PRINTED), str(ways[self.chosen]))

    def number(self, row: int) -> str:
        """The same as a number."""
        high, low = (self._chosen(row, PRINTED + part * self.decks)[1:] for part in (1, 2))
        return f"({high}*{10**LOW}+{low})"

    def beside(self, row: int, ways: list[int]) -> list[SheetCell]:
        """The ways as text, and the parts in which a text is read."""
        texts = [f"{cell_at(row, PRINTED + place)}" for place in range(self.decks)]
        return [
            *map(str, ways),
            *(high_part(text, count) for text, count in zip(texts, ways, strict=True)),
            *(low_part(text, count) for text, count in zip(texts, ways, strict=True)),
        ]

    def _chosen(self, row: int, first: int) -> str:
        cells = f"{cell_at(row, first)}:{cell_at(row, first + self.decks - 1)}"
        return f"=INDEX({cells},1,{cell_at(2, PRINTED + self.decks)})"


def _write_bet(
    sheet: Sheet, bets: tuple[BetAnalysis, ...], spaces: list[int], inputs: Inputs, shown: _Shown
) -> OutcomeLines:
    """Write a bet's outcomes and their total; ``bets``: the bet on every shoe."""
    bet, first = bets[shown.chosen], sheet.next
    for number, line in enumerate(bet.outcomes):
        row, key = sheet.next, (bet.id, number)
        ways = [int(at.outcomes[number].ways) for at in bets]
        net: SheetCell = Live(f"={inputs.used(key)}", line.net) if key in inputs.rows else line.net
        fair = (1 - line.probability) / line.probability if line.probability else NEVER
        sheet.row(
            *(bet.name, line.name, line.odds or None, net, shown.text(row, ways)),
            Live(f'=E{row}&"/"&$E${SPACE}', f"{line.ways}/{spaces[shown.chosen]}"),
            Live(f"={shown.number(row)}/{shown.number(SPACE)}", line.probability),
            Live(f'=IF(G{row}>0,(1-G{row})/G{row},"{NEVER}")', fair),
            Live(f"=D{row}*G{row}", line.contribution),
            *shown.beside(row, ways),
        )
    total = sheet.next
    sums = (
        Live(f"=SUM({letter}{first}:{letter}{total - 1})", value)
        for letter, value in (("G", bet.total_probability), ("I", bet.expected_value))
    )
    probability, mean = sums
    sheet.row(bet.name, "expected value", *[None] * 4, probability, None, mean, style="total")
    return OutcomeLines(first, total - 1, total)
