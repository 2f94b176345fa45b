"""Reports drawn again, with the versions of the libraries that are here; their simulations judged again."""

from collections.abc import Sequence

from combinat.audit.verdict import Verdict
from combinat.base.files import Files
from combinat.certify.dossier import Dossier
from combinat.certify.redrawing import DrawnForm, Redraw
from combinat.montecarlo.report_simulation import why_none
from combinat.report.folder import JUDGE, LIBRARIES, NAMES, Documents, Form, version_here
from combinat.rules.book.load import RuleBook
from combinat.rules.filing import Issue

MOST_ROWS = 5_000_000
"""Rows of all hand logs in a report: judging them again takes half a minute."""


def redraw_here() -> Redraw:
    """How this combinat draws documents, with the versions of the libraries that are here."""

    def drawn(form: Form) -> DrawnForm:
        library = LIBRARIES.get(form)
        return DrawnForm(
            names=NAMES[form], library=library, version=version_here(library) if library else None
        )

    def documents(
        dossier: Dossier, book: RuleBook, form: str, simulations: Files, issue: Issue, checked: int
    ) -> Files:
        if not made:  # one report is drawn again, and its simulations are judged again once
            why = why_none(book.game, dossier.reference_decks)
            made.append(Documents(dossier, book, judged_again(book, simulations), why, issue, checked))
        return made[0].in_form(Form(form))

    made: list[Documents] = []
    return Redraw(
        forms={form.value: drawn(form) for form in Form},
        documents=documents,
        judge=DrawnForm(names=(), library=JUDGE, version=version_here(JUDGE)),
    )


def judged_again(book: RuleBook, contents: Files) -> Sequence[Verdict]:
    """What is said of the files that travel in a report's folder, in the order of their names."""
    if not contents:
        return ()
    from combinat.audit.judging.judge import verdict_of_bytes  # scipy comes with it
    from combinat.audit.judging.judgement import ALPHA

    verdicts: list[Verdict] = []
    for name in sorted(contents):
        verdicts.append(verdict_of_bytes(name, contents[name], book, ALPHA, rows_left(verdicts)))
    return verdicts


def rows_left(verdicts: Sequence[Verdict]) -> int:
    """How many more rows the logs of a report may have, beside those that were judged."""
    return MOST_ROWS - sum(verdict.replay.rows for verdict in verdicts if verdict.replay is not None)
