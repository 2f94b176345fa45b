"""``combinat evaluate``: a file of shoes, the exact value of every bet on each."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from combinat.cli.options import GameArgument
from combinat.cli.output import say, standard_output, tell
from combinat.cli.places import refuse_inputs
from combinat.cli.progress import progress_bar
from combinat.cli.readings import ReadingOption, read_game
from combinat.engine import kernel
from combinat.errors import CombinatError
from combinat.render.escape import for_text
from combinat.render.files import replacing
from combinat.report.evaluation import write_csv, write_parquet
from combinat.report.followed import followed_in_words
from combinat.rules.game import Game
from combinat.rules.rulebook import rule_book_path
from combinat.rules.shoe_file import read_shoes

MANY = 50_000
"""From so many shoes on, numba saves a fifth of the time or more; up to 20,000, what it saves it takes to load."""


def evaluate(
    game: GameArgument,
    shoes: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help="CSV with a header: the thirteen ranks A to K, or removed (cards gone from --decks).",
            show_default=False,
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Where to write: .csv or .parquet; else standard output.", show_default=False
        ),
    ] = None,
    decks: Annotated[
        int, typer.Option(metavar="N", help="Decks that cards are removed from.", min=1, max=10_000)
    ] = 8,
    places: Annotated[
        int, typer.Option(metavar="N", help="Decimals beside the fractions.", min=1, max=50)
    ] = 12,
    reading: ReadingOption = None,
) -> None:
    """The exact expected value of every bet, for every shoe of a file.

    The whole file is read and checked first: where a row is bad, nothing is written.
    """
    loaded = read_game(game, reading)
    if out is not None and out.suffix not in (".csv", ".parquet"):
        raise CombinatError(f'--out: found "{out}"; write a file name that ends in .csv or .parquet')
    if out is not None:
        refuse_inputs("--out", out, {"the file of shoes": shoes, "the rule book": rule_book_path(game)})
    rows = sum(len(block) for block in read_shoes(shoes, decks))
    make_ready(rows)
    if out is None:
        with standard_output() as stream:
            write_csv(loaded, read_shoes(shoes, decks), stream, places, lambda done: None)
        return
    write = write_parquet if out.suffix == ".parquet" else write_csv_file
    with replacing(out) as temporary, progress_bar(rows, "shoes") as advance:
        write(loaded, read_shoes(shoes, decks), temporary, places, advance)
    under = f" under {followed_in_words(loaded)}" if loaded.followed else ""
    say(for_text(f"wrote {out}: {rows} shoe{'' if rows == 1 else 's'}{under}"))


def make_ready(shoes: int) -> None:
    """Load the kernel if there are shoes enough; say what takes long, and what would take less."""

    def compiling() -> None:
        if sys.stderr.isatty():  # as with a progress bar: where a person is waiting
            tell("compiling for the first time: some seconds, and not again")

    if shoes > kernel.FEW and not kernel.load(compiling) and shoes >= MANY:
        tell(f"{shoes} shoes without numba; pip install 'combinat[fast]' saves some of the time")


def write_csv_file(
    game: Game,
    blocks: Iterator[list[tuple[int, ...]]],
    path: Path,
    places: int,
    advance: Callable[[int], None],
) -> None:
    """The values as a CSV file."""
    with path.open("w", encoding="utf-8", newline="") as file:
        write_csv(game, blocks, file, places, advance)
