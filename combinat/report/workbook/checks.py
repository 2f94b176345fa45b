"""The sheet of checks: the odds are the document's, the ways add up, the figures are the exact ones."""

from collections.abc import Iterator

from combinat.render.xlsx import Live, Sheet
from combinat.report.analysis.odds import decks_in_words
from combinat.report.workbook.columns import (
    ADDS_UP_AT,
    AS_DOCUMENT,
    CHECK_COLUMNS,
    CHECKS,
    EDGE_IS_EXACT_AT,
    INPUTS,
    INSURANCE,
    OUTCOMES,
    SUMMARY,
    VALUE_IS_EXACT_AT,
    WAYS,
)
from combinat.report.workbook.pages import CHANGED, HOLDS, SPACE, Pages

HOLDS_AS_FAR = f"Every check holds that applies; odds were changed on the sheet {INPUTS}."
FAILS = "NOT EVERY CHECK HOLDS."

DIGITS = 7
"""The number of last digits of a product that are computed exactly."""

NOTES = (
    "The odds used are compared with the odds as the document prints them: 1.5 with 3 to 2. If you changed them, the checks "
    "of figures that follow from them are skipped, and all other checks still count.",
    "Ways are added in two parts, so that a difference of one card sequence is found although a count has more digits than "
    "Excel keeps.",
    f"The product N(N-1)...(N-5) is computed twice: as a number, to 13 digits, and its last {DIGITS} digits exactly.",
    "A figure counts as exact if the formula and the fraction of analysis.json differ by at most 1 in 10^12.",
)


def write_checks(pages: Pages) -> None:
    """Write how many checks of each kind there are and hold, and the card sequences of every shoe."""
    sheet = Sheet(pages.book, CHECKS, "Checks", CHECK_COLUMNS)
    for place in (4, 5):
        sheet.write(Sheet.HEAD, place, None, "text")
    first = sheet.next
    rows = list(_checks(pages, first))
    for what, count, cells in rows:
        row = sheet.next
        skipped = f"=B{row}-C{row}" if row == first else f'=COUNTIF({cells},"{CHANGED}")'
        hold = f"=COUNTIF({cells},TRUE)" if count else "=0"
        sheet.row(what, count, Live(hold, count), Live(skipped, 0))
    sums = [
        Live(f"=SUM({letter}{first}:{letter}{sheet.next - 1})", sum(row[1] for row in rows))
        for letter in "BC"
    ]
    total = sheet.row("all", *sums, Live(f"=SUM(D{first}:D{sheet.next - 1})", 0), style="total")
    verdict = f'=IF(B{total}=C{total},"{HOLDS}",IF(B{total}=C{total}+D{total},"{HOLDS_AS_FAR}","{FAILS}"))'
    sheet.write(2, 0, Live(verdict, HOLDS), "bold")
    sheet.next += 1
    _write_sequences(pages, sheet)
    sheet.next += 1
    for text in NOTES:
        sheet.paragraph(text)
    sheet.finish()


def _checks(pages: Pages, first: int) -> Iterator[tuple[str, int, str]]:
    """Yield every kind of check: its words, how many there are, and their cells."""
    shoes, shoe, inputs = len(pages.shoes), pages.dossier.reference, pages.sheets[INPUTS]
    bets, states = len(shoe.bets), len(shoe.insurance)
    top = Sheet.HEAD + 1
    last = max(pages.odds_rows.values(), default=top)
    as_document = inputs.far(f"{inputs.cell(AS_DOCUMENT, top)}:{inputs.cell(AS_DOCUMENT, last)}")
    yield "The odds used are those of the document's text", len(pages.odds_rows), as_document
    sequences = first + (5 if states else 4) + 3
    yield (
        *("The card sequences of a shoe of N cards are N(N-1)(N-2)(N-3)(N-4)(N-5)", shoes),
        f"$F${sequences}:$F${sequences + shoes - 1}",
    )
    for what, head in (
        ("The ways of a bet's outcomes add up to all card sequences", ADDS_UP_AT),
        ("The house edge of a bet is the exact one", EDGE_IS_EXACT_AT),
    ):
        yield what, bets * shoes, pages.block(SUMMARY, head, top, top + bets - 1)
    if states:
        cells = pages.block(INSURANCE, VALUE_IS_EXACT_AT, top, top + states - 1)
        yield "The expected value of an insurance state is the exact one", states * shoes, cells


def _write_sequences(pages: Pages, sheet: Sheet) -> None:
    """Write the number of card sequences of every shoe, computed and counted."""
    sheet.heads(
        *("Shoe", "Cards N", f"Last {DIGITS} digits", "N(N-1)...(N-5)", "Card sequences counted", "Equal")
    )
    first, power, outcomes = sheet.next, 10**DIGITS, pages.sheets[OUTCOMES]
    for shoe, head in zip(pages.dossier.shoes, pages.heads(WAYS), strict=True):
        row = sheet.next
        product = digits = f"B{row}"
        for less in range(1, 6):
            product, digits = f"{product}*(B{row}-{less})", f"MOD({digits}*(B{row}-{less}),{power})"
        equal = f"=AND(ABS(D{row}/VALUE(E{row})-1)<1E-13,C{row}=VALUE(RIGHT(E{row},{DIGITS})))"
        sheet.row(
            *(decks_in_words(shoe.decks), 52 * shoe.decks),
            Live(f"={digits}", int(shoe.sample_space) % power),
            Live(f"={product}", float(shoe.sample_space)),
            Live(f"={outcomes.far(outcomes.cell(head, SPACE))}", str(shoe.sample_space)),
            Live(equal, True),
        )
    sheet.mark_false(" ", " ", first)
