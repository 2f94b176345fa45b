"""``combinat simulate``: rounds dealt by chance, to a counts file or a hand log."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from combinat.base.errors import CombinatError
from combinat.cli.exits import SIGNALS, stopped_by
from combinat.cli.options import GameArgument
from combinat.cli.output import tell
from combinat.cli.progress import ON_TERMINAL
from combinat.cli.shoe import CardsOption, DecksOption, RemovedOption, shoe_from
from combinat.montecarlo.fault import FORMS
from combinat.montecarlo.simulate import simulate as question
from combinat.montecarlo.simulation import MOST_ROUNDS
from combinat.rules.book.load import load_game

CUT_CARD = 14


OutOption = Annotated[
    Path,
    typer.Option(
        metavar="FILE",
        help="The file to write: .json for counts; .csv or .parquet for a log.",
        show_default=False,
    ),
]
RoundsOption = Annotated[int, typer.Option(metavar="N", help="Rounds to deal.", min=1, max=MOST_ROUNDS)]
SeedOption = Annotated[
    int,
    typer.Option(metavar="S", help="Seed of the random numbers; the same seed writes the same file.", min=0),
]
ShoeDealingOption = Annotated[
    bool,
    typer.Option(
        "--shoe-dealing", help="Deal whole shoes to the cut card instead of shuffling for each round."
    ),
]
CutCardOption = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help=f"Cards behind the cut card of a shoe; the round in which it comes out is the last. [default: {CUT_CARD}]",
        show_default=False,
    ),
]
BurnOption = Annotated[
    bool,
    typer.Option(
        "--burn",
        help="Turn the first card of a shoe over, then burn it and as many cards as its value (ten for 10, J, Q, K).",
    ),
]
WorkersOption = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Threads; the file is the same. [default: all cores]",
        show_default=False,
    ),
]
FaultOption = Annotated[
    str | None,
    typer.Option(
        "--fault",
        metavar="FAULT",
        help="Deal with a known fault, which the file records: " + "; ".join(FORMS) + ".",
        show_default=False,
    ),
]


def simulate(
    game: GameArgument,
    out: OutOption,
    rounds: RoundsOption = 1_000_000,
    seed: SeedOption = 1,
    decks: DecksOption = None,
    removed: RemovedOption = None,
    cards: CardsOption = None,
    shoe_dealing: ShoeDealingOption = False,
    cut_card: CutCardOption = None,
    burn: BurnOption = False,
    workers: WorkersOption = None,
    fault: FaultOption = None,
) -> None:
    """Deal random rounds and write the result of every bet and of insurance taken at every offer.

    The dealer shares the rule book's data with the exact analysis, and no code that draws or settles.
    Ctrl-C stops it and keeps what has been dealt (exit code 130); so do SIGTERM (143) and SIGHUP (129).
    """
    if (burn or cut_card is not None) and not shoe_dealing:
        raise CombinatError("--burn and --cut-card are for whole shoes; add --shoe-dealing")
    shoe = shoe_from(load_game(game), decks, removed, cards)
    behind = (CUT_CARD if cut_card is None else cut_card) if shoe_dealing else None
    with interruption() as received:
        try:
            question(
                game,
                out,
                shoe,
                rounds=rounds,
                seed=seed,
                cut_card=behind,
                burn=burn,
                fault=fault,
                workers=workers,
                progress=ON_TERMINAL,
                is_stopped=lambda: bool(received()),
            )
        except KeyboardInterrupt:
            if not received():
                raise
            tell("stopped before any round was dealt; nothing is written")
        if received():
            raise typer.Exit(stopped_by(received()))


Received = Callable[[], int]
"""The number of the signal that stops a simulation, or 0."""


@contextmanager
def interruption() -> Iterator[Received]:
    """The signal that stops the program: the first one is recorded, so that the current block can finish.

    A second one stops the program at once, and nothing is written.
    """
    received = 0

    def note(number: int, frame: object) -> None:
        nonlocal received
        received = number
        restore()

    def restore() -> None:
        for number in heard:
            signal.signal(number, before[number])

    before = {number: signal.getsignal(number) for number in SIGNALS}
    heard = [number for number in SIGNALS if before[number] is not signal.SIG_IGN]
    for number in heard:
        signal.signal(number, note)
    try:
        yield lambda: received
    finally:
        restore()
