"""Documents of the power of an audit: text, CSV and JSON."""

from combinat.audit.power import SIGHTS, SOURCE, SOURCES, Power
from combinat.base.kinds import MONEY, NUMBER, TEXT
from combinat.base.relation import Document, Field, Many
from combinat.render.blocks import Block, Figure, Paragraph, Section, Table, Terms
from combinat.report.analysis.odds import shoe_in_words
from combinat.report.provisos import SHOE
from combinat.report.relation_tables import program_table, view_table

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
        view_table(SOURCES, power.sources, "rounds"),
    ]
    if power.rounds is not None:
        run = view_table(SOURCES, power.sources, "run")
        blocks.append(Section(f"A run of {power.rounds} rounds", (run,)))
    return Section(f"{power.game_name}: rounds that show a fault", (*blocks, Paragraph(HOW)))


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
    return program_table(
        SIGHTS.under(SOURCE), [(source, sight) for source in power.sources for sight in source.sights]
    )
