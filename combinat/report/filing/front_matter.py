"""The issuer and the subject of a report: their terms, document control, scope and statement."""

from collections.abc import Iterator

from combinat import __version__
from combinat.base.dates import DateLanguage, date_in_words
from combinat.certify.dossier import Dossier
from combinat.certify.filing import Filing, Issue, Role
from combinat.render.blocks import (
    Column,
    Contents,
    ContentsOf,
    Meaning,
    Paragraph,
    Reference,
    Row,
    Section,
    Table,
    Words,
    chapter,
    section,
    table,
)
from combinat.report.analysis.odds import decks_in_words
from combinat.report.phrases import DISCLAIMER, ROUNDING, decks_span
from combinat.report.provisos import provisos_in_words
from combinat.rules.game import Game

NOT_ISSUED = "draft, not issued"
NOT_STATED = "not stated"

EVERY_BET = "every-bet"
"""The place of the table of page one."""

# ---------------------------------------------------------------- issuer and subject


def language_of(issue: Issue) -> DateLanguage:
    """Return the language of the dates of a report."""
    return issue.filing.dates if issue.filing else DateLanguage.ENGLISH


def draft_in_words(game: Game, issue: Issue) -> str:
    """Return the status on every page of a report that is not final; empty for a final one."""
    marks = {"DRAFT RULE BOOK": game.is_draft, "DRAFT, NOT ISSUED": issue.is_draft}
    return " / ".join(mark for mark, holds in marks.items() if holds)


def document_in_words(issue: Issue) -> str:
    """Return the document's number and revision, marked for a draft."""
    if issue.filing is None:
        return NOT_ISSUED
    return f"{issue.filing.document}, revision {issue.filing.revision.revision}"


def approved_in_words(game: Game, language: DateLanguage) -> str:
    """Return the approved document: its operator, its version, its date."""
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
    reference = _reference(dossier)
    said: dict[str, Words] = {
        "Game": f"{game.name} ({game.id})",
        "Approved document": approved_in_words(game, language_of(issue)),
        "Draft rule book" if is_draft else "Our transcription": f"{game.id}.toml, SHA-256 {game.sha256}",
        "Decks": f"{decks_span(dossier.decks)}; the {said_by} allows {game.decks.least} to {game.decks.most}{clause}"
        f"{reference and f'. {reference}'}",
        "Software": f"combinat {__version__}",
        **(_filed_terms(issue.filing, game) if issue.filing else {}),
    }
    if issue.key_id:
        said["Signing key"] = issue.key_id
    return said | provisos_in_words(game)


def _reference(dossier: Dossier) -> str:
    """Return the reference shoe in words, or "" if the report has only one shoe."""
    return (
        f"Figures for one shoe are for {decks_in_words(dossier.reference_decks)}"
        if len(dossier.shoes) > 1
        else ""
    )


def _filed_terms(filing: Filing, game: Game) -> dict[str, Words]:
    """Return the statements of a filing about its sources and tests."""
    text, archive = filing.approved_text_sha256, filing.source_archive_sha256
    return {
        "SHA-256 of the approved text": text or NOT_STATED,
        **({} if game.is_draft else {"Transcribed by": transcriber_in_words(filing)}),
        "Tested": days_of_tests(filing),
        **({"Source archive": archive} if archive else {}),
    }


def transcriber_in_words(filing: Filing) -> str:
    """Return the transcriber of the rules and the date, in words."""
    if not filing.transcribed_by:
        return NOT_STATED
    on = filing.transcribed_on
    return f"{filing.transcribed_by}, {date_in_words(on, filing.dates)}" if on else filing.transcribed_by


def days_of_tests(filing: Filing) -> str:
    """Return the days on which the analysis was tested."""
    days = [day for day in (filing.tested_from, filing.tested_to) if day is not None]
    return " to ".join(dict.fromkeys(date_in_words(day, filing.dates) for day in days)) or NOT_STATED


# ---------------------------------------------------------------- document control


def control_chapter(game: Game, issue: Issue) -> Section:
    """Revisions, distribution, contents, and how to read the report."""
    return chapter(
        "Document control",
        _revisions(issue),
        section("Contents", Contents(ContentsOf.SECTIONS)),
        section("Tables and figures", Contents(ContentsOf.TABLES)),
        section(
            "How to read this report", _HOW_TO_READ, _GLOSSARY | (_INSURANCE_STATE if game.insurance else {})
        ),
        anchor="control",
    )


def _revisions(issue: Issue) -> Iterator[Section]:
    if issue.filing is None:
        return
    language = language_of(issue)
    rows = [
        (one.revision, date_in_words(one.date, language) if one.date else NOT_ISSUED, one.why)
        for one in issue.filing.revisions
    ]
    columns = (Column("revision"), Column("date"), Column("what changed"))
    receivers = "; ".join(issue.filing.distribution) or NOT_STATED
    history = table(columns, rows, "Revision history")
    yield section("Revisions and distribution", history, f"Distribution: {receivers}.")


_HOW_TO_READ = (
    Paragraph(
        (
            "Page 1 states the findings; ",
            Reference(EVERY_BET),
            " has a line for every bet. The chapter on every wager has the exact fractions for one shoe, tables/bets.csv those "
            "for every number of decks of this report. A standard deviation is the square root of the variance stated there. Tables and "
            "figures of an annex have its letter in their numbers.",
        )
    ),
    Paragraph(
        f"{ROUNDING} A column of rounded figures may not add up to its rounded total. Commas separate groups of three digits. "
        'Odds are "to 1": profit per unit staked, without the stake itself; they are never "for 1".'
    ),
)
_GLOSSARY: dict[str, Words] = {
    "Ways": "the number of ordered sequences of six cards of the shoe that lead to an outcome",
    "Expected value (EV)": "the player's mean profit per unit staked; a negative value is a loss",
    "House edge": "minus the expected value: the House's mean profit per unit staked",
    "Return": "the mean amount paid back per unit staked, stake included: 100 % less the house edge",
    "Hit frequency, wins %": "the probability that the bet wins",
    "Fair odds": "of a bet: the ways in which it loses to the ways in which it wins; at these odds neither side gains",
    "True odds": "of an outcome: all other ways to the ways that lead to it",
    "Push": "the stake is returned",
    "Void": "a round that the shoe cannot finish",
    "SD": "standard deviation of the profit per unit staked, in one round",
}
_INSURANCE_STATE: dict[str, Words] = {
    "Insurance state": "the moment at which insurance is offered: the insured hand, the stage, and the points of both hands"
}


# ---------------------------------------------------------------- scope


def scope_chapter(dossier: Dossier, game: Game) -> Section:
    """Return the assumptions and the exclusions, numbered for citation."""
    states = " and every insurance state" if game.insurance else ""
    source = "draft" if game.is_draft else "document"
    intro = (
        f"The report states the exact probabilities and expected values of every bet{states} of {game.name}, settled as its "
        f"{source} settles them, and the figures that follow from them."
    )
    lists = (
        ("A", "assumption", "Assumptions", _assumptions(dossier, game)),
        ("X", "not analysed", "Exclusions", _exclusions(game)),
    )
    tables = [
        table(
            (Column("no."), Column(head)),
            [(f"{letter}{number}", sentence) for number, sentence in enumerate(sentences, start=1)],
            caption,
        )
        for letter, head, caption, sentences in lists
    ]
    return chapter("Scope", intro, tables, anchor="scope")


def _assumptions(dossier: Dossier, game: Game) -> Iterator[str]:
    yield "One round is dealt from a fresh, well-shuffled shoe of full decks: every order of its cards is equally likely."
    yield (
        "Burnt cards that nobody sees, and the cut card, do not change the distribution of the cards of a round: they are "
        "distributed like the first cards of the shoe."
    )
    if reference := _reference(dossier):
        yield f"{reference}."
    yield "One unit is staked on each bet, and no table limit applies."
    yield "A round that the shoe cannot finish is void, as restated in the rules below."
    if game.interpretations:
        followed = ", except for the readings named on page 1" if game.provisos.readings else ""
        yield f"An ambiguous clause is read as the interpretation register states{followed}."
    if game.insurance:
        yield "An insurance offer is valued when it is made: both totals are known, and no other card."


def _exclusions(game: Game) -> tuple[str, ...]:
    insured = " other than those on insurance" if game.insurance else ""
    return (
        f"Limits on stakes{insured}, the Differential, and all rules that depend on other stakes at the table.",
        "Dealing errors and their remedies, except as restated in the rules below.",
        "Players or dealers who know undealt cards, marked cards, and collusion.",
        "Card counts other than those in the chapter on game protection.",
        "The physical shuffle, the shoe, and the equipment.",
        "Whether the rules will be approved: the rule book is a draft."
        if game.is_draft
        else "Whether our transcription of the document is correct: a reader must compare the two.",
    )


# ---------------------------------------------------------------- statement


def people_table(issue: Issue) -> Table:
    """Return the people who prepared, reviewed and approved the report, with room to sign."""
    rows: list[Row] = []
    for role in Role:
        people = issue.filing.in_role(role) if issue.filing else ()
        named = [(person.name, person.position) for person in people] or [("not named", "")]
        rows += [Row((role.capitalize(), *who, "", ""), Meaning.TO_SIGN) for who in named]
    heads = ("role", "name", "position", "signature", "date")
    return table([Column(head) for head in heads], rows, "Signatures", anchor="signatures")


def statement_chapter(game: Game, issue: Issue) -> Section:
    """Return the statement of the signatories, with room to sign."""
    return chapter(
        "Statement and signatures", _statements(game, issue), people_table(issue), anchor="statement"
    )


def _statements(game: Game, issue: Issue) -> Iterator[str]:
    yield (
        f"The figures of this report follow by exact counting from the rules of {game.name} as this report restates them. "
        "This software reproduces each figure from the files beside this document; the checker alone checks bets and "
        f"insurance. {DISCLAIMER}"
    )
    if not issue.is_draft:
        yield f"The persons named below prepared, reviewed and approved {document_in_words(issue)}, as their roles state."
    signed = "It is signed with the key named on page 1." if issue.key_id else "It is not signed."
    yield f"certificate.json lists every file of this report with its SHA-256. {signed}"


def end_mark(issue: Issue) -> Paragraph:
    """Return the last line of a report."""
    return Paragraph(f"End of report ({document_in_words(issue)}).")
