"""The ``combinat`` program: its commands, and what it does with a user's mistake.

A command's module is imported when the command is called, so that each starts as fast as it can.
"""

import gc
import sys
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from combinat import __version__
from combinat.cli.leaving import ending
from combinat.cli.output import say
from combinat.cli.usage import UsageMistake, unknown_command, usage_error

# command: where it is, and an example of its use
COMMANDS = {
    "games": ("rules:games", "combinat games"),
    "rules": ("rules:rules", "combinat rules tiger-buffalo-noncommission-2025 --layout P"),
    "odds": ("odds:odds", "combinat odds tiger-buffalo-noncommission-2025 --bet big-tiger --detail"),
    "compare": ("odds:compare", "combinat compare tiger-buffalo-commission tiger-buffalo-noncommission-plus"),
    "insurance": ("insurance:insurance", "combinat insurance commission-insurance-2013 --favourable"),
    "round": ("round:round_", 'combinat round commission-insurance-2013 --player "5 K" --banker "K 6"'),
    "settle": (
        "settle:settle",
        'combinat settle comm --player "K 6" --banker "2 3 9" --stake player=100 --insure player@four-cards=30',
    ),
    "formula": ("formula:formula", "combinat formula tiger-buffalo-noncommission-2025 big-tiger"),
    "removal": ("removal:removal", "combinat removal tiger-buffalo-noncommission-2025 --chart removal.svg"),
    "evaluate": (
        "evaluate:evaluate",
        "combinat evaluate commission-insurance-2013 --shoes shoes.csv --out values.csv",
    ),
    "report": ("report:report", "combinat report commission-insurance-2013 --out filing"),
    "verify": ("verify:verify", "combinat verify output"),
    "simulate": (
        "simulate:simulate",
        "combinat simulate commission-insurance-2013 --rounds 50000000 --seed 7 --out sim.json",
    ),
    "crosscheck": ("crosscheck:crosscheck", "combinat crosscheck sim.json --report verdict.html"),
    "convert": (
        "convert:convert",
        "combinat convert their-log.csv --game commission-insurance-2013 --out log.csv",
    ),
    "power": ("power:power", 'combinat power commission-insurance-2013 --fault "wrong-cell 6/7"'),
    "review": ("review:review", "combinat review log.csv --game commission-insurance-2013 --decks 8"),
    "keygen": ("keygen:keygen", "combinat keygen house --out keys"),
}


class Commands(TyperGroup):
    """The commands, each imported when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Their names, in the order of the work."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of this name; None: there is none."""
        if cmd_name not in COMMANDS:
            return None
        place, example = COMMANDS[cmd_name]
        module, _, function = place.partition(":")
        alone = typer.Typer(add_completion=False, context_settings=_CONTEXT)
        alone.command(cmd_name, epilog=f"Example: {example}")(
            getattr(import_module(f"combinat.cli.{module}"), function)
        )
        return typer.main.get_command(alone)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the words begin with; one that does not exist is refused with the nearest."""
        if args[0] not in COMMANDS and not args[0].startswith("-") and not ctx.resilient_parsing:
            raise unknown_command(args[0], list(COMMANDS))
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """The words after the program's own options; such an option that fails (completion) is no verdict."""
        try:
            return super().parse_args(ctx, args)
        except typer.Exit as leaving:
            raise typer.Exit(2 if leaving.exit_code else 0) from None


_CONTEXT = {"help_option_names": ["-h", "--help"]}
app = typer.Typer(
    name="combinat",
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings=_CONTEXT,
)


def _version(wanted: bool) -> None:
    if wanted:
        say(f"combinat {__version__}")
        raise typer.Exit


@app.callback()
def combinat(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    """Exact odds of baccarat games, from their approved rule books. No float in between."""


def main() -> None:
    """Run the program. Whatever becomes of it, it leaves in one way, and never with a traceback."""
    # A command makes many small records, and all of them stay: look for rubbish rarely.
    gc.set_threshold(100_000, 50, 50)
    sys.exit(ending(_run))


def _run() -> Any:
    try:
        return app(prog_name="combinat", standalone_mode=False)
    except UsageMistake as mistake:
        if not sys.argv[1:]:
            return 2  # the help is shown
        raise usage_error(mistake, sys.argv[1:], list(COMMANDS)) from None
