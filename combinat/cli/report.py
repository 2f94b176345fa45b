"""``combinat report``: write the certified reports of the games."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from combinat.base.errors import FileError, InputError
from combinat.base.files import write_whole
from combinat.base.output_paths import refuse_inputs
from combinat.base.paper import Paper
from combinat.certify.filing import template
from combinat.cli.output import say
from combinat.cli.progress import ON_TERMINAL
from combinat.cli.variant_options import ReadingOption, reread
from combinat.montecarlo.report_simulation import ROUNDS
from combinat.montecarlo.simulation import MOST_ROUNDS
from combinat.render.escape import for_text
from combinat.report.certified.simulations import LEAST_ROUNDS
from combinat.report.certified.write_report import write_report
from combinat.rules.book.find import rule_book_path, rule_book_paths
from combinat.rules.converters import as_document

GamesArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="GAME",
        help="Game ids or TOML files. [default: all games]",
        show_default=False,
    ),
]
ReportDecksOption = Annotated[
    str | None,
    typer.Option(
        metavar="N",
        help="Numbers of decks, such as 4-10 or 4,6,8. [default: all that the document allows]",
        show_default=False,
    ),
]
OutOption = Annotated[str, typer.Option(metavar="FOLDER", help="The folder to write to.")]
FormatsOption = Annotated[
    str | None,
    typer.Option(
        metavar="LIST",
        help="Some of markdown,html,pdf,csv,xlsx. [default: all]",
        show_default=False,
    ),
]
SignOption = Annotated[
    Path | None,
    typer.Option(
        metavar="KEY",
        help="Sign the certificates with this private key (combinat keygen).",
        show_default=False,
    ),
]
SimulationOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="own|none|FILE",
        help="The chapter on simulation: own (a simulation that the report deals itself), none, or a counts file or CSV hand log to judge; repeat for more. [default: own]",
        show_default=False,
    ),
]
SimulationRoundsOption = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help=f"Rounds of the report's own simulation. [default: {ROUNDS}]",
        min=LEAST_ROUNDS,
        max=MOST_ROUNDS,
        show_default=False,
    ),
]
FilingOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="A TOML file with issuer, recipient, number and date; without it the report is a draft.",
        show_default=False,
    ),
]
TemplateOption = Annotated[
    bool,
    typer.Option(
        "--filing-template", help="Write a filing template: give GAME FILE.toml, or GAME alone to print it."
    ),
]
PaperOption = Annotated[Paper, typer.Option(help="Paper size of the PDF.")]
MemoOption = Annotated[bool, typer.Option("--memo", help="Also write a memo: page 1 and the open readings.")]


def report(
    games: GamesArgument = None,
    decks: ReportDecksOption = None,
    out: OutOption = "output",
    formats: FormatsOption = None,
    sign: SignOption = None,
    simulation: SimulationOption = None,
    simulation_rounds: SimulationRoundsOption = None,
    reading: ReadingOption = None,
    filing: FilingOption = None,
    filing_template: TemplateOption = False,
    memo: MemoOption = False,
    paper: PaperOption = Paper.A4,
) -> None:
    """Write the certified reports of the games: analysis, tables, workbook, HTML, PDF, certificate.

    Replaces an earlier combinat report; refuses a folder that holds anything else.
    """
    if filing_template:
        _write_template(games or [])
        return
    paths = dict.fromkeys(map(rule_book_path, games) if games else rule_book_paths().values())
    for path in paths:
        refuse_inputs("out", Path(out), {"a rule book": path})
    written = write_report(
        [reread(as_document(path), reading) for path in paths] if reading else list(paths),
        out,
        decks=decks,
        formats=formats,
        sign=sign,
        simulations=simulation or (),
        simulation_rounds=simulation_rounds,
        filing=filing,
        memo=memo,
        paper=paper,
        progress=ON_TERMINAL,
    )
    codes = [verdict.word.exit_code for verdicts in written.verdicts.values() for verdict in verdicts]
    raise typer.Exit(1 if 1 in codes else max(codes, default=0))


def _write_template(names: Sequence[str]) -> None:
    """Write a filing of a game to fill in: to the file named after the game, if nothing is there; or print it."""
    if len(names) not in (1, 2):
        raise InputError(
            f"found {len(names)} names",
            "write the game that is filed, and a file such as filing.toml",
            parameter="filing_template",
        )
    game = as_document(names[0])
    if game.is_draft:
        raise FileError(f"{names[0]} is a draft rule book; only an approved one can be filed")
    if len(names) == 1:
        say(template(game).rstrip("\n"))
        return
    path = Path(names[1])
    if path.suffix != ".toml":
        raise InputError(
            f'found "{path}"', "write a file name that ends in .toml", parameter="filing_template"
        )
    if os.path.lexists(path):
        raise FileError(f"{path} is there already; write another name")
    write_whole(path, template(game))
    say(for_text(f"wrote {path}: fill it in, then combinat report {names[0]} --filing {path}"))
