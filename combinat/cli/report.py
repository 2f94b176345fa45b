"""``combinat report``: write the certified reports of the games."""

from pathlib import Path
from typing import Annotated

import typer

from combinat.base.output_paths import refuse_inputs
from combinat.base.paper import Paper
from combinat.cli.options import AllowedDecksOption, ReadingOption, under_readings
from combinat.cli.progress import ON_TERMINAL
from combinat.montecarlo.simulation import MOST_ROUNDS, REPORT_ROUNDS
from combinat.report.certified.simulations import LEAST_ROUNDS
from combinat.report.certified.write_report import write_report
from combinat.rules.book.find import rule_book_path, rule_book_paths
from combinat.rules.converters import as_document, whole_number

GamesArgument = Annotated[
    list[str] | None, typer.Argument(metavar="GAME", help="Game ids or TOML files. [default: all games]")
]
OutOption = Annotated[str, typer.Option(metavar="FOLDER", help="The folder to write to.")]
FormatsOption = Annotated[
    str | None, typer.Option(metavar="LIST", help="Some of markdown,html,pdf,csv,xlsx. [default: all]")
]
SignOption = Annotated[
    Path | None,
    typer.Option(metavar="KEY", help="Sign the certificates with this private key (combinat keygen)."),
]
SimulationOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="own|N|none|FILE",
        help="The chapter on simulation: own, a simulation dealt for the report; N, one of N rounds; none; or a counts file "
        f"or CSV hand log to judge; repeat for more. [default: own, of {REPORT_ROUNDS} rounds]",
    ),
]
FilingOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="A TOML file with issuer, recipient, number and date (combinat new FILE --filing GAME); "
        "without it the report is a draft.",
    ),
]
PaperOption = Annotated[Paper, typer.Option(help="Paper size of the PDF.")]
MemoOption = Annotated[
    bool, typer.Option("--memo", help="Also write a memo: page 1 and the interpretations to confirm.")
]


def report(
    games: GamesArgument = None,
    decks: AllowedDecksOption = None,
    out: OutOption = "output",
    formats: FormatsOption = None,
    sign: SignOption = None,
    simulation: SimulationOption = None,
    reading: ReadingOption = None,
    filing: FilingOption = None,
    memo: MemoOption = False,
    paper: PaperOption = Paper.A4,
) -> None:
    """Write the certified reports of the games: analysis, tables, workbook, HTML, PDF, certificate.

    Replaces an earlier combinat report; refuses a folder that holds anything else.
    """
    paths = dict.fromkeys(map(rule_book_path, games) if games else rule_book_paths().values())
    for path in paths:
        refuse_inputs("out", Path(out), {"a rule book": path})
    files, rounds = list(simulation or ()), None
    for word in filter(str.isdecimal, simulation or ()):
        files.remove(word)
        rounds = whole_number("simulation_rounds", word, LEAST_ROUNDS, MOST_ROUNDS)
    written = write_report(
        [under_readings(as_document(path), reading) for path in paths] if reading else list(paths),
        out,
        decks=decks,
        formats=formats,
        sign=sign,
        simulations=files,
        simulation_rounds=rounds,
        filing=filing,
        memo=memo,
        paper=paper,
        progress=ON_TERMINAL,
    )
    codes = [verdict.word.exit_code for verdicts in written.verdicts.values() for verdict in verdicts]
    raise typer.Exit(1 if 1 in codes else max(codes, default=0))
