"""What is said of the readings that a game follows: in every output, and nothing where it follows none.

The one way for a command: ``followed_blocks(game, blocks, form)`` round what is rendered, and
``followed_json(game)`` within what JSON says.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from combinat.render.blocks import Block, Column, Row, Section, Table, Terms
from combinat.render.text import Format
from combinat.rules.game import Game

FOLLOWED = "Readings followed"


def followed_in_words(game: Game) -> str:
    """The entries whose other reading is followed, in a phrase."""
    return f"the other reading of {', '.join(game.followed)}"


def followed_terms(game: Game) -> tuple[Terms, ...]:
    """A line that says which other readings are followed; nothing where none is."""
    return (Terms({FOLLOWED: followed_in_words(game)}),) if game.followed else ()


def followed_json(game: Game) -> dict[str, Any]:
    """The entries whose other reading is followed, for the key ``readings``; nothing where none is."""
    return {"readings": list(game.followed)} if game.followed else {}


def followed_blocks(game: Game, blocks: Sequence[Block], form: Format) -> list[Block]:
    """What is to be rendered, with the line at its head; in CSV with a last column ``readings``."""
    if not game.followed:
        return list(blocks)
    if form is Format.CSV:
        return [with_last_column(block, "readings", " ".join(game.followed)) for block in blocks]
    if form is Format.LATEX:  # which has headings and tables alone
        return [Section(f"{FOLLOWED}: {followed_in_words(game)}", tuple(blocks))]
    first, *others = blocks
    if isinstance(first, Section):
        return [Section(first.title, (*followed_terms(game), *first.blocks)), *others]
    return [*followed_terms(game), *blocks]


def with_last_column(block: Block, name: str, text: str) -> Block:
    """A table with a last column that says this in every row; of a section, every table in it."""
    if isinstance(block, Section):
        inner = tuple(with_last_column(one, name, text) for one in block.blocks)
        return Section(block.title, inner)
    if not isinstance(block, Table):
        return block
    return msgspec.structs.replace(
        block,
        columns=(*block.columns, Column(name)),
        rows=tuple(Row((*row.cells, text), row.meaning) for row in block.rows),
    )
