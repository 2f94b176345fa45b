"""Document control: revisions, distribution, contents, and how the report is to be read."""

from collections.abc import Iterator

from combinat.certify.filing import Issue
from combinat.render.blocks import (
    Block,
    Column,
    Contents,
    ContentsOf,
    Paragraph,
    Reference,
    Section,
    Table,
    Terms,
    chapter,
    table,
)
from combinat.report.dates import date_in_words
from combinat.report.identity import NOT_ISSUED, NOT_STATED, language_of
from combinat.report.phrases import ROUNDING
from combinat.report.summary import EVERY_BET
from combinat.rules.game import Game

CONTROL = "control"


def control_section(game: Game, issue: Issue) -> Section:
    """The chapter of document control."""
    revisions = (Section("Revisions and distribution", tuple(_revisions(issue))),) if issue.filing else ()
    return chapter(
        "Document control",
        (
            *revisions,
            Section("Contents", (Contents(ContentsOf.SECTIONS),)),
            Section("Tables and figures", (Contents(ContentsOf.TABLES),)),
            Section("How to read this report", (*_how_to_read(), Terms(dict(_glossary(game))))),
        ),
        CONTROL,
    )


def _revisions(issue: Issue) -> Iterator[Block]:
    yield _history(issue)
    receivers = "; ".join(issue.filing.distribution if issue.filing else ()) or NOT_STATED
    yield Paragraph(f"Distribution: {receivers}.")


def _history(issue: Issue) -> Table:
    language = language_of(issue)
    rows = [
        (one.revision, date_in_words(one.date, language) if one.date else NOT_ISSUED, one.why)
        for one in (issue.filing.revisions if issue.filing else ())
    ]
    return table((Column("revision"), Column("date"), Column("what changed")), rows, "Revision history")


def _how_to_read() -> Iterator[Paragraph]:
    yield Paragraph(
        (
            "Page 1 has the findings; ",
            Reference(EVERY_BET),
            " has a line for every bet. The chapter on every wager has the exact fractions, tables/bets.csv those of other numbers of "
            "decks; a standard deviation is the square root of the variance there. Tables and figures of an annex carry its letter.",
        )
    )
    yield Paragraph(
        f"{ROUNDING} A column of rounded figures need not add up to its rounded total. Commas group the digits of a number in "
        'threes. Odds are "to 1": profit for each unit staked, the stake itself not counted; they are never "for 1".'
    )


def _glossary(game: Game) -> Iterator[tuple[str, str]]:
    yield "Ways", "the number of ordered sequences of six cards of the shoe that lead to something"
    yield "Expected value", "the player's mean profit for each unit staked; below zero it is a loss"
    yield (
        "House edge",
        "the same with the sign turned: what the House keeps of a unit staked; below zero, the player gains it",
    )
    yield "Return", "what comes back of a unit staked, the stake included: 100 % less the house edge"
    yield "Hit frequency, wins %", "how often the bet wins"
    yield (
        "Fair odds",
        "of a bet: the ways in which it loses against the ways in which it wins, to 1; at these odds neither side gains",
    )
    yield "True odds", "of an outcome: all other ways against the ways that lead to it, to 1"
    yield "Push", "the stake is returned"
    yield "Void", "a round that the shoe cannot finish"
    yield "SD", "standard deviation of the profit of a unit staked, in one round"
    if game.insurance:
        yield (
            "Insurance state",
            "the moment at which insurance is offered: the hand insured, the stage, and both totals",
        )
