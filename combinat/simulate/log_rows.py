"""The rows of a hand log, made of simulated rounds."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from combinat.rules.cards import RANKS
from combinat.rules.money import format_money
from combinat.simulate.cell import NO_CARD, Bytes, Indices
from combinat.simulate.question import Label, Question
from combinat.simulate.simulation import Batch

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
        *(f"net:{question.subject}" for question in asked),
    ]


def _text(label: Label) -> str:
    if isinstance(label, str):
        return ""  # nothing was offered
    return format_money(label[1] if isinstance(label, tuple) else label)


def rows(asked: Sequence[Question], batch: Batch) -> list[str]:
    """The rows of a batch, without their round numbers."""
    columns = [_hands(batch.dealt.player), _hands(batch.dealt.banker), _nets(asked, batch.cells)]
    if batch.shoes is not None:
        columns.insert(0, (batch.shoes + 1).astype(str).astype(np.object_))
    return list(map(",".join, zip(*(column.tolist() for column in columns), strict=True)))


def _hands(hand: tuple[Bytes, Bytes, Bytes]) -> Texts:
    first, second, third = (card.astype(np.intp) for card in hand)
    texts: Texts = HANDS[(first * len(RANKS) + second) * (NO_CARD + 1) + third]
    return texts


def _nets(asked: Sequence[Question], cells: Indices) -> Texts:
    """The net results of every round: those of a cell are written once."""
    met, which = np.unique(cells, return_inverse=True)
    texts = [[_text(label) for label in question.labels] for question in asked]
    written = [
        ",".join(text[question.of_cell[cell]] for text, question in zip(texts, asked, strict=True))
        for cell in met
    ]
    return np.array(written, dtype=np.object_)[which]
