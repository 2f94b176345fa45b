"""``combinat explore``: one page that computes exact odds in a browser."""

from pathlib import Path
from typing import Annotated

import typer

from combinat.base.errors import CombinatError
from combinat.base.files import replacing
from combinat.base.output_paths import refuse_inputs
from combinat.cli.output import say_line
from combinat.report.explorer import EXPLORER, explorer
from combinat.rules.book.find import rule_book_path, rule_book_paths
from combinat.rules.book.load import load_game


def explore(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="GAME", help="Game ids or TOML files. [default: all games]")
    ] = None,
    out: Annotated[str, typer.Option(metavar="FILE", help="The page to write.")] = EXPLORER,
) -> None:
    """Write one page that computes exact odds in a browser: edit the shoe, deal a round, change odds.

    The page is one file. It needs no network and no server, and the rule books are in it.
    """
    if not out:
        raise CombinatError(f"--out: found no name; write a file, such as --out {EXPLORER}")
    paths = dict.fromkeys(map(rule_book_path, games) if games else rule_book_paths().values())
    for path in paths:
        refuse_inputs("out", Path(out), {"a rule book": path})
    loaded = [load_game(path) for path in paths]
    if len({game.id for game in loaded}) < len(loaded):
        raise CombinatError("two of the rule books have one id; give each game once")
    with replacing(Path(out)) as temporary:
        temporary.write_bytes(explorer(loaded))
    count = f"{len(loaded)} game{'' if len(loaded) == 1 else 's'}"
    say_line(f"wrote {out}: {count}; open it in a browser")
