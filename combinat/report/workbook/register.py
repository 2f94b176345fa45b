"""The sheets on what was read and what follows in general: the interpretation register, the closed forms."""

from combinat.analysis.dossier import Dossier
from combinat.analysis.readings import Difference, Measure
from combinat.render.xlsx.book import Book
from combinat.render.xlsx.cells import SheetCell, Styled
from combinat.render.xlsx.sheet import Sheet, SheetColumn, columns_of
from combinat.report.odds import decks_in_words
from combinat.report.readings import nothing_changes
from combinat.report.workbook.words import FORMULAS, INTERPRETATIONS
from combinat.rules.game import Game


def write_interpretations(book: Book, dossier: Dossier, game: Game) -> None:
    """Write the register: every entry in words, and every figure that the other reading changes."""
    heads = ("As read", "Otherwise", "Change")
    columns = [
        *(SheetColumn("For", 46), SheetColumn("Figure", 42)),
        *(SheetColumn(head, 13, "signed") for head in heads),
        *(SheetColumn(f"{head}, exact", 38, "exact") for head in heads),
    ]
    title = f"Interpretation register; effects with {decks_in_words(dossier.reference_decks)}"
    sheet = Sheet(book, INTERPRETATIONS, title, columns)
    differences = {reading.entry: reading.differences for reading in dossier.readings}
    for entry in game.interpretations:
        sheet.row(entry.id, f"clause {', '.join(entry.clauses)}", style="block")
        sheet.paragraph(f"Question: {entry.question}")
        sheet.paragraph(f"Reading: {entry.reading}")
        sheet.paragraph(f"Otherwise: {entry.otherwise}")
        changed = [difference for difference in differences[entry.id] if difference.change != 0]
        for difference in changed:
            _write_difference(sheet, difference)
        if not changed:
            sheet.row(nothing_changes(entry))
    sheet.finish(filtered=False)


def _write_difference(sheet: Sheet, difference: Difference) -> None:
    signed = (Measure.EXPECTED_VALUE, Measure.UNTIL_DECIDED)
    style = "signed" if difference.measure in signed else "decimal"
    shown: list[SheetCell] = []
    exact: list[SheetCell] = []
    for value in (difference.read, difference.otherwise, difference.change):
        shown.append(Styled("none" if value is None else value, style))
        exact.append(None if value is None else str(value))
    sheet.row(str(difference.subject), difference.measure.in_words, *shown, *exact)


def write_formulas(book: Book, dossier: Dossier) -> None:
    """Write the closed forms by their coefficients."""
    columns = columns_of(
        """
        Of          | 46 | text
        Figure      | 24 | text
        Limit       | 12 | decimal
        Exact limit | 26 | exact
        Numerator   | 72 | exact
        Denominator | 72 | exact
        """,
        Numerator="the coefficients of the powers of n, the number of decks, the lowest power first.",
        Limit="what the figure tends to as the number of decks grows.",
    )
    title = "Closed forms in the number of decks n: numerator / denominator"
    sheet = Sheet(book, FORMULAS, title, columns, frozen=2)
    for forms in dossier.formulas:
        for formula in forms.formulas:
            sides = (" ".join(map(str, side)) for side in (formula.numerator, formula.denominator))
            limit = formula.limit
            sheet.row(str(forms.subject), formula.name, limit, str(limit), *sides)
    sheet.finish()
