"""The issuer and the subject of a report, in words shared by page one and the headers and footers."""

from combinat import __version__
from combinat.base.dates import DateLanguage, date_in_words
from combinat.base.kinds import HASH
from combinat.certify.dossier import Dossier
from combinat.certify.filing import Filing, Issue, Role
from combinat.render.blocks import Figure, Words
from combinat.report.phrases import decks_figure, decks_span
from combinat.report.provisos import provisos_in_words
from combinat.rules.game import Game

NOT_ISSUED = "draft, not issued"
NOT_STATED = "not stated"

NO_ARCHIVE = "The files carry no date. The PDF is tagged (PDF/UA) but is not PDF/A, which requires a date."
"""Of a report without a date."""


def language_of(issue: Issue) -> DateLanguage:
    """Return the language of the dates of a report."""
    return issue.filing.dates if issue.filing else DateLanguage.ENGLISH


def draft_in_words(game: Game, issue: Issue) -> str:
    """Return the status on every page of a report that is not final; empty for a final one."""
    said = []
    if game.is_draft:
        said.append("DRAFT RULE BOOK")
    if issue.is_draft:
        said.append("DRAFT, NOT ISSUED")
    return " / ".join(said)


def document_in_words(issue: Issue) -> str:
    """Return the document's number and revision; that of a draft says so."""
    if issue.filing is None:
        return NOT_ISSUED
    return f"{issue.filing.document}, revision {issue.filing.revision.revision}"


def approved_in_words(game: Game, language: DateLanguage) -> str:
    """Return the approved document: of whom, its version, since when."""
    if game.is_draft or game.effective is None:
        return "none: the rule book is a draft"
    version = f"version {game.version}" if game.version else "no version named"
    when = date_in_words(game.effective, language)
    hour = f", {game.time.hour:02}{game.time.minute:02} hours" if game.time else ""
    authority = f"; authority: {game.authority}" if game.authority else ""
    return f"rules of {game.operator}, {version}, in force from {when}{hour}{authority}"


def control_terms(issue: Issue) -> dict[str, Words]:
    """Return the issuer, the recipient, the number and the date of the document."""
    filing, language = issue.filing, language_of(issue)
    signature = "certificate.json is signed" if issue.key_id else "certificate.json is not signed"
    if filing is None:
        return {"Status": f"{NOT_ISSUED}; {signature}"}
    return {
        "Document number": filing.document,
        "Revision": filing.revision.revision,
        "Date of issue": date_in_words(filing.issued, language) if filing.issued else NOT_ISSUED,
        "Issuer": filing.issuer,
        "Customer": filing.customer or NOT_STATED,
        "Signature": signature,
        **{
            f"{role.capitalize()} by": "; ".join(
                f"{one.name}, {one.position}" for one in filing.in_role(role)
            )
            for role in Role
            if filing.in_role(role)
        },
    }


def subject_terms(dossier: Dossier, game: Game, issue: Issue) -> dict[str, Words]:
    """Return the subject of the report: the game, its document, our transcription, and the software."""
    is_draft = game.is_draft
    said_by = "draft" if is_draft else "document"
    clause = f" ({game.decks.clause})" if game.decks.clause and not is_draft else ""
    said: dict[str, Words] = {
        "Game": f"{game.name} ({game.id})",
        "Approved document": approved_in_words(game, language_of(issue)),
        "Draft rule book" if is_draft else "Our transcription": (
            f"{game.id}.toml, SHA-256 ",
            Figure(game.sha256, HASH),
        ),
        "Decks": (
            decks_span(dossier.decks),
            f"; the {said_by} allows {game.decks.least} to {game.decks.most}{clause}. Figures for one shoe are for ",
            *decks_figure(dossier.reference_decks),
        ),
        "Software": f"combinat {__version__}",
        **(_filed_terms(issue.filing, game) if issue.filing else {}),
    }
    if issue.key_id:
        said["Signing key"] = Figure(issue.key_id, HASH)
    return said | provisos_in_words(game)


def _filed_terms(filing: Filing, game: Game) -> dict[str, Words]:
    """Return the statements of a filing about its sources and tests."""
    text, archive = filing.approved_text_sha256, filing.source_archive_sha256
    return {
        "SHA-256 of the approved text": Figure(text, HASH) if text else NOT_STATED,
        **({} if game.is_draft else {"Transcribed by": transcriber_in_words(filing)}),
        "Tested": days_of_tests(filing),
        **({"Source archive": Figure(archive, HASH)} if archive else {}),
    }


def transcriber_in_words(filing: Filing) -> str:
    """Return who transcribed the rules, and when."""
    if not filing.transcribed_by:
        return NOT_STATED
    on = filing.transcribed_on
    return f"{filing.transcribed_by}, {date_in_words(on, filing.dates)}" if on else filing.transcribed_by


def days_of_tests(filing: Filing) -> str:
    """Return the days on which the analysis was tested."""
    days = [day for day in (filing.tested_from, filing.tested_to) if day is not None]
    return " to ".join(dict.fromkeys(date_in_words(day, filing.dates) for day in days)) or NOT_STATED
