"""The page of a report: the document, what it says on other numbers of decks, and the ways of every bet.

Nothing here computes, and the script shows no figure that is not in the page, but for odds that a reader tries: their
edge follows from the ways, in whole numbers, by the module that the explorer computes with.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from combinat.analysis.bets import BetAnalysis
from combinat.analysis.dossier import Dossier
from combinat.render.blocks import Section, Table, cells, walk
from combinat.render.html import Live, html
from combinat.render.kinds import Sort
from combinat.render.modules import assembled
from combinat.report.explorer.page import WEB as EXPLORER_WEB
from combinat.report.summary import bet_place
from combinat.rules.odds import PUSH

WEB = Path(__file__).parent / "web"
ENTRY = "page.js"
SHARED = ("bet_figures.js", "dom.js", "fraction.js", "messages.js", "odds.js")
"""The modules of the explorer that this page uses too."""

Drawn = Callable[[Dossier], Section]
"""The document of a dossier, whose figures for one shoe only are those of its reference shoe where they can be."""


def report_page(dossier: Dossier, drawn: Drawn, foot: str) -> str:
    """The page; where a part of the document switches, it is drawn for every number of decks."""
    document = drawn(dossier)
    versions = {
        str(decks): drawn(replace(dossier, reference_decks=decks))
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
    """The outcomes of a bet, and where its table shows those that pay: a row each, and the column of the odds."""
    column = next(number for number, one in enumerate(table.columns) if one.kind.sort is Sort.ODDS)
    rows = [cells(row, table.columns) for row in table.rows]
    places: list[int | None] = []
    for line in bet.outcomes:
        here = [number for number, row in enumerate(rows) if (row[0], row[column]) == (line.name, line.odds)]
        is_paid = line.odds and line.odds != PUSH
        places.append(here[0] if is_paid and len(here) == 1 else None)
    return {
        "name": bet.name,
        "table": table.anchor,
        "column": column,
        "rows": places,
        "outcomes": [
            {
                "name": line.name,
                "odds": line.odds,
                "net": [str(line.net.numerator), str(line.net.denominator)],
                "is_void": line.is_void,
            }
            for line in bet.outcomes
        ],
    }
