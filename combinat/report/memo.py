"""The memo of a report: page one, the interpretations to confirm, and room to sign."""

from collections.abc import Iterator

from combinat.certify.dossier import Dossier
from combinat.certify.filing import Issue
from combinat.render.blocks import Paragraph, Part, Reference, Section, each_part
from combinat.render.numbering import numbered
from combinat.report.filing.register import numbers
from combinat.report.summary import people_table
from combinat.rules.game import Game


def memo(page_one: Section, dossier: Dossier, game: Game, issue: Issue) -> Section:
    """The memo; ``page_one``: that of the report, before it is numbered."""
    readings = Paragraph(("Interpretations to confirm: ", *_open_readings(dossier, game, issue)))
    # A memo stands alone: what refers to a place of the report has its name only.
    first = each_part(page_one.blocks, lambda part: part.name if isinstance(part, Reference) else part)
    return numbered(Section(f"{game.name}: memo", (*first, readings, people_table(issue))))


def _open_readings(dossier: Dossier, game: Game, issue: Issue) -> Iterator[Part]:
    """Every entry of the register that nobody has confirmed, by its number and id, in one paragraph."""
    numbered_entries = {entry: number for entry, number in numbers(dossier).items() if issue.is_open(entry)}
    if not numbered_entries:
        yield "none; all are confirmed." if game.interpretations else "none."
        return
    for place, (entry_id, number) in enumerate(numbered_entries.items()):
        entry = game.interpretation(entry_id)
        yield f"{'; ' if place else ''}no. {number} {entry.id} ({', '.join(entry.clauses)}): {entry.question}"
    yield " The interpretation register of the report has the same numbers and ids; it states the reading taken and the effect of the other."
