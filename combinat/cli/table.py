"""``combinat table``: a whole table, its limits applied and its players settled."""

from pathlib import Path
from typing import Annotated

import typer

from combinat.cli.options import FormatOption, GameArgument
from combinat.cli.output import say
from combinat.cli.readings import ReadingOption, read_game
from combinat.render.text import Format, as_json, rendered
from combinat.report.followed import followed_blocks
from combinat.report.whole_table import table_document, table_json
from combinat.rules.table_file import load_table
from combinat.rules.table_settlement import table_state

TableArgument = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", help="A TOML file of the table: limits, boxes, stakes, cards.", show_default=False
    ),
]


def table(
    game: GameArgument,
    file: TableArgument,
    reading: ReadingOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """A whole table: what its limits reject or cut, and every player's result and the House's."""
    loaded = read_game(game, reading)
    state = table_state(loaded, load_table(file, loaded))
    if form is Format.JSON:
        say(as_json(table_json(loaded, state)))
    else:
        say(rendered(followed_blocks(loaded, [table_document(loaded, state)], form), form))
