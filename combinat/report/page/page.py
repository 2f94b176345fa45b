"""The page of a report: the document, what it says on other numbers of decks, and the ways of every bet.

Nothing here computes, and the script shows no figure that is not in the page, but for odds that a reader tries: their
edge follows from the ways, in whole numbers, by the module that the explorer computes with.
"""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from combinat.analysis.bets import BetAnalysis
from combinat.base.kinds import Sort
from combinat.certify.dossier import Dossier
from combinat.render.blocks import Meaning, Section, Table, cells, walk
from combinat.render.html import Live, html
from combinat.render.modules import assembled
from combinat.render.numbering import numbered
from combinat.report.explorer.page import WEB as EXPLORER_WEB
from combinat.report.filing.insurance import insurance_annexes, insurance_chapter
from combinat.report.filing.wagers import wagers_chapter
from combinat.report.summary import bet_place, bets_table
from combinat.rules.book.load import RuleBook
from combinat.rules.game import Game
from combinat.rules.odds import PUSH

WEB = Path(__file__).parent / "web"
ENTRY = "page.js"
SHARED = ("bet_figures.js", "dom.js", "fraction.js", "messages.js", "odds.js")
"""The modules of the explorer that this page uses too."""


def report_page(document: Section, dossier: Dossier, book: RuleBook, foot: str) -> str:
    """The page of a report; what is of one shoe in it is drawn for every number of decks."""
    versions = {
        str(decks): numbered(of_one_shoe(replace(dossier, reference_decks=decks), book.game))
        for decks in dossier.decks
        if decks != dossier.reference_decks
    }
    data = {
        "decks": {
            "reference": str(dossier.reference_decks),
            "numbers": [str(decks) for decks in dossier.decks],
        },
        "bets": _bets(dossier, document),
    }
    return html(document, foot, Live(script=script(), data=data, versions=versions))


def of_one_shoe(dossier: Dossier, game: Game) -> Section:
    """The parts of the report that switch with the number of decks, in its order, with what they refer to."""
    wagers, insurance = wagers_chapter(dossier, game), insurance_chapter(dossier, game)
    return Section(
        "",
        (bets_table(dossier), wagers, insurance, *insurance_annexes(dossier)),
    )


@cache
def script() -> str:
    """The one script of the page."""
    paths = [*(EXPLORER_WEB / name for name in SHARED), *sorted(WEB.glob("*.js"))]
    return assembled({path.name: path.read_text("utf-8") for path in paths}, ENTRY)


def _bets(dossier: Dossier, document: Section) -> list[dict[str, Any]]:
    """The bets whose odds can be tried: those whose outcomes the document has in a table with odds."""
    tables = {block.anchor: block for _, block in walk([document]) if isinstance(block, Table)}
    shoes = {str(shoe.decks): {bet.id: bet for bet in shoe.bets} for shoe in dossier.shoes}
    bets = []
    for bet in dossier.reference.bets:
        table = tables.get(bet_place(bet.id))
        everywhere = {decks: by_id[bet.id] for decks, by_id in shoes.items()}
        if table is not None and all(_named(other) == _named(bet) for other in everywhere.values()):
            ways = {decks: [str(line.ways) for line in other.outcomes] for decks, other in everywhere.items()}
            bets.append({**_lines(bet, table), "ways": ways})
    return bets


def _named(bet: BetAnalysis) -> list[str]:
    return [line.name for line in bet.outcomes]


def _lines(bet: BetAnalysis, table: Table) -> dict[str, Any]:
    """The outcomes of a bet, and where its table shows them: a row each, the column of the odds, and that of shares.

    A column is that of the shares of the return if its figures are, exactly.
    """
    odds = next(number for number, one in enumerate(table.columns) if one.kind.sort is Sort.ODDS)
    rows = [cells(row, table.columns) for row in table.rows]
    places: list[int | None] = []
    for line in bet.outcomes:
        here = [number for number, row in enumerate(rows) if (row[0], row[odds]) == (line.name, line.odds)]
        places.append(here[0] if len(here) == 1 else None)
    totals = [number for number, row in enumerate(table.rows) if row.meaning is Meaning.TOTAL]
    shares = {place: line.share_of_return for place, line in zip(places, bet.outcomes, strict=True)}
    shares |= dict.fromkeys(totals, bet.return_to_player)
    share = [
        number
        for number, column in enumerate(table.columns)
        if column.kind.sort is Sort.PERCENTAGE
        and None not in shares
        and all(
            table.rows[place].cells[number] == value for place, value in shares.items() if place is not None
        )
    ]
    return {
        "name": bet.name,
        "table": table.anchor,
        "odds_column": odds,
        "share_column": share[-1] if share else None,
        "share_places": table.columns[share[-1]].kind.places if share else 0,
        "total_rows": totals,
        "outcomes": [
            {
                "name": line.name,
                "row": place,
                "odds": line.odds,
                "is_paid": line.odds not in ("", PUSH),
                "net": [str(line.net.numerator), str(line.net.denominator)],
                "is_void": line.is_void,
            }
            for line, place in zip(bet.outcomes, places, strict=True)
        ],
    }
