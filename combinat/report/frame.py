"""The whole report: page one, document control and scope before what is said, the statement and the end after it."""

from collections.abc import Sequence

from combinat.audit.verdict import Verdict
from combinat.certify.dossier import Dossier
from combinat.certify.filing import Issue
from combinat.render.blocks import Picture, Section, Standing, Table, walk
from combinat.report.control import control_section
from combinat.report.scope import scope_section
from combinat.report.statement import end_mark, statement_section
from combinat.report.summary import summary_section
from combinat.rules.book.load import RuleBook


def title(book: RuleBook) -> str:
    """The title of a report."""
    return f"{book.game.name}: exact pay-table analysis"


def framed(
    sections: Sequence[Section],
    dossier: Dossier,
    book: RuleBook,
    issue: Issue,
    verdicts: Sequence[Verdict] = (),
) -> Section:
    """The report around its sections; annexes stand after the statement."""
    body = [section for section in sections if section.standing is not Standing.ANNEX]
    annexes = [section for section in sections if section.standing is Standing.ANNEX]
    places = {block.anchor for _, block in walk(sections) if isinstance(block, Section | Table | Picture)}
    return Section(
        title(book),
        (
            summary_section(dossier, book, issue, verdicts, places),
            control_section(book.game, issue),
            scope_section(dossier, book.game),
            *body,
            statement_section(book.game, issue),
            *annexes,
            end_mark(issue),
        ),
    )


def page_one(document: Section) -> Section:
    """Page one of a report."""
    first = document.blocks[0]
    if not isinstance(first, Section):  # pragma: no cover  # every report begins with its summary
        raise TypeError("a report without page one")
    return first
