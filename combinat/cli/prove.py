"""``combinat prove``: the counts of a game as theorems."""

import re
from pathlib import Path
from typing import Annotated

import typer

from combinat.base.errors import CertificateError, CombinatError, FileError, shortened
from combinat.base.files import plain_bytes, replacing, write_whole
from combinat.base.output_paths import refuse_inputs
from combinat.certify.checker import MOST_BYTES
from combinat.certify.statements import GameStatement, game_statement, read_statement
from combinat.cli.options import GameArgument
from combinat.cli.output import say, say_line, warn
from combinat.cli.progress import progress_bar
from combinat.cli.shoe import warn_of_decks
from combinat.render.escape import for_text
from combinat.report.proof import PROGRAM, module_name, proof_folder, proof_sources, proof_text, theorem_count
from combinat.rules import bounds
from combinat.rules.book.find import rule_book_path
from combinat.rules.book.load import load_game
from combinat.rules.converters import as_decks
from combinat.rules.game import Game

_MODULE = re.compile(r"[A-Za-z][A-Za-z0-9_]*\.v", re.ASCII)


def prove(
    game: GameArgument,
    decks: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="Numbers of decks, such as 4-10 or 4,6,8. [default: all that the document allows]",
            show_default=False,
        ),
    ] = None,
    analysis: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Prove the counts of this analysis.json instead of new ones.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.v", help="The Coq file to write. [default: standard output]", show_default=False
        ),
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

    The Table of Play, the bets and the insurance states are in the file as data; what they mean is defined in the
    sources of the proof. A wrong digit does not compile.
    """
    loaded = load_game(game)
    if out is None and with_sources:
        raise CombinatError("--with-sources needs --out FILE.v")
    if out is not None:
        _check_place(out, loaded, {"the rule book": rule_book_path(game), "the analysis": analysis})
    statement = _statement(loaded, decks, analysis)
    text = proof_text(loaded, statement)
    if out is None:
        say(text.rstrip("\n"))
        return
    folder = _write_sources(out.parent) if with_sources else proof_folder()
    write_whole(out, text)
    say_line(f"wrote {out}: {theorem_count(statement)} theorems")
    say(for_text(f"check it: python3 {folder / PROGRAM} {out}"))


def _statement(game: Game, decks: str | None, analysis: Path | None) -> GameStatement:
    """The counts to prove: counted now, or read from a file."""
    numbers = None if decks is None else as_decks(decks, columns=bounds.SHOES, most=bounds.DECKS)
    if analysis is None:
        numbers = numbers or list(range(game.decks.least, game.decks.most + 1))
        warn_of_decks(game, numbers)
        with progress_bar(len(numbers), "shoes") as advance:
            return game_statement(game, numbers, advance)
    try:
        statement = read_statement(plain_bytes(analysis, MOST_BYTES, links=True), numbers)
    except CertificateError as error:
        raise type(error)(f"{analysis}: {error}") from None
    if statement.rule_book_sha256 != game.sha256:
        warn(
            f"{analysis}: it is of another rule book of that game; what does not hold for this one will not compile"
        )
    return statement


def _check_place(out: Path, game: Game, inputs: dict[str, Path | None]) -> None:
    if not _MODULE.fullmatch(out.name):
        raise CombinatError(
            f'--out: found "{shortened(out.name)}"; Coq takes letters, digits and _ before .v, '
            f"such as --out {module_name(game.id)}.v"
        )
    if out.name in proof_sources():
        raise CombinatError(f"--out: {out.name} is a source of the proof; choose another name")
    refuse_inputs("out", out, inputs)


def _write_sources(folder: Path) -> Path:
    """Write the sources of the proof to a folder and return it; refuse to overwrite other files."""
    program = proof_folder() / PROGRAM
    sources = {**proof_sources(), PROGRAM: program.read_bytes()}
    for name, content in sources.items():
        place = folder / name
        if place.exists() or place.is_symlink():
            try:
                there = plain_bytes(place, len(content))
            except FileError:
                there = b""
            if there != content:
                raise CombinatError(
                    f"--with-sources: {place} is there and is another file; move it away, or write to another folder"
                )
    for name, content in sources.items():
        with replacing(folder / name) as temporary:
            temporary.write_bytes(content)
    return folder
