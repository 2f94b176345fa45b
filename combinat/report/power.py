"""The power of an audit as people and programs read it."""

from typing import Any

from combinat.audit.power_records import Power, Sight, SourcePower
from combinat.base.kinds import COUNT, FRACTION, MONEY, TEXT, percentage
from combinat.base.number import exact, json_number
from combinat.render.blocks import Block, Column, Figure, Paragraph, Section, Table, Terms, table
from combinat.report.game_fields import SHOE
from combinat.report.odds import shoe_in_words

PERCENT = percentage(2)

HOW = (
    "Rounds each from a fresh shuffle. The first round that contradicts the rules shows a fault; a test shows it at the level that "
    "is left when it is adjusted for the number of tests, at its strictest, and so a file may show it sooner. Needed rounds of tests "
    "are rounded up to three digits."
)


def power_document(power: Power) -> Section:
    """How many rounds of each kind of file show the fault."""
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
    """How surely a run of rounds shows the fault."""
    columns = (Column("file"), Column("seen with a probability of %", PERCENT), Column("at best by"))
    rows = []
    for source in power.sources:
        best = max(source.sights, key=lambda sight: sight.power or 0, default=None)
        rows.append((source.source.in_words, source.power, _seen_by(best) if best and source.power else "-"))
    return table(columns, rows)


def power_csv(power: Power) -> Table:
    """One line for each thing that is looked at."""
    columns = (
        Column("file"),
        Column("subject"),
        Column("what"),
        Column("rounds_needed", COUNT),
        Column("power", FRACTION),
    )
    rows = [
        (source.source.value, sight.subject, sight.what, sight.rounds, sight.power)
        for source in power.sources
        for sight in source.sights
    ]
    return table(columns, rows)


def power_json(power: Power) -> dict[str, Any]:
    """The power under the schema ``combinat/power/1``."""
    return {
        "schema": "combinat/power/1",
        "game": power.game,
        "shoe": SHOE.object(power.shoe),
        "fault": power.fault,
        "alpha": exact(power.alpha),
        "target": exact(power.target),
        "rounds": power.rounds,
        "sources": [
            {
                "source": source.source.value,
                "tests": source.tests,
                "contradiction": exact(source.contradiction),
                "rounds_needed": source.best.rounds if source.best else None,
                "seen_by": _seen_by(source.best) if source.best else None,
                "power": _number(source.power),
                "sights": [
                    {
                        "subject": sight.subject,
                        "what": sight.what,
                        "rounds_needed": sight.rounds,
                        "power": _number(sight.power),
                    }
                    for sight in source.sights
                ],
            }
            for source in power.sources
        ],
    }


def _number(value: Any) -> Any:
    return None if value is None else json_number(value)
