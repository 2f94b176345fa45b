"""``combinat crosscheck``: a simulator's counts or a hand log against the exact results."""

import os
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from combinat import __version__
from combinat.cli.options import FormatOption
from combinat.cli.progress import progress_bar
from combinat.cli.shoe import stated_shoe, warn_of_decks
from combinat.errors import CombinatError, StakeError
from combinat.render.document import Format
from combinat.render.files import write_whole
from combinat.rules.money import parse_money

if TYPE_CHECKING:
    from combinat.audit.verdict import Verdict

SUFFIXES = (".html", ".md", ".json")


def crosscheck(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="A counts file (JSON), or a hand log (CSV or Parquet).", show_default=False
        ),
    ],
    alpha: Annotated[
        str,
        typer.Option(metavar="P", help="The chance of a false alarm that is accepted, all tests together."),
    ] = "0.001",
    report: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the verdict to a file too: .html, .md or .json.", show_default=False
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(
            metavar="GAME",
            help="The game, where the file names none or has a rule book of its own.",
            show_default=False,
        ),
    ] = None,
    decks: Annotated[
        str | None,
        typer.Option(metavar="N", help="Decks of the shoe, where a hand log names none.", show_default=False),
    ] = None,
    cards: Annotated[
        str | None,
        typer.Option(
            metavar="COUNTS",
            help='Or its cards when fresh, such as "A=31 2=32 K=32".',
            show_default=False,
        ),
    ] = None,
    cut_card: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Cards behind the cut card, where a log of whole shoes does not say; a deck is assumed.",
            min=0,
            show_default=False,
        ),
    ] = None,
    settlement_only: Annotated[
        bool, typer.Option("--settlement-only", help="Of a hand log, judge the settlements and not chance.")
    ] = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Hold a simulator's counts, or every round of a hand log, against the exact results.

    Exit codes: 0, it agrees; 1, it does not; 2, it could not be judged.
    """
    level = _alpha(alpha)
    if report is not None and report.resolve() == file.resolve():
        raise CombinatError(f"--report: {report} is the file to judge; write to another")
    _check_libraries(report)
    from combinat.audit.verdict import verdict
    from combinat.report import crosscheck as shown

    found = verdict(
        file,
        game=game,
        shoe=stated_shoe(decks, cards),
        cut_card=cut_card,
        alpha=level,
        settlement_only=settlement_only,
        progress=lambda total: progress_bar(total, "replaying", parts=False),
    )
    if found.observed.shoe.decks is not None:
        warn_of_decks(found.game, [found.observed.shoe.decks])
    if report is not None:
        _write(found, report)
    typer.echo(shown.printed(found, form))
    raise typer.Exit(found.word.exit_code)


def _write(found: "Verdict", report: Path) -> None:
    from combinat.report import crosscheck as shown

    if report.suffix == ".html":
        from combinat.render.html import html

        foot = f"combinat {__version__}; rule book SHA-256 {found.rule_book_sha256}"
        write_whole(report, html(shown.document(found), foot))
    else:
        form = Format.MARKDOWN if report.suffix == ".md" else Format.JSON
        write_whole(report, shown.printed(found, form))


def _alpha(text: str) -> Fraction:
    try:
        level = parse_money(text)
    except StakeError:
        level = Fraction(0)
    if not 0 < level < Fraction(1, 2):  # also what has more than nine decimals
        raise CombinatError(
            f'--alpha: found "{text}"; write a probability between 0 and 0.5 with nine decimals at most, such as 0.001'
        )
    return level


def _check_libraries(report: Path | None) -> None:
    """Refuse before anything is read what could not be done."""
    if find_spec("scipy") is None:
        raise CombinatError("a cross-check needs scipy: pip install 'combinat[crosscheck]'")
    if report is not None and report.suffix not in SUFFIXES:
        raise CombinatError(
            f'--report: found "{report}"; write a file name that ends in {", ".join(SUFFIXES)}'
        )
    if report is not None:
        folder = next(parent for parent in report.absolute().parents if parent.exists())
        if report.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
            raise CombinatError(f"--report: {report} cannot be written; choose another place")
    if report is not None and report.suffix == ".html" and find_spec("jinja2") is None:
        raise CombinatError("an HTML report needs jinja2: pip install 'combinat[report]'")
