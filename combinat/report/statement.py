"""What those who sign a report state, and the end of it."""

from collections.abc import Iterator

from msgspec.structs import replace

from combinat.render.blocks import Paragraph, Section, chapter
from combinat.report.identity import NOT_ISSUED, document_in_words
from combinat.report.phrases import DISCLAIMER
from combinat.report.summary import people_table
from combinat.rules.filing import Issue
from combinat.rules.game import Game

STATEMENT = "statement"
END = "End of report"


def statement_section(game: Game, issue: Issue) -> Section:
    """The chapter of the statement, with room to sign."""
    people = replace(people_table(issue), caption="Signatures", anchor="signatures")
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
    if issue.is_draft:
        yield f"This document is a {NOT_ISSUED}. Nobody has stated anything by it yet."
    else:
        yield f"Those named below state that they did, for {document_in_words(issue)}, what stands beside their names."
    yield (
        "certificate.json names every file of this report by its SHA-256 and is signed with the key named on page 1."
        if issue.key_id
        else "certificate.json names every file of this report by its SHA-256; nobody signed it."
    )


def end_mark(issue: Issue) -> Paragraph:
    """The last words of a report."""
    return Paragraph(f"{END} ({document_in_words(issue)}).")
