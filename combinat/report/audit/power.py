"""Documents of the power of an audit: text, CSV and JSON."""

from typing import Any

from combinat.audit.power import FileKind, Power, Sight, SourcePower
from combinat.base.kinds import COUNT, FRACTION, MONEY, NUMBER, TEXT, estimated, percentage
from combinat.base.relation import Document, Field, Many, Relation
from combinat.render.blocks import Block, Column, Figure, Paragraph, Section, Table, Terms, table
from combinat.report.analysis.odds import shoe_in_words
from combinat.report.provisos import SHOE
from combinat.report.relation_tables import program_table

PERCENT = percentage(2)

HOW = (
    "Every round is from a fresh shuffle. The first round that contradicts the rules shows the fault. The power of a test is at the "
    "strictest level of Holm's method, so a file may show the fault sooner. Rounds needed by tests are rounded up to three digits."
)


def power_document(power: Power) -> Section:
    """Return the document: the rounds of each kind of file that show the fault."""
    blocks: list[Block] = [
        Terms(
            {
                "Fault": power.fault,
                "Shoe": shoe_in_words(power.shoe),
                "Accepted probability of a false alarm": Figure(power.alpha, MONEY),
                "Target power": Figure(power.target, MONEY),
            }
        ),
        power_table(power),
    ]
    if power.rounds is not None:
        blocks.append(Section(f"A run of {power.rounds} rounds", (_run_table(power),)))
    return Section(f"{power.game_name}: rounds that show a fault", (*blocks, Paragraph(HOW)))


def power_table(power: Power) -> Table:
    """Return a row for each kind of file."""
    columns = (
        Column("file"),
        Column("tests", COUNT),
        Column("rounds needed", COUNT),
        Column("first shown by"),
    )
    return table(columns, [_line(source) for source in power.sources])


def _line(source: SourcePower) -> tuple[str | int | Figure, ...]:
    best = source.best
    if best is None:
        return (
            source.source.in_words,
            source.tests,
            Figure("never", TEXT),
            "no test differs",
        )
    return (source.source.in_words, source.tests, Figure(best.rounds, COUNT), _seen_by(best))


def _seen_by(sight: Sight) -> str:
    return sight.subject if sight.what == "contradiction" else f"{sight.subject}, {sight.what}"


def _run_table(power: Power) -> Table:
    """Return the power of a run of rounds, by kind of file."""
    columns = (Column("file"), Column("power %", PERCENT), Column("best test"))
    rows = []
    for source in power.sources:
        best = max(source.sights, key=lambda sight: sight.power or 0, default=None)
        rows.append((source.source.in_words, source.power, _seen_by(best) if best and source.power else "-"))
    return table(columns, rows)


POWER_SHARE = estimated(PERCENT)

SIGHTS: Relation[Sight] = Relation(
    "sights",
    Field("subject", "subject", TEXT, "The subject of the test or contradiction."),
    Field("what", "what", TEXT, "The test, or a contradiction."),
    Field("rounds_needed", "rounds needed", NUMBER, "Rounds that show the fault with the target power.", lambda sight: sight.rounds, may_be_none=True),
    Field("power", "power %", POWER_SHARE, "Power of a run of the requested rounds.", may_be_none=True),
)  # fmt: skip
"""Tests and contradictions that show a fault, a row each."""

SOURCE: Field[SourcePower] = Field("source", "file", TEXT, "The kind of file.", words=FileKind)

SOURCES: Relation[SourcePower] = Relation(
    "sources",
    SOURCE,
    Field("tests", "tests", NUMBER, "Number of its tests."),
    Field("contradiction", "contradiction", FRACTION, "Probability that a round contradicts the rules."),
    Field("rounds_needed", "rounds needed", NUMBER, "Rounds that show the fault with the target power.", lambda row: row.best.rounds if row.best else None, may_be_none=True),
    Field("seen_by", "seen by", TEXT, "The test or contradiction with the fewest rounds.", lambda row: _seen_by(row.best) if row.best else None, may_be_none=True),
    Field("power", "power %", POWER_SHARE, "Power of a run of the requested rounds.", may_be_none=True),
    Field("sights", "sights", Many(SIGHTS), "The most powerful tests and contradictions."),
)  # fmt: skip
"""Kinds of files, a row each."""

SIGHT_ROWS: Relation[tuple[SourcePower, Sight]] = SIGHTS.under(SOURCE)

POWER: Document[Power] = Document(
    "combinat/power/1",
    "Rounds that show a fault, by kind of file: combinat power.",
    Field("game", "game", TEXT, "The game's id."),
    Field("shoe", "shoe", SHOE, "The shoe."),
    Field("fault", "fault", TEXT, "The fault."),
    Field("alpha", "alpha", MONEY, "Accepted probability of a false alarm."),
    Field("target", "target power", MONEY, "Target power."),
    Field("rounds", "rounds", NUMBER, "The requested rounds of a run.", may_be_none=True),
    Field("sources", "sources", Many(SOURCES), "Every kind of file."),
)


def power_csv(power: Power) -> Table:
    """Return a row for each test and contradiction."""
    return program_table(SIGHT_ROWS, sight_rows(power))


def sight_rows(power: Power) -> list[tuple[SourcePower, Sight]]:
    """Return a row for each test and contradiction."""
    return [(source, sight) for source in power.sources for sight in source.sights]


def power_json(power: Power) -> dict[str, Any]:
    """Return the power as a JSON document."""
    return POWER.object(power)
