"""The memo of a report: page one and the open readings, and nothing else."""

from collections.abc import Iterator

from msgspec.structs import replace

from combinat.base.kinds import COUNT
from combinat.render.blocks import (
    Block,
    Cell,
    Figure,
    Listing,
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
from combinat.rules.filing import Issue
from combinat.rules.game import Game


def memo(page_one: Section, game: Game, issue: Issue) -> Section:
    """The memo; ``page_one``: that of the report, before it is numbered."""
    readings = Paragraph(("Open readings: ", *_open_readings(game, issue)))
    return numbered(Section(f"{game.name}: memo", (*_alone(page_one).blocks, readings)))


def _open_readings(game: Game, issue: Issue) -> Iterator[Part]:
    """Every question that nobody has answered, one after the other, so that all stand on one page."""
    entries = [entry for entry in game.interpretations if issue.is_open(entry.id)]
    if not entries:
        yield "none; every one is confirmed." if game.interpretations else "none."
        return
    for number, entry in enumerate(entries, start=1):
        yield Figure(number, COUNT, before=" (" if number > 1 else "(", after=") ")
        yield f"{entry.question} [{'; '.join(entry.clauses)}]"
    yield ". The report says which reading was taken, and what the other would change."


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
        case Picture() | Listing():
            return block


def _words(words: Words) -> Words:
    return words if isinstance(words, str) or not isinstance(words, tuple) else tuple(map(_part, words))


def _cell(cell: Cell) -> Cell:
    return tuple(map(_part, cell)) if isinstance(cell, tuple) else cell


def _part(part: Part) -> Part:
    return part.name if isinstance(part, Reference) else part
