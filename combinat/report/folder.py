"""The files of a game's report, as a function of its dossier: the same for writing a report and for verifying it.

``files`` is the one way to a report, and ``Documents`` is ``files`` form by form. ``combinat report`` writes what
it gives; ``combinat verify`` compares with what it gives.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from combinat import __version__
from combinat.audit.verdict import Verdict
from combinat.certify.collection import Collection
from combinat.certify.dossier import Dossier
from combinat.certify.filing import DRAFT, Issue
from combinat.montecarlo.simulation import simulation_obstacle
from combinat.render.blocks import Picture, Section, Table, walk
from combinat.render.charts.svg import svg
from combinat.render.html import html
from combinat.render.numbering import numbered
from combinat.render.pdf import Front, pdf
from combinat.render.text import Format, rendered
from combinat.report.audit.simulation import simulation_section
from combinat.report.explorer import EXPLORER, explorer
from combinat.report.filing.front_matter import (
    control_chapter,
    document_in_words,
    draft_in_words,
    end_mark,
    scope_chapter,
    statement_chapter,
)
from combinat.report.filing.insurance import insurance_annexes, insurance_chapter
from combinat.report.filing.page_one import memo, summary_section
from combinat.report.filing.protection import protection_annex, protection_chapter
from combinat.report.filing.register import register_annex, register_chapter
from combinat.report.filing.rules import examples_chapter, rules_chapter, trace_annex
from combinat.report.filing.verification import (
    certificate_chapter,
    derivations,
    method_chapter,
    verification_chapter,
)
from combinat.report.filing.wagers import (
    closed_forms_annex,
    correlations_annex,
    decks_chapter,
    operations_annex,
    wagers_chapter,
)
from combinat.report.index import INDEX_PAGE, index
from combinat.report.provisos import with_provisos
from combinat.report.rules.rulebook import rule_book
from combinat.report.tables import tables_files
from combinat.rules.game import Game


class Form(StrEnum):
    """The forms of a report and of its memo. Every report also has analysis.json."""

    MARKDOWN = "markdown"
    HTML = "html"
    PDF = "pdf"
    CSV = "csv"
    XLSX = "xlsx"
    MEMO_MARKDOWN = "memo-markdown"
    MEMO_HTML = "memo-html"
    MEMO_PDF = "memo-pdf"


MEMOS = {Form.MARKDOWN: Form.MEMO_MARKDOWN, Form.HTML: Form.MEMO_HTML, Form.PDF: Form.MEMO_PDF}
"""The forms that a memo can have."""

FORMS = tuple(form for form in Form if form not in MEMOS.values())
"""The forms of a report."""

LIBRARIES: dict[str, str] = {
    Form.MARKDOWN: "tabulate",
    Form.PDF: "typst",
    Form.XLSX: "xlsxwriter",
    Form.MEMO_MARKDOWN: "tabulate",
    Form.MEMO_PDF: "typst",
}
"""The library whose version is in the bytes of a form."""

JUDGE = "scipy"
"""The library that judges the simulations of a report."""


def files(
    dossier: Dossier,
    game: Game,
    forms: Iterable[Form],
    verdicts: Sequence[Verdict] = (),
    issue: Issue = DRAFT,
    checked: int = 0,
) -> dict[str, bytes]:
    """Return every document of a report in these forms."""
    report = Documents(dossier, game, verdicts, issue, checked)
    return {name: content for form in forms for name, content in report.in_form(form).items()}


@dataclass(frozen=True)
class Documents:
    """The documents of a report, form by form; their content is assembled once.

    ``verdicts``: on its simulations; ``issue``: who files it, when, signed by whom; ``checked``: how many numbers the
    checker has checked.
    """

    dossier: Dossier
    game: Game
    verdicts: Sequence[Verdict] = ()
    issue: Issue = DRAFT
    checked: int = 0

    @cached_property
    def filing(self) -> Section:
        """The content of the report, with every number, independent of its format."""
        return numbered(self._report)

    @cached_property
    def memo(self) -> Section:
        """The memo of the report."""
        first, *_ = (block for block in self._report.blocks if isinstance(block, Section))
        return memo(first, self.dossier, self.game, self.issue)

    @cached_property
    def _report(self) -> Section:
        return report_document(self.dossier, self.game, self.verdicts, self.issue, self.checked)

    def in_form(self, form: Form) -> dict[str, bytes]:
        """Return the documents in one form, by the names of their files."""
        front = front_of(self.game, self.issue)
        match form:
            case Form.MARKDOWN:
                return _markdown(self.filing, self.game)
            case Form.HTML:
                return {"report.html": html(self.filing, front.foot, copies_tables=True).encode()}
            case Form.PDF:
                return {"report.pdf": pdf(self.filing, front)}
            case Form.CSV:
                return tables_files(self.dossier)
            case Form.XLSX:
                from combinat.report.workbook import workbook  # only this form needs its library

                return {"workbook.xlsx": workbook(self.dossier, self.game, self.issue)}
            case Form.MEMO_MARKDOWN:
                return {"memo.md": _text(rendered([self.memo], Format.MARKDOWN))}
            case Form.MEMO_HTML:
                return {"memo.html": html(self.memo, front.foot).encode("utf-8")}
            case Form.MEMO_PDF:
                return {"memo.pdf": pdf(self.memo, replace(front, is_one_page=True))}


def _markdown(document: Section, game: Game) -> dict[str, bytes]:
    (rules,) = with_provisos(game, [rule_book(game)], Format.MARKDOWN)
    made = {
        "report.md": _text(rendered([document], Format.MARKDOWN)),
        "rules.md": _text(rendered([rules], Format.MARKDOWN)),
    }
    for _, block in walk([document]):
        if isinstance(block, Picture):
            made[f"figures/{block.name}.svg"] = _text(svg(block.drawing))
    return made


def _text(text: str) -> bytes:
    return (text.rstrip("\n") + "\n").encode("utf-8")


def front_of(game: Game, issue: Issue) -> Front:
    """The header and footer of every page."""
    named = f"{document_in_words(issue)}; " if issue.filing else ""
    rules = "draft rule book" if game.is_draft else "transcription"
    return Front(
        subject=game.name,
        mark=draft_in_words(game, issue),
        foot=f"{named}combinat {__version__}; {rules} SHA-256 {game.sha256}",
        date=issue.date,
        paper=issue.paper,
    )


def over_the_games(collection: Collection, games: Sequence[Game]) -> dict[str, bytes]:
    """Return the documents of a collection: its index as text and as a page, and the explorer of its games."""
    over = index(collection, {game.id for game in games if game.is_draft})
    return {
        "README.md": _text(rendered([over], Format.MARKDOWN)),
        INDEX_PAGE: html(over, f"combinat {__version__}").encode("utf-8"),
        EXPLORER: explorer(games),
    }


def version_here(library: str) -> str | None:
    """Return the version of an installed library, or None."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(library)
    except PackageNotFoundError:
        return None


def libraries(forms: Sequence[str], *, simulations: bool = False) -> Mapping[str, str]:
    """Return the libraries that these forms require, with their installed versions.

    ``simulations``: whether the documents show simulations, which require scipy.
    """
    names = {LIBRARIES[form] for form in forms if form in LIBRARIES} | ({JUDGE} if simulations else set())
    return {name: here for name in sorted(names) if (here := version_here(name)) is not None}


# ---------------------------------------------------------------- the whole report


def report_document(
    dossier: Dossier,
    game: Game,
    verdicts: Sequence[Verdict] = (),
    issue: Issue = DRAFT,
    checked: int = 0,
) -> Section:
    """Return the report of a game, not yet numbered.

    ``verdicts``: the verdicts on its simulations; ``issue``: who files it; ``checked``: how many numbers the checker has
    checked.
    """
    chapters = (
        rules_chapter(game),
        examples_chapter(dossier, game),
        register_chapter(dossier, game, issue),
        wagers_chapter(dossier, game),
        insurance_chapter(dossier),
        *((decks_chapter(dossier, game),) if len(dossier.shoes) > 1 else ()),
        protection_chapter(dossier, game),
        method_chapter(),
        verification_chapter(dossier, game, checked, tuple(derivations(dossier, game))),
        simulation_section(game, verdicts, simulation_obstacle(game, dossier.reference_decks)),
        certificate_chapter(game),
    )
    annexes = (
        *insurance_annexes(dossier),
        correlations_annex(dossier, game),
        operations_annex(dossier, game),
        protection_annex(dossier, game),
        closed_forms_annex(dossier, game),
        trace_annex(dossier, game),
        register_annex(dossier, game, issue),
    )
    every = walk((*chapters, *annexes))
    places = {block.anchor for _, block in every if isinstance(block, Section | Table | Picture)}
    return Section(
        f"{game.name}: exact pay-table analysis",
        (
            summary_section(dossier, game, issue, verdicts, places),
            control_chapter(game, issue),
            scope_chapter(dossier, game),
            *chapters,
            statement_chapter(game, issue),
            *annexes,
            end_mark(issue),
        ),
    )
