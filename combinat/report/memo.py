"""The memo of a report: page one, the interpretations to confirm, and room to sign."""

from collections.abc import Iterator

from msgspec.structs import replace

from combinat.certify.dossier import Dossier
from combinat.certify.filing import Issue
from combinat.render.blocks import (
    Block,
    Cell,
    Contents,
    Paragraph,
    Part,
    Picture,
    Reference,
    Row,
    Section,
    Table,
    Terms,
    Words,
)
from combinat.render.numbering import numbered
from combinat.report.filing.severity import numbers
from combinat.report.summary import people_table
from combinat.rules.game import Game


def memo(page_one: Section, dossier: Dossier, game: Game, issue: Issue) -> Section:
    """The memo; ``page_one``: that of the report, before it is numbered."""
    readings = Paragraph(("Interpretations to confirm: ", *_open_readings(dossier, game, issue)))
    return numbered(Section(f"{game.name}: memo", (*_alone(page_one).blocks, readings, people_table(issue))))


def _open_readings(dossier: Dossier, game: Game, issue: Issue) -> Iterator[Part]:
    """Every entry of the register that nobody has confirmed, by its number and id, in one paragraph."""
    numbered_entries = {entry: number for entry, number in numbers(dossier).items() if issue.is_open(entry)}
    if not numbered_entries:
        yield "none; all are confirmed." if game.interpretations else "none."
        return
    for place, (entry_id, number) in enumerate(numbered_entries.items()):
        entry = game.interpretation(entry_id)
        yield f"{'; ' if place else ''}no. {number} {entry.id} ({', '.join(entry.clauses)}): {entry.question}"
    yield " Numbers and ids are those of the interpretation register, which states the reading taken and the effect of the other."


# ---------------------------------------------------------------- what refers to the report, by its name alone


def _alone(section: Section) -> Section:
    return replace(section, blocks=tuple(map(_block, section.blocks)))


def _block(block: Block) -> Block:
    match block:
        case Section():
            return _alone(block)
        case Paragraph(words):
            return Paragraph(_words(words))
        case Terms(said, across):
            return Terms({term: _words(words) for term, words in said.items()}, across)
        case Table():
            rows = tuple(Row(tuple(map(_cell, row.cells)), row.meaning) for row in block.rows)
            return replace(block, rows=rows)
        case Picture() | Contents():
            return block


def _words(words: Words) -> Words:
    return words if isinstance(words, str) or not isinstance(words, tuple) else tuple(map(_part, words))


def _cell(cell: Cell) -> Cell:
    return tuple(map(_part, cell)) if isinstance(cell, tuple) else cell


def _part(part: Part) -> Part:
    return part.name if isinstance(part, Reference) else part
