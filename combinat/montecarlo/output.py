"""The output of a simulation: counts or a hand log."""

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
IsStopped = Callable[[], bool]

COUNTS_SUFFIX = ".json"
LOG_SUFFIXES = (".csv", ".parquet")
"""The suffixes of files, by their contents."""

MOST_ROUNDS = 10**12
"""The most rounds of a simulation."""


def counted(
    simulation: Simulation,
    rule_book_sha256: str,
    advance: Advance,
    workers: int | None = None,
    is_stopped: IsStopped = lambda: False,
) -> tuple[str, int]:
    """Return the counts file of a simulation and the rounds dealt, the same for any number of workers.

    ``is_stopped``: called after every batch; the rounds dealt until then are counted. Without any, the text is empty.
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
    """Return the origin of a counts file, as its readers need it."""
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


def write_simulation(
    simulation: Simulation,
    rule_book_sha256: str,
    out: Path,
    *,
    workers: int | None = None,
    advance: Advance = lambda rounds: None,
    is_stopped: IsStopped = lambda: False,
) -> int:
    """Write a simulation, as counts or as a log by the suffix of the file; return the number of rounds dealt.

    A file appears whole or not at all. A simulation that is stopped before its first round raises KeyboardInterrupt.
    """
    with replacing(out) as temporary:  # a place that cannot be written to is refused before the work
        if out.suffix == COUNTS_SUFFIX:
            text, dealt = counted(simulation, rule_book_sha256, advance, workers, is_stopped=is_stopped)
            write_whole(temporary, text)
        else:
            dealt = _write_log(simulation, temporary, out.suffix == ".parquet", workers, advance, is_stopped)
        if not dealt:
            raise KeyboardInterrupt
    return dealt


def _write_log(
    simulation: Simulation,
    out: Path,
    parquet: bool,
    workers: int | None,
    advance: Advance,
    is_stopped: IsStopped,
) -> int:
    """Write every round of a simulation; return the number of rounds dealt."""
    from combinat.montecarlo import log_rows
    from combinat.montecarlo.log_file import LogWriter

    asked, fault, done = simulation.asked, simulation.fault, 0
    head = {"game": simulation.game.id, **_shoe_words(simulation.shoe)}
    if simulation.cut_card is not None:
        head["cut-card"] = str(simulation.cut_card)
    note = f"combinat {__version__} simulate, seed {simulation.seed}{', burn' if simulation.burn else ''}"
    head["note"] = note + (f", with a known fault: {fault.text}" if fault else "")
    names = log_rows.names(asked, simulation.cut_card is not None)
    with LogWriter(out, head, names, parquet=parquet) as writer:
        for rounds, rows in simulation.results(lambda batch: log_rows.rows(asked, batch, fault), workers):
            writer.write(f"{number},{row}\n" for number, row in enumerate(rows, start=done + 1))
            done += rounds
            advance(rounds)
            if is_stopped():
                break
    return done


def _shoe_words(shoe: Shoe) -> dict[str, str]:
    return {"cards": str(shoe)} if shoe.decks is None else {"decks": str(shoe.decks)}
