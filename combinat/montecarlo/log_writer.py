"""The hand log of a simulation: its rows, and the writer of CSV and Parquet files."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from combinat.base.money import format_money
from combinat.montecarlo.cell import NO_CARD, Bytes
from combinat.montecarlo.partition import Partition, net_of
from combinat.montecarlo.simulation import Batch
from combinat.rules.cards import RANKS

if TYPE_CHECKING:
    import polars

HEAD_KEYS = ("game", "decks", "cards", "cut-card", "unit", "rounding", "note")
"""The keys of the head of a log: lines ``# key: value`` of CSV, metadata of Parquet. The last claims nothing."""

LOG_SUFFIXES = (".csv", ".parquet")
"""The suffixes of hand logs."""

HANDS = tuple(
    " ".join([first, second, *third])
    for first in RANKS
    for second in RANKS
    for third in (*([rank] for rank in RANKS), [])
)
"""Every hand as text, in the order of its cards' numbers."""


def log_names(partitions: Sequence[Partition], *, shoes: bool) -> list[str]:
    """Return the columns of a simulated log."""
    nets = [f"net:{partition.subject}" for partition in partitions]
    return ["round", *(["shoe"] if shoes else []), "player_cards", "banker_cards", *nets]


def log_rows(partitions: Sequence[Partition], batch: Batch) -> "polars.DataFrame":
    """Return the rows of a batch, without round numbers."""
    import polars

    columns = {} if batch.shoes is None else {"shoe": polars.Series(batch.shoes + 1)}
    columns |= {
        "player_cards": hand_texts(batch.dealt.player),
        "banker_cards": hand_texts(batch.dealt.banker),
    }
    for partition in partitions:
        texts = [None if net is None else format_money(net) for net in map(net_of, partition.labels)]
        labels = batch.labels_of(partition).astype(np.intp)
        columns[f"net:{partition.subject}"] = polars.Series(texts, dtype=polars.String).gather(labels)
    return polars.DataFrame(columns)


def hand_texts(hand: Bytes) -> "polars.Series":
    """Return the hands of rounds as text."""
    import polars

    first, second, third = hand.astype(np.intp)
    return polars.Series(HANDS).gather((first * len(RANKS) + second) * (NO_CARD + 1) + third)


@contextmanager
def log_file(
    path: Path, head: Mapping[str, str], names: Sequence[str], *, parquet: bool
) -> Iterator[Callable[[str], object]]:
    """Open a hand log for rows, each a line with its end; Parquet is converted from the CSV on closing."""
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
