"""The sheet of the bets together: their correlations as a matrix."""

from combinat.certify.dossier import Dossier
from combinat.render.xlsx.book import Book
from combinat.render.xlsx.cells import SheetCell, rounded_root
from combinat.render.xlsx.sheet import Sheet, SheetColumn
from combinat.report.analysis.odds import decks_in_words
from combinat.report.workbook.words import INPUTS, JOINT, name_column


def write_joint(book: Book, dossier: Dossier) -> None:
    """Write the correlations of the bets as a matrix."""
    bets = dossier.reference.bets
    columns = [name_column(dossier), *(SheetColumn(bet.name, 9, "correlation") for bet in bets)]
    title = f"Correlations of the bets of one round, {decks_in_words(dossier.reference_decks)}"
    sheet = Sheet(book, JOINT, title, columns, upright=True)
    sheet.line(
        "Above 0: the bets tend to win together. For the odds of the document: these figures do not follow the sheet "
        f"{INPUTS}. tables/joint.csv has the exact covariances."
    )
    known: dict[frozenset[str], SheetCell] = {frozenset({bet.id}): 1 for bet in bets}
    for pair in dossier.reference.joint:
        correlation = rounded_root(pair.signed_square)
        known[frozenset({pair.first, pair.second})] = "none" if correlation is None else correlation
    for bet in bets:
        sheet.row(bet.name, *(known[frozenset({bet.id, other.id})] for other in bets))
    ends = {f"{end}_type": "num" for end in ("min", "mid", "max")}
    colours = {"min_color": "#C2A5CF", "mid_color": "#FFFFFF", "max_color": "#A6DBA0"}
    scale = {"type": "3_color_scale", "min_value": -1, "mid_value": 0, "max_value": 1}
    sheet.mark((Sheet.HEAD + 1, sheet.next - 1), (1, len(bets)), **scale, **ends, **colours)
    sheet.finish()
