"""``combinat simulate``: rounds dealt by chance, to a counts file or a hand log."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from combinat.base.errors import CombinatError, InputError, named
from combinat.base.output_paths import refuse_inputs
from combinat.cli.leaving import SIGNALS, stopped_by
from combinat.cli.options import GameArgument
from combinat.cli.output import say_line, tell
from combinat.cli.progress import progress_bar
from combinat.cli.shoe import CardsOption, DecksOption, RemovedOption, shoe_from
from combinat.montecarlo.fault import FORMS, Fault
from combinat.montecarlo.output import MOST_ROUNDS, Advance, write_counts, write_log
from combinat.montecarlo.simulation import Simulation
from combinat.rules.book.find import rule_book_path
from combinat.rules.book.load import RuleBook, load_rule_book
from combinat.rules.game import Game

CUT_CARD = 14


class OutputKind(StrEnum):
    """What a simulation writes."""

    COUNTS = "counts"
    LOG = "log"


OutOption = Annotated[
    Path,
    typer.Option(
        metavar="FILE",
        help="Where to write: .json for counts; .csv or .parquet for a log.",
        show_default=False,
    ),
]
RoundsOption = Annotated[int, typer.Option(metavar="N", help="Rounds to deal.", min=1, max=MOST_ROUNDS)]
SeedOption = Annotated[
    int, typer.Option(metavar="S", help="The seed of all chance: same seed, same file.", min=0)
]
ShoeDealingOption = Annotated[
    bool,
    typer.Option(
        "--shoe-dealing", help="Deal whole shoes to the cut card, instead of a fresh shuffle each round."
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
        help="Turn a shoe's first card over and burn it with as many more as its value (ten for 10, J, Q, K).",
    ),
]
FormOption = Annotated[
    OutputKind | None,
    typer.Option("--format", "-f", help="counts or log; as the name of --out says.", show_default=False),
]
WorkersOption = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Threads. Default: all cores. The file is the same.",
        show_default=False,
    ),
]
FaultOption = Annotated[
    str | None,
    typer.Option(
        "--fault",
        metavar="FAULT",
        help="Deal with a known fault, which the file names: " + "; ".join(FORMS) + ".",
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
    form: FormOption = None,
    workers: WorkersOption = None,
    fault: FaultOption = None,
) -> None:
    """Deal rounds by chance and write what became of every bet and of insurance taken at every offer.

    The dealer shares the rule book's data with the exact analysis, and no code that draws or settles.
    Ctrl-C stops it and keeps what has been dealt (exit code 130); so do SIGTERM (143) and SIGHUP (129).
    """
    book = load_rule_book(game)
    loaded = book.game
    form = _form(form, out)
    if (burn or cut_card is not None) and not shoe_dealing:
        raise CombinatError("--burn and --cut-card are for whole shoes; add --shoe-dealing")
    if workers is not None and workers < 1:
        raise CombinatError(f"--workers: found {workers}; write 1 or more")
    refuse_inputs("out", out, {"the rule book": rule_book_path(game)})
    shoe = shoe_from(loaded, decks, removed, cards)
    simulation = Simulation(
        game=loaded,
        shoe=shoe,
        rounds=rounds,
        seed=seed,
        cut_card=(CUT_CARD if cut_card is None else cut_card) if shoe_dealing else None,
        burn=burn,
        fault=known_fault(fault, loaded) if fault is not None else None,
    )
    with interruption() as signal_received, progress_bar(rounds, "rounds", rate=True) as advance:
        dealt = _write(form, simulation, book, out, workers, advance, signal_received)
    only = "; counted are those that every shoe deals" if shoe_dealing and form is OutputKind.COUNTS else ""
    wrong = f", with a known fault: {simulation.fault.text}" if simulation.fault else ""
    say_line(f"wrote {out}: {dealt} rounds of {loaded.id}, seed {seed}{wrong}{only}")
    if dealt < rounds:
        tell(f"stopped after {dealt} of {rounds} rounds; {out} holds those")
        raise typer.Exit(stopped_by(signal_received()))


def known_fault(text: str, game: Game) -> Fault:
    """The fault that an option names, if the game can have it."""
    with named("fault"):
        fault = Fault.parse(text)
        fault.of_game(game)
    return fault


def _form(form: OutputKind | None, out: Path) -> OutputKind:
    suffixes = {OutputKind.COUNTS: (".json",), OutputKind.LOG: (".csv", ".parquet")}
    named = next((one for one, ends in suffixes.items() if out.suffix in ends), None)
    if named is None or (form is not None and form is not named):
        raise CombinatError(
            f'--out: found "{out}"{f" for --format {form}" if form else ""}; write a file name that ends in '
            + (" or ".join(suffixes[form]) if form else ".json for counts, .csv or .parquet for a hand log")
        )
    return named


Received = Callable[[], int]
"""The number of the signal that is to stop a simulation; 0: none came."""


def _write(
    form: OutputKind,
    simulation: Simulation,
    book: RuleBook,
    out: Path,
    workers: int | None,
    advance: Advance,
    signal_received: Received,
) -> int:
    """Write what is asked for; what was dealt until a signal came, where one comes."""

    def is_stopped() -> bool:
        return bool(signal_received())

    def check(dealt: int) -> None:
        _refuse_nothing(dealt, signal_received)

    if form is OutputKind.LOG:
        return write_log(
            simulation, out, workers=workers, advance=advance, is_stopped=is_stopped, check=check
        )
    if simulation.fault is not None and simulation.fault.net is not None and simulation.cut_card is not None:
        raise InputError(
            f"--fault: {simulation.fault.text}: counts of whole shoes cannot tell it; write a log, or leave out --shoe-dealing"
        )
    return write_counts(
        simulation, book.sha256, out, workers=workers, advance=advance, is_stopped=is_stopped, check=check
    )


def _refuse_nothing(dealt: int, signal_received: Received) -> None:
    """Leave, and leave an older file as it is, where Ctrl-C came before the first rounds."""
    if not dealt:
        tell("stopped before any round was dealt; nothing is written")
        raise typer.Exit(stopped_by(signal_received()))


@contextmanager
def interruption() -> Iterator[Received]:
    """The signal that is to stop the program: the first is only noted, so that what is under way can end.

    A second one stops it at once, as any other command, and nothing is written.
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
