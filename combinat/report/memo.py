"""The memo of a report: page one and the open readings, and nothing else."""

from collections.abc import Iterator

from msgspec.structs import replace

from combinat.render.blocks import (
    Block,
    Cell,
    Column,
    Listing,
    Paragraph,
    Part,
    Picture,
    Reference,
    Row,
    Section,
    Standing,
    Table,
    Terms,
    Words,
    table,
)
from combinat.render.numbering import numbered
from combinat.rules.filing import Issue
from combinat.rules.game import Game


def memo(page_one: Section, title: str, game: Game, issue: Issue) -> Section:
    """The memo; ``page_one``: that of the report, before it is numbered."""
    first = replace(page_one, standing=Standing.PLAIN)
    return numbered(Section(f"{title} (memo)", (_alone(first), *_open_readings(game, issue))))


def _open_readings(game: Game, issue: Issue) -> Iterator[Block]:
    entries = [entry for entry in game.interpretations if issue.is_open(entry.id)]
    if not entries:
        yield Paragraph("No reading is open.")
        return
    rows = [("; ".join(entry.clauses), entry.question) for entry in entries]
    caption = "Open readings: clauses whose reading nobody has confirmed; the report says which was taken"
    yield table((Column("clause"), Column("question")), rows, caption, anchor="open-readings")


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
