"""The ``combinat`` program: its commands, and what it does with a user's mistake."""

import sys
from typing import Annotated

import typer

from combinat import __version__
from combinat.cli import insurance, odds, report, rules, settle
from combinat.cli.round import round_
from combinat.errors import CombinatError

app = typer.Typer(
    name="combinat",
    help="Exact odds of baccarat games, from their approved rule books. No float in between.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"combinat {__version__}")
        raise typer.Exit


@app.callback()
def combinat(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    """Exact odds of baccarat games, from their approved rule books. No float in between."""


app.command(epilog="Example: combinat games")(rules.games)
app.command(epilog="Example: combinat rules tiger-buffalo-noncommission-2025 --layout P")(rules.rules)
app.command(
    epilog="Example: combinat odds tiger-buffalo-noncommission-2025 --decks 8 --bet big-tiger --detail"
)(odds.odds)
app.command(epilog="Example: combinat compare tiger-buffalo-commission tiger-buffalo-noncommission-plus")(
    odds.compare
)
app.command(epilog="Example: combinat insurance commission-insurance-2013 --favourable")(insurance.insurance)
app.command(
    "round",
    epilog='Example: combinat round commission-insurance-2013 --player "5 K" --banker "K 6" --decks 8',
)(round_)
app.command(
    epilog='Example: combinat settle comm --player "K 6" --banker "2 3 9" --stake player=100 --insure player@four-cards=30'
)(settle.settle)
app.command(epilog="Example: combinat report commission-insurance-2013 --out /tmp/filing")(report.report)


def main() -> None:
    """Run the program. A user's mistake is one message and exit code 2, never a traceback."""
    try:
        app()
    except CombinatError as error:
        print(f"combinat: {error}", file=sys.stderr)
        sys.exit(2)
