"""A simulation written to a file: its counts, or a hand log of its rounds. Whole, or not at all."""

from collections.abc import Callable
from pathlib import Path

from combinat import __version__
from combinat.base.files import replacing, write_whole
from combinat.montecarlo.counted import counted
from combinat.montecarlo.simulation import Simulation
from combinat.rules.shoe import Shoe

Advance = Callable[[int], None]

COUNTS_SUFFIX = ".json"
LOG_SUFFIXES = (".csv", ".parquet")
"""How the name of a file ends, by what is written to it."""

MOST_ROUNDS = 10**12
"""The most rounds of a simulation."""


def write_counts(
    simulation: Simulation,
    rule_book_sha256: str,
    out: Path,
    *,
    workers: int | None = None,
    advance: Advance = lambda rounds: None,
    is_stopped: Callable[[], bool] = lambda: False,
    check: Advance = lambda dealt: None,
) -> int:
    """Write the counts of a simulation; the rounds dealt. ``check``: called with them before anything is written."""
    with replacing(out) as temporary:  # a place that cannot be written to is refused before the work
        text, dealt = counted(simulation, rule_book_sha256, advance, workers, is_stopped=is_stopped)
        check(dealt)
        write_whole(temporary, text)
    return dealt


def write_log(
    simulation: Simulation,
    out: Path,
    *,
    workers: int | None = None,
    advance: Advance = lambda rounds: None,
    is_stopped: Callable[[], bool] = lambda: False,
    check: Advance = lambda dealt: None,
) -> int:
    """Write every round of a simulation; the rounds dealt. ``check``: called with them before the file is there."""
    from combinat.montecarlo import log_rows
    from combinat.montecarlo.log_file import LogWriter

    asked, done = simulation.asked, 0
    head = {"game": simulation.game.id, **_shoe_words(simulation.shoe)}
    if simulation.cut_card is not None:
        head["cut-card"] = str(simulation.cut_card)
    head["note"] = (
        f"combinat {__version__} simulate, seed {simulation.seed}{', burn' if simulation.burn else ''}"
        + (f", with a known fault: {simulation.fault.text}" if simulation.fault else "")
    )
    names = log_rows.names(asked, simulation.cut_card is not None)
    with (
        replacing(out) as temporary,
        LogWriter(temporary, head, names, parquet=out.suffix == ".parquet") as writer,
    ):
        for rounds, rows in simulation.results(
            lambda batch: log_rows.rows(asked, batch, simulation.fault), workers
        ):
            writer.write(f"{number},{row}\n" for number, row in enumerate(rows, start=done + 1))
            done += rounds
            advance(rounds)
            if is_stopped():
                break
        check(done)
    return done


def _shoe_words(shoe: Shoe) -> dict[str, str]:
    return {"cards": str(shoe)} if shoe.decks is None else {"decks": str(shoe.decks)}
