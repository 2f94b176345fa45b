"""Options that every command has."""

import inspect
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from combinat.base.errors import CombinatError, RuleBookError
from combinat.cli import exits, output
from combinat.cli.environment import GAME

DebugOption = Annotated[bool, typer.Option("--debug", help="Show where an unforeseen fault came from.")]
QuietOption = Annotated[
    bool, typer.Option("--quiet", "-q", help="No warnings and no progress on standard error.")
]

COMPLETES = "_COMBINAT_COMPLETE"
"""The environment variable with which a shell asks for completions; typer names it after the program."""

ALWAYS: dict[str, Any] = {"quiet": QuietOption, "debug": DebugOption}


def with_shared_options(command: Callable[..., None]) -> Callable[..., None]:
    """The command with the common options after its own, and with shell completion.

    A command with ``--format`` also gets the options of tables, and ``--out`` unless it has its own.
    """
    from combinat.cli.table_options import DEFAULTS, OPTIONS, OUT
    from combinat.render.text import Format

    signature = inspect.signature(command)
    own = signature.parameters
    usual = own["form"].default if "form" in own else None
    has_tables = isinstance(usual, StrEnum) and {*Format} <= {str(form) for form in type(usual)}
    tables = {**OPTIONS, "out": OUT} if has_tables else {}
    options = {name: option for name, option in (tables | ALWAYS).items() if name not in own}
    shared = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=DEFAULTS.get(name, False), annotation=option
        )
        for name, option in options.items()
    ]
    asked = inspect.Parameter("asked", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
    parameters = [*_completed([*own.values(), *shared]), asked]

    @wraps(command)
    def taking_options(*, asked: typer.Context, **given: Any) -> None:
        said = {name: given.pop(name) for name in options}
        if str(given.get("out")) == "-":
            raise CombinatError('--out: found "-"; this is not written to standard output; write a name')
        with _in_force(given, said, has_tables=has_tables), _game_named(asked):
            command(**given)

    taking_options.__dict__["__signature__"] = signature.replace(parameters=parameters)
    taking_options.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return taking_options


def _completed(parameters: Iterable[inspect.Parameter]) -> list[inspect.Parameter]:
    """The parameters of a command, with completion functions if a shell asks for completions."""
    if COMPLETES not in os.environ:
        return list(parameters)
    from combinat.cli.completion import completed  # a command that is run does without

    return list(map(completed, parameters))


@contextmanager
def _in_force(given: dict[str, Any], said: dict[str, Any], *, has_tables: bool) -> Iterator[None]:
    """Apply the common options while a command runs."""
    from combinat.cli.table_options import fitting_the_terminal, tables_in_shape

    if said["debug"]:
        exits.show_faults()
    shape = tables_in_shape(given["form"], said, _files(given)) if has_tables else fitting_the_terminal()
    with output.quietly(said["quiet"] or output.is_quiet()), shape:
        yield


@contextmanager
def _game_named(asked: typer.Context) -> Iterator[None]:
    """Name the environment variable in an error about a game that came from there."""
    try:
        yield
    except RuleBookError as error:
        source = asked.get_parameter_source("game")
        if source is None or source.name != "ENVIRONMENT":
            raise
        raise RuleBookError(f"{GAME}: {error}") from None


def _files(given: dict[str, Any]) -> list[Path]:
    """The files among the values of a command; a game may be one."""
    words = [word for value in given.values() for word in (value if isinstance(value, list) else [value])]
    return [
        Path(word)
        for word in words
        if isinstance(word, Path) or (isinstance(word, str) and word.endswith(".toml"))
    ]
