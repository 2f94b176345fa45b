"""The dossier as a workbook, in which a reader can recompute the figures and try other odds.

Odds are inputs, and every figure follows them by formulas. The exact values are beside the formulas, and a sheet of
checks compares the two. The same dossier gives the same bytes.
"""

from collections.abc import Iterator

from combinat import __version__
from combinat.certify.dossier import Dossier
from combinat.certify.filing import DRAFT, Issue
from combinat.render.blocks import in_words
from combinat.render.xlsx import Book, Live, Sheet, SheetCell, SheetColumn, book_bytes
from combinat.report.analysis.odds import decks_in_words
from combinat.report.filing.front_matter import control_terms, document_in_words, subject_terms
from combinat.report.phrases import DISCLAIMER, ROUNDING, hand_named, stage_named
from combinat.report.workbook.figures import (
    ADDS_UP_AT,
    EDGE_IS_EXACT_AT,
    VALUE_IS_EXACT_AT,
    write_insurance,
    write_joint,
    write_outcomes,
    write_summary,
)
from combinat.report.workbook.pages import (
    AS_DOCUMENT,
    CHANGED,
    CHECKS,
    CONTENTS,
    HOLDS,
    INPUTS,
    INSURANCE,
    OUTCOMES,
    SPACE,
    SUMMARY,
    USED,
    WAYS,
    Key,
    Pages,
)
from combinat.rules.bet import RETURNED
from combinat.rules.game import Game


def workbook(dossier: Dossier, game: Game, issue: Issue = DRAFT) -> bytes:
    """Return the workbook of a game's dossier; ``issue``: who files it, under which number and date."""

    def fill(book: Book) -> None:
        """Write every sheet; sheets that others refer to come first."""
        pages = Pages(dossier, game, issue, book)
        write_inputs(pages)
        write_outcomes(pages)
        write_summary(pages)
        if dossier.reference.insurance:
            write_insurance(pages)
        write_joint(pages)
        write_checks(pages)

    return book_bytes(
        [name for name in CONTENTS if dossier.reference.insurance or name != INSURANCE],
        fill,
        {
            "title": f"{game.name}: exact pay-table analysis",
            "author": f"combinat {__version__}",
            "comments": DISCLAIMER,
        },
        f"{document_in_words(issue)}; {game.name}; {game.id}.toml, SHA-256 {dossier.rule_book_sha256}",
        issue.date,
        issue.paper,
    )


# ---------------------------------------------------------------- the sheet of inputs

INPUT_COLUMNS = (
    SheetColumn("Bet", 54),
    SheetColumn("Outcome or offer", 36),
    SheetColumn("Clause", 20),
    SheetColumn("Odds in the document", 14),
    SheetColumn("Net in the document, exact", 14, "count"),
    SheetColumn(USED, 14, "odds in"),
    SheetColumn(AS_DOCUMENT, 14, "check"),
)
MOST_ODDS = 10**15


def write_inputs(pages: Pages) -> None:
    """Write the odds as inputs, and the identity of the workbook."""
    title = f"{pages.game.name}: exact pay-table analysis"
    sheet = pages.sheets[INPUTS] = Sheet(pages.book, INPUTS, title, INPUT_COLUMNS, frozen=2)
    sheet.write(2, 0, Live(f"='{CHECKS}'!$A$2", HOLDS), "bold")
    for key, cells in _lines(pages):
        pages.odds_rows[key] = _write_line(sheet, cells)
    if pages.odds_rows:
        sheet.mark_false(AS_DOCUMENT, AS_DOCUMENT)
    sheet.next += 1
    said = control_terms(pages.issue) | subject_terms(pages.dossier, pages.game, pages.issue)
    sheet.terms((term, in_words(words)) for term, words in said.items())
    for text in _notes(pages):
        sheet.paragraph(text)
    sheet.finish()


def _lines(pages: Pages) -> Iterator[tuple[Key, list[SheetCell]]]:
    """Yield every paying line, of bets and then of insurance: its key, and its cells up to the odds used."""
    for bet in pages.dossier.reference.bets:
        clause = pages.game.bet(bet.id).settled
        for number, line in enumerate(bet.outcomes):
            if line.odds and line.net > RETURNED:
                yield (bet.id, number), [bet.name, line.name, clause, line.odds, str(line.net), line.net]
    for table in pages.game.insurance if pages.dossier.reference.insurance else ():
        of = f"Insurance of the {hand_named(table.side)} Hand, after {stage_named(table.stage)}"
        for offer in table.offers:
            starred = f"; a tie on {offer.tie_pays} wins" if offer.tie_pays else ""
            points = f"Player {offer.player_points}, Banker {offer.banker_points}{starred}"
            net = offer.odds.net
            yield (table, offer), [of, points, offer.clause or table.settled, offer.odds, str(net), net]


def _write_line(sheet: Sheet, cells: list[SheetCell]) -> int:
    row = sheet.next
    odds, used = f"D{row}", f"F{row}"
    number, at = '_xlfn.NUMBERVALUE({},".",",")', f'FIND(" to ",{odds})'
    profit, stake = number.format(f"LEFT({odds},{at}-1)"), number.format(f"MID({odds},{at}+4,99)")
    allowed = {"validate": "decimal", "criteria": "between", "minimum": 0, "maximum": MOST_ODDS}
    told = "Profit per unit staked: 1.5 for odds of 3 to 2. The odds of the document are to the left."
    sheet.input(row, sheet.place(USED), "Odds to 1", told, **allowed)
    return sheet.row(*cells, Live(f"=ABS({used}-{profit}/{stake})<=1E-12*{used}", True))


def _notes(pages: Pages) -> Iterator[str]:
    """Yield the instructions for reading the workbook."""
    absent = () if pages.dossier.reference.insurance else (INSURANCE,)
    sheets = (f"{name}: {about}" for name, about in CONTENTS.items() if name not in absent)
    yield f"{'; '.join(sheets)}."
    yield (
        "Marked cells are inputs: if you write other odds, every figure at every number of decks follows, and the sheet "
        "Checks shows that the odds are not those of the document. Shaded cells are formulas. All other cells are from "
        "analysis.json. The sheets are protected against accidental changes, without a password. The cells that formulas "
        "read are to the right of the printed area."
    )
    yield f'{ROUNDING} A column of rounded figures may not add up. Odds are "to 1": profit per unit staked.'
    yield DISCLAIMER


# ---------------------------------------------------------------- the sheet of checks

CHECK_COLUMNS = (
    SheetColumn("What is checked", 66),
    SheetColumn("Checks", 12, "whole"),
    SheetColumn("that hold", 12, "whole"),
    SheetColumn("skipped: other odds", 24, "whole"),
    SheetColumn("", 24, "count"),
    SheetColumn(" ", 12, "check"),
)
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
    """Write the number of checks of each kind, the number that hold, and the card sequences of every shoe."""
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
    """Yield every kind of check: its description, the number of its checks, and their cells."""
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
