"""``combinat prove``: the counts of a game as theorems."""

from pathlib import Path
from typing import Annotated

import typer

from combinat.base.errors import CombinatError
from combinat.base.files import write_whole
from combinat.base.output_paths import refuse_inputs
from combinat.cli.options import AllowedDecksOption, GameArgument
from combinat.cli.output import say, say_line
from combinat.cli.progress import ON_TERMINAL
from combinat.render.escape import for_text
from combinat.report.proof import (
    PROGRAM,
    proof_folder,
    proof_text,
    refuse_name,
    stated_counts,
    theorem_count,
    write_sources,
)
from combinat.rules import bounds
from combinat.rules.book.find import rule_book_path
from combinat.rules.book.load import load_game
from combinat.rules.converters import as_decks


def prove(
    game: GameArgument,
    decks: AllowedDecksOption = None,
    analysis: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Prove the counts of this analysis.json instead of new ones."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE.v", help="The Coq file to write. [default: standard output]")
    ] = None,
    with_sources: Annotated[
        bool,
        typer.Option(
            "--with-sources", help="Also write the Coq sources that the proof needs, to the same folder."
        ),
    ] = False,
) -> None:
    """Write every count and house edge of a game as a Coq theorem with its proof.

    To prove a report, write in its folder: combinat prove GAME.toml --analysis analysis.json --out
    ELSEWHERE/game.v --with-sources. Then, with Debian's coq: python3 ELSEWHERE/check.py ELSEWHERE/game.v

    The file holds the Table of Play, the bets and the insurance states as data; the Coq sources define their meaning.
    A file with a wrong digit does not compile.
    """
    loaded = load_game(game)
    if out is None and with_sources:
        raise CombinatError("--with-sources needs --out FILE.v")
    if out is not None:
        refuse_name(out.name, loaded)
        refuse_inputs("out", out, {"the rule book": rule_book_path(game), "the analysis": analysis})
    numbers = None if decks is None else as_decks(decks, columns=bounds.SHOES, most=bounds.DECKS)
    statement = stated_counts(loaded, numbers, analysis, ON_TERMINAL)
    text = proof_text(loaded, statement)
    if out is None:
        say(text.rstrip("\n"))
        return
    if with_sources:
        write_sources(out.parent)
    write_whole(out, text)
    say_line(f"wrote {out}: {theorem_count(statement)} theorems")
    program = (out.parent if with_sources else proof_folder()) / PROGRAM
    say(for_text(f"check it: python3 {program} {out}"))
