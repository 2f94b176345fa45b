"""``combinat report``: write the tables of the games."""

from pathlib import Path
from typing import Annotated

import typer

from combinat.cli.options import known_games
from combinat.report.files import write_reports
from combinat.rules.rulebook import rule_book_path, rule_book_paths


def report(
    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="GAME",
            help="Game ids or TOML files; all the games when none is given.",
            autocompletion=known_games,
            show_default=False,
        ),
    ] = None,
    out: Annotated[Path, typer.Option(help="The folder to write to.")] = Path("output"),
) -> None:
    """Write the rule summaries of the games to a folder."""
    named = (rule_book_path(game) for game in games) if games else rule_book_paths().values()
    paths = list(dict.fromkeys(named))
    for written in write_reports(paths, out):
        typer.echo(f"wrote {written}")
