"""The blocks of a document: sections, paragraphs, terms, tables, pictures. Meaning stays in their types.

A figure keeps its exact value until it is shown; a row says what it means; the nesting of sections gives the
level of their headings. Nothing here knows what a game is. The records are msgspec's, whose classes are made
in a tenth of the time that dataclasses take: every command makes them at its start.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
from msgspec.structs import replace

from combinat.base.kinds import CARDS, TEXT, Kind, Value, rounded_text

if TYPE_CHECKING:
    from combinat.render.charts.pictures import Drawing


class Figure(msgspec.Struct, frozen=True):
    """An exact value and how it is shown; in a cell without a kind, as its column says."""

    value: Value
    kind: Kind | None = None
    before: str = ""
    after: str = ""

    def text(self, kind: Kind = TEXT) -> str:
        """Return the figure as it is read; ``kind``: the column's."""
        return f"{self.before}{rounded_text(self.value, self.kind or kind)}{self.after}"


class Link(msgspec.Struct, frozen=True):
    """A name that leads to a file beside the document; where nothing can be followed, the name alone."""

    name: str
    target: str

    def text(self) -> str:
        """Return the link as it is read."""
        return self.name


class Reference(msgspec.Struct, frozen=True):
    """A place of the same document, by its anchor: a section, a table or a figure. Numbering gives it its name."""

    to: str
    name: str = ""

    def text(self) -> str:
        """Return the reference as it is read."""
        return self.name


Part = str | Figure | Link | Reference
"""A part of a phrase."""

Words = str | Figure | Sequence[Part]
"""A phrase: text, and figures, links and references in it."""

Cell = Value | Figure | tuple[Part, ...]
"""The content of a cell: a value of the column's kind, a figure of its own kind, or a phrase."""


class Meaning(StrEnum):
    """The meaning of a row of a table."""

    PLAIN = "plain"
    FAVOURS_PLAYER = "favours-player"
    FAILED = "failed"
    TOTAL = "total"
    TO_SIGN = "to-sign"  # room for a hand's writing


class Row(msgspec.Struct, frozen=True):
    """A row of a table, with its meaning."""

    cells: tuple[Cell, ...]
    meaning: Meaning = Meaning.PLAIN


class Column(msgspec.Struct, frozen=True):
    """A column of a table: its head, and the kind of its figures.

    ``name``: what programs call it. Default: its head, which is then a plain word. CSV has one column of each written name.
    ``is_spare``: it says in words what another says, and is left out where a terminal has no room for it.
    ``carries``: an empty cell says what the one above it says.
    """

    head: str
    kind: Kind = TEXT
    is_spare: bool = False
    carries: bool = False
    name: str = ""

    @property
    def align(self) -> str:
        """``r`` for numbers, ``l`` for words."""
        return "r" if self.kind.is_number else "l"


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A table.

    ``anchor``: the name of its place; ``label``: "Table 3". Numbering adds both if they are missing.
    """

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    caption: str = ""
    anchor: str = ""
    label: str = ""

    @property
    def titled(self) -> str:
        """The text above it: its label and its caption."""
        return ". ".join(filter(None, (self.label, self.caption)))


class Paragraph(msgspec.Struct, frozen=True):
    """A paragraph."""

    words: Words


class Terms(msgspec.Struct, frozen=True):
    """Terms with their definitions; ``across``: the number side by side on a printed page."""

    said: Mapping[str, Words]
    across: int = 1


class ContentsOf(StrEnum):
    """The entries of a table of contents: the sections of a document, or its tables and figures."""

    SECTIONS = "sections"
    TABLES = "tables"


class Contents(msgspec.Struct, frozen=True):
    """The table of contents of the document; numbering fills it with links."""

    what: ContentsOf
    entries: tuple[Reference, ...] = ()


class Picture(msgspec.Struct, frozen=True, kw_only=True):
    """A picture, with its alternative text. Its name is that of its file.

    ``is_narrow``: it is drawn for a phone, and not stretched where there is more room.
    ``anchor``: the name of its place; ``label``: "Figure 2". Numbering adds both if they are missing.
    """

    name: str
    drawing: "Drawing"
    alt: Words
    caption: Words
    is_narrow: bool = False
    anchor: str = ""
    label: str = ""

    @property
    def titled(self) -> str:
        """The text below it: its label and its caption."""
        return ". ".join(filter(None, (self.label, in_words(self.caption))))


class Standing(StrEnum):
    """The role of a section in its document."""

    PLAIN = "plain"
    SUMMARY = "summary"  # page one
    CHAPTER = "chapter"  # 1, 2, 3
    ANNEX = "annex"  # A, B, C


class Section(msgspec.Struct, frozen=True):
    """A heading and its blocks. The outermost section is the document, with the document's title.

    ``anchor``: the name of its place; ``number``: "3", "3.1", "Annex B", "B.2", as numbering gives it.
    """

    title: str
    blocks: "tuple[Block, ...]"
    standing: Standing = Standing.PLAIN
    anchor: str = ""
    number: str = ""

    @property
    def heading(self) -> str:
        """The title with its number."""
        return ". ".join(filter(None, (self.number, self.title)))


Block = Section | Paragraph | Terms | Table | Picture | Contents


def table(
    columns: Sequence[Column],
    rows: Sequence[Row | Sequence[Cell]],
    caption: str = "",
    *,
    anchor: str = "",
) -> Table:
    """Return a table of these columns; a row that is no ``Row`` means nothing in particular."""
    made = tuple(row if isinstance(row, Row) else Row(tuple(row)) for row in rows)
    for row in made:
        if len(row.cells) != len(columns):
            raise ValueError(f"{len(row.cells)} cells in a row of {len(columns)} columns")
    return Table(columns=tuple(columns), rows=made, caption=caption, anchor=anchor)


def with_columns(block: Table, cells: Mapping[str, str]) -> Table:
    """Return the table with more columns, the same cells in every row."""
    rows = tuple(Row((*row.cells, *cells.values()), row.meaning) for row in block.rows)
    return replace(block, columns=(*block.columns, *map(Column, cells)), rows=rows)


def fill_down(block: Table) -> Table:
    """Return the table with every empty cell of a column that carries filled from the one above it."""
    carries = [place for place, column in enumerate(block.columns) if column.carries]
    above: dict[int, Cell] = {}
    rows: list[Row] = []
    for row in block.rows:
        above |= {place: row.cells[place] for place in carries if row.cells[place] or place not in above}
        rows.append(Row(tuple(above.get(place, cell) for place, cell in enumerate(row.cells)), row.meaning))
    return replace(block, rows=tuple(rows)) if carries else block


def in_words(words: Words | Cell, kind: Kind = TEXT) -> str:
    """Return a phrase or a cell as it is read."""
    if isinstance(words, Figure):
        return words.text(kind)
    if words is None or isinstance(words, str | int | Fraction):
        return rounded_text(words, kind)
    if kind == CARDS:
        return rounded_text([str(part) for part in words], kind)
    return "".join(part if isinstance(part, str) else part.text() for part in words)


def has_link(words: Words | Cell) -> bool:
    """Return whether something in a phrase can be followed."""
    return isinstance(words, tuple | list) and any(isinstance(part, Link | Reference) for part in words)


def cells(row: Row, columns: Sequence[Column]) -> list[str]:
    """Return the cells of a row as they are read."""
    return [in_words(cell, column.kind) for cell, column in zip(row.cells, columns, strict=True)]


def each_block(blocks: Iterable[Block], change: Callable[[Block], Block | None]) -> tuple[Block, ...]:
    """Return the blocks with every block but sections changed; a block that becomes None is dropped."""
    made: list[Block] = []
    for block in blocks:
        if isinstance(block, Section):
            made.append(replace(block, blocks=each_block(block.blocks, change)))
        elif (changed := change(block)) is not None:
            made.append(changed)
    return tuple(made)


def each_table(blocks: Iterable[Block], change: Callable[[Table], Table | None]) -> tuple[Block, ...]:
    """Return the blocks with every table changed; a table that becomes None is dropped."""
    return each_block(blocks, lambda block: change(block) if isinstance(block, Table) else block)


def each_part(blocks: Iterable[Block], change: Callable[[Any], Any]) -> tuple[Block, ...]:
    """Return the blocks with every part of their phrases, terms and cells changed."""

    def words(phrase: Any) -> Any:
        return tuple(map(change, phrase)) if isinstance(phrase, tuple | list) else change(phrase)

    def changed(block: Block) -> Block:
        match block:
            case Paragraph(phrase):
                return Paragraph(words(phrase))
            case Terms(said, across):
                return Terms({change(term): words(phrase) for term, phrase in said.items()}, across)
            case Table():
                rows = (Row(tuple(map(words, row.cells)), row.meaning) for row in block.rows)
                return replace(block, rows=tuple(rows))
            case Picture():
                return replace(block, alt=words(block.alt), caption=words(block.caption))
            case _:
                return block

    return each_block(blocks, changed)


SectionPart: TypeAlias = "Block | str | Mapping[str, Words | None] | Iterable[SectionPart] | None"
"""What ``section`` takes: a block, the text of a paragraph, terms, several of these, or None."""


def section(
    title: str, *parts: SectionPart, anchor: str = "", standing: Standing = Standing.PLAIN
) -> Section:
    """Return a section of these parts. Terms without words, empty text and None are left out.

    >>> section("Odds", {"Shoe": "8 decks", "Void rounds": None}, "Rounded once.", None).blocks
    (Terms(said={'Shoe': '8 decks'}, across=1), Paragraph(words='Rounded once.'))
    """
    return Section(title, tuple(blocks_of(parts)), standing, anchor)


def chapter(title: str, *parts: SectionPart, anchor: str = "") -> Section:
    """Return a section of the body: numbering gives it a number, and one to each section right under it."""
    return section(title, *parts, anchor=anchor, standing=Standing.CHAPTER)


def annex(title: str, *parts: SectionPart, anchor: str = "") -> Section:
    """Return a section after the body: numbering gives it a letter, and its tables and figures a count of their own."""
    return section(title, *parts, anchor=anchor, standing=Standing.ANNEX)


def blocks_of(parts: Iterable[SectionPart]) -> Iterator[Block]:
    """Yield the blocks of these parts."""
    for part in parts:
        match part:
            case None | "":
                continue
            case str():
                yield Paragraph(part)
            case Mapping():
                said = {term: words for term, words in part.items() if words is not None}
                yield from [Terms(said)] if said else []
            case _ if isinstance(part, Block):
                yield part
            case _:
                yield from blocks_of(part)


def walk(blocks: Sequence[Block], level: int = 1) -> Iterator[tuple[int, Block]]:
    """Yield every block with its heading level, each section before its blocks."""
    for block in blocks:
        yield level, block
        if isinstance(block, Section):
            yield from walk(block.blocks, level + 1)
