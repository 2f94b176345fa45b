"""The dossier as a workbook in which a reader derives the figures again and tries other odds.

Odds are inputs, and every figure follows them by formulas. The exact values are beside the formulas, and a sheet of
checks compares the two. The same dossier gives the same bytes.
"""

from combinat import __version__
from combinat.certify.dossier import Dossier
from combinat.certify.filing import DRAFT, Issue
from combinat.render.xlsx import Book, book_bytes
from combinat.report.filing.front_matter import document_in_words
from combinat.report.phrases import DISCLAIMER
from combinat.report.workbook.bets import write_joint, write_outcomes, write_summary
from combinat.report.workbook.checks import write_checks
from combinat.report.workbook.columns import CONTENTS, INSURANCE
from combinat.report.workbook.inputs import write_inputs
from combinat.report.workbook.insurance import write_insurance
from combinat.report.workbook.pages import Pages
from combinat.rules.game import Game


def workbook(dossier: Dossier, game: Game, issue: Issue = DRAFT) -> bytes:
    """Return the workbook of a game's dossier; ``issue``: who files it, under which number and date."""

    def fill(book: Book) -> None:
        """Write every sheet; first the sheets that others refer to."""
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
