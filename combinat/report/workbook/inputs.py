"""The sheet of inputs: the odds that every other sheet uses, and the identity of the workbook."""

from collections.abc import Iterator

from combinat import __version__
from combinat.base.dates import date_in_words
from combinat.certify.filing import Issue
from combinat.render.xlsx import Live, Sheet, SheetCell
from combinat.report.filing.front_matter import NOT_ISSUED, approved_in_words, document_in_words, language_of
from combinat.report.phrases import DISCLAIMER, ROUNDING, hand_named, stage_named
from combinat.report.provisos import provisos_in_words
from combinat.report.workbook.columns import (
    AS_DOCUMENT,
    CHECKS,
    CONTENTS,
    INPUT_COLUMNS,
    INPUTS,
    INSURANCE,
    USED,
)
from combinat.report.workbook.pages import HOLDS, Key, Pages
from combinat.rules.bet import RETURNED

MOST_ODDS = 10**15


def write_inputs(pages: Pages) -> None:
    """Write the odds, each an input, and the identity of the workbook."""
    title = f"{pages.game.name}: exact pay-table analysis"
    sheet = pages.sheets[INPUTS] = Sheet(pages.book, INPUTS, title, INPUT_COLUMNS, frozen=2)
    sheet.write(2, 0, Live(f"='{CHECKS}'!$A$2", HOLDS), "bold")
    for key, cells in _lines(pages):
        pages.odds_rows[key] = _write_line(sheet, cells)
    if pages.odds_rows:
        sheet.mark_false(AS_DOCUMENT, AS_DOCUMENT)
    sheet.next += 1
    sheet.terms(_identity(pages))
    for text in _notes(pages):
        sheet.paragraph(text)
    sheet.finish()


def _lines(pages: Pages) -> Iterator[tuple[Key, list[SheetCell]]]:
    """Yield every line that pays, of bets and then of insurance: its key, and its cells as far as the odds used."""
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


def _identity(pages: Pages) -> Iterator[tuple[str, str]]:
    """Yield the document, its subject and the software."""
    game, dossier = pages.game, pages.dossier
    yield "This document", _document(pages.issue)
    yield "Game", game.name
    yield "Approved document", approved_in_words(game, language_of(pages.issue))
    yield (
        "The draft rule book" if game.is_draft else "Our transcription of it",
        f"{game.id}.toml, SHA-256 {dossier.rule_book_sha256}",
    )
    yield from provisos_in_words(game).items()
    yield "Numbers of decks", ", ".join(map(str, dossier.decks))
    yield "Software", f"combinat {__version__}"


def _document(issue: Issue) -> str:
    """Return the document's number and revision, and the date of issue, if it is issued."""
    if issue.filing is None:
        return NOT_ISSUED
    issued = issue.filing.issued
    state = NOT_ISSUED if issued is None else f"issued {date_in_words(issued, language_of(issue))}"
    return f"{document_in_words(issue)}, {state}"


def _notes(pages: Pages) -> Iterator[str]:
    """Yield how to read the workbook."""
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
