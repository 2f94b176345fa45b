"""The numbers of a document: of its sections, tables and figures; and what refers to them.

A pure function from a document to the same document: numbers, labels and anchors are given where there are
none, references get the name of what they refer to, and digits stand in threes.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import count
from string import ascii_uppercase
from typing import NamedTuple

from msgspec.structs import replace

from combinat.base.kinds import in_threes
from combinat.render.blocks import (
    Block,
    Cell,
    Column,
    Contents,
    ContentsOf,
    Figure,
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
)


class Names(NamedTuple):
    """The names of places by their anchors, and what a list of each kind holds."""

    of: Mapping[str, str]
    listed: Mapping[ContentsOf, Sequence[Reference]]


def numbered(document: Section) -> Section:
    """The document with every number; a reference to no place of it is a presenter's mistake."""
    counts = _Counts()
    placed = replace(document, blocks=counts.placed(document.blocks, document.title))
    return _section(placed, Names(counts.names, counts.listed))


def slug(title: str, taken: set[str]) -> str:
    """A name for the place of a heading that no other place has.

    >>> slug("B. Scope & assumptions", {"b-scope-assumptions"})
    'b-scope-assumptions-2'
    """
    name = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "section"
    if name not in taken:
        return name
    return next(other for number in count(2) if (other := f"{name}-{number}") not in taken)


def letter(number: int) -> str:
    """The letter of an annex, the first being 1.

    >>> letter(1), letter(26), letter(27)
    ('A', 'Z', 'AA')
    """
    before, place = divmod(number - 1, len(ascii_uppercase))
    return (letter(before) if before else "") + ascii_uppercase[place]


class _Counts:
    """How far the numbers of a document have come."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.listed: dict[ContentsOf, list[Reference]] = {what: [] for what in ContentsOf}
        self._chapters = self._annexes = 0
        self._tables = self._pictures = 0
        self._before = ""
        """What stands before the number of a table: the letter of the annex."""

    def placed(self, blocks: Sequence[Block], title: str, inside: str = "") -> tuple[Block, ...]:
        """The blocks under a heading with their numbers; ``inside``: the number of the section they stand in."""
        under = count(1)
        return tuple(
            self._block(block, title, f"{inside}.{next(under)}" if _is_counted(block, inside) else "")
            for block in blocks
        )

    def _block(self, block: Block, title: str, number: str) -> Block:
        match block:
            case Section():
                return self._section(block, number)
            case Table():
                self._tables += 1
                label, anchor = self._name("Table", self._tables, block.anchor)
                return self._listed(
                    replace(block, label=label, anchor=anchor, caption=block.caption or title)
                )
            case Picture():
                self._pictures += 1
                label, anchor = self._name("Figure", self._pictures, block.anchor)
                return self._listed(replace(block, label=label, anchor=anchor))
            case _:
                return block

    def _listed(self, block: Table | Picture) -> Table | Picture:
        self.listed[ContentsOf.TABLES].append(Reference(block.anchor, block.titled))
        return block

    def _section(self, section: Section, number: str) -> Section:
        shown = inside = number
        match section.standing:
            case Standing.CHAPTER:
                self._chapters += 1
                shown = inside = str(self._chapters)
            case Standing.ANNEX:
                self._annexes += 1
                inside = self._before = letter(self._annexes)
                shown = f"Annex {inside}"
                self._tables = self._pictures = 0
        is_numbered = section.standing in (Standing.CHAPTER, Standing.ANNEX)
        is_listed = section.standing is not Standing.PLAIN
        anchor = section.anchor or (slug(section.title, set(self.names)) if is_listed else "")
        if anchor:
            name = shown if shown.startswith("Annex") else f"section {shown}" if shown else section.title
            self._take(anchor, name)
        if is_listed:
            self.listed[ContentsOf.SECTIONS].append(
                Reference(anchor, ". ".join(filter(None, (shown, section.title))))
            )
        blocks = self.placed(section.blocks, section.title, inside if is_numbered else "")
        return replace(section, blocks=blocks, number=shown, anchor=anchor)

    def _name(self, what: str, number: int, anchor: str) -> tuple[str, str]:
        name = f"{self._before}.{number}" if self._before else str(number)
        label = f"{what} {name}"
        place = anchor or label.lower().replace(" ", "-").replace(".", "-")
        self._take(place, label)
        return label, place

    def _take(self, anchor: str, name: str) -> None:
        if anchor in self.names:
            raise ValueError(f"two places of a document are called {anchor}")
        self.names[anchor] = name


def _is_counted(block: Block, inside: str) -> bool:
    """Whether a block is a section that counts in the numbered section that it stands in."""
    return bool(inside) and isinstance(block, Section)


# ---------------------------------------------------------------- what is said, with the names of places


def _section(section: Section, names: Names) -> Section:
    return replace(section, blocks=tuple(_resolved(block, names) for block in section.blocks))


def _resolved(block: Block, names: Names) -> Block:
    match block:
        case Section():
            return _section(block, names)
        case Paragraph(words):
            return Paragraph(_words(words, names))
        case Terms(said, across):
            return Terms({term: _words(words, names) for term, words in said.items()}, across)
        case Contents(what):
            return Contents(what, tuple(names.listed[what]))
        case Table():
            columns = tuple(Column(column.head, in_threes(column.kind)) for column in block.columns)
            rows = tuple(
                Row(tuple(_cell(cell, names) for cell in row.cells), row.meaning) for row in block.rows
            )
            return replace(block, columns=columns, rows=rows)
        case Picture():
            return replace(block, alt=_words(block.alt, names), caption=_words(block.caption, names))


def _words(words: Words, names: Names) -> Words:
    if isinstance(words, str):
        return words
    if isinstance(words, Figure):
        return _figure(words)
    return tuple(_part(part, names) for part in words)


def _cell(cell: Cell, names: Names) -> Cell:
    if isinstance(cell, Figure):
        return _figure(cell)
    if isinstance(cell, tuple):
        return tuple(_part(part, names) for part in cell)
    return cell


def _part(part: Part, names: Names) -> Part:
    if isinstance(part, Figure):
        return _figure(part)
    if isinstance(part, Reference):
        if part.to not in names.of:
            raise ValueError(f"no place of this document is called {part.to}")
        return Reference(part.to, part.name or names.of[part.to])
    return part


def _figure(figure: Figure) -> Figure:
    return figure if figure.kind is None else replace(figure, kind=in_threes(figure.kind))
