"""The power of an audit as people and programs read it."""

from typing import Any

from combinat.audit.power import FileKind, Power, Sight, SourcePower
from combinat.base.kinds import COUNT, FRACTION, MONEY, NUMBER, TEXT, estimated, percentage
from combinat.base.relation import Document, Field, Many, Relation
from combinat.render.blocks import Block, Column, Figure, Paragraph, Section, Table, Terms, table
from combinat.report.analysis.odds import shoe_in_words
from combinat.report.game_fields import SHOE
from combinat.report.relation_tables import program_table

PERCENT = percentage(2)

HOW = (
    "Rounds each from a fresh shuffle. The first round that contradicts the rules shows a fault; a test shows it at the level that "
    "is left when it is adjusted for the number of tests, at its strictest, and so a file may show it sooner. Needed rounds of tests "
    "are rounded up to three digits."
)


def power_document(power: Power) -> Section:
    """Return how many rounds of each kind of file show the fault."""
    blocks: list[Block] = [
        Terms(
            {
                "Fault": power.fault,
                "Shoe": shoe_in_words(power.shoe),
                "Accepted chance of a false alarm": Figure(power.alpha, MONEY),
                "To be seen with a probability of": Figure(power.target, MONEY),
            }
        ),
        power_table(power),
    ]
    if power.rounds is not None:
        blocks.append(Section(f"A run of {power.rounds} rounds", (_run_table(power),)))
    return Section(f"{power.game_name}: what shows a fault", (*blocks, Paragraph(HOW)))


def power_table(power: Power) -> Table:
    """One line for each kind of file."""
    columns = (Column("file"), Column("tests", COUNT), Column("rounds needed", COUNT), Column("seen by"))
    return table(columns, [_line(source) for source in power.sources])


def _line(source: SourcePower) -> tuple[str | int | Figure, ...]:
    best = source.best
    if best is None:
        return (
            source.source.in_words,
            source.tests,
            Figure("never", TEXT),
            "nothing that is looked at differs",
        )
    return (source.source.in_words, source.tests, Figure(best.rounds, COUNT), _seen_by(best))


def _seen_by(sight: Sight) -> str:
    return sight.subject if sight.what == "contradiction" else f"{sight.subject}, {sight.what}"


def _run_table(power: Power) -> Table:
    """Return how surely a run of rounds shows the fault."""
    columns = (Column("file"), Column("seen with a probability of %", PERCENT), Column("at best by"))
    rows = []
    for source in power.sources:
        best = max(source.sights, key=lambda sight: sight.power or 0, default=None)
        rows.append((source.source.in_words, source.power, _seen_by(best) if best and source.power else "-"))
    return table(columns, rows)


POWER_SHARE = estimated(PERCENT)

SIGHTS: Relation[Sight] = Relation(
    "sights",
    Field("subject", "subject", TEXT, "What is looked at."),
    Field("what", "what", TEXT, "The test, or a contradiction."),
    Field("rounds_needed", "rounds needed", NUMBER, "Rounds after which it shows the fault.", lambda sight: sight.rounds, may_be_none=True),
    Field("power", "power %", POWER_SHARE, "Probability that a run of the rounds asked about shows it.", may_be_none=True),
)  # fmt: skip
"""Tests and contradictions that show a fault, a row each."""

SOURCE: Field[SourcePower] = Field("source", "file", TEXT, "The kind of file.", words=FileKind)

SOURCES: Relation[SourcePower] = Relation(
    "sources",
    SOURCE,
    Field("tests", "tests", NUMBER, "How many tests are made of it."),
    Field("contradiction", "contradiction", FRACTION, "Probability that a round contradicts the rules."),
    Field("rounds_needed", "rounds needed", NUMBER, "Rounds after which it shows the fault.", lambda row: row.best.rounds if row.best else None, may_be_none=True),
    Field("seen_by", "seen by", TEXT, "What shows it first.", lambda row: _seen_by(row.best) if row.best else None, may_be_none=True),
    Field("power", "power %", POWER_SHARE, "Probability that a run of the rounds asked about shows it.", may_be_none=True),
    Field("sights", "sights", Many(SIGHTS), "Everything that is looked at."),
)  # fmt: skip
"""Kinds of files, a row each."""

POWER: Document[Power] = Document(
    "combinat/power/1",
    "How many rounds an audit needs: combinat power.",
    Field("game", "game", TEXT, "The game's id."),
    Field("shoe", "shoe", SHOE, "The shoe."),
    Field("fault", "fault", TEXT, "The fault."),
    Field("alpha", "alpha", MONEY, "Accepted probability of a false alarm."),
    Field("target", "target power", MONEY, "Target power."),
    Field("rounds", "rounds", NUMBER, "The rounds of a run that was asked about.", may_be_none=True),
    Field("sources", "sources", Many(SOURCES), "Every kind of file."),
)


def power_csv(power: Power) -> Table:
    """One line for each thing that is looked at."""
    return program_table(
        SIGHTS.under(SOURCE), [(source, sight) for source in power.sources for sight in source.sights]
    )


def power_json(power: Power) -> dict[str, Any]:
    """Return the power as a document."""
    return POWER.object(power)
