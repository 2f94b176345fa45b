"""``combinat convert``: a hand log of another system, written as the house's own."""

from pathlib import Path
from typing import Annotated

import typer

from combinat.base.errors import CombinatError
from combinat.cli.log_options import MapOption, SetOption, at_hand, log_map_of
from combinat.cli.output import tell, warn
from combinat.cli.places import refuse_inputs
from combinat.cli.progress import progress_bar

SUFFIXES = (".csv", ".parquet")

FileArgument = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="A hand log (CSV, JSON or Parquet, also compressed); - for standard input.",
        show_default=False,
    ),
]
OutOption = Annotated[
    Path,
    typer.Option(metavar="LOG", help="Where to write it: .csv or .parquet.", show_default=False),
]
GameOption = Annotated[
    str | None,
    typer.Option(metavar="GAME", help="The game, where the log names none.", show_default=False),
]


def convert(
    file: FileArgument,
    out: OutOption,
    game: GameOption = None,
    map_file: MapOption = None,
    settings: SetOption = None,
) -> None:
    """Write a hand log of another system in combinat's own columns and notation.

    How the file was read is told on standard error. A file of which any row cannot be read is not written.
    """
    if out.suffix not in SUFFIXES:
        raise CombinatError(f'--out: found "{out}"; write a file name that ends in {" or ".join(SUFFIXES)}')
    refuse_inputs("--out", out, {"the log": file, "the map": map_file})
    log_map = log_map_of(map_file, settings)
    from combinat.audit.reading.conversion import converted

    with at_hand(file) as place:
        conversion = converted(
            place, out, game, log_map, lambda total: progress_bar(total, "reading", parts=False)
        )
    for what, how in conversion.read_as:
        tell(f"{what}: {how}")
    for line, why in conversion.unreadable:
        warn(f"{conversion.line_word} {line}: {why}")
    if conversion.unreadable_rows:
        raise CombinatError(
            f"{file}: {conversion.unreadable_rows} of {conversion.rows} rows cannot be read; nothing was written"
        )
    tell(f"{out}: {conversion.rows} rows")
