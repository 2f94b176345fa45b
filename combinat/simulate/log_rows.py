"""The rows of a hand log, made of simulated rounds."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from combinat.rules.cards import RANKS
from combinat.rules.money import format_money
from combinat.simulate.cell import NO_CARD, Bytes
from combinat.simulate.question import Label, Question
from combinat.simulate.simulation import Block

if TYPE_CHECKING:
    import polars

HANDS = [
    " ".join([first, second, *third])
    for first in RANKS
    for second in RANKS
    for third in (*([rank] for rank in RANKS), [])
]
"""Every hand as text, in the order of its cards' numbers."""


def names(asked: Sequence[Question], shoes: bool) -> list[str]:
    """The columns of a simulated log."""
    return [
        "round",
        *(["shoe"] if shoes else []),
        "player_cards",
        "banker_cards",
        *(f"net:{one.subject}" for one in asked),
    ]


def _text(label: Label) -> str | None:
    if isinstance(label, str):
        return None  # nothing was offered
    return format_money(label[1] if isinstance(label, tuple) else label)


def rows(asked: Sequence[Question], block: Block) -> "polars.DataFrame":
    """The rows of a block, without their round numbers."""
    import polars

    hands = polars.Series(HANDS)

    def written(hand: tuple[Bytes, Bytes, Bytes]) -> polars.Series:
        first, second, third = (card.astype(np.intp) for card in hand)
        return hands.gather((first * len(RANKS) + second) * (NO_CARD + 1) + third)

    columns = {
        "player_cards": written(block.dealt.player),
        "banker_cards": written(block.dealt.banker),
    }
    if block.shoes is not None:
        columns = {"shoe": polars.Series(block.shoes + 1), **columns}
    for question in asked:
        texts = polars.Series([_text(label) for label in question.labels], dtype=polars.String)
        columns[f"net:{question.subject}"] = texts.gather(question.of_cell[block.cells])
    return polars.DataFrame(columns)
