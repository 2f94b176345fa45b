"""How a report is issued, as the options of ``combinat report`` say it."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from combinat.base.errors import CombinatError, FileError
from combinat.base.files import write_whole
from combinat.base.paper import Paper
from combinat.certify.signature import is_private
from combinat.cli.output import say, warn
from combinat.library.issuing import issue_of
from combinat.render.escape import for_text
from combinat.rules.book.find import rule_book_path
from combinat.rules.book.load import RuleBook, load_rule_book
from combinat.rules.filing import Issue, template

FilingOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Who issues the report, for whom, under which number, when (TOML); without it, it is a draft.",
        show_default=False,
    ),
]
TemplateOption = Annotated[
    bool,
    typer.Option(
        "--filing-template",
        help="Write a filing of one game to fill in: to the file that is named after the game, or else here.",
    ),
]
PaperOption = Annotated[Paper, typer.Option(help="What the PDF is printed on.")]
MemoOption = Annotated[
    bool, typer.Option("--memo", help="Write a memo too: page 1 and the open readings alone.")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Issued:
    """How reports are issued; ``filing``: the bytes of what is filed."""

    issue: Issue
    filing: bytes | None = None


def issued(filing: Path | None, paper: Paper, sign: Path | None, books: Sequence[RuleBook]) -> Issued:
    """How these reports are issued; a key that others can read is told."""
    issue, content = issue_of(books, filing, sign, paper, named="--filing")
    if sign is not None and not is_private(sign):
        warn(f"{sign}: others can read this private key; write chmod 600 {sign}, or make a new key")
    return Issued(issue=issue, filing=content)


def write_template(names: Sequence[str]) -> None:
    """Write a filing of a game to fill in: to the file that is named after the game and does not exist, or else here."""
    if len(names) not in (1, 2):
        raise CombinatError(
            f"--filing-template: found {len(names)} names; write the game that is filed, and a file such as filing.toml"
        )
    book = load_rule_book(rule_book_path(names[0]))
    if book.game.is_draft:
        raise FileError(
            f"--filing-template: {names[0]} is a draft rule book; only an approved one can be filed"
        )
    if len(names) == 1:
        say(template(book).rstrip("\n"))
        return
    path = Path(names[1])
    if path.suffix != ".toml":
        raise FileError(f'--filing-template: found "{path}"; write a file name that ends in .toml')
    if os.path.lexists(path):
        raise FileError(f"--filing-template: {path} is there already; write another name")
    write_whole(path, template(book))
    say(for_text(f"wrote {path}: fill it in, then combinat report {names[0]} --filing {path}"))
