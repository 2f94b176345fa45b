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
from combinat.rules.book.load import RuleBook
from combinat.rules.filing import TEMPLATE, Issue

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
        "--filing-template", help="Write a filing to fill in: to the file that is named, or else here."
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


def write_template(places: Sequence[str]) -> None:
    """Write a filing to fill in: to the place that is named, where nothing is yet; or else here."""
    if not places:
        say(TEMPLATE.rstrip("\n"))
        return
    if len(places) > 1:
        raise CombinatError("--filing-template: found more than one name; write one, such as filing.toml")
    path = Path(places[0])
    if path.suffix != ".toml":
        raise FileError(f'--filing-template: found "{path}"; write a file name that ends in .toml')
    if os.path.lexists(path):
        raise FileError(f"--filing-template: {path} is there already; write another name")
    write_whole(path, TEMPLATE)
    say(for_text(f"wrote {path}: fill it in, then combinat report GAME --filing {path}"))
