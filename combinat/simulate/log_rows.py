"""The rows of a hand log, made of simulated rounds."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from combinat.rules.cards import RANKS
from combinat.rules.money import format_money
from combinat.simulate.cell import NO_CARD, Bytes, Cells
from combinat.simulate.question import Label, Question
from combinat.simulate.simulation import Block

Texts = npt.NDArray[np.object_]

HANDS: Texts = np.array(
    [
        " ".join([first, second, *third])
        for first in RANKS
        for second in RANKS
        for third in (*([rank] for rank in RANKS), [])
    ],
    dtype=np.object_,
)
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


def _text(label: Label) -> str:
    if isinstance(label, str):
        return ""  # nothing was offered
    return format_money(label[1] if isinstance(label, tuple) else label)


def rows(asked: Sequence[Question], block: Block) -> list[str]:
    """The rows of a block, without their round numbers."""
    columns = [_hands(block.dealt.player), _hands(block.dealt.banker), _nets(asked, block.cells)]
    if block.shoes is not None:
        columns.insert(0, (block.shoes + 1).astype(str).astype(np.object_))
    return list(map(",".join, zip(*(column.tolist() for column in columns), strict=True)))


def _hands(hand: tuple[Bytes, Bytes, Bytes]) -> Texts:
    first, second, third = (card.astype(np.intp) for card in hand)
    found: Texts = HANDS[(first * len(RANKS) + second) * (NO_CARD + 1) + third]
    return found


def _nets(asked: Sequence[Question], cells: Cells) -> Texts:
    """The net results of every round: those of a cell are written once."""
    found, which = np.unique(cells, return_inverse=True)
    texts = [[_text(label) for label in question.labels] for question in asked]
    written = [
        ",".join(text[question.of_cell[cell]] for text, question in zip(texts, asked, strict=True))
        for cell in found
    ]
    return np.array(written, dtype=np.object_)[which]
