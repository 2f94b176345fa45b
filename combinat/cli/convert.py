"""``combinat convert``: a foreign hand log, written in combinat's own columns."""

from pathlib import Path
from typing import Annotated

import typer

from combinat.audit.convert import convert as converted
from combinat.base.output_paths import refuse_inputs
from combinat.cli.log_options import MapOption, SetOption, at_hand, log_map_of
from combinat.cli.output import tell
from combinat.cli.progress import ON_TERMINAL

FileArgument = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", help="A hand log (CSV, JSON or Parquet, also compressed); - for standard input."
    ),
]
OutOption = Annotated[Path, typer.Option(metavar="LOG", help="The file to write: .csv or .parquet.")]
GameOption = Annotated[str | None, typer.Option(metavar="GAME", help="The game, if the log names none.")]


def convert(
    file: FileArgument,
    out: OutOption,
    game: GameOption = None,
    map_file: MapOption = None,
    settings: SetOption = None,
) -> None:
    """Write a hand log of another system in combinat's own columns and notation.

    Standard error shows how the file was read. A file with an unreadable row is not written.
    """
    refuse_inputs("out", out, {"the log": file, "the map": map_file})
    log_map = log_map_of(map_file, settings)
    with at_hand(file) as place:
        conversion = converted(place, out, game=game, log_map=log_map, progress=ON_TERMINAL)
    for what, how in conversion.read_as:
        tell(f"{what}: {how}")
    tell(f"{out}: {conversion.rows} rows")
