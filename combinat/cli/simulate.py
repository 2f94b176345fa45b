"""``combinat simulate``: rounds dealt by chance, to a counts file or a hand log."""

from pathlib import Path
from typing import Annotated

import typer

from combinat.cli.exits import interruption, stopped_by
from combinat.cli.options import CardsOption, DecksOption, GameArgument, RemovedOption, shoe_from
from combinat.cli.output import tell
from combinat.cli.progress import ON_TERMINAL
from combinat.montecarlo.fault import FORMS
from combinat.montecarlo.simulate import simulate as question
from combinat.montecarlo.simulation import MOST_ROUNDS
from combinat.rules.book.load import load_game

OutOption = Annotated[
    Path,
    typer.Option(metavar="FILE", help="The file to write: .json for counts; .csv or .parquet for a log."),
]
RoundsOption = Annotated[int, typer.Option(metavar="N", help="Rounds to deal.", min=1, max=MOST_ROUNDS)]
SeedOption = Annotated[
    int,
    typer.Option(metavar="S", help="Seed of the random numbers; the same seed writes the same file.", min=0),
]
CutCardOption = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Deal whole shoes, with N cards behind the cut card; the round in which it appears is the last. "
        "[default: shuffle for each round]",
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
    int | None, typer.Option(metavar="N", help="Threads; the file is the same. [default: all cores]")
]
FaultOption = Annotated[
    str | None,
    typer.Option(
        "--fault",
        metavar="FAULT",
        help="Deal with a known fault, which the file records: " + "; ".join(FORMS) + ".",
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
    cut_card: CutCardOption = None,
    burn: BurnOption = False,
    workers: WorkersOption = None,
    fault: FaultOption = None,
) -> None:
    """Deal random rounds and write the result of every bet and of insurance taken at every offer.

    The dealer uses the same rule book as the exact analysis, but its own code to draw and settle.
    Ctrl-C stops it and keeps what has been dealt (exit code 130); so do SIGTERM (143) and SIGHUP (129).
    """
    shoe = shoe_from(load_game(game), decks, removed, cards)
    with interruption() as received:
        try:
            question(
                game,
                out,
                shoe,
                rounds=rounds,
                seed=seed,
                cut_card=cut_card,
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
