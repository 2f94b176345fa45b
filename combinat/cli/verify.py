"""``combinat verify``: reports and studies, checked."""

from pathlib import Path
from typing import Annotated

import typer

from combinat.cli.answers import FormatOption
from combinat.cli.output import say
from combinat.cli.progress import ON_TERMINAL
from combinat.render.text import Format, as_json, rendered
from combinat.report.certified.verify import CheckedFolder, Holding, verdicts
from combinat.report.verification import (
    VERIFY,
    verification_blocks,
    verification_csv,
    verification_text,
)

PathArgument = Annotated[
    Path, typer.Argument(metavar="PATH", help="The folder of a report or study, or a folder of such folders.")
]
PublicKeyOption = Annotated[Path | None, typer.Option(metavar="FILE", help="The signer's public key.")]
RuleBookOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="The rule book to compare with, instead of the one in this installation."
    ),
]
UnsignedOption = Annotated[
    bool,
    typer.Option(
        "--unsigned-ok", help="Skip signatures: a signed report may pass although its signer was not checked."
    ),
]
FiguresOnlyOption = Annotated[
    bool, typer.Option("--figures-only", help="Check only the numbers of analysis.json, not the documents.")
]
BlocksOption = Annotated[
    str,
    typer.Option(
        "--blocks",
        metavar="N",
        help="For a study by combinat protect: the number of blocks to deal again, chosen at random; or all.",
    ),
]


def verify(
    path: PathArgument,
    public_key: PublicKeyOption = None,
    rule_book: RuleBookOption = None,
    unsigned_ok: UnsignedOption = False,
    figures_only: FiguresOnlyOption = False,
    blocks: BlocksOption = "8",
    form: FormatOption = Format.TEXT,
) -> None:
    """Check reports: signature, hashes and rule book; recompute every number and every document.

    Exit codes: 0, all hold; 1, one does not; 2, one could not be checked, for example a signature without
    --public-key; --unsigned-ok skips signatures.
    """
    checked = verdicts(
        path,
        public_key=public_key,
        rule_book=rule_book,
        unsigned_ok=unsigned_ok,
        figures_only=figures_only,
        blocks=blocks,
        progress=ON_TERMINAL,
    )
    _print(checked, form)
    wrong = [one.holding.exit_code for one in checked if one.holding is not Holding.HOLDS]
    raise typer.Exit(min(wrong, default=0))


def _print(folders: list[CheckedFolder], form: Format) -> None:
    if form is Format.JSON:
        say(as_json(VERIFY.object(folders)))
    elif form is Format.CSV:
        say(rendered([verification_csv(folders)], form))
    elif form is Format.TEXT:
        say("\n\n".join(map(verification_text, folders)))
    else:
        say(rendered(verification_blocks(folders), form))
