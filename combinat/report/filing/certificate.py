"""The certificate: what it binds, and the commands that check it, as they are typed in the folder of the report."""

from combinat.analysis.proof_sources import checker_sha256
from combinat.base.kinds import HASH
from combinat.certify.dossier import Dossier
from combinat.certify.filing import Issue
from combinat.render.blocks import Column, Figure, Paragraph, Section, Terms, Words, annex, chapter, table
from combinat.report.phrases import rules_in_words
from combinat.rules.game import Game

COMMANDS = (
    (
        "combinat verify .",
        "hashes, signature, every number, every document drawn again (the full stop is this folder)",
    ),
    ("python3 -I checker.py analysis.json", "bets and insurance, without the program that made the report"),
    ("sha256sum -c SHA256SUMS", "that every file is the one that was written"),
)
"""What is typed in the folder of a report, and what it checks."""


def certificate_chapter(game: Game) -> Section:
    """How a reader checks the report."""
    return chapter(
        "Certificate",
        (
            Paragraph(
                f"certificate.json names every file of this report by its SHA-256 hash, the {rules_in_words(game)} by its own, and the "
                "software. VERIFY.txt says more."
            ),
            table((Column("typed in this folder"), Column("checks")), COMMANDS, "How to check this report"),
        ),
        anchor="certificate",
    )


def hashes_annex(dossier: Dossier, game: Game, issue: Issue) -> Section:
    """The hashes that a document can hold; its own is in the certificate."""
    approved = issue.filing.approved_text_sha256 if issue.filing else ""
    said: dict[str, Words] = {
        "The draft rule book" if game.is_draft else "Our transcription of the rules": Figure(
            dossier.rule_book_sha256, HASH
        ),
        "The approved document's text": Figure(approved, HASH) if approved else "not given",
        "The checker, checker.py": Figure(checker_sha256(), HASH),
    }
    if issue.filing and issue.filing.source_archive_sha256:
        said["The source archive of combinat"] = Figure(issue.filing.source_archive_sha256, HASH)
    return annex(
        "Hashes",
        (
            Paragraph("What this report stands on, by SHA-256:"),
            Terms(said),
            Paragraph(
                "The hash of every file of the folder, this one among them, is in SHA256SUMS and in certificate.json: no file can "
                "hold its own."
            ),
        ),
        anchor="hashes",
    )
