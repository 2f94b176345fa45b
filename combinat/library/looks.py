"""How notebooks show the records: what draws them is loaded when the first one is shown."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from combinat.render.tabular import draw_with

if TYPE_CHECKING:
    from combinat.render.blocks import Block


def register() -> None:
    """Let notebooks show the records so."""
    draw_with(_blocks)


def _blocks(record: object) -> "Sequence[Block]":
    from combinat.library.shown import blocks

    return blocks(record)
