"""A command: its options, those that it shares with others, and errors that name options."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand
from typer.main import get_params_convertors_ctx_param_name_from_function

from combinat.base.errors import CombinatError, InputError, RuleBookError
from combinat.cli import output
from combinat.cli.environment import GAME

QuietOption = Annotated[
    bool, typer.Option("--quiet", "-q", help="No warnings and no progress on standard error.")
]

PARAMETERS = {
    "bets": "--bet",
    "counts": "--count",
    "cut_card": "--set cut-card",
    "insured": "--insure",
    "limits": "--limit",
    "log_map": "--set",
    "maximum_differential": "--max-differential",
    "readings": "--reading",
    "simulations": "--simulation",
    "stakes": "--stake",
    "coming": "--next",
    "table_maximum": "--table-max",
}
"""The options of parameters that have another name in Python, unless a command has an option of that name."""


def shared_options(quiet: QuietOption = False) -> None:
    """Declare the options of every command: a command takes them from this signature."""


def say_help(ctx: Any, param: Any, wanted: bool) -> None:
    """Print the help in the same way as results, so that a closed pipe or a full disk is reported."""
    if wanted and not ctx.resilient_parsing:
        output.say(ctx.get_help())
        ctx.exit()


class Command(TyperCommand):
    """A command with the shared options after its own; its errors name its options.

    A command with ``--format`` also has the options of tables, and ``--out`` unless it has its own.
    """

    def __init__(self, *words: Any, params: Sequence[Any], **settings: Any) -> None:
        own = {param.name for param in params}
        self.has_tables = "form" in own
        shared = [param for param in _declared(self.has_tables) if param.name not in own]
        self.shared = [param.name for param in shared]
        super().__init__(*words, params=[*params, *shared], **settings)

    def invoke(self, ctx: Any) -> Any:
        """Run it; an error names the option of the parameter at fault."""
        shared = {name: ctx.params.pop(name) for name in self.shared}
        if ctx.params.get("out") == "-":
            raise CombinatError('--out: found "-"; this is not written to standard output; write a name')
        try:
            with self._in_force(ctx, shared), _game_named(ctx):
                return super().invoke(ctx)
        except InputError as error:
            raise CombinatError(error.text(self._option)) from None

    @contextmanager
    def _in_force(self, ctx: Any, shared: dict[str, Any]) -> Iterator[None]:
        """Apply the shared options while the command runs."""
        from combinat.cli.table_options import fitting_the_terminal, tables_in_shape

        form = ctx.params.get("form")
        shape = tables_in_shape(form, shared, self._files(ctx)) if self.has_tables else fitting_the_terminal()
        with output.quietly(shared["quiet"] or output.is_quiet()), shape:
            yield

    def _files(self, ctx: Any) -> list[Path]:
        """The files among the values of its parameters; a game may be one."""
        values = [(param.type.name, ctx.params.get(param.name)) for param in self.params]
        words = [
            (kind, word)
            for kind, value in values
            for word in (value if isinstance(value, list | tuple) else [value])
        ]
        return [
            Path(word) for kind, word in words if word and (kind == "path" or str(word).endswith(".toml"))
        ]

    def _option(self, parameter: str) -> str:
        name, _, rest = parameter.partition(" ")
        own = next((param for param in self.params if param.name == name), None)
        if name.isupper():  # a variable of the environment
            return name
        if own is not None and own.param_type_name == "argument":
            return str(own.metavar or name.upper())
        option = own.opts[0] if own is not None else PARAMETERS.get(name, f"--{name.replace('_', '-')}")
        return f"{option} {rest}".rstrip()

    def get_help_option(self, ctx: Any) -> Any:
        """The option that prints its help."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.callback = say_help
        return option


def _declared(has_tables: bool) -> list[Any]:
    """The shared options of a command."""
    from combinat.cli.table_options import shape_options  # the list of commands needs none

    functions: list[Callable[..., None]] = [*([shape_options] if has_tables else []), shared_options]
    return [
        param
        for function in functions
        for param in get_params_convertors_ctx_param_name_from_function(function)[0]
    ]


@contextmanager
def _game_named(ctx: Any) -> Iterator[None]:
    """Name the environment variable in an error about a game that came from there."""
    try:
        yield
    except RuleBookError as error:
        source = ctx.get_parameter_source("game")
        if source is None or source.name != "ENVIRONMENT":
            raise
        raise RuleBookError(f"{GAME}: {error}") from None
