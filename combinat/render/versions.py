"""A document in several versions, such as one for each number of decks: what another version says otherwise.

Only what a document marks as switching is compared; versions that are not of one shape are not compared at all.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from combinat.render.blocks import Block, Meaning, Paragraph, Row, Section, Table, Terms, in_words
from combinat.render.escape import visible
from combinat.render.rows import row_names

Difference = Mapping[str, Any]
"""What a version says otherwise: ``cells`` of tables as row, column and text; ``heads`` of columns and ``captions``;
``said``: lines by their numbers; ``marks``: the rows of a table that favour the player, where they are others."""


def switched(blocks: Sequence[Block], *, inside: bool = False) -> Iterator[Paragraph | Terms | Table]:
    """The blocks that switch with the version, in the order of the document."""
    for block in blocks:
        match block:
            case Section():
                yield from switched(block.blocks, inside=inside or block.switches)
            case Table() if inside or block.switches:
                yield block
            case Paragraph() | Terms() if inside:
                yield block


def difference(document: Section, other: Section) -> Difference | None:
    """What the other version says otherwise; None: it is of another shape. So may be a table, which then stays."""
    ours, theirs = list(switched(document.blocks)), list(switched(other.blocks))
    if [_shape(block) for block in ours] != [_shape(block) for block in theirs]:
        return None
    different: dict[str, dict[str, Any]] = {
        kind: {} for kind in ("cells", "heads", "captions", "said", "marks")
    }
    lines = 0
    for block, another in zip(ours, theirs, strict=True):
        if isinstance(block, Table) and isinstance(another, Table):
            _compare_tables(block, another, different)
            continue
        for text, becomes in zip(_lines(block), _lines(another), strict=True):
            if text != becomes:
                different["said"][str(lines)] = becomes
            lines += 1
    return different


def _shape(block: Paragraph | Terms | Table) -> object:
    return list(block.said) if isinstance(block, Terms) else type(block)


def _lines(block: Block) -> list[str]:
    """The lines of a block that is no table."""
    match block:
        case Terms(said):
            return [visible(in_words(words)) for words in said.values()]
        case Paragraph(words):
            return [visible(in_words(words))]
        case _:
            return []


def _compare_tables(table: Table, other: Table, different: dict[str, dict[str, Any]]) -> None:
    """Note what another version of a table says. Its rows may stand in another order; are they others, it stays."""
    names, theirs = row_names(table), dict(zip(row_names(other), other.rows, strict=True))
    if set(names) != theirs.keys() or len(table.columns) != len(other.columns):
        return
    pairs = [(row, theirs[name]) for name, row in zip(names, table.rows, strict=True)]
    changes = [
        [number, place, visible(becomes)]
        for number, (row, another) in enumerate(pairs)
        for place, becomes in _changes(table, row, another)
    ]
    heads = [
        [place, visible(becomes.head)]
        for place, (column, becomes) in enumerate(zip(table.columns, other.columns, strict=True))
        if column.head != becomes.head
    ]
    good = [number for number, (_, another) in enumerate(pairs) if another.meaning is Meaning.FAVOURS_PLAYER]
    for kind, value in (
        ("cells", changes),
        ("heads", heads),
        ("captions", "" if table.caption == other.caption else visible(other.caption)),
    ):
        if value:
            different[kind][table.anchor] = value
    if any(row.meaning is not another.meaning for row, another in pairs):
        different["marks"][table.anchor] = good


def _changes(table: Table, row: Row, another: Row) -> Iterator[tuple[int, str]]:
    for place, (cell, becomes) in enumerate(zip(row.cells, another.cells, strict=True)):
        kind = table.columns[place].kind
        if cell != becomes and (text := in_words(becomes, kind)) != in_words(cell, kind):
            yield place, text
