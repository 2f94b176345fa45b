"""What is said of odds that are tried in the place of the document's: in every output, and nothing where none are."""

from collections.abc import Sequence

import msgspec

from combinat.render.blocks import Block, Column, Row, Section, Table
from combinat.render.text import Format
from combinat.report.odds import TRIED, Tried, tried_blocks, tried_in_words


def with_tried(tried: Tried, blocks: Sequence[Block], form: Format) -> list[Block]:
    """What is to be rendered, with a line at its head; in CSV with a last column ``pays_tried``."""
    if not tried:
        return list(blocks)
    if form is Format.CSV:
        return [_with_column(tried, block) for block in blocks]
    if form is Format.LATEX:  # which has headings and tables alone
        return [Section(f"{TRIED}: {tried_in_words(tried)}", tuple(blocks))]
    first, *others = blocks
    if isinstance(first, Section):
        return [Section(first.title, (*tried_blocks(tried), *first.blocks)), *others]
    return [*tried_blocks(tried), *blocks]


def _with_column(tried: Tried, block: Block) -> Block:
    if isinstance(block, Section):
        return Section(block.title, tuple(_with_column(tried, inner) for inner in block.blocks))
    if not isinstance(block, Table):
        return block
    return msgspec.structs.replace(
        block,
        columns=(*block.columns, Column("pays_tried")),
        rows=tuple(Row((*row.cells, tried_in_words(tried)), row.meaning) for row in block.rows),
    )
