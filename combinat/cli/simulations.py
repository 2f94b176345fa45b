"""The simulations of a report, as the options of ``combinat report`` ask for them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from combinat.base.errors import CombinatError
from combinat.library.simulations import Called, check_names
from combinat.montecarlo.report_simulation import ROUNDS

OWN, NONE = "own", "none"
"""What may be asked for instead of a file."""

OPTIONS = Called(
    files="--simulation",
    instead=f"{OWN}, {NONE}, or the path of a counts file or a hand log",
    without=f"--simulation {NONE}",
)


@dataclass(frozen=True, slots=True)
class Asked:
    """The simulations that a report is to show: files, and how many rounds of its own; 0: none of its own."""

    files: tuple[Path, ...] = ()
    own_rounds: int = 0


def asked(words: Sequence[str], rounds: int | None) -> Asked:
    """What the options ask for: the report's own simulation where they say nothing."""
    own = not words or OWN in words
    if rounds is not None and not own:
        raise CombinatError(
            f"--simulation-rounds is for the report's own simulation; leave it out, or add --simulation {OWN}"
        )
    if NONE in words and len(words) > 1:
        raise CombinatError(f"--simulation: found {NONE} beside others; write {NONE} alone, or leave it out")
    wanted = Asked(
        files=tuple(Path(word) for word in words if word not in (OWN, NONE)),
        own_rounds=(rounds or ROUNDS) if own else 0,
    )
    check_names(wanted.files, wanted.own_rounds, OPTIONS)
    return wanted
