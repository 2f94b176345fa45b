"""Document control, scope, statement: the chapters that every report has around its figures."""

from collections.abc import Iterator

from combinat.base.dates import date_in_words
from combinat.certify.dossier import Dossier
from combinat.certify.filing import Issue
from combinat.render.blocks import (
    Column,
    Contents,
    ContentsOf,
    Paragraph,
    Reference,
    Section,
    Terms,
    chapter,
    table,
)
from combinat.report.analysis.odds import decks_in_words
from combinat.report.filing.identity import NOT_ISSUED, NOT_STATED, document_in_words, language_of
from combinat.report.filing.page_one import EVERY_BET, people_table
from combinat.report.phrases import DISCLAIMER, ROUNDING
from combinat.rules.game import Game

# ---------------------------------------------------------------- document control


def control_chapter(game: Game, issue: Issue) -> Section:
    """Revisions, distribution, contents, and how to read the report."""
    return chapter(
        "Document control",
        (
            *_revisions(issue),
            Section("Contents", (Contents(ContentsOf.SECTIONS),)),
            Section("Tables and figures", (Contents(ContentsOf.TABLES),)),
            Section("How to read this report", (*_how_to_read(), Terms(dict(_glossary(game))))),
        ),
        "control",
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
    yield Section("Revisions and distribution", (history, Paragraph(f"Distribution: {receivers}.")))


def _how_to_read() -> Iterator[Paragraph]:
    yield Paragraph(
        (
            "Page 1 states the findings; ",
            Reference(EVERY_BET),
            " has a line for every bet. The chapter on every wager has the exact fractions for one shoe, tables/bets.csv those "
            "for other numbers of decks. A standard deviation is the square root of the variance stated there. Tables and "
            "figures of an annex have its letter in their numbers.",
        )
    )
    yield Paragraph(
        f"{ROUNDING} A column of rounded figures may not add up to its rounded total. Commas separate groups of three digits. "
        'Odds are "to 1": profit per unit staked, without the stake itself; they are never "for 1".'
    )


def _glossary(game: Game) -> Iterator[tuple[str, str]]:
    yield "Ways", "the number of ordered sequences of six cards of the shoe that lead to an outcome"
    yield "Expected value (EV)", "the player's mean profit per unit staked; a negative value is a loss"
    yield "House edge", "minus the expected value: the House's mean profit per unit staked"
    yield "Return", "the mean amount paid back per unit staked, stake included: 100 % less the house edge"
    yield "Hit frequency, wins %", "the probability that the bet wins"
    yield (
        "Fair odds",
        "of a bet: the ways in which it loses to the ways in which it wins; at these odds neither side gains",
    )
    yield "True odds", "of an outcome: all other ways to the ways that lead to it"
    yield "Push", "the stake is returned"
    yield "Void", "a round that the shoe cannot finish"
    yield "SD", "standard deviation of the profit per unit staked, in one round"
    if game.insurance:
        yield (
            "Insurance state",
            "the moment at which insurance is offered: the insured hand, the stage, and the points of both hands",
        )


# ---------------------------------------------------------------- scope


def scope_chapter(dossier: Dossier, game: Game) -> Section:
    """Return the assumptions and the exclusions, numbered for citation."""
    states = " and every insurance state" if game.insurance else ""
    source = "draft" if game.is_draft else "document"
    intro = (
        f"The report states the exact probabilities and expected values of every bet{states} of {game.name}, settled as its "
        f"{source} settles them, and the figures that follow from them."
    )
    lists = {"assumption": _assumptions(dossier, game), "not analysed": _exclusions(game)}
    captions = iter((("A", "Assumptions"), ("X", "Exclusions")))
    tables = []
    for head, sentences in lists.items():
        letter, caption = next(captions)
        rows = [(f"{letter}{number}", sentence) for number, sentence in enumerate(sentences, start=1)]
        tables.append(table((Column("no."), Column(head)), rows, caption))
    return chapter("Scope", (Paragraph(intro), *tables), "scope")


def _assumptions(dossier: Dossier, game: Game) -> Iterator[str]:
    yield "One round is dealt from a fresh, well-shuffled shoe of full decks: every order of its cards is equally likely."
    yield (
        "Burnt cards that nobody sees, and the cut card, do not change the distribution of the cards of a round: they are "
        "distributed like the first cards of the shoe."
    )
    yield f"Figures for one shoe are for {decks_in_words(dossier.reference_decks)}."
    yield "One unit is staked on each bet, and no table limit applies."
    yield "A round that the shoe cannot finish is void, as restated in the rules below."
    if game.interpretations:
        followed = ", except for the readings named on page 1" if game.provisos.readings else ""
        yield f"An ambiguous clause is read as the interpretation register states{followed}."
    if game.insurance:
        yield "An insurance offer is valued when it is made: both totals are known, and no other card."


def _exclusions(game: Game) -> Iterator[str]:
    insured = " other than those on insurance" if game.insurance else ""
    yield f"Limits on stakes{insured}, the Differential, and all rules that depend on other stakes at the table."
    yield "Dealing errors and their remedies, except as restated in the rules below."
    yield "Players or dealers who know undealt cards, marked cards, and collusion."
    yield "Card counts other than those in the chapter on game protection."
    yield "The physical shuffle, the shoe, and the equipment."
    yield (
        "Whether the rules will be approved: the rule book is a draft."
        if game.is_draft
        else "Whether our transcription of the document is correct: a reader must compare the two."
    )


# ---------------------------------------------------------------- statement


def statement_chapter(game: Game, issue: Issue) -> Section:
    """Return the statement of those who sign, with room to sign."""
    return chapter(
        "Statement and signatures",
        (*map(Paragraph, _statements(game, issue)), people_table(issue)),
        "statement",
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
