"""The documents of a study: a page and a PDF."""

from collections.abc import Mapping

from combinat import __version__
from combinat.render.html import html
from combinat.render.pdf import Front, pdf
from combinat.report.folder import Form, libraries
from combinat.report.protection.study import StudyShown, study_document

PAGE, PRINTED = "protect.html", "protect.pdf"


def study_documents(shown: StudyShown) -> dict[str, bytes]:
    """The page and the PDF, by the names of their files."""
    document = study_document(shown)
    front = Front(
        subject=shown.game.name,
        mark="",
        foot=f"combinat {__version__}; rule book SHA-256 {shown.rule_book_sha256}",
    )
    foot = f"combinat {__version__}; rule book SHA-256 {shown.rule_book_sha256}; seed {shown.study.seed}"
    return {
        PAGE: html(document, foot).encode("utf-8"),
        PRINTED: pdf(document, front),
    }


def study_libraries() -> Mapping[str, str]:
    """The libraries that the bytes of the documents depend on, with their versions."""
    return libraries([Form.PDF])
