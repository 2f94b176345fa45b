"""``combinat table``: a whole table, its limits applied and its players settled."""

from pathlib import Path
from typing import Annotated

import typer

from combinat.cli.answers import FormatOption, show
from combinat.cli.options import GameArgument, ReadingOption, varied_game
from combinat.render.text import Format
from combinat.report.table.whole_table import TABLE, table_document
from combinat.table.table_settlement import settle_table

TableArgument = Annotated[
    Path, typer.Argument(metavar="FILE", help="A TOML file of the table: limits, boxes, stakes, cards.")
]


InterpretationsOption = Annotated[
    bool, typer.Option("--interpretations", help="Also show the result under every other reading.")
]


def table(
    game: GameArgument,
    file: TableArgument,
    reading: ReadingOption = None,
    interpretations: InterpretationsOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Settle a whole table: apply its limits to the stakes, then show every player's result and the House's."""
    loaded = varied_game(game, reading)
    state = settle_table(loaded, file, interpretations=interpretations)
    show(
        form,
        loaded,
        record=lambda: TABLE.object(state),
        document=lambda: table_document(state),
        main="Results",
    )
