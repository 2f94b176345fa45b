"""The output of a simulation: the text of a counts file, and files of counts or of rounds, written whole or not at all."""

from collections.abc import Callable
from pathlib import Path

from combinat import __version__
from combinat.base.files import replacing, write_whole
from combinat.montecarlo.counts_json import counts_json
from combinat.montecarlo.dealing import Dealing
from combinat.montecarlo.observed import observed
from combinat.montecarlo.simulation import Simulation
from combinat.montecarlo.tally import Tally
from combinat.rules.shoe import Shoe

Advance = Callable[[int], None]

COUNTS_SUFFIX = ".json"
LOG_SUFFIXES = (".csv", ".parquet")
"""The suffixes of files, by their contents."""

MOST_ROUNDS = 10**12
"""The most rounds of a simulation."""


def counted(
    simulation: Simulation,
    rule_book_sha256: str,
    advance: Callable[[int], None],
    workers: int | None = None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> tuple[str, int]:
    """The counts file of a simulation and the rounds dealt, the same for any number of workers.

    ``is_stopped``: asked after every batch; what was dealt until then is counted. No file where no round was dealt.
    """
    tally, dealt = Tally(simulation.asked), 0
    for rounds, part in simulation.results(simulation.tally, workers):
        tally.add(part)
        dealt += rounds
        advance(rounds)
        if is_stopped():
            break
    if not dealt:
        return "", 0
    dealing = Dealing.INDEPENDENT if simulation.cut_card is None else Dealing.SHOES
    seen = observed(
        tally,
        simulation.game.id,
        simulation.shoe,
        dealing,
        rule_book_sha256=rule_book_sha256,
        made_by=made_by(simulation, dealt),
    )
    return f"{counts_json(seen)}\n", dealt


def made_by(simulation: Simulation, dealt: int) -> dict[str, str]:
    """What a reader of the file should know of its making."""
    said = {"software": f"combinat {__version__} simulate", "seed": str(simulation.seed)}
    if simulation.fault is not None:
        said["known fault"] = simulation.fault.text
    if simulation.cut_card is not None:
        said |= {
            "rounds dealt": str(dealt),
            "cut card": str(simulation.cut_card),
            "burn": "yes" if simulation.burn else "no",
        }
    if dealt < simulation.rounds:
        said["stopped"] = f"after {dealt} of {simulation.rounds} rounds"
    return said


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
