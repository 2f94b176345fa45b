"""Reports drawn again, with the versions of the libraries that are here; their simulations judged again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from combinat.audit.verdict import Verdict
from combinat.base.errors import CertificateError, CombinatError
from combinat.base.files import Files
from combinat.base.processes import side_by_side
from combinat.certify.document_check import DrawnForm, Redraw
from combinat.certify.dossier import Dossier
from combinat.certify.filing import Issue
from combinat.certify.verification import VerifiedReport, verify_report
from combinat.montecarlo.report_simulation import why_none
from combinat.report.folder import JUDGE, LIBRARIES, NAMES, Documents, Form, version_here
from combinat.rules.book.load import RuleBook

MOST_ROWS = 5_000_000
"""Rows of all hand logs in a report: judging them again takes half a minute."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportFiles:
    """A report to verify: its files, the key of its signer and the rule book that is meant, if they are given."""

    files: Files
    public_key: Path | None
    rule_book: bytes | None
    figures_only: bool

    def verified(self) -> VerifiedReport | CombinatError:
        """Return what was checked of the report, or why it does not hold or could not be checked."""
        redraw = None if self.figures_only else redraw_here()
        try:
            return verify_report(
                self.files, public_key=self.public_key, rule_book=self.rule_book, redraw=redraw
            )
        except CertificateError as error:
            return error
        except CombinatError as error:
            return CombinatError(str(error))  # which, unlike some others, a worker process can send


def verified_reports(
    reports: Sequence[ReportFiles], workers: int
) -> Iterator[VerifiedReport | CombinatError]:
    """Yield the verdict on each report, in order; reports are verified side by side in this many processes."""
    return side_by_side(ReportFiles.verified, reports, workers)


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
