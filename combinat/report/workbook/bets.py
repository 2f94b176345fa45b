"""The sheets on bets: a line for each, the house edge by decks, correlations, effects of removal."""

from collections.abc import Mapping

from combinat.analysis.bets import BetAnalysis
from combinat.analysis.dossier import Dossier
from combinat.analysis.removal import Removal
from combinat.render.xlsx.book import Book
from combinat.render.xlsx.cells import Live, SheetCell, rounded_root
from combinat.render.xlsx.sheet import Sheet, SheetColumn
from combinat.report.odds import decks_in_words
from combinat.report.workbook.outcomes import DERIVED, Places, derived_values
from combinat.report.workbook.words import BETS, EDGES, JOINT, REMOVAL
from combinat.rules.bet import RETURNED
from combinat.rules.cards import format_cards


def write_bets(book: Book, dossier: Dossier, places: Places) -> None:
    """Write a line for each bet on the reference shoe."""
    columns = [
        *(SheetColumn("Bet", 18), SheetColumn("Name", 18), SheetColumn("Pays", 30)),
        *(SheetColumn(derived.label, 12, derived.style) for derived in DERIVED),
        *(SheetColumn("Largest payout to 1", 10, "ratio"), SheetColumn("Skewness", 11, "decimal")),
    ]
    sheet = Sheet(book, BETS, f"Every bet, {decks_in_words(dossier.reference_decks)}", columns)
    sheet.line("A shaded figure is that of the sheet Outcomes, where it is derived from the ways.")
    for bet in dossier.reference.bets:
        values = derived_values(bet)
        linked: list[SheetCell] = [
            Live(f"={places[bet.id, derived.key]}", values[derived.key].nearest)
            if derived.key in values
            else "none"
            for derived in DERIVED
        ]
        skewness = rounded_root(bet.skewness_signed_square)
        sheet.row(bet.id, bet.name, _pays(bet), *linked, bet.largest_payout, skewness)
    sheet.finish()


def _pays(bet: BetAnalysis) -> str:
    return ", ".join(line.odds for line in bet.outcomes if line.net > RETURNED)


def write_edges(book: Book, dossier: Dossier, places: Mapping[int, Places]) -> None:
    """Write the house edge of every bet, a column for each number of decks."""
    by_decks = [SheetColumn(decks_in_words(decks), 12, "percent") for decks in dossier.decks]
    sheet = Sheet(book, EDGES, "House edge by number of decks", [SheetColumn("Bet", 18), *by_decks])
    sheet.line("Every figure is that of the sheet Outcomes for its number of decks.")
    for bets in zip(*(shoe.bets for shoe in dossier.shoes), strict=True):
        edges = [
            Live(f"={places[decks][bet.id, 'house_edge']}", bet.house_edge)
            for decks, bet in zip(dossier.decks, bets, strict=True)
        ]
        sheet.row(bets[0].id, *edges)
    sheet.finish()


def write_joint(book: Book, dossier: Dossier) -> None:
    """Write the correlations of the bets as a matrix."""
    bets = [bet.id for bet in dossier.reference.bets]
    columns = [SheetColumn("Bet", 18), *(SheetColumn(bet, 9, "correlation") for bet in bets)]
    title = f"Correlations of the bets of one round, {decks_in_words(dossier.reference_decks)}"
    sheet = Sheet(book, JOINT, title, columns, upright=True)
    sheet.line("Above 0: the bets tend to win together. The exact covariances are in tables/joint.csv.")
    known: dict[frozenset[str], SheetCell] = {frozenset({bet}): 1 for bet in bets}
    for pair in dossier.reference.joint:
        correlation = rounded_root(pair.signed_square)
        known[frozenset({pair.first, pair.second})] = "none" if correlation is None else correlation
    for bet in bets:
        sheet.row(bet, *(known[frozenset({bet, other})] for other in bets))
    ends = {f"{end}_type": "num" for end in ("min", "mid", "max")}
    colours = {"min_color": "#C2A5CF", "mid_color": "#FFFFFF", "max_color": "#A6DBA0"}
    scale = {"type": "3_color_scale", "min_value": -1, "mid_value": 0, "max_value": 1}
    sheet.mark(1, len(bets), **scale, **ends, **colours)
    sheet.finish(filtered=False)


def write_removal(book: Book, dossier: Dossier) -> None:
    """Write the effect of removing one card of each rank on every bet."""
    columns = [
        *(SheetColumn("Bet", 18), SheetColumn("Expected value", 12, "signed")),
        *(SheetColumn(format_cards(change.removed), 11, "change") for change in dossier.removal[0].changes),
        SheetColumn("Matter most", 14, "exact"),
    ]
    title = f"Effects of removing one card, {decks_in_words(dossier.reference_decks)}"
    sheet = Sheet(book, REMOVAL, title, columns)
    sheet.line("Change of the expected value; above 0 it helps the player. Exact: tables/removal.csv.")
    for removal in dossier.removal:
        changes = (change.change for change in removal.changes)
        sheet.row(str(removal.subject), removal.expected_value, *changes, _most(removal))
    sheet.finish()


def _most(removal: Removal) -> str:
    """The three ranks that matter most, of those that matter."""
    matter = [rank for rank in removal.most if removal.effects[(rank,)]]
    return ", ".join(matter[:3]) or "none"
