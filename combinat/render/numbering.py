"""The numbers of a document: of its sections, tables and figures; and what refers to them.

A pure function from a document to the same document: numbers, labels and anchors are given where there are
none, references get the name of what they refer to, and digits stand in threes.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import count
from string import ascii_uppercase
from typing import Any

from msgspec.structs import replace

from combinat.base.kinds import Kind, in_threes
from combinat.render.blocks import (
    Block,
    Column,
    Contents,
    ContentsOf,
    Figure,
    Picture,
    Reference,
    Section,
    Standing,
    Table,
    each_block,
    each_part,
)


def numbered(document: Section) -> Section:
    """Return the document with every number; a reference to no place of it is a presenter's mistake."""
    counts = _Counts()
    placed = counts.placed(document.blocks, document.title)
    named = each_block(placed, lambda block: _with_name(block, counts))
    return replace(document, blocks=each_part(named, lambda part: _part(part, counts.names)))


def slug(title: str, taken: set[str]) -> str:
    """Return a name for the place of a heading that no other place has.

    >>> slug("B. Scope & assumptions", {"b-scope-assumptions"})
    'b-scope-assumptions-2'
    """
    name = plain(title) or "section"
    if name not in taken:
        return name
    return next(other for number in count(2) if (other := f"{name}-{number}") not in taken)


def plain(text: str) -> str:
    """Return a text in small letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def letter(number: int) -> str:
    """Return the letter of an annex, the first being 1.

    >>> letter(1), letter(26), letter(27)
    ('A', 'Z', 'AA')
    """
    before, place = divmod(number - 1, len(ascii_uppercase))
    return (letter(before) if before else "") + ascii_uppercase[place]


class _Counts:
    """The next numbers of a document's sections, tables and figures."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.listed: dict[ContentsOf, list[Reference]] = {what: [] for what in ContentsOf}
        self._chapters = self._annexes = 0
        self._tables = self._pictures = 0
        self._before = ""
        """The prefix of a table's number: the letter of the annex."""

    def placed(self, blocks: Sequence[Block], title: str, inside: str = "") -> tuple[Block, ...]:
        """Return the blocks under a heading with their numbers; ``inside``: the number of the section they stand in."""
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
    """Return whether a block is a section with a number within its numbered section."""
    return bool(inside) and isinstance(block, Section)


def _with_name(block: Block, counts: _Counts) -> Block:
    """Return a block with the entries of its contents, and with digits in groups of three."""
    match block:
        case Contents(what):
            return Contents(what, tuple(counts.listed[what]))
        case Table():
            columns = tuple(Column(column.head, in_threes(column.kind)) for column in block.columns)
            return replace(block, columns=columns)
        case _:
            return block


def _part(part: Any, names: Mapping[str, str]) -> Any:
    """Return a part of a phrase: a reference with its name, a figure with its digits in groups of three."""
    match part:
        case Figure(kind=Kind() as kind):
            return replace(part, kind=in_threes(kind))
        case Reference(to, _) if to not in names:
            raise ValueError(f"no place of this document is called {to}")
        case Reference(to, name):
            return Reference(to, name or names[to])
        case _:
            return part
