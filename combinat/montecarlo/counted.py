"""A simulation dealt and counted: the text of its counts file, and how many rounds it dealt."""

from collections.abc import Callable

from combinat import __version__
from combinat.montecarlo.counts_json import counts_json
from combinat.montecarlo.dealing import Dealing
from combinat.montecarlo.observed import observed
from combinat.montecarlo.simulation import Simulation
from combinat.montecarlo.tally import Tally


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
