"""What those who sign a report state, and the end of it."""

from collections.abc import Iterator

from combinat.certify.filing import Issue
from combinat.render.blocks import Paragraph, Section, chapter
from combinat.report.identity import document_in_words
from combinat.report.phrases import DISCLAIMER
from combinat.report.summary import people_table
from combinat.rules.game import Game

STATEMENT = "statement"
END = "End of report"


def statement_section(game: Game, issue: Issue) -> Section:
    """The chapter of the statement, with room to sign."""
    people = people_table(issue)
    return chapter(
        "Statement and signatures",
        (
            *(Paragraph(said) for said in _said(game, issue)),
            people,
        ),
        STATEMENT,
    )


def _said(game: Game, issue: Issue) -> Iterator[str]:
    yield (
        f"The figures of this report follow from the rules of {game.name} as this report restates them, by exact counting; "
        "each can be reproduced with this software from the files beside this document, and the checker alone checks bets and insurance. "
        f"{DISCLAIMER}"
    )
    if not issue.is_draft:
        yield f"The persons named below prepared, reviewed and approved {document_in_words(issue)}, as their roles state."
    yield (
        "certificate.json names every file of this report by its SHA-256 and is signed with the key named on page 1."
        if issue.key_id
        else "certificate.json names every file of this report by its SHA-256; nobody signed it."
    )


def end_mark(issue: Issue) -> Paragraph:
    """The last words of a report."""
    return Paragraph(f"{END} ({document_in_words(issue)}).")
