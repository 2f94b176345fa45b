"""``combinat new``: begin a rule book, or a filing of a game."""

import re
from pathlib import Path
from typing import Annotated

import typer

from combinat.base.errors import CombinatError, FileError, InputError, RuleBookError, shortened
from combinat.base.files import write_new
from combinat.certify.filing import template
from combinat.cli.options import refuse
from combinat.cli.output import say, say_line
from combinat.render.escape import for_text
from combinat.rules.book.find import rule_book_path, rule_book_paths
from combinat.rules.book.load import load_game, parsed_game
from combinat.rules.book.parse import parsed_toml
from combinat.rules.book.write import new_rule_book


def new(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="The file to write, such as my-game.toml; the name of a rule book becomes the game's id.",
        ),
    ],
    base: Annotated[
        str | None,
        typer.Option("--from", metavar="GAME", help="Base the file on this game; inherit anything omitted."),
    ] = None,
    bet: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A bet to write: a new one, or one of the base game to change; repeat for more.",
        ),
    ] = None,
    filing: Annotated[
        str | None,
        typer.Option(
            metavar="GAME",
            help="Write a template for the filing of this game instead: issuer, recipient, number and date.",
        ),
    ] = None,
) -> None:
    """Write a rule book to start from: it is valid, and its comments name the lines to change.

    An existing file is never overwritten.
    """
    path = Path(file)
    if filing is not None:
        refuse("a filing is of an approved rule book", {"base": base, "bet": bet})
        _write_filing(path, filing)
        return
    if path.suffix != ".toml" or not re.fullmatch(r"(?a)[a-z0-9]+(-[a-z0-9]+)*", path.stem):
        such = "-".join(re.findall("[a-z0-9]+", path.name.removesuffix(".toml").lower())) or "my-game"
        raise CombinatError(
            f'FILE: found "{shortened(file)}"; write lower-case words joined by hyphens and .toml, such as '
            f"{shortened(such)}.toml"
        )
    text = _text(path, base, bet or [])
    try:
        game = parsed_game(text.encode("utf-8"), path, folder=path.parent)
    except RuleBookError as error:
        raise CombinatError(f"nothing was written: {error}") from None
    write_new(path, text)
    bets = len(game.bets)
    say_line(f"wrote {path}: {bets} bet{'s' if bets > 1 else ''}")
    say(for_text(f"next: combinat check {path}"))


def _write_filing(path: Path, game: str) -> None:
    """Write a template for the filing of a game."""
    filed = load_game(game)
    if filed.is_draft:
        raise FileError(f"{game} is a draft rule book; only an approved one can be filed")
    if path.suffix != ".toml":
        raise InputError(f'found "{path}"', "write a file name that ends in .toml", parameter="file")
    write_new(path, template(filed))
    say(for_text(f"wrote {path}: fill it in, then combinat report {game} --filing {path}"))


def _text(path: Path, base: str | None, bets: list[str]) -> str:
    """The text of the new rule book."""
    if base is None:
        named, data = "", None
    else:
        at = rule_book_path(base)
        named, data = _base_name(path, at), parsed_toml(load_game(at).content.decode("utf-8"))
    return new_rule_book(path.stem, bets, named, data)


def _base_name(path: Path, base: Path) -> str:
    """The name of the base in the new file: the id of a shipped game, or the name of a file in the same folder."""
    if base in rule_book_paths().values():
        return base.stem
    if base.resolve().parent != path.resolve().parent:
        raise CombinatError(
            f'--from: found "{shortened(str(base))}"; a base lies beside the file: copy it to {path.parent}'
        )
    return base.name
