"""``combinat table``: a whole table, its limits applied and its players settled."""

from pathlib import Path
from typing import Annotated

import typer

from combinat.cli.options import FormatOption, GameArgument
from combinat.cli.output import say
from combinat.errors import CombinatError
from combinat.render.text import Format, as_json, rendered
from combinat.report.whole_table import table_document, table_json
from combinat.rules.game import Game
from combinat.rules.rulebook import load_game
from combinat.rules.table_file import load_table
from combinat.rules.table_settlement import table_state

TableArgument = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", help="A TOML file of the table: limits, boxes, stakes, cards.", show_default=False
    ),
]
ReadingOption = Annotated[
    list[str] | None,
    typer.Option(
        "--reading",
        metavar="ID",
        help="Follow the other reading of this entry of the register; repeat for more.",
        show_default=False,
    ),
]


def with_readings(game: Game, readings: list[str]) -> Game:
    """The game under the other readings of these entries, of which no two may set the same thing."""
    setters: dict[str, str] = {}
    for entry in readings:
        for key in game.interpretation(entry).instead.of_table_limits:
            if key in setters:
                raise CombinatError(
                    f"--reading: {setters[key]} and {entry} contradict each other: both set {key}; follow one of them"
                )
            setters[key] = entry
        game = game.read_otherwise(entry)
    return game


def table(
    game: GameArgument,
    file: TableArgument,
    reading: ReadingOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """A whole table: what its limits reject or cut, and every player's result and the House's."""
    readings = reading or []
    loaded = with_readings(load_game(game), readings)
    state = table_state(loaded, load_table(file, loaded))
    if form is Format.JSON:
        say(as_json(table_json(loaded, state, readings)))
    else:
        say(rendered([table_document(loaded, state, readings)], form))
