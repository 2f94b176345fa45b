"""The sheet of checks: the odds are the document's, the ways add up, the figures are the exact ones."""

from collections.abc import Sequence

from combinat.certify.dossier import Dossier
from combinat.render.xlsx.book import Book
from combinat.render.xlsx.cells import Live, SheetCell, Styled, cell_at
from combinat.render.xlsx.sheet import Sheet, columns_of
from combinat.report.analysis.odds import decks_in_words
from combinat.report.workbook.inputs import Inputs
from combinat.report.workbook.outcomes import Outcomes
from combinat.report.workbook.summary import Summary
from combinat.report.workbook.words import CHANGED, CHECKS, FAILS, HOLDS, HOLDS_AS_FAR

COLUMNS = """
    What is checked         | 66 | text
    Checks                  | 12 | whole
    that hold               | 12 | whole
    skipped: other odds     | 24 | whole
"""
DIGITS = 7
"""So many last digits of a product are worked out exactly."""


def write_checks(
    book: Book, dossier: Dossier, inputs: Inputs, outcomes: Outcomes, summary: Summary, insurance: str | None
) -> None:
    """Write how many checks of each kind there are and hold, and the card sequences of every shoe."""
    columns = columns_of(COLUMNS)
    sheet = Sheet(book, CHECKS, "Checks", [*columns, *columns_of("- | 24 | count\n - | 12 | check")])
    for place in (4, 5):
        sheet.write(Sheet.HEAD, place, None, "text")
    number, bets, states = len(dossier.shoes), len(dossier.reference.bets), len(dossier.reference.insurance)
    first = sheet.next
    totals = first + (5 if insurance else 4) + 3
    sequences = f"{cell_at(totals, 5)}:{cell_at(totals + number - 1, 5)}"
    rows: list[tuple[str, int, str]] = [
        ("The odds used are those of the document's text", len(inputs.rows), inputs.checks),
        ("The card sequences of a shoe of N cards are N(N-1)(N-2)(N-3)(N-4)(N-5)", number, sequences),
        ("The ways of a bet's outcomes add up to all card sequences", bets * number, summary.adds_up),
        ("The house edge of a bet is the exact one", bets * number, summary.is_exact),
    ]
    if insurance:
        rows.append(("The expected value of an insurance state is the exact one", states * number, insurance))
    for place, (what, count, cells) in enumerate(rows):
        row = sheet.next
        aside = f"=B{row}-C{row}" if not place else f'=COUNTIF({cells},"{CHANGED}")'
        hold = f"=COUNTIF({cells},TRUE)" if count else "=0"
        sheet.row(what, count, Live(hold, count), Live(aside, 0))
    last = sheet.next - 1
    sums = [Live(f"=SUM({letter}{first}:{letter}{last})", sum(row[1] for row in rows)) for letter in "BC"]
    total = sheet.row("all", *sums, Live(f"=SUM(D{first}:D{last})", 0), style="total")
    verdict = f'=IF(B{total}=C{total},"{HOLDS}",IF(B{total}=C{total}+D{total},"{HOLDS_AS_FAR}","{FAILS}"))'
    sheet.write(2, 0, Live(verdict, HOLDS), "bold")
    sheet.next += 1
    _write_sequences(sheet, dossier, outcomes)
    sheet.next += 1
    for text in _NOTES:
        sheet.paragraph(text)
    sheet.finish()


_NOTES = (
    "The odds used are compared with the odds as the document prints them: 1.5 with 3 to 2. If you changed them, the checks of figures "
    "that follow from them are skipped, and all other checks still count.",
    "Ways are added in two parts, so that a difference of one card sequence is found although a count has more digits than Excel keeps.",
    f"The product N(N-1)...(N-5) is computed twice: as a number, to 13 digits, and its last {DIGITS} digits exactly.",
    "A figure counts as exact if the formula and the fraction of analysis.json differ by at most 1 in 10^12.",
)


def _write_sequences(sheet: Sheet, dossier: Dossier, outcomes: Outcomes) -> None:
    """Write the number of card sequences of every shoe, worked out and counted."""
    sheet.heads(
        *("Shoe", "Cards N", f"Last {DIGITS} digits", "N(N-1)...(N-5)", "Card sequences counted", "Equal")
    )
    first = sheet.next
    for place, shoe in enumerate(dossier.shoes):
        _write_shoe(
            sheet, 52 * shoe.decks, shoe.sample_space, decks_in_words(shoe.decks), outcomes.text(place)
        )
    sheet.mark_false((first, sheet.next - 1), 5)


def _write_shoe(sheet: Sheet, size: int, space: int, name: str, text: str) -> None:
    row, power = sheet.next, 10**DIGITS
    factors: Sequence[str] = [f"(B{row}-{less})" for less in range(1, 6)]
    product, digits = f"B{row}", f"B{row}"
    for factor in factors:
        product, digits = f"{product}*{factor}", f"MOD({digits}*{factor},{power})"
    check: SheetCell = Live(
        f"=AND(ABS(D{row}/VALUE(E{row})-1)<1E-13,C{row}=VALUE(RIGHT(E{row},{DIGITS})))",
        True,
    )
    sheet.row(
        name,
        size,
        Live(f"={digits}", space % power),
        Styled(Live(f"={product}", float(space)), "whole"),
        Live(f"={text}", str(space)),
        check,
    )
