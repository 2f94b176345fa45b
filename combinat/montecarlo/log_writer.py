"""The hand log of a simulation: its rows, and the writer of CSV and Parquet files."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import numpy.typing as npt

from combinat.base.money import format_money
from combinat.montecarlo.cell import NO_CARD, NUMBER, Bytes, Indices, chosen
from combinat.montecarlo.fault import Fault, winning
from combinat.montecarlo.partition import Label, Partition
from combinat.montecarlo.simulation import Batch
from combinat.rules.cards import RANKS

Texts = npt.NDArray[np.object_]

HEAD_KEYS = ("game", "decks", "cards", "cut-card", "unit", "rounding", "note")
"""The keys of the head of a log: lines ``# key: value`` of CSV, metadata of Parquet."""

LOG_SUFFIXES = (".csv", ".parquet")
"""The suffixes of hand logs."""

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


def log_names(asked: Sequence[Partition], *, shoes: bool) -> list[str]:
    """The columns of a simulated log."""
    return [
        "round",
        *(["shoe"] if shoes else []),
        "player_cards",
        "banker_cards",
        *(f"net:{partition.subject}" for partition in asked),
    ]


def _text(label: Label) -> str:
    if isinstance(label, str):
        return ""  # nothing was offered
    return format_money(label[1] if isinstance(label, tuple) else label)


def log_rows(asked: Sequence[Partition], batch: Batch, fault: Fault | None = None) -> list[str]:
    """The rows of a batch, without their round numbers. ``fault``: the known one of the simulator."""
    columns = [_hands(batch.dealt.player), _hands(batch.dealt.banker), _nets(asked, batch, fault)]
    if batch.shoes is not None:
        columns.insert(0, (batch.shoes + 1).astype(str).astype(np.object_))
    return list(map(",".join, zip(*(column.tolist() for column in columns), strict=True)))


def _hands(hand: Bytes) -> Texts:
    first, second, third = hand.astype(np.intp)
    texts: Texts = HANDS[(first * len(RANKS) + second) * (NO_CARD + 1) + third]
    return texts


def _nets(asked: Sequence[Partition], batch: Batch, fault: Fault | None) -> Texts:
    """The net results of every round: those of a cell are written once, and once as they are paid wrong."""
    wrong = np.zeros(batch.rounds, dtype=np.intp) if batch.mispaid is None else batch.mispaid.astype(np.intp)
    _, first, which = np.unique(
        batch.cells + NUMBER * (wrong + 2 * _ranked(asked, batch)), return_index=True, return_inverse=True
    )
    due = [[_text(label) for label in partition.labels] for partition in asked]
    paid = [_as_paid(partition, texts, fault) for partition, texts in zip(asked, due, strict=True)]
    shown = chosen(batch.dealt, first)
    labels = [partition.labels_of(batch.cells[first], shown).tolist() for partition in asked]
    written = [
        ",".join(
            texts[of_partition[place]]
            for texts, of_partition in zip((due, paid)[is_wrong], labels, strict=True)
        )
        for place, is_wrong in enumerate(wrong[first].tolist())
    ]
    return np.array(written, dtype=np.object_)[which]


def _ranked(asked: Sequence[Partition], batch: Batch) -> Indices:
    """The labels of every round that its cell does not determine, as one number."""
    numbers = np.zeros(batch.rounds, dtype=np.intp)
    for partition in asked:
        if partition.ranked:
            labels = partition.labels_of(batch.cells, batch.dealt)
            _, numbers = np.unique(numbers * len(partition.labels) + labels, return_inverse=True)
    return numbers


def _as_paid(partition: Partition, due: list[str], fault: Fault | None) -> list[str]:
    """What a bet's labels are written as where its wins are paid wrong."""
    if fault is None or fault.bet != partition.subject or fault.net is None:
        return due
    won = winning(partition)
    return [format_money(fault.net) if win else text for win, text in zip(won, due, strict=True)]


@contextmanager
def log_file(
    path: Path, head: Mapping[str, str], names: Sequence[str], *, parquet: bool
) -> Iterator[Callable[[str], object]]:
    """A hand log to write rows to, each a line with its end: CSV as rows come; Parquet from that CSV at the end."""
    rows = path.with_suffix(".csv.part") if parquet else path
    comments = [] if parquet else [f"# {key}: {value}" for key, value in head.items()]
    try:
        with rows.open("w", encoding="utf-8", newline="") as file:
            file.write("\n".join([*comments, ",".join(names)]) + "\n")
            yield file.write
        if parquet:
            import polars

            types = {name: polars.Int64 if name in ("round", "shoe") else polars.String for name in names}
            polars.scan_csv(rows, schema=types).sink_parquet(path, metadata=dict(head))
    finally:
        if parquet:
            rows.unlink(missing_ok=True)
