"""The sheet of inputs: the odds that every other sheet is worked out with, and what the workbook is."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from combinat import __version__
from combinat.certify.dossier import Dossier
from combinat.certify.filing import Issue
from combinat.render.xlsx.book import Book
from combinat.render.xlsx.cells import Live, SheetCell, cell_at
from combinat.render.xlsx.sheet import Sheet, columns_of
from combinat.report.dates import date_in_words
from combinat.report.identity import NOT_ISSUED, approved_in_words, document_in_words, language_of
from combinat.report.phrases import DISCLAIMER, ROUNDING
from combinat.report.provisos import provisos_in_words
from combinat.report.workbook.words import CHECKS, CONTENTS, HANDS, HOLDS, INPUT_COLUMNS, INPUTS, STAGES
from combinat.rules.bet import RETURNED
from combinat.rules.game import Game
from combinat.rules.insurance import InsuranceTable, Offer, State

USED, AS_DOCUMENT = 5, 6
"""The columns of what is put in, and of whether it is the document's."""

MOST_ODDS = 10**15

Key = tuple[str, int] | tuple[InsuranceTable, Offer]
"""A line of odds: of a bet by its id and the line's number, or of an insurance table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InputLine:
    """A line of odds, as the document has it."""

    key: Key
    of: str
    what: str
    clause: str
    odds: str
    net: Fraction


@dataclass(frozen=True)
class Inputs:
    """Where each line of odds stands on the sheet."""

    rows: Mapping[Key, int]

    def used(self, key: Key) -> str:
        """The cell with the odds that are used."""
        return f"'{INPUTS}'!{cell_at(self.rows[key], USED)}"

    def is_changed(self, keys: list[Key]) -> str:
        """Whether any of some lines, which stand together, is not the document's."""
        if not keys:
            return "FALSE"
        first, last = self.rows[keys[0]], self.rows[keys[-1]]
        return f"NOT(AND('{INPUTS}'!{cell_at(first, AS_DOCUMENT)}:{cell_at(last, AS_DOCUMENT)}))"

    def of_bet(self, bet: str) -> list[Key]:
        """The lines of a bet."""
        return [key for key in self.rows if key[0] == bet]

    @property
    def checks(self) -> str:
        """Every check of the sheet."""
        last = max(self.rows.values(), default=Sheet.HEAD + 1)
        return f"'{INPUTS}'!{cell_at(Sheet.HEAD + 1, AS_DOCUMENT)}:{cell_at(last, AS_DOCUMENT)}"


def write_inputs(book: Book, dossier: Dossier, game: Game, issue: Issue) -> Inputs:
    """Write the odds, each to be changed, and what the workbook is; where each stands."""
    sheet = Sheet(book, INPUTS, f"{game.name}: exact pay-table analysis", columns_of(INPUT_COLUMNS), frozen=2)
    sheet.write(2, 0, Live(f"='{CHECKS}'!$A$2", HOLDS), "bold")
    rows = {line.key: _write_line(sheet, line) for line in _lines(dossier, game)}
    if rows:
        sheet.mark_false((Sheet.HEAD + 1, sheet.next - 1), AS_DOCUMENT)
    sheet.next += 1
    sheet.terms(_identity(dossier, game, issue))
    for text in _notes(dossier):
        sheet.paragraph(text)
    sheet.finish()
    return Inputs(rows)


def _lines(dossier: Dossier, game: Game) -> Iterator[InputLine]:
    """Every line that pays, of bets and then of insurance."""
    clauses = {bet.id: bet.settled for bet in game.bets}
    for bet in dossier.reference.bets:
        for number, line in enumerate(bet.outcomes):
            if line.odds and line.net > RETURNED:
                said: dict[str, Any] = {"of": bet.name, "what": line.name, "clause": clauses[bet.id]}
                yield InputLine(key=(bet.id, number), odds=line.odds, net=line.net, **said)
    for table in game.insurance if dossier.reference.insurance else ():
        for offer in table.offers:
            starred = f"; a tie on {offer.tie_pays} wins" if offer.tie_pays else ""
            yield InputLine(
                key=(table, offer),
                of=f"Insurance of the {HANDS[table.side]}, after {STAGES[table.stage]}",
                what=f"Player {offer.player_points}, Banker {offer.banker_points}{starred}",
                clause=offer.clause or table.settled,
                odds=offer.odds,
                net=offer.odds.net,
            )


def _write_line(sheet: Sheet, line: InputLine) -> int:
    row = sheet.next
    odds, used = f"D{row}", f"F{row}"
    number = '_xlfn.NUMBERVALUE({},".",",")'
    at = f'FIND(" to ",{odds})'
    profit, stake = number.format(f"LEFT({odds},{at}-1)"), number.format(f"MID({odds},{at}+4,99)")
    cells: list[SheetCell] = [line.of, line.what, line.clause, line.odds, str(line.net), line.net]
    sheet.row(*cells, Live(f"=ABS({used}-{profit}/{stake})<=1E-12*{used}", True))
    told = (
        "Odds to 1",
        "Profit per unit staked: 1.5 for odds of 3 to 2. The odds of the document are to the left.",
    )
    sheet.input_number(row, USED, MOST_ODDS, told)
    return row


def offers_of(game: Game) -> dict[State, Key]:
    """The line of odds of every insurance state."""
    return {state: (table, offer) for table in game.insurance for state, offer in table.states()}


def _identity(dossier: Dossier, game: Game, issue: Issue) -> Iterator[tuple[str, str]]:
    """What was analysed, and by what."""
    yield "This document", _document(issue)
    yield "Game", game.name
    yield "Approved document", approved_in_words(game, language_of(issue))
    yield (
        "The draft rule book" if game.is_draft else "Our transcription of it",
        f"{game.id}.toml, SHA-256 {dossier.rule_book_sha256}",
    )
    yield from provisos_in_words(game).items()
    yield "Numbers of decks", ", ".join(map(str, dossier.decks))
    yield "Software", f"combinat {__version__}"


def _document(issue: Issue) -> str:
    """The document's number and revision, and when it was issued; a draft says that it was not."""
    if issue.filing is None:
        return NOT_ISSUED
    issued = issue.filing.issued
    state = NOT_ISSUED if issued is None else f"issued {date_in_words(issued, language_of(issue))}"
    return f"{document_in_words(issue)}, {state}"


def _notes(dossier: Dossier) -> Iterator[str]:
    """How to read the workbook."""
    absent = () if dossier.reference.insurance else ("Insurance",)
    sheets = (f"{name}: {about}" for name, about in CONTENTS.items() if name not in absent)
    yield f"{'; '.join(sheets)}."
    yield (
        "Marked cells are inputs: if you write other odds, every figure at every number of decks follows, and the sheet Checks shows "
        "that the odds are not those of the document. Shaded cells are formulas. All other cells are from analysis.json. The sheets "
        "are protected against accidental changes, without a password. The cells that formulas read are to the right of the printed area."
    )
    yield f'{ROUNDING} A column of rounded figures may not add up. Odds are "to 1": profit per unit staked.'
    yield DISCLAIMER
