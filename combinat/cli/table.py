"""``combinat table``: a whole table, its limits applied and its players settled."""

from pathlib import Path
from typing import Annotated

import typer

from combinat.base.errors import CombinatError
from combinat.cli.options import FormatOption, GameArgument
from combinat.cli.output import say
from combinat.cli.variant_options import PaysOption, ReadingOption, varied_game
from combinat.render.blocks import Section
from combinat.render.text import Format, as_json, rendered
from combinat.report.provisos import with_provisos
from combinat.report.table.whole_table import other_readings, table_document, table_json
from combinat.table.table_file import load_table
from combinat.table.table_settlement import other_states, table_state

TableArgument = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", help="A TOML file of the table: limits, boxes, stakes, cards.", show_default=False
    ),
]


InterpretationsOption = Annotated[
    bool, typer.Option("--interpretations", help="Also show the result under every other reading.")
]


def table(
    game: GameArgument,
    file: TableArgument,
    pays: PaysOption = None,
    reading: ReadingOption = None,
    interpretations: InterpretationsOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """A whole table: what its limits reject or cut, and every player's result and the House's."""
    if pays and interpretations:
        raise CombinatError(
            "--pays does not go with --interpretations, whose other readings have odds of their own"
        )
    loaded = varied_game(game, pays, reading)
    read = load_table(file, loaded)
    state = table_state(loaded, read)
    others = other_states(loaded, read) if interpretations else {}
    if form is Format.JSON:
        say(as_json(table_json(loaded, state, others if interpretations else None)))
        return
    document = table_document(loaded, state)
    if others:
        document = Section(document.title, (*document.blocks, other_readings(state, others)))
    say(rendered(with_provisos(loaded, [document], form), form, main="Results"))
