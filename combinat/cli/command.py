"""A command: its options, those that it shares with others, and errors that name options."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from typer.core import TyperCommand
from typer.main import get_params_convertors_ctx_param_name_from_function

from combinat.base.errors import CombinatError, InputError, RuleBookError
from combinat.cli import output

GAME = "COMBINAT_GAME"
"""The environment variable with the default game."""

DOCUMENTS = (
    "check",
    "crosscheck",
    "diff",
    "doctor",
    "games",
    "power",
    "rules",
    "ruling",
    "settle",
    "solve",
    "table",
    "verify",
)
"""Commands that print a document of small tables, without ``--places``, ``--sort`` and ``--columns``."""

PARAMETERS = {
    "bets": "--bet",
    "cluster": "--workers",
    "counts": "--count",
    "insured": "--insure",
    "limits": "--limit",
    "log_map": "--set",
    "maximum": "--limit",
    "maximum_differential": "--limit maximum-differential",
    "readings": "--reading",
    "simulations": "--simulation",
    "removed": "--removed",
    "simulation_rounds": "--simulation N",
    "stakes": "--stake",
    "coming": "--next",
    "table_maximum": "--limit table-maximum",
}
"""The options of parameters that have another name in Python, unless a command has an option of that name."""


def say_help(ctx: Any, param: Any, wanted: bool) -> None:
    """Print the help in the same way as results, so that a closed pipe or a full disk is reported."""
    if wanted and not ctx.resilient_parsing:
        output.say(ctx.get_help())
        ctx.exit()


class Command(TyperCommand):
    """A command; its errors name its options.

    A command with ``--format`` also has ``--out``, and unless it prints a document, the options of tables.
    """

    def __init__(self, name: str, *, params: Sequence[Any], **settings: Any) -> None:
        own = {param.name for param in params}
        self.has_format = "form" in own
        shared = [param for param in _declared(name) if param.name not in own] if self.has_format else []
        self.shared = [param.name for param in shared]
        super().__init__(name, params=[*params, *shared], **settings)

    def invoke(self, ctx: Any) -> Any:
        """Run it; an error names the option of the parameter at fault."""
        from combinat.cli.answers import fitting_the_terminal, tables_in_shape

        shared = {name: ctx.params.pop(name) for name in self.shared}
        if ctx.params.get("out") == "-":
            raise CombinatError('--out: found "-"; this is not written to standard output; write a name')
        try:
            form = ctx.params.get("form")
            shape = (
                tables_in_shape(form, shared, self._files(ctx)) if self.has_format else fitting_the_terminal()
            )
            with shape, _game_named(ctx):
                return super().invoke(ctx)
        except InputError as error:
            raise CombinatError(error.text(self._option)) from None

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
        if own is not None:
            option = own.opts[0]
        else:
            word = name.replace("_", "-")
            has_settings = any("--set" in param.opts for param in self.params)
            option = PARAMETERS.get(name, f"--set {word}" if has_settings else f"--{word}")
        return f"{option} {rest}".rstrip()

    def get_help_option(self, ctx: Any) -> Any:
        """The option that prints its help."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.callback = say_help
        return option


def _declared(command: str) -> list[Any]:
    """The options that a command with ``--format`` shares with others."""
    from combinat.cli.answers import document_options, table_options

    function = document_options if command in DOCUMENTS else table_options
    params: list[Any] = get_params_convertors_ctx_param_name_from_function(function)[0]
    return params


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
