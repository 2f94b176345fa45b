"""The check of a rule book: mistakes, the coverage of its lines, warnings, published figures."""

from collections.abc import Iterator, Sequence

from combinat.analysis.coverage import (
    COVERED,
    COVERED_LINES,
    BetCoverage,
    Caution,
    CautionSort,
    Coverage,
    CoveredLine,
    Expectation,
    Hole,
    RuleBookCheck,
)
from combinat.base.kinds import FLAG, FRACTION, NUMBER, TEXT, decimal, percentage, rounded_text
from combinat.base.number import PLACES
from combinat.base.relation import Document, Field, Many, Relation
from combinat.render.blocks import Block, Figure, Paragraph, Section, Table, Terms, section
from combinat.report.analysis.odds import FINE, shoe_in_words
from combinat.report.phrases import ROUNDING
from combinat.report.provisos import SHOE
from combinat.report.relation_tables import program_table, view_table
from combinat.rules.book.reader import Mistake
from combinat.rules.facts import fact_in_words, numbers_in_words

ROUGH = percentage(1)

# ---------------------------------------------------------------- mistakes


def mistakes_document(name: str, mistakes: Sequence[Mistake]) -> Section:
    """Return every mistake of a rule book, in the order of its lines."""
    several = f"{len(mistakes)} mistake{'s' if len(mistakes) > 1 else ''}"
    places = (section(_place(mistake), f"{mistake.what}.") for mistake in mistakes)
    return section(f"{name}: {several}", places)


def _place(mistake: Mistake) -> str:
    line = f"line {mistake.line}" if mistake.line is not None else ""
    return ", ".join(filter(None, (line, mistake.key))) or "the file"


MISTAKES: Relation[Mistake] = Relation(
    "mistakes",
    Field("line", "line", NUMBER, "The line of the file.", may_be_none=True, views="list"),
    Field("key", "key", TEXT, "The key, dotted.", views="list"),
    Field(
        "mistake",
        "mistake",
        TEXT,
        "What is wrong, and what to write.",
        lambda mistake: mistake.what,
        views="list",
    ),
)
"""Mistakes of a rule book, a row each."""

# ---------------------------------------------------------------- coverage


def check_document(coverage: Coverage, expected: Sequence[Expectation]) -> Section:
    """Return a rule book without mistakes: what every line covers, what to look at, and its published figures."""
    game = coverage.game
    return section(
        game.name,
        {
            "Mistakes": "none",
            "Shoe": shoe_in_words(coverage.shoe),
            "Examples": f"{len(game.examples)}, each covered by its line" if game.examples else None,
        },
        map(_bet, coverage.bets),
        section("Published figures", expected_blocks(expected)) if expected else None,
        section("Warnings", list(cautions_in_words(coverage)) or "Nothing."),
        ROUNDING,
    )


def _bet(bet: BetCoverage) -> Section:
    return section(
        f"{bet.bet.name} ({bet.bet.id})",
        view_table(COVERED_LINES, bet.lines[:-1]),
        Paragraph(_rest(bet.rest)),
        {"House edge": Figure(bet.analysis.house_edge, FINE, after=" %")},
    )


def _rest(rest: CoveredLine) -> tuple[str | Figure, ...]:
    """Return the result of the rounds that no line covers, as a sentence."""
    if not rest.ways:
        return ("Its lines cover every round.",)
    verb = "loses" if rest.net else "comes back"
    example = f", for example {rest.deal}" if rest.deal else ""
    return (f"Everything else {verb}: ", Figure(rest.probability, ROUGH, after=f" % of rounds{example}."))


def cautions_in_words(coverage: Coverage) -> Iterator[str]:
    """Return the warnings, a sentence each."""
    for bet in coverage.bets:
        for caution in bet.cautions:
            yield f"{bet.bet.id}: {_caution(caution, bet)}"


def _caution(caution: Caution, bet: BetCoverage) -> str:
    if caution.hole is not None:
        return _hole(caution.hole, bet)
    gain = rounded_text(bet.analysis.expected_value, FINE)
    return {
        CautionSort.NEVER_PAYS: f'no round can have all the facts of its line "{caution.line}"; '
        "check them against each other",
        CautionSort.NEVER_LOSES: "it never loses; if it should, take otherwise or some of its lines out",
        CautionSort.FAVOURS_PLAYER: f"it favours the player, by {gain} % of the stake on this shoe; "
        "check its odds, or solve for lower ones",
    }[caution.sort]


def _hole(hole: Hole, bet: BetCoverage) -> str:
    elsewhere = ", ".join(
        fact_in_words(fact, values)
        for fact, values in hole.where.items()
        if values != {None} and values != {True, False}
    )
    where = f" when {elsewhere}" if elsewhere else ""
    verb = "loses" if bet.rest.net else "comes back"
    return (
        f"{hole.fact} {numbers_in_words(hole.values)} {verb}{where}, while values below and above it are named, "
        f"for example {hole.deal}; if that is meant, nothing is to be done"
    )


def coverage_table(coverage: Coverage) -> Table:
    """Return a row for each line of a pay table, and one for the rounds that no line covers."""
    return program_table(COVERED, coverage.records())


# ---------------------------------------------------------------- published figures


def expected_blocks(expected: Sequence[Expectation]) -> tuple[Block, ...]:
    """Return every published figure beside the exact one, rounded a little further, and whether it holds; the sources."""
    sources = list(dict.fromkeys(one.stated.source for one in expected))
    rows = [(one, sources.index(one.stated.source) + 1) for one in expected]
    return view_table(COMPARED_FIGURES, rows), Terms(
        {f"[{number}]": source for number, source in enumerate(sources, 1)}
    )


def figure_name(one: Expectation) -> str:
    """Return the subject of a published figure."""
    line = f" of {one.stated.line}" if one.stated.line else ""
    return f"{one.name.replace('_', ' ')}{line}"


def _figure(one: Expectation) -> Figure:
    if one.published.endswith("%"):
        return Figure(one.exact, FINE, after="%")
    return Figure(one.exact, decimal(PLACES))


def unmet_in_words(expected: Sequence[Expectation]) -> Iterator[str]:
    """Yield the published figures that do not hold, a phrase each."""
    for one in expected:
        if not one.is_met:
            yield (
                f"{one.stated.bet} with {one.stated.decks} decks: the {figure_name(one)} is published as "
                f"{one.published}, and is {_figure(one).text()}"
            )


WARNINGS: Relation[tuple[BetCoverage, Caution]] = Relation(
    "warnings",
    Field("bet", "bet", TEXT, "The bet's id.", lambda row: row[0].bet.id),
    Field("warning", "warning", TEXT, "The kind of warning.", lambda row: row[1].sort, words=CautionSort),
    Field("says", "says", TEXT, "What to look at.", lambda row: _caution(row[1], row[0])),
    Field("deal", "for example", TEXT, "A deal that shows it.", lambda row: str(row[1].hole.deal) if row[1].hole else None, may_be_none=True),
)  # fmt: skip

PUBLISHED: Relation[Expectation] = Relation(
    "published figures",
    Field("bet", "bet", TEXT, "The bet's id.", lambda one: one.stated.bet, views="terminal"),
    Field("decks", "decks", NUMBER, "Decks of the shoe.", lambda one: one.stated.decks, views="terminal"),
    Field("figure", "figure", TEXT, "Which figure it is.", lambda one: one.name),
    Field("line", "line", TEXT, "The line of the pay table.", lambda one: one.stated.line or None, may_be_none=True),
    Field("named", "figure", TEXT, "", lambda one: figure_name(one), views="terminal", for_people=True),
    Field("published", "published", TEXT, "The figure as published.", views="terminal"),
    Field("exact", "exact", FRACTION, "The exact figure."),
    Field("rounded", "exact", TEXT, "", lambda one: _figure(one), views="terminal", for_people=True),
    Field("holds", "holds", FLAG, "Whether it is the exact one, rounded.", lambda one: one.is_met),
    Field("met", "holds", TEXT, "", lambda one: "yes" if one.is_met else "NO", views="terminal", for_people=True),
    Field("source", "source", TEXT, "Where it was published.", lambda one: one.stated.source),
)  # fmt: skip

COMPARED_FIGURES: Relation[tuple[Expectation, int]] = Relation(
    "compared figures",
    *PUBLISHED.part(lambda row: row[0]),
    Field("source_number", "source", TEXT, "", lambda row: f"[{row[1]}]", views="terminal", for_people=True),
)
"""Published figures with the numbers of their sources below the table, a row each; for people."""

COVERED_BETS: Relation[BetCoverage] = Relation(
    "covered bets",
    Field("id", "bet", TEXT, "The bet's id.", lambda one: one.bet.id),
    Field(
        "house_edge",
        "house edge %",
        FINE,
        "Expected loss per unit staked.",
        lambda one: one.analysis.house_edge,
    ),
    Field("lines", "lines", Many(COVERED_LINES), "Its lines, and everything else."),
)

CHECK: Document[RuleBookCheck] = Document(
    "combinat/check/2",
    "A rule book looked through: combinat check. With mistakes, it has no more than these.",
    Field("file", "file", TEXT, "The file.", lambda row: row.path.name),
    Field("game", "game", TEXT, "The game's id.", lambda row: row.coverage and row.coverage.game.id, may_be_absent=True),
    Field("holds", "holds", FLAG, "Whether it has no mistakes and its published figures hold."),
    Field("mistakes", "mistakes", Many(MISTAKES), "Its mistakes."),
    Field("shoe", "shoe", SHOE, "The shoe.", lambda row: row.coverage and row.coverage.shoe, may_be_absent=True),
    Field("bets", "bets", Many(COVERED_BETS), "Every bet.", lambda row: row.coverage and row.coverage.bets, may_be_absent=True),
    Field(
        *("warnings", "to look at", Many(WARNINGS), "What looks forgotten."),
        lambda row: row.coverage and [(bet, caution) for bet in row.coverage.bets for caution in bet.cautions],
        may_be_absent=True,
    ),
    Field("examples", "examples", NUMBER, "Examples that hold.", lambda row: row.coverage and len(row.coverage.game.examples), may_be_absent=True),
    Field("expect", "published figures", Many(PUBLISHED), "Published figures.", lambda row: row.coverage and row.published, may_be_absent=True),
)  # fmt: skip
