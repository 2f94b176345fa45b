"""The ``combinat`` program: its commands, and its messages about usage.

A command's module is imported when the command is called, so that each starts as fast as it can.
"""

import gc
import os
import sys
from importlib import import_module
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

from combinat import __version__
from combinat.cli.command import Command, say_help
from combinat.cli.exits import ending, show_faults
from combinat.cli.output import quietly, say


class CommandEntry(NamedTuple):
    """A command: its module and function, an example, and its line in the list of commands."""

    place: str
    example: str
    line: str


SECTIONS: dict[str, dict[str, CommandEntry]] = {
    "Exact odds": {
        "odds": CommandEntry(
            "odds:odds",
            "combinat odds tiger-buffalo-noncommission-2025 --bet tiger --detail",
            "Every bet on any shoe; several games side by side.",
        ),
        "insurance": CommandEntry(
            "insurance:insurance",
            "combinat insurance commission-insurance-2013 --favourable",
            "Every insurance state: chance, odds, expected value.",
        ),
        "round": CommandEntry(
            "round:round_",
            'combinat round comm --player "5 K" --banker "K 6"',
            "A round in progress: every bet from here on.",
        ),
        "formula": CommandEntry(
            "formula:formula",
            "combinat formula tiger-buffalo-noncommission-2025 big-tiger",
            "A bet as a function of the number of decks.",
        ),
        "removal": CommandEntry(
            "removal:removal",
            "combinat removal tiger-buffalo-noncommission-2025 --chart removal.svg",
            "The effect of removing each rank.",
        ),
        "evaluate": CommandEntry(
            "evaluate:evaluate",
            "combinat evaluate comm --shoes shoes.csv --out values.csv",
            "Every bet for a file of shoes.",
        ),
    },
    "Rule books": {
        "games": CommandEntry("games:games", "combinat games", "List the rule books."),
        "rules": CommandEntry(
            "rules:rules",
            "combinat rules tiger-buffalo-noncommission-2025 --layout P",
            "Show a rule book.",
        ),
        "new": CommandEntry(
            "new:new",
            'combinat new my-game.toml --bet "Lucky Eight"',
            "Begin a rule book of your own, or a filing.",
        ),
        "check": CommandEntry(
            "check:check",
            "combinat check my-game.toml",
            "Check a rule book: every mistake, every line's coverage.",
        ),
        "diff": CommandEntry(
            "diff:diff",
            "combinat diff comm tiger-buffalo-commission-plus-2024",
            "Compare two rule books, and what the changes do.",
        ),
        "solve": CommandEntry(
            "solve:solve",
            "combinat solve tiger-buffalo-noncommission-2025 big-tiger --edge 5%",
            "Find odds for a house edge or a hit frequency.",
        ),
    },
    "At the table": {
        "settle": CommandEntry(
            "settle:settle",
            'combinat settle comm --player "K 9" --banker "2 3" --stake player=100',
            "Settle a finished round.",
        ),
        "table": CommandEntry(
            "table:table",
            "combinat table tiger-buffalo-noncommission-plus-2024 table.toml",
            "Settle a whole table.",
        ),
        "ruling": CommandEntry(
            "ruling:ruling",
            'combinat ruling comm --incident foreign-card --cards "5 K K 6"',
            "Rule on an irregularity.",
        ),
        "exposure": CommandEntry(
            "exposure:exposure",
            "combinat exposure comm --stake banker=50 --stake tie=5 --positions 6",
            "What a round can cost the House.",
        ),
    },
    "Game protection": {
        "protect": CommandEntry(
            "protect:protect",
            "combinat protect commission-insurance-2013",
            "Which bets can be beaten, by the position of the cut card.",
        ),
        "count": CommandEntry(
            "count:count",
            "combinat count comm tie --left 26,52,104",
            "The best count of every bet, or the exact law of one.",
        ),
        "perfect": CommandEntry(
            "perfect:perfect",
            "combinat perfect commission-insurance-2013 --left 14",
            "Perfect play at a depth, and upper bounds on any player's gain.",
        ),
    },
    "Reports": {
        "report": CommandEntry(
            "report:report",
            "combinat report commission-insurance-2013 --out filing",
            "Write certified reports.",
        ),
        "verify": CommandEntry("verify:verify", "combinat verify output", "Check reports and studies."),
        "explore": CommandEntry(
            "explore:explore",
            "combinat explore commission-insurance-2013 --out explorer.html",
            "Write a page that computes odds in a browser.",
        ),
        "prove": CommandEntry(
            "prove:prove",
            "combinat prove commission-insurance-2013 --decks 4-8 --out game.v",
            "Write the counts of a game as Coq theorems.",
        ),
    },
    "Simulators and logs": {
        "simulate": CommandEntry(
            "simulate:simulate",
            "combinat simulate comm --rounds 50000000 --seed 7 --out sim.json",
            "Deal random rounds: counts or a hand log.",
        ),
        "crosscheck": CommandEntry(
            "crosscheck:crosscheck",
            "combinat crosscheck sim.json --report verdict.html",
            "Compare counts or a hand log with the exact results.",
        ),
        "convert": CommandEntry(
            "convert:convert",
            "combinat convert their-log.csv --game comm --out log.csv",
            "Convert a foreign hand log.",
        ),
        "power": CommandEntry(
            "power:power",
            'combinat power commission-insurance-2013 --fault "wrong-cell 6/7"',
            "How many rounds show a known fault.",
        ),
        "review": CommandEntry(
            "review:review",
            "combinat review log.csv --game commission-insurance-2013 --decks 8",
            "Compare players' stakes with the edge.",
        ),
    },
    "Set-up": {
        "doctor": CommandEntry("doctor:doctor", "combinat doctor", "Check this installation."),
        "keygen": CommandEntry(
            "keygen:keygen", "combinat keygen house --out keys", "Make a key pair for signatures."
        ),
    },
}
COMMANDS = {name: entry for entries in SECTIONS.values() for name, entry in entries.items()}


class Commands(TyperGroup):
    """The commands; each module is imported when its command runs."""

    def get_help_option(self, ctx: Any) -> Any:
        """The option that prints the list of them."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.callback = say_help
        return option

    def list_commands(self, ctx: Any) -> list[str]:
        """Their names, section by section."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of this name as a list shows it, or None."""
        return TyperCommand(cmd_name, short_help=COMMANDS[cmd_name].line) if cmd_name in COMMANDS else None

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The commands in their sections, one line each."""
        for title, entries in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name, entry.line) for name, entry in entries.items()])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command named by the first word; an unknown one is refused with the nearest name."""
        if args[0] in COMMANDS:
            return args[0], imported(args[0]), args[1:]
        if not args[0].startswith("-") and not ctx.resilient_parsing:
            from combinat.cli.usage import unknown_command

            raise unknown_command(args[0], list(COMMANDS))
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """The words after the program's own options; completion that fails exits with 2, not 1.

        ``combinat help odds`` is ``combinat odds --help``.
        """
        if args[:1] == ["help"]:
            args = [*args[1:2], "--help"]
        try:
            return super().parse_args(ctx, args)
        except typer.Exit as leaving:
            raise typer.Exit(2 if leaving.exit_code else 0) from None


COMPLETES = "_COMBINAT_COMPLETE"
"""The environment variable with which a shell asks for completions; typer names it after the program."""

UsageMistake: Any = typer.BadParameter.__bases__[0]
"""The base class of typer's usage errors, which typer does not export."""

_CONTEXT = {"help_option_names": ["-h", "--help"]}


def imported(command: str) -> Any:
    """The command of this name, ready to run."""
    place, example, _ = COMMANDS[command]
    module, _, function = place.partition(":")
    _load_msgspec()
    alone = typer.Typer(add_completion=False, context_settings=_CONTEXT, rich_markup_mode=None)
    unwrapped = f"\b\nExample: {example}"  # an example is copied: it stays on one line
    run = getattr(import_module(f"combinat.cli.{module}"), function)
    if COMPLETES in os.environ:
        from combinat.cli.completion import complete_words  # a command that runs does without

        complete_words(run)
    alone.command(command, cls=Command, epilog=unwrapped)(run)
    return typer.main.get_command(alone)


def _load_msgspec() -> None:
    """Load msgspec without typing_extensions, which takes longer to load than msgspec itself (0.08 times ``import typer``).

    From Python 3.11 on msgspec takes ``typing`` if typing_extensions is not installed.
    """
    if "msgspec" not in sys.modules and "typing_extensions" not in sys.modules:
        sys.modules["typing_extensions"] = None  # type: ignore[assignment]  # as if it were not installed
        try:
            import msgspec  # noqa: F401
        finally:
            del sys.modules["typing_extensions"]


app = typer.Typer(
    name="combinat",
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # rich takes longer to load than all else together
    context_settings=_CONTEXT,
)


def _version(wanted: bool) -> None:
    if wanted:
        say(f"combinat {__version__}")
        raise typer.Exit


@app.callback()
def combinat(
    asked: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="No warnings and no progress on standard error.")
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show the traceback of an unexpected error.")
    ] = False,
) -> None:
    """Exact odds of baccarat games, from their approved rule books, without floating-point arithmetic."""
    if debug:
        show_faults()
    if quiet:
        asked.with_resource(quietly(True))


EPOCH = "SOURCE_DATE_EPOCH"
THREADS = "POLARS_MAX_THREADS"


def check_environment() -> None:
    """Drop settings that mean the default, and refuse a malformed date, before a library fails on one.

    numpy fails on an empty date, and polars on 0 threads. Empty means unset; 0 threads means the default.
    """
    threads = os.environ.get(THREADS)
    if threads is not None and not (threads.isdecimal() and int(threads)):
        del os.environ[THREADS]
    date = os.environ.get(EPOCH)
    if date == "":
        del os.environ[EPOCH]
    elif date is not None and not (date.isascii() and date.isdecimal()):
        from combinat.certify.filing import builders_date  # most runs have no date, or a right one

        builders_date()


def main() -> None:
    """Run the program and exit with its code, without a traceback."""
    # A command makes many small records, and all of them stay: collect rarely (0.05 times ``import typer``).
    gc.set_threshold(100_000, 50, 50)
    gc.enable()
    sys.exit(ending(_run))


def _run() -> Any:
    check_environment()
    try:
        return app(prog_name="combinat", standalone_mode=False)
    except UsageMistake as mistake:
        if not sys.argv[1:]:
            say(mistake.format_message())  # the help
            return 2
        from combinat.cli.usage import usage_error

        raise usage_error(mistake, sys.argv[1:], list(COMMANDS)) from None
