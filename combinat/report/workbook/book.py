"""The dossier as a workbook to derive it again and to ask "what if": odds are inputs, all figures follow them.

Excel keeps 15 digits of a number and the counts have up to 17, so a count stands as text and formulas read it in
two parts. Beside the formulas stand the exact values, and a sheet of checks holds one against the other. The same
dossier gives the same bytes.
"""

from combinat import __version__
from combinat.certify.dossier import Dossier
from combinat.certify.filing import DRAFT, Issue
from combinat.render.xlsx.book import Book, BookFront, book_bytes
from combinat.report.identity import document_in_words
from combinat.report.phrases import DISCLAIMER
from combinat.report.workbook.checks import write_checks
from combinat.report.workbook.inputs import write_inputs
from combinat.report.workbook.insurance import write_insurance
from combinat.report.workbook.joint import write_joint
from combinat.report.workbook.outcomes import write_outcomes
from combinat.report.workbook.summary import write_summary
from combinat.report.workbook.words import CONTENTS, INSURANCE
from combinat.rules.game import Game


def workbook(dossier: Dossier, game: Game, issue: Issue = DRAFT) -> bytes:
    """The workbook of a game's dossier; ``issue``: who files it, under which number and date."""
    insured = bool(dossier.reference.insurance)
    front = BookFront(
        title=f"{game.name}: exact pay-table analysis",
        author=f"combinat {__version__}",
        comments=DISCLAIMER,
        created=issue.date,
        paper=issue.paper,
        foot=f"{document_in_words(issue)}; {game.name}; {game.id}.toml, SHA-256 {dossier.rule_book_sha256}",
    )

    def fill(book: Book) -> None:
        """Write every sheet; those that others refer to first."""
        inputs = write_inputs(book, dossier, game, issue)
        outcomes = write_outcomes(book, dossier, inputs)
        summary = write_summary(book, dossier, inputs, outcomes)
        insurance = write_insurance(book, dossier, game, inputs, outcomes) if insured else None
        write_joint(book, dossier)
        write_checks(book, dossier, inputs, outcomes, summary, insurance)

    return book_bytes(front, [name for name in CONTENTS if insured or name != INSURANCE], fill)
